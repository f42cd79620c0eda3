//! The grammar of glibc, with the values that it was measured to answer.

use super::cases;
use super::{Random, node_error};
use crate::error::{Error, ErrorKind, Location, Reason};
use crate::text::Grammar::{Glibc, Strict};
use crate::text::{Node, Service, Zone, node, service};
use std::format;

const LINK_LOCAL: u128 = 0xfe80 << 112 | 1;

#[test]
fn ipv4_forms() {
    for (text, address) in [
        ("192.0.2.1", 0xc000_0201),
        ("0.0.0.0", 0),
        ("255.255.255.255", 0xffff_ffff),
        ("127.0.0.1", 0x7f00_0001),
        ("1", 0x0000_0001),
        ("127.1", 0x7f00_0001),
        ("1.2.3", 0x0102_0003),
        ("192.0.2", 0xc000_0002),
        ("010.0.0.1", 0x0800_0001),
        ("0x7f.0.0.1", 0x7f00_0001),
        ("0x7f000001", 0x7f00_0001),
        ("2130706433", 0x7f00_0001),
        ("0xffffffff", 0xffff_ffff),
        ("1.2.65535", 0x0102_ffff),
        ("1.16777215", 0x01ff_ffff),
    ] {
        assert_eq!(node(Glibc, text.as_bytes()), Ok(Node::Ipv4(address)), "{text}");
    }
}

#[test]
fn ipv6_forms() {
    for (text, address) in [
        ("::", 0),
        ("::1", 1),
        ("2001:db8::1", 0x2001_0db8 << 96 | 1),
        ("2001:DB8::A", 0x2001_0db8 << 96 | 0xa),
        ("2001:db8:0:0:0:0:0:1", 0x2001_0db8 << 96 | 1),
        ("1:2:3:4:5:6:7:8", 0x0001_0002_0003_0004_0005_0006_0007_0008),
        ("::ffff:192.0.2.1", 0xffff_c000_0201),
        ("::192.0.2.1", 0xc000_0201),
        ("64:ff9b::192.0.2.33", 0x0064_ff9b << 96 | 0xc000_0221),
        ("fe80::1", LINK_LOCAL),
        ("::2:3:4:5:6:7:8", 0x0000_0002_0003_0004_0005_0006_0007_0008),
        ("0:0:0:0:0:ffff:c000:201", 0xffff_c000_0201),
        ("1:2:3:4:5:6:1.2.3.4", 0x0001_0002_0003_0004_0005_0006_0102_0304),
    ] {
        for grammar in [Glibc, Strict] {
            let expected = Ok(Node::Ipv6 { address, zone: Zone::None });
            assert_eq!(node(grammar, text.as_bytes()), expected, "{text}");
        }
    }
}

#[test]
fn what_is_no_literal_is_a_name() {
    for text in [
        "192.0.2.1.",
        "192.0.2.1 ",
        " 192.0.2.1",
        "192.0.2.256",
        "4294967296",
        "1.2.3.4.5",
        "1:2:3:4:5:6:7",
        "1::2::3",
        "[::1]",
        "[2001:db8::1]",
        "12345::1",
        "g::1",
        "::1.2.3",
        "no-such-host.invalid",
        "*",
        "1.2.3.4%lo",
        "0x100000000",
        "08.0.0.1",
        "1.2.65536",
        "::ffff:010.0.0.1",
        ":1::",
        "1:",
        "1:::2",
        "%lo",
        "0x",
        "a b",
        "\u{e4}",
    ] {
        assert_eq!(node(Glibc, text.as_bytes()), Ok(Node::Name(text.as_bytes())), "{text}");
    }
    let long = [b'a'; 300];
    assert_eq!(node(Glibc, &long), Ok(Node::Name(&long)));
}

