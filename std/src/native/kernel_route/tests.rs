//! Answers of the kernel, and what is none.

use super::*;
use crate::common::random::Random;
use std::net::{Ipv4Addr, Ipv6Addr};

/// An attribute, padded.
fn attribute(kind: u16, value: &[u8]) -> Vec<u8> {
    let length = u16::try_from(value.len() + 4).unwrap();
    let mut bytes = [&length.to_ne_bytes()[..], &kind.to_ne_bytes(), value].concat();
    bytes.resize(bytes.len().next_multiple_of(4), 0);
    bytes
}

/// `rtmsg` of this family and type, and attributes.
fn answer(family: u8, kind: u8, attributes: &[Vec<u8>]) -> Vec<u8> {
    let header = [family, 32, 0, 0, 254, 0, 0, kind, 0, 0, 0, 0];
    [&header[..], &attributes.concat()].concat()
}

fn v4() -> Vec<u8> {
    let mtu = attribute(2, &1400_u32.to_ne_bytes());
    answer(
        2,
        1,
        &[
            attribute(1, &[203, 0, 113, 7]),
            attribute(4, &3_u32.to_ne_bytes()),
            attribute(7, &[192, 0, 2, 1]),
            attribute(5, &[192, 0, 2, 9]),
            attribute(15, &254_u32.to_ne_bytes()),
            attribute(8, &mtu),
        ],
    )
}

#[test]
fn an_answer_is_read() {
    let query = RouteQuery::new(Ipv4Addr::new(203, 0, 113, 7));
    let expected = KernelRoute {
        interface: 3,
        source: Some(Ipv4Addr::new(192, 0, 2, 1).into()),
        gateway: Some(Ipv4Addr::new(192, 0, 2, 9).into()),
        kind: RouteKind::Unicast,
        mtu: Some(1400),
        is_assumed: false,
    };
    assert_eq!(query.read(&v4()), Some(expected.clone()));
    // The source that was asked for stays.
    let from = query.with_source(Some(Ipv4Addr::new(192, 0, 2, 2).into()));
    assert_eq!(from.read(&v4()).unwrap().source, Some(Ipv4Addr::new(192, 0, 2, 2).into()));
    // A router of the other family, and a table of its own number.
    let v6: Ipv6Addr = "2001:db8::9".parse().unwrap();
    let via = [&10_u16.to_ne_bytes()[..], &v6.octets()].concat();
    let attributes =
        [attribute(4, &3_u32.to_ne_bytes()), attribute(18, &via), attribute(15, &0_u32.to_ne_bytes())];
    let route = query.with_interface(3).read(&answer(2, 1, &attributes)).unwrap();
    assert_eq!((route.gateway, route.is_assumed), (Some(v6.into()), true));
    // In no table, but without an interface: what needs none, such as 255.255.255.255.
    assert!(!query.read(&answer(2, 1, &attributes)).unwrap().is_assumed);
    assert_eq!(query.read(&answer(2, 77, &attributes)).unwrap().kind, RouteKind::Other(77));
}

#[test]
fn an_attribute_that_is_wrong_is_left_out_and_the_others_count() {
    let query = RouteQuery::new(Ipv4Addr::new(203, 0, 113, 7));
    let interface = attribute(4, &3_u32.to_ne_bytes());
    // A source of three bytes, and of IPv6; an MTU of two.
    for wrong in [attribute(7, &[192, 0, 2]), attribute(7, &[0; 15]), attribute(8, &attribute(2, &[1, 2]))] {
        let route = query.read(&answer(2, 1, &[wrong, interface.clone()])).unwrap();
        assert_eq!((route.interface, route.source, route.mtu), (3, None, None));
    }
    // Without an interface it is none.
    assert_eq!(query.read(&answer(2, 1, &[])), None);
    assert_eq!(query.read(&[]), None);
    assert_eq!(query.read(&[2; 11]), None);
    // What is behind a wrong length is not there.
    let mut cut = answer(2, 1, &[interface.clone(), attribute(7, &[192, 0, 2, 1])]);
    let length = interface.len() + 12;
    for wrong in [0_u16, 3, 9, u16::MAX] {
        cut[length..length + 2].copy_from_slice(&wrong.to_ne_bytes());
        let route = query.read(&cut).unwrap();
        assert_eq!((route.interface, route.source), (3, None), "{wrong}");
    }
}

#[test]
fn no_bytes_are_too_hostile() {
    let mut random = Random::new(0x6e6c);
    let queries = [
        RouteQuery::new(Ipv4Addr::LOCALHOST),
        RouteQuery::new(Ipv6Addr::LOCALHOST).with_interface(2).with_source(Some(Ipv6Addr::LOCALHOST.into())),
    ];
    let mut read = 0;
    for _ in 0..if cfg!(miri) { 200 } else { 100_000 } {
        let mut bytes = v4();
        for _ in 0..random.below(6) {
            let at = random.below(bytes.len());
            bytes[at] =
                if random.one_in(2) { random.byte() } else { random.pick(&[0, 1, 2, 3, 4, 5, 8, 255]) };
        }
        if random.one_in(4) {
            bytes.truncate(random.below(bytes.len() + 1));
        }
        if random.one_in(4) {
            let more = random.below(40);
            bytes.extend(random.bytes(more));
        }
        for query in &queries {
            if let Some(route) = query.read(&bytes) {
                assert_ne!(route.interface, 0);
                read += 1;
            }
        }
    }
    assert!(read > if cfg!(miri) { 50 } else { 50_000 }, "{read}");
}
