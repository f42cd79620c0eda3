//! Drivers that answer what they were not asked.

use super::{Driver, found, lines, tcp};
use crate::addrinfo::AddrInfoList;
use crate::error::{Error, ErrorKind, Location, Reason};
use crate::hints::{Hints, Protocol};
use crate::request::{Policy, Request, Text};
use crate::resolve::{Found, Step, start};
use crate::results::{HeapResults, Results};
use crate::sockaddr::SockAddrBuf;
use crate::types::{Family, Flags, PortSpace, QpType};
use core::ffi::CStr;
use core::net::SocketAddr;
use std::ffi::CString;
use std::format;
use std::string::String;
use std::vec;
use std::vec::Vec;

type Outcome = Result<(Vec<String>, bool), Error>;

/// Resolves `storage-7` and port 7471 without routes and sources.
fn resolve(hints: Hints<'_>, policy: Policy, driver: &mut Driver) -> Outcome {
    let policy = Policy { discover_source: false, ..policy };
    let request = Request::new("storage-7", "7471", &hints).with_policy(policy).with_routes(false);
    let mut results = Results::<4>::new();
    driver.drive(start(request, &mut results)).map(lines)
}

fn full(results: &[&str]) -> Outcome {
    Ok((results.iter().map(|line| String::from(*line)).collect(), false))
}

fn refused(kind: ErrorKind, reason: Reason, location: Location) -> Outcome {
    Err(Error::new(kind).because(reason).at(location))
}

/// getaddrinfo looks at the service before the node: a node that cannot be is the error only where the service is known.
#[test]
fn a_node_that_cannot_be_and_a_service_name() {
    let numeric = Hints::new().numeric_host();
    for (policy, asked) in
        [(Policy::MAN_PAGE, &[][..]), (Policy::LIBRDMACM, &["- no-such-service unspec Any"])]
    {
        let mut driver = Driver::new(Err(ErrorKind::Service.into()));
        let request =
            Request::new("storage-7", "no-such-service", &numeric).with_policy(policy).with_routes(false);
        let mut results = Results::<4>::new();
        let error = driver.drive(start(request, &mut results)).map(lines).unwrap_err();
        let kind = if asked.is_empty() { ErrorKind::NoName } else { ErrorKind::Service };
        assert_eq!(error.kind(), kind);
        assert_eq!(driver.asked, asked);
    }
}

/// A family that was not asked for is left out, and does not make the answer one.
#[test]
fn addresses_of_another_family() {
    let inet = Hints::new().with_family(Family::INET);
    let mut driver = Driver::new(tcp(&["[2001:db8::1]:0", "192.0.2.7:0", "[2001:db8::2]:0"]));
    assert_eq!(resolve(inet, Policy::MAN_PAGE, &mut driver), full(&["inet rc/tcp * -> 192.0.2.7:7471"]));
    assert_eq!(driver.asked, ["storage-7 - inet Tcp"]);

    // None of the family: the second lookup, which may find any, tells that there are others.
    let mut driver = Driver::new(tcp(&["[2001:db8::1]:0"]));
    let expected = refused(ErrorKind::AddrFamily, Reason::NameOfOtherFamily, Location::Node(0));
    assert_eq!(resolve(inet, Policy::MAN_PAGE, &mut driver), expected);
    assert_eq!(driver.asked, ["storage-7 - inet Tcp", "storage-7 - unspec Tcp"]);
    // The C library has no second lookup.
    let mut driver = Driver::new(tcp(&["[2001:db8::1]:0"]));
    let expected = refused(ErrorKind::NoData, Reason::NoAddress, Location::Node(0));
    assert_eq!(resolve(inet, Policy::LIBRDMACM, &mut driver), expected);
    assert_eq!(driver.asked, ["storage-7 - inet Tcp"]);

    let inet6 = Hints::new().with_family(Family::INET6);
    let mut driver = Driver::new(tcp(&["192.0.2.7:0", "[::ffff:192.0.2.7]:0"]));
    let expected = full(&["inet6 rc/tcp * -> [::ffff:192.0.2.7]:7471"]);
    assert_eq!(resolve(inet6, Policy::MAN_PAGE, &mut driver), expected);

    // A mapped address is the IPv4 address.
    for family in [Family::UNSPEC, Family::INET] {
        let mut driver = Driver::new(tcp(&["[::ffff:192.0.2.7]:0"]));
        let outcome = resolve(Hints::new().with_family(family), Policy::MAN_PAGE, &mut driver);
        assert_eq!(outcome, full(&["inet rc/tcp * -> 192.0.2.7:7471"]));
    }
}

