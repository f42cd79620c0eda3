//! What a traced resolution tells.

use super::super::trace::{Trace, TraceEvent, TracedStep};
use super::script::{Answer, Script, driven, names, replied, route, scope, source};
use crate::native::Ibacm;
use crate::resolver::Resolver;
use rdma_addrinfo_core::acm::{Query, Status};
use rdma_addrinfo_core::{
    ErrorKind, Family, HeapResults, Hints, NoRoute, Policy, Protocol, Request, RouteStatus,
};
use std::net::SocketAddr;
use std::time::Duration;

fn steps(request: Request<'_>, script: &Script) -> Vec<TracedStep> {
    let mut steps = Vec::new();
    // The outcome is compared elsewhere; here a failure is as good.
    let _ = driven::<HeapResults>(request, script, &mut steps);
    steps
}

fn told(request: Request<'_>, script: &Script) -> Vec<(String, String)> {
    steps(request, script).iter().map(|step| (step.event.question(), step.event.answer())).collect()
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
            ("route to [2001:db8::1]:7471 (request: destination 2001:db8::1)", "no ibacm"),
            ("source for [2001:db8::1]:7471", "2001:db8::9"),
            ("route to 192.0.2.1:7471 (request: destination 192.0.2.1)", "no ibacm"),
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
            ("route to [fe80::1%5]:4000 (request: destination fe80::1)", "no ibacm"),
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
        told(Request::new(node, None, None).with_policy(Policy::LIBRDMACM), &script),
        pairs(&[(
            "look up node 'a\\u{1b}[31m\\r\\n\\'\\u{202e}b' (any family, tcp)",
            "node or service not known"
        )])
    );
}

#[test]
fn a_told_step_reads_as_a_line() {
    let event = TraceEvent::FindScope { name: b"ib0".to_vec(), answer: Ok(Some(5)) };
    let step = TracedStep { event, elapsed: Duration::from_micros(12) };
    assert_eq!(step.to_string(), "interface of zone 'ib0': 5 (12µs)");
}

#[test]
fn a_step_holds_what_was_asked_and_answered() {
    let both = [("[2001:db8::1]:0", Protocol::Tcp), ("192.0.2.1:0", Protocol::Tcp)];
    let script = vec![
        names(Some("storage-7"), None).found(&both),
        route("[2001:db8::1]:7471"),
        source("[2001:db8::1]:7471", Some("[2001:db8::9]:0")),
        replied("192.0.2.1:7471", Status::EDESTADDR, None),
        source("192.0.2.1:7471", None),
    ];
    let events: Vec<_> =
        steps(Request::new("storage-7", "7471", None), &script).into_iter().map(|step| step.event).collect();
    let address = |text: &str| text.parse::<SocketAddr>().unwrap();
    let to = |text: &str| Query { destination: Some(address(text).ip()), ..Query::default() };
    let Answer::Reply(reply) = script[3].1.clone() else { panic!() };
    let (v6, v4) = ("[2001:db8::1]:7471", "192.0.2.1:7471");
    let expected = [
        TraceEvent::Lookup {
            node: Some(b"storage-7".to_vec()),
            service: None,
            family: Family::UNSPEC,
            protocol: Protocol::Tcp,
            answer: Ok(both.map(|(text, _)| address(text)).to_vec()),
        },
        TraceEvent::FindRoute {
            destination: Some(address(v6).into()),
            query: to(v6),
            answer: Err(NoRoute::Unavailable),
        },
        TraceEvent::FindSource { destination: address(v6), answer: Ok(Some(address("[2001:db8::9]:0"))) },
        TraceEvent::FindRoute { destination: Some(address(v4).into()), query: to(v4), answer: Ok(reply) },
        TraceEvent::FindSource { destination: address(v4), answer: Ok(None) },
    ];
    assert_eq!(events, expected);
}

/// The question is no question to anybody, and is told all the same; without a trace it is not asked.
#[test]
fn a_route_question_is_told_where_nobody_answers() {
    let resolver = Resolver::new().with_source(false).with_ibacm(Ibacm::OFF);
    let mut steps: Vec<TracedStep> = Vec::new();
    let found = resolver.resolve_traced("192.0.2.7", "7471", None, &mut steps).unwrap();
    let query = Query { destination: Some([192, 0, 2, 7].into()), ..Query::default() };
    let destination = Some(SocketAddr::from(([192, 0, 2, 7], 7471)).into());
    let events: Vec<_> = steps.into_iter().map(|step| step.event).collect();
    assert_eq!(events, [TraceEvent::FindRoute { destination, query, answer: Err(NoRoute::Unavailable) }]);
    assert_eq!(found.first().unwrap().route_status(), RouteStatus::Missing(NoRoute::Unavailable));
    // None is wanted.
    let mut steps: Vec<TracedStep> = Vec::new();
    resolver.with_routes(false).resolve_traced("192.0.2.7", "7471", None, &mut steps).unwrap();
    assert_eq!(steps, []);
}

#[test]
fn a_function_is_a_trace_and_none_is_told_nothing() {
    let mut count = 0;
    let mut told = |_: TracedStep| count += 1;
    Resolver::new().resolve_traced("127.0.0.1", "7471", None, &mut told).unwrap();
    assert_eq!(count, 2);
    Resolver::new().resolve_traced("127.0.0.1", "7471", None, &mut ()).unwrap();
    // One that does not want to know.
    struct Asleep;
    impl Trace for Asleep {
        fn is_enabled(&self) -> bool {
            false
        }
        fn step(&mut self, step: TracedStep) {
            panic!("{step}");
        }
    }
    Resolver::new().resolve_traced("127.0.0.1", "7471", None, &mut Asleep).unwrap();
}
