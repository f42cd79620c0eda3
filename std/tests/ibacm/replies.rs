//! Right replies: what is sent, and what becomes of them.

use super::daemon::{Act, Daemon, KINDS, Kind, address, ask, resolver, set_length};
use rdma_addrinfo::{Hints, IbEntries, Ibacm, NoRoute, Resolver, RouteStatus};
use std::fs;
use std::time::Duration;

#[test]
fn one_connection_serves_one_caller() {
    for kind in KINDS {
        let daemon = Daemon::start("one", kind);
        for number in 0..100 {
            assert_eq!(ask(&daemon.resolver(), address(number)), Ok(()));
        }
        assert_eq!((daemon.connections(), daemon.requests()), (1, 100), "{kind:?}");
    }
}

#[test]
fn the_request_is_what_the_protocol_says_and_its_id_is_never_the_same() {
    let daemon = Daemon::start("request", Kind::Unix);
    let hints = Hints::parse("src=192.0.2.9,numeric-host").unwrap();
    for _ in 0..100 {
        daemon.resolver().resolve("192.0.2.7", "7471", &hints).unwrap();
    }
    let requests = daemon.state.requests.lock().unwrap().clone();
    let mut expected = vec![1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0];
    for (flags, address) in [(1_u32, [192, 0, 2, 9]), (2 | 1 << 30, [192, 0, 2, 7])] {
        expected.extend(flags.to_ne_bytes());
        expected.extend(2_u16.to_ne_bytes());
        expected.extend([0, 0]);
        expected.extend(address);
        expected.extend([0; 60]);
    }
    set_length(&mut expected);
    let mut ids: Vec<[u8; 8]> = Vec::new();
    for mut request in requests {
        ids.push(request[8..16].try_into().unwrap());
        request[8..16].fill(0);
        assert_eq!(request, expected);
    }
    assert!(!ids.contains(&[0; 8]));
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), 100);
}

#[test]
fn a_route_brings_an_ib_entry_where_the_kernel_is_said_to_take_it() {
    let daemon = Daemon::start("ib_entry", Kind::Unix);
    let hints = Hints::parse("src=192.0.2.9").unwrap();
    let lines = |entries| {
        let found = daemon.resolver().with_ib_entries(entries).resolve("192.0.2.7", "7471", &hints).unwrap();
        found
            .iter()
            .map(|info| (info.to_string(), info.connect_data().len(), info.route().len()))
            .collect::<Vec<_>>()
    };
    let ip = ("inet rc/tcp 192.0.2.9 -> 192.0.2.7:7471 (1 path)".to_owned(), 0, 1);
    assert_eq!(lines(IbEntries::Never), vec![ip.clone()]);
    let with_ib_entry = lines(IbEntries::Always);
    assert_eq!(with_ib_entry[..1], [ip]);
    let (line, connect_data, paths) = &with_ib_entry[1];
    assert!(line.starts_with("ib rc/tcp ib:fe80::9/"), "{line}");
    assert!(line.contains(" -> ib:fe80::c000:207/"), "{line}");
    assert_eq!((*connect_data, *paths, with_ib_entry.len()), (36, 1, 2));
}

#[test]
fn a_source_of_the_reply_is_taken() {
    let daemon = Daemon::start("source", Kind::Unix);
    daemon.script(&[Act::Changed(|reply| {
        let mut source = [0; 72];
        source[..4].copy_from_slice(&1_u32.to_ne_bytes());
        source[4..6].copy_from_slice(&2_u16.to_ne_bytes());
        source[8..12].copy_from_slice(&[192, 0, 2, 9]);
        reply.extend(source);
        set_length(reply);
    })]);
    // It takes the place of the kernel's.
    let found = daemon.resolver().with_source(true).resolve("127.0.0.7", "1", None).unwrap();
    assert_eq!(found.first().unwrap().to_string(), "inet rc/tcp 192.0.2.9 -> 127.0.0.7:1 (1 path)");
    let found = daemon.resolver().with_source(true).resolve("127.0.0.7", "1", None).unwrap();
    assert_eq!(found.first().unwrap().to_string(), "inet rc/tcp 127.0.0.1 -> 127.0.0.7:1 (1 path)");
}

#[test]
fn the_files_of_a_run_directory_lead_to_the_daemon() {
    let directory = super::daemon::path("run").with_extension("d");
    fs::create_dir_all(&directory).unwrap();
    let ibacm = Ibacm::directory(&directory).unwrap().with_negative_cache(Duration::ZERO);
    assert_eq!(ask(&resolver(ibacm), address(1)), Err(NoRoute::Unavailable));

    let path = directory.join("ibacm.sock");
    let unix = Daemon::on_unix(std::os::unix::net::UnixListener::bind(&path).unwrap(), path);
    assert_eq!(ask(&resolver(ibacm), address(2)), Ok(()));
    assert_eq!((unix.connections(), unix.requests()), (1, 1));
    drop(unix);

    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = format!("{}\n", listener.local_addr().unwrap().port());
    fs::write(directory.join("ibacm.port"), &port).unwrap();
    let tcp = Daemon::on_tcp(listener);
    // The daemon before it hangs up in its own time, and serves until then.
    crate::common::wait_until(|| {
        super::restart::until_found(&resolver(ibacm), address(3));
        tcp.requests() >= 1
    });
    let file = directory.join("port");
    fs::write(&file, &port).unwrap();
    assert_eq!(ask(&resolver(Ibacm::port_file(&file).unwrap()), address(4)), Ok(()));
    fs::remove_dir_all(&directory).unwrap();
}

#[test]
fn who_does_not_ask_is_not_answered() {
    let daemon = Daemon::start("not-asked", Kind::Unix);
    let resolver = daemon.resolver();
    let status = |resolver: Resolver, node: Option<&str>, hints: &str| {
        let hints = Hints::parse(hints).unwrap();
        let found = resolver.resolve(node, "7471", &hints).unwrap();
        found.first().unwrap().route_status()
    };
    assert_eq!(status(resolver.with_routes(false), Some("192.0.2.7"), ""), RouteStatus::NotAsked);
    assert_eq!(status(resolver, None, "passive"), RouteStatus::NotAsked);
    let off = status(resolver.with_ibacm(Ibacm::OFF), Some("192.0.2.7"), "");
    assert_eq!(off, RouteStatus::Missing(NoRoute::Unavailable));
    assert_eq!(daemon.requests(), 0);
    assert_eq!(status(resolver, Some("192.0.2.7"), ""), RouteStatus::Found);
}

#[test]
fn a_deadline_that_is_over_asks_nothing() {
    let daemon = Daemon::start("over", Kind::Unix);
    for _ in 0..10 {
        assert_eq!(ask(&daemon.resolver().with_deadline(Duration::ZERO), address(1)), Err(NoRoute::TimedOut));
    }
    assert_eq!(daemon.connections(), 0);
    // Nor on a connection that is kept, and nothing becomes of that.
    assert_eq!(ask(&daemon.resolver(), address(1)), Ok(()));
    assert_eq!(ask(&daemon.resolver().with_deadline(Duration::ZERO), address(2)), Err(NoRoute::TimedOut));
    assert_eq!(ask(&daemon.resolver(), address(3)), Ok(()));
    assert_eq!((daemon.connections(), daemon.requests()), (1, 2));
}
