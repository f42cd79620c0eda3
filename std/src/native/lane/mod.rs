//! [`Lane`]: threads for work that blocks, and a queue for what is more than they can do at once.
//!
//! Work of different kinds has lanes of its own, so that what is stuck in one holds up none of the others. Whoever asked for
//! it waits by a deadline or awaits it, and takes it back by no longer doing so: work that has not begun never does.

mod crews;
#[cfg(test)]
mod tests;

use super::slot::Slot;
use super::sync::Mutex;
use super::{fork_id, fork_local::lock, thread};
#[cfg(test)]
pub(super) use crews::KEPT_WORKERS;
use crews::{Begun, Crews, Next, Ticket};
use rdma_addrinfo_core::{Error, ErrorKind, Reason};
use std::ffi::CStr;
use std::fmt::{self, Debug, Formatter};
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

/// How long a kept worker waits for its next job before it ends too.
const KEEP_FOR: Duration = Duration::from_secs(10);

/// The name of a worker thread.
pub(super) const NAME: &CStr = c"rdma-addrinfo";

/// Threads for one kind of work. Each process has its own.
#[derive(Debug)]
pub(super) struct Lane {
    crews: Crews<Inbox, Job>,
    keep_for: Duration,
    stack: usize,
}

/// Where a worker waits for its next job; none: it ends.
type Inbox = Slot<Option<Job>>;

type Job = Arc<dyn Work>;

/// Something to do, which outlives whoever wants it.
trait Work: Send + Sync {
    /// Does it, and calls `finished` before anybody can know.
    fn run(&self, finished: &mut dyn FnMut());

    /// It will not be done.
    fn give_up(&self);
}

/// The other side of it: where the result comes.
trait Awaited<T>: Send + Sync {
    fn result(&self) -> &Slot<Option<T>>;
}

struct Task<F, T> {
    work: Mutex<Option<F>>,
    result: Slot<Option<T>>,
}

impl<F: FnOnce() -> T + Send, T: Send> Work for Task<F, T> {
    fn run(&self, finished: &mut dyn FnMut()) {
        let work = lock(&self.work).take();
        let result = work.map(|work| work());
        // Who asks again at once finds this worker free.
        finished();
        self.result.send(result);
    }

    fn give_up(&self) {
        self.result.send(None);
    }
}

impl<F: Send, T: Send> Awaited<T> for Task<F, T> {
    fn result(&self) -> &Slot<Option<T>> {
        &self.result
    }
}

impl Debug for dyn Work {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str("Work")
    }
}

impl Lane {
    /// A lane of at most so many threads.
    pub(super) const fn new(most: usize) -> Self {
        Self { crews: Crews::new(most), keep_for: KEEP_FOR, stack: thread::STACK }
    }

    /// The same with workers of another kind.
    #[cfg(test)]
    pub(super) const fn with(mut self, keep_for: Duration, stack: usize) -> Self {
        self.keep_for = keep_for;
        self.stack = stack;
        self
    }

    /// Has a worker do this, at once, or when its turn has come; at most `queue` wait for theirs.
    ///
    /// A worker has the CPU affinity and the namespaces of the thread that had it started, which is the first to need one
    /// more.
    ///
    /// # Errors
    /// - [`Again`](ErrorKind::Again): too many wait ([`TooManyLookups`](Reason::TooManyLookups)), or the system has no
    ///   thread to spare ([`NoThread`](Reason::NoThread));
    /// - [`System`](ErrorKind::System): a thread could not be started for another reason.
    pub(super) fn submit<T: Send + 'static>(
        &'static self,
        queue: usize,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<Running<T>, Error> {
        let task = Arc::new(Task { work: Mutex::new(Some(work)), result: Slot::new() });
        let job: Job = Arc::clone(&task) as Job;
        let ticket = match self.crews.begin(job, queue) {
            Begun::By(inbox, job) => {
                inbox.send(Some(job));
                None
            }
            Begun::ByNew(generation, job) => {
                self.start_worker(job, generation)?;
                None
            }
            Begun::Waits(ticket) => Some(ticket),
            Begun::Full => return Err(Error::new(ErrorKind::Again).because(Reason::TooManyLookups)),
        };
        Ok(Running { task, lane: self, ticket, process: fork_id::identity() })
    }

