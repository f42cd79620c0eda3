use super::Random;
use super::cases;
use crate::text::{gid, ipv6};
use core::net::Ipv6Addr;
use std::format;
use std::string::{String, ToString};
use std::vec::Vec;

pub(super) const SEEDS: &[&str] = &[
    "::",
    "::1",
    "1::",
    "fe80::1",
    "2001:db8::7",
    "2001:db8:0:0:0:0:0:1",
    "1:2:3:4:5:6:7:8",
    "::2:3:4:5:6:7:8",
    "1:2:3:4:5:6:7::",
    "1:2:3::6:7:8",
    "2001:0DB8:ABCD:EF01:2345:6789:abcd:ef01",
    "::ffff:192.0.2.1",
    "64:ff9b::192.0.2.33",
    "1:2:3:4:5:6:1.2.3.4",
    "1:2:3:4:5::1.2.3.4",
];

pub(super) const ALPHABET: &[u8] = b"0123456789abcdefABCDEF::::....g%";

#[test]
fn agrees_with_core_net() {
    let mut random = Random(4);
    let mut taken = 0;
    for _ in 0..cases(200_000) {
        let text = random.mutation(SEEDS, ALPHABET);
        let core_net = core::str::from_utf8(&text).ok().and_then(|text| text.parse::<Ipv6Addr>().ok());
        assert_eq!(ipv6(&text), core_net.map(u128::from), "{}", text.escape_ascii());
        assert_eq!(gid(&text), ipv6(&text));
        taken += u32::from(core_net.is_some());
    }
    assert!((20_000..180_000).contains(&taken), "{taken} taken: the generator is of no use");
}

/// Every way to write an address: padded or not, in either case, with each run of groups as a gap.
#[test]
fn every_spelling_of_an_address() {
    let mut random = Random(5);
    for _ in 0..cases(20_000) {
        let address = random.address();
        let groups: Vec<String> = Ipv6Addr::from(address)
            .segments()
            .iter()
            .map(|group| match random.below(3) {
                0 => format!("{group:04x}"),
                1 => format!("{group:X}"),
                _ => format!("{group:x}"),
            })
            .collect();
        assert_eq!(ipv6(groups.join(":").as_bytes()), Some(address));
        for start in 0..8 {
            for end in start + 1..=8 {
                let text = format!("{}::{}", groups[..start].join(":"), groups[end..].join(":"));
                // The gap stands for zeros, whatever was there.
                let others = (0..8).filter(|group| !(start..end).contains(group));
                let expected = others.map(|group| address & 0xffff << (112 - 16 * group)).sum();
                assert_eq!(ipv6(text.as_bytes()), Some(expected), "{text}");
            }
            // A gap that stands for nothing.
            let text = format!("{}::{}", groups[..start].join(":"), groups[start..].join(":"));
            assert_eq!(ipv6(text.as_bytes()), None, "{text}");
        }
        let dotted = format!("{}:{}", groups[..6].join(":"), std::net::Ipv4Addr::from(address as u32));
        assert_eq!(ipv6(dotted.as_bytes()), Some(address), "{dotted}");
        assert_eq!(ipv6(Ipv6Addr::from(address).to_string().as_bytes()), Some(address));
    }
}

#[test]
fn every_byte_as_a_digit() {
    for byte in 0..=u8::MAX {
        let digit = char::from(byte).to_digit(16).filter(|_| byte.is_ascii()).map(u128::from);
        for (text, shift) in [
            ([b'1', b':', b':', byte, b'2', b'3', b'4'], 12),
            ([b'1', b':', b':', b'1', byte, b'3', b'4'], 8),
            ([b'1', b':', b':', b'1', b'2', byte, b'4'], 4),
            ([b'1', b':', b':', b'1', b'2', b'3', byte], 0),
        ] {
            let others = 0x1234 & !(0xf << shift) | 1 << 112;
            // A colon makes two groups of one; anything else makes no address.
            let expected = match byte {
                b':' => core::str::from_utf8(&text).unwrap().parse::<Ipv6Addr>().ok().map(u128::from),
                _ => digit.map(|digit| others | digit << shift),
            };
            assert_eq!(ipv6(&text), expected, "{}", text.escape_ascii());
        }
    }
}

#[test]
fn hostile_lengths() {
    for text in [
        "1:".repeat(cases(100_000)),
        ":".repeat(cases(100_000)),
        "f".repeat(cases(100_000)),
        "0.".repeat(cases(100_000)),
    ] {
        assert_eq!(ipv6(text.as_bytes()), None);
        assert_eq!(ipv6(format!("::{text}").as_bytes()), None);
    }
}
