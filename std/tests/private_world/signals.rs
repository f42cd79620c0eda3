//! Signals that come while a call waits.

use crate::common::{World, dns::Dns};
use rdma_addrinfo::{ErrorKind, Resolver};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::SeqCst};
use std::thread;
use std::time::{Duration, Instant};

static SEEN: AtomicUsize = AtomicUsize::new(0);
static BY_OTHERS: AtomicUsize = AtomicUsize::new(0);

thread_local!(static CALLER: AtomicBool = const { AtomicBool::new(false) });

extern "C" fn count(_signal: libc::c_int) {
    SEEN.fetch_add(1, SeqCst);
    if !CALLER.with(|caller| caller.load(SeqCst)) {
        BY_OTHERS.fetch_add(1, SeqCst);
    }
}

/// Handles `SIGUSR1` without restarting what it interrupts.
fn handle() {
    let handler: extern "C" fn(libc::c_int) = count;
    // SAFETY: a sigaction is integers and an optional function pointer, of which zeros are no function, no flag and the
    // empty set.
    let mut action: libc::sigaction = unsafe { std::mem::zeroed() };
    action.sa_sigaction = handler as libc::sighandler_t;
    // SAFETY: `action` is a live local, initialised; the handler takes one number and only touches atomics. Null asks
    // for no old action.
    let ret = unsafe { libc::sigaction(libc::SIGUSR1, &raw const action, std::ptr::null_mut()) };
    assert_eq!(ret, 0);
}

#[test]
fn a_signal_neither_ends_a_call_nor_lengthens_it() {
    const LIMIT: Duration = Duration::from_millis(400);
    let world = World { names: "files dns", options: "timeout:10 attempts:1", ..World::EMPTY };
    world.run(|| {
        let _dns = Dns::start_silent();
        handle();
        CALLER.with(|caller| caller.store(true, SeqCst));
        // SAFETY: takes nothing.
        let caller = unsafe { libc::pthread_self() };
        let done = AtomicBool::new(false);
        thread::scope(|scope| {
            scope.spawn(|| {
                while !done.load(SeqCst) {
                    // SAFETY: the caller is a thread of this scope's owner, which waits for this one to end.
                    unsafe { libc::pthread_kill(caller, libc::SIGUSR1) };
                    thread::sleep(Duration::from_millis(2));
                }
            });
            let start = Instant::now();
            let outcome = Resolver::new().with_deadline(LIMIT).resolve("node.example", "7471", None);
            let took = start.elapsed();
            let literal = Resolver::new().resolve("127.0.0.7", "1", None);
            done.store(true, SeqCst);
            assert_eq!(outcome.unwrap_err().kind(), ErrorKind::TimedOut);
            assert!(took >= LIMIT && took < LIMIT + Duration::from_millis(1500), "{took:?}");
            assert_eq!(literal.unwrap().first().unwrap().to_string(), "inet rc/tcp 127.0.0.1 -> 127.0.0.7:1");
        });
        assert!(SEEN.load(SeqCst) > 10);
        assert_eq!(BY_OTHERS.load(SeqCst), 0);
    });
}

#[test]
fn a_signal_does_not_disturb_a_lookup() {
    let world = World { names: "files dns", options: "timeout:5 attempts:1", ..World::EMPTY };
    world.run(|| {
        let _dns = Dns::start(Duration::from_millis(100));
        handle();
        let process = i32::try_from(std::process::id()).unwrap();
        let done = AtomicBool::new(false);
        thread::scope(|scope| {
            scope.spawn(|| {
                while !done.load(SeqCst) {
                    // To the process: any thread that does not block it may have to take it, and no worker may.
                    // SAFETY: takes two numbers; SIGUSR1 is handled.
                    unsafe { libc::kill(process, libc::SIGUSR1) };
                    thread::sleep(Duration::from_millis(2));
                }
            });
            let found: Vec<_> = (0..5).map(|_| Resolver::new().resolve("v4.example", "1", None)).collect();
            done.store(true, SeqCst);
            for found in found {
                let line = found.unwrap().first().unwrap().to_string();
                assert_eq!(line, "inet rc/tcp 127.0.0.1 -> 127.0.0.53:1");
            }
        });
        assert!(SEEN.load(SeqCst) > 10);
    });
}
