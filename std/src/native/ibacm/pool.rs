//! Connections that nobody uses at the moment.

use super::connection::{Connection, KeptConnection};
use super::place::{Ibacm, Place};
use std::sync::{Mutex, MutexGuard, TryLockError};

/// How many connections are kept, to all daemons together.
pub(super) const IDLE: usize = 8;

/// A connection that was left in order.
#[derive(Debug)]
struct Idle {
    place: Place,
    connection: KeptConnection,
}

/// The connections that a process keeps.
///
/// Each place has a lock of its own, held for a few instructions and never waited for: where it is taken, be it by a
/// thread of the parent at the moment of a fork(2) and so for good, the place is passed over.
#[derive(Debug)]
pub(super) struct Pool([Mutex<Option<Idle>>; IDLE]);

impl Pool {
    pub(super) const fn new() -> Self {
        Self([const { Mutex::new(None) }; IDLE])
    }

    /// Takes a connection of this process to this daemon out of the pool. What a parent left there is closed on the
    /// way: it uses its own on, and here is a copy.
    pub(super) fn take(&self, process: u64, ibacm: &Ibacm) -> Option<Connection> {
        self.places().find_map(|mut place| {
            let idle = place.take_if(|idle| !idle.connection.is_of(process) || idle.place == ibacm.place)?;
            // Looking at a socket and closing it are I/O: not under the lock.
            drop(place);
            idle.connection.take(process)
        })
    }

    /// Puts a connection that is in order into the pool, or closes it if there is no room.
    ///
    /// One to another daemon gives way: a daemon that is no longer asked shall not keep the others out.
    pub(super) fn keep(&self, process: u64, ibacm: &Ibacm, connection: Connection) {
        let Some(connection) = connection.keep(process) else { return };
        let free =
            || self.places().find(|place| place.as_ref().is_none_or(|idle| !idle.connection.is_of(process)));
        let other =
            || self.places().find(|place| place.as_ref().is_some_and(|idle| idle.place != ibacm.place));
        if let Some(mut place) = free().or_else(other) {
            let before = place.replace(Idle { place: ibacm.place, connection });
            drop(place);
            drop(before);
        }
    }

    /// The places whose locks are free.
    fn places(&self) -> impl Iterator<Item = MutexGuard<'_, Option<Idle>>> {
        self.0.iter().filter_map(|place| match place.try_lock() {
            Ok(place) => Some(place),
            Err(TryLockError::Poisoned(poisoned)) => Some(poisoned.into_inner()),
            Err(TryLockError::WouldBlock) => None,
        })
    }

    /// Runs `body` while all locks are held, as a fork(2) of another thread may find them.
    #[cfg(test)]
    pub(super) fn while_held<R>(&self, body: impl FnOnce() -> R) -> R {
        let _held: Vec<_> = self.places().collect();
        body()
    }
}

#[cfg(test)]
mod tests;
