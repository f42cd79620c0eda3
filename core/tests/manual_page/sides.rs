//! The bytes of AF_IB addresses, and the source (rules, section 6).

use super::script::{NONE, Names, Route, hint, route, run, source, then, walk};
use super::whole::{Whole, gid, ib, ip, list, on, refused, to};
use rdma_addrinfo_core::{
    Addresses, ErrorKind, Family, Field, Flags, Hints, Location, NoRoute, Policy, PortSpace, Protocol,
    QpType, Reason, Request, RouteStatus,
};

const PS_MASK: u64 = 0xffff_ffff_ffff_0000;

#[test]
fn af_ib_bytes() {
    let cases = [
        (PortSpace::ANY, "7471", 0x0106_1d2f, u64::MAX, QpType::RC, PortSpace::TCP, 92),
        (PortSpace::TCP, "65535", 0x0106_ffff, u64::MAX, QpType::RC, PortSpace::TCP, 92),
        (PortSpace::TCP, "0", 0x0106_0000, PS_MASK, QpType::RC, PortSpace::TCP, 92),
        (PortSpace::UDP, "7471", 0x0111_1d2f, u64::MAX, QpType::UD, PortSpace::UDP, 216),
        (PortSpace::UDP, "0", 0x0111_0000, PS_MASK, QpType::UD, PortSpace::UDP, 216),
        (PortSpace::IB, "1", 0x013f_0001, u64::MAX, QpType::RC, PortSpace::IB, 92),
        (PortSpace::IPOIB, "7471", 0x0002_1d2f, u64::MAX, QpType::UD, PortSpace::IPOIB, 216),
    ];
    for (port_space, port, sid, mask, qp_type, answered, left) in cases {
        let hints =
            Hints::new().with_family(Family::IB).with_flags(Flags::FAMILY).with_port_space(port_space);
        for (node, gid, scope_id) in [
            ("fe80::2:c903:0:1", "fe80::2:c903:0:1", 0),
            ("fe80::2:c903:0:1%3", "fe80::2:c903:0:1", 3),
            ("fe80::2:c903:0:1%4294967295", "fe80::2:c903:0:1", 0xffff_ffff),
        ] {
            let dst = ib(gid, 0xffff, 0, sid, mask, scope_id);
            let expected = to(dst.clone()).transport(qp_type, answered, left);
            let request = Request::new(node, port, &hints);
            assert_eq!(run(request, &[route(dst)]), list([expected]), "{node} {port} {hints}");
        }
    }
}

#[test]
fn af_ib_bytes_by_hand() {
    let hints = Hints::new().with_family(Family::IB).with_flags(Flags::FAMILY | Flags::PASSIVE);
    let expected: [u8; 40] = [
        0xff, 0xff, 0, 0, 0, 0, // P_Key and flow label, behind the family
        0xfe, 0x80, 0, 0, 0, 0, 0, 0, 0, 2, 0xc9, 3, 0, 0, 0, 1, // GID
        0, 0, 0, 0, 1, 6, 0x1d, 0x2f, // service ID
        0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, // its mask
        0, 0, // of the scope ID
    ];
    let found = run(Request::new("fe80::2:c903:0:1", "7471", &hints), &[]).expect("a GID");
    assert_eq!(found.entries[0].src[..2], 27_u16.to_ne_bytes());
    assert_eq!(found.entries[0].src[2..42], expected);
    assert_eq!(found.entries[0].src[42..], [0; 6]);
}

#[test]
fn service_id_follows_the_protocol_of_a_service_name() {
    let hints = Hints::new().with_family(Family::IB).with_flags(Flags::FAMILY);
    let dst = ib("fe80::7", 0xffff, 0, 0x0111_0045, u64::MAX, 0);
    let script = [Names::service("tftp").gives([("0.0.0.0:69", Protocol::Udp)]), route(dst.clone())];
    let expected = to(dst).transport(QpType::UD, PortSpace::UDP, 216);
    assert_eq!(run(Request::new("fe80::7", "tftp", &hints), &script), list([expected]));
}

