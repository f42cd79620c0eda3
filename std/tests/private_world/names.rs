//! Names from hosts(5) and from a name server.

use crate::common::{World, dns::Dns, has_real_device, threads, workers};
use rdma_addrinfo::{
    Addresses, ErrorKind, Hints, Location, Policy, Reason, Resolved, Resolver, Results, Storage, TracedStep,
};
use std::sync::Barrier;
use std::thread;
use std::time::{Duration, Instant};

const HOSTS: &str = "\
127.0.0.1 localhost
::1 localhost
2001:db8::7 storage-7.example storage-7
2001:db8::8 storage-7.example storage-7
192.0.2.7 storage-7.example storage-7
192.0.2.8 storage-7.example storage-7
192.0.2.4 only-v4
2001:db8::6 only-v6
127.0.0.9 here
::ffff:192.0.2.4 mapped
";

const WORLD: World<'_> = World { hosts: HOSTS, ..World::EMPTY };

const WITH_DNS: World<'_> = World { names: "files dns", options: "timeout:5 attempts:1", ..WORLD };

fn lines(found: &Resolved) -> Vec<String> {
    found.iter().map(|info| info.to_string()).collect()
}

fn resolve(
    resolver: Resolver,
    node: &str,
    hints: &str,
) -> Result<Vec<String>, (ErrorKind, Reason, Location)> {
    let hints = Hints::parse(hints).unwrap();
    match resolver.resolve(node, "7471", &hints) {
        Ok(found) => Ok(lines(&found)),
        Err(error) => Err((error.kind(), error.reason(), error.location())),
    }
}

/// Both ways to look up: on a worker, and on the caller's thread.
fn both() -> [Resolver; 2] {
    [Resolver::new().with_deadline(Duration::from_secs(60)), Resolver::new().without_deadline()]
}

const OTHER_FAMILY: (ErrorKind, Reason, Location) =
    (ErrorKind::AddrFamily, Reason::NameOfOtherFamily, Location::Node(0));

#[test]
fn every_address_of_a_name_is_answered() {
    WORLD.run(|| {
        let all = [
            "inet6 rc/tcp * -> [2001:db8::7]:7471",
            "inet6 rc/tcp * -> [2001:db8::8]:7471",
            "inet rc/tcp * -> 192.0.2.7:7471",
            "inet rc/tcp * -> 192.0.2.8:7471",
        ];
        for resolver in both() {
            let of = |resolver, hints| resolve(resolver, "storage-7", hints).unwrap();
            assert_eq!(of(resolver, ""), all);
            assert_eq!(of(resolver, "family=inet6"), all[..2]);
            assert_eq!(of(resolver, "family=inet"), all[2..]);
            assert_eq!(of(resolver.with_addresses(Addresses::First), ""), all[..1]);
            assert_eq!(of(resolver.with_addresses(Addresses::First), "family=inet"), all[2..3]);
            assert_eq!(of(resolver.with_policy(Policy::LIBRDMACM), ""), all[..1]);
            let bound = |at: &str| all.map(|line| line.replace("* -> ", "") + at);
            assert_eq!(of(resolver, "passive"), bound(" -> * passive"));
            let ud = all.map(|line| line.replace("rc/tcp", "ud/udp"));
            assert_eq!(of(resolver, "qp=ud"), ud);
        }
    });
}

#[test]
fn the_source_is_the_one_that_the_kernel_would_take() {
    WORLD.run(|| {
        for resolver in both() {
            assert_eq!(
                resolve(resolver, "here", ""),
                Ok(vec!["inet rc/tcp 127.0.0.1 -> 127.0.0.9:7471".into()])
            );
            let quiet = resolver.with_source(false);
            assert_eq!(resolve(quiet, "here", ""), Ok(vec!["inet rc/tcp * -> 127.0.0.9:7471".into()]));
            assert_eq!(
                resolve(resolver, "here", "src=127.0.0.8"),
                Ok(vec!["inet rc/tcp 127.0.0.8 -> 127.0.0.9:7471".into()])
            );
        }
    });
}

#[test]
fn a_name_without_an_address_of_the_family_says_so() {
    WITH_DNS.run(|| {
        let dns = Dns::start(Duration::ZERO);
        for resolver in both() {
            assert_eq!(resolve(resolver, "only-v4", "family=inet6"), Err(OTHER_FAMILY));
            assert_eq!(resolve(resolver, "only-v6", "family=inet"), Err(OTHER_FAMILY));
            assert_eq!(resolve(resolver, "v4.example", "family=inet6"), Err(OTHER_FAMILY));
            assert_eq!(resolve(resolver, "v6.example", "family=inet"), Err(OTHER_FAMILY));
            let source = (ErrorKind::AddrFamily, Reason::SourceOfOtherFamily, Location::Nowhere);
            assert_eq!(resolve(resolver, "only-v4", "src=2001:db8::9"), Err(source));
        }
        assert!(dns.asked() > 0);
    });
}

