//! What needs no waiting starts no thread, and what is ready in time wakes none.

use crate::common::{World, dns::Dns, threads, wait_until, workers};
use futures::executor::block_on;
use rdma_addrinfo::{
    CoreError, ErrorKind, Found, Hints, NameAnswer, NameQuery, NameService, Protocol, Resolver,
};
use std::fs;
use std::future::{Future, poll_fn};
use std::pin::pin;
use std::task::{Context, Poll, Waker};
use std::time::{Duration, Instant};

const WORLD: World<'_> = World {
    hosts: "127.0.0.1 localhost\n::1 localhost\n192.0.2.7 storage-7\n",
    services: "nfsrdma 20049/tcp\n",
    names: "files dns",
    options: "timeout:1 attempts:1",
    device: false,
};

#[test]
fn literals_zones_sources_and_names_of_files() {
    WORLD.run(|| {
        let _dns = Dns::start(Duration::from_millis(1));
        // The files are read where they are asked for.
        let blocking = Resolver::new().without_deadline();
        assert_eq!(blocking.resolve("storage-7", "nfsrdma", None).unwrap().len(), 1);
        let before = threads().len();
        let (resolver, passive) = (Resolver::new().awaiting(), Hints::new().passive());
        type Case<'c> = (Option<&'c str>, &'c str, Option<&'c Hints<'c>>, Result<&'c str, ErrorKind>);
        let cases: [Case<'_>; 8] = [
            (Some("127.0.0.7"), "7471", None, Ok("inet rc/tcp 127.0.0.1 -> 127.0.0.7:7471")),
            (Some("::1"), "7471", None, Ok("inet6 rc/tcp ::1 -> [::1]:7471")),
            (Some("fe80::1%lo"), "7471", Some(&passive), Ok("inet6 rc/tcp [fe80::1%1]:7471 -> * passive")),
            (Some("storage-7"), "7471", Some(&passive), Ok("inet rc/tcp 192.0.2.7:7471 -> * passive")),
            (Some("localhost"), "nfsrdma", None, Ok("inet6 rc/tcp ::1 -> [::1]:20049")),
            (None, "7471", Some(&passive), Ok("inet6 rc/tcp [::]:7471 -> * passive")),
            (Some("fe80::1%nosuch"), "7471", None, Err(ErrorKind::NoName)),
            (Some("127.0.0.7"), "70000", None, Err(ErrorKind::Service)),
        ];
        for round in 0..100 {
            for (node, service, hints, expected) in cases {
                let future = pin!(resolver.resolve(node, service, hints));
                let polled = future.poll(&mut Context::from_waker(Waker::noop()));
                let Poll::Ready(outcome) = polled else { panic!("{node:?} {service} waits, round {round}") };
                let line = outcome.map(|found| found.first().unwrap().to_string());
                let line = line.as_ref().map(String::as_str).map_err(rdma_addrinfo::Error::kind);
                assert_eq!(line, expected, "{node:?} {service}");
            }
        }
        assert_eq!(threads().len(), before, "{:?}", threads());
        // A name that has to be asked for does start them: one for the name, one for the deadline.
        assert!(block_on(resolver.resolve("v4.example", 7471, None)).is_ok());
        assert_eq!(threads().len(), before + 2, "{:?}", threads());
    });
}

/// Answers when it is asked for the second time.
struct Second;

impl NameService for Second {
    async fn look_up(&self, _: &NameQuery<'_>, _: Option<Instant>) -> Result<NameAnswer, CoreError> {
        let mut waits = true;
        poll_fn(|context| {
            context.waker().wake_by_ref();
            if std::mem::take(&mut waits) { Poll::Pending } else { Poll::Ready(()) }
        })
        .await;
        Ok(NameAnswer::new([Found { address: ([192, 0, 2, 7], 0).into(), protocol: Protocol::Tcp }]))
    }
}

/// How often threads of the library went to sleep.
fn sleeps() -> u64 {
    let tasks = fs::read_dir("/proc/self/task").unwrap();
    let status = tasks.map(|task| fs::read_to_string(task.unwrap().path().join("status")).unwrap());
    let ours = status.filter(|status| status.starts_with("Name:\trdma-addrinfo\n"));
    let sleeps = ours.map(|status| {
        let (_, rest) = status.split_once("\nvoluntary_ctxt_switches:\t").unwrap();
        rest.lines().next().unwrap().parse::<u64>().unwrap()
    });
    sleeps.sum()
}

/// Only one that is earlier than all others concerns the thread for deadlines.
#[test]
fn a_deadline_that_is_not_reached_wakes_nobody() {
    WORLD.run(|| {
        let names = Resolver::new().with_names(Second).with_source(false).with_routes(false);
        let resolver = names.with_deadline(Duration::from_secs(60)).awaiting();
        let call = || assert_eq!(block_on(resolver.resolve("a", 1, None)).unwrap().len(), 1);
        call();
        wait_until(|| workers() == 1);
        let before = sleeps();
        (0..1000).for_each(|_| call());
        let slept = sleeps() - before;
        assert!(slept < 100, "{slept}");
    });
}
