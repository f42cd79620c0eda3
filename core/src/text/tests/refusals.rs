//! Why the strict grammar refuses a text, and where.

use super::cases;
use super::ipv6::{ALPHABET, SEEDS};
use super::{Random, node_error, service_error};
use crate::error::{Location, Reason};
use crate::text::Grammar::Strict;
use crate::text::{Node, ipv6, node, service};
use core::net::Ipv6Addr;
use std::format;
use std::string::String;
use std::vec::Vec;

#[test]
fn numbers_that_are_no_addresses() {
    for (text, reason, offset) in [
        ("127.1", Reason::ShortForm, 5),
        ("1.2.3", Reason::ShortForm, 5),
        ("1.2.65536", Reason::Octet, 4),
        ("0", Reason::SingleNumber, 0),
        ("192.0.2.", Reason::ShortForm, 7),
        ("0x7f.1", Reason::HexPart, 0),
        ("0x7f000001", Reason::HexPart, 0),
        ("1.2.3.0X1", Reason::HexPart, 6),
        ("foo.0xff", Reason::NotDecimal, 0),
        ("010.0.0.1", Reason::LeadingZero, 0),
        ("192.0.2.007", Reason::LeadingZero, 8),
        ("08.0.0.1", Reason::LeadingZero, 0),
        ("00", Reason::LeadingZero, 0),
        ("2130706433", Reason::SingleNumber, 0),
        ("1", Reason::SingleNumber, 0),
        ("1.", Reason::SingleNumber, 0),
        ("99999999999999999999999999", Reason::SingleNumber, 0),
        ("192.0.2.256", Reason::Octet, 8),
        ("256.0.2.1", Reason::Octet, 0),
        ("1.2.3.99999999999999999999999", Reason::Octet, 6),
        ("300.1", Reason::Octet, 0),
        ("1.2.3.4.5", Reason::TooManyParts, 7),
        ("1.2.3.4.999", Reason::TooManyParts, 7),
        ("192.0.2.1.", Reason::FinalDot, 9),
        ("foo.1", Reason::NotDecimal, 0),
        ("300a.2.3.4", Reason::Octet, 0),
        ("1a.2.3.4", Reason::NotDecimal, 1),
        ("1.255a.3.4", Reason::NotDecimal, 5),
        ("1..2.3", Reason::NotDecimal, 2),
        (".1", Reason::NotDecimal, 0),
        ("host.0x", Reason::Unspecified, 0),
    ] {
        let read = node(Strict, text.as_bytes());
        match reason {
            Reason::Unspecified => assert_eq!(read, Ok(Node::Name(text.as_bytes())), "{text}"),
            _ => assert_eq!(read, Err(node_error(reason, offset)), "{text}"),
        }
    }
}

#[test]
fn texts_that_are_no_host_names() {
    for (text, reason, offset) in [
        ("", Reason::Empty, 0),
        ("*", Reason::Wildcard, 0),
        ("192.0.2.1 ", Reason::WhiteSpace, 9),
        (" 192.0.2.1", Reason::WhiteSpace, 0),
        ("a\tb", Reason::WhiteSpace, 1),
        ("host\n", Reason::WhiteSpace, 4),
        ("host\u{1b}[0m", Reason::Control, 4),
        ("host\u{7f}", Reason::Control, 4),
        ("[host]", Reason::Brackets, 0),
        ("host]", Reason::Brackets, 4),
        ("192.0.2.1%lo", Reason::ZoneWithoutIpv6, 9),
        ("host%1", Reason::ZoneWithoutIpv6, 4),
        ("%", Reason::ZoneWithoutIpv6, 0),
    ] {
        assert_eq!(
            node(Strict, text.as_bytes()),
            Err(node_error(reason, offset)),
            "{}",
            text.escape_default()
        );
    }
    for long in ["a".repeat(256), "1".repeat(1000), ":".repeat(256), " ".repeat(256)] {
        assert_eq!(node(Strict, long.as_bytes()), Err(node_error(Reason::TooLong, 255)));
    }
    // Just short enough.
    let space_last = "a".repeat(254) + " ";
    assert_eq!(node(Strict, space_last.as_bytes()), Err(node_error(Reason::WhiteSpace, 254)));
}