#[test]
fn names_of_a_name_server() {
    WITH_DNS.run(|| {
        let _dns = Dns::start(Duration::ZERO);
        for resolver in both() {
            let node = ["inet6 rc/tcp ::1 -> [::1]:7471", "inet rc/tcp 127.0.0.1 -> 127.0.0.53:7471"]
                .map(String::from);
            assert_eq!(resolve(resolver, "node.example", ""), Ok(node.to_vec()));
            assert_eq!(resolve(resolver, "v4.example", ""), Ok(node[1..].to_vec()));
            let unknown = |kind| Err((kind, Reason::Unspecified, Location::Nowhere));
            assert_eq!(resolve(resolver, "nobody.example", ""), unknown(ErrorKind::NoName));
            assert_eq!(resolve(resolver, "nobody.example", "family=inet6"), unknown(ErrorKind::NoName));
            assert_eq!(resolve(resolver, "empty.example", ""), unknown(ErrorKind::NoData));
            assert_eq!(resolve(resolver, "broken.example", ""), unknown(ErrorKind::Again));
        }
    });
}

#[test]
fn canonical_names_are_told_where_they_are_asked_for() {
    WORLD.run(|| {
        for resolver in both() {
            let canonical = |resolver: Resolver, hints: &str| {
                let found = resolver.resolve("storage-7", "1", &Hints::parse(hints).unwrap()).unwrap();
                let text = |name: Option<&std::ffi::CStr>| name.map(|name| name.to_str().unwrap().to_owned());
                found
                    .iter()
                    .map(|info| (text(info.src_canonname()), text(info.dst_canonname())))
                    .collect::<Vec<_>>()
            };
            let name = || Some("storage-7.example".to_owned());
            let named = resolver.with_canonical_names(true);
            assert_eq!(canonical(named, ""), vec![(None, name()); 4]);
            assert_eq!(canonical(named, "passive"), vec![(name(), None); 4]);
            assert_eq!(canonical(named, "family=inet"), vec![(None, name()); 2]);
            assert_eq!(canonical(resolver, ""), vec![(None, None); 4]);
        }
    });
}

#[test]
fn zones_are_names_of_interfaces() {
    WORLD.run(|| {
        for resolver in both() {
            // The loopback interface is the first of every network.
            let list = resolve(resolver.with_source(false), "fe80::1%lo", "").unwrap();
            assert_eq!(list, ["inet6 rc/tcp * -> [fe80::1%1]:7471"]);
            let none = (ErrorKind::NoName, Reason::NoSuchZone, Location::Node(8));
            assert_eq!(resolve(resolver, "fe80::1%ib0", ""), Err(none));
        }
    });
}

#[test]
fn mapped_addresses_of_a_name_are_ipv4() {
    WORLD.run(|| {
        let list = resolve(Resolver::new(), "mapped", "").unwrap();
        assert_eq!(list, ["inet rc/tcp * -> 192.0.2.4:7471"]);
    });
}

#[test]
fn memory_of_the_callers_holds_the_same_as_the_heap() {
    WORLD.run(|| {
        let whole = |info: rdma_addrinfo::AddrInfo<'_>| {
            let bytes = |address: Option<rdma_addrinfo::SockAddrRef<'_>>| {
                address.map(|address| address.as_bytes().to_vec())
            };
            (
                info.to_string(),
                bytes(info.src_addr()),
                bytes(info.dst_addr()),
                info.dst_canonname().map(std::ffi::CStr::to_owned),
                info.route_status(),
                info.user_private_data(),
            )
        };
        for resolver in both().map(|resolver| resolver.with_canonical_names(true)) {
            for node in ["storage-7", "here", "only-v6", "192.0.2.7", "fe80::1%lo", "localhost"] {
                let found = resolver.resolve(node, "7471", None).unwrap();
                assert!(!found.is_truncated());
                let all: Vec<_> = found.iter().map(whole).collect();
                let (mut one, mut two, mut four) =
                    (Results::<1>::new(), Results::<2>::new(), Results::<4>::new());
                let (mut three, mut many) = (Results::<3>::new(), Results::<64>::new());
                let storages: [(usize, Storage<'_>); 5] = [
                    (1, (&mut one).into()),
                    (2, (&mut two).into()),
                    (3, (&mut three).into()),
                    (4, (&mut four).into()),
                    (64, (&mut many).into()),
                ];
                for (capacity, storage) in storages {
                    let list = resolver.resolve_into(node, "7471", None, storage).unwrap();
                    let kept: Vec<_> = list.iter().map(whole).collect();
                    assert_eq!(kept, all[..all.len().min(capacity)], "{node} in {capacity}");
                    assert_eq!(list.is_truncated(), all.len() > capacity, "{node} in {capacity}");
                }
                let error = resolver.resolve_into(node, "7471", None, &mut Results::<0>::new()).unwrap_err();
                assert_eq!((error.kind(), error.reason()), (ErrorKind::Memory, Reason::NoRoom));
            }
            // And the same errors.
            for node in ["nobody", "192.0.2.256", "fe80::1%ib0"] {
                let error = resolver.resolve(node, "7471", None).unwrap_err();
                let other = resolver.resolve_into(node, "7471", None, &mut Results::<4>::new()).unwrap_err();
                assert_eq!(error, other);
            }
        }
    });
}

