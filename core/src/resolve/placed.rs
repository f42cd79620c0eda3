//! The chain of entries.

use super::plan::{AfIb, Plan};
use crate::addrinfo::{AddrInfoList, Entry, NO_ENTRY, Storage};
use crate::error::{Error, ErrorKind, Reason};
use crate::types::Family;

/// The entries placed so far, a chain.
#[derive(Clone, Copy, Debug)]
pub(super) struct Placed {
    pub(super) first: usize,
    last: usize,
    pub(super) truncated: bool,
    /// Whether an address was left out because its family is not that of the source.
    other_family: bool,
    /// Whether only AF_IB entries are answered.
    pub(super) only_ib: bool,
    /// Whether an AF_IB entry may have been left out for lack of room.
    lost_twin: bool,
}

impl Placed {
    /// Nothing yet, of what a plan asks for.
    #[inline]
    pub(super) fn new(plan: &Plan) -> Self {
        Self { only_ib: plan.af_ib == AfIb::TwinsOnly, ..Self::EMPTY }
    }

    /// Nothing yet, of any family.
    pub(super) const EMPTY: Self = Self {
        first: NO_ENTRY,
        last: NO_ENTRY,
        truncated: false,
        other_family: false,
        only_ib: false,
        lost_twin: false,
    };

    /// Leaves only AF_IB entries where nothing else was asked for.
    #[inline]
    pub(super) fn keep_only_ib_if_asked<S: Storage + ?Sized>(self, results: &mut S) -> Self {
        if self.only_ib { self.keep_ib(results) } else { self }
    }

    fn keep_ib<S: Storage + ?Sized>(self, results: &mut S) -> Self {
        let mut kept = Self::EMPTY;
        let mut index = self.first;
        // Bounded: a storage may make a circle of its entries.
        for _ in 0..results.entries().len() {
            let Some(entry) = results.entries_mut().get_mut(index) else { break };
            let next = core::mem::replace(&mut entry.next, NO_ENTRY);
            if entry.family == Family::IB {
                kept = kept.link(index, results);
            }
            index = next;
        }
        // With more room there would be more. Where there is nothing at all, only if routes were asked for.
        let truncated = self.truncated && (kept.first != NO_ENTRY || self.lost_twin);
        Self { truncated, other_family: self.other_family, ..kept }
    }

    /// The list, or the error of one that has come out empty.
    #[inline]
    pub(super) fn finish(self, results: &dyn Storage) -> Result<AddrInfoList<'_>, Error> {
        if self.first == NO_ENTRY {
            return Err(self.empty());
        }
        Ok(AddrInfoList::own(results, self.first, self.truncated))
    }

    /// Why there is no entry.
    #[cold]
    pub(super) fn empty(self) -> Error {
        if self.truncated {
            Error::new(ErrorKind::Memory).because(Reason::NoRoom)
        } else if self.other_family {
            Error::new(ErrorKind::AddrFamily).because(Reason::SourceOfOtherFamily)
        } else {
            Error::new(ErrorKind::AddrFamily).because(Reason::NoIbAddress)
        }
    }

    /// An address was left out because its family is not that of the source.
    #[inline]
    pub(super) fn left_out(self) -> Self {
        Self { other_family: true, ..self }
    }

    /// A route was left out for lack of room, and its twin with it.
    pub(super) fn route_left_out(self, twins: bool) -> Self {
        Self { truncated: true, ..self }.with_twins(twins)
    }

    /// Entries that were left out would have had twins.
    pub(super) fn with_twins(self, twins: bool) -> Self {
        Self { lost_twin: self.lost_twin || (self.truncated && twins), ..self }
    }

    /// Adds an entry to the results and appends it, unless there is no room.
    // Inlined, so that the entry is made where it stays.
    #[inline(always)]
    pub(super) fn push<S: Storage + ?Sized>(self, entry: Entry, results: &mut S) -> Self {
        let index = results.entries().len();
        if results.push(entry) { self.link(index, results) } else { Self { truncated: true, ..self } }
    }

    /// Appends an entry of the results, which leads nowhere yet.
    #[inline]
    fn link<S: Storage + ?Sized>(self, index: usize, results: &mut S) -> Self {
        if self.first == NO_ENTRY {
            return Self { first: index, last: index, ..self };
        }
        if let Some(last) = results.entries_mut().get_mut(self.last) {
            last.next = index;
        }
        Self { last: index, ..self }
    }
}
