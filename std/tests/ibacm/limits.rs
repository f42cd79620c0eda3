//! What the system refuses, runs out of, or splits in two.

use super::daemon::{Act, Daemon, KINDS, Kind, address, ask, resolver};
use crate::common::refused::while_refused;
use crate::common::{World, interface};
use rdma_addrinfo::{ErrorKind, Ibacm, NameService, NoRoute, Policy, Reason, Resolver, System, forget_kept};
use std::fs;
use std::net::TcpListener;
use std::os::fd::AsRawFd;
use std::path::PathBuf;
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

/// The sockets among the descriptors of the calling thread's table.
fn sockets() -> Vec<(i32, PathBuf)> {
    let open = fs::read_dir("/proc/thread-self/fd").unwrap();
    open.filter_map(|entry| {
        let entry = entry.ok()?;
        let link = fs::read_link(entry.path()).ok()?;
        let number = entry.file_name().to_str()?.parse().ok()?;
        link.to_str()?.starts_with("socket:").then_some((number, link))
    })
    .collect()
}

/// Gives the calling thread a network namespace or a table of descriptors of its own.
fn unshare(what: i32) {
    // SAFETY: the flag changes what this thread sees of the system, and no memory. Nobody else here owns a descriptor
    // that only the old table would have.
    assert_eq!(unsafe { libc::unshare(what) }, 0, "{}", std::io::Error::last_os_error());
}

fn error(
    resolver: Resolver<impl NameService>,
    node: Option<&str>,
) -> Option<(ErrorKind, Reason, Option<i32>)> {
    let error = resolver.resolve(node, "7471", None).err()?;
    Some((error.kind(), error.reason(), error.io_error().and_then(|error| error.raw_os_error())))
}

#[test]
fn no_random_numbers_are_no_reason_not_to_ask() {
    World::EMPTY.run(|| {
        let daemon = Daemon::start("no-random", Kind::Unix);
        let resolver = daemon.resolver();
        // Nor is there a /dev/urandom.
        let refusals = [(libc::SYS_getrandom, libc::EPERM), (libc::SYS_openat, libc::ENOENT)];
        let asks = || [1, 2, 3].map(|number| ask(&resolver, address(number)));
        if let Some(outcomes) = while_refused(&refusals, asks) {
            assert_eq!(outcomes, [Ok(()); 3]);
            let requests = daemon.state.requests.lock().unwrap();
            let ids: Vec<_> = requests.iter().map(|request| &request[8..16]).collect();
            assert!(ids[0] != ids[1] && ids[1] != ids[2] && ids[2] != ids[0], "{ids:?}");
        }
    });
}

#[test]
fn what_could_not_be_asked_is_an_error_and_not_none() {
    World::EMPTY.run(|| {
        let plain = Resolver::new().with_routes(false);
        let null_node = plain.with_policy(Policy::LIBRDMACM);
        for errno in [libc::EMFILE, libc::ENFILE, libc::ENOMEM, libc::ENOBUFS, libc::EINVAL] {
            let refused = while_refused(&[(libc::SYS_socket, errno)], || {
                // Without sockets the C library leaves ::1 first.
                assert_eq!(error(null_node, None), None);
                ["127.0.0.1", "fe80::7%lo"].map(|node| error(plain, Some(node)))
            });
            let Some(errors) = refused else { return };
            let expected = [Reason::SourceNotAsked, Reason::ZoneNotAsked];
            assert_eq!(errors, expected.map(|reason| Some((ErrorKind::System, reason, Some(errno)))));
        }
        for call in [libc::SYS_connect, libc::SYS_getsockname] {
            for errno in [libc::ENOMEM, libc::ENOBUFS, libc::EAGAIN, libc::EINTR] {
                let refused = while_refused(&[(call, errno)], || error(plain, Some("127.0.0.1")));
                let Some(outcome) = refused else { return };
                assert_eq!(outcome, Some((ErrorKind::System, Reason::SourceNotAsked, Some(errno))));
            }
        }
        // That there is no way is an answer.
        for errno in [libc::ENETUNREACH, libc::EHOSTUNREACH, libc::EACCES, libc::EADDRNOTAVAIL] {
            let refused = while_refused(&[(libc::SYS_connect, errno)], || {
                plain.resolve("127.0.0.1", "7471", None).map(|found| found.first().unwrap().to_string())
            });
            let Some(outcome) = refused else { return };
            assert_eq!(outcome.unwrap(), "inet rc/tcp * -> 127.0.0.1:7471");
        }
        let no_family = while_refused(&[(libc::SYS_socket, libc::EAFNOSUPPORT)], || {
            plain.resolve("::1", "7471", None).map(|found| found.first().unwrap().to_string())
        });
        assert!(no_family.is_none_or(|line| line.unwrap() == "inet6 rc/tcp * -> [::1]:7471"));
        // All is asked again as soon as it can be.
        let found = plain.resolve("127.0.0.1", "7471", None).unwrap();
        assert_eq!(found.first().unwrap().to_string(), "inet rc/tcp 127.0.0.1 -> 127.0.0.1:7471");
        let found = null_node.resolve(None, "7471", None).unwrap();
        assert_eq!(found.first().unwrap().to_string(), "inet6 rc/tcp * -> [::1]:7471");
    });
}

