//! Lookups in a child made by fork(2) while threads of the parent are in the middle of theirs.

use super::super::lookups::{AT_ONCE, Lookups};
use super::super::{Answer, Query, lookup, lookup_by};
use super::{Address, QUEUE, found, query, within};
use crate::native::fork_id::tests::in_child;
use rdma_addrinfo_core::{ErrorKind, Protocol};
use std::process;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering::SeqCst};
use std::thread;
use std::time::Duration;

/// The process in which lookups do not come back.
static PARENT: AtomicU32 = AtomicU32::new(0);

static LOOKUPS: Lookups = Lookups::new(|query| {
    while query.node == Some(c"hang") && process::id() == PARENT.load(SeqCst) {
        // Rarely, so that sixty of them leave the processors to the others.
        thread::sleep(Duration::from_millis(20));
    }
    Ok(answer())
});

fn answer() -> Answer {
    let addresses = vec![found(Address::V6(7), 1, Protocol::Tcp)];
    Answer::told(addresses, None)
}

#[test]
fn a_child_has_workers_of_its_own() {
    PARENT.store(process::id(), SeqCst);
    let hang = query(c"hang", c"1");
    let prompt = query(c"prompt", c"1");
    // All that the parent may have but a few, left behind and still running.
    for _ in 0..AT_ONCE - 4 {
        assert_eq!(LOOKUPS.lookup_by(&hang, within(1), QUEUE), Err(ErrorKind::TimedOut.into()));
    }
    let stop = AtomicBool::new(false);
    thread::scope(|scope| {
        // These take and release the pool's lock all the time, so that some forks find it taken.
        for _ in 0..3 {
            scope.spawn(|| {
                while !stop.load(SeqCst) {
                    assert_eq!(LOOKUPS.lookup_by(&prompt, within(120_000), QUEUE), Ok(answer()));
                }
            });
        }
        for round in 0..200 {
            let code = in_child(|| {
                // The parent could not start as many more.
                for _ in 0..8 {
                    if LOOKUPS.lookup_by(&hang, within(20_000), QUEUE) != Ok(answer()) {
                        return 1;
                    }
                }
                0
            });
            if code != Some(0) {
                stop.store(true, SeqCst);
            }
            assert_eq!(code, Some(0), "child {round}");
        }
        stop.store(true, SeqCst);
    });
    // The parent never noticed.
    assert_eq!(LOOKUPS.lookup_by(&prompt, within(20_000), QUEUE), Ok(answer()));
    PARENT.store(0, SeqCst);
}

#[test]
fn a_lock_that_the_fork_found_taken_stays_with_the_parent() {
    static LOOKUPS: Lookups = Lookups::new(|_| Ok(answer()));
    let prompt = query(c"prompt", c"1");
    let resolves = || LOOKUPS.lookup_by(&prompt, within(20_000), QUEUE) == Ok(answer());
    let taken = |then: &dyn Fn() -> u8| LOOKUPS.lane().while_held(|| in_child(then));
    // Twice, so that the grandchild finds two locks taken for good.
    assert_eq!(
        taken(&|| u8::from(resolves() && taken(&|| u8::from(resolves())) == Some(1) && resolves())),
        Some(1)
    );
    assert!(resolves());
}

#[test]
fn a_child_of_a_child_too() {
    let prompt = query(c"prompt", c"1");
    let resolves = || LOOKUPS.lookup_by(&prompt, within(20_000), QUEUE) == Ok(answer());
    assert!(resolves());
    let code = in_child(|| {
        let before = resolves();
        let grandchild = in_child(|| u8::from(resolves()));
        u8::from(before && grandchild == Some(1) && resolves())
    });
    assert_eq!(code, Some(1));
}

/// The C library is not as careful with its own locks as with those of malloc: a child whose parent was reading
/// resolv.conf(5) just then, as another test may be, waits for ever. By deadline it comes back.
#[test]
fn a_child_asks_the_c_library_by_deadline() {
    const LATE: u8 = 2;
    let query = Query { family: libc::AF_INET, protocol: Protocol::Tcp, ..query(c"localhost", c"7471") };
    let expected = lookup(&query);
    assert_eq!(lookup_by(&query, within(20_000), QUEUE), expected);
    let mut answered = 0;
    for round in 0..200 {
        let code = in_child(|| match lookup_by(&query, within(2_000), QUEUE) {
            Err(error) if error.kind() == ErrorKind::TimedOut => LATE,
            answer => u8::from(answer == expected),
        });
        assert!(code == Some(1) || code == Some(LATE.into()), "child {round}: {code:?}");
        answered += u32::from(code == Some(1));
    }
    assert!(answered >= 150, "{answered}");
}
