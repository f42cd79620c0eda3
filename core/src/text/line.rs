//! Text that is put together before it is written.

use core::fmt::{self, Write};
use core::str;

/// How many bytes are held back: most texts are shorter.
const ROOM: usize = 64;

/// Text on its way to a writer, which gets it in pieces as long as possible: each costs it a call and more.
pub(crate) struct Line<'w, W: Write> {
    to: &'w mut W,
    // What is held back: whole strings.
    room: [u8; ROOM],
    len: usize,
}

impl<'w, W: Write> Line<'w, W> {
    /// Writes what `put` puts.
    #[inline]
    pub(crate) fn write(to: &'w mut W, put: impl FnOnce(&mut Self) -> fmt::Result) -> fmt::Result {
        let mut line = Self { to, room: [0; ROOM], len: 0 };
        put(&mut line)?;
        line.flush()
    }

    /// Puts an ASCII character.
    #[inline]
    pub(crate) fn ascii(&mut self, byte: u8) -> fmt::Result {
        if self.len == ROOM {
            self.flush()?;
        }
        if let Some(place) = self.room.get_mut(self.len) {
            *place = byte & 0x7f;
            self.len = self.len.wrapping_add(1);
        }
        Ok(())
    }

    /// Puts a number in decimal.
    pub(crate) fn decimal(&mut self, number: u64) -> fmt::Result {
        // The last digit first, of 20 at most.
        let mut digits = [0; 20];
        let mut len = 0_usize;
        let mut rest = number;
        for digit in &mut digits {
            let [last, ..] = (rest % 10).to_le_bytes();
            *digit = b'0' | last;
            len = len.wrapping_add(1);
            rest /= 10;
            if rest == 0 {
                break;
            }
        }
        digits.iter().take(len).rev().try_for_each(|digit| self.ascii(*digit))
    }

    /// Writes what is held.
    fn flush(&mut self) -> fmt::Result {
        let held = self.room.get(..self.len).and_then(|held| str::from_utf8(held).ok());
        self.len = 0;
        self.to.write_str(held.ok_or(fmt::Error)?)
    }

    /// Writes what is held, and `text` behind it.
    #[cold]
    fn write_through(&mut self, text: &str) -> fmt::Result {
        self.flush()?;
        self.to.write_str(text)
    }
}

impl<W: Write> Write for Line<'_, W> {
    #[inline]
    fn write_str(&mut self, text: &str) -> fmt::Result {
        match self.room.get_mut(self.len..).and_then(|rest| rest.get_mut(..text.len())) {
            Some(room) => {
                room.copy_from_slice(text.as_bytes());
                self.len = self.len.wrapping_add(text.len());
                Ok(())
            }
            None => self.write_through(text),
        }
    }
}
