//! What the C library answers, read byte for byte. Nothing here needs a network.

use super::super::{Answer, Query, lookup, lookup_by};
use super::{Address, QUEUE, found, query, within};
use rdma_addrinfo_core::{ErrorKind, Found, Protocol};
use std::ffi::CStr;
use std::ffi::CString;
use std::net::{Ipv4Addr, Ipv6Addr, SocketAddr, SocketAddrV6, ToSocketAddrs};

const LOOPBACK4: Address = Address::V4(0x7f00_0001);

fn tcp(query: Query<&CStr>) -> Query<&CStr> {
    Query { protocol: Protocol::Tcp, ..query }
}

#[track_caller]
fn addresses(query: &Query<&CStr>) -> Vec<Found> {
    let answer = lookup(query).unwrap();
    assert_eq!(answer.canonical_name(), None);
    answer.addresses().collect()
}

#[test]
fn a_literal_comes_once_for_the_protocol_asked_for() {
    let address = Address::V4(0xc000_0207);
    let query = query(c"192.0.2.7", c"7471");
    assert_eq!(addresses(&tcp(query)), [found(address, 7471, Protocol::Tcp)]);
    let udp = Query { protocol: Protocol::Udp, ..query };
    assert_eq!(addresses(&udp), [found(address, 7471, Protocol::Udp)]);
}

#[test]
#[cfg(target_env = "gnu")]
fn without_a_protocol_it_comes_once_for_each() {
    let address = Address::V4(0xc000_0207);
    let raw = found(address, 7471, Protocol::Any);
    assert_eq!(
        addresses(&query(c"192.0.2.7", c"7471")),
        [found(address, 7471, Protocol::Tcp), found(address, 7471, Protocol::Udp), raw]
    );
}

#[test]
fn every_byte_of_a_literal_arrives() {
    let mut seed = 0x9e37_79b9_7f4a_7c15_u64;
    let mut next = || {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        seed
    };
    for _ in 0..500 {
        let (v4, high, low, port) = (next() as u32, next() | 1 << 63, next(), next() as u16);
        let v6 = u128::from(high) << 64 | u128::from(low);
        let service = CString::new(port.to_string()).unwrap();

        let node = CString::new(Ipv4Addr::from(v4).to_string()).unwrap();
        assert_eq!(addresses(&tcp(query(&node, &service))), [found(Address::V4(v4), port, Protocol::Tcp)]);

        let node = CString::new(Ipv6Addr::from(v6).to_string()).unwrap();
        assert_eq!(addresses(&tcp(query(&node, &service))), [found(Address::V6(v6), port, Protocol::Tcp)]);
    }
}

#[test]
fn a_zone_arrives_as_scope() {
    let node = 0xfe80_0000_0000_0000_0000_0000_0000_0001;
    let address = SocketAddrV6::new(Ipv6Addr::from_bits(node), 1, 0, 77).into();
    let expected = Found { address, protocol: Protocol::Tcp };
    assert_eq!(addresses(&tcp(query(c"fe80::1%77", c"1"))), [expected]);
}

#[test]
fn without_a_node_the_addresses_are_loopback_or_wildcard() {
    let active = tcp(Query { node: None, ..query(c"", c"7471") });
    let active = Query { family: libc::AF_INET, ..active };
    assert_eq!(addresses(&active), [found(LOOPBACK4, 7471, Protocol::Tcp)]);

    let passive = Query { passive: true, ..active };
    assert_eq!(addresses(&passive), [found(Address::V4(0), 7471, Protocol::Tcp)]);
    let passive = Query { family: libc::AF_INET6, ..passive };
    assert_eq!(addresses(&passive), [found(Address::V6(0), 7471, Protocol::Tcp)]);

    let both = addresses(&Query { family: 0, ..passive });
    let (v4, v6) = (found(Address::V4(0), 7471, Protocol::Tcp), found(Address::V6(0), 7471, Protocol::Tcp));
    assert!(both == [v4, v6] || both == [v6, v4], "{both:?}");
}

#[test]
fn without_a_service_the_port_is_zero() {
    let query = tcp(Query { service: None, ..query(c"192.0.2.7", c"") });
    assert_eq!(addresses(&query), [found(Address::V4(0xc000_0207), 0, Protocol::Tcp)]);
}

#[test]
fn a_name_has_all_its_addresses_in_order() {
    // std asks the same library, by a walk of its own.
    let expected: Vec<SocketAddr> = ("localhost", 7471).to_socket_addrs().unwrap().collect();
    let answer: Vec<SocketAddr> = addresses(&tcp(query(c"localhost", c"7471")))
        .into_iter()
        .map(|found| {
            assert_eq!(found.protocol, Protocol::Tcp);
            found.address
        })
        .collect();
    assert_eq!(answer, expected);
    assert!(answer.contains(&([127, 0, 0, 1], 7471).into()));
}

#[test]
fn the_canonical_name_comes_when_asked_for() {
    let query = tcp(query(c"192.0.2.7", c"7471"));
    let expected = vec![found(Address::V4(0xc000_0207), 7471, Protocol::Tcp)];
    assert_eq!(
        lookup(&Query { canonical: true, ..query }).unwrap(),
        Answer::told(expected, Some(c"192.0.2.7"))
    );
    // Without a node there is nothing to name, and no error.
    let nameless = Query { node: None, canonical: true, family: libc::AF_INET, ..query };
    assert_eq!(addresses(&nameless), [found(LOOPBACK4, 7471, Protocol::Tcp)]);
}

#[test]
fn failures_keep_their_kind() {
    #[track_caller]
    fn fails(query: &Query<&CStr>, kind: ErrorKind) {
        let error = lookup(query).unwrap_err();
        assert_eq!((error.kind(), error.errno()), (kind, None));
        assert_eq!(lookup_by(query, within(10_000), QUEUE), Err(error));
    }
    let query = tcp(query(c"192.0.2.7", c"7471"));
    fails(&Query { node: None, service: None, ..query }, ErrorKind::NoName);
    fails(&Query { service: Some(c"no-such-service"), ..query }, ErrorKind::Service);
    fails(&Query { family: 99, ..query }, ErrorKind::Family);
    #[cfg(target_env = "gnu")]
    fails(&Query { family: libc::AF_INET6, ..query }, ErrorKind::AddrFamily);
}

#[test]
fn a_worker_answers_the_same() {
    let base = query(c"localhost", c"7471");
    for query in [
        base,
        tcp(base),
        Query { family: libc::AF_INET, canonical: true, ..base },
        Query { node: None, passive: true, ..base },
        Query { service: None, ..base },
        query(c"fe80::1%3", c"65535"),
    ] {
        assert_eq!(lookup_by(&query, within(10_000), QUEUE).unwrap(), lookup(&query).unwrap(), "{query:?}");
    }
}
