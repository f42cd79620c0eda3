//! Results in their order.

use super::info::Shared;
use super::{AddrInfo, Entry, Listed, Outcome};
use crate::foreign::Foreign;
use crate::route::PathData;
use core::ffi::CStr;
use core::{fmt, slice};

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
    shared: Shared<'a>,
    // How many results there are; of a C list, how many are read at most.
    most: usize,
    truncated: bool,
}

/// Where the results lie.
#[derive(Clone, Copy)]
enum Head<'a> {
    Own(&'a [Entry]),
    Foreign(Option<Foreign<'a>>),
}

impl<'a> AddrInfoList<'a> {
    /// The view of a C list.
    #[must_use]
    pub const fn from_foreign(first: Option<Foreign<'a>>) -> Self {
        Self { head: Head::Foreign(first), shared: Shared::NONE, most: MOST_ENTRIES, truncated: false }
    }

    /// The list of our own entries; `name` ends with a NUL, or is empty for none.
    #[inline]
    pub(crate) fn own(entries: &'a [Entry], paths: &'a [PathData], name: &'a [u8], outcome: Outcome) -> Self {
        let name = if name.is_empty() { None } else { CStr::from_bytes_with_nul(name).ok() };
        let Outcome { listed, truncated } = outcome;
        Self { head: Head::Own(entries), shared: Shared { paths, name }, most: listed, truncated }
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
    pub const fn is_empty(&self) -> bool {
        match self.head {
            Head::Own(_) => self.most == 0,
            Head::Foreign(first) => first.is_none(),
        }
    }

    /// How many results there are. Known for our own; a C list is walked.
    #[must_use]
    pub fn len(&self) -> usize {
        match self.head {
            Head::Own(_) => self.most,
            Head::Foreign(_) => self.iter().count(),
        }
    }

    /// The results in their order. Of a C list at most 65,536 are read: it could be a cycle.
    #[must_use]
    #[inline]
    pub fn iter(&self) -> AddrInfoIter<'a> {
        let next = match self.head {
            Head::Own(entries) => Next::Own { entries: entries.iter(), second: None },
            Head::Foreign(first) => Next::Foreign(first),
        };
        AddrInfoIter { next, shared: self.shared, left: self.most }
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
    shared: Shared<'a>,
    // How many more follow, or of a C list may follow: one that leads back into itself ends all the same.
    left: usize,
}

/// What is left of the list.
#[derive(Clone)]
enum Next<'a> {
    Own {
        entries: slice::Iter<'a, Entry>,
        /// The second result of the entry whose first was last.
        second: Option<AddrInfo<'a>>,
    },
    Foreign(Option<Foreign<'a>>),
}

impl<'a> Iterator for AddrInfoIter<'a> {
    type Item = AddrInfo<'a>;

    #[inline]
    fn next(&mut self) -> Option<AddrInfo<'a>> {
        self.left = self.left.checked_sub(1)?;
        match &mut self.next {
            Next::Own { entries, second } => {
                if let Some(second) = second.take() {
                    return Some(second);
                }
                loop {
                    let entry = entries.next()?;
                    let ip = || AddrInfo::own(entry, None, self.shared);
                    let ib = |ib| AddrInfo::own(entry, Some(ib), self.shared);
                    return Some(match &entry.listed {
                        Listed::Nothing => continue,
                        Listed::Entry => ip(),
                        Listed::IbEntry(it) => ib(it),
                        Listed::EntryThenIb(it) => {
                            *second = Some(ib(it));
                            ip()
                        }
                        Listed::IbThenEntry(it) => {
                            *second = Some(ip());
                            ib(it)
                        }
                    });
                }
            }
            Next::Foreign(next) => {
                let foreign = (*next)?;
                *next = foreign.next();
                Some(AddrInfo::from_foreign(foreign))
            }
        }
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        match self.next {
            Next::Own { .. } => (self.left, Some(self.left)),
            Next::Foreign(_) => (0, Some(self.left)),
        }
    }
}

impl core::iter::FusedIterator for AddrInfoIter<'_> {}

impl fmt::Debug for AddrInfoIter<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.clone()).finish()
    }
}
