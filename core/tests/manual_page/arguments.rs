//! What is given: node, service, addresses in hints (rules, section 1).

use super::script::{NONE, Names, Route, hint, route, run, source, then, walk};
use super::whole::{gid, ib, ip, list, on, refused, to};
use rdma_addrinfo_core::{
    Environment, ErrorKind, Family, Field, Flags, Hints, Location, PortSpace, QpType, Reason, Request, Text,
};

#[test]
fn nothing_at_all_is_no_name() {
    let expected = refused(ErrorKind::NoName, Reason::NothingAsked, Location::Nowhere);
    assert_eq!(run(Request::new(NONE, NONE, None), &[]), expected);
}

#[test]
fn hints_without_address_or_route_are_no_name() {
    let expected = refused(ErrorKind::NoName, Reason::NothingAsked, Location::Nowhere);
    for hints in [
        Hints::new(),
        Hints::new().passive(),
        Hints::new().numeric_host().with_family(Family::INET),
        Hints::new().with_flags(Flags::FAMILY).with_family(Family::IB),
        Hints::new().with_qp_type(QpType::UD).with_port_space(PortSpace::UDP),
    ] {
        assert_eq!(run(Request::new(NONE, NONE, &hints), &[]), expected, "{hints}");
    }
}

#[test]
fn node_and_service() {
    let request = Request::new("192.0.2.7", "7471", None);
    assert_eq!(run(request, &walk(["192.0.2.7:7471"])), list([to(ip("192.0.2.7:7471"))]));

    let request = Request::new("2001:db8::7", "7471", None);
    assert_eq!(run(request, &walk(["[2001:db8::7]:7471"])), list([to(ip("[2001:db8::7]:7471"))]));

    let script = then(Names::node("storage-7").found(["192.0.2.7:0"]), walk(["192.0.2.7:7471"]));
    assert_eq!(run(Request::new("storage-7", "7471", None), &script), list([to(ip("192.0.2.7:7471"))]));
}

#[test]
fn node_alone_has_port_0() {
    let request = Request::new("192.0.2.7", NONE, None);
    assert_eq!(run(request, &walk(["192.0.2.7:0"])), list([to(ip("192.0.2.7:0"))]));

    let request = Request::new("2001:db8::7", NONE, None);
    assert_eq!(run(request, &walk(["[2001:db8::7]:0"])), list([to(ip("[2001:db8::7]:0"))]));

    let hints = Hints::new().with_flags(Flags::FAMILY).with_family(Family::IB);
    let dst = ib("fe80::7", 0xffff, 0, 0x0106_0000, 0xffff_ffff_ffff_0000, 0);
    assert_eq!(run(Request::new("fe80::7", NONE, &hints), &[route(dst.clone())]), list([to(dst)]));

    // A port that the name service tells does not count when no service was asked for.
    let script = then(Names::node("storage-7").found(["192.0.2.7:99"]), walk(["192.0.2.7:0"]));
    assert_eq!(run(Request::new("storage-7", NONE, None), &script), list([to(ip("192.0.2.7:0"))]));
}

#[test]
fn node_wins_over_a_destination_hint() {
    for dst in [ip("198.51.100.1:99"), ip("[2001:db8::99]:99"), gid("fe80::99")] {
        let hints = Hints::new().with_dst_addr(hint(&dst));
        let request = Request::new("192.0.2.7", "7471", &hints);
        assert_eq!(run(request, &walk(["192.0.2.7:7471"])), list([to(ip("192.0.2.7:7471"))]), "{hints}");
    }
}

