//! A cell that one thread fills and another waits for.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// How long a waiter looks for a value that may come soon before it sleeps. Names of a file take half of it, and waking
/// up takes a quarter where a processor has to wake up too. A name server takes longer: then a look-up keeps a processor
/// busy for so long at most, if no other thread wants it.
const SOON: Duration = Duration::from_micros(100);

/// Locks, poisoned or not: what these locks guard is whole between any two statements.
pub(super) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Room for one value on its way between two threads.
#[derive(Debug)]
pub(super) struct Handover<T> {
    value: Mutex<Option<T>>,
    filled: Condvar,
}

impl<T> Handover<T> {
    pub(super) const fn new() -> Self {
        Self { value: Mutex::new(None), filled: Condvar::new() }
    }

    /// Leaves a value for the thread that waits or will wait.
    pub(super) fn put(&self, value: T) {
        *lock(&self.value) = Some(value);
        // After the unlock, so that the waiter does not wake up to a taken lock.
        self.filled.notify_one();
    }

    /// Waits for the value until `deadline`. One that is there is taken, however late it is.
    pub(super) fn take_by(&self, deadline: Instant) -> Option<T> {
        let mut value = lock(&self.value);
        loop {
            if let Some(value) = value.take() {
                return Some(value);
            }
            let left = deadline.checked_duration_since(Instant::now()).filter(|left| !left.is_zero())?;
            value = match self.filled.wait_timeout(value, left) {
                Ok((value, _)) => value,
                Err(poisoned) => poisoned.into_inner().0,
            };
        }
    }

    /// The same for a value that may come [`SOON`]: until then it is looked for without sleep.
    pub(super) fn take_soon_by(&self, deadline: Instant) -> Option<T> {
        let until = deadline.min(Instant::now() + SOON);
        while Instant::now() < until {
            if let Some(value) = lock(&self.value).take() {
                return Some(value);
            }
            // Who is to bring it may need this very processor.
            thread::yield_now();
        }
        self.take_by(deadline)
    }
}

#[cfg(test)]
mod tests;