#[test]
fn source_hint_is_copied() {
    for (src, node, dst) in [
        (ip("192.0.2.9:40000"), "192.0.2.7", ip("192.0.2.7:7471")),
        (ip("[2001:db8::9]:40000"), "2001:db8::7", ip("[2001:db8::7]:7471")),
        (ip("[fe80::9%3]:0"), "fe80::7%3", ip("[fe80::7%3]:7471")),
    ] {
        let hints = Hints::new().with_src_addr(hint(&src));
        let script = [Route::to(dst.clone()).from(src.clone()).none()];
        assert_eq!(run(Request::new(node, "7471", &hints), &script), list([to(dst).from(src)]), "{hints}");
    }
    let src = ib("fe80::9", 0x8001, 7, 0x013f_0001, 0xffff, 3);
    let hints = Hints::new().with_family(Family::IB).with_flags(Flags::FAMILY).with_src_addr(hint(&src));
    let script = [Route::to(gid("fe80::7")).from(src.clone()).none()];
    assert_eq!(run(Request::new("fe80::7", "7471", &hints), &script), list([to(gid("fe80::7")).from(src)]));
}

#[test]
fn a_zone_of_one_side_is_that_of_both() {
    let (with, without) = (ip("[fe80::9%3]:0"), ip("[fe80::9]:0"));
    for (src, node) in [(&with, "fe80::7"), (&without, "fe80::7%3"), (&with, "ff02::7")] {
        let address = node.strip_suffix("%3").unwrap_or(node);
        let dst = ip(&format!("[{address}%3]:7471"));
        let hints = Hints::new().with_src_addr(hint(src));
        let script = [Route::to(dst.clone()).from(with.clone()).none()];
        let expected = list([to(dst).from(with.clone())]);
        assert_eq!(run(Request::new(node, "7471", &hints), &script), expected, "{node}");
    }
    // By the hints alone.
    let hints = Hints::new().with_src_addr(hint(&with)).with_dst_addr(hint(&ip("[fe80::7]:7471")));
    let dst = ip("[fe80::7%3]:7471");
    let script = [Route::to(dst.clone()).from(with.clone()).none()];
    assert_eq!(run(Request::new(None, None, &hints), &script), list([to(dst).from(with)]));
    // Of the source that was found, as on a source interface.
    let script = [
        Names::node("storage-7").found(["[fe80::7]:0"]),
        route(ip("[fe80::7]:7471")),
        source("[fe80::7]:7471", Some("[fe80::9%3]:0")),
    ];
    let expected = list([to(ip("[fe80::7%3]:7471")).from(ip("[fe80::9%3]:0"))]);
    assert_eq!(run(Request::new("storage-7", "7471", None), &script), expected);
}

#[test]
fn the_loopback_address_without_a_source_comes_last() {
    let (v6, v4) = ("[::1]:7471", "127.0.0.1:7471");
    let run_with = |v6_source, v4_source| {
        let script = [route(ip(v6)), source(v6, v6_source), route(ip(v4)), source(v4, v4_source)];
        run(Request::new(None, "7471", None), &script)
    };
    let (own_v6, own_v4) = (to(ip(v6)).from(ip("[::1]:0")), to(ip(v4)).from(ip("127.0.0.1:0")));
    let both = run_with(Some("[::1]:0"), Some("127.0.0.1:0"));
    assert_eq!(both, list([own_v6.clone(), own_v4.clone()]));
    assert_eq!(run_with(None, Some("127.0.0.1:0")), list([own_v4, to(ip(v6))]));
    assert_eq!(run_with(Some("[::1]:0"), None), list([own_v6, to(ip(v4))]));
    assert_eq!(run_with(None, None), list([to(ip(v6)), to(ip(v4))]));
}

