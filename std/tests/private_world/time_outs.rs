//! Many time-outs: what they leave behind is bounded, and passes.

use crate::common::{World, dns::Dns, resident, threads, wait_until, workers};
use rdma_addrinfo::{ErrorKind, Hosts, NameService, Reason, Resolver};
use std::thread;
use std::time::{Duration, Instant};

/// The bound that `Resolver::with_deadline` promises.
const IN_FLIGHT: usize = 64;

/// Workers that stay for the next lookup.
const KEPT: usize = 2;

const MIB: u64 = 1 << 20;

fn names(options: &str) -> World<'_> {
    World { names: "files dns", options, ..World::EMPTY }
}

fn kind<N: NameService>(resolver: Resolver<N>, node: &str) -> Option<ErrorKind> {
    resolver.resolve(node, "7471", None).err().map(|error| error.kind())
}

fn resolves() -> Result<Vec<String>, rdma_addrinfo::Error> {
    let found = Resolver::new().with_deadline(Duration::from_secs(60)).resolve("v4.example", "7471", None)?;
    Ok(found.iter().map(|info| info.to_string()).collect())
}

/// Asks until so many calls have timed out.
fn time_out(resolver: Resolver, many: usize) {
    let mut timed_out = 0;
    while timed_out < many {
        match kind(resolver, "v4.example") {
            Some(ErrorKind::TimedOut) => timed_out += 1,
            // Other callers' lookups take all there is.
            Some(ErrorKind::Again) => thread::sleep(Duration::from_millis(1)),
            // A caller that is woken up late takes the answer that is there by then.
            None => {}
            other => panic!("{other:?}"),
        }
    }
}

const RIGHT: [&str; 1] = ["inet rc/tcp 127.0.0.1 -> 127.0.0.53:7471"];

#[test]
fn ten_thousand_leave_no_thread_and_no_memory() {
    const MANY: usize = 10_000;
    const CALLERS: usize = 4;
    // Slower than the deadline, so that each is late, and not much slower, so that few are at once.
    names("timeout:10 attempts:1").run(|| {
        let dns = Dns::start(Duration::from_millis(3));
        assert_eq!(resolves().unwrap(), RIGHT);
        let before = threads().len();
        assert_eq!(workers(), 1);
        let late = Resolver::new().with_deadline(Duration::from_micros(200));
        let mut settled = 0;
        let mut most = 0;
        for round in 0..2 {
            thread::scope(|scope| {
                let callers: Vec<_> =
                    (0..CALLERS).map(|_| scope.spawn(move || time_out(late, MANY / 2 / CALLERS))).collect();
                while !callers.iter().all(|caller| caller.is_finished()) {
                    most = most.max(workers());
                    thread::sleep(Duration::from_millis(1));
                }
            });
            wait_until(|| workers() <= KEPT);
            if round == 0 {
                settled = resident();
            }
        }
        // A worker that is told to end is there until it has ended.
        assert!((1..=2 * IN_FLIGHT).contains(&most), "{most}");
        let grown = resident().saturating_sub(settled);
        assert!(grown < 4 * MIB, "{grown} bytes");
        wait_until(|| threads().len() <= before - 1 + KEPT);
        assert_eq!(resolves().unwrap(), RIGHT);
        assert!(dns.asked() >= MANY);
    });
}

#[test]
fn past_the_bound_it_is_again_at_once_until_lookups_end() {
    names("timeout:6 attempts:1").run(|| {
        let dns = Dns::start_silent();
        let before = threads().len();
        // Long enough that each gets as far as a thread.
        let resolver = Resolver::new().with_deadline(Duration::from_millis(10));
        let start = Instant::now();
        for _ in 0..IN_FLIGHT {
            assert_eq!(kind(resolver, "node.example"), Some(ErrorKind::TimedOut));
        }
        // A thread has its name when it runs.
        wait_until(|| workers() == IN_FLIGHT);
        // Who may not wait for a turn.
        let patient = Resolver::new().with_deadline(Duration::from_secs(60));
        let patient = patient.with_names(Hosts::new().with_queue(0));
        let used = resident();
        for _ in 0..10_000 {
            let error = patient.resolve("node.example", "7471", None).unwrap_err();
            assert_eq!((error.kind(), error.reason()), (ErrorKind::Again, Reason::TooManyLookups));
        }
        // All that before the first of them came back.
        let took = start.elapsed();
        assert!(took < Duration::from_secs(6), "too slow a machine for this test: {took:?}");
        assert_eq!(threads().len(), before + IN_FLIGHT);
        let grown = resident().saturating_sub(used);
        assert!(grown < MIB, "{grown} bytes");
        // What needs no lookup does not care, nor does a lookup on the caller's thread.
        assert_eq!(kind(patient, "127.0.0.7"), None);
        assert_eq!(kind(patient.without_deadline(), "localhost"), None);

        dns.set_silent(false);
        wait_until(|| workers() <= KEPT);
        assert_eq!(resolves().unwrap(), RIGHT);
        assert_eq!(threads().len(), before + KEPT);
    });
}
