//! `rdma_addrinfo_core::results`

use crate::addrinfo::read;
use crate::foreign::any_foreign;
use crate::opaque::{any, c_str, sink};
use crate::{derived, each};
use core::ffi::CStr;
use rdma_addrinfo_core::{AddrInfo, AddrInfoList, CList, CListRef, Entry, PathData, Results, Storage};

pub fn calls() {
    sink(<Results<4> as Default>::default());
    let mut results = any(Results::<4>::new());
    each!(Results<4> as Storage, &mut results; push(Entry::EMPTY), entries_mut(), set_name(c_str()));
    each!(Results<4> as Storage, &mut results; push_paths(&mut any([PathData::ZERO; 9]).into_iter()));
    each!(Results<4> as Storage, &results; entries(), paths(), name());
    each!(Results<4> as Storage, &mut results; clear());
    let mut lent = any(&mut results);
    each!(&mut Results<4> as Storage, &mut lent; push(Entry::EMPTY), entries_mut(), set_name(c_str()));
    each!(&mut Results<4> as Storage, &mut lent; push_paths(&mut any([PathData::ZERO; 9]).into_iter()));
    each!(&mut Results<4> as Storage, &lent; entries(), paths(), name());
    each!(&mut Results<4> as Storage, &mut lent; clear());

    sink(<CList<4> as Default>::default());
    if let Some(foreign) = any_foreign() {
        sink(CList::link_one(&mut any(CList::<4>::new()), AddrInfo::from_foreign(foreign)));
    }
    let mut memory = any(CList::<4>::new());
    let linked = any(CList::link(&mut memory, &AddrInfoList::from_foreign(any_foreign())));
    each!(CListRef, &linked; as_ptr(), is_truncated(), as_foreign());
    derived!(CListRef<'_>, linked; Clone);
    read(AddrInfoList::from_foreign(CListRef::as_foreign(&linked)));
}

/// A storage that does whatever it likes: core trusts none.
pub struct AnyStorage {
    entries: [Entry; 4],
    paths: [PathData; 4],
}

impl AnyStorage {
    pub fn new() -> Self {
        any(Self { entries: [Entry::EMPTY; 4], paths: [PathData::ZERO; 4] })
    }
}

impl Storage for AnyStorage {
    fn push(&mut self, entry: Entry) -> bool {
        sink(entry);
        any(true)
    }

    fn entries(&self) -> &[Entry] {
        any(&self.entries)
    }

    fn entries_mut(&mut self) -> &mut [Entry] {
        any(&mut self.entries)
    }

    fn push_paths(&mut self, paths: &mut dyn Iterator<Item = PathData>) -> bool {
        sink(paths.next());
        any(true)
    }

    fn paths(&self) -> &[PathData] {
        any(&self.paths)
    }

    fn set_name(&mut self, name: &CStr) -> bool {
        sink(name);
        any(true)
    }

    fn name(&self) -> Option<&CStr> {
        any(Some(c_str()))
    }

    fn clear(&mut self) {
        any(self);
    }
}
