//! Where text that could only be an IPv4 address goes wrong.

use super::Fault;
use crate::error::Reason;
use crate::text::number::digits;

/// The first fault, from left to right, of text that ends in a number but for one final dot, or that is the dotted
/// tail of an IPv6 address.
pub(super) fn fault(text: &[u8]) -> Fault {
    let body = match text {
        [body @ .., b'.'] => body,
        body => body,
    };
    let count = body.split(|byte| *byte == b'.').fold(0_usize, |count, _| count.wrapping_add(1));
    let mut offset = 0_usize;
    for (place, part) in body.split(|byte| *byte == b'.').enumerate() {
        if place == 4 {
            // The fourth dot.
            return (Reason::TooManyParts, offset.wrapping_sub(1));
        }
        match part_fault(part) {
            Some((Reason::Octet, _)) if count == 1 => break,
            Some((reason, within)) => return (reason, offset.wrapping_add(within)),
            None => {}
        }
        offset = offset.wrapping_add(part.len()).wrapping_add(1);
    }
    match count {
        1 => (Reason::SingleNumber, 0),
        2 | 3 => (Reason::ShortForm, body.len()),
        _ => (Reason::FinalDot, body.len()),
    }
}

fn part_fault(part: &[u8]) -> Option<Fault> {
    if let [b'0', b'x' | b'X', hex @ ..] = part
        && hex.iter().all(u8::is_ascii_hexdigit)
    {
        return Some((Reason::HexPart, 0));
    }
    let number = part.split(|byte| !byte.is_ascii_digit()).next().unwrap_or(part);
    match number {
        [] => Some((Reason::NotDecimal, 0)),
        [b'0', _, ..] => Some((Reason::LeadingZero, 0)),
        _ if digits(number, 10).is_none_or(|value| value > 255) => Some((Reason::Octet, 0)),
        _ if number.len() < part.len() => Some((Reason::NotDecimal, number.len())),
        _ => None,
    }
}
