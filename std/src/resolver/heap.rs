//! Results on the heap.

use rdma_addrinfo_core::{Entry, PathData, Storage};
use std::ffi::{CStr, CString};

/// Room that grows. When memory runs out there is no more room, as in a storage of fixed size.
#[derive(Clone, Debug, Default)]
pub(crate) struct HeapResults {
    entries: Vec<Entry>,
    paths: Vec<PathData>,
    name: Option<CString>,
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
