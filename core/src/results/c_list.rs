//! Any list as a C `rdma_addrinfo` list.
#![allow(unsafe_code, reason = "links results as a C list")]

use crate::abi::rdma_addrinfo;
use crate::addrinfo::{AddrInfo, AddrInfoList};
use crate::foreign::RawAddrInfo;
use core::fmt;
use core::marker::PhantomData;
use core::ptr;

/// Room for a C list of `N` results, to hand to `rdma_create_ep` and the like.
///
/// The C structures point into the memory of the list that they are made from; nothing else is copied, and
/// nothing needs to be freed: never give the list to `rdma_freeaddrinfo`.
///
/// ```
/// use rdma_addrinfo_core::{CList, Hints, Results, resolve_literal};
///
/// let mut results = Results::<4>::new();
/// let list = resolve_literal("192.0.2.7", "7471", &Hints::new(), &mut results)?;
/// let mut c_list = CList::<4>::new();
/// let linked = c_list.link(&list);
/// assert!(!linked.as_ptr().is_null() && !linked.is_truncated());
/// # Ok::<(), rdma_addrinfo_core::Error>(())
/// ```
///
/// What was linked borrows both the room and the results.
/// ```compile_fail,E0505
/// # use rdma_addrinfo_core::{CList, Hints, Results, resolve_literal};
/// # let mut results = Results::<4>::new();
/// # let list = resolve_literal("192.0.2.7", "7471", &Hints::new(), &mut results)?;
/// # let mut c_list = CList::<4>::new();
/// let linked = c_list.link(&list);
/// drop(results);
/// assert!(!linked.as_ptr().is_null() && !linked.is_truncated());
/// # Ok::<(), rdma_addrinfo_core::Error>(())
/// ```
/// ```compile_fail,E0505
/// # use rdma_addrinfo_core::{CList, Hints, Results, resolve_literal};
/// # let mut results = Results::<4>::new();
/// # let list = resolve_literal("192.0.2.7", "7471", &Hints::new(), &mut results)?;
/// # let mut c_list = CList::<4>::new();
/// let linked = c_list.link(&list);
/// drop(c_list);
/// assert!(!linked.as_ptr().is_null() && !linked.is_truncated());
/// # Ok::<(), rdma_addrinfo_core::Error>(())
/// ```
pub struct CList<const N: usize> {
    // Never read but through a `CListRef`, which `link` has just written it for.
    entries: [rdma_addrinfo; N],
}

// SAFETY: the pointers inside are only reachable through a `CListRef`, which borrows what they point to.
unsafe impl<const N: usize> Send for CList<N> {}

// SAFETY: as for Send; a shared `CList` gives access to nothing.
unsafe impl<const N: usize> Sync for CList<N> {}

impl<const N: usize> CList<N> {
    /// Room, nothing linked yet.
    #[must_use]
    pub const fn new() -> Self {
        Self { entries: [rdma_addrinfo::ZERO; N] }
    }

    /// Links one result alone, `ai_next` null: `rdma_create_ep` looks at the first of a list only, so the next
    /// one is tried by linking it. Without room (`N` is 0) the list is empty and truncated.
    #[must_use]
    pub fn link_one<'c>(&'c mut self, info: AddrInfo<'c>) -> CListRef<'c> {
        let first = self.entries.first_mut().map(|slot| {
            *slot = info.to_c();
            ptr::from_mut(slot)
        });
        CListRef { first: first.unwrap_or(ptr::null_mut()), truncated: first.is_none(), memory: PhantomData }
    }

    /// Links the results of a list, in its order, as C structures.
    #[must_use]
    pub fn link<'c>(&'c mut self, list: &AddrInfoList<'c>) -> CListRef<'c> {
        let mut infos = list.iter();
        let mut linked = 0_usize;
        for (slot, info) in self.entries.iter_mut().zip(infos.by_ref().take(N)) {
            *slot = info.to_c();
            linked = linked.saturating_add(1);
        }
        let truncated = list.is_truncated() || infos.next().is_some();

        // Backwards, so that each structure learns where the one behind it lies.
        let mut next: *mut rdma_addrinfo = ptr::null_mut();
        for slot in self.entries.iter_mut().take(linked).rev() {
            slot.ai_next = next;
            next = slot;
        }
        CListRef { first: next, truncated, memory: PhantomData }
    }
}

impl<const N: usize> fmt::Debug for CList<N> {
    /// What was linked last may be gone: none of it is shown.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CList").field("capacity", &N).finish_non_exhaustive()
    }
}

impl<const N: usize> Default for CList<N> {
    fn default() -> Self {
        Self::new()
    }
}

/// A C list in a [`CList`], with what it points to.
#[derive(Clone, Copy, Debug)]
pub struct CListRef<'c> {
    // Invariant: null, or the first of a chain of structures that `AddrInfo::to_c` made, in memory borrowed for 'c.
    first: *mut rdma_addrinfo,
    truncated: bool,
    memory: PhantomData<&'c rdma_addrinfo>,
}

// SAFETY: the structures and all that they point to are borrowed for 'c, and only read through it: as good as a shared
// reference to memory without interior mutability, which may be sent.
unsafe impl Send for CListRef<'_> {}

// SAFETY: as above; such a reference may be shared.
unsafe impl Sync for CListRef<'_> {}

impl<'c> CListRef<'c> {
    /// The first structure, null for an empty list. Valid during `'c`, for reading only: the pointer is mutable
    /// because C declares it so.
    #[must_use]
    pub const fn as_ptr(&self) -> *mut rdma_addrinfo {
        self.first
    }

    /// Whether results are missing: the list was truncated already, or has more than `N`.
    #[must_use]
    pub const fn is_truncated(&self) -> bool {
        self.truncated
    }

    /// The C list as a view.
    #[must_use]
    pub const fn as_raw(&self) -> Option<RawAddrInfo<'c>> {
        // SAFETY: `first` is null or points to an aligned, initialized structure that is borrowed for 'c, as are
        // all that follow it. `to_c` took each pointer and its length from one slice, which has at most
        // isize::MAX bytes, or left both zero, and each name from a `CStr`; all these are borrowed for 'c. The
        // chain ends with null.
        unsafe { RawAddrInfo::from_ptr(self.first) }
    }
}
