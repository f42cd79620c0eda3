//! The report for people: a line for each entry, in columns, and below it details that only some entries have.

use crate::advice;
use crate::caret::excerpt;
use crate::explain;
use crate::print::{Page, printable};
use crate::report::Report;
use rdma_addrinfo::devices::{Finding, LocalPort};
use rdma_addrinfo::{AddrInfo, AddrInfoList, Error, Location, NoRoute, Reason, RouteStatus};
use std::ffi::CStr;
use std::fmt::Write;

/// The pages for standard output and standard error.
pub(crate) fn text(report: &Report<'_>) -> (Page, Page) {
    let (mut out, mut err) = (explain::text(report), Page::default());
    match &report.outcome {
        Ok(found) => entries(&mut out, report, found.list()),
        Err(error) => report_error(&mut err, report, error),
    }
    (out, err)
}

/// The addresses alone, each once.
pub(crate) fn short(report: &Report<'_>) -> (Page, Page) {
    let (mut out, mut err) = (Page::default(), Page::default());
    match &report.outcome {
        Ok(found) => {
            let mut told = Vec::new();
            for info in found.list() {
                let address = if info.is_passive() { info.src_addr() } else { info.dst_addr() };
                let line = address.map(|address| match address.ip() {
                    Some(ip) => ip.to_string(),
                    None => address.to_string(),
                });
                if let Some(line) = line.filter(|line| !told.contains(line)) {
                    out.line(&line);
                    told.push(line);
                }
            }
        }
        Err(error) => report_error(&mut err, report, error),
    }
    (out, err)
}

/// One of many nodes: each line of its report behind its name, and an error on one line.
pub(crate) fn lines_of(report: &Report<'_>) -> Page {
    let name = printable(report.target.node.unwrap_or_default());
    let mut page = Page::default();
    match &report.outcome {
        Ok(found) => {
            let mut entries_of = Page::default();
            entries(&mut entries_of, report, found.list());
            entries_of.as_str().lines().for_each(|line| page.line(format_args!("{name}: {line}")));
        }
        Err(error) => page.line(format_args!("{name}: error: {}", error.cause())),
    }
    page
}

/// The error on one line, then the invalid text with a caret below the error.
fn report_error(page: &mut Page, report: &Report<'_>, error: &Error) {
    page.line(format_args!("rdma-getaddrinfo: {error}"));
    let text = match error.location() {
        Location::Node(offset) => report.target.node.map(|node| excerpt(node, offset)),
        Location::Service(offset) => report.target.service.map(|service| excerpt(service, offset)),
        _ => None,
    };
    page.lines(&text.unwrap_or_default());
    if let Some(tip) = advice::of_error(report.options, error) {
        page.line(format_args!("tip: {tip}"));
    }
    if error.reason() == Reason::NothingAsked {
        page.line("Try 'rdma-getaddrinfo --help'.");
    }
}

fn entries(page: &mut Page, report: &Report<'_>, found: AddrInfoList<'_>) {
    let columns = Columns::new(found.iter().map(|info| cells(&info)).collect(), GAPS);
    let mut named = None;
    let findings: Vec<_> = report.shown().iter().map(|checked| &checked.findings[..]).collect();
    let shared = shared(&findings);
    let mut checked = report.shown().iter();
    for (info, line) in found.iter().zip(columns.lines()) {
        page.line(line);
        let name = info.src_canonname().or(info.dst_canonname());
        // The entries of a name share it, so it is shown once.
        let checked = checked.next();
        details(page, &info, name.filter(|_| name != named), checked.map(|checked| &checked.port));
        let findings = checked.map_or(&[][..], |checked| &checked.findings);
        for finding in findings.iter().filter(|finding| !shared.contains(finding)) {
            report_finding(page, "    ", finding, report.options.check);
        }
        named = name;
    }
    for finding in shared {
        report_finding(page, "", finding, report.options.check);
    }
    for problem in report.problems.iter().filter(|_| report.options.asks_devices()) {
        page.line(format_args!("warning: the devices could not be read in full: {problem}"));
    }
    if let Some(tip) = advice::of_address(report.options).filter(|_| !report.options.many.is_given()) {
        page.line(format_args!("warning: {tip}"));
    }
    if found.is_truncated() {
        page.line("truncated: memory ran out, entries are missing");
    }
}

/// The findings that all of several entries have: they are shown once.
fn shared<'f>(entries: &[&'f [Finding]]) -> Vec<&'f Finding> {
    match entries {
        [] | [_] => Vec::new(),
        [first, others @ ..] => {
            let everywhere = |finding: &&Finding| others.iter().all(|findings| findings.contains(finding));
            first.iter().filter(everywhere).collect()
        }
    }
}

