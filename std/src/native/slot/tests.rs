//! Values that come soon, later, and not at all.

use super::*;
use std::thread;

/// Nothing waits so long.
fn late() -> Instant {
    Instant::now() + Duration::from_secs(30)
}

type Take = fn(&Slot<u32>, Instant) -> Option<u32>;

const TAKES: [Take; 2] = [Slot::recv_deadline, Slot::spin_recv_deadline];

#[test]
fn what_is_there_is_taken_once_and_however_late() {
    for take in TAKES {
        let slot = Slot::new();
        slot.send(7);
        assert_eq!(take(&slot, Instant::now()), Some(7));
        assert_eq!(take(&slot, Instant::now()), None);
    }
}

#[test]
fn who_waits_gets_it_whenever_it_comes() {
    for take in TAKES {
        // While it is looked for, about when the waiter falls asleep, and long after that.
        for micros in [0, 20, 80, 90, 100, 110, 120, 150, 5000] {
            for round in 0..20 {
                let slot = Slot::new();
                thread::scope(|scope| {
                    let taken = scope.spawn(|| take(&slot, late()));
                    thread::sleep(Duration::from_micros(micros));
                    slot.send(round);
                    assert_eq!(taken.join().unwrap(), Some(round), "after {micros} us");
                });
            }
        }
    }
}

#[test]
fn what_does_not_come_is_waited_for_until_the_deadline() {
    for take in TAKES {
        for patience in [Duration::ZERO, SPIN / 2, SPIN, SPIN * 20] {
            let deadline = Instant::now() + patience;
            assert_eq!(take(&Slot::new(), deadline), None);
            let late = deadline.elapsed();
            assert!(Instant::now() >= deadline && late < Duration::from_secs(5), "{patience:?}: {late:?}");
        }
    }
}

/// A waiter who slept would be counted as one that gave the processor up of itself.
#[test]
fn who_is_served_soon_does_not_sleep() {
    let waits = || {
        let status = std::fs::read_to_string("/proc/thread-self/status").unwrap();
        let count = status.lines().find_map(|line| line.strip_prefix("voluntary_ctxt_switches:")).unwrap();
        count.trim().parse::<u64>().unwrap()
    };
    // The deadline is so near that it comes back before it would sleep, so that nobody has to be quick.
    let before = waits();
    for _ in 0..100 {
        assert_eq!(Slot::<u32>::new().spin_recv_deadline(Instant::now() + SPIN / 2), None);
    }
    let looked = waits() - before;
    for _ in 0..100 {
        assert_eq!(Slot::<u32>::new().recv_deadline(Instant::now() + SPIN / 2), None);
    }
    let slept = waits() - before - looked;
    assert!(looked < 50 && slept > 50, "{looked} {slept}");
}
