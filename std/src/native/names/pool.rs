//! Worker threads for look-ups that have a deadline.

use super::handover::{Handover, lock};
use super::{Answer, LookUp, Query, getaddrinfo};
use rdma_addrinfo_core::{Error, ErrorKind, Protocol, Reason};
use std::ffi::{CStr, CString, c_int};
use std::sync::{Arc, Mutex, TryLockError};
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

/// What workers do. The same for all of a [`Pools`](super::process::Pools).
#[derive(Debug)]
pub(super) struct Duty {
    pub(super) look_up: LookUp,
    pub(super) keep_for: Duration,
    pub(super) stack: usize,
}

impl Duty {
    pub(super) const fn new(look_up: LookUp) -> Self {
        Self { look_up, keep_for: KEEP_FOR, stack: STACK }
    }
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

/// A look-up and the place where its caller waits for the answer.
#[derive(Debug)]
struct Job {
    duty: &'static Duty,
    query: OwnedQuery,
    reply: Arc<Handover<Result<Answer, Error>>>,
}

/// Where a worker waits for its next job. Two are the same worker if they are the same allocation.
type Inbox = Arc<Handover<Job>>;

#[derive(Debug)]
struct State {
    /// The [identity](crate::native::process::identity) of the process whose workers these are; 0 before the first
    /// look-up.
    owner: u64,
    /// Look-ups that run, abandoned or not: so many workers are busy.
    running: usize,
    /// Workers without a job, the last to finish last. At most [`KEPT_WORKERS`].
    idle: Vec<Inbox>,
}

impl State {
    const fn new(owner: u64) -> Self {
        Self { owner, running: 0, idle: Vec::new() }
    }
}

/// The workers of one process.
#[derive(Debug)]
pub(super) struct Pool(Mutex<State>);

impl Pool {
    pub(super) const fn new() -> Self {
        Self(Mutex::new(State::new(0)))
    }

    /// Makes the pool `process`'s own, unless its lock is held.
    ///
    /// What is in it is dropped if it comes from a parent: those workers do not exist here. False if the lock is
    /// held, be it by a thread of the parent, which will never release this copy of it.
    pub(super) fn adopt(&self, process: u64) -> bool {
        let mut state = match self.0.try_lock() {
            Ok(state) => state,
            Err(TryLockError::Poisoned(poisoned)) => poisoned.into_inner(),
            Err(TryLockError::WouldBlock) => return false,
        };
        if state.owner != process {
            *state = State::new(process);
        }
        true
    }

    /// Has a worker answer a query and waits for the answer until `deadline`.
    pub(super) fn look_up_by(
        &'static self,
        duty: &'static Duty,
        query: &Query<'_>,
        deadline: Instant,
    ) -> Result<Answer, Error> {
        let worker = self.begin()?;
        let reply = Arc::new(Handover::new());
        let job = Job { duty, query: OwnedQuery::new(query), reply: Arc::clone(&reply) };
        match worker {
            Some(inbox) => inbox.put(job),
            None => self.start_worker(job)?,
        }
        reply.take_soon_by(deadline).unwrap_or_else(|| Err(ErrorKind::TimedOut.into()))
    }

    /// Runs `body` while the lock is held, as a fork(2) of another thread may find it.
    #[cfg(test)]
    pub(super) fn while_held<R>(&self, body: impl FnOnce() -> R) -> R {
        let _held = lock(&self.0);
        body()
    }

    /// Counts a look-up in and finds it a worker; none: one has to be started.
    fn begin(&self) -> Result<Option<Inbox>, Error> {
        let mut state = lock(&self.0);
        if state.running >= IN_FLIGHT {
            return Err(Error::new(ErrorKind::Again).because(Reason::TooManyLookUps));
        }
        state.running += 1;
        Ok(state.idle.pop())
    }

    /// Counts a look-up out. True if its worker shall wait for another.
    fn finish(&self, worker: &Inbox) -> bool {
        let mut state = lock(&self.0);
        state.running -= 1;
        let keep = state.idle.len() < KEPT_WORKERS;
        if keep {
            state.idle.push(Arc::clone(worker));
        }
        keep
    }

    /// Takes a worker off the list. False if it is not there: a job is on its way to it.
    fn retire(&self, worker: &Inbox) -> bool {
        let idle = &mut lock(&self.0).idle;
        let place = idle.iter().position(|other| Arc::ptr_eq(other, worker));
        place.map(|place| idle.remove(place)).is_some()
    }

    fn start_worker(&'static self, first: Job) -> Result<(), Error> {
        getaddrinfo::start_thread(first.duty.stack, move || self.work(first)).map_err(|errno| {
            lock(&self.0).running -= 1;
            match errno {
                libc::EAGAIN => ErrorKind::Again.into(),
                errno => Error::system(errno),
            }
        })
    }

    /// The life of a worker.
    fn work(&self, first: Job) {
        getaddrinfo::name_thread(NAME);
        let inbox = Arc::new(Handover::new());
        let mut job = first;
        loop {
            let &Duty { look_up, keep_for, .. } = job.duty;
            let answer = look_up(&job.query.as_query());
            // Before the reply: a caller who asks again at once finds this worker free.
            let kept = self.finish(&inbox);
            job.reply.put(answer);
            if !kept {
                return;
            }
            job = loop {
                if let Some(next) = inbox.take_by(Instant::now() + keep_for) {
                    break next;
                }
                if self.retire(&inbox) {
                    return;
                }
            };
        }
    }
}
