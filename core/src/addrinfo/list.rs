//! Results in their order.

use super::nothing::Nothing;
use super::{AddrInfo, Entry, Storage};
use crate::foreign::Foreign;
use core::fmt;

/// The most results that are read of one list: an end for a foreign list that is a cycle, far beyond any real
/// one.
const MOST_ENTRIES: usize = 1 << 16;

// Every rustdoc checks that the examples marked so fail to compile; only nightly's compares the error code.
/// A borrowed list of results.
///
/// It borrows the memory of its results:
/// ```
/// # use rdma_addrinfo_core::{Results, resolve_literal};
/// let mut results = Results::<4>::new();
/// let list = resolve_literal("192.0.2.7", "7471", None, &mut results)?;
/// assert_eq!(list.len(), 1);
/// # Ok::<(), rdma_addrinfo_core::Error>(())
/// ```
/// so that it cannot outlive them,
/// ```compile_fail,E0597
/// # use rdma_addrinfo_core::{Results, resolve_literal};
/// let list = {
///     let mut results = Results::<4>::new();
///     resolve_literal("192.0.2.7", "7471", None, &mut results)?
/// };
/// assert_eq!(list.len(), 1);
/// # Ok::<(), rdma_addrinfo_core::Error>(())
/// ```
/// and they cannot be used for something else before it is done with.
/// ```compile_fail,E0499
/// # use rdma_addrinfo_core::{Results, resolve_literal};
/// let mut results = Results::<4>::new();
/// let list = resolve_literal("192.0.2.7", "7471", None, &mut results)?;
/// let other = resolve_literal("192.0.2.8", "7471", None, &mut results)?;
/// assert_eq!(list.len(), 1);
/// # Ok::<(), rdma_addrinfo_core::Error>(())
/// ```
#[derive(Clone, Copy)]
pub struct AddrInfoList<'a> {
    head: Head<'a>,
    truncated: bool,
}

/// The first of the results that are left.
#[derive(Clone, Copy)]
enum Head<'a> {
    Own { storage: &'a dyn Storage, first: usize },
    Foreign(Option<Foreign<'a>>),
}

impl<'a> AddrInfoList<'a> {
    /// The view of a C list.
    #[must_use]
    pub const fn from_foreign(first: Option<Foreign<'a>>) -> Self {
        Self { head: Head::Foreign(first), truncated: false }
    }

    pub(crate) const fn own(storage: &'a dyn Storage, first: usize, truncated: bool) -> Self {
        Self { head: Head::Own { storage, first }, truncated }
    }

    /// Where the list starts in its storage, to come back to it without holding the borrow; `None` for the
    /// view of a C list.
    #[must_use]
    pub const fn start(&self) -> Option<ListStart> {
        match self.head {
            Head::Own { first, .. } => Some(ListStart { first, truncated: self.truncated }),
            Head::Foreign(_) => None,
        }
    }

    /// Whether results are missing because the storage had no room for them.
    #[must_use]
    pub const fn is_truncated(&self) -> bool {
        self.truncated
    }

    /// The first result.
    #[must_use]
    pub fn first(&self) -> Option<AddrInfo<'a>> {
        self.iter().next()
    }

    /// Whether there is no result.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.first().is_none()
    }

    /// How many results there are; walks the list.
    #[must_use]
    pub fn len(&self) -> usize {
        self.iter().count()
    }

    /// The results in their order. Of a C list at most 65,536 are read: it could be a cycle.
    #[must_use]
    #[inline]
    pub fn iter(&self) -> AddrInfoIter<'a> {
        match self.head {
            Head::Own { storage, first } => {
                let entries = storage.entries();
                AddrInfoIter { next: Next::Own(entries.get(first)), entries, storage, left: entries.len() }
            }
            Head::Foreign(foreign) => AddrInfoIter {
                next: Next::Foreign(foreign),
                entries: &[],
                storage: &Nothing,
                left: MOST_ENTRIES,
            },
        }
    }
}

/// Where a list starts in its [`Storage`], for those who own the storage.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ListStart {
    first: usize,
    truncated: bool,
}

impl ListStart {
    /// The list that starts here. A storage that has changed since gives other results or none, never harm.
    #[must_use]
    pub const fn list(self, storage: &dyn Storage) -> AddrInfoList<'_> {
        AddrInfoList::own(storage, self.first, self.truncated)
    }
}

impl<'a> IntoIterator for AddrInfoList<'a> {
    type Item = AddrInfo<'a>;
    type IntoIter = AddrInfoIter<'a>;

    fn into_iter(self) -> AddrInfoIter<'a> {
        self.iter()
    }
}

impl<'a> IntoIterator for &AddrInfoList<'a> {
    type Item = AddrInfo<'a>;
    type IntoIter = AddrInfoIter<'a>;

    fn into_iter(self) -> AddrInfoIter<'a> {
        self.iter()
    }
}

impl fmt::Debug for AddrInfoList<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

/// The results of a list in their order.
#[derive(Clone)]
pub struct AddrInfoIter<'a> {
    next: Next<'a>,
    // The storage is asked for its entries once.
    entries: &'a [Entry],
    storage: &'a dyn Storage,
    // How many more may follow: a chain that leads back into itself ends all the same.
    left: usize,
}

/// The next result, if there is one. Nothing else changes from one to the next, so that it stays in a register.
#[derive(Clone)]
enum Next<'a> {
    Own(Option<&'a Entry>),
    Foreign(Option<Foreign<'a>>),
}

impl<'a> Iterator for AddrInfoIter<'a> {
    type Item = AddrInfo<'a>;

    #[inline]
    fn next(&mut self) -> Option<AddrInfo<'a>> {
        self.left = self.left.checked_sub(1)?;
        match &mut self.next {
            Next::Own(next) => {
                let entry = (*next)?;
                *next = self.entries.get(entry.next);
                Some(AddrInfo::own(entry, self.storage))
            }
            Next::Foreign(next) => {
                let foreign = (*next)?;
                *next = foreign.next();
                Some(AddrInfo::foreign(foreign, self.storage))
            }
        }
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (0, Some(self.left))
    }
}

impl core::iter::FusedIterator for AddrInfoIter<'_> {}

impl fmt::Debug for AddrInfoIter<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.clone()).finish()
    }
}
