//! What is remembered of daemons: that there is none, that it is silent.
//!
//! Words that threads read and write without a lock: a literal asks here first, and a lock could be left locked by a
//! fork(2). A child remembers what its parent does.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Duration;

/// How many time-outs in a row make a silence.
const IN_A_ROW: u64 = 3;

/// How many daemons are remembered.
const DAEMONS: usize = 64;

/// What is remembered of each daemon, by the key of its place. Times are milliseconds of the coarse clock.
#[derive(Debug)]
pub(super) struct Memories([Memory; DAEMONS]);

#[derive(Debug)]
pub(super) struct Memory {
    /// Whose memory it is; 0 for nobody's yet. It never changes after that, so nothing is ever mixed up.
    key: AtomicU64,
    /// Until when there is no daemon.
    absent_until: AtomicU64,
    /// A [`Silence`] in one word.
    silence: AtomicU64,
}

impl Memories {
    pub(super) const fn new() -> Self {
        Self([const { Memory::new() }; DAEMONS])
    }

    /// The memory of a daemon, if there is anything to remember.
    pub(super) fn find(&self, key: u64) -> Option<&Memory> {
        let owner = |memory: &&Memory| memory.key.load(Relaxed);
        self.search(key).take_while(|memory| owner(memory) != 0).find(|memory| owner(memory) == key)
    }

    /// The same, made if there is none; `None` if all are taken.
    pub(super) fn find_or_make(&self, key: u64) -> Option<&Memory> {
        self.search(key).find(|memory| {
            // Whoever is first has it.
            memory.key.compare_exchange(0, key, Relaxed, Relaxed).map_or_else(|owner| owner == key, |_| true)
        })
    }

    /// Forgets what is remembered of every daemon.
    pub(super) fn forget(&self) {
        self.0.iter().for_each(Memory::active);
    }

    /// All places where a key may be, in the order in which they are taken.
    fn search(&self, key: u64) -> impl Iterator<Item = &Memory> {
        let (head, tail) = self.0.split_at(usize::try_from(key % DAEMONS as u64).unwrap_or(0));
        tail.iter().chain(head)
    }
}

impl Memory {
    const fn new() -> Self {
        Self { key: AtomicU64::new(0), absent_until: AtomicU64::new(0), silence: AtomicU64::new(0) }
    }

    /// Whether the daemon is remembered not to be there.
    pub(super) fn is_absent(&self, now: u64) -> bool {
        self.absent_until.load(Relaxed) > now
    }

    /// How long calls waited for a daemon that is remembered to be silent.
    pub(super) fn silent_for(&self, now: u64) -> Option<Duration> {
        let silence = Silence::from_word(self.silence.load(Relaxed));
        (silence.until > now).then(|| Duration::from_millis(silence.waited))
    }

    /// There is no daemon.
    pub(super) fn absent(&self, now: u64, remember: Duration) {
        self.absent_until.store(now.saturating_add(milliseconds(remember)), Relaxed);
    }

    /// The daemon did something, if only hang up.
    pub(super) fn active(&self) {
        // Reading shares the cache line between cores, writing does not.
        for word in [&self.absent_until, &self.silence] {
            if word.load(Relaxed) != 0 {
                word.store(0, Relaxed);
            }
        }
    }

    /// A call waited in vain.
    pub(super) fn timed_out(&self, now: u64, waited: Duration, (first, longest): (Duration, Duration)) {
        // Waited a millisecond and a bit: rounded up, so that the next such call is not taken for a longer one.
        let waited = milliseconds(waited).saturating_add(1);
        let next = |word| {
            let mut silence = Silence::from_word(word);
            silence.waited = silence.waited.max(waited);
            // Those that were waiting when the silence began add nothing to it.
            if silence.until <= now {
                silence.in_a_row = (silence.in_a_row + 1).min(IN_A_ROW);
                if silence.in_a_row == IN_A_ROW {
                    let period = milliseconds(first).saturating_mul(1 << silence.doubled);
                    silence.until = now.saturating_add(period.min(milliseconds(longest)));
                    silence.doubled += 1;
                }
            }
            Some(silence.to_word())
        };
        let _ = self.silence.fetch_update(Relaxed, Relaxed, next);
    }
}

fn milliseconds(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}

/// What is known of a daemon's silence. Fields that do not fit their bits are at their greatest.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Silence {
    /// Until when it lasts; 40 bits are 34 years.
    until: u64,
    /// How long the calls waited, the longest of them.
    waited: u64,
    /// How often it was doubled.
    doubled: u64,
    /// Time-outs since the daemon last did something, up to [`IN_A_ROW`].
    in_a_row: u64,
}

impl Silence {
    const BITS: [u32; 4] = [40, 17, 5, 2];

    fn from_word(mut word: u64) -> Self {
        let [until, waited, doubled, in_a_row] = Self::BITS.map(|bits| {
            let field = word & ((1 << bits) - 1);
            word >>= bits;
            field
        });
        Self { until, waited, doubled, in_a_row }
    }

    fn to_word(self) -> u64 {
        let Self { until, waited, doubled, in_a_row } = self;
        let fields = [until, waited, doubled, in_a_row].into_iter().zip(Self::BITS);
        fields.rev().fold(0, |word, (field, bits)| word << bits | field.min((1 << bits) - 1))
    }
}

#[cfg(test)]
mod tests;
