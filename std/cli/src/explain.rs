//! The request in words, and its steps with their answers.

use crate::options::BackendName;
use crate::print::{Page, printable};
use crate::report::Report;
use rdma_addrinfo::{Addresses, Family, Flags, Grammar, Hints, Policy, PortSpace, QpType, Rules};
use std::time::Duration;

/// The explanation and an empty line; nothing without `--explain`.
pub(crate) fn text(report: &Report<'_>) -> Page {
    let mut page = Page::default();
    let Some(steps) = &report.steps else {
        return page;
    };
    let quoted = |text: Option<&[u8]>| text.map_or("none".into(), |text| format!("'{}'", printable(text)));

    let mut line = |key: &str, value: String| page.line(format_args!("{key:10}{value}"));
    line("node", quoted(report.target.node));
    line("service", quoted(report.target.service));
    line("hints", hints(report.hints.as_ref()));
    let (backend, resolver) = (report.options.backend, report.options.resolver());
    if let Some(interface) = resolver.source_interface() {
        line("from", format!("interface '{}'", interface.as_str()));
    }
    line("backend", backend.name().into());
    if backend != BackendName::Librdmacm {
        line("policy", policy(resolver.policy()));
        line("ibacm", resolver.ibacm().to_string());
        line("limit", resolver.deadline().map_or("none".into(), |limit| format!("{} ms", limit.as_millis())));
    }

    for (number, step) in (1..).zip(steps) {
        line(
            &format!("step {number}"),
            format!("{:>12}   {}: {}", time(step.elapsed), step.question, step.answer),
        );
    }
    line("total", format!("{:>12}", time(report.elapsed)));
    page.line("");
    page
}

/// Hints in words.
fn hints(hints: Option<&Hints<'_>>) -> String {
    let Some(hints) = hints else {
        return "none".into();
    };
    let mut words: Vec<String> = Vec::new();
    for (flag, meaning) in [
        (Flags::PASSIVE, "for the passive side"),
        (Flags::NUMERIC_HOST, "numeric addresses only"),
        (Flags::NO_ROUTE, "no lengthy route resolution"),
        (Flags::FAMILY, "the family says how to read the node"),
        (Flags::SA, "ask the subnet administrator"),
        (Flags::DNS, "ask DNS"),
        (Flags::ROUTE_ONLY, "route only"),
    ] {
        if hints.flags().contains(flag) {
            words.push(meaning.into());
        }
    }
    if hints.flags().unnamed() != 0 {
        words.push(format!("flags 0x{:x}", hints.flags().unnamed()));
    }
    if hints.family() != Family::UNSPEC {
        words.push(format!("family {}", hints.family()));
    }
    if hints.qp_type() != QpType::ANY {
        words.push(format!("QP type {}", hints.qp_type()));
    }
    if hints.port_space() != PortSpace::ANY {
        words.push(format!("port space {}", hints.port_space()));
    }
    if let Some(source) = hints.src_addr().get() {
        words.push(format!("source {source}"));
    }
    if let Some(destination) = hints.dst_addr().get() {
        words.push(format!("destination {destination}"));
    }
    if !hints.route().is_empty() {
        words.push(format!("a route of {} bytes", hints.route().len()));
    }
    if words.is_empty() { "all left open".into() } else { words.join(", ") }
}

/// The policy in words.
fn policy(policy: Policy) -> String {
    let rules = match policy.rules {
        Rules::ManPage => "rules of the manual page",
        Rules::Librdmacm => "rules of librdmacm",
        _ => "other rules",
    };
    let grammar = match policy.grammar {
        Grammar::Strict => "strict text",
        Grammar::Glibc => "text as glibc reads it",
    };
    let addresses = match policy.addresses {
        Addresses::All => "all addresses",
        Addresses::First => "first address",
        _ => "other addresses",
    };
    let source = if policy.discover_source { "source looked for" } else { "source not looked for" };
    format!("{rules}, {grammar}, {addresses}, {source}")
}

fn time(elapsed: Duration) -> String {
    format!("{:.1} us", elapsed.as_secs_f64() * 1e6)
}
