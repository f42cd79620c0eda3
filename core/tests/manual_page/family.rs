//! `ai_family` and RAI_FAMILY (rules, section 3).

use super::script::{Line, NONE, Names, Route, hint, route, run, source, then, walk};
use super::whole::{Whole, gid, ib, ip, list, on, refused, to};
use rdma_addrinfo_core::{
    Error, ErrorKind, Family, Field, Flags, Hints, Location, NoRoute, Protocol, Reason, Request, RouteStatus,
};

const OTHER_FAMILY: (ErrorKind, Reason, Location) =
    (ErrorKind::AddrFamily, Reason::OtherFamily, Location::Node(0));

#[test]
fn other_families_are_refused() {
    let expected = refused(ErrorKind::Family, Reason::Unspecified, Location::Hints(Field::Family));
    for family in [1, 3, 9, 11, 16, 26, 28, 255, 65_536 + 2, -1, i32::MAX, i32::MIN] {
        for flags in [Flags::empty(), Flags::FAMILY] {
            let hints = Hints::new()
                .with_flags(flags)
                .with_family(Family::from_raw(family))
                .with_dst_addr(hint(&ip("192.0.2.7:1")));
            assert_eq!(run(Request::new("192.0.2.7", "7471", &hints), &[]), expected, "{hints}");
            assert_eq!(run(Request::new("storage-7", NONE, &hints), &[]), expected, "{hints}");
            assert_eq!(run(Request::new(NONE, "7471", &hints), &[]), expected, "{hints}");
            assert_eq!(run(Request::new(NONE, NONE, &hints), &[]), expected, "{hints}");
        }
    }
}

#[test]
fn literals_by_family_with_and_without_the_flag() {
    let literals = [
        // The literal, and what it is with no family, AF_INET, AF_INET6.
        ("192.0.2.7", [Some("192.0.2.7:7471"), Some("192.0.2.7:7471"), None]),
        ("2001:db8::7", [Some("[2001:db8::7]:7471"), None, Some("[2001:db8::7]:7471")]),
        (
            "::ffff:192.0.2.7",
            [Some("192.0.2.7:7471"), Some("192.0.2.7:7471"), Some("[::ffff:192.0.2.7]:7471")],
        ),
        ("::ffff:0:0", [Some("0.0.0.0:7471"), Some("0.0.0.0:7471"), Some("[::ffff:0:0]:7471")]),
        // Compatible and translated addresses are no mapped ones.
        ("::192.0.2.7", [Some("[::192.0.2.7]:7471"), None, Some("[::192.0.2.7]:7471")]),
        ("::ffff:0:192.0.2.7", [Some("[::ffff:0:c000:207]:7471"), None, Some("[::ffff:0:c000:207]:7471")]),
    ];
    for (literal, by_family) in literals {
        for (family, expected) in [Family::UNSPEC, Family::INET, Family::INET6].into_iter().zip(by_family) {
            for flag in [Flags::empty(), Flags::FAMILY] {
                let active = Hints::new().with_family(family).with_flags(flag);
                let passive = active.with_flags(flag | Flags::PASSIVE);
                let request = |hints| Request::new(literal, "7471", hints);
                match expected {
                    Some(address) => {
                        let expected = list([to(ip(address))]);
                        assert_eq!(run(request(&active), &walk([address])), expected, "{literal} {active}");
                        let expected = list([on(ip(address))]);
                        assert_eq!(run(request(&passive), &[]), expected, "{literal} {passive}");
                    }
                    None => {
                        let (kind, reason, at) = OTHER_FAMILY;
                        let expected = refused(kind, reason, at);
                        assert_eq!(run(request(&active), &[]), expected, "{literal} {active}");
                        assert_eq!(run(request(&passive), &[]), expected, "{literal} {passive}");
                    }
                }
            }
        }
    }
}

