//! What has become of the addresses so far.

use super::plan::{AfIb, Plan};
use crate::addrinfo::{AddrInfoList, Entry, Outcome, Storage};
use crate::error::{Error, ErrorKind, Field, Location, Reason};

/// What is missing among the entries, and why.
#[derive(Clone, Copy, Debug)]
pub(super) struct Summary {
    pub(super) truncated: bool,
    /// Why an address was left out, if one was.
    pub(super) left_out: LeftOut,
    /// Whether only AF_IB entries are listed.
    only_ib: bool,
}

/// Why addresses are left out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum LeftOut {
    /// None is.
    None,
    /// The family is not that of the source.
    OtherFamily,
    /// The zone is not that of the source.
    ContraryZones,
}

impl Summary {
    /// Nothing yet, of what a plan asks for.
    #[inline]
    pub(super) fn new(plan: &Plan) -> Self {
        Self { only_ib: plan.af_ib == AfIb::IbEntriesOnly, ..Self::EMPTY }
    }

    /// Nothing yet, of any family.
    pub(super) const EMPTY: Self = Self { truncated: false, left_out: LeftOut::None, only_ib: false };

    /// Adds an entry to the results, unless they are full.
    // Inlined, so that the entry is made where it stays.
    #[inline(always)]
    pub(super) fn push(self, entry: Entry, results: &mut Storage<'_>) -> Self {
        Self { truncated: self.truncated | !results.entries.push(entry), ..self }
    }

    /// The same, where an address was left out.
    #[inline]
    pub(super) fn without(self, why: LeftOut) -> Self {
        Self { left_out: why, ..self }
    }

    /// The list, or the error of one that has come out empty. `ib_entries` is whether routes could have added AF_IB
    /// entries.
    pub(super) fn finish(self, results: Storage<'_>, ib_entries: bool) -> Result<AddrInfoList<'_>, Error> {
        let counts = results.entries.as_slice().iter().map(|entry| entry.listed.count());
        match counts.fold(0, usize::saturating_add) {
            0 => Err(self.empty(ib_entries)),
            listed => Ok(self.list(results, listed)),
        }
    }

    /// The list of one address, which lists itself alone, or the error if it was left out.
    #[inline(always)]
    pub(super) fn finish_literal(self, results: Storage<'_>) -> Result<AddrInfoList<'_>, Error> {
        if results.entries.as_slice().is_empty() {
            return Err(self.empty(false));
        }
        Ok(self.list(results, 1))
    }

    #[inline(always)]
    fn list(self, results: Storage<'_>, listed: usize) -> AddrInfoList<'_> {
        *results.shared.outcome_mut() = Outcome { listed, truncated: self.truncated };
        results.into_list()
    }

    /// Why there is no result.
    #[cold]
    fn empty(self, ib_entries: bool) -> Error {
        if self.truncated && (ib_entries || !self.only_ib) {
            return Error::new(ErrorKind::Memory).because(Reason::NoRoom);
        }
        match self.left_out {
            LeftOut::None => Error::new(ErrorKind::AddrFamily).because(Reason::NoIbAddress),
            LeftOut::OtherFamily => Error::new(ErrorKind::AddrFamily).because(Reason::SourceOfOtherFamily),
            LeftOut::ContraryZones => contrary_zones(),
        }
    }
}

/// Source and destination are on different links.
#[cold]
pub(super) fn contrary_zones() -> Error {
    Error::new(ErrorKind::Invalid).because(Reason::ContraryZones).at(Location::Hints(Field::Source))
}
