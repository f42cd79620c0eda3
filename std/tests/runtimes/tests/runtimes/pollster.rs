//! Without a runtime: a thread that polls, and parks.

use crate::checks::{SERVED, SILENT};
use crate::common::dns::Dns;
use pollster::FutureExt;
use rdma_addrinfo::{ErrorKind, Hints, Resolver};
use rdma_addrinfo_runtimes::{ADDRESS, After, Stuck};
use std::future::ready;
use std::time::{Duration, Instant};

#[test]
fn answers_are_those_of_the_blocking_resolver() {
    SERVED.run(|| {
        let _dns = Dns::start(Duration::from_millis(20));
        let resolver = Resolver::new();
        for node in ["192.0.2.9", "storage-7", "v4.example", "nosuch.example", "broken.example"] {
            let shown = |found: Result<rdma_addrinfo::Resolved, rdma_addrinfo::Error>| match found {
                Ok(found) => found.iter().map(|info| info.to_string()).collect(),
                Err(error) => vec![error.to_string()],
            };
            let awaited = resolver.awaiting().resolve(node, 7471, None).block_on();
            assert_eq!(shown(awaited), shown(resolver.resolve(node, 7471, None)), "{node}");
        }
        let found = resolver.awaiting().resolve("v4.example", 7471, None).block_on().unwrap();
        assert_eq!(found.first().unwrap().to_string(), "inet rc/tcp 127.0.0.1 -> 127.0.0.53:7471");
    });
}

#[test]
fn the_deadline_is_kept() {
    SILENT.run(|| {
        let _dns = Dns::start_silent();
        let limit = Duration::from_millis(200);
        let machine = Resolver::new().with_deadline(limit);
        let own = machine.with_names(Stuck::default()).awaiting();
        let machine = machine.awaiting();
        let begun = Instant::now();
        let errors = [
            machine.resolve("node.example", 1, None).block_on().unwrap_err().kind(),
            own.resolve("node.example", 1, None).block_on().unwrap_err().kind(),
        ];
        let took = begun.elapsed();
        assert_eq!(errors, [ErrorKind::TimedOut; 2]);
        assert!(took >= limit * 2 && took < Duration::from_millis(2500), "{took:?}");
    });
}

/// Names of a service of the user's, whose future belongs to a runtime that runs elsewhere.
#[test]
fn a_service_on_a_runtime_of_its_own_is_awaited_without_one() {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
    let handle = runtime.handle().clone();
    let names = After(move || {
        let task = handle.spawn(async { tokio::time::sleep(Duration::from_millis(20)).await });
        async move { task.await.unwrap() }
    });
    let resolver = Resolver::new().with_names(names).with_source(false).with_routes(false);
    let line = format!("inet rc/tcp * -> {ADDRESS}:7471");
    // Blocking, and awaited.
    let found = resolver.resolve("a", 7471, &Hints::new()).unwrap();
    assert_eq!(found.first().unwrap().to_string(), line);
    let found = resolver.awaiting().resolve("a", 7471, None).block_on().unwrap();
    assert_eq!(found.first().unwrap().to_string(), line);
    let at_once = Resolver::new().with_names(After(|| ready(()))).with_source(false).awaiting();
    assert_eq!(at_once.resolve("a", 7471, None).block_on().unwrap().first().unwrap().to_string(), line);
}
