//! What is printed as results come, and at the end.

use super::html;
use super::progress::Progress;
use super::summary::Summary;
use super::tally::Tally;
use super::targets::Targets;
use crate::options::Options;
use crate::output::{self, write_out};
use crate::print::Page;
use crate::report::Report;
use crate::{human, json};
use std::fs::File;
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Instant;

/// Standard output.
#[derive(Debug, Default)]
pub(super) struct Stream {
    /// Its reader has gone, which is no error.
    is_closed: bool,
    problem: Option<io::Error>,
}

impl Stream {
    /// Writes a page, unless that makes no sense any more.
    pub(super) fn write(&mut self, page: &Page) {
        if self.is_over() {
            return;
        }
        match write_out(page) {
            Ok(()) => {}
            Err(error) if error.kind() == ErrorKind::BrokenPipe => self.is_closed = true,
            Err(error) => self.problem = Some(error),
        }
    }

    /// Whether nothing can be written any more.
    pub(super) const fn is_over(&self) -> bool {
        self.is_closed || self.problem.is_some()
    }

    /// Reports what could not be written, and gives the exit status.
    pub(super) fn end(&self, status: u8) -> ExitCode {
        ExitCode::from(self.report(status))
    }

    fn report(&self, status: u8) -> u8 {
        let Some(problem) = &self.problem else { return status };
        output::tell(&output::cannot_write(problem));
        status.max(1)
    }
}

/// A run of the command.
#[derive(Debug)]
pub(super) struct Run {
    targets: Arc<Targets>,
    tally: Tally,
    stream: Stream,
    progress: Option<Progress>,
    started: Instant,
    is_json: bool,
    has_summary: bool,
    sums_up: bool,
    report: Option<(PathBuf, File)>,
    title: String,
    /// The exit status, once it is over.
    status: Option<u8>,
}

impl Run {
    pub(super) fn new(
        options: &Options,
        targets: Arc<Targets>,
        report: Option<File>,
        progress: Option<Progress>,
    ) -> Self {
        let service = options.many_service().map(|service| format!(", service {service}"));
        Self {
            title: format!("rdma-getaddrinfo: {} nodes{}", targets.count(), service.unwrap_or_default()),
            targets,
            tally: Tally::default(),
            stream: Stream::default(),
            progress,
            started: Instant::now(),
            is_json: options.json,
            has_summary: options.many.summary,
            sums_up: options.many.sums_up(),
            report: options.many.report.clone().zip(report),
            status: None,
        }
    }

    /// Prints what came of a node, and counts it.
    pub(super) fn take(&mut self, index: u64, report: &Report<'_>) {
        if self.status.is_some() {
            return;
        }
        self.tally.add(index, report, self.sums_up);
        let page = if self.is_json { json::line_of(report, index) } else { human::lines_of(report) };
        self.print(&page);
    }

    fn print(&mut self, page: &Page) {
        if let Some(progress) = &mut self.progress {
            progress.make_way();
        }
        self.stream.write(page);
    }

    /// Whether nobody wants more.
    pub(super) const fn is_over(&self) -> bool {
        self.stream.is_over() && self.report.is_none()
    }

    /// Shows how far it is.
    pub(super) fn show_progress(&mut self) {
        if let Some(progress) = self.progress.as_mut().filter(|_| self.status.is_none()) {
            progress.show(self.tally.found + self.tally.failed, self.tally.failed);
        }
    }

    /// Prints the summary, writes the report, and gives the exit status; `interrupted` is that of a signal. Only the
    /// first call does something.
    pub(super) fn finish(&mut self, interrupted: Option<u8>) -> u8 {
        if let Some(status) = self.status {
            return status;
        }
        self.show_progress_at_end();
        let mut status = interrupted.unwrap_or(u8::from(self.tally.failed > 0));
        if self.sums_up {
            let elapsed = self.started.elapsed();
            let summary = Summary::new(&self.tally, &self.targets, interrupted.is_some(), elapsed);
            if self.has_summary {
                let page = if self.is_json { summary.json() } else { summary.page() };
                self.print(&page);
            }
            if let Some((path, file)) = &mut self.report {
                let page = html::page(&summary, &self.tally.times, &self.title);
                if let Err(error) = file.write_all(page.as_bytes()) {
                    output::tell(&not_written(path, &error));
                    status = status.max(1);
                }
            }
        }
        status = self.stream.report(status);
        self.status = Some(status);
        status
    }

    /// A line that stays where there is no terminal; on one, nothing is left.
    fn show_progress_at_end(&mut self) {
        if let Some(progress) = &mut self.progress {
            progress.end(self.tally.found + self.tally.failed, self.tally.failed);
        }
    }
}

/// That the report cannot be written.
pub(super) fn not_written(path: &Path, error: &io::Error) -> Page {
    let mut page = Page::default();
    page.line(format_args!("rdma-getaddrinfo: cannot write '{}': {error}", path.display()));
    page
}