/// The C library itself leaves no `errno` then.
#[test]
fn a_name_server_that_there_is_no_descriptor_for_is_that() {
    World { names: "files dns", ..World::EMPTY }.run(|| {
        let plain = Resolver::new().with_routes(false).without_deadline();
        for errno in [libc::EMFILE, libc::ENFILE] {
            let refused = while_refused(&[(libc::SYS_socket, errno)], || error(plain, Some("node.example")));
            let Some(outcome) = refused else { return };
            assert_eq!(outcome, Some((ErrorKind::System, Reason::Unspecified, Some(errno))));
        }
    });
}

/// Here names are looked up by the C library: the index does not judge what is said of success.
const ASKED: World<'_> = World { hosts: "127.0.0.9 here\n", names: "files [SUCCESS=return]", ..World::EMPTY };

#[test]
fn a_thread_that_cannot_be_started_is_a_reason_of_its_own() {
    ASKED.run(|| {
        let plain = Resolver::new().with_routes(false).with_names(System::new());
        for (errno, kind) in [(libc::EAGAIN, ErrorKind::Again), (libc::EPERM, ErrorKind::System)] {
            let refusals = [(libc::SYS_clone3, errno), (libc::SYS_clone, errno)];
            let Some(outcome) = while_refused(&refusals, || error(plain, Some("here"))) else { return };
            let (told, reason, _) = outcome.unwrap();
            assert_eq!((told, reason), (kind, Reason::NoThread), "{errno}");
        }
        assert_eq!(error(plain, Some("here")), None);
    });
}

#[test]
fn signals_without_end_do_not_hold_a_call() {
    const LIMIT: Duration = Duration::from_millis(300);
    World::EMPTY.run(|| {
        for kind in KINDS {
            let daemon = Daemon::start("interrupted", kind);
            let forgets = daemon.ibacm.with_back_off(Duration::ZERO, Duration::ZERO);
            let resolver = daemon.resolver().with_ibacm(forgets).with_deadline(LIMIT);
            let refusals = [
                (libc::SYS_poll, libc::EINTR),
                (libc::SYS_recvfrom, libc::EINTR),
                (libc::SYS_recvfrom, libc::EAGAIN),
                (libc::SYS_sendto, libc::EINTR),
                (libc::SYS_sendto, libc::EAGAIN),
            ];
            for refusal in refusals {
                // Else there would be nothing to wait for, or nothing to come back without.
                daemon.otherwise(if refusal.0 == libc::SYS_poll { |_| Act::Silence } else { |_| Act::Right });
                let refused = while_refused(&[refusal], || {
                    let start = Instant::now();
                    (ask(&resolver, address(1)), start.elapsed())
                });
                let Some((outcome, took)) = refused else { return };
                assert_eq!(outcome, Err(NoRoute::TimedOut), "{kind:?} {refusal:?}");
                assert!(
                    took >= LIMIT && took < LIMIT + Duration::from_secs(2),
                    "{kind:?} {refusal:?}: {took:?}"
                );
            }
        }
    });
}

#[test]
fn a_port_file_that_cannot_be_read_is_not_one_that_is_not_there() {
    World::EMPTY.run(|| {
        let daemon = Daemon::start("port-file", Kind::Tcp);
        let port = daemon.ibacm.to_string().strip_prefix("port ").unwrap().to_owned();
        fs::write("/run/ibacm.port", format!("{port}\n")).unwrap();
        let resolver = daemon.resolver().with_ibacm(Ibacm::AUTO);
        let hasty = resolver.with_deadline(Duration::from_millis(300));
        let refusals = [
            ((libc::SYS_openat, libc::EINTR), NoRoute::TimedOut),
            ((libc::SYS_openat, libc::EMFILE), NoRoute::CouldNotAsk),
            ((libc::SYS_read, libc::EINTR), NoRoute::TimedOut),
            ((libc::SYS_read, libc::EIO), NoRoute::CouldNotAsk),
        ];
        for (refusal, expected) in refusals {
            forget_kept();
            let Some(outcome) = while_refused(&[refusal], || ask(&hasty, address(1))) else { return };
            assert_eq!(outcome, Err(expected), "{refusal:?}");
            // And the next who can read it finds the daemon at once.
            assert_eq!(ask(&resolver, address(2)), Ok(()), "{refusal:?}");
        }
    });
}