#[test]
fn no_address_at_all() {
    for policy in [Policy::MAN_PAGE, Policy::LIBRDMACM] {
        let mut driver = Driver::new(Ok(vec![]));
        let expected = refused(ErrorKind::NoData, Reason::NoAddress, Location::Node(0));
        assert_eq!(resolve(Hints::new(), policy, &mut driver), expected);
        assert_eq!(driver.asked, ["storage-7 - unspec Tcp"]);
    }
    // The second lookup finds nothing either: the first error is the answer.
    let mut driver = Driver::new(Ok(vec![]));
    let expected = refused(ErrorKind::NoData, Reason::NoAddress, Location::Node(0));
    assert_eq!(resolve(Hints::new().with_family(Family::INET6), Policy::MAN_PAGE, &mut driver), expected);
    assert_eq!(driver.asked, ["storage-7 - inet6 Tcp", "storage-7 - unspec Tcp"]);
}

/// Whatever error a lookup is answered with is the outcome; only where the name may have addresses of another
/// family is there a second lookup.
#[test]
fn errors_pass() {
    for kind in ErrorKind::ALL {
        let error = Error::new(*kind).with_errno(77);
        let absent = matches!(kind, ErrorKind::NoName | ErrorKind::NoData | ErrorKind::AddrFamily);
        for (policy, family, lookups) in [
            (Policy::MAN_PAGE, Family::UNSPEC, 1),
            (Policy::MAN_PAGE, Family::INET, if absent { 2 } else { 1 }),
            (Policy::LIBRDMACM, Family::INET, 1),
        ] {
            let mut driver = Driver::new(Err(error));
            assert_eq!(resolve(Hints::new().with_family(family), policy, &mut driver), Err(error));
            assert_eq!(driver.asked.len(), lookups, "{kind:?}");
        }
    }
}

/// `Any` is no protocol that an address is known for.
#[test]
fn protocols_that_were_not_asked_for() {
    let answer = |protocols: &[Protocol]| {
        Ok(protocols
            .iter()
            .enumerate()
            .map(|(at, protocol)| found(&format!("192.0.2.{at}:69"), *protocol))
            .collect())
    };
    let (any, tcp, udp) = (Protocol::Any, Protocol::Tcp, Protocol::Udp);
    let resolve = |hints: Hints<'_>, protocols: &[Protocol]| {
        let request = Request::new("storage-7", "tftp", &hints).with_routes(false);
        let request = request.with_policy(Policy { discover_source: false, ..Policy::MAN_PAGE });
        let mut results = Results::<4>::new();
        Driver::new(answer(protocols)).drive(start(request, &mut results)).map(lines)
    };
    let nothing = refused(ErrorKind::Service, Reason::Unspecified, Location::Service(0));
    assert_eq!(resolve(Hints::new(), &[any]), nothing);
    assert_eq!(resolve(Hints::new().with_qp_type(QpType::RC), &[any, udp]), nothing);
    assert_eq!(resolve(Hints::new().with_qp_type(QpType::UD), &[any, tcp]), nothing);

    // One protocol holds for all: TCP, wherever it stands, unless the other was asked for.
    let of_udp = full(&["inet ud/udp * -> 192.0.2.1:69", "inet ud/udp * -> 192.0.2.3:69"]);
    assert_eq!(resolve(Hints::new(), &[any, udp, any, udp]), of_udp);
    assert_eq!(resolve(Hints::new(), &[any, udp, tcp, udp]), full(&["inet rc/tcp * -> 192.0.2.2:69"]));
    assert_eq!(resolve(Hints::new().with_port_space(PortSpace::UDP), &[tcp, udp, any, udp]), of_udp);
    let of_tcp = full(&["inet rc/ib * -> 192.0.2.0:69"]);
    assert_eq!(resolve(Hints::new().with_port_space(PortSpace::IB), &[tcp, udp]), of_tcp);
}

