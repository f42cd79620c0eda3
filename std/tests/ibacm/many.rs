//! Many callers at once.

use super::daemon::{Act, Daemon, KINDS, Kind, address, ask};
use std::thread;
use std::time::{Duration, Instant};

const CALLERS: usize = 64;

#[test]
fn callers_do_not_wait_for_each_other() {
    for kind in KINDS {
        let daemon = Daemon::start("together", kind);
        daemon.otherwise(|_| Act::Late(Duration::from_millis(10)));
        let resolver = daemon.resolver();
        let serial = Duration::from_millis(10) * u32::try_from(CALLERS).unwrap();
        let round = || {
            let start = Instant::now();
            thread::scope(|scope| {
                for caller in 0..CALLERS {
                    scope.spawn(move || assert_eq!(ask(&resolver, address(caller)), Ok(())));
                }
            });
            start.elapsed()
        };
        // A round may lose its time to whatever else the machine does.
        let took = (0..5).map(|_| round()).min().unwrap();
        assert!(took < serial / 4, "{took:?}");
    }
}

#[test]
fn everybody_gets_their_own_answer() {
    for kind in KINDS {
        let daemon = Daemon::start("own", kind);
        let resolver = daemon.resolver();
        thread::scope(|scope| {
            for caller in 0..8 {
                scope.spawn(move || {
                    for round in 0..200 {
                        assert_eq!(ask(&resolver, address(caller * 1000 + round)), Ok(()));
                    }
                });
            }
        });
        assert_eq!(daemon.requests(), 1600);
        // A connection for each, and a few more where one was being put back.
        assert!(daemon.connections() < 400, "{}", daemon.connections());
    }
}

#[test]
fn nobody_is_held_up_by_one_who_waits() {
    let daemon = Daemon::start("held-up", Kind::Unix);
    daemon.script(&[Act::Late(Duration::from_secs(2))]);
    let resolver = daemon.resolver();
    thread::scope(|scope| {
        let slow = scope.spawn(move || ask(&resolver, address(1)));
        while daemon.requests() == 0 {
            thread::sleep(Duration::from_millis(1));
        }
        let start = Instant::now();
        for number in 0..100 {
            assert_eq!(ask(&resolver, address(number)), Ok(()));
        }
        assert!(start.elapsed() < Duration::from_secs(1), "{:?}", start.elapsed());
        assert_eq!(slow.join().unwrap(), Ok(()));
    });
}
