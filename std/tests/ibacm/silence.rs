//! Daemons that do not answer: nobody waits longer than the deadline, and soon nobody waits.

use super::daemon::{Act, Daemon, KINDS, Kind, address, ask, path};
use crate::common::wait_until;
use rdma_addrinfo::{Ibacm, NoRoute, Resolver};
use rustix::net::{AddressFamily, RecvFlags, SocketAddrUnix, SocketFlags, SocketType};
use rustix::net::{bind, connect, listen, socket, socket_with};
use std::net::{Ipv4Addr, SocketAddrV4, TcpListener};
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixListener;
use std::thread;
use std::time::{Duration, Instant};

const LIMIT: Duration = Duration::from_millis(300);
/// How late a call may come back on a machine that does much besides. Who goes by a time other than its own, be it the one
/// before it or the configuration's, is 10 s late.
const LATE: Duration = Duration::from_secs(2);

/// What became of the route, and how long it took.
fn timed(resolver: &Resolver, address: Ipv4Addr) -> (Result<(), NoRoute>, Duration) {
    let start = Instant::now();
    let outcome = ask(resolver, address);
    (outcome, start.elapsed())
}

#[track_caller]
fn is_at_the_deadline((outcome, took): (Result<(), NoRoute>, Duration), limit: Duration) {
    assert_eq!(outcome, Err(NoRoute::TimedOut));
    assert!(took >= limit && took <= limit + LATE, "{took:?}");
}

/// How long each of these callers waits in vain, all at once: never less than the limit.
fn round(resolver: Resolver, callers: usize) -> Duration {
    let took = thread::scope(|scope| {
        let callers = (0..callers).map(|number| scope.spawn(move || timed(&resolver, address(number))));
        callers.collect::<Vec<_>>().into_iter().map(|caller| caller.join().unwrap()).collect::<Vec<_>>()
    });
    for (outcome, took) in &took {
        assert_eq!(*outcome, Err(NoRoute::TimedOut));
        assert!(*took >= LIMIT, "{took:?}");
    }
    took.into_iter().map(|(_, took)| took).max().unwrap()
}

#[test]
fn one_caller_and_many_come_back_at_the_deadline_and_then_at_once() {
    for (kind, callers) in [(Kind::Unix, 1), (Kind::Unix, 64), (Kind::Tcp, 1), (Kind::Tcp, 64)] {
        let daemon = Daemon::start(&format!("silent-{callers}"), kind);
        daemon.otherwise(|_| Act::Silence);
        let resolver = daemon.resolver().with_deadline(LIMIT);
        let forgets = resolver.with_ibacm(daemon.ibacm.with_back_off(Duration::ZERO, Duration::ZERO));
        // A round may lose its time to whatever else the machine does.
        let mut longest = Duration::MAX;
        for _ in 0..4 {
            longest = longest.min(round(forgets, callers));
        }
        assert!(longest <= LIMIT + LATE, "{callers} callers: {longest:?}");
        round(resolver, callers);
        // Three in a row: nobody waits, and nobody asks.
        let requests = daemon.requests();
        let start = Instant::now();
        for number in 0..100 {
            assert_eq!(ask(&resolver, address(number)), Err(NoRoute::TimedOut));
        }
        assert!(start.elapsed() < LATE, "{:?}", start.elapsed());
        assert_eq!(daemon.requests(), requests);
        // Who has more time asks all the same, and what it learns holds for all.
        daemon.otherwise(|_| Act::Right);
        assert_eq!(ask(&daemon.resolver(), address(1)), Ok(()));
        assert_eq!(ask(&resolver, address(2)), Ok(()));
    }
}

/// What one call had of time says nothing to the next on its connection.
#[test]
fn who_has_less_time_comes_back_sooner_on_the_same_connection() {
    for kind in KINDS {
        let daemon = Daemon::start("less-time", kind);
        let ibacm = daemon.ibacm.with_back_off(Duration::ZERO, Duration::ZERO);
        let resolver = daemon.resolver().with_ibacm(ibacm);
        for limit in [LIMIT, LIMIT / 3, LIMIT / 20].map(|limit| (limit, resolver.with_deadline(limit))) {
            daemon.script(&[]);
            let before = daemon.connections();
            assert_eq!(ask(&resolver, address(1)), Ok(()));
            daemon.script(&[Act::Silence]);
            is_at_the_deadline(timed(&limit.1, address(2)), limit.0);
            // It was the connection of the first.
            assert!(daemon.connections() <= before + 1);
        }
        // Nor does who has more time come back too soon.
        let hasty = resolver.with_deadline(LIMIT / 3);
        wait_until(|| ask(&hasty, address(3)) == Ok(()));
        daemon.script(&[Act::Late(LIMIT)]);
        let before = daemon.connections();
        assert_eq!(ask(&resolver, address(4)), Ok(()));
        assert_eq!(daemon.connections(), before);
    }
}

