//! Neither node nor service: hints alone (rules, section 1).

use super::script::{Line, NONE, Route, hint, route, run, source, walk};
use super::whole::{Whole, gid, ib, ip, list, on, refused, to};
use rdma_addrinfo_core::{
    ErrorKind, Family, Field, Flags, Hints, Location, PathData, PathFlags, PathRecord, Pkey, PortSpace,
    QpType, Reason, Request, RouteStatus,
};

fn path(sgid: &str, dgid: &str, pkey: u16) -> PathRecord {
    PathRecord::ZERO
        .with_sgid(sgid.parse().expect("a GID"))
        .with_dgid(dgid.parse().expect("a GID"))
        .with_pkey(Pkey::from_raw(pkey))
}

/// An end of a path in the TCP port space, without a port.
fn end(gid: &str, pkey: u16) -> Vec<u8> {
    ib(gid, pkey, 0, 0x0106_0000, 0xffff_ffff_ffff_0000, 0)
}

#[test]
fn destination_alone() {
    let hints = Hints::new().with_dst_addr(hint(&ip("192.0.2.7:7471")));
    let request = Request::new(NONE, NONE, &hints);
    assert_eq!(run(request, &walk(["192.0.2.7:7471"])), list([to(ip("192.0.2.7:7471"))]));

    let hints = Hints::new().with_dst_addr(hint(&ip("[fe80::7]:7471")));
    let expected = Whole { needs_scope: true, ..to(ip("[fe80::7]:7471")) };
    assert_eq!(run(Request::new(NONE, NONE, &hints), &walk(["[fe80::7]:7471"])), list([expected]));

    let dst = ib("fe80::7", 0x8001, 5, 0x013f_0001, 0xff, 3);
    let hints = Hints::new().with_dst_addr(hint(&dst));
    assert_eq!(run(Request::new(NONE, NONE, &hints), &[route(dst.clone())]), list([to(dst)]));
}

#[test]
fn both_ends() {
    let (src, dst) = (ip("192.0.2.9:1"), ip("192.0.2.7:7471"));
    let hints = Hints::new().with_src_addr(hint(&src)).with_dst_addr(hint(&dst)).with_family(Family::INET);
    let script = [Route::to(dst.clone()).from(src.clone()).none()];
    assert_eq!(run(Request::new(NONE, NONE, &hints), &script), list([to(dst).from(src)]));

    let (src, dst) = (gid("fe80::9"), gid("fe80::7"));
    let hints = Hints::new().with_src_addr(hint(&src)).with_dst_addr(hint(&dst)).with_family(Family::IB);
    let script = [Route::to(dst.clone()).from(src.clone()).none()];
    assert_eq!(run(Request::new(NONE, NONE, &hints), &script), list([to(dst).from(src)]));
}

#[test]
fn source_alone() {
    let src = ip("192.0.2.9:1");
    let hints = Hints::new().with_src_addr(hint(&src));
    let script = [Route::to(Vec::new()).from(src.clone()).none()];
    let expected = Whole { family: Family::INET, src, dst: Vec::new(), ..to(ip("192.0.2.7:0")) };
    assert_eq!(run(Request::new(NONE, NONE, &hints), &script), list([expected]));
}

#[test]
fn passive_leaves_no_destination() {
    for (src, dst) in [
        (ip("192.0.2.9:7471"), ip("192.0.2.7:7471")),
        (ip("[2001:db8::9]:7471"), ip("[2001:db8::7]:7471")),
        (gid("fe80::9"), gid("fe80::7")),
    ] {
        let hints = Hints::new().passive().with_src_addr(hint(&src)).with_dst_addr(hint(&dst));
        assert_eq!(run(Request::new(NONE, NONE, &hints), &[]), list([on(src.clone())]), "{hints}");
        let hints = hints.with_dst_addr(rdma_addrinfo_core::SockAddrBuf::NONE);
        assert_eq!(run(Request::new(NONE, NONE, &hints), &[]), list([on(src)]), "{hints}");
    }
}

#[test]
fn passive_destination_alone_is_no_name() {
    let hints = Hints::new().passive().with_dst_addr(hint(&ip("192.0.2.7:7471")));
    let expected = refused(ErrorKind::NoName, Reason::NothingAsked, Location::Nowhere);
    assert_eq!(run(Request::new(NONE, NONE, &hints), &[]), expected);
}

