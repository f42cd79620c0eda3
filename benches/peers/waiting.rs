//! Many peers whose answers take their time: those of a name server, and the routes of ibacm.

#[expect(dead_code, reason = "the tests need more of it")]
#[path = "../../std/tests/common/dns.rs"]
mod dns;

use super::{SETTLED, goal};
use rdma_addrinfo::{Hints, IbEntries, Ibacm, Resolver, Target};
use rdma_addrinfo_benches::{Daemon, World};
use std::fs;
use std::net::{Ipv4Addr, SocketAddr};
use std::thread;
use std::time::{Duration, Instant};

const NAME: Duration = Duration::from_millis(50);
/// How many names are looked up at once.
const NAMES_AT_ONCE: usize = 64;

const ROUTE: Duration = Duration::from_millis(10);
/// How many connections to ibacm there are.
const ROUTES_AT_ONCE: usize = 8;

/// Times, and how they compare with that of so many at once as may be, without a pause.
pub(super) fn waiting(world: &World, is_bench: bool) {
    let count = if is_bench { 1280 } else { NAMES_AT_ONCE };
    let took = names(count);
    report(&format!("{count} names of a name server that takes {NAME:?}"), took, count, NAMES_AT_ONCE, NAME);
    let count = if is_bench { 1000 } else { ROUTES_AT_ONCE };
    let took = routes(world, count);
    report(&format!("{count} routes of an ibacm that takes {ROUTE:?}"), took, count, ROUTES_AT_ONCE, ROUTE);
}

fn report(what: &str, took: Duration, count: usize, at_once: usize, each: Duration) {
    let ideal = each.as_secs_f64() * count.div_ceil(at_once) as f64;
    println!("{what}, {at_once} at once: {took:?}");
    goal("÷ the ideal", took.as_secs_f64() / ideal, ..=1.15);
}

/// One name again and again: the C library keeps none.
fn names(count: usize) -> Duration {
    for (file, text) in [
        ("nsswitch.conf", "hosts: files dns\nservices: files\nprotocols: files\n"),
        ("resolv.conf", "nameserver 127.0.0.1\noptions timeout:5 attempts:1\n"),
    ] {
        fs::write(format!("/etc/{file}"), text).expect("a file of the world");
    }
    thread::sleep(SETTLED);
    let _server = dns::Dns::start(NAME);
    let resolver = Resolver::new();
    let found = timed(&resolver, std::iter::repeat_n("v4.example".to_owned(), count));
    assert!(found.1.iter().all(|address| *address == SocketAddr::from((dns::IPV4, 7471))));
    found.0
}

fn routes(world: &World, count: usize) -> Duration {
    let socket = world.socket();
    let daemon = Daemon::start(&socket).expect("nobody is at the socket");
    daemon.set_delay(ROUTE);
    let resolver = Resolver::new()
        .with_ibacm(Ibacm::socket(&socket).expect("a short path"))
        .with_ib_entries(IbEntries::Never);
    let address = |peer| Ipv4Addr::from_bits(0x7f02_0000 + u32::try_from(peer).expect("few"));
    let found = timed(&resolver, (0..count).map(|peer| address(peer).to_string()));
    let right: Vec<_> = (0..count).map(|peer| SocketAddr::from((address(peer), 7471))).collect();
    assert_eq!(found.1, right);
    found.0
}

fn timed(resolver: &Resolver, nodes: impl Iterator<Item = String>) -> (Duration, Vec<SocketAddr>) {
    let started = Instant::now();
    let hints = Hints::new();
    let targets = nodes.map(|node| Target::new(node).with_port(7471).with_hints(&hints));
    let all = resolver.resolve_many(targets, NAMES_AT_ONCE).map(|one| {
        let found = one.result.expect("an answer");
        found.first().expect("an entry").dst_addr().expect("a destination").try_into().expect("an IP address")
    });
    let all = all.collect();
    (started.elapsed(), all)
}
