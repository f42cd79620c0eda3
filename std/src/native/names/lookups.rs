//! Lookups on threads of their own.

use super::{Answer, Lookup, Query};
use crate::native::lane::{Lane, Running};
use rdma_addrinfo_core::{Error, ErrorKind};
use std::ffi::{CStr, CString};
use std::time::Instant;

/// How many lookups may run at once, those included that were left behind at their deadline.
///
/// The bound on what a name service that does not answer can cost: so many threads and no more.
pub(super) const AT_ONCE: usize = 64;

/// What looks names up on threads.
#[derive(Debug)]
pub(super) struct Lookups {
    lane: Lane,
    lookup: Lookup,
}

/// A lookup: with its answer, or without.
pub(crate) enum Begun {
    Answered(Answer),
    Running(Running<Result<Answer, Error>>),
}

impl Lookups {
    pub(super) const fn new(lookup: Lookup) -> Self {
        Self { lane: Lane::new(AT_ONCE), lookup }
    }

    /// [`lookup_by`](super::lookup_by), by these threads.
    pub(super) fn lookup_by(
        &'static self,
        query: &Query<&CStr>,
        deadline: Instant,
        queue: usize,
    ) -> Result<Answer, Error> {
        if deadline <= Instant::now() {
            return Err(ErrorKind::TimedOut.into());
        }
        self.begin(query, queue)?.wait(deadline)?
    }

    /// Begins a lookup.
    pub(super) fn begin(
        &'static self,
        query: &Query<&CStr>,
        queue: usize,
    ) -> Result<Running<Result<Answer, Error>>, Error> {
        let query = query.map(|text| CString::from(*text));
        self.lane.submit(queue, move || (self.lookup)(&query.map(CString::as_c_str)))
    }

    /// Has idle threads end, and those that are busy as soon as they have finished.
    pub(super) fn forget(&self) {
        self.lane.forget();
    }

    #[cfg(test)]
    pub(super) const fn of(lane: Lane, lookup: Lookup) -> Self {
        Self { lane, lookup }
    }

    #[cfg(test)]
    pub(super) const fn lane(&self) -> &Lane {
        &self.lane
    }
}
