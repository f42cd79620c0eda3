//! One host of a list.

use super::item::MAX_BRACKETS;
use crate::text::Line;
use core::fmt;
use heapless::Vec;

/// A host of a list: its name, not yet written anywhere.
///
/// The name is as long as [`len`](Self::len) says, which may be more than a host name may be. [`Display`](fmt::Display)
/// writes it with U+FFFD for what is not UTF-8.
#[derive(Clone, Debug)]
pub struct Host<'a> {
    parts: Vec<Part<'a>, MAX_BRACKETS>,
    tail: &'a [u8],
}

/// Text, and the number that follows it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Part<'a> {
    pub(super) literal: &'a [u8],
    pub(super) value: u64,
    /// How many digits the number has at least.
    pub(super) width: usize,
}

impl<'a> Host<'a> {
    pub(super) fn new(parts: impl Iterator<Item = Part<'a>>, tail: &'a [u8]) -> Self {
        // Not `collect`, which panics at more than there is room for.
        let mut all = Vec::new();
        for part in parts {
            if all.push(part).is_err() {
                break;
            }
        }
        Self { parts: all, tail }
    }

    /// How many bytes the name has.
    #[must_use]
    #[expect(clippy::len_without_is_empty, reason = "it never is")]
    pub fn len(&self) -> usize {
        let parts = self.parts.iter().map(|part| part.literal.len().saturating_add(part.digits()));
        parts.fold(self.tail.len(), usize::saturating_add)
    }

    /// Writes the name to the start of a buffer, and gives what has been written; `None` if the buffer is too small.
    pub fn write_to<'b>(&self, buffer: &'b mut [u8]) -> Option<&'b [u8]> {
        let name = buffer.get_mut(..self.len())?;
        let mut rest = &mut *name;
        for part in &self.parts {
            rest = put(rest, part.literal)?;
            let (number, behind) = rest.split_at_mut_checked(part.digits())?;
            let mut value = part.value;
            for place in number.iter_mut().rev() {
                let [digit, ..] = (value % 10).to_le_bytes();
                *place = b'0' | digit;
                value /= 10;
            }
            rest = behind;
        }
        put(rest, self.tail)?;
        Some(name)
    }
}

/// Copies a text to the start of a buffer, and gives the rest of that.
fn put<'b>(buffer: &'b mut [u8], text: &[u8]) -> Option<&'b mut [u8]> {
    let (to, rest) = buffer.split_at_mut_checked(text.len())?;
    to.copy_from_slice(text);
    Some(rest)
}

impl Part<'_> {
    /// How many digits are written.
    fn digits(&self) -> usize {
        self.least_digits().max(self.width)
    }

    /// How many digits the number has without zeros before it.
    fn least_digits(&self) -> usize {
        let log = self.value.checked_ilog10().and_then(|log| usize::try_from(log).ok());
        log.unwrap_or(0).saturating_add(1)
    }
}

impl fmt::Display for Host<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Line::write(f, |line| {
            for part in &self.parts {
                write_text(line, part.literal)?;
                (part.least_digits()..part.width).try_for_each(|_| line.ascii(b'0'))?;
                line.decimal(part.value)?;
            }
            write_text(line, self.tail)
        })
    }
}

fn write_text(line: &mut impl fmt::Write, text: &[u8]) -> fmt::Result {
    for chunk in text.utf8_chunks() {
        line.write_str(chunk.valid())?;
        if !chunk.invalid().is_empty() {
            line.write_str("\u{fffd}")?;
        }
    }
    Ok(())
}
