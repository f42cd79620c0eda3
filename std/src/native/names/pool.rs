//! Worker threads for lookups that have a deadline.

use super::slot::Slot;
use super::workers::{Begun, Workers};
use super::{Answer, Lookup, Query, getaddrinfo};
use rdma_addrinfo_core::{Error, ErrorKind, Reason};
use std::ffi::{CStr, CString};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// How long a kept worker waits for its next lookup before it ends too.
const KEEP_FOR: Duration = Duration::from_secs(10);

/// The stack of a worker, in bytes. getaddrinfo(3) and the modules of nsswitch.conf(5) run on it; only what they
/// touch is ever backed by memory.
const STACK: usize = 512 * 1024;

/// The name of a worker thread.
const NAME: &CStr = c"rdma-addrinfo";

/// What the workers of a [`Pool`] do, and how.
#[derive(Debug)]
struct WorkerConfig {
    lookup: Lookup,
    keep_for: Duration,
    stack: usize,
}

/// A lookup, which outlives its caller, and where that waits for the answer.
#[derive(Debug)]
struct Job {
    query: Query<CString>,
    reply: Arc<Slot<Result<Answer, Error>>>,
}

/// Where a worker waits for its next job; none: it ends.
type Inbox = Slot<Option<Job>>;

/// Threads that look names up. Each process has its own.
#[derive(Debug)]
pub(super) struct Pool {
    config: WorkerConfig,
    workers: Workers<Inbox>,
}

impl Pool {
    pub(super) const fn new(lookup: Lookup) -> Self {
        Self { config: WorkerConfig { lookup, keep_for: KEEP_FOR, stack: STACK }, workers: Workers::new() }
    }

    /// The same with workers of another kind.
    #[cfg(test)]
    pub(super) const fn with(mut self, keep_for: Duration, stack: usize) -> Self {
        self.config.keep_for = keep_for;
        self.config.stack = stack;
        self
    }

    /// [`lookup_by`](super::lookup_by), by this pool.
    pub(super) fn lookup_by(&'static self, query: &Query<&CStr>, deadline: Instant) -> Result<Answer, Error> {
        if deadline <= Instant::now() {
            return Err(ErrorKind::TimedOut.into());
        }
        let begun = self.workers.begin();
        let begun = begun.ok_or(Error::new(ErrorKind::Again).because(Reason::TooManyLookups))?;
        let reply = Arc::new(Slot::new());
        let job = Job { query: query.map(|text| CString::from(*text)), reply: Arc::clone(&reply) };
        match begun {
            Begun::By(inbox) => inbox.send(Some(job)),
            Begun::ByNew(generation) => self.start_worker(job, generation)?,
        }
        reply.spin_recv_deadline(deadline).unwrap_or_else(|| Err(ErrorKind::TimedOut.into()))
    }

    /// Has idle workers end, and those that are busy as soon as they have finished.
    pub(super) fn forget(&self) {
        for inbox in self.workers.take_idle() {
            inbox.send(None);
        }
    }

    /// Runs `body` while the lock is held, as a fork(2) of another thread may find it.
    #[cfg(test)]
    pub(super) fn while_held<R>(&self, body: impl FnOnce() -> R) -> R {
        self.workers.while_held(body)
    }

    fn start_worker(&'static self, first: Job, generation: u64) -> Result<(), Error> {
        getaddrinfo::start_thread(self.config.stack, move || self.work(first, generation)).map_err(|errno| {
            self.workers.fail();
            let error = match errno {
                libc::EAGAIN => ErrorKind::Again.into(),
                errno => Error::system(errno),
            };
            error.because(Reason::NoThread)
        })
    }

    /// The life of a worker.
    fn work(&self, first: Job, generation: u64) {
        getaddrinfo::name_thread(NAME);
        let inbox = Arc::new(Slot::new());
        let mut job = first;
        loop {
            let answer = (self.config.lookup)(&job.query.map(CString::as_c_str));
            // Before the reply: a caller who asks again at once finds this worker free.
            let kept = self.workers.finish(&inbox, generation);
            job.reply.send(answer);
            if !kept {
                return;
            }
            job = loop {
                let now = Instant::now();
                let until = now.checked_add(self.config.keep_for).unwrap_or(now);
                match inbox.recv_deadline(until) {
                    Some(Some(next)) => break next,
                    Some(None) => return,
                    None if self.workers.leave_idle(&inbox) => return,
                    None => {}
                }
            };
        }
    }
}
