//! IPv6 addresses and GIDs: the text form of RFC 4291 section 2.2.

use super::ipv4::ipv4;
use super::number::{NOT_HEX, hex};

/// Parses an IPv6 address without zone, in RFC 4291 text; the first octet is most significant.
///
/// Groups have one to four hexadecimal digits, `::` stands for one or more groups of zeros, and the last two groups
/// may be written as an IPv4 address in the strict form. This is what inet_pton(3) takes, in both grammars.
///
/// ```
/// use rdma_addrinfo_core::text::ipv6;
///
/// assert_eq!(ipv6(b"2001:db8::7"), Some(0x2001_0db8 << 96 | 7));
/// assert_eq!(ipv6(b"::ffff:192.0.2.7"), Some(0xffff_c000_0207));
/// assert_eq!(ipv6(b"2001:db8:7"), None);
/// ```
#[must_use]
#[doc(alias = "inet_pton")]
#[inline]
pub fn ipv6(text: &[u8]) -> Option<u128> {
    let (address, rest) = ipv6_prefix(text)?;
    rest.is_empty().then_some(address)
}

/// Parses a GID, which is written like an IPv6 address; the first octet is most significant.
///
/// ```
/// use rdma_addrinfo_core::text::gid;
///
/// assert_eq!(gid(b"fe80::2:c903:0:1"), Some(0xfe80_0000_0000_0000_0002_c903_0000_0001));
/// ```
#[must_use]
#[doc(alias = "ibv_gid")]
#[inline]
pub fn gid(text: &[u8]) -> Option<u128> {
    ipv6(text)
}

/// An IPv6 address at the start of the text, and what follows it: nothing, a `%` and a zone, or what makes the text
/// no literal.
#[inline]
pub(super) fn ipv6_prefix(text: &[u8]) -> Option<(u128, &[u8])> {
    let mut value = 0_u128;
    // How many groups are still to come, and those on the left of the gap, moved to their place.
    let mut missing = 8_u32;
    let mut head = None;
    let mut text = text;
    if let [b':', b':', rest @ ..] = text {
        head = Some(0);
        missing = 7;
        text = rest;
        if !starts_group(text) {
            return Some((0, text));
        }
    }
    loop {
        let (group, rest) = group(text)?;
        if let [b'.', ..] = rest {
            missing = missing.checked_sub(2)?;
            let (dotted, rest) = dotted(text)?;
            value = value << 32 | u128::from(dotted);
            text = rest;
            break;
        }
        value = value << 16 | u128::from(group);
        missing = missing.wrapping_sub(1);
        text = rest;
        match rest {
            [b':', b':', rest @ ..] if head.is_none() && missing > 0 => {
                head = Some(value << (missing << 4));
                value = 0;
                missing = missing.wrapping_sub(1);
                text = rest;
                if !starts_group(text) {
                    break;
                }
            }
            [b':', rest @ ..] if missing > 0 => text = rest,
            _ => break,
        }
    }
    match head {
        Some(head) => Some((head | value, text)),
        None => (missing == 0).then_some((value, text)),
    }
}

#[inline]
fn starts_group(text: &[u8]) -> bool {
    matches!(text, [byte, ..] if hex(*byte) != NOT_HEX)
}

/// One group of one to four hexadecimal digits, and what follows it.
#[inline]
fn group(text: &[u8]) -> Option<(u32, &[u8])> {
    let digit = |byte: u8| u32::from(hex(byte));
    if let [a, b, c, d, rest @ ..] = text {
        let (a, b, c, d) = (digit(*a), digit(*b), digit(*c), digit(*d));
        if a | b | c | d <= 0xf {
            return Some((a << 12 | b << 8 | c << 4 | d, rest));
        }
    }
    let (mut value, mut rest) = match text {
        [a, rest @ ..] if hex(*a) != NOT_HEX => (digit(*a), rest),
        _ => return None,
    };
    if let [b, after @ ..] = rest
        && hex(*b) != NOT_HEX
    {
        (value, rest) = (value << 4 | digit(*b), after);
        if let [c, after @ ..] = rest
            && hex(*c) != NOT_HEX
        {
            (value, rest) = (value << 4 | digit(*c), after);
        }
    }
    Some((value, rest))
}

/// A dotted tail up to the zone or the end.
fn dotted(text: &[u8]) -> Option<(u32, &[u8])> {
    let end = text.iter().position(|byte| *byte == b'%').unwrap_or(text.len());
    let (dotted, rest) = text.split_at_checked(end)?;
    Some((ipv4(dotted)?, rest))
}
