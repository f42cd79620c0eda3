//! [`Backoff`]: when a daemon that is not there, or does not answer, is asked again.

use core::time::Duration;

/// How many time-outs in a row make a silence.
const IN_A_ROW: u64 = 3;

/// How long the absence and the silence of a daemon are remembered.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub struct BackoffConfig {
    /// How long it is remembered that there is no daemon; 0 for not at all.
    pub negative_cache: Duration,
    /// How long a daemon is not asked after it let three calls in a row time out; 0 for not at all.
    pub first: Duration,
    /// Each further time-out doubles the time, up to this.
    pub longest: Duration,
}

impl Default for BackoffConfig {
    /// A second; a second, up to 30.
    fn default() -> Self {
        Self::DEFAULT
    }
}

impl BackoffConfig {
    /// A second for absence; for silence a second, up to 30.
    pub const DEFAULT: Self = Self {
        negative_cache: Duration::from_secs(1),
        first: Duration::from_secs(1),
        longest: Duration::from_secs(30),
    };
}

/// What a driver remembers of a daemon that it asks for routes: that there is none, or that it is silent.
///
/// Nothing here reads a clock: `now` is in milliseconds of any clock of the driver's that does not run backwards, less
/// than 2^40 of them, which are 34 years. Reported are what came of each request; asked is, before the next one, whether
/// it is worth while.
///
/// ```
/// use rdma_addrinfo_core::acm::{Backoff, BackoffConfig};
/// use core::time::Duration;
///
/// let (config, waited) = (BackoffConfig::default(), Duration::from_millis(250));
/// let mut backoff = Backoff::new();
/// for now in [1000, 1250, 1500] {
///     assert!(!backoff.is_silent(now, waited));
///     backoff.timed_out(now, waited, &config);
/// }
/// // For a second nobody asks who has about as little time; then the next one tries.
/// assert!(backoff.is_silent(2499, waited) && !backoff.is_silent(2500, waited));
/// assert!(!backoff.is_silent(1500, Duration::from_secs(5)));
/// backoff.answered();
/// assert_eq!(backoff, Backoff::new());
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Backoff {
    /// Until when there is no daemon.
    absent_until: u64,
    /// Until when the daemon is silent.
    silent_until: u64,
    /// How long the calls waited that timed out, the longest of them, in milliseconds.
    waited: u64,
    /// How often the silence was doubled.
    doubled: u64,
    /// Time-outs since the daemon last did something, up to [`IN_A_ROW`].
    in_a_row: u64,
}

impl Backoff {
    /// Of a daemon of which nothing is known.
    #[must_use]
    pub const fn new() -> Self {
        Self { absent_until: 0, silent_until: 0, waited: 0, doubled: 0, in_a_row: 0 }
    }

    /// Whether it is remembered that there is no daemon.
    #[inline]
    #[must_use]
    pub const fn is_absent(&self, now: u64) -> bool {
        self.absent_until > now
    }

    /// Whether the daemon is remembered to be silent for a call that can wait so long: no more than twice as long as
    /// those that waited in vain. Three that had but a millisecond shall not speak for one that has seconds.
    #[must_use]
    pub fn is_silent(&self, now: u64, left: Duration) -> bool {
        self.silent_until > now && left <= Duration::from_millis(self.waited.saturating_mul(2))
    }

    /// There is no daemon.
    pub fn absent(&mut self, now: u64, config: &BackoffConfig) {
        self.absent_until = now.saturating_add(milliseconds(config.negative_cache));
    }

    /// The daemon did something, if only hang up: nothing is remembered any more.
    pub const fn answered(&mut self) {
        *self = Self::new();
    }

    /// A call waited so long in vain.
    pub fn timed_out(&mut self, now: u64, waited: Duration, config: &BackoffConfig) {
        // Waited a millisecond and a bit: rounded up, so that the next such call is not taken for a longer one.
        self.waited = self.waited.max(milliseconds(waited).saturating_add(1));
        // Those that were waiting when the silence began add nothing to it.
        if self.silent_until > now {
            return;
        }
        self.in_a_row = self.in_a_row.saturating_add(1).min(IN_A_ROW);
        if self.in_a_row == IN_A_ROW {
            let doubled = u32::try_from(self.doubled).unwrap_or(u32::MAX);
            let factor = 1_u64.checked_shl(doubled).unwrap_or(u64::MAX);
            let period = milliseconds(config.first).saturating_mul(factor).min(milliseconds(config.longest));
            self.silent_until = now.saturating_add(period);
            self.doubled = self.doubled.saturating_add(1);
        }
    }

    /// All of it in two words, for a driver whose threads share it without a lock: absence changes the first alone, a
    /// time-out the second alone. What does not fit its bits is at their greatest: the time of the silence 40, the time
    /// waited 17 (131 s), how often it was doubled 5.
    #[must_use]
    pub fn to_words(&self) -> [u64; 2] {
        let [silent_until, waited, doubled, in_a_row] = BITS;
        // The last field first, so that the first is in the lowest bits.
        let fields = [
            (self.in_a_row, in_a_row),
            (self.doubled, doubled),
            (self.waited, waited),
            (self.silent_until, silent_until),
        ];
        let pack = |word: u64, (field, bits): (u64, u32)| word.wrapping_shl(bits) | field.min(mask(bits));
        [self.absent_until, fields.into_iter().fold(0, pack)]
    }

    /// What [`to_words`](Self::to_words) made, or any two words.
    #[inline]
    #[must_use]
    pub fn from_words([absent_until, mut word]: [u64; 2]) -> Self {
        let [silent_until, waited, doubled, in_a_row] = BITS.map(|bits| {
            let field = word & mask(bits);
            word = word.wrapping_shr(bits);
            field
        });
        Self { absent_until, silent_until, waited, doubled, in_a_row }
    }
}

/// How many bits of a word each field of a silence has, from the lowest.
const BITS: [u32; 4] = [40, 17, 5, 2];

/// So many bits, fewer than 64.
const fn mask(bits: u32) -> u64 {
    !u64::MAX.wrapping_shl(bits)
}

fn milliseconds(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}
