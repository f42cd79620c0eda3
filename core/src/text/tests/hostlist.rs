//! Lists of hosts: forms, faults and their places, and lists that are too long to be written.

use crate::error::{Error, ErrorKind, Location, Reason};
use crate::text::hostlist::{HostList, Hosts};
use std::format;
use std::string::{String, ToString};
use std::vec::Vec;

fn hosts(text: &str) -> Vec<String> {
    let list = HostList::parse(text.as_bytes()).unwrap_or_else(|error| panic!("{text}: {error}"));
    let hosts: Vec<String> = list.hosts().map(|host| host.to_string()).collect();
    assert_eq!(list.count(), Some(hosts.len() as u64), "{text}");
    hosts
}

#[test]
fn forms() {
    for (text, expected) in [
        ("a", "a"),
        ("a,b,a", "a b a"),
        ("n[1-3]", "n1 n2 n3"),
        ("n[3]", "n3"),
        ("[1-3]", "1 2 3"),
        ("n[1-2]-ib", "n1-ib n2-ib"),
        ("n[2,1,1-2]", "n2 n1 n1 n2"),
        // Padding is of a range, from its first number.
        ("n[01-03]", "n01 n02 n03"),
        ("n[08-11,9,009]", "n08 n09 n10 n11 n9 n009"),
        ("n[00-00]", "n00"),
        ("n[0-1]", "n0 n1"),
        ("n[09-101/46]", "n09 n55 n101"),
        ("n[9-11]", "n9 n10 n11"),
        // Steps.
        ("n[0-6/2]", "n0 n2 n4 n6"),
        ("n[0-7/2]", "n0 n2 n4 n6"),
        ("n[1-5/9]", "n1"),
        ("n[1-5/4]", "n1 n5"),
        ("n[1-2/01]", "n1 n2"),
        // Several brackets: the last change fastest.
        ("r[1-2]-n[01-02]", "r1-n01 r1-n02 r2-n01 r2-n02"),
        ("r[2,1][3-4]x,y", "r23x r24x r13x r14x y"),
        ("a[0-1]b[1,3-4]c[5]", "a0b1c5 a0b3c5 a0b4c5 a1b1c5 a1b3c5 a1b4c5"),
        ("n[18446744073709551614-18446744073709551615]", "n18446744073709551614 n18446744073709551615"),
        // Addresses are as good as names.
        ("192.0.2.[1-2],fe80::1%ib[0-1]", "192.0.2.1 192.0.2.2 fe80::1%ib0 fe80::1%ib1"),
        ("ä[1]", "ä1"),
    ] {
        assert_eq!(hosts(text).join(" "), expected, "{text}");
    }
    assert_eq!(HostList::MAX_BRACKETS, 8);
    let eight = hosts(&"[0-1]".repeat(8));
    let expected: Vec<String> = (0..256).map(|number| format!("{number:08b}")).collect();
    assert_eq!(eight, expected);
}

#[test]
fn faults() {
    for (text, reason, offset) in [
        ("", Reason::NoHost, 0),
        (",", Reason::NoHost, 0),
        ("a,", Reason::NoHost, 2),
        (",a", Reason::NoHost, 0),
        ("a,,b", Reason::NoHost, 2),
        ("n[1]\0", Reason::Nul, 4),
        ("a b", Reason::WhiteSpace, 1),
        ("a, b", Reason::WhiteSpace, 2),
        ("a\n", Reason::WhiteSpace, 1),
        ("a\x1b", Reason::Control, 1),
        ("a\x7f", Reason::Control, 1),
        ("n1]", Reason::StrayBracket, 2),
        ("n[1]]", Reason::StrayBracket, 4),
        ("n[1", Reason::OpenBracket, 3),
        ("n[", Reason::OpenBracket, 2),
        ("n[1-", Reason::OpenBracket, 4),
        ("n[1-2/", Reason::OpenBracket, 6),
        ("n[1,", Reason::OpenBracket, 4),
        ("n[]", Reason::NoNumber, 2),
        ("n[,1]", Reason::NoNumber, 2),
        ("n[1,]", Reason::NoNumber, 4),
        ("n[1-]", Reason::NoNumber, 4),
        ("n[1-2/]", Reason::NoNumber, 6),
        ("n[-1]", Reason::NotRange, 2),
        ("n[1--2]", Reason::NotRange, 4),
        ("n[1-2-3]", Reason::NotRange, 5),
        ("n[5/2]", Reason::NotRange, 3),
        ("n[1-5/2/2]", Reason::NotRange, 7),
        ("n[a-c]", Reason::NotRange, 2),
        ("n[0x1]", Reason::NotRange, 3),
        ("n[[1]]", Reason::NotRange, 2),
        ("n[ 1]", Reason::NotRange, 2),
        ("n[1\0]", Reason::NotRange, 3),
        ("n[+1]", Reason::NotRange, 2),
        ("[2001:db8::7]", Reason::NotRange, 5),
        ("n[18446744073709551616]", Reason::RangeNumber, 2),
        ("n[1-99999999999999999999999]", Reason::RangeNumber, 4),
        ("n[1-2/18446744073709551616]", Reason::RangeNumber, 6),
        ("n[5-3]", Reason::ReversedRange, 4),
        ("n[1,10-9]", Reason::ReversedRange, 7),
        ("n[1-3/0]", Reason::RangeStep, 6),
        ("n[1-3/00]", Reason::RangeStep, 6),
        ("n[001-03]", Reason::RangeWidth, 6),
        ("n[001-3]", Reason::RangeWidth, 6),
        ("n[1-010]", Reason::RangeWidth, 4),
        ("n[01-010]", Reason::RangeWidth, 5),
        ("n[0-00]", Reason::RangeWidth, 4),
        ("[1][1][1][1][1][1][1][1][1]", Reason::TooManyBrackets, 24),
        ("[1][1][1][1][1][1][1][1][x", Reason::TooManyBrackets, 24),
    ] {
        let error = Error::new(ErrorKind::Invalid).because(reason).at(Location::Text(offset));
        assert_eq!(HostList::parse(text.as_bytes()), Err(error), "{text:?}");
        // A fault is where it is, whatever stands before it.
        let behind = format!("r[1-2]-n[3],{text}");
        let error = error.at(Location::Text(offset + 12));
        assert_eq!(HostList::parse(behind.as_bytes()), Err(error), "{behind:?}");
    }
}

