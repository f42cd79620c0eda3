//! IPv4 addresses, as RFC 6943 section 3.1.1 calls them: the strict form, and the loose form of inet_aton(3).

use super::number::{digit, digits};

/// Parses dotted-decimal IPv4: four parts of 0 to 255, without leading zeros; the first octet is most significant.
///
/// ```
/// use rdma_addrinfo_core::text::ipv4;
///
/// assert_eq!(ipv4(b"192.0.2.7"), Some(0xc000_0207));
/// assert_eq!(ipv4(b"192.0.2.07"), None);
/// ```
#[must_use]
#[doc(alias = "inet_pton")]
// Inlined whatever its size, as is `port`: a call costs a tenth of a whole resolution.
#[inline(always)]
pub fn ipv4(text: &[u8]) -> Option<u32> {
    // The shortest is `0.0.0.0`. The compiler need not check the length again for the first two octets.
    if text.len() < 7 {
        return None;
    }
    let (a, text) = octet(text)?;
    let (b, text) = octet(text)?;
    let (c, text) = octet(text)?;
    let d = match *text {
        [a] => one(a),
        [a, b] => two(a, b),
        [a, b, c] => three(a, b, c),
        _ => None,
    }?;
    Some(a << 24 | b << 16 | c << 8 | d)
}

/// An octet and its dot at the start of the text, and what follows them.
#[inline]
fn octet(text: &[u8]) -> Option<(u32, &[u8])> {
    match text {
        [a, b'.', rest @ ..] => Some((one(*a)?, rest)),
        [a, b, b'.', rest @ ..] => Some((two(*a, *b)?, rest)),
        [a, b, c, b'.', rest @ ..] => Some((three(*a, *b, *c)?, rest)),
        _ => None,
    }
}

#[inline]
fn one(a: u8) -> Option<u32> {
    digit(a).map(u32::from)
}

// By length the value has a least and a largest; a leading zero would make it too small. The first digit is
// checked by that, too: no other byte leads to a value in the range.
#[inline]
fn two(a: u8, b: u8) -> Option<u32> {
    let (a, b) = (value(a), value(b));
    let all = a.wrapping_mul(10).wrapping_add(b);
    ((b <= 9) & (all.wrapping_sub(10) < 90)).then_some(all)
}

#[inline]
fn three(a: u8, b: u8, c: u8) -> Option<u32> {
    let (a, b, c) = (value(a), value(b), value(c));
    let all = a.wrapping_mul(100).wrapping_add(b.wrapping_mul(10)).wrapping_add(c);
    ((b <= 9) & (c <= 9) & (all.wrapping_sub(100) < 156)).then_some(all)
}

/// The value of a digit; above 9 of any other byte.
#[inline]
fn value(byte: u8) -> u32 {
    u32::from(byte).wrapping_sub(0x30)
}

/// Parses what inet_aton(3) of glibc takes and getaddrinfo(3) accepts; the first octet is most significant.
///
/// One to four parts, each decimal, octal after `0` or hexadecimal after `0x`; the last part fills the octets
/// that are left. Nothing may follow.
///
/// ```
/// use rdma_addrinfo_core::text::ipv4_glibc;
///
/// assert_eq!(ipv4_glibc(b"127.1"), Some(0x7f00_0001));
/// assert_eq!(ipv4_glibc(b"0x7f.0.0.010"), Some(0x7f00_0008));
/// assert_eq!(ipv4_glibc(b"1.2.65536"), None);
/// assert_eq!(ipv4_glibc(b"127.1 "), None);
/// ```
#[must_use]
#[doc(alias = "inet_aton")]
#[inline]
pub fn ipv4_glibc(text: &[u8]) -> Option<u32> {
    // Most texts have the strict form, which means the same in both grammars.
    ipv4(text).or_else(|| ipv4_loose(text))
}

/// All forms of inet_aton(3), one by one.
pub(super) fn ipv4_loose(text: &[u8]) -> Option<u32> {
    let mut rest = text;
    let mut high = 0_u32;
    // How many bits the last part may have, and where the next octet goes.
    let mut bits = 32_u32;
    while let Some(dot) = rest.iter().position(|byte| *byte == b'.') {
        let (part, tail) = rest.split_at_checked(dot)?;
        let octet = u8::try_from(part_value(part)?).ok()?;
        // A fifth part would find no room: three dots at most.
        bits = bits.checked_sub(8).filter(|bits| *bits > 0)?;
        high |= u32::from(octet).checked_shl(bits)?;
        (_, rest) = tail.split_first()?;
    }
    let last = u32::try_from(part_value(rest)?).ok()?;
    (u64::from(last) >> bits == 0).then_some(high | last)
}

/// A number as strtoul(3) reads it with base 0. `08` and `0x` stop short there, so they are none.
fn part_value(text: &[u8]) -> Option<u64> {
    match text {
        [b'0', b'x' | b'X', hex @ ..] => digits(hex, 16),
        [b'0', _, ..] => digits(text, 8),
        _ => digits(text, 10),
    }
}