/// For a service alone only port and protocol count.
#[test]
fn a_service_of_a_literal() {
    let resolve = |hints: Hints<'_>, names| {
        let request = Request::new("192.0.2.7", "tftp", &hints).with_routes(false);
        let request = request.with_policy(Policy { discover_source: false, ..Policy::MAN_PAGE });
        let mut results = Results::<4>::new();
        let mut driver = Driver::new(names);
        let outcome = driver.drive(start(request, &mut results)).map(lines);
        assert_eq!(driver.asked.len(), 1);
        outcome
    };
    let stray = || found("[2001:db8::1]:69", Protocol::Udp);
    assert_eq!(resolve(Hints::new(), Ok(vec![stray()])), full(&["inet ud/udp * -> 192.0.2.7:69"]));
    let ib = Hints::new().with_port_space(PortSpace::IB);
    assert_eq!(resolve(ib, Ok(vec![stray()])), full(&["inet ud/ib * -> 192.0.2.7:69"]));

    let unknown = || Err(Error::new(ErrorKind::Service).at(Location::Service(0)));
    assert_eq!(resolve(Hints::new(), Ok(vec![])), unknown());
    assert_eq!(resolve(Hints::new().with_qp_type(QpType::RC), Ok(vec![stray()])), unknown());
    assert_eq!(resolve(Hints::new(), Ok(vec![Found { protocol: Protocol::Any, ..stray() }])), unknown());
    let again = Error::new(ErrorKind::Again);
    assert_eq!(resolve(Hints::new(), Err(again)), Err(again));
}

/// The port of an answer counts only where a service was looked up; flow and scope are kept.
#[test]
fn parts_of_an_address() {
    let stray: SocketAddr = "[fe80::1%7]:99".parse().unwrap();
    let SocketAddr::V6(mut stray) = stray else { panic!("IPv6") };
    stray.set_flowinfo(0x12);
    let answer = Ok(vec![Found { address: stray.into(), protocol: Protocol::Tcp }]);
    let outcome = resolve(Hints::new(), Policy::MAN_PAGE, &mut Driver::new(answer));
    assert_eq!(outcome, full(&["inet6 rc/tcp * -> [fe80::1%7]:7471/flow=0x12"]));
}

#[test]
fn addresses_beyond_the_capacity() {
    let count = if cfg!(miri) { 300 } else { 100_000 };
    let hints = Hints::new();
    let request = Request::new("storage-7", "7471", &hints);
    let mut results = Results::<4>::new();
    let Step::Lookup(ask) = start(request, &mut results) else { panic!("a name") };
    let step = ask.answer(Ok((0..count).map(|at: u32| {
        let [_, a, b, c] = at.to_be_bytes();
        Found { address: ([10, a, b, c], 0).into(), protocol: Protocol::Tcp }
    })));
    let mut driver = Driver::new(Ok(vec![]));
    let (results, truncated) = driver.drive(step).map(lines).unwrap();
    assert!(truncated);
    let expected: Vec<String> = (0..4).map(|at| format!("inet rc/tcp * -> 10.0.0.{at}:7471")).collect();
    assert_eq!(results, expected);
    assert_eq!(driver.asked.len(), 8, "a route and a source of each");
}

/// The C library takes the first address that fits, and no more are taken out of the answer.
#[test]
fn the_first_of_an_endless_answer() {
    let hints = Hints::new().with_family(Family::INET);
    let request = Request::new("storage-7", "7471", &hints).with_policy(Policy::LIBRDMACM).with_routes(false);
    let mut results = Results::<4>::new();
    let Step::Lookup(ask) = start(request, &mut results) else { panic!("a name") };
    let stray = found("[2001:db8::1]:0", Protocol::Tcp);
    let address = found("192.0.2.7:0", Protocol::Tcp);
    let step = ask.answer(Ok(core::iter::once(stray).chain(core::iter::repeat(address))));
    let list = Driver::new(Ok(vec![])).drive(step).map(lines);
    assert_eq!(list, full(&["inet rc/tcp * -> 192.0.2.7:7471"]));
}

#[test]
fn scopes() {
    let resolve = |node: &str, scope| {
        let hints = Hints::new();
        let request = Request::new(node, "7471", &hints).with_routes(false);
        let request = request.with_policy(Policy { discover_source: false, ..Policy::MAN_PAGE });
        let mut results = Results::<4>::new();
        let mut driver = Driver { scope, ..Driver::new(Ok(vec![])) };
        let outcome = driver.drive(start(request, &mut results)).map(lines);
        assert_eq!(driver.asked, ["scope ib0"]);
        outcome
    };
    assert_eq!(resolve("fe80::1%ib0", Some(1)), full(&["inet6 rc/tcp * -> [fe80::1%1]:7471"]));
    assert_eq!(
        resolve("ff02::1%ib0", Some(u32::MAX)),
        full(&["inet6 rc/tcp * -> [ff02::1%4294967295]:7471"])
    );
    // There is no interface 0.
    for scope in [None, Some(0)] {
        let expected = refused(ErrorKind::NoName, Reason::NoSuchZone, Location::Node(8));
        assert_eq!(resolve("fe80::1%ib0", scope), expected);
    }
}

