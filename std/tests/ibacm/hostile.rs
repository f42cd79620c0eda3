//! A daemon that does everything wrong, at random: no route that is returned is another's, and nothing is left behind.
//!
//! What it says about a request is a list of pieces of bytes and an end, made from a seed. The address that was asked
//! for stands in the GID of its path, so that every route tells whose it is. It never lies in a whole, right reply to
//! the right request: nobody could tell.

use super::daemon::{Act, Daemon, ENTRY, HEADER, KINDS, Kind, address, reply, set_length, told};
use crate::common::random::Random;
use crate::common::{World, seed, threads, wait_until};
use rdma_addrinfo::{Resolver, RouteStatus};
use std::fs;
use std::io::{Read, Write};
use std::net::Ipv4Addr;
use std::os::unix::net::UnixStream;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::thread;
use std::time::{Duration, Instant};

/// What a daemon says about a request.
#[derive(Clone, Debug)]
pub(crate) struct Said {
    /// Pieces, each after a pause.
    pub(crate) pieces: Vec<(Duration, Vec<u8>)>,
    pub(crate) end: End,
}

/// What becomes of the connection.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum End {
    GoOn,
    HangUp,
    /// By TCP; else as `HangUp`.
    Reset,
}

/// What is said by this seed, where the right reply is `right` and those to earlier requests were `previous`.
pub(crate) fn said(seed: u64, right: &[u8], previous: &[Vec<u8>]) -> Said {
    let random = &mut Random::new(seed);
    let bytes = message(random, right, previous);
    let pieces = pieces(random, bytes);
    let end = match random.below(16) {
        0 => End::HangUp,
        1 => End::Reset,
        _ => End::GoOn,
    };
    Said { pieces, end }
}

/// What is to be said, before it is cut to pieces.
fn message(random: &mut Random, right: &[u8], previous: &[Vec<u8>]) -> Vec<u8> {
    let stale = if previous.is_empty() { Vec::new() } else { previous[random.below(previous.len())].clone() };
    let mut changed = right.to_vec();
    match random.below(24) {
        0 => return [right, right].concat(),
        1 => return [&stale, right].concat(),
        2 => return [right, &stale].concat(),
        3 => return stale,
        // One bit of the id.
        4 => changed[8 + random.below(8)] ^= 1 << random.below(8),
        5 if !stale.is_empty() => changed[8..16].copy_from_slice(&stale[8..16]),
        // A stale reply that tells no id.
        6 if !stale.is_empty() => {
            changed = stale;
            changed[8..16].fill(0);
        }
        7 => changed[6..8].copy_from_slice(&random.bytes(2)),
        8 => changed[6..8]
            .copy_from_slice(&u16::try_from(random.below(HEADER + 3 * ENTRY)).unwrap().to_ne_bytes()),
        9 => changed[random.below(3)] = random.byte(),
        10 => {
            for _ in 0..=random.below(9) {
                changed.extend(extra(random, right));
            }
            set_length(&mut changed);
        }
        // The path comes behind other entries.
        11 => {
            changed.truncate(HEADER);
            changed.extend(extra(random, right));
            changed.extend(&right[HEADER..]);
            set_length(&mut changed);
        }
        12 => changed[HEADER + 4..HEADER + 6].copy_from_slice(&random.bytes(2)),
        13 if random.one_in(4) => changed.clear(),
        _ => {}
    }
    changed
}

/// An entry that is no path, or the reply's own again.
fn extra(random: &mut Random, right: &[u8]) -> Vec<u8> {
    if random.one_in(3) {
        return right[HEADER..HEADER + ENTRY].to_vec();
    }
    let mut entry = random.bytes(ENTRY);
    // A name, an IPv6 address, or nothing known.
    let kind = random.pick(&[1, 3, 0xee_u16]);
    entry[4..6].copy_from_slice(&kind.to_ne_bytes());
    entry
}

/// Cuts it at any byte, or spoils it there.
fn pieces(random: &mut Random, mut bytes: Vec<u8>) -> Vec<(Duration, Vec<u8>)> {
    let at = random.below(bytes.len() + 1);
    let pause = Duration::from_micros(random.pick(&[0, 0, 0, 100, 1000, 30_000]));
    match random.below(16) {
        // The rest never comes.
        0 => bytes.truncate(at),
        1..4 => {
            let rest = bytes.split_off(at);
            return vec![(Duration::ZERO, bytes), (pause, rest)];
        }
        4 => return bytes.chunks(1).map(|byte| (Duration::from_micros(20), byte.to_vec())).collect(),
        5 => return vec![(pause, bytes)],
        6 => bytes.rotate_left(at),
        // Twice, within the header: further behind it is another path, and a right one.
        7 if bytes.len() >= HEADER => {
            let at = random.below(HEADER);
            bytes.insert(at, bytes[at]);
        }
        8 => bytes = [&bytes, &bytes[..at]].concat(),
        9 => bytes = [&bytes[at..], &bytes].concat(),
        _ => {}
    }
    vec![(Duration::ZERO, bytes)]
}

