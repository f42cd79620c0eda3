//! Zones of IPv6 addresses (RFC 4007 section 11): what follows the first `%`.

use super::number::digits;

/// Which link an IPv6 address belongs to.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Zone<'a> {
    /// No zone was given.
    None,
    /// The index of an interface, for `sin6_scope_id`; host order. An interface may have the same digits for a name, for
    /// which a [resolution](crate::Environment::interfaces) looks first, as glibc does.
    Index(u32),
    /// The name of an interface without NUL, to be turned into an index: 1 to 127 bytes, the longest alternative name
    /// (`ALTIFNAMSIZ` is 128); in the grammar of glibc 1 to 15 (`IFNAMSIZ` is 16).
    Name(&'a [u8]),
    /// A zone that is neither, at this byte offset in the node: [`Glibc`](super::Grammar::Glibc) only.
    ///
    /// glibc compares the family asked for with the address before it looks at the zone, so the error is left to
    /// the caller: an address of the wrong family first, then `NoName`.
    Invalid(usize),
}

/// The longest name of an interface, in bytes: that of an alternative one.
pub(super) const NAME_MAX: usize = 127;

/// The longest name that glibc looks up, in bytes.
const GLIBC_NAME_MAX: usize = 15;

/// Whether zones mean something for the address: `fe80::/10`, and link-local multicast `ffX2::/16`.
#[inline]
pub(crate) fn is_link_local(address: u128) -> bool {
    address >> 118 == 0xfe80 >> 6 || (address >> 112) & 0xff0f == 0xff02
}

/// Whether glibc takes the name of an interface for a zone: also on interface-local multicast `ffX1::/16`.
#[inline]
pub(crate) fn takes_name(address: u128) -> bool {
    is_link_local(address) || (address >> 112) & 0xff0f == 0xff01
}

/// Whether the kernel could have an interface of this name, but for its length.
#[inline]
pub(super) fn is_name_byte(byte: u8) -> bool {
    // What Linux refuses, and what no one could see in a message.
    !matches!(byte, b'/' | b':' | b'%' | 0..=b' ' | 0x7f)
}

/// A zone in the strict grammar.
#[inline]
pub(super) fn strict(address: u128, text: &[u8]) -> Option<Zone<'_>> {
    if text.is_empty() || !is_link_local(address) {
        return None;
    }
    if text.iter().all(u8::is_ascii_digit) {
        return match text {
            [b'0', ..] => None,
            _ => Some(Zone::Index(index(text)?)),
        };
    }
    let fits = text.len() <= NAME_MAX && text.iter().all(|byte| is_name_byte(*byte));
    fits.then_some(Zone::Name(text))
}

/// A zone as glibc reads it, NUL apart.
#[inline]
pub(super) fn glibc(address: u128, text: &[u8]) -> Option<Zone<'_>> {
    if text.is_empty() {
        return None;
    }
    if text.iter().all(u8::is_ascii_digit) {
        return Some(Zone::Index(index(text)?));
    }
    let fits = text.len() <= GLIBC_NAME_MAX && takes_name(address);
    fits.then_some(Zone::Name(text))
}

/// Decimal digits up to [`u32::MAX`].
pub(super) fn index(text: &[u8]) -> Option<u32> {
    u32::try_from(digits(text, 10)?).ok()
}