#[test]
fn without_a_deadline_no_thread_is_started() {
    WITH_DNS.run(|| {
        let _dns = Dns::start(Duration::ZERO);
        // A file that was written just now may change again unseen: the C library is asked, by a thread.
        thread::sleep(Duration::from_millis(200));
        let before = threads().len();
        for node in ["storage-7", "node.example", "nobody.example", "192.0.2.7"] {
            let _ = Resolver::new().without_deadline().resolve(node, "7471", None);
            assert_eq!((workers(), threads().len()), (0, before), "{node}");
        }
        // With one, a literal and a name of the file do not need any either, and a name of a server needs one.
        assert_eq!(
            resolve(Resolver::new().with_source(false), "::7", "").unwrap(),
            ["inet6 rc/tcp * -> [::7]:7471"]
        );
        assert_eq!(resolve(Resolver::new(), "only-v4", "").unwrap(), ["inet rc/tcp * -> 192.0.2.4:7471"]);
        // A guest may have a C library so new that its rules are not known here.
        if !has_real_device() {
            assert_eq!((workers(), threads().len()), (0, before));
        }
        let _ = resolve(Resolver::new(), "node.example", "");
        assert_eq!((workers(), threads().len()), (1, before + 1));
    });
}

#[test]
fn a_traced_call_tells_what_the_machine_answered() {
    WORLD.run(|| {
        let trace = |node: &str| {
            let mut told = Vec::new();
            let start = Instant::now();
            let outcome = Resolver::new().resolve_traced(node, "7471", None, &mut |step: TracedStep| {
                told.push((step.event.question(), step.event.answer(), step.elapsed));
            });
            let spent: Duration = told.iter().map(|(_, _, elapsed)| *elapsed).sum();
            assert!(spent <= start.elapsed());
            let told: Vec<_> =
                told.into_iter().map(|(question, answer, _)| format!("{question}: {answer}")).collect();
            (outcome.map(|found| lines(&found)).map_err(|error| error.kind()), told)
        };
        let (outcome, told) = trace("here");
        assert_eq!(outcome, Ok(vec!["inet rc/tcp 127.0.0.1 -> 127.0.0.9:7471".into()]));
        assert_eq!(
            told,
            [
                "look up node 'here' (any family, tcp): 127.0.0.9",
                "route to 127.0.0.9:7471 (request: destination 127.0.0.9): no ibacm",
                "source for 127.0.0.9:7471: 127.0.0.1",
            ]
        );
        let (outcome, told) = trace("nobody");
        assert_eq!(outcome, Err(ErrorKind::NoName));
        assert_eq!(told, ["look up node 'nobody' (any family, tcp): node or service not known"]);
        let (outcome, told) = trace("fe80::1%lo");
        assert_eq!(outcome.map(|lines| lines.len()), Ok(1));
        assert_eq!(told[0], "interface of zone 'lo': 1");
        let (outcome, told) = trace("fe80::1%ib0");
        assert_eq!(outcome, Err(ErrorKind::NoName));
        assert_eq!(told, ["interface of zone 'ib0': none"]);
    });
}

const CALLERS: usize = 16;

#[test]
fn callers_at_once_each_get_their_own_answer() {
    let hosts: String = (0..CALLERS).map(|n| format!("127.0.1.{n} node-{n}\n")).collect();
    World { hosts: &hosts, ..WORLD }.run(|| {
        let resolver = Resolver::new().with_deadline(Duration::from_secs(60));
        let start = Barrier::new(CALLERS);
        thread::scope(|scope| {
            for caller in 0..CALLERS {
                let (resolver, start) = (&resolver, &start);
                scope.spawn(move || {
                    let (node, service) = (format!("node-{caller}"), (7000 + caller).to_string());
                    start.wait();
                    for _ in 0..50 {
                        let found = resolver.resolve(&*node, &*service, None).unwrap();
                        let expected = format!("inet rc/tcp 127.0.0.1 -> 127.0.1.{caller}:{service}");
                        assert_eq!(lines(&found), [expected]);
                    }
                });
            }
        });
    });
}