#[test]
fn gid_with_the_flag() {
    for numeric in [Flags::empty(), Flags::NUMERIC_HOST] {
        for literal in ["fe80::2:c903:0:1", "2001:db8::7", "::ffff:192.0.2.7", "::", "::1", "ff02::1"] {
            let hints = Hints::new().with_family(Family::IB).with_flags(Flags::FAMILY | numeric);
            let no_delay = !numeric.is_empty();
            let asked = Route { no_delay, ..Route::to(gid(literal)) };
            let request = Request::new(literal, "7471", &hints);
            assert_eq!(run(request, &[asked.none()]), list([to(gid(literal))]), "{literal} {hints}");

            let hints = hints.with_flags(Flags::FAMILY | Flags::PASSIVE | numeric);
            let request = Request::new(literal, "7471", &hints);
            assert_eq!(run(request, &[]), list([on(gid(literal))]), "{literal} {hints}");
        }
    }
}

#[test]
fn gid_with_a_zone_keeps_it() {
    let hints = Hints::new().with_family(Family::IB).with_flags(Flags::FAMILY);
    let dst = ib("fe80::7", 0xffff, 0, 0x0106_1d2f, u64::MAX, 3);
    let request = Request::new("fe80::7%3", "7471", &hints);
    assert_eq!(run(request, &[route(dst.clone())]), list([to(dst.clone())]));
    let request = Request::new("fe80::7%ib0", "7471", &hints);
    let script = [Line::Scope("ib0", Some(3)), route(dst.clone())];
    assert_eq!(run(request, &script), list([to(dst)]));
}

#[test]
fn ipv4_literal_is_no_gid() {
    let (kind, reason, at) = OTHER_FAMILY;
    for numeric in [Flags::empty(), Flags::NUMERIC_HOST] {
        for literal in ["192.0.2.7", "0.0.0.0", "127.0.0.1"] {
            let hints = Hints::new().with_family(Family::IB).with_flags(Flags::FAMILY | numeric);
            let request = Request::new(literal, "7471", &hints);
            assert_eq!(run(request, &[]), refused(kind, reason, at), "{literal} {hints}");
        }
    }
}

#[test]
fn name_is_no_gid() {
    for numeric in [Flags::empty(), Flags::NUMERIC_HOST] {
        let hints = Hints::new().with_family(Family::IB).with_flags(Flags::FAMILY | numeric);
        for (node, reason, offset) in [
            ("storage-7", Reason::NotGid, 0),
            ("mlx5_0", Reason::NotGid, 0),
            ("127.1", Reason::ShortForm, 5),
            ("fe80:7", Reason::TooFewGroups, 6),
            ("", Reason::Empty, 0),
        ] {
            let expected = refused(ErrorKind::NoName, reason, Location::Node(offset));
            assert_eq!(run(Request::new(node, "7471", &hints), &[]), expected, "{node} {hints}");
        }
    }
}

const NO_IB_ENTRY: (ErrorKind, Reason, Location) =
    (ErrorKind::AddrFamily, Reason::NoIbAddress, Location::Nowhere);

#[test]
fn af_ib_without_the_flag_keeps_ib_entries_of_names_only() {
    let (kind, reason, at) = NO_IB_ENTRY;
    let hints = Hints::new().with_family(Family::IB);
    let script = then(
        Names::node("storage-7").found(["192.0.2.7:0", "[2001:db8::7]:0"]),
        walk(["192.0.2.7:7471", "[2001:db8::7]:7471"]),
    );
    assert_eq!(run(Request::new("storage-7", "7471", &hints), &script), refused(kind, reason, at));

    // A name that is not known stays so: no family was asked for that a second lookup could leave out.
    let script = [Names::node("storage-7").fails(ErrorKind::NoName)];
    let expected = refused(ErrorKind::NoName, Reason::Unspecified, Location::Nowhere);
    assert_eq!(run(Request::new("storage-7", "7471", &hints), &script), expected);

    let hints = hints.passive();
    let script = [Names::node("storage-7").passive().found(["192.0.2.7:0"])];
    assert_eq!(run(Request::new("storage-7", "7471", &hints), &script), refused(kind, reason, at));
}

