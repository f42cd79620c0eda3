//! Writing the output, and the exit status.

use std::io::{self, ErrorKind, Write};
use std::process::ExitCode;

/// Writes standard output, then standard error, and turns `status` into the exit status.
///
/// A reader that has gone away wanted no more, which changes nothing; any other failure makes the status 1.
pub(crate) fn write(out: &str, err: &str, status: u8) -> ExitCode {
    let status = match written(&mut io::stdout(), out) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            // Without standard error there is nowhere to complain.
            let _ = writeln!(io::stderr(), "rdma-getaddrinfo: cannot write the output: {error}");
            status.max(1)
        }
        _ => status,
    };
    let _ = written(&mut io::stderr(), err);
    ExitCode::from(status)
}

/// Prints a usage error, or the help or version that was asked for.
pub(crate) fn usage(message: &clap::Error) -> ExitCode {
    let status = u8::try_from(message.exit_code()).unwrap_or(2);
    match message.print().and_then(|()| io::stdout().flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => ExitCode::from(status.max(1)),
        _ => ExitCode::from(status),
    }
}

fn written(stream: &mut dyn Write, text: &str) -> io::Result<()> {
    stream.write_all(text.as_bytes())?;
    stream.flush()
}
