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
    let (head, count, end) = head(text)?;
    // How many groups there is room for behind the head.
    let room = 8_u32.checked_sub(count)?;
    let rest = match end {
        End::Stop(rest) if room == 0 => return Some((head, rest)),
        End::Gap(rest) if room > 0 => rest,
        End::Dotted(rest) if room == 2 => return dotted(head, rest),
        _ => return None,
    };
    if let [] | [b'%', ..] = rest {
        return Some((head, rest));
    }
    // The gap is one group at least.
    let (tail, count, end) = tail(rest)?;
    match end {
        End::Stop(rest) if count < room => Some((head | tail, rest)),
        End::Dotted(rest) if count.wrapping_add(2) < room => dotted(head | tail << 32, rest),
        _ => None,
    }
}

/// What ends a run of groups.
enum End<'a> {
    /// A colon after four groups, and then this.
    Colon(&'a [u8]),
    /// `::`, and then this.
    Gap(&'a [u8]),
    /// A colon, or nothing, and then this dotted tail.
    Dotted(&'a [u8]),
    /// This, which is no more of the address.
    Stop(&'a [u8]),
}

// The functions below are inlined whatever their size: results that go through memory cost as much as the parsing.
// They work on halves of an address, since shifts of 128 bits are slow.

/// The groups before a gap, in their place at the left, how many, and what ends them.
#[inline(always)]
fn head(text: &[u8]) -> Option<(u128, u32, End<'_>)> {
    let left = |half: u64, count: u32| half.checked_shl(64_u32.wrapping_sub(count << 4)).unwrap_or(0);
    match text {
        [b':', b':', rest @ ..] => return Some((0, 0, End::Gap(rest))),
        [b':', ..] => return None,
        _ => {}
    }
    let (high, count, end) = half(text)?;
    let high = u128::from(left(high, count)) << 64;
    let End::Colon(text) = end else { return Some((high, count, end)) };
    let (low, count, end) = half(text)?;
    Some((high | u128::from(left(low, count)), count.wrapping_add(4), end))
}

/// The groups behind a gap, in their place at the right, how many, and what ends them.
#[inline(always)]
fn tail(text: &[u8]) -> Option<(u128, u32, End<'_>)> {
    let mut value = 0_u128;
    let mut text = text;
    for count in 0..8_u32 {
        // Nothing after a colon, and a second gap, end here.
        let (group, rest) = group(text)?;
        if let [b'.', ..] = rest {
            return Some((value, count, End::Dotted(text)));
        }
        value = value << 16 | u128::from(group);
        match rest {
            [b':', rest @ ..] => text = rest,
            _ => return Some((value, count.wrapping_add(1), End::Stop(rest))),
        }
    }
    None
}

/// Up to four groups, how many, and what ends them.
#[inline(always)]
fn half(text: &[u8]) -> Option<(u64, u32, End<'_>)> {
    let mut value = 0_u64;
    let mut text = text;
    for count in 0..4_u32 {
        let Some((group, rest)) = group(text) else {
            return match text {
                // A second colon: the one before it has been taken.
                [b':', rest @ ..] => Some((value, count, End::Gap(rest))),
                _ => None,
            };
        };
        match rest {
            [b':', rest @ ..] => (value, text) = (value << 16 | u64::from(group), rest),
            [b'.', ..] => return Some((value, count, End::Dotted(text))),
            _ => return Some((value << 16 | u64::from(group), count.wrapping_add(1), End::Stop(rest))),
        }
    }
    Some((value, 4, End::Colon(text)))
}

/// One group of one to four hexadecimal digits, and what follows it.
#[inline(always)]
fn group(text: &[u8]) -> Option<(u32, &[u8])> {
    // Most groups of most long addresses: four digits, with one comparison for the four.
    if let [a, b, c, d, rest @ ..] = text {
        let group = ((hex(*a) << 4 | hex(*b)) << 4 | hex(*c)) << 4 | hex(*d);
        if group < NOT_HEX {
            return Some((group, rest));
        }
    }
    let (a, rest) = next_digit(text)?;
    let Some((b, rest)) = next_digit(rest) else { return Some((a, rest)) };
    let value = a << 4 | b;
    let Some((c, rest)) = next_digit(rest) else { return Some((value, rest)) };
    Some((value << 4 | c, rest))
}

#[inline(always)]
fn next_digit(text: &[u8]) -> Option<(u32, &[u8])> {
    let (byte, rest) = text.split_first()?;
    let digit = hex(*byte);
    (digit != NOT_HEX).then_some((digit, rest))
}

/// The address with a dotted tail, which reaches up to the zone or the end.
fn dotted(address: u128, text: &[u8]) -> Option<(u128, &[u8])> {
    if let Some(last) = ipv4(text) {
        return Some((address | u128::from(last), &[]));
    }
    let end = text.iter().position(|byte| *byte == b'%')?;
    let (last, rest) = text.split_at_checked(end)?;
    Some((address | u128::from(ipv4(last)?), rest))
}