#[test]
fn af_ib_without_the_flag_keeps_ib_entries_of_literals_only() {
    let (kind, reason, at) = NO_IB_ENTRY;
    let hints = Hints::new().with_family(Family::IB);
    for (literal, address) in [
        ("192.0.2.7", "192.0.2.7:7471"),
        ("2001:db8::7", "[2001:db8::7]:7471"),
        ("::ffff:192.0.2.7", "192.0.2.7:7471"),
        ("fe80::7%3", "[fe80::7%3]:7471"),
    ] {
        let request = Request::new(literal, "7471", &hints);
        assert_eq!(run(request, &walk([address])), refused(kind, reason, at), "{literal}");

        let hints = hints.numeric_host();
        let script = [Route::to(ip(address)).no_delay().none(), source(address, None)];
        let request = Request::new(literal, "7471", &hints);
        assert_eq!(run(request, &script), refused(kind, reason, at), "{literal}");

        let hints = hints.passive();
        assert_eq!(run(Request::new(literal, "7471", &hints), &[]), refused(kind, reason, at), "{literal}");
    }
}

#[test]
fn mapped_addresses_of_names() {
    let cases = [
        (Family::UNSPEC, "192.0.2.7:7471"),
        (Family::INET, "192.0.2.7:7471"),
        (Family::INET6, "[::ffff:192.0.2.7]:7471"),
    ];
    for (family, expected) in cases {
        let hints = Hints::new().with_family(family);
        let names = Names::node("storage-7").family(family).found(["[::ffff:192.0.2.7]:0"]);
        let request = Request::new("storage-7", "7471", &hints);
        assert_eq!(run(request, &then(names, walk([expected]))), list([to(ip(expected))]), "{hints}");
    }
}

#[test]
fn family_constrains_the_lookup() {
    for (family, address) in [(Family::INET, "192.0.2.7:7471"), (Family::INET6, "[2001:db8::7]:7471")] {
        for flag in [Flags::empty(), Flags::FAMILY] {
            let hints = Hints::new().with_family(family).with_flags(flag);
            let names = Names::node("storage-7").family(family).found([address]);
            let request = Request::new("storage-7", "7471", &hints);
            assert_eq!(run(request, &then(names, walk([address]))), list([to(ip(address))]), "{hints}");
        }
    }
}

#[test]
fn addresses_of_other_families_are_left_out() {
    let hints = Hints::new().with_family(Family::INET6);
    let names = Names::node("storage-7").family(Family::INET6).found(["192.0.2.7:0", "[2001:db8::7]:0"]);
    let script = then(names, walk(["[2001:db8::7]:7471"]));
    assert_eq!(run(Request::new("storage-7", "7471", &hints), &script), list([to(ip("[2001:db8::7]:7471"))]));

    let hints = Hints::new().with_family(Family::INET);
    let names = Names::node("storage-7").family(Family::INET).found(["[2001:db8::7]:0", "192.0.2.7:0"]);
    let script = then(names, walk(["192.0.2.7:7471"]));
    assert_eq!(run(Request::new("storage-7", "7471", &hints), &script), list([to(ip("192.0.2.7:7471"))]));
}

#[test]
fn name_of_another_family_is_found_out_by_a_second_lookup() {
    let expected = refused(ErrorKind::AddrFamily, Reason::NameOfOtherFamily, Location::Node(0));
    let hints = Hints::new().with_family(Family::INET6);
    let first = Names::node("storage-7").family(Family::INET6);
    let second = Names::node("storage-7").found(["192.0.2.7:0"]);
    for first in [
        first.fails(ErrorKind::NoName),
        first.fails(ErrorKind::NoData),
        first.fails(ErrorKind::AddrFamily),
        first.found([]),
        first.found(["192.0.2.7:0"]),
    ] {
        let request = Request::new("storage-7", "7471", &hints);
        assert_eq!(run(request, &[first, second.clone()]), expected);
    }
}

#[test]
fn second_lookup_is_of_the_node_alone() {
    let hints = Hints::new().with_family(Family::INET).passive();
    let names = Names { service: Some("nfs"), protocol: Protocol::Any, ..Names::node("storage-7") }.passive();
    let request = Request::new("storage-7", "nfs", &hints).with_canonical_names(true);
    let first = Names { canonical_name: true, ..names }.family(Family::INET).fails(ErrorKind::NoName);
    let second = Names { service: None, ..names }.found(["[2001:db8::7]:0"]);
    let expected = refused(ErrorKind::AddrFamily, Reason::NameOfOtherFamily, Location::Node(0));
    assert_eq!(run(request, &[first, second]), expected);
}