fn first(text: &str) -> (Option<u64>, String) {
    let list = HostList::parse(text.as_bytes()).unwrap();
    let mut hosts: Hosts<'_> = list.hosts();
    (list.count(), hosts.next().unwrap().to_string())
}

/// They are counted and begun without being written.
#[test]
fn more_hosts_than_fit_anywhere() {
    assert_eq!(first("n[0-4294967295]"), (Some(1 << 32), "n0".into()));
    assert_eq!(first("n[1-18446744073709551615]"), (Some(u64::MAX), "n1".into()));
    assert_eq!(first("n[0-18446744073709551615]"), (None, "n0".into()));
    assert_eq!(first("n[1-18446744073709551615],a"), (None, "n1".into()));
    assert_eq!(first("n[1-18446744073709551615,7]"), (None, "n1".into()));
    assert_eq!(first("n[1-4294967296][1-4294967296]"), (None, "n11".into()));
    assert_eq!(first("n[1-4294967296][1-4294967295]"), (Some((1 << 32) * ((1 << 32) - 1)), "n11".into()));
    assert_eq!(first(&"[0-18446744073709551615]".repeat(8)), (None, "0".repeat(8)));
}

/// Each host takes as long as its own text: this would not end in a day if it did not.
#[test]
fn long_brackets_are_read_once() {
    let count: usize = if cfg!(miri) { 30 } else { 30_000 };
    let numbers: Vec<String> = (0..count).map(|number| (number * 3).to_string()).collect();
    let text = format!("a[0-1]n[{}]", numbers.join(","));
    let mut hosts = HostList::parse(text.as_bytes()).unwrap().hosts();
    for rack in 0..2 {
        for number in &numbers {
            assert_eq!(hosts.next().unwrap().to_string(), format!("a{rack}n{number}"));
        }
    }
    assert!(hosts.next().is_none());
    assert!(hosts.next().is_none());
}

#[test]
fn names_are_bytes() {
    let list = HostList::parse(b"\xff[09-10]\xfe\xc3").unwrap();
    let host = list.into_iter().next().unwrap();
    assert_eq!(host.len(), 5);
    let mut room = [0; 6];
    assert_eq!(host.write_to(&mut room), Some(&b"\xff09\xfe\xc3"[..]));
    assert_eq!(host.write_to(&mut [0; 5]), Some(&b"\xff09\xfe\xc3"[..]));
    assert_eq!(host.write_to(&mut [0; 4]), None);
    assert_eq!(host.to_string(), "\u{fffd}09\u{fffd}\u{fffd}");
    assert_eq!(list.text(), b"\xff[09-10]\xfe\xc3");
}

#[test]
fn padding_may_be_wider_than_any_buffer() {
    let text = format!("n[{}7]", "0".repeat(1000));
    let list = HostList::parse(text.as_bytes()).unwrap();
    let host = list.hosts().next().unwrap();
    assert_eq!((host.len(), host.to_string()), (1002, format!("n{}7", "0".repeat(1000))));
    let mut room = [0; 1002];
    assert_eq!(host.write_to(&mut room).map(<[u8]>::to_vec), Some(host.to_string().into_bytes()));
}
