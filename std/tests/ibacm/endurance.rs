//! A daemon that misbehaves all the time leaves nothing behind.

use super::daemon::{Act, Daemon, Kind, address, ask};
use crate::common::{World, resident, threads, wait_until};
use std::fs;
use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher};
use std::thread;
use std::time::Duration;

/// How many resolutions; the variable of this name overrides it.
fn rounds() -> usize {
    std::env::var("RDMA_ADDRINFO_ROUNDS").ok().and_then(|rounds| rounds.parse().ok()).unwrap_or(20_000)
}

const CALLERS: usize = 4;
const MIB: u64 = 1 << 20;

/// One act of many, by a number that looks random.
fn act(number: usize) -> Act {
    let random = BuildHasherDefault::<DefaultHasher>::new().hash_one(number);
    match random % 64 {
        0 => Act::Silence,
        1 => Act::Twice,
        2 => Act::Previous,
        3 => Act::Cut(usize::try_from(random >> 32).unwrap() % 88),
        4 => Act::LastWords,
        5 => Act::Changed(|reply| reply[0] = 9),
        6 => Act::Changed(|reply| reply[6..8].fill(0xff)),
        7 => Act::Changed(|reply| reply[12] ^= 0x10),
        8 => Act::Changed(|reply| reply.truncate(20)),
        9 => Act::Changed(|reply| reply[2] = 6),
        10 => Act::Changed(|reply| reply.insert(0, 1)),
        11 => Act::Late(Duration::from_millis(30)),
        12 => Act::Dribble,
        _ => Act::Right,
    }
}

fn descriptors() -> usize {
    fs::read_dir("/proc/self/fd").unwrap().count()
}

/// Alone in its process: what it counts is the process's.
#[test]
fn twenty_thousand_resolutions_leave_nothing() {
    World::EMPTY.run(|| {
        let daemon = Daemon::start("endurance", Kind::Unix);
        daemon.otherwise(act);
        let ibacm = daemon.ibacm.with_back_off(Duration::ZERO, Duration::ZERO);
        let resolver = daemon.resolver().with_ibacm(ibacm).with_deadline(Duration::from_millis(20));
        let (threads_before, descriptors_before) = (threads().len(), descriptors());
        let mut settled = 0;
        let mut found = 0;
        for half in 0..2 {
            let each = rounds() / 2 / CALLERS;
            found += thread::scope(|scope| {
                let callers = (0..CALLERS).map(|caller| {
                    scope.spawn(move || {
                        // Whose route it is, `ask` checks.
                        (0..each)
                            .filter(|round| ask(&resolver, address(caller * each + round)).is_ok())
                            .count()
                    })
                });
                callers.collect::<Vec<_>>().into_iter().map(|caller| caller.join().unwrap()).sum::<usize>()
            });
            // Both ends of up to eight kept connections, the daemon's twice, and its threads.
            wait_until(|| {
                threads().len() <= threads_before + 8 && descriptors() <= descriptors_before + 8 * 3 + 2 * 8
            });
            if half == 0 {
                settled = resident();
            }
        }
        let grown = resident().saturating_sub(settled);
        eprintln!("{found} of {} found, {} connections, {grown} bytes", rounds(), daemon.connections());
        assert!(grown < MIB, "{grown} bytes");
        assert!(found > rounds() / 2, "{found}");
        daemon.otherwise(|_| Act::Right);
        assert_eq!(ask(&daemon.resolver(), address(1)), Ok(()));
        let requests = daemon.requests();
        assert!(requests >= rounds(), "{requests}");
    });
}
