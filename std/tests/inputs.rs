//! What nodes, services and destinations may be given as: each compiles, and all mean the same.

use rdma_addrinfo::{Library, Request, Resolver, Results, Text, resolve_literal};
use std::ffi::{CStr, CString};
use std::net::SocketAddr;

const EXPECTED: &str = "inet rc/tcp 127.0.0.1 -> 127.0.0.1:7471";

macro_rules! resolved {
    ($($node:expr, $service:expr;)+) => {
        [$(Resolver::new().resolve($node, $service, None).unwrap().first().unwrap().to_string()),+]
    };
}

#[test]
fn nodes_and_services_in_every_form() {
    let (node, service) = (String::from("127.0.0.1"), String::from("7471"));
    let (c_node, c_service) = (CString::new(&*node).unwrap(), CString::new(&*service).unwrap());
    let null_or_not: Option<&CStr> = Some(c"127.0.0.1");
    let found = resolved! {
        "127.0.0.1", "7471";
        &node, &service;
        &*node, &*service;
        Some("127.0.0.1"), Some("7471");
        node.as_str(), Some(&*service);
        c"127.0.0.1", c"7471";
        &c_node, &c_service;
        c_node.as_c_str(), c_service.as_c_str();
        Text::from_c_str(null_or_not), Text::from_c_str(Some(c"7471"));
        Text::from_bytes(b"127.0.0.1"), Text::from_bytes(b"7471");
        "127.0.0.1", 7471;
        &node, 7471_u16;
    };
    for line in found {
        assert_eq!(line, EXPECTED);
    }
}

#[test]
fn neither_is_needed() {
    let line = |found: rdma_addrinfo::Resolved| found.first().unwrap().to_string();
    let passive = rdma_addrinfo::Hints::new().passive();
    assert_eq!(
        line(Resolver::new().resolve("127.0.0.1", None, None).unwrap()),
        "inet rc/tcp 127.0.0.1 -> 127.0.0.1"
    );
    assert_eq!(
        line(Resolver::new().resolve(None, 7471, &passive).unwrap()),
        "inet6 rc/tcp [::]:7471 -> * passive"
    );
    let null: Option<&CStr> = None;
    let found = Resolver::new().resolve("127.0.0.1", Text::from_c_str(null), None).unwrap();
    assert_eq!(line(found), "inet rc/tcp 127.0.0.1 -> 127.0.0.1");
}

#[test]
fn every_port_by_number_is_the_port_by_text() {
    for port in [0, 1, 9, 10, 7471, 65535] {
        let line = |results: &Results<1>| results.list().first().unwrap().to_string();
        let (mut number, mut text) = (Results::<1>::new(), Results::<1>::new());
        resolve_literal("192.0.2.7", port, None, &mut number).unwrap();
        resolve_literal("192.0.2.7", &port.to_string(), None, &mut text).unwrap();
        assert_eq!(line(&number), line(&text));
    }
    let request = Request::new("storage-7", 7471, None);
    assert_eq!((request.service().port(), request.service().text()), (Some(7471), Text::NONE));
    let error = Resolver::new().resolve("192.0.2.256", 7471, None).unwrap_err();
    assert_eq!(error.service().as_deref(), Some("7471"));
}

#[test]
fn a_socket_address_is_a_destination_or_an_address_to_listen_at() {
    let resolver = Resolver::new();
    for (address, node) in [("127.0.0.1:7471", "127.0.0.1"), ("[::1]:7471", "::1")] {
        let address: SocketAddr = address.parse().unwrap();
        let line = |found: rdma_addrinfo::Resolved| format!("{found:?}");
        assert_eq!(
            line(resolver.resolve_addr(address, None).unwrap()),
            line(resolver.resolve(node, 7471, None).unwrap())
        );
        let passive = rdma_addrinfo::Hints::new().passive();
        assert_eq!(
            line(resolver.resolve_addr(address, &passive).unwrap()),
            line(resolver.resolve(node, 7471, &passive).unwrap())
        );
    }
}

#[test]
fn the_library_takes_the_same() {
    let Ok(library) = Library::load() else { return };
    let service = String::from("7471");
    let outcome = |found: Result<rdma_addrinfo::LibraryList, rdma_addrinfo::Error>| {
        found.map(|list| format!("{list:?}")).map_err(|error| error.to_string())
    };
    let expected = outcome(library.getaddrinfo("127.0.0.1", "7471", None));
    assert_eq!(outcome(library.getaddrinfo("127.0.0.1", 7471, None)), expected);
    assert_eq!(outcome(library.getaddrinfo(c"127.0.0.1", &service, None)), expected);
}
