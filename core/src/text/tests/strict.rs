//! The strict grammar: what is taken, and as what.

use super::{Random, ipv6};
use super::{cases, step};
use crate::text::Grammar::{Glibc, Strict};
use crate::text::{Node, Service, Zone, node, service};
use core::net::{Ipv4Addr, Ipv6Addr};
use std::format;
use std::string::String;

const LINK_LOCAL: u128 = 0xfe80 << 112 | 1;

#[test]
fn zones() {
    for (text, address, zone) in [
        ("fe80::1%lo", LINK_LOCAL, Zone::Name(b"lo")),
        ("fe80:0:0:0:0:0:0:1%lo", LINK_LOCAL, Zone::Name(b"lo")),
        ("fe80::1%1", LINK_LOCAL, Zone::Index(1)),
        ("fe80::1%4294967295", LINK_LOCAL, Zone::Index(u32::MAX)),
        ("fe80::1%123456789abcdef", LINK_LOCAL, Zone::Name(b"123456789abcdef")),
        ("fe80::1%1a", LINK_LOCAL, Zone::Name(b"1a")),
        ("fe80::1%0a", LINK_LOCAL, Zone::Name(b"0a")),
        ("fe80::1%ib0.8001", LINK_LOCAL, Zone::Name(b"ib0.8001")),
        ("febf:ffff::1%ib0", 0xfebf_ffff << 96 | 1, Zone::Name(b"ib0")),
        ("ff02::1%lo", 0xff02 << 112 | 1, Zone::Name(b"lo")),
        ("ff32::1%3", 0xff32 << 112 | 1, Zone::Index(3)),
        ("fe80::1.2.3.4%3", 0xfe80 << 112 | 0x0102_0304, Zone::Index(3)),
    ] {
        assert_eq!(node(Strict, text.as_bytes()), Ok(Node::Ipv6 { address, zone }), "{text}");
    }
}

#[test]
fn zones_are_for_link_local_addresses_only() {
    for high in (0..=u16::MAX).step_by(step()) {
        let text = format!("{high:x}::1%ib0");
        let takes_one = (0xfe80..=0xfebf).contains(&high) || (high >= 0xff00 && high & 0xf == 2);
        assert_eq!(node(Strict, text.as_bytes()).is_ok(), takes_one, "{text}");
        // glibc takes one on interface-local multicast, too.
        let glibc_takes_one = takes_one || (high >= 0xff00 && high & 0xf == 1);
        let zone = if glibc_takes_one { Zone::Name(b"ib0") } else { Zone::Invalid(text.len() - 3) };
        let address = u128::from(high) << 112 | 1;
        assert_eq!(node(Glibc, text.as_bytes()), Ok(Node::Ipv6 { address, zone }), "{text}");
    }
}

#[test]
fn host_names() {
    let longest = "a".repeat(255);
    for text in [
        "storage-7",
        "localhost",
        "a",
        "no-such-host.invalid",
        "host.",
        "1a",
        "0x7g",
        "0x",
        "0x.",
        "7.example",
        "1.2.3.a",
        "_x",
        "-",
        "a..",
        "1..",
        ".",
        "..",
        "**",
        "a*",
        "a/b",
        "host@name",
        "m\u{fc}nchen.example",
        "1.2.3.4.x",
        "1e2",
        "x1",
        "192.0.2.1-",
        "ff",
        "fe80",
        "dead.beef",
        "+1",
        "-1",
        longest.as_str(),
    ] {
        assert_eq!(node(Strict, text.as_bytes()), Ok(Node::Name(text.as_bytes())), "{text}");
    }
    assert_eq!(node(Strict, b"\xff\xfe"), Ok(Node::Name(b"\xff\xfe")));
}

#[test]
fn literals_agree_with_core_net() {
    let mut random = Random(8);
    let seeds = ["192.0.2.7", "::ffff:192.0.2.1", "fe80::1", "1:2:3:4:5:6:7:8", "::", "storage-7.example"];
    for _ in 0..cases(50_000) {
        let text = random.mutation(&seeds, b"0123456789abcdef:.-");
        let text = String::from_utf8(text).unwrap();
        let ipv4 = text.parse::<Ipv4Addr>().map(|address| Node::Ipv4(address.into()));
        let ipv6 =
            text.parse::<Ipv6Addr>().map(|address| Node::Ipv6 { address: address.into(), zone: Zone::None });
        let read = node(Strict, text.as_bytes());
        match ipv4.or(ipv6) {
            Ok(literal) => assert_eq!(read, Ok(literal), "{text}"),
            Err(_) => assert!(matches!(read, Err(_) | Ok(Node::Name(_))), "{text}: {read:?}"),
        }
    }
}

/// A literal of the strict grammar means the same in glibc's, and a name is a name.
#[test]
fn strict_is_part_of_glibc() {
    let mut random = Random(9);
    for _ in 0..cases(100_000) {
        let text = random.mutation(ipv6::SEEDS, b"0123456789abcdefx.:%%");
        if let Ok(read) = node(Strict, &text) {
            assert_eq!(node(Glibc, &text), Ok(read), "{}", text.escape_ascii());
        }
        if let Ok(read) = service(Strict, &text) {
            assert_eq!(service(Glibc, &text), Ok(read), "{}", text.escape_ascii());
        }
    }
}

#[test]
fn services() {
    for value in (0..=u16::MAX).step_by(step()) {
        assert_eq!(service(Strict, format!("{value}").as_bytes()), Ok(Service::Port(value)));
    }
    let longest = "a".repeat(255);
    for text in ["nfsrdma", "a", "80a", "0x50", "1e2", " a", "x-1", "-a", "\u{e4}a", longest.as_str()] {
        assert_eq!(service(Strict, text.as_bytes()), Ok(Service::Name(text.as_bytes())), "{text}");
    }
}