/// Two threads with a table of descriptors each take turns.
#[test]
fn two_tables_of_descriptors_leave_no_descriptors_open() {
    World::EMPTY.run(|| {
        let daemon = Daemon::start("tables", Kind::Unix);
        let resolver = daemon.resolver().with_source(true);
        let rounds = 200;
        let turn = |number: usize| {
            assert_eq!(
                resolver.resolve("127.0.0.7", "7471", None).unwrap().first().unwrap().to_string(),
                "inet rc/tcp 127.0.0.1 -> 127.0.0.7:7471 (1 path)",
                "{number}"
            );
        };
        thread::scope(|scope| {
            let (to_other, from_here) = mpsc::channel();
            let (to_here, from_other) = mpsc::channel();
            scope.spawn(move || {
                unshare(libc::CLONE_FILES);
                to_here.send(0).unwrap();
                while let Ok(number) = from_here.recv() {
                    turn(number);
                    to_here.send(sockets().len()).unwrap();
                }
            });
            // What is opened from here on is in one of the tables alone.
            from_other.recv().unwrap();
            let (mut here, mut there) = (Vec::new(), Vec::new());
            for number in 0..rounds {
                turn(number);
                here.push(sockets().len());
                to_other.send(number).unwrap();
                there.push(from_other.recv().unwrap());
            }
            // The daemon's own come and go.
            assert!(here[rounds - 1] <= here[1] + 4, "{here:?}");
            assert!(there[rounds - 1] <= there[1] + 4, "{there:?}");
        });
        assert!(daemon.connections() <= 6, "{}", daemon.connections());
    });
}

#[test]
fn the_standard_streams_are_left_alone() {
    World::EMPTY.run(|| {
        let daemon = Daemon::start("streams", Kind::Unix);
        let tcp = Daemon::start("streams", Kind::Tcp);
        // In a table of its own, so that nobody else misses them.
        let kept = thread::spawn(move || {
            unshare(libc::CLONE_FILES);
            let before = sockets();
            for number in 0..3 {
                // SAFETY: takes a number; nothing on this thread, whose table this is, owns a standard stream.
                assert_eq!(unsafe { libc::close(number) }, 0);
            }
            for daemon in [&daemon, &tcp] {
                assert_eq!(ask(&daemon.resolver(), address(1)), Ok(()));
            }
            let plain = Resolver::new().with_routes(false);
            assert_eq!(error(plain, Some("127.0.0.1")), None);
            assert_eq!(error(plain, Some("fe80::7%lo")), None);
            let kept = sockets().into_iter().filter(|socket| !before.contains(socket));
            kept.map(|(number, _)| number).collect::<Vec<i32>>()
        });
        let kept = kept.join().unwrap();
        // Two connections, a socket of each version.
        assert!(kept.len() == 4 && kept.iter().all(|number| *number >= 3), "{kept:?}");
    });
}

/// A thread that enters another network namespace, where another daemon has the same port.
#[test]
fn what_is_kept_of_a_network_namespace_can_be_forgotten() {
    World::EMPTY.run(|| {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let here = Daemon::on_tcp(listener);
        let resolver = resolver(Ibacm::port(port).with_negative_cache(Duration::from_secs(3600)));
        assert_eq!(ask(&resolver, address(1)), Ok(()));
        thread::spawn(move || {
            unshare(libc::CLONE_NEWNET);
            // The connection is still that of the old namespace: said in the documents.
            assert_eq!(ask(&resolver, address(2)), Ok(()));
            forget_kept();
            assert_eq!(ask(&resolver, address(3)), Err(NoRoute::Unavailable));
            interface::raise_loopback().unwrap();
            let there = Daemon::on_tcp(TcpListener::bind(("127.0.0.1", port)).unwrap());
            // So is that there was none.
            assert_eq!(ask(&resolver, address(4)), Err(NoRoute::Unavailable));
            forget_kept();
            assert_eq!(ask(&resolver, address(5)), Ok(()));
            assert_eq!((there.connections(), there.requests()), (1, 1));
        })
        .join()
        .unwrap();
        assert_eq!(here.requests(), 2);
    });
}

/// A new connection in another namespace has what is kept of the old one forgotten.
#[test]
fn a_new_connection_in_another_namespace_forgets() {
    World::EMPTY.run(|| {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let here = Daemon::on_tcp(listener);
        let other = Daemon::start("in-files", Kind::Unix);
        let resolver = resolver(Ibacm::port(port));
        assert_eq!(ask(&resolver, address(1)), Ok(()));
        let other_resolver = other.resolver();
        thread::spawn(move || {
            unshare(libc::CLONE_NEWNET);
            // By a path, which does not depend on the namespace.
            assert_eq!(ask(&other_resolver, address(2)), Ok(()));
            assert_eq!(ask(&resolver, address(3)), Err(NoRoute::Unavailable));
        })
        .join()
        .unwrap();
        assert_eq!(here.requests(), 1);
    });
}

/// Workers have the namespaces of the thread that started them, until what is kept is forgotten.
#[test]
fn lookup_threads_that_wait_end() {
    ASKED.run(|| {
        use crate::common::{wait_until, workers};
        let plain = Resolver::new().with_routes(false).with_names(System::new());
        assert_eq!(error(plain, Some("here")), None);
        assert_eq!(workers(), 1);
        forget_kept();
        wait_until(|| workers() == 0);
        assert_eq!(error(plain, Some("here")), None);
        assert_eq!(workers(), 1);
        let socket = std::net::UdpSocket::bind("127.0.0.1:0").unwrap();
        let before = sockets();
        forget_kept();
        // Those that the sources were asked on; not the program's own.
        let left = sockets();
        assert!(left.len() < before.len(), "{before:?}");
        assert!(left.iter().any(|(number, _)| *number == socket.as_raw_fd()));
    });
}
