//! What a service of the InfiniBand subnet administrator is: an ID, or a name.

use super::Grammar;
use super::number::{digits, number};
use super::refusal;
use crate::error::{Error, Reason};

/// The longest service name in bytes: the kernel's field holds 64, the last of them a NUL.
const NAME_MAX: usize = 63;

/// A service that has been read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum IbServiceText<'a> {
    /// A service ID; host order.
    Id(u64),
    /// At most 63 bytes, none of them NUL.
    Name(&'a [u8]),
}

/// Reads a service.
///
/// [`Strict`](Grammar::Strict): a [`number`] is an ID, all else a name of 1 to 63 bytes without control characters. What
/// strtoull(3) reads as another number than it looks like is refused.
///
/// [`Glibc`](Grammar::Glibc): a number is what strtoull(3) makes of all of the text, by its prefix. All else is a name,
/// cut at 63 bytes.
///
/// # Errors
/// `Service` where the text is neither, `Invalid` where a NUL is inside; with the byte offset.
pub(crate) fn ib_service(grammar: Grammar, text: &[u8]) -> Result<IbServiceText<'_>, Error> {
    if let Some(offset) = text.iter().position(|byte| *byte == 0) {
        return Err(refusal::ib_service(Reason::Nul, offset));
    }
    match grammar {
        Grammar::Strict => strict(text).map_err(|(reason, offset)| refusal::ib_service(reason, offset)),
        Grammar::Glibc => Ok(match Numeral::read(text).and_then(|numeral| numeral.value) {
            Some(id) => IbServiceText::Id(id),
            None => IbServiceText::Name(text.get(..NAME_MAX).unwrap_or(text)),
        }),
    }
}

fn strict(text: &[u8]) -> Result<IbServiceText<'_>, (Reason, usize)> {
    if let Some(id) = number(text) {
        return Ok(IbServiceText::Id(id));
    }
    if let Some(numeral) = Numeral::read(text) {
        return Err(match text {
            _ if numeral.white => (Reason::WhiteSpace, 0),
            _ if numeral.sign => (Reason::Sign, 0),
            [b'0', b'0'..=b'9', ..] => (Reason::LeadingZero, 0),
            _ => (Reason::NotNumber, 0),
        });
    }
    if text.is_empty() {
        return Err((Reason::Empty, 0));
    }
    if let Some(offset) = text.iter().position(u8::is_ascii_control) {
        return Err((Reason::Control, offset));
    }
    if text.len() > NAME_MAX {
        return Err((Reason::IbServiceName, NAME_MAX));
    }
    Ok(IbServiceText::Name(text))
}

/// All of a text as strtoull(3) with base 0 reads it.
struct Numeral {
    white: bool,
    sign: bool,
    /// `None`: it does not fit.
    value: Option<u64>,
}

impl Numeral {
    /// `None` where strtoull(3) would leave a byte, or read none.
    fn read(text: &[u8]) -> Option<Self> {
        let white = text.iter().take_while(|byte| matches!(byte, b' ' | b'\t'..=b'\r')).count();
        let (_, unsigned) = text.split_at_checked(white)?;
        let (negative, magnitude) = match unsigned {
            [b'-', rest @ ..] => (true, rest),
            [b'+', rest @ ..] => (false, rest),
            rest => (false, rest),
        };
        let (radix, text) = match magnitude {
            [b'0', b'x' | b'X', hex @ ..] => (16, hex),
            [b'0', _, ..] => (8, magnitude),
            decimal => (10, decimal),
        };
        let is_digit = |byte: &u8| char::from(*byte).is_digit(radix);
        if text.is_empty() || !text.iter().all(is_digit) {
            return None;
        }
        let value = digits(text, radix).map(|value| if negative { value.wrapping_neg() } else { value });
        Some(Self { white: white > 0, sign: magnitude.len() != unsigned.len(), value })
    }
}
