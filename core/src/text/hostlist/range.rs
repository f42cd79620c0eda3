//! What is in brackets: numbers and ranges.

use super::Fault;
use crate::error::Reason;
use crate::text::number::digit;

/// Numbers from the first to the last, which is one of them.
#[derive(Clone, Copy, Debug)]
pub(super) struct Range {
    pub(super) first: u64,
    pub(super) last: u64,
    /// At least 1.
    pub(super) step: u64,
    /// How many digits each has at least.
    pub(super) width: usize,
}

impl Range {
    /// Reads the range at the start of a text, and gives what follows it.
    pub(super) fn read(text: &[u8]) -> Result<(Self, &[u8]), Fault> {
        let (first, rest) = Number::read(text)?;
        let one = Self { first: first.value, last: first.value, step: 1, width: first.width() };
        let [b'-', end @ ..] = rest else { return Ok((one, rest)) };
        let (last, rest) = Number::read(end)?;
        // A width that only one reader would see is none.
        if last.value < first.value {
            return Err((Reason::ReversedRange, end.len()));
        }
        if last.len < first.len || last.is_padded() && last.len != first.len {
            return Err((Reason::RangeWidth, end.len()));
        }
        let (step, rest) = match rest {
            [b'/', rest @ ..] => {
                let (step, behind) = Number::read(rest)?;
                if step.value == 0 {
                    return Err((Reason::RangeStep, rest.len()));
                }
                (step.value, behind)
            }
            rest => (1, rest),
        };
        let beyond = last.value.wrapping_sub(first.value).checked_rem(step).unwrap_or(0);
        Ok((Self { last: last.value.wrapping_sub(beyond), step, ..one }, rest))
    }

    /// How many; `None` if that does not fit.
    pub(super) fn count(&self) -> Option<u64> {
        self.last.wrapping_sub(self.first).checked_div(self.step)?.checked_add(1)
    }
}

/// A number, and how many digits it is written with.
struct Number {
    value: u64,
    len: usize,
    zero: bool,
}

impl Number {
    fn read(text: &[u8]) -> Result<(Self, &[u8]), Fault> {
        let mut value = 0_u64;
        let mut rest = text;
        while let [byte, behind @ ..] = rest
            && let Some(digit) = digit(*byte)
        {
            let more = value.checked_mul(10).and_then(|value| value.checked_add(u64::from(digit)));
            value = more.ok_or((Reason::RangeNumber, text.len()))?;
            rest = behind;
        }
        match text.len().saturating_sub(rest.len()) {
            0 => Err((missing(text), text.len())),
            len => Ok((Self { value, len, zero: text.first() == Some(&b'0') }, rest)),
        }
    }

    fn is_padded(&self) -> bool {
        self.zero && self.len > 1
    }

    fn width(&self) -> usize {
        if self.is_padded() { self.len } else { 1 }
    }
}

/// What to say where a number should be.
pub(super) fn missing(text: &[u8]) -> Reason {
    match text.first() {
        None => Reason::OpenBracket,
        Some(b',' | b']') => Reason::NoNumber,
        Some(_) => Reason::NotRange,
    }
}
