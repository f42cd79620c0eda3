//! Who asks whether `::1` comes first, asks for nothing in vain, and never leaves it out.

use super::{Driver, found, lines};
use crate::hints::{Hints, Protocol};
use crate::request::{Environment, Policy, Request, Text};
use crate::resolve::{Step, start};
use crate::results::Results;
use crate::types::{Family, Flags, QpType};
use std::format;
use std::string::String;

/// What comes of a request, and whether it was said to depend on the order of loopback.
fn answer(request: Request<'_>, ipv6_loopback: bool) -> (String, bool) {
    let environment = Environment { ipv6_loopback, ..Environment::new() };
    let request = request.with_environment(environment);
    let mut needed = request.needs_ipv6_loopback();
    let mut results = Results::<4>::new();
    let mut driver =
        Driver::new(Ok([Protocol::Tcp, Protocol::Udp].map(|it| found("192.0.2.7:80", it)).into()));
    let step = match start(request, &mut results) {
        Step::Lookup(ask) if ask.node().is_none() => {
            assert!(!needed, "it is known only when the service is");
            needed = ask.needs_ipv6_loopback();
            // What was set before does not count.
            Step::Lookup(ask.with_ipv6_loopback(!ipv6_loopback).with_ipv6_loopback(ipv6_loopback))
        }
        step => step,
    };
    let outcome = driver.drive(step);
    (format!("{:?}", outcome.map(lines)), needed)
}

#[test]
fn it_is_needed_where_it_changes_the_answer_and_nowhere_else() {
    let (mut differ, mut cases) = (0, 0);
    let flags = [0, 1, 2, 8, 9, 10, 0x10, 0x20, 0x40, 0x0100_0000];
    for node in [None, Some("*"), Some(""), Some("127.0.0.1"), Some("storage-7")] {
        for service in [None, Some("*"), Some("7471"), Some("0"), Some("70000"), Some("http"), Some("")] {
            for policy in [Policy::LIBRDMACM, Policy::MAN_PAGE] {
                for family in [Family::UNSPEC, Family::INET, Family::INET6, Family::IB, Family::from_raw(1)] {
                    for flags in flags {
                        for qp_type in [0, 4, 99].map(QpType::from_raw) {
                            let hints = Hints::new()
                                .with_flags(Flags::from_raw(flags))
                                .with_family(family)
                                .with_qp_type(qp_type);
                            let [node, service] = [node, service].map(Text::from);
                            let request = Request::new(node, service, &hints).with_policy(policy);
                            let (with, needed) = answer(request, true);
                            let (without, still) = answer(request, false);
                            let case = format!("{request:?}: {with} {without}");
                            assert_eq!((needed, still), (with != without, needed), "{case}");
                            differ += usize::from(needed);
                            cases += 1;
                        }
                    }
                }
            }
        }
    }
    // Without a node 2 forms, 5 services, 7 sets of flags with any family and 6 with AF_IB, each with 3 QP types.
    assert_eq!((cases, differ), (10_500, 2 * 5 * (7 + 6) * 3));
}
