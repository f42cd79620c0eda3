//! Look-ups in a child made by fork(2) while threads of the parent are in the middle of theirs.

use super::super::process::Pools;
use super::super::{Address, Answer, IN_FLIGHT, Protocol, Query, look_up, look_up_by};
use super::{found, query, within};
use rdma_addrinfo_core::ErrorKind;
use std::process;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering::SeqCst};
use std::thread;
use std::time::{Duration, Instant};

/// Runs `child` in a forked child and gives its exit code; none if it had to be killed.
fn in_child(child: impl FnOnce() -> u8) -> Option<i32> {
    // SAFETY: the child runs `child` and ends by _exit: it returns to no frame of the parent and runs no destructor of
    // one. What it calls takes locks of the C library only, which fork(2) leaves usable, and of the code under test,
    // which is what is tested.
    let pid = unsafe { libc::fork() };
    assert!(pid >= 0, "fork failed");
    if pid == 0 {
        let code = child();
        // SAFETY: _exit has no precondition.
        unsafe { libc::_exit(code.into()) }
    }
    let deadline = within(30_000);
    let mut status = 0;
    loop {
        // SAFETY: `status` is a live local to write to.
        let ended = unsafe { libc::waitpid(pid, &raw mut status, libc::WNOHANG) };
        if ended == pid {
            return libc::WIFEXITED(status).then(|| libc::WEXITSTATUS(status));
        }
        if Instant::now() > deadline {
            // SAFETY: the child is ours and not waited for yet, so the number is its own.
            unsafe { libc::kill(pid, libc::SIGKILL) };
        }
        thread::sleep(Duration::from_micros(200));
    }
}

/// The process in which look-ups do not come back.
static PARENT: AtomicU32 = AtomicU32::new(0);

static POOLS: Pools = Pools::new(|query| {
    while query.node == Some(c"hang") && process::id() == PARENT.load(SeqCst) {
        thread::sleep(Duration::from_millis(1));
    }
    Ok(answer())
});

fn answer() -> Answer {
    let addresses = vec![found(Address::V6(7), 1, Protocol::Tcp)];
    Answer { addresses, canonical_name: None }
}

#[test]
fn a_child_has_workers_of_its_own() {
    PARENT.store(process::id(), SeqCst);
    let hang = query(c"hang", c"1");
    let prompt = query(c"prompt", c"1");
    // All that the parent may have but a few, left behind and still running.
    for _ in 0..IN_FLIGHT - 4 {
        assert_eq!(POOLS.look_up_by(&hang, within(1)), Err(ErrorKind::TimedOut.into()));
    }
    let stop = AtomicBool::new(false);
    thread::scope(|scope| {
        // These take and release the pool's lock all the time, so that some forks find it taken.
        for _ in 0..3 {
            scope.spawn(|| {
                while !stop.load(SeqCst) {
                    assert_eq!(POOLS.look_up_by(&prompt, within(30_000)), Ok(answer()));
                }
            });
        }
        for round in 0..200 {
            let code = in_child(|| {
                // More than the parent had left, one after the other and at once.
                for _ in 0..8 {
                    if POOLS.look_up_by(&hang, within(20_000)) != Ok(answer()) {
                        return 1;
                    }
                }
                let at_once = [(); 8].map(|()| {
                    thread::Builder::new().spawn(move || POOLS.look_up_by(&query(c"hang", c"1"), within(20_000)))
                });
                for thread in at_once {
                    match thread.map(thread::JoinHandle::join) {
                        Ok(Ok(Ok(found))) if found == answer() => {}
                        _ => return 2,
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
    assert_eq!(POOLS.look_up_by(&prompt, within(20_000)), Ok(answer()));
    PARENT.store(0, SeqCst);
}

#[test]
fn a_child_of_a_child_too() {
    let prompt = query(c"prompt", c"1");
    let resolves = || POOLS.look_up_by(&prompt, within(20_000)) == Ok(answer());
    assert!(resolves());
    let code = in_child(|| {
        let before = resolves();
        let grandchild = in_child(|| u8::from(resolves()));
        u8::from(before && grandchild == Some(1) && resolves())
    });
    assert_eq!(code, Some(1));
}

#[test]
fn a_child_asks_the_c_library_by_deadline() {
    let query = Query { family: libc::AF_INET, protocol: Some(Protocol::Tcp), ..query(c"localhost", c"7471") };
    let expected = look_up(&query);
    assert_eq!(look_up_by(&query, within(20_000)), expected);
    let stop = AtomicBool::new(false);
    thread::scope(|scope| {
        // The parent asks all the time, on workers and on its own threads.
        scope.spawn(|| while !stop.load(SeqCst) { assert_eq!(look_up_by(&query, within(30_000)), expected) });
        scope.spawn(|| while !stop.load(SeqCst) { assert_eq!(look_up(&query), expected) });
        for round in 0..200 {
            let code = in_child(|| u8::from(look_up_by(&query, within(20_000)) == expected));
            if code != Some(1) {
                stop.store(true, SeqCst);
            }
            assert_eq!(code, Some(1), "child {round}");
        }
        stop.store(true, SeqCst);
    });
}
