use super::Random;
use super::{cases, step};
use crate::text::{ipv4, ipv4_glibc};
use core::net::Ipv4Addr;
use std::format;
use std::string::String;

#[test]
fn every_part_in_every_place() {
    for value in (0..10_000_u32).step_by(step()) {
        for digits in 1..=4 {
            let part = format!("{value:0digits$}");
            let fits = value <= 255 && (part.len() == 1 || !part.starts_with('0'));
            for (text, shift) in [
                (format!("{part}.1.2.3"), 24),
                (format!("1.{part}.2.3"), 16),
                (format!("1.2.{part}.3"), 8),
                (format!("1.2.3.{part}"), 0),
            ] {
                let others = match shift {
                    24 => 0x0001_0203,
                    16 => 0x0100_0203,
                    8 => 0x0102_0003,
                    _ => 0x0102_0300,
                };
                let expected = fits.then(|| others | value << shift);
                assert_eq!(ipv4(text.as_bytes()), expected, "{text}");
            }
        }
    }
}

#[test]
fn strict_agrees_with_core_net() {
    let seeds =
        ["192.0.2.7", "0.0.0.0", "255.255.255.255", "10.20.30.40", "1.2.3.4.5", "010.0.0.1", "0x7f.1"];
    let mut random = Random(1);
    let mut taken = 0;
    for _ in 0..cases(200_000) {
        let text = random.mutation(&seeds, b"0123456789.. x+-:\0\xff");
        let core_net = core::str::from_utf8(&text).ok().and_then(|text| text.parse::<Ipv4Addr>().ok());
        assert_eq!(ipv4(&text), core_net.map(u32::from), "{}", text.escape_ascii());
        taken += u32::from(core_net.is_some());
    }
    assert!((20_000..180_000).contains(&taken), "{taken} taken: the generator is of no use");
}

#[test]
fn what_strict_takes_glibc_takes_alike() {
    let mut random = Random(2);
    for _ in 0..cases(20_000) {
        let address = random.next() as u32;
        let text = format!("{}", Ipv4Addr::from(address));
        assert_eq!(ipv4(text.as_bytes()), Some(address));
        assert_eq!(ipv4_glibc(text.as_bytes()), Some(address));
    }
}

/// One to four parts in random radices, built from the value they stand for.
#[test]
fn glibc_takes_all_forms_of_all_parts() {
    let mut random = Random(3);
    for _ in 0..cases(100_000) {
        let address = random.next() as u32 >> random.pick(&[0, 0, 8, 16, 24, 31]);
        let parts = 1 + random.below(4);
        let mut text = String::new();
        for part in 0..parts {
            let value = match (part, parts) {
                (last, _) if last + 1 == parts => address & (u32::MAX >> (8 * part)),
                (part, _) => address >> (24 - 8 * part) & 0xff,
            };
            let zeros = random.pick(&[0, 0, 0, 1, 2, 30]);
            text += &match random.below(4) {
                0 => format!("0x{}{value:x}", "0".repeat(zeros)),
                1 => format!("0X{}{value:X}", "0".repeat(zeros)),
                2 => format!("0{}{value:o}", "0".repeat(zeros)),
                _ => format!("{value}"),
            };
            text += if part + 1 == parts { "" } else { "." };
        }
        assert_eq!(ipv4_glibc(text.as_bytes()), Some(address), "{text}");
        for junk in [" ", ".", "x", "g", "%lo", "\0", "\n"] {
            let text = text.clone() + junk;
            assert_eq!(ipv4_glibc(text.as_bytes()), None, "{}", text.escape_default());
        }
    }
}

#[test]
fn glibc_refuses_what_inet_aton_refuses() {
    for text in [
        "",
        ".",
        "..",
        "1.",
        ".1",
        "1..2",
        "1.2.3.4.",
        "1.2.3.4.5",
        "0.0.0.0.0",
        "256.1",
        "1.256.1",
        "1.2.256.1",
        "1.2.3.256",
        "1.2.65536",
        "1.16777216",
        "4294967296",
        "0x100000000",
        "040000000000",
        "18446744073709551616",
        "0x10000000000000001",
        "08",
        "09.1",
        "1.08",
        "0x",
        "0x.1",
        "1.0x",
        "0xg",
        "x1",
        "-1",
        "+1",
        " 1",
        "1 ",
        "1\t",
        "a",
        "1.2.3.a",
        "0b1",
        "0o1",
        "1e2",
        "00x1",
        "0x0x1",
        "1,2",
        "\u{661}",
        "0x1.256.0",
    ] {
        assert_eq!(ipv4_glibc(text.as_bytes()), None, "{}", text.escape_default());
    }
}

#[test]
fn glibc_limits_of_each_form() {
    for (text, address) in [
        ("0", 0),
        ("4294967295", u32::MAX),
        ("0xffffffff", u32::MAX),
        ("037777777777", u32::MAX),
        ("255.16777215", u32::MAX),
        ("255.255.65535", u32::MAX),
        ("0377.0xff.255.255", u32::MAX),
        ("1.65536", 0x0101_0000),
        ("0000000000000000000000000000000000000000001", 1),
        ("0x00000000000000000000000000000000000000001", 1),
    ] {
        assert_eq!(ipv4_glibc(text.as_bytes()), Some(address), "{text}");
    }
}