#[test]
fn sources() {
    let resolve = |source: &str| {
        let hints = Hints::new();
        let mut results = Results::<4>::new();
        let mut driver = Driver { source: source.parse().ok(), ..Driver::new(Ok(vec![])) };
        let request = Request::new("fe80::1%2", "7471", &hints);
        let outcome = driver.drive(start(request, &mut results)).map(lines);
        assert_eq!(driver.asked, ["route - [fe80::1%2]:7471", "source [fe80::1%2]:7471"]);
        outcome
    };
    // The port is left out, the scope stays.
    assert_eq!(resolve("[fe80::9%2]:555"), full(&["inet6 rc/tcp fe80::9%2 -> [fe80::1%2]:7471"]));
    // Another family, or none, is no source.
    assert_eq!(resolve("192.0.2.9:0"), full(&["inet6 rc/tcp * -> [fe80::1%2]:7471"]));
    assert_eq!(resolve("-"), full(&["inet6 rc/tcp * -> [fe80::1%2]:7471"]));
}

/// A source in the hints is not asked for again, and leaves destinations of other families out.
#[test]
fn a_source_in_the_hints() {
    let hints = Hints::new().with_src_addr(SockAddrBuf::inet(0xc000_0209, 0));
    let mut driver = Driver::new(tcp(&["[2001:db8::1]:0", "192.0.2.7:0"]));
    let mut results = Results::<4>::new();
    let request = Request::new("storage-7", "7471", &hints);
    let outcome = driver.drive(start(request, &mut results)).map(lines);
    assert_eq!(outcome, full(&["inet rc/tcp 192.0.2.9 -> 192.0.2.7:7471"]));
    assert_eq!(driver.asked, ["storage-7 - unspec Tcp", "route 192.0.2.9 192.0.2.7:7471"]);

    let mut driver = Driver::new(tcp(&["[2001:db8::1]:0"]));
    let expected = refused(ErrorKind::AddrFamily, Reason::SourceOfOtherFamily, Location::Nowhere);
    assert_eq!(resolve(hints, Policy::MAN_PAGE, &mut driver), expected);
    // As it is in the C library, which does not look at it.
    let mut driver = Driver::new(tcp(&["[2001:db8::1]:0"]));
    let expected = full(&["inet6 rc/tcp 192.0.2.9 -> [2001:db8::1]:7471"]);
    assert_eq!(resolve(hints, Policy::LIBRDMACM, &mut driver), expected);
}

/// Without a route there is no AF_IB entry, however many addresses the name has.
#[test]
fn only_af_ib() {
    let hints = Hints::new().with_family(Family::IB);
    let mut driver = Driver::new(tcp(&["192.0.2.7:0", "[2001:db8::1]:0"]));
    let expected = refused(ErrorKind::AddrFamily, Reason::NoIbAddress, Location::Nowhere);
    assert_eq!(resolve(hints, Policy::MAN_PAGE, &mut driver), expected);
    assert_eq!(driver.asked, ["storage-7 - unspec Tcp"]);
    let full = full(&["inet rc/tcp * -> 192.0.2.7:7471"]);
    assert_eq!(resolve(hints, Policy::LIBRDMACM, &mut driver), full);
}

fn with_name<'r>(request: Request<'_>, name: &CStr, results: &'r mut Results<4>) -> AddrInfoList<'r> {
    let Step::Lookup(ask) = start(request, results) else { panic!("a name") };
    let step = ask.with_canonical_name(name).answer(tcp(&["192.0.2.7:0", "192.0.2.8:0"]));
    Driver::new(Ok(vec![])).drive(step).unwrap()
}

#[test]
fn canonical_names() {
    let (active, passive) = (Hints::new(), Hints::new().passive());
    let request = Request::new("storage-7", "7471", &active).with_canonical_names(true);
    let mut results = Results::new();
    let list = with_name(request, c"storage-7.example", &mut results);
    assert_eq!((list.len(), list.is_truncated()), (2, false));
    for info in list {
        assert_eq!((info.src_canonname(), info.dst_canonname()), (None, Some(c"storage-7.example")));
    }
    let request = Request::new("storage-7", "7471", &passive).with_canonical_names(true);
    let list = with_name(request, c"storage-7.example", &mut results);
    for info in list {
        assert_eq!((info.src_canonname(), info.dst_canonname()), (Some(c"storage-7.example"), None));
    }

    // One that was not asked for is not kept; one without room is missing.
    let request = Request::new("storage-7", "7471", &active);
    let list = with_name(request, c"storage-7.example", &mut results);
    assert_eq!((list.first().unwrap().dst_canonname(), list.is_truncated()), (None, false));
    let long = CString::new(vec![b'a'; 256]).unwrap();
    let list = with_name(request.with_canonical_names(true), &long, &mut results);
    assert_eq!((list.first().unwrap().dst_canonname(), list.is_truncated()), (None, true));
}

