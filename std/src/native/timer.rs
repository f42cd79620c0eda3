//! [`by_deadline`]: deadlines of tasks that await something, by one thread for all of them.

use super::fork_local::{ForkLocal, Initial};
use super::slot::{Slot, wake};
use super::{fork_id, lane, thread};
use rdma_addrinfo_core::{Error, ErrorKind};
use std::collections::BTreeMap;
use std::future::{Future, poll_fn};
use std::mem;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Poll, Waker};
use std::time::{Duration, Instant};

/// How long the thread stays where there is no deadline to wait for.
const KEEP_FOR: Duration = Duration::from_secs(10);

/// How many tasks are woken under one look at the clock.
const AT_ONCE: usize = 64;

static TIMER: ForkLocal<State> = ForkLocal::new();

#[derive(Debug)]
struct State {
    /// Whom to wake when. The number tells those of the same time apart.
    due: BTreeMap<(Instant, u64), Waker>,
    next: u64,
    /// The thread, if there is one.
    thread: Option<Sleeper>,
}

/// The thread that waits.
#[derive(Debug)]
struct Sleeper {
    /// Where it is told that there is an earlier deadline.
    inbox: Arc<Slot<()>>,
    /// When it wakes up by itself: who is due no earlier need not wake it.
    until: Instant,
}

impl Initial for State {
    const INITIAL: Self = Self { due: BTreeMap::new(), next: 0, thread: None };
}

/// Awaits a future until the deadline. An answer that came in time is not thrown away, even if the task runs late.
///
/// # Errors
/// [`TimedOut`](ErrorKind::TimedOut); [`Again`](ErrorKind::Again) or [`System`](ErrorKind::System) if there is no thread
/// to keep the deadline.
// Not an async function, which would have the future twice: as it is given, and as it is awaited.
pub(crate) fn by_deadline<T>(
    mut future: impl Future<Output = T> + Unpin,
    deadline: Option<Instant>,
) -> impl Future<Output = Result<T, Error>> {
    let mut alarm = deadline.map(Alarm::new);
    poll_fn(move |context| {
        if let Poll::Ready(value) = Pin::new(&mut future).poll(context) {
            return Poll::Ready(Ok(value));
        }
        let Some(alarm) = &mut alarm else { return Poll::Pending };
        if Instant::now() >= alarm.deadline {
            return Poll::Ready(Err(ErrorKind::TimedOut.into()));
        }
        match alarm.set(context.waker()) {
            Ok(()) => Poll::Pending,
            Err(error) => Poll::Ready(Err(error)),
        }
    })
}

/// A deadline at which a task is woken. Dropped, it is forgotten.
#[derive(Debug)]
struct Alarm {
    deadline: Instant,
    /// The process in which it is set, and its number.
    set: Option<(u64, u64)>,
}

impl Alarm {
    const fn new(deadline: Instant) -> Self {
        Self { deadline, set: None }
    }

    /// Has this waker be woken.
    fn set(&mut self, waker: &Waker) -> Result<(), Error> {
        let process = fork_id::identity();
        // A child has its parent's deadlines no more than its thread.
        let number = self.set.filter(|(of, _)| *of == process).map(|(_, number)| number);
        let is_set = |state: &mut State| {
            let known = number.and_then(|number| state.due.get(&(self.deadline, number)));
            known.is_some_and(|known| known.will_wake(waker))
        };
        if number.is_some() && TIMER.with(is_set) == Some(true) {
            return Ok(());
        }
        // What a waker does when it is cloned or dropped is not ours: not under the lock.
        let waker = waker.clone();
        let set = TIMER.with(|state| {
            let number = number.unwrap_or_else(|| {
                let new = state.next;
                state.next += 1;
                new
            });
            let before = state.due.insert((self.deadline, number), waker);
            let (inbox, starts, is_earlier) = match &mut state.thread {
                Some(thread) => {
                    let is_earlier = self.deadline < thread.until;
                    // Once is enough, for all that are due no earlier.
                    thread.until = thread.until.min(self.deadline);
                    (Arc::clone(&thread.inbox), false, is_earlier)
                }
                None => {
                    let thread = Sleeper { inbox: Arc::new(Slot::new()), until: self.deadline };
                    (Arc::clone(&state.thread.insert(thread).inbox), true, false)
                }
            };
            (number, before, inbox, starts, is_earlier)
        });
        let Some((number, before, inbox, starts, is_earlier)) = set else {
            return Err(lane::no_thread(libc::EAGAIN));
        };
        drop(before);
        self.set = Some((process, number));
        if starts {
            thread::start(thread::STACK, move || run(&inbox)).map_err(|errno| {
                // Those who relied on it meanwhile find out when they are polled.
                let left = TIMER.with(|state| {
                    state.thread = None;
                    mem::take(&mut state.due)
                });
                left.into_iter().flatten().for_each(|(_, waker)| wake(waker));
                lane::no_thread(errno)
            })
        } else {
            if is_earlier {
                inbox.send(());
            }
            Ok(())
        }
    }
}

impl Drop for Alarm {
    fn drop(&mut self) {
        if let Some((process, number)) = self.set
            && process == fork_id::identity()
        {
            let waker = TIMER.with(|state| state.due.remove(&(self.deadline, number)));
            drop(waker);
        }
    }
}

/// The life of the thread.
fn run(inbox: &Slot<()>) {
    thread::name(lane::NAME);
    loop {
        let now = Instant::now();
        let looked = TIMER.with(|state| {
            let mut due = Vec::new();
            while let Some(first) = state.due.first_entry()
                && first.key().0 <= now
                && due.len() < AT_ONCE
            {
                due.push(first.remove());
            }
            let next = state.due.first_key_value().map(|((next, _), _)| *next);
            let until = next.unwrap_or_else(|| now.checked_add(KEEP_FOR).unwrap_or(now));
            if let Some(thread) = &mut state.thread {
                thread.until = until;
            }
            (due, next, until)
        });
        let Some((due, next, until)) = looked else { return };
        if !due.is_empty() {
            due.into_iter().for_each(wake);
            continue;
        }
        if inbox.recv_deadline(until).is_none() && next.is_none() {
            let ends = TIMER.with(|state| {
                let ends = state.due.is_empty();
                if ends {
                    state.thread = None;
                }
                ends
            });
            if ends != Some(false) {
                return;
            }
        }
    }
}

#[cfg(test)]
pub(super) fn waiting() -> usize {
    TIMER.with(|state| state.due.len()).unwrap_or(0)
}

#[cfg(test)]
mod tests;
