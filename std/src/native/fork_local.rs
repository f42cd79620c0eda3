//! [`ForkLocal`]: state of one process. A child made by fork(2) begins with state of its own.

use super::fork_id;
use super::sync::{AtomicU64, Mutex, MutexGuard, yield_now};
use std::mem;
use std::sync::atomic::Ordering::{AcqRel, Acquire};
use std::sync::{PoisonError, TryLockError};

/// How many copies of the state there are, as a power of 2. A child needs another one than its parent only if a thread
/// of the parent held the lock, which it does for a few instructions, at the very moment of the fork.
const COPIES_BITS: u32 = 3;
const COPIES: usize = 1 << COPIES_BITS;

/// How often to try for a copy that other threads are just making their process's own.
const TRIES: usize = 1000;

/// State that a process begins with.
pub(super) trait Initial {
    const INITIAL: Self;
    /// Whether a child goes on with what it inherits, where it finds that: state without descriptors and threads.
    const IS_INHERITED: bool = false;
}

#[derive(Debug)]
struct Owned<T> {
    /// The [identity](fork_id::identity) of the process that uses it; 0 for none yet.
    owner: u64,
    state: T,
}

/// State that belongs to one process, behind a lock that a fork(2) cannot leave locked for the child.
///
/// A child never waits for a lock that its parent held: it takes a copy of the state whose lock it finds free, drops
/// what is in there, and has [`Initial::INITIAL`]; or, if it may, goes on with what is in there. What it drops must be what a child may drop.
#[derive(Debug)]
pub(super) struct ForkLocal<T> {
    copies: [Mutex<Owned<T>>; COPIES],
    /// The identity of the process and, in the low bits, the index of its copy: see [`joined`]. 0 before the first use.
    current: AtomicU64,
}

impl<T: Initial> ForkLocal<T> {
    #[cfg(not(loom))]
    pub(super) const fn new() -> Self {
        Self {
            copies: [const { Mutex::new(Owned { owner: 0, state: T::INITIAL }) }; COPIES],
            current: AtomicU64::new(0),
        }
    }

    #[cfg(loom)]
    pub(super) fn new() -> Self {
        Self {
            copies: std::array::from_fn(|_| Mutex::new(Owned { owner: 0, state: T::INITIAL })),
            current: AtomicU64::new(0),
        }
    }

    /// Gives `body` the state of this process, which no other thread has meanwhile; `None`, and nothing is done, where
    /// there is no copy for this process. `body` should be a few instructions, without I/O: others wait for it.
    pub(super) fn with<R>(&self, body: impl FnOnce(&mut T) -> R) -> Option<R> {
        let copy = self.copy_of(fork_id::identity())?;
        Some(body(&mut lock(copy).state))
    }

    /// The same, of a state that is as it began where nobody has ever used it: then nothing is done, and nothing asked of
    /// the kernel.
    pub(super) fn with_used<R>(&self, body: impl FnOnce(&mut T) -> R) -> Option<R> {
        if self.current.load(Acquire) == 0 { None } else { self.with(body) }
    }

    /// The copy of a process, which is the calling one; in a child, once, one that it can have.
    fn copy_of(&self, process: u64) -> Option<&Mutex<Owned<T>>> {
        for _ in 0..TRIES {
            let current = self.current.load(Acquire);
            let index = current % (1 << COPIES_BITS);
            if current == joined(process, index) {
                return self.copies.get(usize::try_from(index).ok()?);
            }
            match (0..).zip(&self.copies).find(|(_, copy)| adopt(copy, process)) {
                // Whoever is first decides for all threads of the process: read it again.
                Some((index, _)) => {
                    let ours = joined(process, index);
                    let _ = self.current.compare_exchange(current, ours, AcqRel, Acquire);
                }
                None => yield_now(),
            }
        }
        None
    }
}

/// Makes a copy a process's own, unless its lock is held: be it by a thread of the parent, which will never release it
/// in this process.
fn adopt<T: Initial>(copy: &Mutex<Owned<T>>, process: u64) -> bool {
    let mut held = match copy.try_lock() {
        Ok(held) => held,
        Err(TryLockError::Poisoned(poisoned)) => poisoned.into_inner(),
        Err(TryLockError::WouldBlock) => return false,
    };
    if T::IS_INHERITED {
        held.owner = process;
    } else if held.owner != process {
        let inherited = mem::replace(&mut *held, Owned { owner: process, state: T::INITIAL });
        // Closing what the parent had open is I/O: not under the lock.
        drop(held);
        drop(inherited);
    }
    true
}

/// Locks, poisoned or not: what the locks here guard is whole between any two statements.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A process and the index of its copy in one word. The top bits of its generation are lost: it still differs from the
/// 2^29 before it.
const fn joined(process: u64, index: u64) -> u64 {
    process << COPIES_BITS | index
}

#[cfg(all(test, not(loom)))]
mod tests;
