//! Results on the heap, with the room that they are given.

use rdma_addrinfo_core::{Entry, PathData, Storage};
use std::ffi::{CStr, CString};

/// Vectors of entries and paths, and a name.
#[derive(Debug)]
pub(crate) struct Heap {
    entries: Vec<Entry>,
    paths: Vec<PathData>,
    name: Option<CString>,
    most_entries: usize,
    most_paths: usize,
    most_of_name: usize,
}

impl Heap {
    /// Never full.
    pub(crate) const fn unbounded() -> Self {
        Self::bounded(usize::MAX, usize::MAX, usize::MAX)
    }

    /// With room for so many entries, paths, and bytes of a name.
    pub(crate) const fn bounded(most_entries: usize, most_paths: usize, most_of_name: usize) -> Self {
        Self { entries: Vec::new(), paths: Vec::new(), name: None, most_entries, most_paths, most_of_name }
    }
}

impl Storage for Heap {
    fn push(&mut self, entry: Entry) -> bool {
        let fits = self.entries.len() < self.most_entries;
        if fits {
            self.entries.push(entry);
        }
        fits
    }

    fn entries(&self) -> &[Entry] {
        &self.entries
    }

    fn entries_mut(&mut self) -> &mut [Entry] {
        &mut self.entries
    }

    fn push_paths(&mut self, paths: &mut dyn Iterator<Item = PathData>) -> bool {
        let paths: Vec<_> = paths.collect();
        let fits = paths.len() <= self.most_paths - self.paths.len();
        if fits {
            self.paths.extend(paths);
        }
        fits
    }

    fn paths(&self) -> &[PathData] {
        &self.paths
    }

    fn set_name(&mut self, name: &CStr) -> bool {
        self.name = (name.count_bytes() <= self.most_of_name).then(|| name.to_owned());
        self.name.is_some()
    }

    fn name(&self) -> Option<&CStr> {
        self.name.as_deref()
    }

    fn clear(&mut self) {
        *self = Self::bounded(self.most_entries, self.most_paths, self.most_of_name);
    }
}
