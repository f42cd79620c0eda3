//! One pool for each process, also after fork(2).

use super::pool::{Duty, Pool};
use super::{Answer, LookUp, Query};
use rdma_addrinfo_core::{Error, ErrorKind};
use std::process;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Instant;

/// How many pools there are. A child needs another one than its parent only if a thread of the parent held the
/// lock, which it does for a few instructions, at the very moment of the fork.
const POOLS: usize = 8;

/// How often to try for a pool that other threads are just making their process's own.
const TRIES: usize = 1000;

/// The pool of this process, found without ever waiting for a lock that a fork left locked for good.
#[derive(Debug)]
pub(super) struct Pools {
    duty: Duty,
    pools: [Pool; POOLS],
    /// The process times [`POOLS`] plus the index of its pool: Linux has at most 2^22 processes.
    current: AtomicUsize,
}

impl Pools {
    pub(super) const fn new(look_up: LookUp) -> Self {
        Self { duty: Duty::new(look_up), pools: [const { Pool::new() }; POOLS], current: AtomicUsize::new(0) }
    }

    /// The same with workers of another kind.
    #[cfg(test)]
    pub(super) const fn with(mut self, keep_for: std::time::Duration, stack: usize) -> Self {
        self.duty.keep_for = keep_for;
        self.duty.stack = stack;
        self
    }

    /// [`look_up_by`](super::look_up_by) with this `look_up` for getaddrinfo.
    pub(super) fn look_up_by(&'static self, query: &Query<'_>, deadline: Instant) -> Result<Answer, Error> {
        if deadline <= Instant::now() {
            return Err(ErrorKind::TimedOut.into());
        }
        self.of_this_process().ok_or(ErrorKind::Again)?.look_up_by(&self.duty, query, deadline)
    }

    /// The pool of the calling process; in a child, once, one that it can have.
    pub(super) fn of_this_process(&self) -> Option<&Pool> {
        let process = process::id();
        for _ in 0..TRIES {
            let current = self.current.load(Ordering::Acquire);
            if current / POOLS == process as usize {
                return self.pools.get(current % POOLS);
            }
            match self.pools.iter().position(|pool| pool.adopt(process)) {
                // Whoever is first decides for all threads of the process: read it again.
                Some(index) => {
                    let ours = process as usize * POOLS + index;
                    let _ = self.current.compare_exchange(current, ours, Ordering::AcqRel, Ordering::Acquire);
                }
                None => thread::yield_now(),
            }
        }
        None
    }
}
