//! Results without a heap.

use crate::addrinfo::{Entry, Storage};
use crate::route::PathData;
use core::ffi::CStr;
use core::fmt;

/// Room for a canonical name: 255 bytes, as long as a DNS name can be, and a NUL.
const NAME: usize = 256;

/// Room for `N` results and `P` paths in place, without a heap.
///
/// An address with a route can have two results: the IP address and its AF_IB twin. A path takes 72 bytes, a
/// result 192. What does not fit is left out, and the list
/// [says so](crate::AddrInfoList::is_truncated). Making one costs nothing: the room is not initialized.
pub struct Results<const N: usize, const P: usize = 8> {
    entries: heapless::Vec<Entry, N>,
    // Options, because the compiler clears all the room of a structure that holds several empty vectors.
    paths: Option<heapless::Vec<PathData, P>>,
    // With its NUL.
    name: Option<heapless::Vec<u8, NAME>>,
}

impl<const N: usize, const P: usize> Results<N, P> {
    /// No results yet.
    #[must_use]
    #[inline]
    pub const fn new() -> Self {
        Self { entries: heapless::Vec::new(), paths: None, name: None }
    }
}

impl<const N: usize, const P: usize> Storage for Results<N, P> {
    #[inline]
    fn push(&mut self, entry: Entry) -> bool {
        self.entries.push(entry).is_ok()
    }

    #[inline]
    fn entries(&self) -> &[Entry] {
        &self.entries
    }

    #[inline]
    fn entries_mut(&mut self) -> &mut [Entry] {
        &mut self.entries
    }

    fn push_paths(&mut self, paths: &mut dyn Iterator<Item = PathData>) -> bool {
        let room = self.paths.get_or_insert_default();
        let before = room.len();
        for path in paths {
            if room.push(path).is_err() {
                room.truncate(before);
                return false;
            }
        }
        true
    }

    #[inline]
    fn paths(&self) -> &[PathData] {
        self.paths.as_deref().unwrap_or_default()
    }

    fn set_name(&mut self, name: &CStr) -> bool {
        let room = self.name.insert(heapless::Vec::new());
        for byte in name.to_bytes_with_nul() {
            if room.push(*byte).is_err() {
                self.name = None;
                return false;
            }
        }
        true
    }

    fn name(&self) -> Option<&CStr> {
        CStr::from_bytes_with_nul(self.name.as_deref()?).ok()
    }

    #[inline]
    fn clear(&mut self) {
        self.entries.clear();
        self.paths = None;
        self.name = None;
    }
}

impl<const N: usize, const P: usize> Default for Results<N, P> {
    fn default() -> Self {
        Self::new()
    }
}

impl<const N: usize, const P: usize> fmt::Debug for Results<N, P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Results").field("entries", &self.entries).field("paths", &self.paths()).finish()
    }
}