    /// Has idle workers end, and those that are busy as soon as they have finished what was submitted before.
    pub(super) fn forget(&self) {
        for inbox in self.crews.send_home() {
            inbox.send(None);
        }
    }

    /// How many jobs wait for their turn.
    #[cfg(test)]
    pub(super) fn waiting(&self) -> usize {
        self.crews.waiting()
    }

    /// Runs `body` while the lock is held, as a fork(2) of another thread may find it.
    #[cfg(test)]
    pub(super) fn while_held<R>(&self, body: impl FnOnce() -> R) -> R {
        self.crews.while_held(body)
    }

    fn start_worker(&'static self, first: Job, generation: u64) -> Result<(), Error> {
        thread::start(self.stack, move || self.work(first, generation)).map_err(|errno| {
            for job in self.crews.fail(generation) {
                job.give_up();
            }
            no_thread(errno)
        })
    }

    /// The life of a worker.
    fn work(&self, first: Job, generation: u64) {
        thread::name(NAME);
        let inbox = Arc::new(Slot::new());
        let mut job = first;
        loop {
            let mut next = Next::End;
            job.run(&mut || next = self.crews.finish(&inbox, generation));
            job = match next {
                Next::Job(next) => next,
                Next::Wait => match self.wait(&inbox) {
                    Some(next) => next,
                    None => return,
                },
                Next::End => return,
            };
        }
    }

    /// The next job of a worker; none: it ends.
    fn wait(&self, inbox: &Arc<Inbox>) -> Option<Job> {
        loop {
            let now = Instant::now();
            let until = now.checked_add(self.keep_for).unwrap_or(now);
            match inbox.recv_deadline(until) {
                Some(next) => return next,
                None if self.crews.leave_idle(inbox) => return None,
                None => {}
            }
        }
    }
}

/// The error where a thread could not be started, by the `errno` of pthread_create(3).
pub(super) fn no_thread(errno: i32) -> Error {
    let error = match errno {
        libc::EAGAIN => ErrorKind::Again.into(),
        errno => Error::system(errno),
    };
    error.because(Reason::NoThread)
}

/// Work that was submitted. As a future it ends with its result, or with [`Again`](ErrorKind::Again) where that will not
/// come: no thread could be started for it, or this is a child of the process that began it.
///
/// Dropped, it takes the work back if that has not begun.
pub(crate) struct Running<T: 'static> {
    task: Arc<dyn Awaited<T>>,
    lane: &'static Lane,
    ticket: Option<Ticket>,
    process: u64,
}

impl<T> Running<T> {
    /// Waits for the result until `deadline`.
    ///
    /// # Errors
    /// [`TimedOut`](ErrorKind::TimedOut), and as the future.
    pub(crate) fn wait(self, deadline: Instant) -> Result<T, Error> {
        match self.task.result().spin_recv_deadline(deadline) {
            Some(result) => result.ok_or_else(given_up),
            None => Err(ErrorKind::TimedOut.into()),
        }
    }

    /// The thread that does it is one of this process. If not, even a lock may be held for ever.
    fn is_here(&self) -> bool {
        self.process == fork_id::identity()
    }
}

fn given_up() -> Error {
    Error::new(ErrorKind::Again).because(Reason::NoThread)
}

impl<T> Future for Running<T> {
    type Output = Result<T, Error>;

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        if !self.is_here() {
            return Poll::Ready(Err(given_up()));
        }
        self.task.result().poll_recv(context).map(|result| result.ok_or_else(given_up))
    }
}

impl<T> Drop for Running<T> {
    fn drop(&mut self) {
        if let Some(ticket) = self.ticket {
            let job = self.lane.crews.withdraw(ticket);
            drop(job);
        }
        if self.is_here() {
            self.task.result().forget_waker();
        }
    }
}
