//! `resolve_many`, and many calls in one task.

use crate::common::{World, dns::Dns, wait_until, workers};
use futures::executor::block_on;
use futures::stream::{FuturesUnordered, StreamExt};
use rdma_addrinfo::{ErrorKind, Hints, Resolution, Resolver, Target};
use std::cell::Cell;
use std::collections::BTreeSet;
use std::future::Future;
use std::time::{Duration, Instant};

/// All of these futures at once, in one task; what each came to, in any order.
pub(super) fn block_on_all<F: Future>(all: impl IntoIterator<Item = F>) -> Vec<F::Output> {
    let all: FuturesUnordered<F> = all.into_iter().collect();
    block_on(all.collect())
}

const WORLD: World<'_> = World { names: "files dns", options: "timeout:10 attempts:1", ..World::EMPTY };

fn line(one: &Resolution<'_>) -> String {
    match &one.result {
        Ok(found) => found.first().unwrap().to_string(),
        Err(error) => format!("{:?}", error.kind()),
    }
}

/// Literals, names of the file, and names that take a while, by turns.
fn targets(many: usize) -> impl Iterator<Item = Target<'static>> {
    (0..many).map(|number| match number % 4 {
        0 => Target::from((format!("127.0.{}.{}", number / 200, 1 + number % 200), 7471)),
        1 => Target::from(("localhost", 7471)),
        2 => Target::from(("v4.example", 7471)),
        _ => Target::from(format!("nosuch{number}.example")),
    })
}

fn expected(number: usize) -> String {
    let ipv4 = |to: &str| format!("inet rc/tcp 127.0.0.1 -> {to}:7471");
    match number % 4 {
        0 => ipv4(&format!("127.0.{}.{}", number / 200, 1 + number % 200)),
        1 => "inet6 rc/tcp ::1 -> [::1]:7471".into(),
        2 => ipv4("127.0.0.53"),
        _ => "NoName".into(),
    }
}

#[test]
fn each_target_comes_once_with_its_index() {
    const MANY: usize = 400;
    WORLD.run(|| {
        let _dns = Dns::start(Duration::from_millis(2));
        let resolver = Resolver::new();
        for in_flight in [0, 1, 7, 64, 1000] {
            let all: Vec<_> = resolver.resolve_many(targets(MANY), in_flight).collect();
            assert!(all.iter().map(|one| one.index).eq(0..MANY), "in order, {in_flight} in flight");
            for one in &all {
                assert_eq!(line(one), expected(one.index), "{}", one.target);
            }
            let unordered: Vec<_> = resolver.resolve_many(targets(MANY), in_flight).unordered().collect();
            assert_eq!(unordered.iter().map(|one| one.index).collect::<BTreeSet<_>>(), (0..MANY).collect());
            assert_eq!(unordered.len(), MANY);
            for one in &unordered {
                assert_eq!(line(one), expected(one.index), "{}", one.target);
            }
            // Awaited, the same.
            let awaiting = resolver.awaiting();
            let mut many = awaiting.resolve_many(targets(MANY), in_flight);
            block_on(async {
                for index in 0..MANY {
                    let one = many.next().await.unwrap();
                    assert_eq!((one.index, line(&one)), (index, expected(index)));
                }
                assert!(many.next().await.is_none());
                assert!(many.next().await.is_none());
            });
        }
    });
}

/// What is slow holds up nobody who may come before it, and what is quick is not lost.
#[test]
fn who_is_ready_comes_first_if_it_may() {
    WORLD.run(|| {
        let dns = Dns::start_silent();
        let resolver = Resolver::new().with_deadline(Duration::from_secs(30));
        let mut all = resolver
            .resolve_many(["node.example", "127.0.0.7", "localhost", "v4.example", "127.0.0.8"], 8)
            .unordered();
        let first: BTreeSet<_> = all.by_ref().take(3).map(|one| one.index).collect();
        assert_eq!(first, BTreeSet::from([1, 2, 4]));
        dns.set_silent(false);
        drop(all);
        // In order they come when the first is there: the deadline bounds it.
        dns.set_silent(true);
        let resolver = Resolver::new().with_deadline(Duration::from_millis(200));
        let all: Vec<_> = resolver.resolve_many(["node.example", "127.0.0.7"], 8).collect();
        let lines: Vec<_> = all.iter().map(line).collect();
        assert_eq!(lines, ["TimedOut".to_owned(), "inet rc/tcp 127.0.0.1 -> 127.0.0.7".to_owned()]);
    });
}

/// No more targets are taken than the bound allows, however many there are.
#[test]
fn no_more_is_taken_than_is_in_flight() {
    WORLD.run(|| {
        let _dns = Dns::start_silent();
        let resolver = Resolver::new().with_deadline(Duration::from_millis(300));
        let taken = Cell::new(0_usize);
        let endless = (0_u64..).map(|number| {
            taken.set(taken.get() + 1);
            // The first never ends by itself, all others at once.
            if number == 0 { Target::from("node.example") } else { Target::from("127.0.0.7") }
        });
        let mut all = resolver.resolve_many(endless, 16);
        assert_eq!(line(&all.next().unwrap()), "TimedOut");
        // 16 in flight, and as many that are ready before their turn.
        assert!(taken.get() <= 33, "{}", taken.get());
        for index in 1..1000 {
            assert_eq!(all.next().unwrap().index, index);
            assert!(taken.get() <= index + 34, "{} at {index}", taken.get());
        }
    });
}

#[test]
fn dropped_it_resolves_no_further() {
    WORLD.run(|| {
        let dns = Dns::start(Duration::from_millis(20));
        let resolver = Resolver::new().with_deadline(Duration::from_secs(20));
        let mut all = resolver.resolve_many(std::iter::repeat("v4.example"), 5000).unordered();
        assert_eq!(all.next().unwrap().result.unwrap().len(), 1);
        drop(all);
        wait_until(|| workers() <= 3);
        // Those that had begun, and what was due meanwhile.
        assert!(dns.asked() < 1000, "{}", dns.asked());
    });
}

#[test]
fn hints_and_services_are_those_of_the_target() {
    let hints = Hints::new().passive();
    let resolver = Resolver::new();
    let targets = [
        Target::new("127.0.0.7").with_service("7471"),
        Target::new("127.0.0.7").with_port(7472).with_hints(&hints),
        Target::new(String::from("127.0.0.1.2")).with_service("1"),
    ];
    let all: Vec<_> =
        resolver.resolve_many(targets.clone(), 2).map(|one| (one.target.clone(), line(&one))).collect();
    let lines = [
        "inet rc/tcp 127.0.0.1 -> 127.0.0.7:7471",
        "inet rc/tcp 127.0.0.7:7472 -> * passive",
        &format!("{:?}", ErrorKind::NoName),
    ];
    for ((target, line), (asked, expected)) in all.iter().zip(targets.iter().zip(lines)) {
        assert_eq!((target, line.as_str()), (asked, expected));
    }
    assert_eq!(all.len(), 3);
}

/// Each has its deadline from when it begins.
#[test]
fn the_deadline_is_each_ones_own() {
    WORLD.run(|| {
        let _dns = Dns::start_silent();
        let resolver = Resolver::new().with_deadline(Duration::from_millis(100));
        let begun = Instant::now();
        let all: Vec<_> = resolver.resolve_many(["node.example"; 6], 2).collect();
        let took = begun.elapsed();
        assert!(all.iter().all(|one| line(one) == "TimedOut"));
        assert!(took >= Duration::from_millis(300) && took < Duration::from_secs(10), "{took:?}");
    });
}
