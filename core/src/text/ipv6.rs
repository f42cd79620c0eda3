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
    let head = Run::read(text)?;
    let [b':', b':', text @ ..] = head.rest else {
        return (head.missing == 0).then_some((head.value, head.rest));
    };
    let tail = Run::read(text)?;
    // Groups to the right of the head; the gap is one at least.
    let present = 8_u32.wrapping_sub(tail.missing);
    if present >= head.missing {
        return None;
    }
    let head_value = head.value.checked_shl(head.missing.wrapping_mul(16)).unwrap_or(0);
    Some((head_value | tail.value, tail.rest))
}

/// Groups with single colons between them, possibly none.
struct Run<'a> {
    value: u128,
    /// How many groups short of eight.
    missing: u32,
    rest: &'a [u8],
}

impl<'a> Run<'a> {
    #[inline]
    fn read(text: &'a [u8]) -> Option<Self> {
        let mut value = 0_u128;
        let mut missing = 8_u32;
        let mut start = text;
        let Some((mut group, mut rest)) = group(start) else {
            return Some(Self { value, missing, rest: text });
        };
        loop {
            if let [b'.', ..] = rest {
                let (dotted, rest) = dotted(start)?;
                missing = missing.checked_sub(2)?;
                return Some(Self { value: value << 32 | u128::from(dotted), missing, rest });
            }
            value = value << 16 | u128::from(group);
            missing = missing.wrapping_sub(1);
            match rest {
                [b':', next @ ..] if missing > 0 && !matches!(next, [b':', ..]) => {
                    start = next;
                    (group, rest) = self::group(next)?;
                }
                _ => return Some(Self { value, missing, rest }),
            }
        }
    }
}

/// One group of one to four hexadecimal digits, and what follows it.
#[inline]
fn group(text: &[u8]) -> Option<(u32, &[u8])> {
    let (mut value, mut rest) = next_digit(text)?;
    for _ in 0..3 {
        let Some((digit, after)) = next_digit(rest) else { break };
        (value, rest) = (value << 4 | digit, after);
    }
    Some((value, rest))
}

#[inline]
fn next_digit(text: &[u8]) -> Option<(u32, &[u8])> {
    let (byte, rest) = text.split_first()?;
    let digit = hex(*byte);
    (digit != NOT_HEX).then_some((u32::from(digit), rest))
}

/// A dotted tail up to the zone or the end.
fn dotted(text: &[u8]) -> Option<(u32, &[u8])> {
    if let Some(address) = ipv4(text) {
        return Some((address, &[]));
    }
    let end = text.iter().position(|byte| *byte == b'%')?;
    let (dotted, rest) = text.split_at_checked(end)?;
    Some((ipv4(dotted)?, rest))
}
