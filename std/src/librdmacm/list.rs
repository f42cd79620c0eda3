//! [`LibraryList`]: a list of librdmacm's, owned.
#![allow(unsafe_code)]

use super::Library;
use rdma_addrinfo_core::abi::rdma_addrinfo;
use rdma_addrinfo_core::{AddrInfo, AddrInfoIter, AddrInfoList, RawAddrInfo};
use std::fmt;
use std::mem::ManuallyDrop;

/// `rdma_freeaddrinfo`
pub(super) type FreeAddrInfo = unsafe extern "C" fn(*mut rdma_addrinfo);

/// The results of librdmacm, in its memory: nothing is copied.
///
/// Borrow them as a list, or iterate over `&list`. The library that allocated it frees it on drop. Views cannot
/// outlive it:
/// ```compile_fail,E0505
/// # use rdma_addrinfo::Library;
/// let list = Library::load().unwrap().getaddrinfo("192.0.2.7", "7471", None).unwrap();
/// let info = list.first().unwrap();
/// drop(list);
/// println!("{info}");
/// ```
#[doc(alias = "rdma_addrinfo")]
pub struct LibraryList {
    // Invariant: null, or a list that keeps the contract of `RawAddrInfo::from_ptr`, that `free` frees, on any thread,
    // and that nobody else frees or changes while this exists.
    first: *mut rdma_addrinfo,
    free: FreeAddrInfo,
}

impl LibraryList {
    /// Takes ownership of a list of librdmacm, for example from `rdma_getaddrinfo` called elsewhere, or from
    /// [`into_raw`](Self::into_raw). Null is the empty list.
    ///
    /// # Safety
    /// `first` is null, or the first structure of a list that
    /// - functions of `library` allocated, or another copy of librdmacm with the same allocator;
    /// - nobody has freed, and nobody else frees or changes from now on;
    /// - keeps the contract of [`RawAddrInfo::from_ptr`] until it is freed.
    #[must_use]
    pub const unsafe fn from_raw(library: &Library, first: *mut rdma_addrinfo) -> Self {
        Self { first, free: library.free }
    }

    /// The first structure for `rdma_create_ep`, null for an empty list. It is read-only and valid as long as this list;
    /// the pointer is mutable because C declares it so.
    #[must_use]
    #[doc(alias = "rdma_create_ep")]
    pub const fn as_raw(&self) -> *mut rdma_addrinfo {
        self.first
    }

    /// Releases ownership of the list, to be freed by `rdma_freeaddrinfo` of the same library or by
    /// [`from_raw`](Self::from_raw).
    #[must_use = "the list leaks unless it is freed"]
    pub fn into_raw(self) -> *mut rdma_addrinfo {
        ManuallyDrop::new(self).first
    }

    /// The results as a borrowed list.
    #[must_use]
    pub const fn list(&self) -> AddrInfoList<'_> {
        // SAFETY: by the invariant, the list keeps the contract of `from_ptr` as long as `self` exists, which is
        // borrowed for as long as the view: nobody but `drop` and `into_raw` can end that, and both need `self`.
        let first = unsafe { RawAddrInfo::from_ptr(self.first) };
        AddrInfoList::from_raw(first)
    }

    /// The results in their order, at most 65,536.
    #[must_use]
    pub fn iter(&self) -> AddrInfoIter<'_> {
        self.list().iter()
    }

    /// The first result.
    #[must_use]
    pub fn first(&self) -> Option<AddrInfo<'_>> {
        self.list().first()
    }

    /// The number of results; walks the list.
    #[must_use]
    pub fn len(&self) -> usize {
        self.list().len()
    }

    /// Whether there is no result.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.first.is_null()
    }
}

impl Drop for LibraryList {
    #[doc(alias = "rdma_freeaddrinfo")]
    fn drop(&mut self) {
        if !self.first.is_null() {
            // SAFETY: by the invariant `free` frees this list, and nobody has; every view borrows `self`, so none is
            // left; `into_raw`, which gives the list away, does not come here.
            unsafe { (self.free)(self.first) }
        }
    }
}

// SAFETY: by the invariant nobody else frees or changes the list, and any thread may free it: rdma_freeaddrinfo
// gives memory back to malloc and uses nothing of the thread that got it.
unsafe impl Send for LibraryList {}

// SAFETY: a shared list is only read: `as_raw` says so of its pointer, and what is done with that is unsafe code.
unsafe impl Sync for LibraryList {}

impl<'a> IntoIterator for &'a LibraryList {
    type Item = AddrInfo<'a>;
    type IntoIter = AddrInfoIter<'a>;

    fn into_iter(self) -> AddrInfoIter<'a> {
        self.iter()
    }
}

impl fmt::Debug for LibraryList {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}
