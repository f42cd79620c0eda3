//! `ai_flags` (rules, section 2).

use super::script::{Line, NONE, Names, Route, hint, run, source, then};
use super::whole::{ip, list, on, refused, to};
use rdma_addrinfo_core::{ErrorKind, Family, Field, Flags, Hints, Location, Policy, Reason, Request};

const AT_FLAGS: Location = Location::Hints(Field::Flags);

/// The flag sets without RAI_SA, of the 64 that the page knows.
fn without_sa() -> impl Iterator<Item = Flags> {
    (0..64).map(Flags::from_raw).filter(|flags| !flags.contains(Flags::SA))
}

fn questions(flags: Flags, destination: &str) -> Vec<Line> {
    if flags.contains(Flags::PASSIVE) {
        return Vec::new();
    }
    let no_delay = flags.to_raw() & 0x6 != 0;
    vec![Route { no_delay, ..Route::to(ip(destination)) }.none(), source(destination, None)]
}

#[test]
fn each_set_with_a_literal() {
    for flags in without_sa() {
        let hints = Hints::new().with_flags(flags);
        let address = ip("192.0.2.7:7471");
        let expected = if flags.contains(Flags::PASSIVE) { on(address) } else { to(address) };
        let request = Request::new("192.0.2.7", "7471", &hints);
        assert_eq!(run(request, &questions(flags, "192.0.2.7:7471")), list([expected]), "{hints}");
    }
}

#[test]
fn each_set_with_a_name() {
    for flags in without_sa() {
        let hints = Hints::new().with_flags(flags);
        let request = Request::new("storage-7", "7471", &hints);
        if flags.contains(Flags::NUMERIC_HOST) {
            let expected = refused(ErrorKind::NoName, Reason::NotNumeric, Location::Node(0));
            assert_eq!(run(request, &[]), expected, "{hints}");
            continue;
        }
        let names = Names { passive: flags.contains(Flags::PASSIVE), ..Names::node("storage-7") };
        let script = then(names.found(["192.0.2.7:0"]), questions(flags, "192.0.2.7:7471"));
        let address = ip("192.0.2.7:7471");
        let expected = if flags.contains(Flags::PASSIVE) { on(address) } else { to(address) };
        assert_eq!(run(request, &script), list([expected]), "{hints}");
    }
}

#[test]
fn each_set_with_a_service_alone() {
    for flags in without_sa() {
        let hints = Hints::new().with_flags(flags).with_family(Family::INET);
        let (expected, script) = if flags.contains(Flags::PASSIVE) {
            (on(ip("0.0.0.0:7471")), Vec::new())
        } else {
            (to(ip("127.0.0.1:7471")), questions(flags, "127.0.0.1:7471"))
        };
        assert_eq!(run(Request::new(NONE, "7471", &hints), &script), list([expected]), "{hints}");
    }
}

#[test]
fn unknown_bits_are_bad_flags() {
    let expected = refused(ErrorKind::BadFlags, Reason::UnknownFlag, AT_FLAGS);
    for bit in 6..32 {
        let flag = Flags::from_bits_retain(1 << bit);
        for flags in [flag, flag | Flags::PASSIVE, flag | Flags::SA] {
            let hints = Hints::new().with_flags(flags).with_dst_addr(hint(&ip("192.0.2.7:1")));
            assert_eq!(run(Request::new("192.0.2.7", "7471", &hints), &[]), expected, "{hints}");
            assert_eq!(run(Request::new("storage-7", NONE, &hints), &[]), expected, "{hints}");
            assert_eq!(run(Request::new(NONE, "7471", &hints), &[]), expected, "{hints}");
            assert_eq!(run(Request::new(NONE, NONE, &hints), &[]), expected, "{hints}");
        }
    }
    let route_only = Hints::new().with_flags(Flags::from_raw(0x0100_0000));
    assert_eq!(run(Request::new("192.0.2.7", "7471", &route_only), &[]), expected);
}

/// What RAI_SA is answered by each policy.
fn sa(request: Request<'_>) -> [Result<super::whole::List, super::whole::Fault>; 2] {
    [Policy::MAN_PAGE, Policy::LIBRDMACM].map(|policy| run(request.with_policy(policy), &[]))
}

#[test]
fn sa_with_a_node_is_not_supported() {
    let expected = refused(ErrorKind::NotSupported, Reason::SaWithNode, AT_FLAGS);
    for rest in 0..64 {
        let hints = Hints::new().with_flags(Flags::from_raw(rest) | Flags::SA);
        for (node, service) in [("192.0.2.7", NONE), ("storage-7", "7471".into())] {
            let request = Request::new(node, service, &hints);
            assert_eq!(sa(request), [expected.clone(), expected.clone()], "{hints}");
        }
    }
}

#[test]
fn sa_with_dns_is_not_supported() {
    let expected = refused(ErrorKind::NotSupported, Reason::SaWithDns, AT_FLAGS);
    for rest in 0..64 {
        let hints = Hints::new().with_flags(Flags::from_raw(rest) | Flags::SA | Flags::DNS);
        for service in [NONE, "7471".into()] {
            let request = Request::new(NONE, service, &hints);
            assert_eq!(sa(request), [expected.clone(), expected.clone()], "{hints}");
        }
    }
}

#[test]
fn sa_without_a_service_is_invalid() {
    let expected = refused(ErrorKind::Invalid, Reason::SaWithoutService, AT_FLAGS);
    for rest in (0..64).filter(|rest| rest & 0x20 == 0) {
        let hints = Hints::new()
            .with_flags(Flags::from_raw(rest) | Flags::SA)
            .with_dst_addr(hint(&ip("192.0.2.7:1")));
        assert_eq!(sa(Request::new(NONE, NONE, &hints)), [expected.clone(), expected.clone()], "{hints}");
    }
}
