//! [`SocketPool`]: the sockets of a process that nobody uses at the moment.

use super::fork_local::{ForkLocal, Initial};

/// How many sockets a pool holds.
pub(super) const IDLE: usize = 8;

/// How often a socket that the calling thread does not recognize may give way to another in a full pool.
///
/// It is lost if it is open in another thread's own table of descriptors, so there must be a limit; and most often it
/// was closed by the program, so the limit must not be 0.
const MOST_FORGOTTEN: u32 = 64;

/// What can be recognized again, when something else may have got its number.
pub(super) trait Recognize {
    /// Whether it is still what it was when it was put into the pool, as the calling thread sees it.
    fn is_recognized(&self) -> bool;
}

/// Idle sockets, each with a key that says what it is good for. `V` must be such that dropping one closes it only if it
/// is recognized.
///
/// Looking at a socket and closing it are I/O, and done while no lock is held.
#[derive(Debug)]
pub(super) struct SocketPool<K, V>(ForkLocal<Slots<K, V>>);

#[derive(Debug)]
struct Idle<K, V> {
    key: K,
    value: V,
    /// A thread did not recognize it: it was closed, or is in another thread's own table.
    is_doubtful: bool,
}

#[derive(Debug)]
struct Slots<K, V> {
    slots: [Option<Idle<K, V>>; IDLE],
    /// How many were given up that nobody could close.
    forgotten: u32,
}

impl<K, V> Initial for Slots<K, V> {
    const INITIAL: Self = Self { slots: [const { None }; IDLE], forgotten: 0 };
}

impl<K: Copy + PartialEq, V> Slots<K, V> {
    /// Takes the first with this key out, from a slot on.
    fn take(&mut self, from: usize, key: K) -> Option<(usize, V)> {
        let mut slots = self.slots.iter_mut().enumerate().skip(from);
        slots.find_map(|(at, slot)| Some((at, slot.take_if(|idle| idle.key == key)?.value)))
    }

    /// Puts one into a slot that is free, the first one from `at` on.
    ///
    /// # Errors
    /// There is none: here it is again.
    fn put(&mut self, at: usize, idle: Idle<K, V>) -> Result<(), Idle<K, V>> {
        let (before, after) = self.slots.split_at_mut(at.min(IDLE));
        match after.iter_mut().chain(before).find(|slot| slot.is_none()) {
            Some(slot) => {
                *slot = Some(idle);
                Ok(())
            }
            None => Err(idle),
        }
    }

    /// Puts one into the pool, and returns the one for which no slot is left.
    ///
    /// One with another key gives way, so that a daemon that is no longer asked does not keep the others out; then one
    /// that was not recognized.
    fn keep(&mut self, key: K, value: V) -> Option<V> {
        let Err(idle) = self.put(0, Idle { key, value, is_doubtful: false }) else { return None };
        if self.forgotten >= MOST_FORGOTTEN {
            return Some(idle.value);
        }
        let other = self.slots.iter().flatten().position(|idle| idle.key != key);
        let doubtful = || self.slots.iter().flatten().position(|idle| idle.is_doubtful);
        // All are taken here, so their positions are those of the slots.
        let gives_way = other.or_else(doubtful).and_then(|at| self.slots.get_mut(at));
        match gives_way {
            Some(slot) => slot.replace(idle).map(|before| before.value),
            None => Some(idle.value),
        }
    }
}

impl<K: Copy + PartialEq, V: Recognize> SocketPool<K, V> {
    #[cfg(not(loom))]
    pub(super) const fn new() -> Self {
        Self(ForkLocal::new())
    }

    #[cfg(loom)]
    pub(super) fn new() -> Self {
        Self(ForkLocal::new())
    }

    /// Takes a socket with this key that the calling thread recognizes out of the pool. Those that it does not
    /// recognize stay, for the threads that have another table of descriptors.
    pub(super) fn take(&self, key: K) -> Option<V> {
        let mut from = 0;
        loop {
            let (at, value) = self.0.with_used(|slots| slots.take(from, key))??;
            if value.is_recognized() {
                return Some(value);
            }
            self.put_back(at, key, value);
            from = at + 1;
        }
    }

    /// Puts a socket that is in order into the pool, or closes it if the pool is full.
    pub(super) fn keep(&self, key: K, value: V) {
        if let Some(Some(other)) = self.0.with(|slots| slots.keep(key, value)) {
            self.discard(other);
        }
    }

    /// Closes all, but for those that only another thread recognizes: these are left to it.
    pub(super) fn clear(&self) {
        for at in 0..IDLE {
            let taken = self.0.with_used(|slots| slots.slots.get_mut(at).and_then(Option::take)).flatten();
            if let Some(idle) = taken
                && !idle.value.is_recognized()
            {
                self.put_back(at, idle.key, idle.value);
            }
        }
    }

    /// Puts one that the calling thread did not recognize back into its slot, or into another if that is taken.
    fn put_back(&self, at: usize, key: K, value: V) {
        let doubtful = Idle { key, value, is_doubtful: true };
        if let Some(Err(idle)) = self.0.with(|slots| slots.put(at, doubtful)) {
            self.discard(idle.value);
        }
    }

    fn discard(&self, value: V) {
        if !value.is_recognized() {
            self.0.with(|slots| slots.forgotten = slots.forgotten.saturating_add(1));
        }
    }
}

#[cfg(all(test, not(loom)))]
mod tests;
