//! What a traced resolution tells.

use super::super::trace::TracedStep;
use super::script::{Script, driven, names, replied, route, scope, source};
use rdma_addrinfo_core::{ErrorKind, Family, HeapResults, Hints, Policy, Protocol, Request, acm::Status};
use std::time::Duration;

fn told(request: Request<'_>, script: &Script) -> Vec<(String, String)> {
    let mut told = Vec::new();
    // The outcome is compared elsewhere; here a failure is as good.
    let _ = driven::<HeapResults>(
        request,
        script,
        Some(&mut |step| told.push((step.question.clone(), step.answer.clone()))),
    );
    told
}

fn pairs(pairs: &[(&str, &str)]) -> Vec<(String, String)> {
    pairs.iter().map(|(question, answer)| ((*question).into(), (*answer).into())).collect()
}

#[test]
fn each_step_is_told_with_its_answer() {
    let both = [("[2001:db8::1]:0", Protocol::Tcp), ("192.0.2.1:0", Protocol::Tcp)];
    let script = vec![
        names(Some("storage-7"), None).found(&both),
        route("[2001:db8::1]:7471"),
        source("[2001:db8::1]:7471", Some("[2001:db8::9]:0")),
        route("192.0.2.1:7471"),
        source("192.0.2.1:7471", None),
    ];
    assert_eq!(
        told(Request::new("storage-7", "7471", None), &script),
        pairs(&[
            ("look up node 'storage-7' (any family, tcp)", "2001:db8::1, 192.0.2.1"),
            ("route to [2001:db8::1]:7471 (request: destination 2001:db8::1)", "unavailable"),
            ("source for [2001:db8::1]:7471", "2001:db8::9"),
            ("route to 192.0.2.1:7471 (request: destination 192.0.2.1)", "unavailable"),
            ("source for 192.0.2.1:7471", "none"),
        ])
    );
    let script = vec![
        names(None, Some("storage")).protocol(Protocol::Any).found(&[("[::1]:4000", Protocol::Udp)]),
        scope("ib0", Some(5)),
        route("[fe80::1%5]:4000"),
        source("[fe80::1%5]:4000", None),
    ];
    assert_eq!(
        told(Request::new("fe80::1%ib0", "storage", None), &script),
        pairs(&[
            ("look up service 'storage' (any family, any protocol)", "[::1]:4000"),
            ("interface of zone 'ib0'", "5"),
            ("route to [fe80::1%5]:4000 (request: destination fe80::1)", "unavailable"),
            ("source for [fe80::1%5]:4000", "none"),
        ])
    );
}

#[test]
fn what_ibacm_says_is_told_by_name() {
    let script = vec![replied("192.0.2.7:1", Status::EDESTADDR, None), source("192.0.2.7:1", None)];
    let question = "route to 192.0.2.7:1 (request: destination 192.0.2.7)";
    assert_eq!(
        told(Request::new("192.0.2.7", "1", None), &script),
        pairs(&[(question, "EDESTADDR"), ("source for 192.0.2.7:1", "none")])
    );
    let script = vec![replied("192.0.2.7:1", Status::OK, Some(7)), source("192.0.2.7:1", None)];
    let (asked, answer) = told(Request::new("192.0.2.7", "1", None), &script).swap_remove(0);
    assert_eq!(asked, question);
    assert!(answer.starts_with("OK: path :: -> ::7 "), "{answer}");
}

#[test]
fn steps_that_fail_are_told_too() {
    let hints = Hints::parse("family=inet6,qp=ud").unwrap();
    let asked = || names(Some("storage-7"), Some("storage")).protocol(Protocol::Udp);
    let second = names(Some("storage-7"), None).protocol(Protocol::Udp);
    let script = vec![asked().family(Family::INET6).fails(ErrorKind::NoName), second.found(&[])];
    assert_eq!(
        told(Request::new("storage-7", "storage", &hints), &script),
        pairs(&[
            ("look up node 'storage-7' service 'storage' (inet6, udp)", "node or service not known"),
            ("look up node 'storage-7' (any family, udp)", "nothing"),
        ])
    );
    assert_eq!(
        told(Request::new("fe80::1%ib0", None, None), &vec![scope("ib0", None)]),
        pairs(&[("interface of zone 'ib0'", "none")])
    );
}

#[test]
fn hostile_text_cannot_write_to_a_terminal() {
    // Only the C library looks such names up.
    let node = "a\x1b[31m\r\n'\u{202e}b";
    let script = vec![names(Some(node), None).fails(ErrorKind::NoName)];
    assert_eq!(
        told(Request::new(node, None, None).policy(Policy::LIBRDMACM), &script),
        pairs(&[(
            "look up node 'a\\u{1b}[31m\\r\\n\\'\\u{202e}b' (any family, tcp)",
            "node or service not known"
        )])
    );
}

#[test]
fn a_told_step_reads_as_a_line() {
    let step = TracedStep {
        question: "interface of zone 'ib0'".into(),
        answer: "5".into(),
        elapsed: Duration::from_micros(12),
    };
    assert_eq!(step.to_string(), "interface of zone 'ib0': 5 (12µs)");
}