#[test]
fn a_gid_may_have_a_p_key() {
    let gid_hints = Hints::new().with_family(Family::IB).with_flags(Flags::FAMILY);
    for (node, gid, pkey, scope) in [
        ("fe80::7/pkey=0x8001", "fe80::7", 0x8001, 0),
        ("fe80::7/pkey=32769", "fe80::7", 0x8001, 0),
        ("fe80::7%3/pkey=0x7fff", "fe80::7", 0x7fff, 3),
        ("fe80::7", "fe80::7", 0xffff, 0),
    ] {
        let dst = ib(gid, pkey, 0, 0x0106_1d2f, u64::MAX, scope);
        let script = [Route::to(dst.clone()).none()];
        let request = Request::new(node, "7471", &gid_hints);
        assert_eq!(run(request, &script), list([to(dst)]), "{node}");
    }
    for (node, reason, offset) in [
        ("fe80::7/pkey=0x10000", Reason::NotNumber, 13),
        ("fe80::7/pkey=", Reason::NotNumber, 13),
        ("fe80::7/sid=1", Reason::UnknownPart, 8),
        ("fe80::7/pkey=1/pkey=1", Reason::UnknownPart, 15),
        ("fe80::7/", Reason::UnknownPart, 8),
    ] {
        let expected = refused(ErrorKind::NoName, reason, Location::Node(offset));
        assert_eq!(run(Request::new(node, "7471", &gid_hints), &[]), expected, "{node}");
    }
    // Only of a GID.
    let expected = refused(ErrorKind::NoName, Reason::NotIpv6, Location::Node(7));
    assert_eq!(run(Request::new("fe80::7/pkey=1", "7471", None), &[]), expected);
}

#[test]
fn contrary_zones_are_refused() {
    let hints = Hints::new().with_src_addr(hint(&ip("[fe80::9%2]:0")));
    let expected = refused(ErrorKind::Invalid, Reason::ContraryZones, Location::Hints(Field::Source));
    assert_eq!(run(Request::new("fe80::7%1", "7471", &hints), &[]), expected);
    let both = hints.with_dst_addr(hint(&ip("[fe80::7%1]:7471")));
    assert_eq!(run(Request::new(None, None, &both), &[]), expected);
    // Of a name, those on other links are left out.
    let script = [
        Names::node("storage-7").found(["[fe80::7%1]:0", "[fe80::8%2]:0"]),
        Route::to(ip("[fe80::8%2]:7471")).from(ip("[fe80::9%2]:0")).none(),
    ];
    let expected = list([to(ip("[fe80::8%2]:7471")).from(ip("[fe80::9%2]:0"))]);
    assert_eq!(run(Request::new("storage-7", "7471", &hints), &script), expected);
}

#[test]
fn mapped_addresses_of_both_sides_are_ipv4() {
    let (src, dst) = (ip("192.0.2.1:9"), ip("192.0.2.7:7471"));
    let mapped = Hints::new().with_src_addr(hint(&ip("[::ffff:192.0.2.1]:9")));
    let script = [Route::to(dst.clone()).from(src.clone()).none()];
    let expected = list([to(dst.clone()).from(src.clone())]);
    for node in ["::ffff:192.0.2.7", "192.0.2.7"] {
        assert_eq!(run(Request::new(node, "7471", &mapped), &script), expected, "{node}");
    }
    for dst in ["[::ffff:192.0.2.7]:7471", "192.0.2.7:7471"] {
        let hints = mapped.with_dst_addr(hint(&ip(dst)));
        assert_eq!(run(Request::new(None, None, &hints), &script), expected, "{dst}");
    }
    // A destination in the hints, with a service.
    let hints = mapped.with_dst_addr(hint(&ip("[::ffff:192.0.2.7]:1")));
    assert_eq!(run(Request::new(None, "7471", &hints), &script), expected);
    // Where IPv6 is asked for they stay.
    let (src, dst) = (ip("[::ffff:192.0.2.1]:9"), ip("[::ffff:192.0.2.7]:7471"));
    let script = [Route::to(dst.clone()).from(src.clone()).none()];
    let hints = mapped.with_family(Family::INET6);
    let request = Request::new("::ffff:192.0.2.7", "7471", &hints);
    assert_eq!(run(request, &script), list([to(dst).from(src)]));
}

#[test]
fn source_hint_without_a_zone_needs_one() {
    let src = ip("[fe80::9]:0");
    let hints = Hints::new().with_src_addr(hint(&src));
    let dst = ip("[2001:db8::7]:7471");
    let script = [Route::to(dst.clone()).from(src.clone()).none()];
    let expected = Whole { needs_scope: true, ..to(dst).from(src) };
    assert_eq!(run(Request::new("2001:db8::7", "7471", &hints), &script), list([expected]));
}

