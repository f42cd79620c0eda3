//! Requests made from the grammar of nodes, services and hints, and then bent.

use super::rows::Row;
use crate::common::random::Random;

/// Names of the world's hosts(5), and some that are not there.
const NAMES: [&str; 12] = [
    "storage-7",
    "storage-7.example",
    "STORAGE-7",
    "only-v4",
    "only-v6",
    "mapped",
    "localhost",
    "here",
    "link-local",
    "no-such-host",
    "no-such-host.invalid",
    "a.b.c.d.",
];
/// Names of the world's services(5), and some that are not there.
const SERVICES: [&str; 9] =
    ["tcp-only", "udp-only", "both", "both-alias", "tftp", "Both", "no-such-service", "http", "t"];
const ALPHABET: &[u8] = b"0123456789abcdefxX.:%* -+[]/\t\xc3\xa9_gloZ";

/// A request; the same for the same seed and index.
pub(super) fn row(seed: u64, index: u64) -> Row {
    let mut random = Random::new(seed ^ index.wrapping_mul(0xd134_2543_de82_ef95));
    let random = &mut random;
    let mut row = Row { hints: (!random.one_in(16)).then(|| hints(random)), ..Row::default() };
    row.node = (!random.one_in(6)).then(|| {
        let node = node(random);
        bend(random, node)
    });
    row.service = (!random.one_in(4)).then(|| {
        let service = service(random);
        bend(random, service)
    });
    if row.hints.is_some() {
        // Addresses and routes count where nothing else is given.
        let often = if row.node.is_none() && row.service.is_none() { 2 } else { 6 };
        for address in [&mut row.src, &mut row.dst] {
            if random.one_in(often) {
                *address = sockaddr(random);
            }
        }
        if random.one_in(8) {
            let length = random.pick(&[64, 72, 128, 144, 5, 71, 216]);
            row.route = random.bytes(length);
        }
    }
    row
}

fn hints(random: &mut Random) -> [i32; 4] {
    let mut flags = 0;
    for (flag, many) in [(1, 3), (2, 3), (4, 4), (8, 3), (0x10, 24), (0x20, 8), (0x40, 40), (0x0100_0000, 16)]
    {
        if random.one_in(many) {
            flags |= flag;
        }
    }
    let other = i32::try_from(random.next() % 1024).unwrap() - 512;
    [
        flags,
        random.pick(&[0, 0, 0, 0, 2, 2, 10, 10, 27, 27, 1, other]),
        random.pick(&[0, 0, 2, 2, 3, 4, 4, 8, 9, 10, 255, other]),
        random.pick(&[0, 0, 0x106, 0x106, 0x106, 0x111, 0x111, 0x13f, 0x13f, 2, 0x107, other]),
    ]
}

fn node(random: &mut Random) -> String {
    match random.below(16) {
        0..5 => ipv4(random),
        5..9 => ipv6(random),
        9 => zone(random, "fe80::1"),
        10 => {
            let address = ipv6(random);
            zone(random, &address)
        }
        11..15 => random.pick(&NAMES).to_owned(),
        _ => random.pick(&["*", "", "::", "0.0.0.0", "255.255.255.255", "::1", "ff02::1", "."]).to_owned(),
    }
}

/// One to five parts of any base, most of them fit.
fn ipv4(random: &mut Random) -> String {
    let parts = random.pick(&[4, 4, 4, 4, 1, 2, 3, 5]);
    let parts: Vec<String> = (1..=parts)
        .map(|at| {
            // The last part fills what is left.
            let last = if at == parts { 8 * (5_u32.saturating_sub(parts)).max(1) } else { 8 };
            let fits = random.next() >> (64 - last);
            let value = if random.one_in(24) { random.next() >> random.below(64) } else { fits };
            match random.below(12) {
                0 => format!("0{value:o}"),
                1 => format!("0x{value:x}"),
                2 => format!("0X{value:X}"),
                3 => format!("{value:03}"),
                _ => value.to_string(),
            }
        })
        .collect();
    parts.join(".")
}

/// Eight groups more or less, some of them a gap, perhaps with an IPv4 address at the end.
fn ipv6(random: &mut Random) -> String {
    if random.one_in(6) {
        return format!("::ffff:{}", ipv4(random));
    }
    let groups = random.pick(&[8, 8, 7, 6, 5, 3, 2, 1, 9]);
    let mut groups: Vec<String> = (0..groups)
        .map(|_| match random.below(8) {
            0 => "0".into(),
            1 => format!("{:04x}", random.below(256)),
            2 => format!("{:X}", random.below(0x1_0000)),
            _ => format!("{:x}", random.below(0x1_0000)),
        })
        .collect();
    if random.one_in(5) {
        let last = groups.len() - 1;
        groups[last] = ipv4(random);
    }
    if groups.len() < 8 || random.one_in(8) {
        let at = random.below(groups.len() + 1);
        groups.insert(at, String::new());
        if at == 0 || at == groups.len() - 1 {
            groups.insert(at, String::new());
        }
    }
    groups.join(":")
}

fn zone(random: &mut Random, address: &str) -> String {
    let zone =
        random.pick(&["lo", "1", "7", "0", "01", "4294967295", "4294967296", "", "no-such-if", "lo ", "%lo"]);
    format!("{address}%{zone}")
}

fn service(random: &mut Random) -> String {
    match random.below(10) {
        0..5 => random.below(0x1_0000).to_string(),
        5 => format!(
            "{}{}",
            random.pick(&[" ", "+", "-", "0", "00", "\t", "0x", " +", "--"]),
            random.below(70_000)
        ),
        6 => (random.next() >> random.below(64)).to_string(),
        7 => random
            .pick(&["0", "", "*", "65535", "65536", "2147483647", "2147483648", "4294967296", "-1"])
            .into(),
        _ => random.pick(&SERVICES).to_owned(),
    }
}

/// The text, one time in four with an edit or two.
fn bend(random: &mut Random, text: String) -> String {
    let mut text = text.into_bytes();
    if random.one_in(4) {
        for _ in 0..=random.below(2) {
            let at = random.below(text.len() + 1);
            let byte = random.pick(ALPHABET);
            match random.below(5) {
                0 if at < text.len() => drop(text.remove(at)),
                1 if at < text.len() => text[at] = byte,
                2 if at < text.len() => text.insert(at, text[at]),
                3 => text.truncate(at),
                _ => text.insert(at, byte),
            }
        }
    }
    if random.one_in(200) {
        // Beyond the longest name.
        let unit = text.clone();
        while text.len() < 300 && !unit.is_empty() {
            text.extend_from_slice(&unit);
        }
    }
    String::from_utf8_lossy(&text).into_owned()
}

/// An address of a family that hints may hold.
fn sockaddr(random: &mut Random) -> Vec<u8> {
    let (family, length) = random.pick(&[(2_u16, 16), (10, 28), (27, 48)]);
    let mut bytes = [&family.to_ne_bytes()[..], &random.bytes(46)].concat();
    bytes.truncate(length);
    if family == 2 {
        // sin_zero
        bytes[8..].fill(0);
    }
    bytes
}
