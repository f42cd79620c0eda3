//! More lookups than there are threads.

use crate::awaiting::many::block_on_all;
use crate::common::{World, dns::Dns, threads, wait_until, workers};
use crate::daemon::{Daemon, Kind, address, ask};
use futures::executor::block_on;
use rdma_addrinfo::{ErrorKind, Hosts, Reason, Resolver};
use std::future::Future;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use std::thread;
use std::time::{Duration, Instant};

/// As many threads as look names up.
const AT_ONCE: usize = 64;

const WORLD: World<'_> = World { names: "files dns", options: "timeout:10 attempts:1", ..World::EMPTY };

#[test]
fn a_burst_of_tasks_is_answered_whole() {
    const MANY: usize = 2000;
    WORLD.run(|| {
        let dns = Dns::start(Duration::from_millis(20));
        let resolver = Resolver::new().with_deadline(Duration::from_secs(60)).awaiting();
        let before = threads().len();
        let descriptors = || std::fs::read_dir("/proc/self/fd").unwrap().count();
        let open = descriptors();
        let over = Arc::new(AtomicBool::new(false));
        let watched = Arc::clone(&over);
        let begun = Instant::now();
        let watch = thread::spawn(move || {
            let mut most = 0;
            while !watched.load(SeqCst) {
                most = most.max(threads().len());
                thread::sleep(Duration::from_millis(2));
            }
            most
        });
        let all = block_on_all((0..MANY).map(|_| resolver.resolve("v4.example", 7471, None)));
        let took = begun.elapsed();
        for found in all {
            assert_eq!(
                found.unwrap().first().unwrap().to_string(),
                "inet rc/tcp 127.0.0.1 -> 127.0.0.53:7471"
            );
        }
        assert!(dns.asked() >= MANY);
        let ideal = Duration::from_millis(20) * u32::try_from(MANY.div_ceil(AT_ONCE)).unwrap();
        assert!(took >= ideal && took < ideal * 10, "{took:?} where {ideal:?} is ideal");
        // Those that look names up, the one for deadlines, and the one that watches.
        over.store(true, SeqCst);
        let most = watch.join().unwrap();
        assert!(most <= before + AT_ONCE + 2, "{most} where there were {before}");
        wait_until(|| descriptors() <= open + 3);
    });
}

#[test]
fn a_burst_of_threads_waits_its_turn() {
    WORLD.run(|| {
        let _dns = Dns::start_silent();
        let resolver = Resolver::new().with_deadline(Duration::from_millis(300));
        let kinds: Vec<_> = thread::scope(|scope| {
            let callers: Vec<_> = (0..4 * AT_ONCE)
                .map(|_| scope.spawn(move || resolver.resolve("node.example", 1, None).unwrap_err().kind()))
                .collect();
            callers.into_iter().map(|caller| caller.join().unwrap()).collect()
        });
        assert_eq!(kinds, vec![ErrorKind::TimedOut; 4 * AT_ONCE]);
    });
}

#[test]
fn where_the_name_server_is_dead_all_time_out_and_nothing_else() {
    const MANY: usize = 1000;
    WORLD.run(|| {
        let _dns = Dns::start_silent();
        let limit = Duration::from_millis(200);
        let resolver = Resolver::new().with_deadline(limit).awaiting();
        let begun = Instant::now();
        let all = block_on_all((0..MANY).map(|_| resolver.resolve("node.example", 1, None)));
        let took = begun.elapsed();
        assert!(all.iter().all(|one| one.as_ref().unwrap_err().kind() == ErrorKind::TimedOut));
        assert!(took >= limit && took < limit * 20, "{took:?}");
        // They were all begun at once; those that had no turn are taken back.
        let refused = Resolver::new().with_names(Hosts::new().with_queue(0)).awaiting();
        let error = block_on(refused.resolve("node.example", 1, None)).unwrap_err();
        assert_eq!((error.kind(), error.reason()), (ErrorKind::Again, Reason::TooManyLookups));
    });
}

/// Names that are stuck hold up no literal, no name of a file, no route.
#[test]
fn stuck_names_hold_up_nothing_else() {
    World { hosts: "192.0.2.9 storage-9\n", ..WORLD }.run(|| {
        let _dns = Dns::start_silent();
        let stuck = Resolver::new().with_deadline(Duration::from_secs(60)).awaiting();
        let all: Vec<_> =
            (0..2 * AT_ONCE).map(|_| Box::pin(stuck.resolve("node.example", 1, None))).collect();
        let mut all = futures::future::select_all(all);
        block_on(std::future::poll_fn(|context| {
            assert!(std::pin::Pin::new(&mut all).poll(context).is_pending());
            std::task::Poll::Ready(())
        }));
        wait_until(|| workers() > AT_ONCE);
        let daemon = Daemon::start("stuck", Kind::Unix);
        let resolver = daemon.resolver();
        let begun = Instant::now();
        // Blocking, and awaited.
        assert_eq!(ask(&resolver, address(1)), Ok(()));
        let found = block_on(resolver.awaiting().resolve("192.0.2.7", 7471, None)).unwrap();
        assert_eq!(found.first().unwrap().route().len(), 1);
        let found = block_on(Resolver::new().awaiting().resolve("storage-9", 7471, None)).unwrap();
        assert_eq!(found.first().unwrap().dst_addr().unwrap().to_string(), "192.0.2.9:7471");
        let took = begun.elapsed();
        assert!(took < Duration::from_secs(2), "{took:?}");
    });
}

/// A deadline is kept while very many are awaited.
#[test]
fn deadlines_are_kept_under_load() {
    WORLD.run(|| {
        let _dns = Dns::start(Duration::from_millis(20));
        let load = Resolver::new().with_deadline(Duration::from_secs(60)).awaiting();
        let limit = Duration::from_millis(500);
        let short = Resolver::new().with_deadline(limit).awaiting();
        let mut late = Vec::new();
        let mut all: Vec<futures::future::BoxFuture<'_, Option<Duration>>> = Vec::new();
        for number in 0..3000 {
            if number % 30 == 29 {
                all.push(Box::pin(async {
                    let begun = Instant::now();
                    let outcome = short.resolve("v4.example", 1, None).await;
                    if let Err(error) = outcome {
                        assert_eq!(error.kind(), ErrorKind::TimedOut);
                    }
                    Some(begun.elapsed())
                }));
            } else {
                all.push(Box::pin(async {
                    load.resolve("v4.example", 1, None).await.unwrap();
                    None
                }));
            }
        }
        late.extend(block_on_all(all).into_iter().flatten());
        assert_eq!(late.len(), 100);
        let worst = late.into_iter().max().unwrap();
        // Exact times belong in the benchmarks.
        assert!(worst >= limit && worst < limit * 4, "{worst:?}");
    });
}
