//! `rdma_addrinfo_core::results`

use crate::addrinfo::read;
use crate::foreign::any_foreign;
use crate::opaque::{any, sink};
use crate::{derived, each};
use rdma_addrinfo_core::{AddrInfo, AddrInfoList, CList, CListRef, Results, Storage};

pub fn calls() {
    sink(<Results<4> as Default>::default());
    let mut results = any(Results::<4>::new());
    let mut storage = any(<Storage<'_> as From<&mut Results<4>>>::from(&mut results));
    read(any(Storage::reborrow(&mut storage)).into_list());
    read(Storage::into_list(storage));
    read(Results::list(&results));

    sink(<CList<4> as Default>::default());
    if let Some(foreign) = any_foreign() {
        sink(CList::link_one(&mut any(CList::<4>::new()), AddrInfo::from_raw(foreign)));
    }
    let mut memory = any(CList::<4>::new());
    let linked = any(CList::link(&mut memory, &AddrInfoList::from_raw(any_foreign())));
    each!(CListRef, &linked; as_ptr(), is_truncated(), as_raw());
    derived!(CListRef<'_>, linked; Clone);
    read(AddrInfoList::from_raw(CListRef::as_raw(&linked)));
}