#[test]
fn zones() {
    let multicast = 0xff02 << 112 | 1;
    let global = 0x2001_0db8 << 96 | 1;
    for (text, address, zone) in [
        ("fe80::1%lo", LINK_LOCAL, Zone::Name(b"lo")),
        ("fe80:0:0:0:0:0:0:1%lo", LINK_LOCAL, Zone::Name(b"lo")),
        ("fe80::1%1", LINK_LOCAL, Zone::Index(1)),
        ("fe80::1%7", LINK_LOCAL, Zone::Index(7)),
        ("fe80::1%0", LINK_LOCAL, Zone::Index(0)),
        ("fe80::1%00001", LINK_LOCAL, Zone::Index(1)),
        ("fe80::1%4294967295", LINK_LOCAL, Zone::Index(u32::MAX)),
        ("fe80::1%4294967296", LINK_LOCAL, Zone::Invalid(8)),
        ("fe80::1%99999999999999999999999", LINK_LOCAL, Zone::Invalid(8)),
        ("fe80::1%000000000000000000000000000000000000009", LINK_LOCAL, Zone::Index(9)),
        ("fe80::1%nosuchif0", LINK_LOCAL, Zone::Name(b"nosuchif0")),
        ("fe80::1%123456789abcdef", LINK_LOCAL, Zone::Name(b"123456789abcdef")),
        ("fe80::1%123456789abcdef0", LINK_LOCAL, Zone::Invalid(8)),
        ("fe80::1%", LINK_LOCAL, Zone::Invalid(8)),
        ("fe80::1%%lo", LINK_LOCAL, Zone::Name(b"%lo")),
        ("fe80::1%lo ", LINK_LOCAL, Zone::Name(b"lo ")),
        ("fe80::1%+1", LINK_LOCAL, Zone::Name(b"+1")),
        ("febf::%lo", 0xfebf << 112, Zone::Name(b"lo")),
        ("fec0::%lo", 0xfec0 << 112, Zone::Invalid(7)),
        ("ff02::1%lo", multicast, Zone::Name(b"lo")),
        ("ff12::%lo", 0xff12 << 112, Zone::Name(b"lo")),
        ("ff01::%lo", 0xff01 << 112, Zone::Name(b"lo")),
        ("ff71::%lo", 0xff71 << 112, Zone::Name(b"lo")),
        ("ff03::%lo", 0xff03 << 112, Zone::Invalid(7)),
        ("fe01::%lo", 0xfe01 << 112, Zone::Invalid(7)),
        ("2001:db8::1%lo", global, Zone::Invalid(12)),
        ("2001:db8::1%7", global, Zone::Index(7)),
        ("::ffff:1.2.3.4%lo", 0xffff_0102_0304, Zone::Invalid(15)),
        ("::ffff:1.2.3.4%3", 0xffff_0102_0304, Zone::Index(3)),
    ] {
        assert_eq!(node(Glibc, text.as_bytes()), Ok(Node::Ipv6 { address, zone }), "{text}");
    }
}

#[test]
fn refused_nodes() {
    assert_eq!(node(Glibc, b""), Err(node_error(Reason::Empty, 0)));
    for (text, offset) in [
        (&b"\0"[..], 0),
        (b"127.1\0", 5),
        (b"::1\0", 3),
        (b"fe80::1%lo\0", 10),
        (b"2001:db8::1%\0", 12),
        (b"a\0b\0", 1),
    ] {
        let expected = Error::new(ErrorKind::Invalid).because(Reason::Nul).at(Location::Node(offset));
        assert_eq!(node(Glibc, text), Err(expected), "{}", text.escape_ascii());
        assert_eq!(node(Strict, text), Err(expected), "{}", text.escape_ascii());
    }
}

#[test]
fn service_forms() {
    for (text, port) in [
        ("0", 0),
        ("1", 1),
        ("80", 80),
        ("7471", 7471),
        ("65535", 65535),
        ("65536", 0),
        ("70000", 4464),
        ("4294967296", 0),
        ("4294967376", 80),
        ("+80", 80),
        (" 80", 80),
        (" \t\n\x0b\x0c\r+080", 80),
        ("", 0),
        ("20049", 20049),
        ("0000065535", 65535),
        ("+0", 0),
        ("-0", 0),
        ("-4294967295", 1),
        ("-4294967216", 80),
        ("-18446744073709551615", 1),
        ("2147483647", 65535),
        ("18446744069414584400", 80),
        ("00000000000000000000000000000000000000007471", 7471),
    ] {
        assert_eq!(service(Glibc, text.as_bytes()), Ok(Service::Port(port)), "{}", text.escape_default());
    }
}

#[test]
fn services_that_are_names() {
    for text in [
        "-1",
        "80 ",
        "nosuchservice",
        "0x50",
        "99999999999999999999",
        "2147483648",
        "4294967295",
        "18446744073709551615",
        "18446744073709551616",
        "-18446744073709551616",
        "-99999999999999999999",
        "-2147483648",
        "+",
        "-",
        " ",
        "+-1",
        "- 1",
        "+ 80",
        "--1",
        "80a",
        "8 0",
        "*",
        "1.0",
        "\u{a0}80",
        "\u{1c}80",
    ] {
        assert_eq!(
            service(Glibc, text.as_bytes()),
            Ok(Service::Name(text.as_bytes())),
            "{}",
            text.escape_default()
        );
    }
    for (text, offset) in [(&b"\0"[..], 0), (b"80\0", 2), (b"http\0", 4)] {
        let expected = Error::new(ErrorKind::Invalid).because(Reason::Nul).at(Location::Service(offset));
        assert_eq!(service(Glibc, text), Err(expected));
        assert_eq!(service(Strict, text), Err(expected));
    }
}

/// The C rules in C's own order, in wider arithmetic.
#[test]
fn services_are_what_strtoul_makes_of_them() {
    let mut random = Random(7);
    for _ in 0..cases(100_000) {
        let value = (random.u128() >> 63) >> random.below(66);
        let negative = random.below(2) == 1;
        let text = format!("{}{value}", if negative { "-" } else { "" });
        let long = match u64::try_from(value) {
            Ok(value) if negative => value.wrapping_neg(),
            Ok(value) => value,
            Err(_) => u64::MAX,
        };
        let expected = match long as i32 {
            i32::MIN..0 => Service::Name(text.as_bytes()),
            _ => Service::Port(long as u16),
        };
        assert_eq!(service(Glibc, text.as_bytes()), Ok(expected), "{text}");
    }
}
