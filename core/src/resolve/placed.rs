//! What has come of the addresses so far.

use super::plan::{AfIb, Plan};
use crate::addrinfo::{AddrInfoList, Entry, Outcome, Storage};
use crate::error::{Error, ErrorKind, Reason};

/// What is missing among the entries, and why.
#[derive(Clone, Copy, Debug)]
pub(super) struct Placed {
    pub(super) truncated: bool,
    /// Whether an address was left out because its family is not that of the source.
    pub(super) other_family: bool,
    /// Whether only AF_IB entries are listed.
    pub(super) only_ib: bool,
}

impl Placed {
    /// Nothing yet, of what a plan asks for.
    #[inline]
    pub(super) fn new(plan: &Plan) -> Self {
        Self { only_ib: plan.af_ib == AfIb::TwinsOnly, ..Self::EMPTY }
    }

    /// Nothing yet, of any family.
    pub(super) const EMPTY: Self = Self { truncated: false, other_family: false, only_ib: false };

    /// The list, or the error of one that has come out empty. `ib_entries` is whether routes could have added AF_IB
    /// entries.
    #[inline]
    pub(super) fn finish(self, results: Storage<'_>, ib_entries: bool) -> Result<AddrInfoList<'_>, Error> {
        let counts = results.entries.as_slice().iter().map(|entry| entry.listed.count());
        let listed = counts.fold(0, usize::saturating_add);
        self.finish_counted(results, listed, ib_entries)
    }

    /// The same, for so many results.
    #[inline]
    pub(super) fn finish_counted(
        self,
        mut results: Storage<'_>,
        listed: usize,
        ib_entries: bool,
    ) -> Result<AddrInfoList<'_>, Error> {
        if listed == 0 {
            return Err(self.empty(ib_entries));
        }
        *results.shared.outcome_mut() = Outcome { listed, truncated: self.truncated };
        Ok(results.into_list())
    }

    /// Why there is no entry.
    #[cold]
    fn empty(self, ib_entries: bool) -> Error {
        if self.truncated && (ib_entries || !self.only_ib) {
            Error::new(ErrorKind::Memory).because(Reason::NoRoom)
        } else if self.other_family {
            Error::new(ErrorKind::AddrFamily).because(Reason::SourceOfOtherFamily)
        } else {
            Error::new(ErrorKind::AddrFamily).because(Reason::NoIbAddress)
        }
    }

    /// Adds an entry to the results, unless there is no room.
    // Inlined, so that the entry is made where it stays.
    #[inline(always)]
    pub(super) fn push(self, entry: Entry, results: &mut Storage<'_>) -> Self {
        Self { truncated: self.truncated | !results.entries.push(entry), ..self }
    }
}