#[test]
fn destinations_of_another_family_than_the_source_are_dropped() {
    let found = ["192.0.2.7:0", "[2001:db8::7]:0", "192.0.2.8:0"];
    let (v4, v6) = (ip("192.0.2.9:0"), ip("[2001:db8::9]:0"));
    let asked = |dst: &str, src: &Vec<u8>| Route::to(ip(dst)).from(src.clone()).none();

    let hints = Hints::new().with_src_addr(hint(&v4));
    let script =
        [Names::node("storage-7").found(found), asked("192.0.2.7:7471", &v4), asked("192.0.2.8:7471", &v4)];
    let expected =
        list([to(ip("192.0.2.7:7471")).from(v4.clone()), to(ip("192.0.2.8:7471")).from(v4.clone())]);
    assert_eq!(run(Request::new("storage-7", "7471", &hints), &script), expected);

    let hints = Hints::new().with_src_addr(hint(&v6));
    let script = [Names::node("storage-7").found(found), asked("[2001:db8::7]:7471", &v6)];
    let expected = list([to(ip("[2001:db8::7]:7471")).from(v6.clone())]);
    assert_eq!(run(Request::new("storage-7", "7471", &hints), &script), expected);

    // Loopback is two destinations too.
    let hints = Hints::new().with_src_addr(hint(&v4));
    let expected = list([to(ip("127.0.0.1:7471")).from(v4.clone())]);
    assert_eq!(run(Request::new(NONE, "7471", &hints), &[asked("127.0.0.1:7471", &v4)]), expected);
}

#[test]
fn no_destination_of_the_family_of_the_source() {
    let expected = refused(ErrorKind::AddrFamily, Reason::SourceOfOtherFamily, Location::Nowhere);
    for (src, node) in [
        (ip("192.0.2.9:0"), "2001:db8::7"),
        (ip("[2001:db8::9]:0"), "192.0.2.7"),
        (ip("[2001:db8::9]:0"), "::ffff:192.0.2.7"),
        (gid("fe80::9"), "192.0.2.7"),
        (gid("fe80::9"), "fe80::7%3"),
    ] {
        let hints = Hints::new().with_src_addr(hint(&src));
        assert_eq!(run(Request::new(node, "7471", &hints), &[]), expected, "{node} {hints}");
    }
    let hints = Hints::new().with_src_addr(hint(&ip("[2001:db8::9]:0")));
    let script = [Names::node("storage-7").found(["192.0.2.7:0", "192.0.2.8:0"])];
    assert_eq!(run(Request::new("storage-7", "7471", &hints), &script), expected);

    let hints = Hints::new()
        .with_family(Family::IB)
        .with_flags(Flags::FAMILY)
        .with_src_addr(hint(&ip("[fe80::9]:0")));
    assert_eq!(run(Request::new("fe80::7", "7471", &hints), &[]), expected);
}

#[test]
fn discovered_source_has_port_0_and_keeps_its_scope() {
    for (node, dst, answer, src) in [
        ("192.0.2.7", "192.0.2.7:7471", "192.0.2.9:40000", "192.0.2.9:0"),
        ("2001:db8::7", "[2001:db8::7]:7471", "[2001:db8::9]:40000", "[2001:db8::9]:0"),
        ("fe80::7%3", "[fe80::7%3]:7471", "[fe80::9%3]:40000", "[fe80::9%3]:0"),
    ] {
        let script = [route(ip(dst)), source(dst, Some(answer))];
        let request = Request::new(node, "7471", None);
        assert_eq!(run(request, &script), list([to(ip(dst)).from(ip(src))]), "{node}");
    }
}

#[test]
fn source_is_discovered_for_each_address() {
    let (one, two) = ("192.0.2.7:7471", "[2001:db8::7]:7471");
    let script = [
        Names::node("storage-7").found(["192.0.2.7:0", "[2001:db8::7]:0"]),
        route(ip(one)),
        source(one, Some("192.0.2.9:0")),
        route(ip(two)),
        source(two, None),
    ];
    let expected = list([to(ip(one)).from(ip("192.0.2.9:0")), to(ip(two))]);
    assert_eq!(run(Request::new("storage-7", "7471", None), &script), expected);
}

