//! Results on the heap.

use crate::addrinfo::{AddrInfoList, Buffer, Entry, Heap, Outcome, Storage};
use alloc::vec::Vec;
use core::fmt;

/// Results that grow on the heap, whose memory is kept for the next resolution.
///
/// Where memory runs out it is as with a fixed capacity: what does not fit is left out, and the list
/// [says so](AddrInfoList::is_truncated).
///
/// ```
/// use rdma_addrinfo_core::{HeapResults, resolve_literal};
///
/// let mut results = HeapResults::new();
/// for node in ["192.0.2.7", "2001:db8::7"] {
///     let list = resolve_literal(node, "7471", None, &mut results)?;
///     assert_eq!(list.len(), 1);
/// }
/// assert_eq!(results.list().first().unwrap().dst_addr().unwrap().to_string(), "[2001:db8::7]:7471");
/// # Ok::<(), rdma_addrinfo_core::Error>(())
/// ```
#[derive(Clone, Default)]
pub struct HeapResults {
    entries: Vec<Entry>,
    shared: Heap,
}

impl HeapResults {
    /// No results yet, and no memory.
    #[must_use]
    #[inline]
    pub const fn new() -> Self {
        let shared = Heap { outcome: Outcome::NONE, name: Vec::new(), paths: Vec::new() };
        Self { entries: Vec::new(), shared }
    }

    /// The results of the last resolution, as it returned them; none if it failed or was not finished.
    #[must_use]
    pub fn list(&self) -> AddrInfoList<'_> {
        AddrInfoList::own(&self.entries, &self.shared)
    }
}

impl<'r> From<&'r mut HeapResults> for Storage<'r> {
    #[inline]
    fn from(results: &'r mut HeapResults) -> Self {
        Self { entries: Buffer::Heap(&mut results.entries), shared: &mut results.shared }
    }
}

impl fmt::Debug for HeapResults {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.list(), f)
    }
}