#[test]
fn family_of_the_address_counts() {
    let wrong = refused(ErrorKind::AddrFamily, Reason::OtherFamily, Location::Hints(Field::Family));
    let addresses = [
        (Family::INET, ip("192.0.2.7:1")),
        (Family::INET6, ip("[2001:db8::7]:1")),
        (Family::IB, gid("fe80::7")),
    ];
    for (own, address) in &addresses {
        for family in [Family::UNSPEC, Family::INET, Family::INET6, Family::IB] {
            let fits = family == Family::UNSPEC || family == *own;
            let expected = if fits { list([on(address.clone())]) } else { wrong.clone() };
            let hints = Hints::new().passive().with_family(family).with_src_addr(hint(address));
            assert_eq!(run(Request::new(NONE, NONE, &hints), &[]), expected, "{hints}");
        }
    }
    let record = path("fe80::9", "fe80::7", 0xffff);
    for family in [Family::INET, Family::INET6] {
        let hints = Hints::new().with_family(family).with_route(record.as_bytes());
        assert_eq!(run(Request::new(NONE, NONE, &hints), &[]), wrong, "{hints}");
    }
}

#[test]
fn ends_of_two_families_are_refused() {
    let expected =
        refused(ErrorKind::AddrFamily, Reason::SourceOfOtherFamily, Location::Hints(Field::Destination));
    for (src, dst) in [
        (ip("192.0.2.9:0"), ip("[2001:db8::7]:0")),
        (ip("[2001:db8::9]:0"), ip("192.0.2.7:0")),
        (gid("fe80::9"), ip("192.0.2.7:0")),
        (ip("[2001:db8::9]:0"), gid("fe80::7")),
    ] {
        let hints = Hints::new().with_src_addr(hint(&src)).with_dst_addr(hint(&dst));
        assert_eq!(run(Request::new(NONE, NONE, &hints), &[]), expected, "{hints}");
    }
}

#[test]
fn flags_are_passive_or_none() {
    let (src, dst) = (ip("192.0.2.9:1"), ip("192.0.2.7:7471"));
    for bits in (0..64).filter(|bits| bits & 0x10 == 0) {
        let flags = Flags::from_raw(bits);
        let hints = Hints::new().with_flags(flags).with_src_addr(hint(&src)).with_dst_addr(hint(&dst));
        let request = Request::new(NONE, NONE, &hints);
        if flags.contains(Flags::PASSIVE) {
            assert_eq!(run(request, &[]), list([on(src.clone())]), "{hints}");
        } else {
            let asked = Route { no_delay: bits & 6 != 0, ..Route::to(dst.clone()).from(src.clone()) };
            assert_eq!(run(request, &[asked.none()]), list([to(dst.clone()).from(src.clone())]), "{hints}");
        }
    }
}

#[test]
fn transport_defaults_to_rc_and_tcp() {
    let cases = [
        (QpType::ANY, PortSpace::ANY, QpType::RC, PortSpace::TCP, 56),
        (QpType::ANY, PortSpace::IB, QpType::RC, PortSpace::IB, 56),
        (QpType::ANY, PortSpace::UDP, QpType::UD, PortSpace::UDP, 180),
        (QpType::UD, PortSpace::ANY, QpType::UD, PortSpace::UDP, 180),
        (QpType::UC, PortSpace::ANY, QpType::UC, PortSpace::TCP, 56),
    ];
    for (qp_type, port_space, answered_qp, answered_ps, left) in cases {
        let hints = Hints::new()
            .with_qp_type(qp_type)
            .with_port_space(port_space)
            .with_dst_addr(hint(&ip("192.0.2.7:7471")));
        let expected = to(ip("192.0.2.7:7471")).transport(answered_qp, answered_ps, left);
        assert_eq!(
            run(Request::new(NONE, NONE, &hints), &walk(["192.0.2.7:7471"])),
            list([expected]),
            "{hints}"
        );
    }
}

#[test]
fn source_is_discovered_for_a_destination() {
    let hints = Hints::new().with_dst_addr(hint(&ip("192.0.2.7:7471")));
    let script = [route(ip("192.0.2.7:7471")), source("192.0.2.7:7471", Some("192.0.2.9:40000"))];
    let expected = to(ip("192.0.2.7:7471")).from(ip("192.0.2.9:0"));
    assert_eq!(run(Request::new(NONE, NONE, &hints), &script), list([expected]));
}