#[test]
fn first_error_stays_when_the_second_lookup_finds_nothing() {
    let hints = Hints::new().with_family(Family::INET);
    let first = Names::node("storage-7").family(Family::INET);
    let second = Names::node("storage-7");
    for (kind, error) in [
        (ErrorKind::NoName, Error::new(ErrorKind::NoName).because(Reason::NoAddress)),
        (ErrorKind::NoData, Error::new(ErrorKind::NoData).because(Reason::NoAddress)),
    ] {
        for second in [second.fails(ErrorKind::NoName), second.fails(ErrorKind::NoData), second.found([])] {
            let request = Request::new("storage-7", "7471", &hints);
            let expected = refused(kind, Reason::NoAddress, Location::Nowhere);
            assert_eq!(run(request, &[first.fails(error), second]), expected);
        }
    }
    let script = [first.found([]), second.fails(ErrorKind::NoName)];
    let expected = refused(ErrorKind::NoData, Reason::NoAddress, Location::Node(0));
    assert_eq!(run(Request::new("storage-7", "7471", &hints), &script), expected);
    // Without an answer it is not known whether there is an address of another family.
    for kind in [ErrorKind::Again, ErrorKind::TimedOut, ErrorKind::Fail] {
        let script = [first.fails(ErrorKind::NoName), second.fails(kind)];
        let expected = refused(kind, Reason::Unspecified, Location::Nowhere);
        assert_eq!(run(Request::new("storage-7", "7471", &hints), &script), expected);
    }
}

#[test]
fn second_lookup_only_where_the_first_found_nothing() {
    for kind in [ErrorKind::Again, ErrorKind::Fail, ErrorKind::Memory, ErrorKind::Service] {
        let hints = Hints::new().with_family(Family::INET);
        let script = [Names::node("storage-7").family(Family::INET).fails(kind)];
        let expected = refused(kind, Reason::Unspecified, Location::Nowhere);
        assert_eq!(run(Request::new("storage-7", "7471", &hints), &script), expected);
    }
    let script = [Names::node("storage-7").fails(ErrorKind::NoName)];
    let expected = refused(ErrorKind::NoName, Reason::Unspecified, Location::Nowhere);
    assert_eq!(run(Request::new("storage-7", "7471", None), &script), expected);
}

#[test]
fn zone_of_another_family_is_not_asked_for() {
    let hints = Hints::new().with_family(Family::INET);
    let (kind, reason, at) = OTHER_FAMILY;
    assert_eq!(run(Request::new("fe80::7%eth0", "7471", &hints), &[]), refused(kind, reason, at));
}

#[test]
fn families_of_source_and_destination_agree() {
    let hints = Hints::new().with_family(Family::INET6).with_src_addr(hint(&ip("[2001:db8::9]:0")));
    let dst = ip("[2001:db8::7]:7471");
    let script = [Route::to(dst.clone()).from(ip("[2001:db8::9]:0")).none()];
    let expected = Whole {
        route_status: RouteStatus::Missing(NoRoute::Unavailable),
        ..to(dst).from(ip("[2001:db8::9]:0"))
    };
    assert_eq!(run(Request::new("2001:db8::7", "7471", &hints), &script), list([expected]));

    let hints = hints.with_src_addr(hint(&ip("192.0.2.9:0")));
    let expected = refused(ErrorKind::AddrFamily, Reason::SourceOfOtherFamily, Location::Nowhere);
    assert_eq!(run(Request::new("2001:db8::7", "7471", &hints), &[]), expected);
    assert_eq!(run(Request::new(NONE, "7471", &hints), &[]), expected);
}

#[test]
fn ib_entries_of_a_source_of_another_family_are_refused_for_that() {
    let hints =
        Hints::new().with_family(Family::IB).with_src_addr("2001:db8::9".parse().expect("an address"));
    let request = Request::new("192.0.2.7", "7471", &hints);
    let expected = refused(ErrorKind::AddrFamily, Reason::SourceOfOtherFamily, Location::Nowhere);
    assert_eq!(run(request, &[]), expected);
}