#[test]
fn texts_that_are_no_ipv6_addresses() {
    for (text, reason, offset) in [
        (":", Reason::LoneColon, 0),
        (":1::", Reason::LoneColon, 0),
        ("1:", Reason::LoneColon, 1),
        ("1::2:", Reason::LoneColon, 4),
        (":%lo", Reason::LoneColon, 0),
        ("1:2:3:4:5:6:7:::", Reason::SecondGap, 15),
        ("1:2:3:4:5:6:7.8.9.300", Reason::Octet, 18),
        (":::", Reason::SecondGap, 2),
        ("1:::2", Reason::SecondGap, 3),
        ("1::2::3", Reason::SecondGap, 5),
        ("12345::1", Reason::LongGroup, 4),
        ("1:00000", Reason::LongGroup, 6),
        ("1:2:3:4:5:6:7", Reason::TooFewGroups, 13),
        ("1:2:3:4:5:6:7%lo", Reason::TooFewGroups, 13),
        ("1:1.2.3.4", Reason::TooFewGroups, 3),
        ("1:2:3:4:5:6:7:8:9", Reason::TooManyGroups, 15),
        ("1:2:3:4:5:6:7:8::", Reason::TooManyGroups, 15),
        ("1:2:3:4::5:6:7:8", Reason::TooManyGroups, 14),
        ("1:2:3:4:5:6:7::8", Reason::TooManyGroups, 15),
        ("1:2:3:4:5:6:7:8:", Reason::TooManyGroups, 15),
        ("1:2:3:4:5:6:7:1.2.3.4", Reason::TooManyGroups, 15),
        ("1:2:3:4:5:6::1.2.3.4", Reason::TooManyGroups, 14),
        ("g::1", Reason::NotIpv6, 0),
        ("::g", Reason::NotIpv6, 2),
        ("storage-7:7471", Reason::NotIpv6, 0),
        ("1::.2", Reason::NotIpv6, 3),
        ("[::1]", Reason::Brackets, 0),
        ("::1]", Reason::Brackets, 3),
        (" ::1", Reason::WhiteSpace, 0),
        ("::1 ", Reason::WhiteSpace, 3),
        ("::1\u{8}", Reason::Control, 3),
        ("::1.2.3", Reason::ShortForm, 7),
        ("::1.2.3.4.5", Reason::TooManyParts, 9),
        ("::1.2.3.4.", Reason::FinalDot, 9),
        ("::1.2.3.256", Reason::Octet, 8),
        ("::ffff:010.0.0.1", Reason::LeadingZero, 7),
        ("::ffff:1.2.3.a", Reason::NotDecimal, 13),
        ("192.0.2.1:7471", Reason::NotIpv6, 3),
        ("::1/64", Reason::NotIpv6, 3),
    ] {
        assert_eq!(
            node(Strict, text.as_bytes()),
            Err(node_error(reason, offset)),
            "{}",
            text.escape_default()
        );
    }
}

#[test]
fn zones() {
    let long = format!("fe80::1%{}", "x".repeat(128));
    for (text, reason, offset) in [
        ("fe80::1%", Reason::ZoneEmpty, 8),
        ("fe80::1%0", Reason::ZoneIndex, 8),
        ("fe80::1%01", Reason::ZoneIndex, 8),
        ("fe80::1%4294967296", Reason::ZoneIndex, 8),
        ("fe80::1%99999999999999999999999", Reason::ZoneIndex, 8),
        (&long, Reason::ZoneTooLong, 135),
        ("fe80::1%%lo", Reason::ZoneName, 8),
        ("fe80::1%a/b", Reason::ZoneName, 9),
        ("fe80::1%lo:1", Reason::ZoneName, 10),
        ("fe80::1%lo ", Reason::WhiteSpace, 10),
        ("2001:db8::1%lo", Reason::ZoneNotLinkLocal, 12),
        ("2001:db8::1%7", Reason::ZoneNotLinkLocal, 12),
        ("::1%", Reason::ZoneNotLinkLocal, 4),
        ("::ffff:1.2.3.4%lo", Reason::ZoneNotLinkLocal, 15),
        ("ff01::1%lo", Reason::ZoneNotLinkLocal, 8),
        ("fec0::1%lo", Reason::ZoneNotLinkLocal, 8),
    ] {
        assert_eq!(node(Strict, text.as_bytes()), Err(node_error(reason, offset)), "{text}");
    }
}