#[test]
fn silence_passes() {
    let daemon = Daemon::start("passes", Kind::Unix);
    let ibacm = daemon.ibacm.with_back_off(Duration::from_millis(200), Duration::from_millis(500));
    let resolver = daemon.resolver().with_ibacm(ibacm).with_deadline(Duration::from_millis(50));
    daemon.otherwise(|_| Act::Silence);
    let end = Instant::now() + Duration::from_secs(3);
    while Instant::now() < end {
        assert_eq!(ask(&resolver, address(1)), Err(NoRoute::TimedOut));
    }
    // Three to begin with, then one behind 200, 400 and each further 500 ms. Without a memory there are 60.
    assert!((4..=14).contains(&daemon.requests()), "{}", daemon.requests());
    daemon.otherwise(|_| Act::Right);
    super::restart::until_found(&resolver, address(3));
    assert_eq!(ask(&resolver, address(4)), Ok(()));
}

#[test]
fn one_reply_ends_the_row() {
    let daemon = Daemon::start("row", Kind::Unix);
    let hasty = daemon.resolver().with_deadline(Duration::from_millis(50));
    for _ in 0..4 {
        daemon.script(&[Act::Silence, Act::Silence]);
        let heard = daemon.requests();
        assert_eq!(ask(&hasty, address(1)), Err(NoRoute::TimedOut));
        assert_eq!(ask(&hasty, address(2)), Err(NoRoute::TimedOut));
        // A daemon that hears of them late must not take what is meant for others.
        wait_until(|| daemon.requests() >= heard + 2);
        assert_eq!(ask(&daemon.resolver(), address(3)), Ok(()));
    }
}

/// Callers with hardly any time shall not spoil it for the others.
#[test]
fn short_waits_are_no_silence_for_those_who_have_time() {
    let daemon = Daemon::start("short", Kind::Unix);
    daemon.otherwise(|_| Act::Late(Duration::from_millis(60)));
    let hasty = daemon.resolver().with_deadline(Duration::from_millis(5));
    for _ in 0..10 {
        assert_eq!(ask(&hasty, address(1)), Err(NoRoute::TimedOut));
    }
    assert_eq!(ask(&daemon.resolver(), address(2)), Ok(()));
}

#[test]
fn without_a_deadline_the_daemon_has_a_limit_of_its_own() {
    // ibacm asks the subnet three times, for 2 s and the subnet's time-out each: an answer may take longer than one try.
    assert_eq!(Ibacm::DEFAULT_TIME_LIMIT, Duration::from_secs(10));
    let daemon = Daemon::start("no-deadline", Kind::Unix);
    let own = daemon.resolver().without_deadline();
    daemon.script(&[Act::Late(Duration::from_millis(3100)), Act::Silence]);
    assert_eq!(ask(&own, address(1)), Ok(()));
    let set = own.with_ibacm(daemon.ibacm.with_time_limit(LIMIT));
    is_at_the_deadline(timed(&set, address(2)), LIMIT);
    assert_eq!(ask(&own, address(3)), Ok(()));
}

#[test]
fn the_deadline_is_of_the_whole_call_not_of_each_byte_or_address() {
    let daemon = Daemon::start("whole", Kind::Unix);
    daemon.otherwise(|_| Act::Silence);
    // Two addresses, ::1 and 127.0.0.1: twice the deadline would be too long.
    let limit = Duration::from_secs(2);
    let start = Instant::now();
    let found = daemon.resolver().with_deadline(limit).resolve(None, "7471", None).unwrap();
    let took = start.elapsed();
    assert_eq!(found.len(), 2);
    for info in &found {
        assert_eq!(info.route_status(), rdma_addrinfo::RouteStatus::Missing(NoRoute::TimedOut));
    }
    assert!(took >= limit && took < 2 * limit, "{took:?}");

    // A reply that comes in pieces for longer than that.
    daemon.otherwise(|_| Act::Dribble);
    let slow = daemon.resolver().with_deadline(Duration::from_millis(4));
    let (outcome, took) = timed(&slow, address(1));
    assert_eq!(outcome, Err(NoRoute::TimedOut));
    assert!(took >= Duration::from_millis(4) && took < Duration::from_millis(4) + LATE, "{took:?}");
}