#[test]
fn active_service_takes_the_destination_hint_and_its_own_port() {
    let cases = [
        ("192.0.2.7:99", Family::INET, "192.0.2.7:7471"),
        ("192.0.2.7:0", Family::UNSPEC, "192.0.2.7:7471"),
        ("[2001:db8::7]:99", Family::INET6, "[2001:db8::7]:7471"),
        ("[fe80::7%3]:99", Family::UNSPEC, "[fe80::7%3]:7471"),
    ];
    for (given, family, expected) in cases {
        let hints = Hints::new().with_family(family).with_dst_addr(hint(&ip(given)));
        let request = Request::new(NONE, "7471", &hints);
        assert_eq!(run(request, &walk([expected])), list([to(ip(expected))]), "{hints}");
    }

    let given = ib("fe80::7", 0x8001, 5, 0x013f_0001, u64::MAX, 3);
    let expected = ib("fe80::7", 0x8001, 5, 0x0106_1d2f, u64::MAX, 3);
    for family in [Family::UNSPEC, Family::IB] {
        let hints = Hints::new().with_family(family).with_dst_addr(hint(&given));
        let request = Request::new(NONE, "7471", &hints);
        assert_eq!(run(request, &[route(expected.clone())]), list([to(expected.clone())]), "{hints}");
    }
}

#[test]
fn passive_service_takes_the_source_hint_and_its_own_port() {
    for (given, expected) in [
        ("192.0.2.9:99", "192.0.2.9:7471"),
        ("[2001:db8::9]:0", "[2001:db8::9]:7471"),
        ("[fe80::9%3]:99", "[fe80::9%3]:7471"),
    ] {
        let hints = Hints::new().passive().with_src_addr(hint(&ip(given)));
        assert_eq!(run(Request::new(NONE, "7471", &hints), &[]), list([on(ip(expected))]), "{hints}");
    }

    let hints = Hints::new().passive().with_src_addr(hint(&ib("fe80::9", 0x8001, 0, 0, 0, 0)));
    let expected = on(ib("fe80::9", 0x8001, 0, 0x0106_1d2f, u64::MAX, 0));
    assert_eq!(run(Request::new(NONE, "7471", &hints), &[]), list([expected]));
}

#[test]
fn passive_service_ignores_the_destination_hint() {
    let hints = Hints::new().passive().with_dst_addr(hint(&ip("192.0.2.7:99")));
    let expected = list([on(ip("[::]:7471")), on(ip("0.0.0.0:7471"))]);
    assert_eq!(run(Request::new(NONE, "7471", &hints), &[]), expected);
}

#[test]
fn hint_for_a_service_has_the_family_asked_for() {
    let expected = refused(ErrorKind::AddrFamily, Reason::OtherFamily, Location::Hints(Field::Family));
    for (address, family) in [
        (ip("192.0.2.7:0"), Family::INET6),
        (ip("192.0.2.7:0"), Family::IB),
        (ip("[2001:db8::7]:0"), Family::INET),
        (gid("fe80::7"), Family::INET6),
    ] {
        let active = Hints::new().with_family(family).with_dst_addr(hint(&address));
        assert_eq!(run(Request::new(NONE, "7471", &active), &[]), expected, "{active}");
        let passive = Hints::new().passive().with_family(family).with_src_addr(hint(&address));
        assert_eq!(run(Request::new(NONE, "7471", &passive), &[]), expected, "{passive}");
    }
}

#[test]
fn active_service_alone_is_loopback() {
    let both = list([to(ip("[::1]:7471")), to(ip("127.0.0.1:7471"))]);
    assert_eq!(run(Request::new(NONE, "7471", None), &walk(["[::1]:7471", "127.0.0.1:7471"])), both);

    for (family, expected) in [(Family::INET, "127.0.0.1:7471"), (Family::INET6, "[::1]:7471")] {
        let hints = Hints::new().with_family(family);
        let request = Request::new(NONE, "7471", &hints);
        assert_eq!(run(request, &walk([expected])), list([to(ip(expected))]), "{hints}");
    }

    for flags in [Flags::empty(), Flags::FAMILY, Flags::FAMILY | Flags::NUMERIC_HOST] {
        let hints = Hints::new().with_family(Family::IB).with_flags(flags);
        let asked = Route { no_delay: flags.contains(Flags::NUMERIC_HOST), ..Route::to(gid("::1")) };
        let request = Request::new(NONE, "7471", &hints);
        assert_eq!(run(request, &[asked.none()]), list([to(gid("::1"))]), "{hints}");
    }
}