/// A finding on a line; with `--check` also the command that shows it.
fn report_finding(page: &mut Page, indent: &str, finding: &Finding, is_check: bool) {
    if let Finding::NotRdma { others, .. } = finding
        && others.is_empty()
        && !is_check
    {
        // The port's own line says so.
        return;
    }
    let kind = if finding.is_fatal() { "error" } else { "warning" };
    match finding.command().filter(|_| is_check) {
        Some(command) => page.line(format_args!("{indent}{kind}: {finding} (see: {command})")),
        None => page.line(format_args!("{indent}{kind}: {finding}")),
    }
}

const COLUMNS: usize = 8;

/// The gap after each column: smaller around the arrow, between the two addresses.
const GAPS: [&str; COLUMNS] = ["   ", "   ", " ", " ", "   ", "   ", "   ", ""];

fn cells(info: &AddrInfo<'_>) -> [String; COLUMNS] {
    let or_any = |address: Option<String>| address.unwrap_or_else(|| "*".into());
    [
        info.family().to_string(),
        format!("{}/{}", info.qp_type(), info.port_space()),
        or_any(info.src_addr().map(|address| address.to_string())),
        if info.is_passive() { "<-" } else { "->" }.into(),
        or_any(info.dst_addr().map(|address| address.to_string())),
        if info.flags().is_empty() { String::new() } else { info.flags().to_string() },
        route(info),
        info.user_private_data().map_or_else(String::new, |bytes| format!("{bytes} bytes of private data")),
    ]
}

fn route(info: &AddrInfo<'_>) -> String {
    match (info.route(), info.route_status()) {
        ([], RouteStatus::NotAsked) => String::new(),
        ([], status @ RouteStatus::Missing(NoRoute::Unavailable)) => status.to_string(),
        ([], status) => format!("route {status}"),
        ([_], _) => "1 path".into(),
        (paths, _) => format!("{} paths", paths.len()),
    }
}

/// Indented lines below an entry: details that few entries have.
fn details(page: &mut Page, info: &AddrInfo<'_>, name: Option<&CStr>, port: Option<&LocalPort>) {
    let mut line = |key: &str, value: String| page.line(format_args!("    {key:9}{value}"));
    if let Some(name) = name {
        line("name", printable(name.to_bytes()));
    }
    for path in info.route() {
        line("path", path.to_string());
    }
    if !info.connect_data().is_empty() {
        line("connect", hex(info.connect_data()));
    }
    if let Some(port) = port {
        line("device", port.to_string());
    }
    if info.needs_scope() {
        let zone = "link-local address without a zone: the kernel picks an interface, perhaps the wrong one; \
                    add %INTERFACE";
        line("warning", zone.into());
    }
}

/// Bytes in hex.
fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

/// Printable cells and the width of each column; empty columns are left out.
pub(crate) struct Columns<const N: usize> {
    rows: Vec<[String; N]>,
    widths: [usize; N],
    gaps: [&'static str; N],
}

impl<const N: usize> Columns<N> {
    /// `gaps` are the texts after the columns.
    pub(crate) fn new(rows: Vec<[String; N]>, gaps: [&'static str; N]) -> Self {
        // Before the widths are measured.
        let cells = |row: [String; N]| row.map(|cell| printable(cell.as_bytes()));
        let rows: Vec<_> = rows.into_iter().map(cells).collect();
        let width =
            |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or_default();
        let widths = std::array::from_fn(width);
        Self { rows, widths, gaps }
    }

    pub(crate) fn lines(&self) -> impl Iterator<Item = String> {
        self.rows.iter().map(|row| {
            let cells = row.iter().zip(self.widths).zip(self.gaps).filter(|((_, width), _)| *width > 0);
            let line: String = cells.map(|((cell, width), gap)| format!("{cell:width$}{gap}")).collect();
            line.trim_end().to_owned()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_all_entries_share_is_found() {
        let address = std::net::IpAddr::from([192, 0, 2, 7]);
        let (late, here, zone) =
            (Finding::TimedOut, Finding::NotLocal { address }, Finding::NoZone { address });
        let (one, two) = ([here.clone(), late.clone()], [late.clone(), zone.clone()]);
        assert_eq!(shared(&[&one, &two]), [&late]);
        assert_eq!(shared(&[&one, &one]), [&here, &late]);
        assert_eq!(shared(&[&one, &[]]), [&late; 0]);
        assert_eq!(shared(&[&one]), [&late; 0]);
        assert_eq!(shared(&[]), [&late; 0]);
    }
}
