//! Parent and child after fork(2), each with its own answers; and a signal that must not come.

use super::daemon::{Act, Daemon, Kind, address, ask};
use crate::common::World;
use rdma_addrinfo::{Resolver, Results, RouteStatus};
use std::net::Ipv4Addr;
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use std::thread;

/// Whether the route to this address is found, and its own; without the heap.
fn is_found(resolver: Resolver, address: Ipv4Addr) -> bool {
    let mut results = Results::<1>::new();
    let octets = address.octets();
    let node = ["10.0.0.1", "10.0.0.2", "10.0.0.3"][usize::from(octets[3]) - 1];
    let Ok(list) = resolver.resolve_into(node, "7471", None, &mut results) else { return false };
    let Some(info) = list.first() else { return false };
    let ends = info.route().iter().map(|path| path.dgid().to_bits() as u32);
    info.route_status() == RouteStatus::Found && ends.eq([address.to_bits()])
}

/// Runs `child` in a forked child while `parent` runs here, and gives what both say.
fn both(child: impl FnOnce() -> bool, parent: impl FnOnce() -> bool) -> (bool, bool) {
    // SAFETY: the child runs `child`, which allocates nothing and takes no lock but those of the code under test, and
    // ends by _exit: it returns to no frame of the parent and runs no destructor of one.
    let pid = unsafe { libc::fork() };
    assert!(pid >= 0, "fork failed");
    if pid == 0 {
        let code = i32::from(child());
        // SAFETY: _exit has no precondition.
        unsafe { libc::_exit(code) }
    }
    let parent = parent();
    let mut status = 0;
    // SAFETY: `status` is a live local to write to.
    let ended = unsafe { libc::waitpid(pid, &raw mut status, 0) };
    assert_eq!(ended, pid);
    (libc::WIFEXITED(status) && libc::WEXITSTATUS(status) == 1, parent)
}

/// In a process of their own, as children have all descriptors of their parents.
#[test]
fn a_thousand_forks() {
    World::EMPTY.run(|| {
        let daemon = Daemon::start("fork", Kind::Unix);
        let resolver = daemon.resolver();
        let stop = AtomicBool::new(false);
        thread::scope(|scope| {
            // These use the kept connections all the time, so that some forks find one taken.
            for _ in 0..2 {
                scope.spawn(|| {
                    while !stop.load(SeqCst) {
                        assert!(is_found(resolver, address(3)));
                    }
                });
            }
            let mut failed = Vec::new();
            for round in 0..1000 {
                let asks = |number| move || (0..3).all(|_| is_found(resolver, address(number)));
                if both(asks(1), asks(2)) != (true, true) {
                    failed.push(round);
                }
            }
            stop.store(true, SeqCst);
            assert_eq!(failed, []);
        });
        assert_eq!(ask(&resolver, address(1)), Ok(()));
    });
}

#[test]
fn a_child_of_a_child_too_and_what_is_kept_stays_with_its_process() {
    World::EMPTY.run(|| {
        let daemon = Daemon::start("fork-twice", Kind::Tcp);
        let resolver = daemon.resolver();
        assert!(is_found(resolver, address(1)));
        let before = daemon.connections();
        assert_eq!(before, 1);
        let grandchild =
            || both(|| is_found(resolver, address(1)), || is_found(resolver, address(2))) == (true, true);
        assert_eq!(both(grandchild, || is_found(resolver, address(3))), (true, true));
        // One for the child and one for its child; the parent's own is still its.
        assert_eq!(daemon.connections(), before + 2);
        assert!(is_found(resolver, address(2)));
        assert_eq!(daemon.connections(), before + 2);
    });
}

/// A write to a connection that the daemon has shut is a signal, unless it is said otherwise; Rust ignores the signal,
/// other programs die of it.
#[test]
fn a_daemon_that_hears_nothing_kills_nobody() {
    World::EMPTY.run(|| {
        let daemon = Daemon::start("deaf", Kind::Unix);
        daemon.otherwise(|_| Act::Deaf);
        // SAFETY: no handler is installed.
        let before = unsafe { libc::signal(libc::SIGPIPE, libc::SIG_DFL) };
        assert_eq!(before, libc::SIG_IGN);
        for number in 0..20 {
            assert_eq!(ask(&daemon.resolver(), address(number)), Ok(()));
            thread::sleep(std::time::Duration::from_millis(2));
        }
        // Each was kept and of no use to the next.
        assert_eq!((daemon.connections(), daemon.requests()), (20, 20));
    });
}
