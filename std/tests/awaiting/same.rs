//! Awaited or not, the answers are the same.

use crate::common::{World, dns::Dns};
use futures::executor::block_on;
use rdma_addrinfo::{
    CoreError, ErrorKind, Hints, NameAnswer, NameQuery, NameService, Policy, Resolver, Results, System,
    TracedStep,
};
use std::future::{Future, pending};
use std::net::SocketAddr;
use std::time::{Duration, Instant};

const WORLD: World<'_> = World {
    hosts: "127.0.0.1 localhost\n192.0.2.7 storage-7\n192.0.2.8 storage-7\n",
    services: "nfsrdma 20049/tcp\n",
    names: "files dns",
    options: "timeout:1 attempts:1",
    device: false,
};

fn question(step: TracedStep) -> String {
    step.event.question()
}

#[test]
fn as_the_blocking_call() {
    WORLD.run(|| {
        let _dns = Dns::start(Duration::from_millis(1));
        let (passive, numeric) = (Hints::new().passive(), Hints::new().numeric_host());
        let source = Hints::parse("src=127.0.0.9").unwrap();
        let hints = [None, Some(&passive), Some(&numeric), Some(&source)];
        let resolvers = [
            Resolver::new(),
            Resolver::new().with_policy(Policy::LIBRDMACM),
            Resolver::new().with_source(false).with_routes(false),
            Resolver::new().with_canonical_names(true),
            Resolver::new().with_source_interface(Some("lo".parse().unwrap())),
            Resolver::new().without_deadline(),
        ];
        let nodes = [
            "127.0.0.7",
            "::1",
            "fe80::1%lo",
            "fe80::1%nosuch",
            "127.1",
            "localhost",
            "storage-7",
            "node.example",
            "nosuch.example",
            "broken.example",
            "empty.example",
            "a b",
        ];
        let mut found_any = 0;
        for resolver in resolvers {
            let awaiting = resolver.awaiting();
            for node in nodes.map(Some).into_iter().chain([None]) {
                for service in [None, Some("7471"), Some("nfsrdma"), Some("nosuch")] {
                    for hints in hints {
                        let case = format!("{resolver:?} {node:?} {service:?} {hints:?}");
                        let (mut steps, mut awaited_steps) = (Vec::new(), Vec::new());
                        let lines = |found: Result<rdma_addrinfo::Resolved, rdma_addrinfo::Error>| {
                            found
                                .map(|found| found.iter().map(|info| info.to_string()).collect::<Vec<_>>())
                                .map_err(|error| (error.to_core(), error.to_string()))
                        };
                        let expected = lines(resolver.resolve(node, service, hints));
                        assert_eq!(
                            lines(block_on(awaiting.resolve(node, service, hints))),
                            expected,
                            "{case}"
                        );
                        let mut results = Results::<16>::new();
                        let into = block_on(awaiting.resolve_into(node, service, hints, &mut results));
                        let into = into.map(|list| list.iter().map(|info| info.to_string()).collect());
                        assert_eq!(
                            into.map_err(|error| (error.to_core(), error.to_string())),
                            expected,
                            "{case}"
                        );
                        let traced = resolver.resolve_traced(node, service, hints, &mut steps);
                        assert_eq!(lines(traced), expected, "{case}");
                        let traced = awaiting.resolve_traced(node, service, hints, &mut awaited_steps);
                        assert_eq!(lines(block_on(traced)), expected, "{case}");
                        let [steps, awaited_steps] = [steps, awaited_steps]
                            .map(|all| all.into_iter().map(question).collect::<Vec<_>>());
                        assert_eq!(awaited_steps, steps, "{case}");
                        found_any += usize::from(expected.is_ok());
                    }
                }
            }
        }
        assert!(found_any > 300, "{found_any}");
        let address: SocketAddr = "127.0.0.7:7471".parse().unwrap();
        let found = block_on(Resolver::new().awaiting().resolve_addr(address, None)).unwrap();
        assert_eq!(found.first().unwrap().to_string(), "inet rc/tcp 127.0.0.1 -> 127.0.0.7:7471");
    });
}

/// A future of any service may be spawned.
#[test]
fn futures_are_send() {
    fn sent<N: NameService>(resolver: &rdma_addrinfo::AsyncResolver<N>, hints: &Hints<'_>) {
        fn send<T: Send>(_: T) {}
        let mut results = Results::<2>::new();
        let mut steps: Vec<TracedStep> = Vec::new();
        send(resolver.resolve("a", 1, hints));
        send(resolver.resolve_into("a", "1", hints, &mut results));
        send(resolver.resolve_traced("a", "1", hints, &mut steps));
        send(resolver.resolve_addr(SocketAddr::from(([127, 0, 0, 1], 1)), hints));
        let mut many = resolver.resolve_many(["a"], 1);
        send(many.next());
    }
    let resolver = Resolver::new().awaiting();
    sent(&resolver, &Hints::new());
    sent(&resolver.blocking().with_names(System::new()).awaiting(), &Hints::new());
}

/// Never answers.
struct Never;

impl NameService for Never {
    fn look_up(
        &self,
        _: &NameQuery<'_>,
        _: Option<Instant>,
    ) -> impl Future<Output = Result<NameAnswer, CoreError>> + Send {
        pending()
    }
}

#[test]
fn the_deadline_is_kept_for_a_service_of_the_users_and_begins_with_the_first_poll() {
    let resolver = Resolver::new().with_names(Never).with_deadline(Duration::from_millis(200)).awaiting();
    let future = resolver.resolve("a", 1, None);
    std::thread::sleep(Duration::from_millis(300));
    let begun = Instant::now();
    let error = block_on(future).unwrap_err();
    let took = begun.elapsed();
    assert_eq!(error.kind(), ErrorKind::TimedOut);
    assert!(took >= Duration::from_millis(200) && took < Duration::from_secs(5), "{took:?}");
}

/// Thousands of them may be in flight.
#[test]
fn futures_are_small() {
    let resolver = Resolver::new().awaiting();
    let mut results = Results::<2>::new();
    let sizes = [
        size_of_val(&resolver.resolve("a", 1, None)),
        size_of_val(&resolver.resolve_into("a", 1, None, &mut results)),
    ];
    assert!(sizes.iter().all(|size| *size <= 2304), "{sizes:?}");
}
