//! One item of a list: text with brackets, and where its expansion stands.

use super::Fault;
use super::host::{Host, Part};
use super::range::{Range, missing};
use crate::error::Reason;
use heapless::Vec;

/// How many brackets an item may have.
pub(super) const MAX_BRACKETS: usize = 8;

/// An item that has been read, at one of its hosts.
#[derive(Clone)]
pub(super) struct Item<'a> {
    wheels: Vec<Wheel<'a>, MAX_BRACKETS>,
    /// What follows the last brackets.
    tail: &'a [u8],
}

impl<'a> Item<'a> {
    /// Reads the item at the start of a text, at its first host; and gives the text behind its comma, if it has one.
    pub(super) fn read(text: &'a [u8]) -> Result<(Self, Option<&'a [u8]>), Fault> {
        let mut wheels = Vec::new();
        let mut left = text;
        loop {
            let (literal, rest) = literal(left);
            match rest {
                [b'[', ..] if wheels.is_full() => return Err((Reason::TooManyBrackets, rest.len())),
                [b'[', ranges @ ..] => {
                    let (wheel, behind) = Wheel::read(literal, ranges)?;
                    // There is room.
                    let _ = wheels.push(wheel);
                    left = behind;
                }
                [] | [b',', ..] if wheels.is_empty() && literal.is_empty() => {
                    return Err((Reason::NoHost, rest.len()));
                }
                [] => return Ok((Self { wheels, tail: literal }, None)),
                [b',', next @ ..] => return Ok((Self { wheels, tail: literal }, Some(next))),
                [byte, ..] => return Err((refusal(*byte), rest.len())),
            }
        }
    }

    /// How many hosts it stands for; `None` if that does not fit.
    pub(super) fn count(&self) -> Option<u64> {
        self.wheels.iter().try_fold(1_u64, |count, wheel| count.checked_mul(wheel.count?))
    }

    /// The host at which it stands.
    pub(super) fn host(&self) -> Host<'a> {
        Host::new(self.wheels.iter().map(|wheel| wheel.part()), self.tail)
    }

    /// Goes on to the next host; `false` if that was the last.
    pub(super) fn advance(&mut self) -> bool {
        // As the wheels of an odometer: one that has gone round moves the one before it.
        self.wheels.iter_mut().rev().any(Wheel::advance)
    }
}

/// The text up to the next byte that is no part of a name, and the rest.
fn literal(text: &[u8]) -> (&[u8], &[u8]) {
    let is_literal = |byte: &u8| !matches!(byte, 0..=b' ' | 0x7f | b'[' | b']' | b',');
    let len = text.iter().position(|byte| !is_literal(byte)).unwrap_or(text.len());
    text.split_at_checked(len).unwrap_or((text, &[]))
}

/// Why a byte is no part of a name.
fn refusal(byte: u8) -> Reason {
    match byte {
        0 => Reason::Nul,
        b' ' | b'\t'..=b'\r' => Reason::WhiteSpace,
        b']' => Reason::StrayBracket,
        _ => Reason::Control,
    }
}

/// Brackets, and the text before them.
#[derive(Clone)]
struct Wheel<'a> {
    literal: &'a [u8],
    /// What is in the brackets, and whatever follows.
    ranges: &'a [u8],
    /// How many numbers that is; `None` if that does not fit.
    count: Option<u64>,
    /// The range that it is in, the text behind it, and the number.
    range: Range,
    rest: &'a [u8],
    value: u64,
}

impl<'a> Wheel<'a> {
    /// Reads what follows a `[`, up to its `]`, and gives what follows that.
    fn read(literal: &'a [u8], ranges: &'a [u8]) -> Result<(Self, &'a [u8]), Fault> {
        let (range, rest) = Range::read(ranges)?;
        let mut count = range.count();
        let mut left = rest;
        loop {
            match left {
                [b']', behind @ ..] => {
                    let value = range.first;
                    return Ok((Self { literal, ranges, count, range, rest, value }, behind));
                }
                [b',', next @ ..] => {
                    let (range, behind) = Range::read(next)?;
                    count = count.zip(range.count()).and_then(|(count, more)| count.checked_add(more));
                    left = behind;
                }
                _ => return Err((missing(left), left.len())),
            }
        }
    }

    fn part(&self) -> Part<'a> {
        Part { literal: self.literal, value: self.value, width: self.range.width }
    }

    /// Goes on to the next number; `false` if it has gone round and is at the first again.
    fn advance(&mut self) -> bool {
        if self.value < self.range.last {
            self.value = self.value.wrapping_add(self.range.step);
            return true;
        }
        let (text, is_next) = match self.rest {
            [b',', next @ ..] => (next, true),
            _ => (self.ranges, false),
        };
        // The text has been read before.
        let Ok((range, rest)) = Range::read(text) else { return false };
        (self.range, self.rest, self.value) = (range, rest, range.first);
        is_next
    }
}