#[test]
fn source_that_cannot_be_told_is_absent() {
    let dst = "192.0.2.7:7471";
    for answer in [None, Some("[2001:db8::9]:0"), Some("[::ffff:192.0.2.9]:0")] {
        let script = [route(ip(dst)), source(dst, answer)];
        assert_eq!(run(Request::new("192.0.2.7", "7471", None), &script), list([to(ip(dst))]), "{answer:?}");
    }
    let dst = "[2001:db8::7]:7471";
    let script = [route(ip(dst)), source(dst, Some("192.0.2.9:0"))];
    assert_eq!(run(Request::new("2001:db8::7", "7471", None), &script), list([to(ip(dst))]));
}

#[test]
fn source_is_not_looked_for() {
    let dst = ip("192.0.2.7:7471");
    // By a switch.
    let policy = Policy { discover_source: false, ..Policy::MAN_PAGE };
    let request = Request::new("192.0.2.7", "7471", None).with_policy(policy);
    assert_eq!(run(request, &[route(dst.clone())]), list([to(dst.clone())]));
    // For the passive side.
    let hints = Hints::new().passive();
    assert_eq!(run(Request::new("192.0.2.7", "7471", &hints), &[]), list([on(dst.clone())]));
    // For a GID, to which no IP packet is sent.
    let hints = Hints::new().with_family(Family::IB).with_flags(Flags::FAMILY);
    let request = Request::new("fe80::7", "7471", &hints);
    assert_eq!(run(request, &[route(gid("fe80::7"))]), list([to(gid("fe80::7"))]));
}

#[test]
fn no_route_is_no_error() {
    let dst = "192.0.2.7:7471";
    for reason in [NoRoute::Unavailable, NoRoute::TimedOut] {
        let script = [super::script::Line::Route(Route::to(ip(dst)), reason), source(dst, None)];
        let expected = to(ip(dst)).route_status(RouteStatus::Missing(reason));
        assert_eq!(run(Request::new("192.0.2.7", "7471", None), &script), list([expected]));
    }
    let expected = to(ip(dst)).route_status(RouteStatus::NotAsked);
    let request = Request::new("192.0.2.7", "7471", None).with_routes(false);
    assert_eq!(run(request, &[source(dst, None)]), list([expected]));
}

#[test]
fn no_route_and_numeric_host_ask_for_known_routes_only() {
    for (flags, no_delay) in [
        (Flags::empty(), false),
        (Flags::NO_ROUTE, true),
        (Flags::NUMERIC_HOST, true),
        (Flags::NO_ROUTE | Flags::NUMERIC_HOST, true),
        (Flags::FAMILY | Flags::DNS, false),
    ] {
        let hints = Hints::new().with_flags(flags);
        let dst = "192.0.2.7:7471";
        let asked = Route { no_delay, ..Route::to(ip(dst)) };
        let request = Request::new("192.0.2.7", "7471", &hints);
        assert_eq!(run(request, &[asked.none(), source(dst, None)]), list([to(ip(dst))]), "{hints}");
    }
}

#[test]
fn passive_address_is_in_the_source() {
    let hints = Hints::new().passive();
    for (node, address) in [("192.0.2.9", "192.0.2.9:7471"), ("2001:db8::9", "[2001:db8::9]:7471")] {
        assert_eq!(run(Request::new(node, "7471", &hints), &[]), list([on(ip(address))]), "{node}");
        let script = [Names::node("storage-9").passive().found([address])];
        assert_eq!(
            run(Request::new("storage-9", "7471", &hints), &script),
            list([on(ip(address))]),
            "{node}"
        );
    }
    let script = then(Names::node("storage-9").found(["192.0.2.9:0"]), walk(["192.0.2.9:7471"]));
    assert_eq!(run(Request::new("storage-9", "7471", None), &script), list([to(ip("192.0.2.9:7471"))]));
}

#[test]
fn first_address_is_the_first_that_the_source_leaves() {
    let policy = Policy { addresses: Addresses::First, ..Policy::MAN_PAGE };
    let hints = Hints::new().with_src_addr("127.0.0.9".parse().expect("an address"));
    let request = Request::new(None, "80", &hints).with_policy(policy);
    let dst = ip("127.0.0.1:80");
    let script = [Route::to(dst.clone()).from(ip("127.0.0.9:0")).none()];
    assert_eq!(run(request, &script), list([to(dst).from(ip("127.0.0.9:0"))]));
}
