//! Results on the heap.

use rdma_addrinfo_core::{Entry, PathData, Storage};
use std::ffi::{CStr, CString};

/// Room for results that grows on the heap, and is kept for the next call.
///
/// Where memory runs out there is no more room, as in a storage of fixed size: what does not fit is left out, and the
/// list [says so](rdma_addrinfo_core::AddrInfoList::is_truncated).
///
/// ```
/// use rdma_addrinfo::{HeapResults, Resolver};
///
/// let mut results = HeapResults::new();
/// for node in ["127.0.0.1", "::1"] {
///     let list = Resolver::new().resolve_into(node, "7471", None, &mut results)?;
///     assert_eq!(list.len(), 1);
/// }
/// # Ok::<(), rdma_addrinfo::Error>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct HeapResults {
    entries: Vec<Entry>,
    paths: Vec<PathData>,
    name: Option<CString>,
}

impl HeapResults {
    /// No results yet, and no memory.
    #[must_use]
    pub const fn new() -> Self {
        Self { entries: Vec::new(), paths: Vec::new(), name: None }
    }
}

impl Storage for HeapResults {
    // Inlined, so that the entry is made where it stays.
    #[inline(always)]
    fn push(&mut self, entry: Entry) -> bool {
        let room = self.entries.try_reserve(1).is_ok();
        if room {
            self.entries.push(entry);
        }
        room
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
        let before = self.paths.len();
        for path in paths {
            if self.paths.try_reserve(1).is_err() {
                self.paths.truncate(before);
                return false;
            }
            self.paths.push(path);
        }
        true
    }

    fn paths(&self) -> &[PathData] {
        &self.paths
    }

    fn set_name(&mut self, name: &CStr) -> bool {
        let mut bytes = Vec::new();
        self.name = match bytes.try_reserve_exact(name.count_bytes() + 1) {
            Ok(()) => {
                bytes.extend_from_slice(name.to_bytes_with_nul());
                CString::from_vec_with_nul(bytes).ok()
            }
            Err(_) => None,
        };
        self.name.is_some()
    }

    fn name(&self) -> Option<&CStr> {
        self.name.as_deref()
    }

    #[inline]
    fn clear(&mut self) {
        self.entries.clear();
        self.paths.clear();
        self.name = None;
    }
}
