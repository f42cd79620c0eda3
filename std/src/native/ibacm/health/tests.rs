//! Which daemon is whose, and what threads make of one together.

use super::*;
use rdma_addrinfo_core::acm::BackoffConfig;
use std::thread;
use std::time::Duration;

const USUAL: BackoffConfig = BackoffConfig::DEFAULT;

#[test]
fn what_is_changed_is_known_and_what_is_not_stays() {
    let health = Health::new();
    assert_eq!(health.get(), Backoff::new());
    health.update(|backoff| backoff.absent(5000, &USUAL));
    let mut expected = Backoff::new();
    expected.absent(5000, &USUAL);
    assert_eq!(health.get(), expected);
    for _ in 0..3 {
        health.update(|backoff| backoff.timed_out(5000, Duration::from_millis(250), &USUAL));
        expected.timed_out(5000, Duration::from_millis(250), &USUAL);
    }
    assert_eq!(health.get(), expected);
    assert!(health.get().is_silent(5000, Duration::ZERO) && health.get().is_absent(5999));
    health.update(Backoff::answered);
    assert_eq!(health.get(), Backoff::new());
}

#[test]
fn each_daemon_has_its_own_as_long_as_there_are_any() {
    let all = DaemonHealth::new();
    assert!(all.find(7).is_none());
    // All would like to be at the same place.
    let keys = (1..=64_u64).map(|n| n * 64);
    for key in keys.clone() {
        let health = all.find_or_make(key).unwrap();
        health.update(|backoff| backoff.absent(key, &USUAL));
        assert!(all.find_or_make(key).unwrap().get().is_absent(key));
    }
    for key in keys.clone() {
        let backoff = all.find(key).unwrap().get();
        assert!(backoff.is_absent(key + 999) && !backoff.is_absent(key + 1000), "{key}");
    }
    assert!(all.find(7).is_none() && all.find_or_make(7).is_none());
    all.forget();
    assert!(keys.into_iter().all(|key| !all.find(key).unwrap().get().is_absent(key)));
}

#[test]
fn threads_that_come_together_agree() {
    for round in 1..200_u64 {
        let all = DaemonHealth::new();
        thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    let health = all.find_or_make(round).unwrap();
                    health.update(|backoff| backoff.timed_out(100, Duration::from_millis(5), &USUAL));
                });
            }
        });
        let backoff = all.find(round).unwrap().get();
        // None was lost: three make a silence, and the fourth adds nothing.
        assert!(backoff.is_silent(1099, Duration::ZERO) && !backoff.is_silent(1100, Duration::ZERO));
    }
}