/// A listener with room for next to nobody, and callers that take it all.
fn full(kind: Kind, name: &str) -> (OwnedFd, Vec<OwnedFd>, Ibacm) {
    let family = if kind == Kind::Unix { AddressFamily::UNIX } else { AddressFamily::INET };
    let listener = socket(family, SocketType::STREAM, None).unwrap();
    let path = path(name);
    let _ = std::fs::remove_file(&path);
    let unix = SocketAddrUnix::new(&path).unwrap();
    let ibacm = match kind {
        Kind::Unix => {
            bind(&listener, &unix).unwrap();
            Ibacm::socket(&path).unwrap()
        }
        Kind::Tcp => {
            bind(&listener, &SocketAddrV4::new(Ipv4Addr::LOCALHOST, 0)).unwrap();
            let own: std::net::SocketAddr = rustix::net::getsockname(&listener).unwrap().try_into().unwrap();
            Ibacm::port(own.port())
        }
    };
    listen(&listener, 0).unwrap();
    let callers = (0..3).map(|_| {
        let caller = socket_with(family, SocketType::STREAM, SocketFlags::NONBLOCK, None).unwrap();
        // Some come in, the others do not.
        let _ = match kind {
            Kind::Unix => connect(&caller, &unix),
            Kind::Tcp => connect(&caller, &rustix::net::getsockname(&listener).unwrap()),
        };
        caller
    });
    let callers = callers.collect();
    (listener, callers, ibacm)
}

#[test]
fn a_full_backlog_is_waited_for_until_the_deadline() {
    for kind in KINDS {
        let (listener, callers, ibacm) = full(kind, "full");
        let resolver = super::daemon::resolver(ibacm);
        is_at_the_deadline(timed(&resolver.with_deadline(LIMIT), address(1)), LIMIT);
        // Room comes while one waits: a daemon that starts to accept.
        let opener = thread::spawn(move || {
            thread::sleep(Duration::from_millis(100));
            match kind {
                Kind::Unix => Daemon::on_unix(UnixListener::from(listener), path("full")),
                Kind::Tcp => Daemon::on_tcp(TcpListener::from(listener)),
            }
        });
        let (outcome, took) = timed(&resolver, address(2));
        assert_eq!(outcome, Ok(()), "{kind:?}");
        // TCP knocks again after a second, then two.
        let patience = if kind == Kind::Unix { 1 } else { 8 };
        assert!(took >= Duration::from_millis(90) && took < Duration::from_secs(patience), "{took:?}");
        let daemon = opener.join().unwrap();
        drop(callers);
        assert_eq!(ask(&resolver, address(3)), Ok(()));
        drop(daemon);
    }
}

/// The kernel's own limits come as much as an eighth late, which is nothing for those of milliseconds.
#[test]
fn whose_deadline_is_far_is_not_late_at_a_full_backlog() {
    const LITTLE_LATE: Duration = Duration::from_millis(150);
    let (_listener, _callers, ibacm) = full(Kind::Unix, "full-long");
    let resolver = super::daemon::resolver(ibacm.with_back_off(Duration::ZERO, Duration::ZERO));
    let latest = || {
        thread::scope(|scope| {
            let callers = (0..10).map(|number| {
                let limit = Duration::from_millis(4200 + 50 * number);
                scope.spawn(move || {
                    let (outcome, took) = timed(&resolver.with_deadline(limit), address(1));
                    assert_eq!(outcome, Err(NoRoute::TimedOut));
                    took.checked_sub(limit).unwrap()
                })
            });
            callers.collect::<Vec<_>>().into_iter().map(|caller| caller.join().unwrap()).max().unwrap()
        })
    };
    // A round may lose its time to whatever else the machine does.
    let late: Vec<Duration> = (0..3).map(|_| latest()).take_while(|late| *late > LITTLE_LATE).collect();
    assert!(late.len() < 3, "{late:?}");
    let _ = std::fs::remove_file(path("full-long"));
}

/// The other side of a socket pair that never reads, to see that nothing waits for room either.
#[test]
fn a_peer_that_does_not_read_is_silent() {
    let path = path("unread");
    let _ = std::fs::remove_file(&path);
    let listener = UnixListener::bind(&path).unwrap();
    let held = thread::spawn(move || listener.accept().unwrap().0);
    let resolver = super::daemon::resolver(Ibacm::socket(&path).unwrap()).with_deadline(LIMIT);
    is_at_the_deadline(timed(&resolver, address(1)), LIMIT);
    // The request was sent whole, and the connection is closed behind it.
    let peer = held.join().unwrap();
    let mut room = [0; 1024];
    assert_eq!(rustix::net::recv(&peer, &mut room, RecvFlags::empty()).unwrap().0, 88);
    assert_eq!(rustix::net::recv(&peer, &mut room, RecvFlags::empty()).unwrap().0, 0);
    let _ = std::fs::remove_file(&path);
}
