//! One pool for each process, also after fork(2).

use super::pool::{Duty, Pool};
use super::{Answer, LookUp, Query};
use crate::native::process;
use rdma_addrinfo_core::{Error, ErrorKind};
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::Instant;

/// How many pools there are, as a power of 2. A child needs another one than its parent only if a thread of the parent
/// held the lock, which it does for a few instructions, at the very moment of the fork.
const POOLS_BITS: u32 = 3;

/// How often to try for a pool that other threads are just making their process's own.
const TRIES: usize = 1000;

/// The pool of this process, found without ever waiting for a lock that a fork left locked for good.
#[derive(Debug)]
pub(super) struct Pools {
    duty: Duty,
    pools: [Pool; 1 << POOLS_BITS],
    /// The identity of the process and, in the low bits, the index of its pool: see [`joined`].
    current: AtomicU64,
}

impl Pools {
    pub(super) const fn new(look_up: LookUp) -> Self {
        Self {
            duty: Duty::new(look_up),
            pools: [const { Pool::new() }; 1 << POOLS_BITS],
            current: AtomicU64::new(0),
        }
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
        let process = process::identity();
        for _ in 0..TRIES {
            let current = self.current.load(Ordering::Acquire);
            let index = current % (1 << POOLS_BITS);
            if current == joined(process, index) {
                return self.pools.get(usize::try_from(index).ok()?);
            }
            match (0..).zip(&self.pools).find(|(_, pool)| pool.adopt(process)) {
                // Whoever is first decides for all threads of the process: read it again.
                Some((index, _)) => {
                    let ours = joined(process, index);
                    let _ = self.current.compare_exchange(current, ours, Ordering::AcqRel, Ordering::Acquire);
                }
                None => thread::yield_now(),
            }
        }
        None
    }
}

/// A process and the index of its pool in one word. The top bits of its generation are lost: it still differs from the
/// 2^29 before it.
const fn joined(process: u64, index: u64) -> u64 {
    process << POOLS_BITS | index
}
