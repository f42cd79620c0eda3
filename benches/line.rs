//! Text without a heap.

use std::fmt::{self, Write};

/// A short text without a heap, so that the writer is measured and not the allocator.
#[derive(Clone, Copy, Debug)]
pub struct Line {
    bytes: [u8; 128],
    len: usize,
}

impl Line {
    /// No text yet.
    #[must_use]
    pub const fn new() -> Self {
        Self { bytes: [0; 128], len: 0 }
    }

    /// What was written.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes[..self.len]
    }
}

impl Default for Line {
    fn default() -> Self {
        Self::new()
    }
}

impl Write for Line {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        let end = self.len + text.len();
        self.bytes.get_mut(self.len..end).ok_or(fmt::Error)?.copy_from_slice(text.as_bytes());
        self.len = end;
        Ok(())
    }
}