#[test]
fn passive_service_alone_is_the_wildcard() {
    let hints = Hints::new().passive();
    let both = list([on(ip("[::]:7471")), on(ip("0.0.0.0:7471"))]);
    assert_eq!(run(Request::new(NONE, "7471", &hints), &[]), both);

    for (family, expected) in
        [(Family::INET, ip("0.0.0.0:7471")), (Family::INET6, ip("[::]:7471")), (Family::IB, gid("::"))]
    {
        for flags in [Flags::empty(), Flags::FAMILY, Flags::FAMILY | Flags::NUMERIC_HOST] {
            let hints = Hints::new().with_family(family).with_flags(flags | Flags::PASSIVE);
            let request = Request::new(NONE, "7471", &hints);
            assert_eq!(run(request, &[]), list([on(expected.clone())]), "{hints}");
        }
    }
}

#[test]
fn passive_with_a_node_ignores_the_source_hint() {
    for src in [ip("198.51.100.1:99"), ip("[2001:db8::99]:99"), gid("fe80::99")] {
        let hints = Hints::new().passive().with_src_addr(hint(&src));
        let request = Request::new("192.0.2.9", "7471", &hints);
        assert_eq!(run(request, &[]), list([on(ip("192.0.2.9:7471"))]), "{hints}");
    }
}

#[test]
fn null_hints_are_zeroed_hints() {
    let zeroed = Hints::new();
    let both = |node: &'static str, service: Text<'static>, script: &[super::script::Line]| {
        let node = if node.is_empty() { NONE } else { node.into() };
        let null = run(Request::new(node, service, None), script);
        assert_eq!(null, run(Request::new(node, service, &zeroed), script));
        null
    };
    assert_eq!(both("192.0.2.7", NONE, &walk(["192.0.2.7:0"])), list([to(ip("192.0.2.7:0"))]));
    let lookup = Names::node("storage-7").found(["[2001:db8::7]:0", "192.0.2.7:0"]);
    assert_eq!(
        both("storage-7", "1".into(), &then(lookup, walk(["[2001:db8::7]:1", "192.0.2.7:1"]))),
        list([to(ip("[2001:db8::7]:1")), to(ip("192.0.2.7:1"))])
    );
    assert_eq!(
        both("", "1".into(), &walk(["[::1]:1", "127.0.0.1:1"])),
        list([to(ip("[::1]:1")), to(ip("127.0.0.1:1"))])
    );
    assert_eq!(both("", NONE, &[]), refused(ErrorKind::NoName, Reason::NothingAsked, Location::Nowhere));
}

#[test]
fn the_machine_changes_nothing() {
    for bits in 0..4_u8 {
        let mut environment = Environment::new();
        environment.af_ib = bits & 1 != 0;
        environment.ipv6_loopback = bits & 2 != 0;
        let request = Request::new(NONE, "7471", None).with_environment(environment);
        let expected = list([to(ip("[::1]:7471")), to(ip("127.0.0.1:7471"))]);
        assert_eq!(run(request, &walk(["[::1]:7471", "127.0.0.1:7471"])), expected);

        let script = then(Names::node("storage-7").found(["192.0.2.7:0"]), walk(["192.0.2.7:7471"]));
        let request = Request::new("storage-7", "7471", None).with_environment(environment);
        assert_eq!(run(request, &script), list([to(ip("192.0.2.7:7471"))]));
    }
}

#[test]
fn texts_of_each_kind_mean_the_same() {
    let expected = list([to(ip("192.0.2.7:7471"))]);
    let script = [route(ip("192.0.2.7:7471")), source("192.0.2.7:7471", None)];
    for node in [Text::from("192.0.2.7"), Text::from(c"192.0.2.7"), Text::from_bytes(b"192.0.2.7")] {
        for service in [Text::from("7471"), Text::from(c"7471"), Text::from(Some("7471"))] {
            assert_eq!(run(Request::new(node, service, None), &script), expected);
        }
    }
}
