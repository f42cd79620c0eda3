//! What threads report of daemons, of which nothing is lost and nothing mixed up.

use super::health::DaemonHealth;
use loom::sync::Arc;
use loom::thread;
use rdma_addrinfo_core::acm::{Backoff, BackoffConfig};
use std::time::Duration;

const WAITED: Duration = Duration::from_millis(250);
const USUAL: BackoffConfig = BackoffConfig::DEFAULT;

fn timed_out(health: &DaemonHealth, key: u64) {
    let health = health.find_or_make(key).unwrap();
    health.update(|backoff| backoff.timed_out(1000, WAITED, &USUAL));
}

fn absent(health: &DaemonHealth, key: u64) {
    health.find_or_make(key).unwrap().update(|backoff| backoff.absent(1000, &USUAL));
}

/// Runs one in another thread, and the other here.
fn at_once(there: fn(&DaemonHealth), here: fn(&DaemonHealth)) -> Arc<DaemonHealth> {
    let health = Arc::new(DaemonHealth::new());
    let other = {
        let health = Arc::clone(&health);
        thread::spawn(move || there(&health))
    };
    here(&health);
    other.join().unwrap();
    health
}

fn get(health: &DaemonHealth, key: u64) -> Backoff {
    health.find(key).unwrap().get()
}

/// Two at once and one more are three in a row.
#[test]
fn no_time_out_is_lost() {
    loom::model(|| {
        let health = at_once(|health| timed_out(health, 1), |health| timed_out(health, 1));
        assert!(!get(&health, 1).is_silent(1000, WAITED));
        timed_out(&health, 1);
        assert!(get(&health, 1).is_silent(1000, WAITED));
    });
}

/// Absence and time-outs are reported at once, and both are known.
#[test]
fn absence_and_silence_are_kept_apart() {
    loom::model(|| {
        let health = at_once(|health| absent(health, 1), |health| timed_out(health, 1));
        assert!(get(&health, 1).is_absent(1999));
        let mut expected = Backoff::new();
        expected.absent(1000, &USUAL);
        expected.timed_out(1000, WAITED, &USUAL);
        assert_eq!(get(&health, 1), expected);
    });
}

/// Their keys begin the search at the same place.
#[test]
fn two_daemons_are_never_mixed_up() {
    loom::model(|| {
        let health = at_once(|health| absent(health, 2), |health| timed_out(health, 4));
        assert!(get(&health, 2).is_absent(1999));
        assert!(!get(&health, 4).is_absent(1000));
    });
}
