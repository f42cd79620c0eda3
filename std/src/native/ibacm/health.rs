//! [`DaemonHealth`]: which daemons are not there, or silent.
//!
//! Words that threads read and write without a lock: a literal asks here first, and a lock could be left locked by a
//! fork(2). A child knows what its parent knew.

use crate::native::sync::AtomicU64;
use rdma_addrinfo_core::acm::Backoff;
use std::sync::atomic::Ordering::Relaxed;

/// How many daemons are remembered; in a model few.
const DAEMONS: usize = if cfg!(loom) { 2 } else { 64 };

/// What is known of each daemon, by the key of its [`Ibacm`](super::Ibacm). Times are milliseconds of the coarse clock.
#[derive(Debug)]
pub(super) struct DaemonHealth([Health; DAEMONS]);

/// What is known of one daemon.
#[derive(Debug)]
pub(super) struct Health {
    /// Whose it is; 0 for nobody's yet. It never changes after that, so nothing is ever mixed up.
    key: AtomicU64,
    /// The words of a [`Backoff`].
    words: [AtomicU64; 2],
}

impl DaemonHealth {
    #[cfg(not(loom))]
    pub(super) const fn new() -> Self {
        Self([const { Health::new() }; DAEMONS])
    }

    #[cfg(loom)]
    pub(super) fn new() -> Self {
        Self(std::array::from_fn(|_| Health::new()))
    }

    /// What is known of a daemon, if anything is.
    pub(super) fn find(&self, key: u64) -> Option<&Health> {
        let owner = |health: &&Health| health.key.load(Relaxed);
        self.search(key).take_while(|health| owner(health) != 0).find(|health| owner(health) == key)
    }

    /// The same, made if there is none; `None` if all are taken.
    pub(super) fn find_or_make(&self, key: u64) -> Option<&Health> {
        self.search(key).find(|health| {
            // Whoever is first has it.
            health.key.compare_exchange(0, key, Relaxed, Relaxed).map_or_else(|owner| owner == key, |_| true)
        })
    }

    /// Forgets what is known of every daemon.
    pub(super) fn forget(&self) {
        self.0.iter().for_each(|health| health.update(Backoff::answered));
    }

    /// All entries where a key may be, in the order in which they are taken.
    fn search(&self, key: u64) -> impl Iterator<Item = &Health> {
        let (head, tail) = self.0.split_at(usize::try_from(key % DAEMONS as u64).unwrap_or(0));
        tail.iter().chain(head)
    }
}

impl Health {
    #[cfg(not(loom))]
    const fn new() -> Self {
        Self { key: AtomicU64::new(0), words: [const { AtomicU64::new(0) }; 2] }
    }

    #[cfg(loom)]
    fn new() -> Self {
        Self { key: AtomicU64::new(0), words: std::array::from_fn(|_| AtomicU64::new(0)) }
    }

    pub(super) fn get(&self) -> Backoff {
        Backoff::from_words(self.words.each_ref().map(|word| word.load(Relaxed)))
    }

    /// Changes what is known. Each word is changed by itself: a [`Backoff`] is such that this is enough. One that stays
    /// as it is is not written, so that cores share it.
    pub(super) fn update(&self, change: impl Fn(&mut Backoff)) {
        for (index, word) in self.words.iter().enumerate() {
            let changed = |old: u64| {
                let mut words = self.get().to_words();
                *words.get_mut(index)? = old;
                let mut backoff = Backoff::from_words(words);
                change(&mut backoff);
                backoff.to_words().get(index).copied().filter(|new| *new != old)
            };
            let _ = word.fetch_update(Relaxed, Relaxed, changed);
        }
    }
}

#[cfg(all(test, not(loom)))]
mod tests;
