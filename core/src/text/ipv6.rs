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
// Its parts are inlined whatever their size: results that go through memory cost as much as the parsing.
#[inline]
pub(super) fn ipv6_prefix(text: &[u8]) -> Option<(u128, &[u8])> {
    // The first colon of a gap is that of the group before it; at the start there is none.
    let text = match text {
        [b':', b':', ..] => text.split_first()?.1,
        [b':', ..] => return None,
        _ => text,
    };
    let (head, last, text) = Head::read(text);
    if let Some((group, rest)) = last {
        // No gap: the eighth group, or a dotted tail for the last two.
        return match rest {
            [b'.', ..] if head.count == 6 => dotted(join(head.high, head.low << 32), text),
            _ if head.count == 7 => Some((join(head.high, head.low << 16 | u64::from(group)), rest)),
            _ => None,
        };
    }
    let [b':', text @ ..] = text else { return None };
    // The gap is one group at least.
    let room = 7_u32.checked_sub(head.count)?;
    let head = head.in_place();
    if let [] | [b'%', ..] = text {
        return Some((head, text));
    }
    let (mut tail, mut count, mut text) = (0_u128, 0_u32, text);
    let (group, rest) = loop {
        match group(text)? {
            (group, [b':', rest @ ..]) => (tail, text) = (tail << 16 | u128::from(group), rest),
            last => break last,
        }
        count = count.saturating_add(1);
    };
    match rest {
        [b'.', ..] if count.wrapping_add(2) <= room => dotted(head | tail << 32, text),
        _ if count < room => Some((head | tail << 16 | u128::from(group), rest)),
        _ => None,
    }
}

fn join(high: u64, low: u64) -> u128 {
    u128::from(high) << 64 | u128::from(low)
}

/// The groups at the start of an address that have a colon behind them, in halves: shifts of 128 bits are slow.
#[derive(Clone, Copy)]
struct Head {
    /// Up to four, the last of them at the right.
    high: u64,
    /// Up to four more.
    low: u64,
    count: u32,
}

/// A group without a colon behind it, and what is.
type Last<'a> = Option<(u32, &'a [u8])>;

impl Head {
    /// These groups; what follows them: a group, if it is one, and as text.
    #[inline(always)]
    fn read(text: &[u8]) -> (Self, Last<'_>, &[u8]) {
        let (high, count, last, text) = half(text);
        if count < 4 {
            return (Self { high, low: 0, count }, last, text);
        }
        let (low, count, last, text) = half(text);
        (Self { high, low, count: count.wrapping_add(4) }, last, text)
    }

    /// The groups where they are in an address, zeros behind them.
    #[inline(always)]
    fn in_place(self) -> u128 {
        // Where the half is empty this does not shift by 64 bits, but not at all. It is zero all the same.
        let left = |half: u64| half.wrapping_shl(0_u32.wrapping_sub(self.count << 4));
        if self.count < 4 { join(left(self.high), 0) } else { join(self.high, left(self.low)) }
    }
}

/// Up to four groups with a colon behind each, how many, and what follows them as [`Head::read`] tells it.
#[inline(always)]
fn half(mut text: &[u8]) -> (u64, u32, Last<'_>, &[u8]) {
    let (mut bits, mut count) = (0, 0_u32);
    while count < 4 {
        let last = group(text);
        let Some((group, [b':', rest @ ..])) = last else { return (bits, count, last, text) };
        (bits, count, text) = (bits << 16 | u64::from(group), count.wrapping_add(1), rest);
    }
    (bits, count, None, text)
}

/// One group of one to four hexadecimal digits, and what follows it.
#[inline(always)]
fn group(text: &[u8]) -> Option<(u32, &[u8])> {
    // Where there are four bytes, each count of digits takes one comparison: a byte that is none shows in the value.
    if let [a, b, c, d, after_d @ ..] = text
        && let ([_, after_a @ ..], [_, _, after_b @ ..], [_, _, _, after_c @ ..]) = (text, text, text)
    {
        let one = hex(*a);
        let two = one << 4 | hex(*b);
        let three = two << 4 | hex(*c);
        let four = three << 4 | hex(*d);
        return match () {
            () if four < NOT_HEX => Some((four, after_d)),
            () if one == NOT_HEX => None,
            () if two >= NOT_HEX => Some((one, after_a)),
            () if three >= NOT_HEX => Some((two, after_b)),
            () => Some((three, after_c)),
        };
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
