//! Who is told apart: processes that share memory by fork(2), whatever their process IDs.

use super::*;
use std::env;
use std::io::{self, Write as _};
use std::thread;
use std::time::{Duration, Instant};

/// Runs `child` in a forked child and gives its exit code; none if it had to be killed.
pub(in crate::native) fn in_child(child: impl FnOnce() -> u8) -> Option<i32> {
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
    let deadline = Instant::now() + Duration::from_secs(30);
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

#[test]
fn a_process_is_the_same_in_all_its_threads() {
    let here = identity();
    assert_eq!(here as u32, process::id());
    assert!(here >= GENERATION, "this kernel empties no page");
    assert!((0..8).all(|_| thread::spawn(identity).join().unwrap() == here));
}

#[test]
fn threads_that_are_first_agree() {
    for _ in 0..200 {
        let identity = Identity::new();
        let seen: Vec<u64> = thread::scope(|scope| {
            let first: Vec<_> = (0..4).map(|_| scope.spawn(|| identity.get(map))).collect();
            first.into_iter().map(|thread| thread.join().unwrap()).collect()
        });
        assert_eq!(seen, [seen[0]; 4]);
        unmap(identity.page.into_inner());
    }
}

/// Whether each of three, the parent first, is another than those before it.
fn three_differ(identity: &Identity, map: fn() -> *mut AtomicU64) -> bool {
    let parent = identity.get(map);
    let child = || {
        let child = identity.get(map);
        let grandchild = || u8::from(![parent, child, 0].contains(&identity.get(map)));
        u8::from(
            ![parent, 0].contains(&child) && in_child(grandchild) == Some(1) && identity.get(map) == child,
        )
    };
    in_child(child) == Some(1) && identity.get(map) == parent
}

#[test]
fn a_child_is_another() {
    let new = Identity::new();
    assert!(three_differ(&new, map));
    // Twice more: what was told before does not count.
    assert!(three_differ(&new, map));
    // A generation that told nobody who it was.
    let parent = new.get(map);
    let silent = || u8::from(in_child(|| u8::from(new.get(map) != parent)) == Some(1));
    assert_eq!(in_child(silent), Some(1));
    unmap(new.page.into_inner());
}

#[test]
fn where_no_page_is_emptied_it_is_the_process_id() {
    let new = Identity::new();
    let none = || MAP_FAILED.cast();
    assert!(three_differ(&new, none));
    assert_eq!(new.get(none), process::id().into());
    // It was decided: a page that comes later would tell another identity in the same process.
    assert_eq!(new.get(map), process::id().into());
}

/// Makes the children of this process the first of a PID namespace.
fn unshare_pids(others: i32) -> bool {
    // SAFETY: these flags change what children are born into, and no memory.
    unsafe { libc::unshare(libc::CLONE_NEWPID | others) == 0 }
}

#[test]
fn a_child_with_the_process_id_of_its_parent_is_another() {
    const NOT_ALLOWED: u8 = 77;
    let kept = identity();
    let code = in_child(|| {
        if !unshare_pids(0) && !unshare_pids(libc::CLONE_NEWUSER) {
            return NOT_ALLOWED;
        }
        let first = || {
            let parent = identity();
            let second = || u8::from(process::id() == 1 && ![kept, parent].contains(&identity()));
            u8::from(process::id() == 1 && parent != kept && unshare_pids(0) && in_child(second) == Some(1))
        };
        in_child(first).map_or(0, |code| u8::from(code == 1))
    });
    if code == Some(NOT_ALLOWED.into()) {
        // Not by a macro, whose output the test harness keeps to itself.
        let _ = writeln!(
            io::stderr(),
            "\n!!!!! SKIPPED: fork_id: no PID namespaces: run it as root with CAP_SYS_ADMIN !!!!!\n"
        );
        assert!(env::var_os("CI").is_none_or(|ci| ci != "true"), "no PID namespaces");
        return;
    }
    assert_eq!(code, Some(1));
}
