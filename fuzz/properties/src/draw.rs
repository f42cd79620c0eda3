//! Structured values from bytes.

/// A stream of bytes; zeros follow its end, so that every input is a whole one.
#[derive(Clone, Debug)]
pub(crate) struct Draw<'a>(&'a [u8]);

impl<'a> Draw<'a> {
    /// From the first byte on.
    pub(crate) const fn new(bytes: &'a [u8]) -> Self {
        Self(bytes)
    }

    /// The next `N` bytes.
    pub(crate) fn bytes<const N: usize>(&mut self) -> [u8; N] {
        std::array::from_fn(|_| self.byte())
    }

    /// The next byte.
    pub(crate) fn byte(&mut self) -> u8 {
        let (first, rest) = self.0.split_first().unwrap_or((&0, &[]));
        self.0 = rest;
        *first
    }

    /// One of several, by the next byte.
    pub(crate) fn pick<T: Copy>(&mut self, of: &[T]) -> T {
        of[usize::from(self.byte()) % of.len()]
    }

    /// As many bytes.
    pub(crate) fn some(&mut self, length: usize) -> Vec<u8> {
        (0..length).map(|_| self.byte()).collect()
    }

    /// A number that a C `int` holds, mostly one of `known`.
    pub(crate) fn int(&mut self, known: &[i32]) -> i32 {
        match self.byte() {
            0xff => i32::from_be_bytes(self.bytes()),
            at => known[usize::from(at) % known.len()],
        }
    }
}
