//! Results without a heap.

use crate::addrinfo::{AddrInfoList, Buffer, Entry, Fixed, Outcome, Storage};
use crate::route::PathData;
use core::fmt;

/// Results of a fixed capacity in place, without a heap: `N` addresses, `P` paths, and a canonical name of 255 bytes.
///
/// An address with a route can have two results, an IP entry and an AF_IB entry; they count as one. An address takes
/// 280 bytes, a path 72. What does not fit is left out, and the list [says so](AddrInfoList::is_truncated). Making one
/// costs nothing: its memory is not initialized.
pub struct Results<const N: usize, const P: usize = 8> {
    entries: heapless::Vec<Entry, N>,
    shared: Fixed<heapless::Vec<PathData, P>>,
}

impl<const N: usize, const P: usize> Results<N, P> {
    /// No results yet.
    #[must_use]
    #[inline]
    pub const fn new() -> Self {
        let shared = Fixed { outcome: Outcome::NONE, name: None, paths: heapless::Vec::new() };
        Self { entries: heapless::Vec::new(), shared }
    }

    /// The results of the last resolution, as it returned them; none if it failed or was not finished.
    #[must_use]
    pub fn list(&self) -> AddrInfoList<'_> {
        AddrInfoList::own(&self.entries, &self.shared)
    }
}

impl<'r, const N: usize, const P: usize> From<&'r mut Results<N, P>> for Storage<'r> {
    #[inline]
    fn from(results: &'r mut Results<N, P>) -> Self {
        Self { entries: Buffer::Fixed(&mut results.entries), shared: &mut results.shared }
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
