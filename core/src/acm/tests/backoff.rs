//! How long absence and silence last.

use crate::acm::{Backoff, BackoffConfig};
use core::time::Duration;

const USUAL: BackoffConfig = BackoffConfig::DEFAULT;
const WAITED: Duration = Duration::from_millis(250);

/// For how many milliseconds from `now` the daemon is silent to a call that waits as those before.
fn silent_for(backoff: &Backoff, now: u64) -> u64 {
    let (mut silent, mut over) = (0, 40_000);
    assert!(!backoff.is_silent(now + over, WAITED));
    while silent < over {
        let middle = u64::midpoint(silent, over);
        if backoff.is_silent(now + middle, WAITED) { silent = middle + 1 } else { over = middle }
    }
    over
}

#[test]
fn absence_lasts_as_long_as_it_is_told() {
    let mut backoff = Backoff::new();
    assert!(!backoff.is_absent(0) && !backoff.is_absent(5000));
    backoff.absent(5000, &USUAL);
    assert!(backoff.is_absent(5000) && backoff.is_absent(5999));
    assert!(!backoff.is_absent(6000) && !backoff.is_silent(5000, Duration::ZERO));
    backoff.absent(6000, &BackoffConfig { negative_cache: Duration::ZERO, ..USUAL });
    assert!(!backoff.is_absent(6000));
    backoff.absent(7000, &BackoffConfig { negative_cache: Duration::MAX, ..USUAL });
    assert!(backoff.is_absent(u64::MAX - 1));
    backoff.answered();
    assert!(!backoff.is_absent(7000));
}

#[test]
fn three_time_outs_in_a_row_are_a_silence() {
    let mut backoff = Backoff::new();
    backoff.timed_out(1000, WAITED, &USUAL);
    backoff.timed_out(1300, WAITED, &USUAL);
    assert_eq!(silent_for(&backoff, 1300), 0);
    backoff.answered();
    for now in [2000, 2300] {
        backoff.timed_out(now, WAITED, &USUAL);
        assert_eq!(silent_for(&backoff, now), 0);
    }
    backoff.timed_out(2600, WAITED, &USUAL);
    assert_eq!(silent_for(&backoff, 2600), 1000);
    assert!(!backoff.is_absent(2600));
    backoff.answered();
    assert_eq!(silent_for(&backoff, 2600), 0);
}

#[test]
fn silence_doubles_up_to_the_longest() {
    let mut backoff = Backoff::new();
    let mut now = 1000;
    backoff.timed_out(now, WAITED, &USUAL);
    backoff.timed_out(now, WAITED, &USUAL);
    for seconds in [1, 2, 4, 8, 16, 30, 30, 30] {
        backoff.timed_out(now, WAITED, &USUAL);
        assert_eq!(silent_for(&backoff, now), seconds * 1000);
        now += seconds * 1000;
    }
    // However often, also through its words; and one reply starts from the beginning.
    for _ in 0..100 {
        backoff.timed_out(now, WAITED, &USUAL);
        backoff = Backoff::from_words(backoff.to_words());
        assert_eq!(silent_for(&backoff, now), 30_000);
        now += 30_000;
    }
    backoff.answered();
    backoff.timed_out(now, WAITED, &USUAL);
    backoff.timed_out(now, WAITED, &USUAL);
    assert_eq!(silent_for(&backoff, now), 0);
    backoff.timed_out(now, WAITED, &USUAL);
    assert_eq!(silent_for(&backoff, now), 1000);
}

#[test]
fn the_first_time_is_what_doubles() {
    let config =
        BackoffConfig { first: Duration::from_millis(200), longest: Duration::from_millis(1500), ..USUAL };
    let mut backoff = Backoff::new();
    backoff.timed_out(0, WAITED, &config);
    backoff.timed_out(0, WAITED, &config);
    let mut now = 0;
    let periods = [(); 5].map(|()| {
        backoff.timed_out(now, WAITED, &config);
        let period = silent_for(&backoff, now);
        now += period;
        period
    });
    assert_eq!(periods, [200, 400, 800, 1500, 1500]);
}

#[test]
fn callers_that_waited_together_make_one_silence() {
    let mut backoff = Backoff::new();
    for _ in 0..64 {
        backoff.timed_out(1000, WAITED, &USUAL);
    }
    assert_eq!(silent_for(&backoff, 1000), 1000);
    // The longest of them is what is known.
    backoff.timed_out(2000, WAITED, &USUAL);
    backoff.timed_out(2001, Duration::from_secs(3), &USUAL);
    backoff.timed_out(2002, WAITED, &USUAL);
    assert_eq!(silent_for(&backoff, 2000), 2000);
    assert!(backoff.is_silent(2000, Duration::from_millis(6002)));
    assert!(!backoff.is_silent(2000, Duration::from_millis(6003)));
}

#[test]
fn who_has_more_than_twice_the_time_asks() {
    let mut backoff = Backoff::new();
    for _ in 0..3 {
        backoff.timed_out(1000, WAITED, &USUAL);
    }
    for (left, silent) in [(0, true), (250, true), (502, true), (503, false), (5000, false)] {
        assert_eq!(backoff.is_silent(1000, Duration::from_millis(left)), silent, "{left}");
    }
}

#[test]
fn a_silence_may_be_none_or_without_end() {
    let mut backoff = Backoff::new();
    let none = BackoffConfig { first: Duration::ZERO, longest: Duration::ZERO, ..USUAL };
    for now in 1000..1020 {
        backoff.timed_out(now, WAITED, &none);
        assert_eq!(silent_for(&backoff, now), 0);
    }
    let endless = BackoffConfig { first: Duration::MAX, longest: Duration::MAX, ..USUAL };
    backoff.timed_out(2000, Duration::MAX, &endless);
    assert!(backoff.is_silent(u64::MAX - 1, Duration::from_secs(1 << 40)));
    // In words it ends with their bits.
    let backoff = Backoff::from_words(backoff.to_words());
    assert!(backoff.is_silent((1 << 40) - 2, Duration::from_millis(2 * ((1 << 17) - 1))));
    assert!(!backoff.is_silent((1 << 40) - 1, WAITED) && !backoff.is_silent(2000, Duration::from_secs(300)));
}

#[test]
fn words_hold_every_state() {
    for words in [[0, 0], [7, 0], [u64::MAX, u64::MAX], [1, 0x0123_4567_89ab_cdef], [0, 1 << 63]] {
        assert_eq!(Backoff::from_words(words).to_words(), words);
    }
    let mut backoff = Backoff::new();
    backoff.absent(5, &USUAL);
    assert_eq!(backoff.to_words(), [1005, 0]);
    for _ in 0..3 {
        backoff.timed_out(9, WAITED, &USUAL);
    }
    // 1009 ms, 251 ms, doubled once, three in a row; absence is as it was.
    assert_eq!(backoff.to_words(), [1005, 1009 | 251 << 40 | 1 << 57 | 3 << 62]);
    assert_eq!(Backoff::from_words(backoff.to_words()), backoff);
}
