//! Results in their order.

use super::{AddrInfo, Entry, IbEntry, Lent, Listed};
use crate::foreign::RawAddrInfo;
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
pub struct AddrInfoList<'a>(Head<'a>);

/// Where the results lie.
#[derive(Clone, Copy)]
enum Head<'a> {
    Own(&'a [Entry], &'a dyn Lent),
    Raw(Option<RawAddrInfo<'a>>),
}

impl<'a> AddrInfoList<'a> {
    /// The view of a C list.
    #[must_use]
    pub const fn from_raw(first: Option<RawAddrInfo<'a>>) -> Self {
        Self(Head::Raw(first))
    }

    /// The list of our own entries. What a resolution that was not finished has left is no list.
    #[inline]
    pub(crate) fn own(entries: &'a [Entry], shared: &'a dyn Lent) -> Self {
        if shared.outcome().listed == 0 { Self::from_raw(None) } else { Self(Head::Own(entries, shared)) }
    }

    /// Whether results are missing because the storage had no room for them.
    #[must_use]
    #[inline]
    pub fn is_truncated(&self) -> bool {
        match self.0 {
            Head::Own(_, shared) => shared.outcome().truncated,
            Head::Raw(_) => false,
        }
    }

    /// The first result.
    #[must_use]
    #[inline]
    pub fn first(&self) -> Option<AddrInfo<'a>> {
        match self.0 {
            Head::Own(entries, shared) => {
                let (entry, ib_entry) = match entries {
                    // Most are this.
                    [entry, ..] if matches!(entry.listed, Listed::Entry) => (entry, None),
                    _ => first_listed(entries)?,
                };
                Some(AddrInfo::own(entry, ib_entry, shared))
            }
            Head::Raw(first) => first.map(AddrInfo::from_raw),
        }
    }

    /// Whether there is no result.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        match self.0 {
            Head::Own(..) => false,
            Head::Raw(first) => first.is_none(),
        }
    }

    /// How many results there are. Known for our own; a C list is walked.
    #[must_use]
    pub fn len(&self) -> usize {
        match self.0 {
            Head::Own(_, shared) => shared.outcome().listed,
            Head::Raw(_) => self.iter().count(),
        }
    }

    /// The results in their order. Of a C list at most 65,536 are read: it could be a cycle.
    #[must_use]
    #[inline]
    pub fn iter(&self) -> AddrInfoIter<'a> {
        AddrInfoIter(match self.0 {
            Head::Own(entries, shared) => Next::Own { entries: entries.iter(), second: None, shared },
            Head::Raw(next) => Next::Raw { next, left: MOST_ENTRIES },
        })
    }
}

/// The entry of the first result, and the AF_IB entry if the result is that. Two words, which stay in registers.
#[cold]
#[inline(never)]
fn first_listed(entries: &[Entry]) -> Option<(&Entry, Option<&IbEntry>)> {
    entries.iter().find_map(|entry| Some((entry, entry.listed.first()?)))
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
pub struct AddrInfoIter<'a>(Next<'a>);

/// What is left of the list.
// With a tag of its own, which never changes from one result to the next: else the kind is read from a pointer each time.
#[derive(Clone)]
#[repr(u8)]
enum Next<'a> {
    Own {
        entries: slice::Iter<'a, Entry>,
        /// The entry of whose two results the second is next.
        second: Option<&'a Entry>,
        shared: &'a dyn Lent,
    },
    Raw {
        next: Option<RawAddrInfo<'a>>,
        /// How many may follow: a list that leads back into itself ends all the same.
        left: usize,
    },
}

impl<'a> Iterator for AddrInfoIter<'a> {
    type Item = AddrInfo<'a>;

    #[inline]
    fn next(&mut self) -> Option<AddrInfo<'a>> {
        match &mut self.0 {
            Next::Own { entries, second, shared } => {
                if let Some(entry) = second.take() {
                    return entry.listed.second().map(|ib| AddrInfo::own(entry, ib, *shared));
                }
                loop {
                    let entry = entries.next()?;
                    // Most entries list themselves alone.
                    if matches!(entry.listed, Listed::Entry) {
                        return Some(AddrInfo::own(entry, None, *shared));
                    }
                    if entry.listed.count() == 2 {
                        *second = Some(entry);
                    }
                    if let Some(ib) = entry.listed.first() {
                        return Some(AddrInfo::own(entry, ib, *shared));
                    }
                }
            }
            Next::Raw { next, left } => {
                *left = left.checked_sub(1)?;
                let foreign = (*next)?;
                *next = foreign.next();
                Some(AddrInfo::from_raw(foreign))
            }
        }
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        match &self.0 {
            // Each entry has two results at most.
            Next::Own { entries, .. } => {
                (0, entries.len().checked_mul(2).and_then(|most| most.checked_add(1)))
            }
            Next::Raw { left, .. } => (0, Some(*left)),
        }
    }
}

impl core::iter::FusedIterator for AddrInfoIter<'_> {}

impl fmt::Debug for AddrInfoIter<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.clone()).finish()
    }
}