/// How many routes have to be returned; the variable of this name overrides it.
fn routes() -> usize {
    std::env::var("RDMA_ADDRINFO_ROUTES").ok().and_then(|routes| routes.parse().ok()).unwrap_or(20_000)
}

/// Callers at once, with these deadlines: who is hasty leaves replies behind.
const DEADLINES_MS: [u64; 8] = [2, 5, 5, 10, 10, 20, 20, 100];

/// Far beyond each deadline: other programs want the processors too.
const HANGS: Duration = Duration::from_secs(20);

/// Asks for an address. True if there is a route, which is its own.
#[track_caller]
fn ask(resolver: &Resolver, address: Ipv4Addr) -> bool {
    let start = Instant::now();
    let found = resolver.resolve(&*address.to_string(), "7471", None).unwrap();
    assert!(start.elapsed() < HANGS, "{:?}", start.elapsed());
    let (ends, status) = told(&found);
    assert!(ends.iter().all(|end| *end == address), "{address} was given a route to {ends:?}");
    assert_eq!(ends.is_empty(), status != RouteStatus::Found, "{status:?}");
    !ends.is_empty()
}

fn descriptors() -> usize {
    fs::read_dir("/proc/self/fd").unwrap().count()
}

/// Asks until so many routes were returned, of a daemon of this kind.
fn all_are_their_own(kind: Kind, routes: usize) {
    let daemon = Daemon::start("hostile", kind);
    daemon.otherwise(|number| Act::Hostile(seed().wrapping_add(number as u64)));
    let ibacm =
        daemon.ibacm.with_back_off(Duration::ZERO, Duration::ZERO).with_negative_cache(Duration::ZERO);
    let (threads_before, descriptors_before) = (threads().len(), descriptors());
    let (found, asked) = (AtomicUsize::new(0), AtomicUsize::new(0));
    thread::scope(|scope| {
        for milliseconds in DEADLINES_MS {
            let resolver =
                daemon.resolver().with_ibacm(ibacm).with_deadline(Duration::from_millis(milliseconds));
            let (found, asked) = (&found, &asked);
            scope.spawn(move || {
                while found.load(Relaxed) < routes {
                    // No two calls ask for the same address, until there are no more.
                    if ask(&resolver, address(asked.fetch_add(1, Relaxed) % (1 << 24))) {
                        found.fetch_add(1, Relaxed);
                    }
                }
            });
        }
    });
    let (found, asked) = (found.into_inner(), asked.into_inner());
    eprintln!(
        "{kind:?}: {found} routes of {asked} calls, {} requests, {} connections",
        daemon.requests(),
        daemon.connections()
    );
    // Both ends of up to eight kept connections, the daemon's twice, and its threads.
    wait_until(|| {
        threads().len() <= threads_before + 8
            && descriptors() <= descriptors_before + 8 * 3 + 2 * DEADLINES_MS.len()
    });
    // It was hostile.
    assert!(asked > found && daemon.connections() > found / 10, "{asked} {}", daemon.connections());
    daemon.otherwise(|_| Act::Right);
    assert!(ask(&daemon.resolver(), address(1)));
}

/// Alone in its process: what it counts is the process's.
#[test]
fn every_route_is_its_own() {
    // For 20,000 it takes some ten seconds.
    let patience = Duration::from_millis(120_000 + 6 * routes() as u64);
    World::EMPTY.run_within(patience, || {
        eprintln!("seed {}", seed());
        for kind in KINDS {
            all_are_their_own(kind, routes() / KINDS.len());
        }
    });
}

/// A client that takes what comes for its reply: what is said above gives it a wrong route soon, and so would show if
/// the library were like it.
#[test]
fn a_client_that_ignores_ids_is_given_the_route_of_another() {
    let daemon = Daemon::start("careless", Kind::Unix);
    daemon.otherwise(|number| Act::Hostile(number as u64));
    let path = super::daemon::path("careless");
    let connect = || {
        let stream = UnixStream::connect(&path).unwrap();
        stream.set_read_timeout(Some(Duration::from_millis(20))).unwrap();
        stream
    };
    let mut stream = connect();
    let wrong = (0..1000).find(|number| {
        let mut request = vec![1, 1, 0, 0, 0, 0, 0, 0];
        request.extend(Random::new(*number).bytes(8));
        let mut entry = vec![0; ENTRY];
        entry[..4].copy_from_slice(&2_u32.to_ne_bytes());
        entry[4..6].copy_from_slice(&2_u16.to_ne_bytes());
        entry[8..12].copy_from_slice(&address(usize::try_from(*number).unwrap()).octets());
        request.extend(entry);
        set_length(&mut request);
        let right = reply(&request);
        let mut came = [0; HEADER + ENTRY];
        if stream.write_all(&request).and_then(|()| stream.read_exact(&mut came)).is_err() {
            stream = connect();
            return false;
        }
        // All else that it looks at is right.
        let header = [0..8, HEADER..HEADER + 6].into_iter().all(|part| came[part.clone()] == right[part]);
        header && came[HEADER + 8..] != right[HEADER + 8..]
    });
    assert!(wrong.is_some_and(|number| number < 200), "{wrong:?}");
}