/// Steps go to other threads, and so do lists.
#[test]
fn steps_are_send() {
    fn check<T: Send + Sync>() {}
    check::<Step<'_, '_>>();
    check::<AddrInfoList<'_>>();
    let mut results = Results::<4>::new();
    let step = start(Request::new("storage-7", "7471", None), &mut results);
    std::thread::scope(|scope| {
        let list = scope.spawn(|| Driver::new(tcp(&["192.0.2.7:0"])).drive(step).unwrap()).join().unwrap();
        assert_eq!(lines(list).0, ["inet rc/tcp * -> 192.0.2.7:7471"]);
    });
}

/// What only looks like a question of its own: flags that change what is asked.
#[test]
fn delays() {
    for (flags, no_delay) in
        [(Flags::empty(), false), (Flags::NO_ROUTE, true), (Flags::NUMERIC_HOST, true), (Flags::DNS, false)]
    {
        let hints = Hints::new().with_flags(flags).with_route(&[1; 72]);
        let mut results = Results::<1>::new();
        let Step::FindRoute(ask) = start(Request::new("192.0.2.7", "7471", &hints), &mut results) else {
            panic!("a route")
        };
        assert_eq!((ask.no_delay(), ask.hint()), (no_delay, &[1; 72][..]));
    }
}

/// A name is told where it stands: of a node, of a service, of a zone.
#[test]
fn what_is_no_literal() {
    for (node, service, location) in [
        (Some("storage-7"), Some("7471"), Location::Node(0)),
        (Some("storage-7"), Some("service-7"), Location::Node(0)),
        (Some("192.0.2.7"), Some("service-7"), Location::Service(0)),
        (None, Some("service-7"), Location::Service(0)),
        (Some("fe80::1%ib0"), Some("7471"), Location::Node(8)),
    ] {
        let mut results = Results::<1>::new();
        let request = Request::new(Text::from(node), Text::from(service), None);
        let error = request.resolve_literal(&mut results).map(|list| list.len());
        assert_eq!(error, Err(Error::new(ErrorKind::NotLiteral).at(location)), "{node:?} {service:?}");
    }
}

/// A name with very many addresses about which there is nothing to ask takes no more stack than one with few.
#[test]
fn many_addresses_take_no_stack() {
    let count = if cfg!(miri) { 300 } else { 100_000 };
    let hints = Hints::new().passive();
    let mut storage = HeapResults::new();
    let address = found("192.0.2.7:0", Protocol::Tcp);
    let mut driver = Driver::new(Ok(vec![address; count]));
    let list = driver.drive(start(Request::new("storage-7", "7471", &hints), &mut storage)).unwrap();
    assert_eq!((list.len(), driver.asked.len()), (count, 1));
}

/// A driver opens a device to find it out: not where a route alone can bring an AF_IB entry, or none is answered.
#[test]
fn af_ib_counts_without_a_route_only_where_it_alone_is_answered() {
    let needs = |family, flags, node: Text<'_>, policy| {
        let hints = Hints::new().with_family(family).with_flags(flags);
        Request::new(node, "7471", &hints).with_policy(policy).needs_af_ib()
    };
    let node = Text::from("192.0.2.7");
    for policy in [Policy::MAN_PAGE, Policy::LIBRDMACM] {
        for family in [Family::UNSPEC, Family::INET, Family::INET6, Family::IB, Family::from_raw(1)] {
            for flags in [Flags::empty(), Flags::FAMILY, Flags::FAMILY | Flags::NUMERIC_HOST, Flags::PASSIVE]
            {
                let alone =
                    policy == Policy::MAN_PAGE && family == Family::IB && !flags.contains(Flags::FAMILY);
                assert_eq!(needs(family, flags, node, policy), alone, "{family} {flags} {policy:?}");
                assert!(
                    !needs(family, flags, Text::NONE, policy),
                    "{family} {flags} {policy:?} without a node"
                );
            }
        }
    }
    assert!(!Request::new(node, "7471", None).needs_af_ib());
}
