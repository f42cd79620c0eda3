//! Numbers: ports, service IDs, and the digits that the other parsers share.

/// The value of an ASCII decimal digit.
#[inline]
pub(super) fn digit(byte: u8) -> Option<u8> {
    let value = byte.wrapping_sub(b'0');
    (value <= 9).then_some(value)
}

/// The value of each byte as a hexadecimal digit, or [`NOT_HEX`].
const HEX: [u32; 256] = {
    let mut table = [NOT_HEX; 256];
    let mut rest: &[(u8, u8, u32)] = &[(b'0', b'9', 0), (b'a', b'f', 10), (b'A', b'F', 10)];
    while let [(first, last, value), tail @ ..] = rest {
        let mut byte = *first;
        let mut value = *value;
        while byte <= *last {
            #[expect(
                clippy::as_conversions,
                clippy::indexing_slicing,
                reason = "a place in a table of 256 is a byte, and this only runs in the compiler"
            )]
            {
                table[byte as usize] = value;
            }
            byte = byte.wrapping_add(1);
            value = value.wrapping_add(1);
        }
        rest = tail;
    }
    table
};

/// What [`hex`] gives for a byte that is no hexadecimal digit: more than four digits can amount to, wherever among
/// the four it stands, so that one comparison of the whole tells.
pub(super) const NOT_HEX: u32 = 0x1_0000;

/// The value of a hexadecimal digit, or [`NOT_HEX`].
#[inline]
pub(super) fn hex(byte: u8) -> u32 {
    match HEX.get(usize::from(byte)) {
        Some(value) => *value,
        None => NOT_HEX,
    }
}

/// All of `text` as digits of `radix` (2 to 16), leading zeros included; `None` if empty, or above [`u64::MAX`].
pub(super) fn digits(text: &[u8], radix: u32) -> Option<u64> {
    if text.is_empty() {
        return None;
    }
    text.iter().try_fold(0_u64, |value, byte| {
        let digit = hex(*byte);
        if digit >= radix {
            return None;
        }
        value.checked_mul(u64::from(radix))?.checked_add(u64::from(digit))
    })
}

/// Parses a port: decimal, 0 to 65535, without sign, white space or leading zero.
///
/// ```
/// use rdma_addrinfo_core::text::port;
///
/// assert_eq!(port(b"7471"), Some(7471));
/// assert_eq!(port(b"65536"), None);
/// assert_eq!(port(b"080"), None);
/// ```
#[must_use]
// As `ipv4`.
#[inline(always)]
pub fn port(text: &[u8]) -> Option<u16> {
    // By length the value has a least; a leading zero would make it too small.
    let (value, least) = match *text {
        [d] => (four_digits([b'0', b'0', b'0', d])?, 0),
        [c, d] => (four_digits([b'0', b'0', c, d])?, 10),
        [b, c, d] => (four_digits([b'0', b, c, d])?, 100),
        [a, b, c, d] => (four_digits([a, b, c, d])?, 1000),
        [first, a, b, c, d] => {
            let high = u32::from(digit(first)?).wrapping_mul(10_000);
            (high.wrapping_add(four_digits([a, b, c, d])?), 10_000)
        }
        _ => return None,
    };
    if value < least { None } else { u16::try_from(value).ok() }
}

/// The value of four decimal digits, all at once: bytes, then pairs, then the whole, the first of each the tens or
/// hundreds of the second.
#[inline]
fn four_digits(text: [u8; 4]) -> Option<u32> {
    let digits = u32::from_le_bytes(text) ^ 0x3030_3030;
    // A byte above 9 has a bit in its high half, or gets one from six more. It may carry into the next byte, which
    // does not matter any more.
    if (digits | digits.wrapping_add(0x0606_0606)) & 0xf0f0_f0f0 != 0 {
        return None;
    }
    let pairs = digits.wrapping_mul(10).wrapping_add(digits >> 8) & 0x00ff_00ff;
    Some(pairs.wrapping_mul(100).wrapping_add(pairs >> 16) & 0xffff)
}

/// Parses a number that stands where a name could: decimal without leading zeros, or hexadecimal after `0x`.
///
/// A decimal number with a leading zero could mean octal and is refused; hexadecimal digits may be padded.
///
/// ```
/// use rdma_addrinfo_core::text::number;
///
/// assert_eq!(number(b"262"), Some(262));
/// assert_eq!(number(b"0x0106"), Some(262));
/// assert_eq!(number(b"0106"), None);
/// assert_eq!(number(b"18446744073709551616"), None);
/// ```
#[must_use]
pub fn number(text: &[u8]) -> Option<u64> {
    match text {
        [b'0', b'x' | b'X', hex @ ..] => digits(hex, 16),
        [b'0', _, ..] => None,
        decimal => digits(decimal, 10),
    }
}

/// Parses a 64-bit service ID, written as a [`number`]; the result is in host order.
///
/// ```
/// use rdma_addrinfo_core::text::service_id;
///
/// assert_eq!(service_id(b"0x0000000001061d2f"), Some(0x0106_1d2f));
/// assert_eq!(service_id(b"17177903"), Some(0x0106_1d2f));
/// ```
#[must_use]
#[doc(alias = "sib_sid")]
pub fn service_id(text: &[u8]) -> Option<u64> {
    number(text)
}
