//! A storage that never runs out.

use rdma_addrinfo_core::{Entry, PathData, Storage};
use std::ffi::{CStr, CString};

/// Results on the heap.
#[derive(Default)]
pub struct Unbounded {
    entries: Vec<Entry>,
    paths: Vec<PathData>,
    name: Option<CString>,
}

impl Storage for Unbounded {
    fn push(&mut self, entry: Entry) -> bool {
        self.entries.push(entry);
        true
    }

    fn entries(&self) -> &[Entry] {
        &self.entries
    }

    fn entries_mut(&mut self) -> &mut [Entry] {
        &mut self.entries
    }

    fn push_paths(&mut self, paths: &mut dyn Iterator<Item = PathData>) -> bool {
        self.paths.extend(paths);
        true
    }

    fn paths(&self) -> &[PathData] {
        &self.paths
    }

    fn set_name(&mut self, name: &CStr) -> bool {
        self.name = Some(name.to_owned());
        true
    }

    fn name(&self) -> Option<&CStr> {
        self.name.as_deref()
    }

    fn clear(&mut self) {
        *self = Self::default();
    }
}
