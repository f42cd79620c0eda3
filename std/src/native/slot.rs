//! [`Slot`]: one value on its way from one thread to another, or to a task that awaits it.

use super::fork_local::lock;
use super::sync::{Condvar, Mutex, yield_now};
use std::mem;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::task::{Context, Poll, Waker};
use std::time::{Duration, Instant};

/// How long a receiver looks for a value that may come soon before it sleeps. Names of a file take half of it, and waking
/// up takes a quarter where a processor has to wake up too. A name server takes longer: then a lookup keeps a processor
/// busy for so long at most, if no other thread wants it.
const SPIN: Duration = Duration::from_micros(100);

/// A slot for one value at a time: one thread sends it, another waits for it.
#[derive(Debug)]
pub(super) struct Slot<T> {
    content: Mutex<Content<T>>,
    sent: Condvar,
}

#[derive(Debug)]
struct Content<T> {
    value: Option<T>,
    /// Who awaits the value, if it is a task.
    waker: Option<Waker>,
}

impl<T> Slot<T> {
    pub(super) fn new() -> Self {
        Self { content: Mutex::new(Content { value: None, waker: None }), sent: Condvar::new() }
    }

    /// Leaves a value for who waits or will wait.
    pub(super) fn send(&self, value: T) {
        let waker = {
            let mut content = lock(&self.content);
            content.value = Some(value);
            content.waker.take()
        };
        // After the unlock, so that the receiver does not wake up to a taken lock.
        self.sent.notify_one();
        if let Some(waker) = waker {
            wake(waker);
        }
    }

    /// Takes the value if it is there. If not, the waker of `context` is woken when it comes.
    pub(super) fn poll_recv(&self, context: &Context<'_>) -> Poll<T> {
        {
            let mut content = lock(&self.content);
            if let Some(value) = content.value.take() {
                return Poll::Ready(value);
            }
            if content.waker.as_ref().is_some_and(|known| known.will_wake(context.waker())) {
                return Poll::Pending;
            }
        }
        // What a waker does when it is cloned or dropped is not ours: not under the lock.
        let waker = context.waker().clone();
        let (value, before) = {
            let mut content = lock(&self.content);
            match content.value.take() {
                Some(value) => (Some(value), Some(waker)),
                None => (None, content.waker.replace(waker)),
            }
        };
        drop(before);
        value.map_or(Poll::Pending, Poll::Ready)
    }

    /// Nobody awaits the value any more.
    pub(super) fn forget_waker(&self) {
        let waker = lock(&self.content).waker.take();
        drop(waker);
    }

    /// Waits for the value until `deadline`. One that is there is taken, however late it is.
    pub(super) fn recv_deadline(&self, deadline: Instant) -> Option<T> {
        let mut content = lock(&self.content);
        loop {
            if let Some(value) = content.value.take() {
                return Some(value);
            }
            let left = deadline.checked_duration_since(Instant::now()).filter(|left| !left.is_zero())?;
            content = match self.sent.wait_timeout(content, left) {
                Ok((content, _)) => content,
                Err(poisoned) => poisoned.into_inner().0,
            };
        }
    }

    /// The same for a value that may come [within microseconds](SPIN): until then it is looked for without sleep.
    pub(super) fn spin_recv_deadline(&self, deadline: Instant) -> Option<T> {
        let start = Instant::now();
        let until = start.checked_add(SPIN).map_or(start, |until| until.min(deadline));
        while Instant::now() < until {
            if let Some(value) = lock(&self.content).value.take() {
                return Some(value);
            }
            // Who is to bring it may need this very processor.
            yield_now();
        }
        self.recv_deadline(deadline)
    }
}

/// Wakes a task. A waker that panics does it no further than here: this thread has others to serve.
pub(super) fn wake(waker: Waker) {
    if let Err(panic) = catch_unwind(AssertUnwindSafe(|| waker.wake())) {
        // To drop it could panic again.
        mem::forget(panic);
    }
}

#[cfg(all(test, not(loom)))]
mod tests;
