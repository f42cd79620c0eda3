//! Writing pages, and the exit status.

use crate::closed::is_stdout_closed;
use crate::print::{Page, printable};
use clap::builder::StyledStr;
use clap::error::ContextValue;
use rustix::fd::BorrowedFd;
use rustix::io::Errno;
use rustix::stdio::{stderr, stdout};
use std::io::{self, Write};
use std::process::ExitCode;

/// The output of the command.
#[derive(Debug, Default)]
pub(crate) struct Output {
    pub(crate) out: Page,
    pub(crate) err: Page,
    /// The exit status if all can be written.
    pub(crate) status: u8,
}

impl Output {
    /// A usage error, the help, or the version.
    pub(crate) fn usage(message: clap::Error) -> Self {
        let status = u8::try_from(message.exit_code()).unwrap_or(2);
        let is_error = message.use_stderr();
        let mut page = Page::default();
        page.lines(&escaped(message).render().to_string());
        if is_error {
            Self { err: page, status, ..Self::default() }
        } else {
            Self { out: page, status, ..Self::default() }
        }
    }

    /// Writes standard output, then standard error, and returns the exit status.
    ///
    /// A closed pipe is not an error, since its reader needs no more. Any other failure is reported and changes status 0
    /// to 1.
    pub(crate) fn write(mut self) -> ExitCode {
        match write_out(&self.out) {
            Ok(()) => {}
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => {}
            Err(error) => {
                let mut first = cannot_write(&error);
                first.append(&self.err);
                self.err = first;
                self.status = self.status.max(1);
            }
        }
        tell(&self.err);
        ExitCode::from(self.status)
    }
}

/// Writes to standard error.
pub(crate) fn tell(page: &Page) {
    // A failure cannot be reported.
    let _ = Descriptor(stderr()).write_all(page.as_str().as_bytes());
}

/// Reports a failure of the command itself, and returns its exit status.
pub(crate) fn failure(page: &Page) -> ExitCode {
    tell(page);
    ExitCode::FAILURE
}

/// That standard output cannot be written.
pub(crate) fn cannot_write(error: &io::Error) -> Page {
    let mut page = Page::default();
    page.line(format_args!("rdma-getaddrinfo: cannot write the output: {error}"));
    page
}

/// Writes to standard output.
pub(crate) fn write_out(page: &Page) -> io::Result<()> {
    if !page.as_str().is_empty() && is_stdout_closed() {
        return Err(Errno::BADF.into());
    }
    Descriptor(stdout()).write_all(page.as_str().as_bytes())
}

/// A stream that reports errors. Those of the standard library ignore that a descriptor is not open for writing.
struct Descriptor(BorrowedFd<'static>);

impl Write for Descriptor {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        Ok(rustix::io::write(self.0, bytes)?)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// The message with the newlines in its values escaped: those of the text are clap's own.
fn escaped(mut message: clap::Error) -> clap::Error {
    let values: Vec<_> = message.context().map(|(kind, value)| (kind, value.clone())).collect();
    for (kind, value) in values {
        let value = match value {
            ContextValue::String(text) => ContextValue::String(printable(text.as_bytes())),
            ContextValue::Strings(texts) => {
                ContextValue::Strings(texts.iter().map(|text| printable(text.as_bytes())).collect())
            }
            ContextValue::StyledStrs(texts) => {
                let escaped = |text: &StyledStr| printable(text.to_string().as_bytes()).into();
                ContextValue::StyledStrs(texts.iter().map(escaped).collect())
            }
            other => other,
        };
        message.insert(kind, value);
    }
    message
}
