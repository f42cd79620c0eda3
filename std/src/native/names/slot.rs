//! [`Slot`]: one value on its way from one thread to another.

use crate::native::fork_local::lock;
use crate::native::sync::{Condvar, Mutex, yield_now};
use std::time::{Duration, Instant};

/// How long a receiver looks for a value that may come soon before it sleeps. Names of a file take half of it, and waking
/// up takes a quarter where a processor has to wake up too. A name server takes longer: then a lookup keeps a processor
/// busy for so long at most, if no other thread wants it.
const SPIN: Duration = Duration::from_micros(100);

/// A slot for one value at a time: one thread sends it, another waits for it.
#[derive(Debug)]
pub(super) struct Slot<T> {
    value: Mutex<Option<T>>,
    sent: Condvar,
}

impl<T> Slot<T> {
    pub(super) fn new() -> Self {
        Self { value: Mutex::new(None), sent: Condvar::new() }
    }

    /// Leaves a value for the thread that waits or will wait.
    pub(super) fn send(&self, value: T) {
        *lock(&self.value) = Some(value);
        // After the unlock, so that the receiver does not wake up to a taken lock.
        self.sent.notify_one();
    }

    /// Waits for the value until `deadline`. One that is there is taken, however late it is.
    pub(super) fn recv_deadline(&self, deadline: Instant) -> Option<T> {
        let mut value = lock(&self.value);
        loop {
            if let Some(value) = value.take() {
                return Some(value);
            }
            let left = deadline.checked_duration_since(Instant::now()).filter(|left| !left.is_zero())?;
            value = match self.sent.wait_timeout(value, left) {
                Ok((value, _)) => value,
                Err(poisoned) => poisoned.into_inner().0,
            };
        }
    }

    /// The same for a value that may come [within microseconds](SPIN): until then it is looked for without sleep.
    pub(super) fn spin_recv_deadline(&self, deadline: Instant) -> Option<T> {
        let start = Instant::now();
        let until = start.checked_add(SPIN).map_or(start, |until| until.min(deadline));
        while Instant::now() < until {
            if let Some(value) = lock(&self.value).take() {
                return Some(value);
            }
            // Who is to bring it may need this very processor.
            yield_now();
        }
        self.recv_deadline(deadline)
    }
}

#[cfg(all(test, not(loom)))]
mod tests;
