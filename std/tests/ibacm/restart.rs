//! Daemons that go and come.

use super::daemon::{Daemon, Kind, address, ask, path, resolver};
use crate::common::World;
use rdma_addrinfo::{Ibacm, NoRoute, Resolver};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::os::unix::net::UnixListener;
use std::thread;
use std::time::{Duration, Instant};

/// Asks until there is a route, which must be soon.
#[track_caller]
pub(crate) fn until_found(resolver: &Resolver, address: Ipv4Addr) {
    let end = Instant::now() + Duration::from_secs(10);
    while ask(resolver, address).is_err() {
        assert!(Instant::now() < end, "no route");
        thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn a_daemon_that_was_started_anew_is_found_again() {
    for round in 0..3 {
        let first = Daemon::start("anew", Kind::Unix);
        let resolver = first.resolver();
        // Many connections are kept.
        thread::scope(|scope| {
            for caller in 0..16 {
                scope.spawn(move || {
                    for number in 0..10 {
                        assert_eq!(ask(&resolver, address(caller * 10 + number)), Ok(()));
                    }
                });
            }
        });
        drop(first);
        // The listener is gone when the path is; its connections a moment later.
        let second = Daemon::start("anew", Kind::Unix);
        for number in 0..10 {
            assert_eq!(ask(&resolver, address(number)), Ok(()), "round {round}");
        }
        // The old connections still serve until they are hung up.
        until_found(&resolver, address(1));
        thread::sleep(Duration::from_millis(50));
        assert_eq!(ask(&resolver, address(2)), Ok(()));
        assert!(second.requests() >= 1);
    }
}

#[test]
fn no_daemon_is_remembered_for_a_second() {
    let socket = path("absent");
    for (ibacm, name) in [(Ibacm::socket(&socket).unwrap(), "no socket"), (closed_port(), "closed port")] {
        let start = Instant::now();
        assert_eq!(ask(&resolver(ibacm), address(1)), Err(NoRoute::Unavailable), "{name}");
        let daemon = match name {
            "no socket" => Daemon::on_unix(UnixListener::bind(&socket).unwrap(), socket.clone()),
            _ => Daemon::on_tcp(TcpListener::bind(format!("127.0.0.1:{}", port(ibacm))).unwrap()),
        };
        assert_eq!(daemon.ibacm, ibacm);
        let mut asked = 0;
        while ask(&resolver(ibacm), address(2)).is_err() {
            asked += 1;
            thread::sleep(Duration::from_millis(1));
        }
        let took = start.elapsed();
        // The coarse clock is a few milliseconds behind.
        assert!(took >= Duration::from_millis(980) && took < Duration::from_millis(2500), "{name}: {took:?}");
        assert!(asked > 10);
    }
}

#[test]
fn the_memory_of_absence_can_be_set() {
    let socket = path("absent-set");
    let forgets = Ibacm::socket(&socket).unwrap().with_negative_cache(Duration::ZERO);
    assert_eq!(ask(&resolver(forgets), address(1)), Err(NoRoute::Unavailable));
    let daemon = Daemon::on_unix(UnixListener::bind(&socket).unwrap(), socket.clone());
    assert_eq!(ask(&resolver(forgets), address(2)), Ok(()));
    drop(daemon);
    let remembers = forgets.with_negative_cache(Duration::from_secs(3600));
    let end = Instant::now() + Duration::from_secs(10);
    while ask(&resolver(remembers), address(3)) != Err(NoRoute::Unavailable) {
        assert!(Instant::now() < end);
    }
    let daemon = Daemon::on_unix(UnixListener::bind(&socket).unwrap(), socket);
    assert_eq!(ask(&resolver(remembers), address(4)), Err(NoRoute::Unavailable));
    assert_eq!(daemon.requests(), 0);
}

/// A port of this machine at which nobody listens, and which no other test is given by the kernel.
fn closed_port() -> Ibacm {
    let first = 10_000 + u16::try_from(std::process::id() % 10_000).unwrap();
    let mut ports = first..first + 100;
    Ibacm::port(ports.find(|port| TcpListener::bind(("127.0.0.1", *port)).is_ok()).unwrap())
}

fn port(ibacm: Ibacm) -> u16 {
    ibacm.to_string().strip_prefix("port ").unwrap().parse().unwrap()
}

/// A caller whose own port is the one that it calls is connected to itself, and would read its request as the reply.
#[test]
fn nobody_speaks_with_itself() {
    World::EMPTY.run(|| {
        // The kernel has one port to give, and none where that is not the one that is called.
        std::fs::write("/proc/sys/net/ipv4/ip_local_port_range", "40001 40001").unwrap();
        for port in [40001, 40002] {
            let ibacm = Ibacm::port(port).with_negative_cache(Duration::ZERO);
            assert_eq!(ask(&resolver(ibacm), address(1)), Err(NoRoute::Unavailable), "{port}");
        }
        // That it happens.
        std::fs::write("/proc/sys/net/ipv4/ip_local_port_range", "40003 40003").unwrap();
        let itself = TcpStream::connect("127.0.0.1:40003").unwrap();
        assert_eq!(itself.local_addr().unwrap(), itself.peer_addr().unwrap());
    });
}
