//! Results without a heap.

use crate::addrinfo::{AddrInfoList, Buffer, Entry, Outcome, Storage};
use crate::route::PathData;
use core::fmt;

/// Room for a canonical name: 255 bytes, as long as a DNS name can be, and a NUL.
const NAME: usize = 256;

/// Results of a fixed capacity in place, without a heap: `N` addresses, `P` paths, and a canonical name of 255 bytes.
///
/// An address with a route can have two results, an IP entry and an AF_IB entry; they count as one. An address takes
/// 280 bytes, a path 72. What does not fit is left out, and the list [says so](AddrInfoList::is_truncated). Making one
/// costs nothing: its memory is not initialized.
pub struct Results<const N: usize, const P: usize = 8> {
    entries: heapless::Vec<Entry, N>,
    // Options, because the compiler clears all the memory of a structure that holds several empty vectors.
    paths: Option<heapless::Vec<PathData, P>>,
    name: Option<heapless::Vec<u8, NAME>>,
    outcome: Outcome,
}

impl<const N: usize, const P: usize> Results<N, P> {
    /// No results yet.
    #[must_use]
    #[inline]
    pub const fn new() -> Self {
        Self { entries: heapless::Vec::new(), paths: None, name: None, outcome: Outcome::NONE }
    }

    /// The results of the last resolution, as it returned them; none if it failed or was not finished.
    #[must_use]
    pub fn list(&self) -> AddrInfoList<'_> {
        let (paths, name) = (self.paths.as_deref(), self.name.as_deref());
        AddrInfoList::own(&self.entries, paths.unwrap_or_default(), name.unwrap_or_default(), self.outcome)
    }
}

impl<'r, const N: usize, const P: usize> From<&'r mut Results<N, P>> for Storage<'r> {
    #[inline]
    fn from(results: &'r mut Results<N, P>) -> Self {
        Self {
            entries: Buffer::Fixed(results.entries.as_mut_view()),
            paths: Buffer::Fixed(results.paths.get_or_insert_default().as_mut_view()),
            name: Buffer::Fixed(results.name.get_or_insert_default().as_mut_view()),
            outcome: &mut results.outcome,
        }
    }
}

impl<const N: usize, const P: usize> Default for Results<N, P> {
    fn default() -> Self {
        Self::new()
    }
}

impl<const N: usize, const P: usize> fmt::Debug for Results<N, P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.list(), f)
    }
}