#[test]
fn services() {
    for (text, reason, offset) in [
        ("", Reason::Empty, 0),
        ("65536", Reason::PortRange, 0),
        ("70000", Reason::PortRange, 0),
        ("99999999999999999999", Reason::PortRange, 0),
        ("080", Reason::LeadingZero, 0),
        ("00", Reason::LeadingZero, 0),
        ("+80", Reason::Sign, 0),
        ("-1", Reason::Sign, 0),
        (" 80", Reason::WhiteSpace, 0),
        ("80 ", Reason::WhiteSpace, 2),
        ("80\u{1}", Reason::Control, 2),
        ("8.0", Reason::NoPort, 1),
        ("8-", Reason::NoPort, 1),
        ("*", Reason::NoPort, 0),
        ("\u{e4}", Reason::NoPort, 0),
        ("\u{661}", Reason::NoPort, 0),
    ] {
        assert_eq!(
            service(Strict, text.as_bytes()),
            Err(service_error(reason, offset)),
            "{}",
            text.escape_default()
        );
    }
    let long = "a".repeat(256);
    assert_eq!(service(Strict, long.as_bytes()), Err(service_error(Reason::TooLong, 255)));
}

/// Whether an IPv6 address starts so.
fn is_viable(start: &str, ends: &[String]) -> bool {
    ends.iter().any(|end| format!("{start}{end}").parse::<Ipv6Addr>().is_ok())
}

/// Up to the offset the text is the start of an address. With the byte there it is not, but for a lone colon and for
/// a dotted tail, which are reported where they start.
#[test]
fn offsets_are_where_no_address_is_left() {
    let mut ends: Vec<String> =
        ["", ".0.0.0", ".0.0", ".0", "0.0.0", "0.0", "0.0.0.0"].map(String::from).to_vec();
    for count in 0..8 {
        let groups = ":0".repeat(count);
        ends.extend([
            groups.clone(),
            format!("0{groups}"),
            format!(":{groups}"),
            format!(":0{groups}"),
            format!("{groups}::"),
        ]);
    }
    let mut random = Random(10);
    let mut seen = 0;
    for _ in 0..cases(20_000) {
        let text = String::from_utf8(random.mutation(SEEDS, ALPHABET)).unwrap();
        if !text.contains(':') || text.contains('%') || text.len() > 255 || ipv6(text.as_bytes()).is_some() {
            continue;
        }
        let error = node(Strict, text.as_bytes()).unwrap_err();
        let Location::Node(offset) = error.location() else { panic!("{text}: {error}") };
        assert!(is_viable(&text[..offset], &ends), "{text} {offset} {error}");
        let exact = matches!(
            error.reason(),
            Reason::NotIpv6
                | Reason::LongGroup
                | Reason::SecondGap
                | Reason::TooManyGroups
                | Reason::NotDecimal
        );
        let dotted = text[offset..].contains('.') || text[..offset].contains('.');
        if exact && !dotted {
            assert!(!is_viable(&text[..=offset], &ends), "{text} {offset} {error}");
        }
        if error.reason() == Reason::TooFewGroups {
            assert!(offset == text.len() || text.as_bytes()[offset] == b'.', "{text} {offset}");
        }
        seen += 1;
    }
    assert!(seen > 5_000, "{seen} refused: the generator is of no use");
}

/// The hot pass and the cold one agree on what is refused: no refusal is without a reason, whatever the bytes.
#[test]
fn every_refusal_has_a_reason_and_a_place() {
    let mut random = Random(11);
    let alphabet: Vec<u8> = (0..=u8::MAX).collect();
    let seeds = ["192.0.2.7", "fe80::1%ib0", "fe80::1%7", "storage-7", "0x7f.1", "::1", "80", "*", ""];
    for _ in 0..cases(200_000) {
        let text = random.mutation(&seeds, &alphabet);
        for (error, in_node) in [(node(Strict, &text).err(), true), (service(Strict, &text).err(), false)] {
            let Some(error) = error else { continue };
            assert_ne!(error.reason(), Reason::Unspecified, "{}", text.escape_ascii());
            match error.location() {
                Location::Node(offset) if in_node => assert!(offset <= text.len(), "{}", text.escape_ascii()),
                Location::Service(offset) if !in_node => assert!(offset <= text.len()),
                other => panic!("{}: {other:?}", text.escape_ascii()),
            }
        }
    }
}
