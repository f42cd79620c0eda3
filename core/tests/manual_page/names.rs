//! Lookups: errors of the name service, canonical names.

use super::script::{Line, NONE, Names, route, run, then, walk};
use super::whole::{Whole, ip, list, on, refused, refused_with_errno, to};
use rdma_addrinfo_core::{Error, ErrorKind, Hints, Location, Policy, Reason, Request};
use std::ffi::CStr;

#[test]
fn errors_of_the_name_service_come_through() {
    for kind in [
        ErrorKind::AddrFamily,
        ErrorKind::Again,
        ErrorKind::BadFlags,
        ErrorKind::Fail,
        ErrorKind::Family,
        ErrorKind::Memory,
        ErrorKind::NoData,
        ErrorKind::NoName,
        ErrorKind::Service,
        ErrorKind::QpType,
    ] {
        let expected = refused(kind, Reason::Unspecified, Location::Nowhere);
        let script = [Names::node("storage-7").fails(kind)];
        assert_eq!(run(Request::new("storage-7", "7471", None), &script), expected, "{kind:?}");

        let placed = Error::new(kind).because(Reason::TooManyLookups).at(Location::Node(3));
        let script = [Names::node("storage-7").fails(placed)];
        let expected = refused(kind, Reason::TooManyLookups, Location::Node(3));
        assert_eq!(run(Request::new("storage-7", "7471", None), &script), expected, "{kind:?}");
    }
    for errno in [1, 13, 110] {
        let script = [Names::node("storage-7").fails(Error::system(errno))];
        let expected = refused_with_errno(ErrorKind::System, Reason::Unspecified, Location::Nowhere, errno);
        assert_eq!(run(Request::new("storage-7", "7471", None), &script), expected);
    }
}

#[test]
fn name_without_an_address_is_no_data() {
    let expected = refused(ErrorKind::NoData, Reason::NoAddress, Location::Node(0));
    let script = [Names::node("storage-7").found([])];
    assert_eq!(run(Request::new("storage-7", "7471", None), &script), expected);
}

#[test]
fn node_and_service_names_are_one_question() {
    let names = Names { node: Some("storage-7"), ..Names::service("nfs") };
    let script = then(names.found(["192.0.2.7:2049"]), walk(["192.0.2.7:2049"]));
    assert_eq!(run(Request::new("storage-7", "nfs", None), &script), list([to(ip("192.0.2.7:2049"))]));

    let hints = Hints::new().passive();
    let script = [names.passive().found(["192.0.2.9:2049"])];
    assert_eq!(run(Request::new("storage-7", "nfs", &hints), &script), list([on(ip("192.0.2.9:2049"))]));
}

#[test]
fn a_service_name_with_port_0_is_no_service() {
    let expected = refused(ErrorKind::Service, Reason::ServicePort, Location::Service(0));
    let script = [Names::service("big").found(["0.0.0.0:0"])];
    assert_eq!(run(Request::new(None, "big", None), &script), expected);
    assert_eq!(run(Request::new("192.0.2.7", "big", None), &script), expected);
    let both = Names { node: Some("storage-7"), ..Names::service("big") };
    let script = [both.found(["192.0.2.7:0"])];
    assert_eq!(run(Request::new("storage-7", "big", None), &script), expected);
    // The C library's answer is its own.
    let request = Request::new("192.0.2.7", "big", None).with_policy(Policy::LIBRDMACM);
    let script = then(Names::service("big").found(["0.0.0.0:0"]), vec![route(ip("192.0.2.7:0"))]);
    assert_eq!(run(request, &script), list([to(ip("192.0.2.7:0"))]));
}

#[test]
fn scope_of_a_found_address_is_kept() {
    let script = then(Names::node("storage-7").found(["[fe80::7%3]:0"]), walk(["[fe80::7%3]:7471"]));
    assert_eq!(run(Request::new("storage-7", "7471", None), &script), list([to(ip("[fe80::7%3]:7471"))]));
}

const NAME: &CStr = c"storage-7.example";

#[test]
fn canonical_name_is_that_of_the_side() {
    let asked = Names { canonical_name: true, ..Names::node("storage-7") };
    let found = |names: Names| match names.found(["192.0.2.7:0", "192.0.2.8:0"]) {
        Line::Lookup(names, _, found) => Line::Lookup(names, Some(NAME), found),
        other => other,
    };
    let script = then(found(asked), walk(["192.0.2.7:7471", "192.0.2.8:7471"]));
    let named = |address| Whole { dst_canonname: Some(NAME.into()), ..to(ip(address)) };
    let request = Request::new("storage-7", "7471", None).with_canonical_names(true);
    assert_eq!(run(request, &script), list([named("192.0.2.7:7471"), named("192.0.2.8:7471")]));

    let hints = Hints::new().passive();
    let named = |address| Whole { src_canonname: Some(NAME.into()), ..on(ip(address)) };
    let request = Request::new("storage-7", "7471", &hints).with_canonical_names(true);
    let expected = list([named("192.0.2.7:7471"), named("192.0.2.8:7471")]);
    assert_eq!(run(request, &[found(asked.passive())]), expected);
}

#[test]
fn canonical_name_is_absent_unless_asked_for() {
    let Line::Lookup(names, _, found) = Names::node("storage-7").found(["192.0.2.7:0"]) else {
        unreachable!()
    };
    let script = then(Line::Lookup(names, Some(NAME), found), walk(["192.0.2.7:7471"]));
    let expected = list([to(ip("192.0.2.7:7471"))]);
    assert_eq!(run(Request::new("storage-7", "7471", None), &script), expected);

    // The name service may have none; a literal and no node have none.
    let asked = Names { canonical_name: true, ..Names::node("storage-7") };
    let script = then(asked.found(["192.0.2.7:0"]), walk(["192.0.2.7:7471"]));
    assert_eq!(run(Request::new("storage-7", "7471", None).with_canonical_names(true), &script), expected);
    let literal = Request::new("192.0.2.7", "7471", None).with_canonical_names(true);
    assert_eq!(run(literal, &walk(["192.0.2.7:7471"])), expected);
    let service = Names::service("nfs").found(["0.0.0.0:2049"]);
    let script = then(service, walk(["[::1]:2049", "127.0.0.1:2049"]));
    let expected = list([to(ip("[::1]:2049")), to(ip("127.0.0.1:2049"))]);
    assert_eq!(run(Request::new(NONE, "nfs", None).with_canonical_names(true), &script), expected);
}