#[test]
fn route_alone_makes_an_af_ib_entry() {
    let record = path("fe80::9", "fe80::7", 0x8001);
    let data = PathData::from_record(record, PathFlags::PRIMARY);
    let entry = to(end("fe80::7", 0x8001)).from(end("fe80::9", 0x8001)).route_status(RouteStatus::Found);

    for family in [Family::UNSPEC, Family::IB] {
        let hints = Hints::new().with_family(family).with_route(data.as_bytes());
        let expected = Whole { route: data.as_bytes().to_vec(), ..entry.clone() };
        assert_eq!(run(Request::new(NONE, NONE, &hints), &[]), list([expected]), "{hints}");
    }

    // A record has no flags: it becomes the one path of a connection, both ways (0x2b).
    let hints = Hints::new().with_route(record.as_bytes());
    let bytes = [&0x2b_u32.to_ne_bytes()[..], &[0; 4], record.as_bytes()].concat();
    assert_eq!(run(Request::new(NONE, NONE, &hints), &[]), list([Whole { route: bytes, ..entry }]));
}

#[test]
fn first_path_of_a_route_alone_tells_the_ends() {
    let first = PathData::from_record(path("fe80::9", "fe80::7", 0x8001), PathFlags::PRIMARY);
    let second = PathData::from_record(path("fe80::19", "fe80::17", 0x8002), PathFlags::ALTERNATE);
    let route = [*first.as_bytes(), *second.as_bytes()].concat();
    let hints = Hints::new().with_route(&route).with_port_space(PortSpace::IB);
    let ends = |gid| ib(gid, 0x8001, 0, 0x013f_0000, 0xffff_ffff_ffff_0000, 0);
    let entry = to(ends("fe80::7")).from(ends("fe80::9")).transport(QpType::RC, PortSpace::IB, 92);
    let expected = Whole { route: route.clone(), route_status: RouteStatus::Found, ..entry };
    assert_eq!(run(Request::new(NONE, NONE, &hints), &[]), list([expected]));
}

#[test]
fn ends_of_a_route_alone_have_its_flow_label() {
    let record = path("fe80::9", "fe80::7", 0x8001).with_hop_limit(0xff);
    let record = record.with_flow_label(0xf_edcb).expect("20 bits");
    let hints = Hints::new().with_route(record.as_bytes());
    let ends = |gid| ib(gid, 0x8001, 0xf_edcb, 0x0106_0000, 0xffff_ffff_ffff_0000, 0);
    let route = [&0x2b_u32.to_ne_bytes()[..], &[0; 4], record.as_bytes()].concat();
    let entry = to(ends("fe80::7")).from(ends("fe80::9")).route_status(RouteStatus::Found);
    assert_eq!(run(Request::new(NONE, NONE, &hints), &[]), list([Whole { route, ..entry }]));
}

#[test]
fn passive_route_alone_is_its_source() {
    let record = path("fe80::9", "fe80::7", 0x8001);
    let hints = Hints::new().passive().with_route(record.as_bytes());
    assert_eq!(run(Request::new(NONE, NONE, &hints), &[]), list([on(end("fe80::9", 0x8001))]));
}

#[test]
fn route_without_gids_is_no_name() {
    let hints = Hints::new().with_route(PathRecord::ZERO.as_bytes());
    let expected = refused(ErrorKind::NoName, Reason::NothingAsked, Location::Nowhere);
    assert_eq!(run(Request::new(NONE, NONE, &hints), &[]), expected);
}

#[test]
fn route_with_an_address_goes_with_the_question() {
    let data = PathData::from_record(path("fe80::9", "fe80::7", 0x8001), PathFlags::PRIMARY);
    let dst = ip("192.0.2.7:7471");
    let hints = Hints::new().with_dst_addr(hint(&dst)).with_route(data.as_bytes());
    let asked = Route { hint: data.as_bytes().to_vec(), ..Route::to(dst.clone()) };
    let script: [Line; 2] = [asked.none(), source("192.0.2.7:7471", None)];
    assert_eq!(run(Request::new(NONE, NONE, &hints), &script), list([to(dst)]));
}
