//! Deadlines, with a name server that does not answer.

use crate::common::{World, dns::Dns, threads, wait_until, workers};
use rdma_addrinfo::{ErrorKind, Hints, Resolved, Resolver, Results};
use std::io;
use std::time::{Duration, Instant};

/// Lookups at a silent name server take ten seconds.
const SLOW: World<'_> =
    World { hosts: "127.0.0.9 here\n", names: "files dns", options: "timeout:10 attempts:1", ..World::EMPTY };

/// How late a call may be on a machine that has other things to do.
const LATE: Duration = Duration::from_millis(1500);

fn lines(found: &Resolved) -> Vec<String> {
    found.iter().map(|info| info.to_string()).collect()
}

#[test]
fn a_call_is_over_at_its_deadline_and_not_before() {
    SLOW.run(|| {
        let dns = Dns::start_silent();
        for limit in [1, 50, 250].map(Duration::from_millis) {
            let resolver = Resolver::new().with_deadline(limit);
            let start = Instant::now();
            let error = resolver.resolve("node.example", "7471", None).unwrap_err();
            let took = start.elapsed();
            assert_eq!(error.kind(), ErrorKind::TimedOut);
            assert!(took >= limit && took < limit + LATE, "{limit:?}: {took:?}");
            assert_eq!(
                error.to_string(),
                "cannot resolve node 'node.example' service '7471': timed out; check the name \
                 service, or give it more time"
            );
            assert_eq!(io::Error::from(error).kind(), io::ErrorKind::TimedOut);
            let start = Instant::now();
            let mut results = Results::<4>::new();
            let error = resolver.resolve_into("node.example", None, None, &mut results).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::TimedOut);
            assert!(start.elapsed() >= limit && start.elapsed() < limit + LATE);
        }
        assert!(dns.asked() > 0);
    });
}

#[test]
fn the_deadline_is_of_the_whole_call() {
    const LIMIT: Duration = Duration::from_millis(1500);
    // Each lookup takes a second, and a family asked for in vain takes two.
    SLOW.run(|| {
        let dns = Dns::start(Duration::from_secs(1));
        let inet6 = Hints::parse("family=inet6").unwrap();
        let start = Instant::now();
        let outcome = Resolver::new().with_deadline(LIMIT).resolve("v4.example", "1", &inet6);
        let took = start.elapsed();
        assert!(took >= LIMIT && took < LIMIT + LATE, "{took:?}");
        // The second lookup was asked, for both families, and was late: whether there is an address is not known.
        assert_eq!(outcome.unwrap_err().kind(), ErrorKind::TimedOut);
        wait_until(|| dns.asked() == 3);
        let outcome =
            Resolver::new().with_deadline(Duration::from_secs(9)).resolve("v4.example", "1", &inet6);
        assert_eq!(outcome.unwrap_err().kind(), ErrorKind::AddrFamily);
    });
}

#[test]
fn no_time_at_all_asks_nobody_and_literals_take_none() {
    SLOW.run(|| {
        let dns = Dns::start_silent();
        let resolver = Resolver::new().with_deadline(Duration::ZERO);
        for _ in 0..1000 {
            let error = resolver.resolve("node.example", "7471", None).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::TimedOut);
        }
        let found = resolver.resolve("127.0.0.7", "7471", None).unwrap();
        assert_eq!(lines(&found), ["inet rc/tcp 127.0.0.1 -> 127.0.0.7:7471"]);
        assert_eq!((dns.asked(), workers()), (0, 0));
    });
}

#[test]
fn a_deadline_beyond_all_time_is_none() {
    SLOW.run(|| {
        let _dns = Dns::start(Duration::ZERO);
        let found = Resolver::new().with_deadline(Duration::MAX).resolve("v4.example", "7471", None).unwrap();
        assert_eq!(lines(&found), ["inet rc/tcp 127.0.0.1 -> 127.0.0.53:7471"]);
    });
}

#[test]
fn an_answer_just_in_time_is_taken() {
    SLOW.run(|| {
        let _dns = Dns::start(Duration::from_millis(100));
        let resolver = Resolver::new().with_deadline(Duration::from_secs(9));
        let start = Instant::now();
        let found = resolver.resolve("v4.example", "7471", None).unwrap();
        assert_eq!(lines(&found), ["inet rc/tcp 127.0.0.1 -> 127.0.0.53:7471"]);
        assert!(start.elapsed() >= Duration::from_millis(100) && start.elapsed() < Duration::from_secs(9));
    });
}

#[test]
fn without_a_deadline_a_call_takes_as_long_as_the_name_service() {
    World { options: "timeout:1 attempts:1", ..SLOW }.run(|| {
        let _dns = Dns::start_silent();
        let before = threads().len();
        let start = Instant::now();
        let error = Resolver::new().without_deadline().resolve("node.example", "7471", None).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Again);
        assert!(start.elapsed() >= Duration::from_secs(1), "{:?}", start.elapsed());
        assert_eq!((workers(), threads().len()), (0, before));
    });
}

#[test]
fn nobody_at_the_port_of_the_name_server_is_told_at_once() {
    SLOW.run(|| {
        // The kernel refuses the datagram, and the C library takes that for a failure for the time being.
        let error = Resolver::new().with_deadline(Duration::from_secs(9)).resolve("node.example", "1", None);
        assert_eq!(error.unwrap_err().kind(), ErrorKind::Again);
    });
}

#[test]
fn callers_do_not_wait_for_each_other() {
    SLOW.run(|| {
        let dns = Dns::start_silent();
        std::thread::scope(|scope| {
            let slow = scope.spawn(|| {
                Resolver::new()
                    .with_deadline(Duration::from_secs(2))
                    .resolve("node.example", "1", None)
                    .map(|_| ())
            });
            wait_until(|| dns.asked() > 0);
            let start = Instant::now();
            let found = Resolver::new().resolve("here", "7471", None);
            assert_eq!(lines(&found.unwrap()), ["inet rc/tcp 127.0.0.1 -> 127.0.0.9:7471"]);
            let took = start.elapsed();
            assert!(!slow.is_finished() && took < Duration::from_secs(2), "{took:?}");
            assert_eq!(slow.join().unwrap().unwrap_err().kind(), ErrorKind::TimedOut);
        });
    });
}
