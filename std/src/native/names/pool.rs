//! Worker threads for look-ups that have a deadline.

use super::slot::Slot;
use super::{Answer, LookUp, Query, getaddrinfo};
use crate::native::fork_local::{ForkLocal, Initial};
use rdma_addrinfo_core::{Error, ErrorKind, Protocol, Reason};
use std::ffi::{CStr, CString, c_int};
use std::mem;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// How many look-ups with a deadline may run at once, those included that were left behind at their deadline.
///
/// The bound on what a name service that does not answer can cost: so many threads and no more.
pub(super) const IN_FLIGHT: usize = 64;

/// How many workers stay when they have nothing to do; the others end.
pub(super) const KEPT_WORKERS: usize = 2;

/// How long a kept worker waits for its next look-up before it ends too.
const KEEP_FOR: Duration = Duration::from_secs(10);

/// The stack of a worker, in bytes. getaddrinfo(3) and the modules of nsswitch.conf(5) run on it; only what they
/// touch is ever backed by memory.
const STACK: usize = 512 * 1024;

/// The name of a worker thread.
const NAME: &CStr = c"rdma-addrinfo";

/// What the workers of a [`Pool`] do, and how.
#[derive(Debug)]
struct WorkerConfig {
    look_up: LookUp,
    keep_for: Duration,
    stack: usize,
}

/// A query that outlives its caller.
#[derive(Debug)]
struct OwnedQuery {
    node: Option<CString>,
    service: Option<CString>,
    family: c_int,
    protocol: Protocol,
    passive: bool,
    canonical: bool,
}

impl OwnedQuery {
    fn new(query: &Query<'_>) -> Self {
        let &Query { node, service, family, protocol, passive, canonical } = query;
        Self {
            node: node.map(Into::into),
            service: service.map(Into::into),
            family,
            protocol,
            passive,
            canonical,
        }
    }

    fn as_query(&self) -> Query<'_> {
        let &Self { ref node, ref service, family, protocol, passive, canonical } = self;
        Query { node: node.as_deref(), service: service.as_deref(), family, protocol, passive, canonical }
    }
}

/// A look-up, and where its caller waits for the answer.
#[derive(Debug)]
struct Job {
    query: OwnedQuery,
    reply: Arc<Slot<Result<Answer, Error>>>,
}

/// Where a worker waits for its next job; none: it ends. Two are the same worker if they are the same allocation.
type Inbox = Arc<Slot<Option<Job>>>;

/// The workers of one process, as they are counted. Those of a parent do not exist in its child.
#[derive(Debug)]
struct State {
    /// Look-ups that run, abandoned or not: so many workers are busy.
    running: usize,
    /// Workers without a job, the last to finish last. At most [`KEPT_WORKERS`].
    idle: Vec<Inbox>,
    /// How often [`Pool::forget`] was called. A worker that was started before the last time ends with its job.
    generation: u64,
}

impl Initial for State {
    const INITIAL: Self = Self { running: 0, idle: Vec::new(), generation: 0 };
}

/// Threads that look names up. Each process has its own.
#[derive(Debug)]
pub(super) struct Pool {
    config: WorkerConfig,
    state: ForkLocal<State>,
}

impl Pool {
    pub(super) const fn new(look_up: LookUp) -> Self {
        Self { config: WorkerConfig { look_up, keep_for: KEEP_FOR, stack: STACK }, state: ForkLocal::new() }
    }

    /// The same with workers of another kind.
    #[cfg(test)]
    pub(super) const fn with(mut self, keep_for: Duration, stack: usize) -> Self {
        self.config.keep_for = keep_for;
        self.config.stack = stack;
        self
    }

    /// [`look_up_by`](super::look_up_by), by this pool.
    pub(super) fn look_up_by(&'static self, query: &Query<'_>, deadline: Instant) -> Result<Answer, Error> {
        if deadline <= Instant::now() {
            return Err(ErrorKind::TimedOut.into());
        }
        let (worker, generation) = self.begin()?;
        let reply = Arc::new(Slot::new());
        let job = Job { query: OwnedQuery::new(query), reply: Arc::clone(&reply) };
        match worker {
            Some(inbox) => inbox.send(Some(job)),
            None => self.start_worker(job, generation)?,
        }
        reply.spin_recv_deadline(deadline).unwrap_or_else(|| Err(ErrorKind::TimedOut.into()))
    }

    /// Has idle workers end, and those that are busy as soon as they have finished.
    pub(super) fn forget(&self) {
        let idle = self.state.with(|state| {
            state.generation += 1;
            mem::take(&mut state.idle)
        });
        for inbox in idle.unwrap_or_default() {
            inbox.send(None);
        }
    }

    /// Runs `body` while the lock is held, as a fork(2) of another thread may find it.
    #[cfg(test)]
    pub(super) fn while_held<R>(&self, body: impl FnOnce() -> R) -> R {
        self.state.with(|_| body()).unwrap()
    }

    /// Counts a look-up in and finds it a worker; none: one of this generation has to be started.
    fn begin(&self) -> Result<(Option<Inbox>, u64), Error> {
        let begin = |state: &mut State| {
            if state.running >= IN_FLIGHT {
                return Err(Error::new(ErrorKind::Again).because(Reason::TooManyLookUps));
            }
            state.running += 1;
            Ok((state.idle.pop(), state.generation))
        };
        self.state.with(begin).unwrap_or(Err(ErrorKind::Again.into()))
    }

    /// Counts a look-up out. True if its worker shall wait for another.
    fn finish(&self, worker: &Inbox, generation: u64) -> bool {
        let finish = |state: &mut State| {
            state.running -= 1;
            let keep = state.idle.len() < KEPT_WORKERS && state.generation == generation;
            if keep {
                state.idle.push(Arc::clone(worker));
            }
            keep
        };
        self.state.with(finish).unwrap_or(false)
    }

    /// Takes a worker off the list of those that are idle. False if it is not there: something is on its way to it.
    fn leave_idle(&self, worker: &Inbox) -> bool {
        let leave = |state: &mut State| {
            let at = state.idle.iter().position(|other| Arc::ptr_eq(other, worker));
            at.map(|at| state.idle.remove(at)).is_some()
        };
        self.state.with(leave).unwrap_or(true)
    }

    fn start_worker(&'static self, first: Job, generation: u64) -> Result<(), Error> {
        getaddrinfo::start_thread(self.config.stack, move || self.work(first, generation)).map_err(|errno| {
            self.state.with(|state| state.running -= 1);
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
            let answer = (self.config.look_up)(&job.query.as_query());
            // Before the reply: a caller who asks again at once finds this worker free.
            let kept = self.finish(&inbox, generation);
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
                    None if self.leave_idle(&inbox) => return,
                    None => {}
                }
            };
        }
    }
}
