//! The list: order, capacity, private data (rules, section 7).

use super::script::{NONE, Names, Route, hint, route, run, run_in, source, then, walk};
use super::whole::{Whole, gid, ip, list, on, refused, to, truncated};
use rdma_addrinfo_core::{
    Addresses, ErrorKind, Family, Flags, Hints, Location, PathData, PathRecord, Policy, PortSpace, QpType,
    Reason, Request, Results, RouteStatus, Step, start,
};
use std::ffi::CString;

#[test]
fn all_addresses_in_their_order() {
    let found = ["[2001:db8::7]:0", "192.0.2.8:0", "192.0.2.7:0", "[2001:db8::1]:0"];
    let answered = ["[2001:db8::7]:7471", "192.0.2.8:7471", "192.0.2.7:7471", "[2001:db8::1]:7471"];
    let script = then(Names::node("storage-7").found(found), walk(answered));
    let expected = list(answered.map(|address| to(ip(address))));
    assert_eq!(run(Request::new("storage-7", "7471", None), &script), expected);
}

#[test]
fn first_address_only_is_a_switch() {
    let policy = Policy { addresses: Addresses::First, ..Policy::MAN_PAGE };
    let script = then(
        Names::node("storage-7").found(["[2001:db8::7]:0", "192.0.2.7:0"]),
        walk(["[2001:db8::7]:7471"]),
    );
    let request = Request::new("storage-7", "7471", None).with_policy(policy);
    assert_eq!(run(request, &script), list([to(ip("[2001:db8::7]:7471"))]));

    // The first that fits the source.
    let src = ip("192.0.2.9:0");
    let hints = Hints::new().with_src_addr(hint(&src));
    let script = [
        Names::node("storage-7").found(["[2001:db8::7]:0", "192.0.2.7:0", "192.0.2.8:0"]),
        Route::to(ip("192.0.2.7:7471")).from(src.clone()).none(),
    ];
    let request = Request::new("storage-7", "7471", &hints).with_policy(policy);
    assert_eq!(run(request, &script), list([to(ip("192.0.2.7:7471")).from(src)]));

    let request = Request::new(NONE, "7471", None).with_policy(policy);
    assert_eq!(run(request, &walk(["[::1]:7471"])), list([to(ip("[::1]:7471"))]));
}

#[test]
fn what_does_not_fit_is_left_out() {
    let found = || Names::node("storage-7").found(["192.0.2.7:0", "[2001:db8::7]:0", "192.0.2.8:0"]);
    let request = Request::new("storage-7", "7471", None);
    let entries = ["192.0.2.7:7471", "[2001:db8::7]:7471", "192.0.2.8:7471"].map(|address| to(ip(address)));
    let [one, two, three] = entries;

    let script = then(found(), walk(["192.0.2.7:7471"]));
    assert_eq!(run_in::<1>(request, &script), truncated([one.clone()]));
    let script = then(found(), walk(["192.0.2.7:7471", "[2001:db8::7]:7471"]));
    assert_eq!(run_in::<2>(request, &script), truncated([one.clone(), two.clone()]));
    let script = then(found(), walk(["192.0.2.7:7471", "[2001:db8::7]:7471", "192.0.2.8:7471"]));
    assert_eq!(run_in::<3>(request, &script), list([one, two, three]));
}

#[test]
fn loopback_and_wildcard_in_little_room() {
    let request = Request::new(NONE, "7471", None);
    assert_eq!(run_in::<1>(request, &walk(["[::1]:7471"])), truncated([to(ip("[::1]:7471"))]));
    let expected = list([to(ip("[::1]:7471")), to(ip("127.0.0.1:7471"))]);
    assert_eq!(run_in::<2>(request, &walk(["[::1]:7471", "127.0.0.1:7471"])), expected);

    let hints = Hints::new().passive();
    let request = Request::new(NONE, "7471", &hints);
    assert_eq!(run_in::<1>(request, &[]), truncated([on(ip("[::]:7471"))]));

    let hints = Hints::new().with_family(Family::INET6);
    let request = Request::new(NONE, "7471", &hints);
    assert_eq!(run_in::<1>(request, &walk(["[::1]:7471"])), list([to(ip("[::1]:7471"))]));
}

#[test]
fn dropped_addresses_take_no_room() {
    let src = ip("[2001:db8::9]:0");
    let hints = Hints::new().with_src_addr(hint(&src));
    let script = [
        Names::node("storage-7").found(["192.0.2.7:0", "192.0.2.8:0", "[2001:db8::7]:0"]),
        Route::to(ip("[2001:db8::7]:7471")).from(src.clone()).none(),
    ];
    let expected = list([to(ip("[2001:db8::7]:7471")).from(src)]);
    assert_eq!(run_in::<1>(Request::new("storage-7", "7471", &hints), &script), expected);
}

#[test]
fn no_room_at_all() {
    let expected = refused(ErrorKind::Memory, Reason::NoRoom, Location::Nowhere);
    assert_eq!(run_in::<0>(Request::new("192.0.2.7", "7471", None), &[]), expected);
    assert_eq!(run_in::<0>(Request::new(NONE, "7471", None), &[]), expected);
    let script = [Names::node("storage-7").found(["192.0.2.7:0"])];
    assert_eq!(run_in::<0>(Request::new("storage-7", "7471", None), &script), expected);
    let hints = Hints::new().with_dst_addr(hint(&ip("192.0.2.7:7471")));
    assert_eq!(run_in::<0>(Request::new(NONE, NONE, &hints), &[]), expected);

    // What is wrong with the request itself is told first.
    let hints = Hints::new().with_family(Family::INET6);
    let expected = refused(ErrorKind::AddrFamily, Reason::OtherFamily, Location::Node(0));
    assert_eq!(run_in::<0>(Request::new("192.0.2.7", "7471", &hints), &[]), expected);
}

#[test]
fn canonical_name_that_does_not_fit_truncates() {
    let name = CString::new("a".repeat(256)).expect("no NUL");
    let mut results = Results::<2>::new();
    let Step::Lookup(ask) = start(
        Request::new("storage-7", "1", None).with_canonical_names(true).with_routes(false),
        &mut results,
    ) else {
        panic!("a name is looked up")
    };
    let found = rdma_addrinfo_core::Found {
        address: "192.0.2.7:0".parse().expect("an address"),
        protocol: rdma_addrinfo_core::Protocol::Tcp,
    };
    let Step::FindSource(ask) = ask.with_canonical_name(&name).answer(Ok([found])) else {
        panic!("a source is looked for")
    };
    let Step::Done(Ok(found)) = ask.answer(None) else { panic!("the address is known") };
    let expected = to(ip("192.0.2.7:1")).route_status(RouteStatus::NotAsked);
    assert_eq!(Ok(super::whole::List::of(found)), truncated([expected]));
}

#[test]
fn route_that_does_not_fit_truncates() {
    let record = PathRecord::ZERO
        .with_sgid("fe80::9".parse().expect("a GID"))
        .with_dgid("fe80::7".parse().expect("a GID"));
    let route = [*record.as_bytes(), *record.as_bytes()].concat();
    let hints = Hints::new().with_route(&route);
    let end = |gid| super::whole::ib(gid, 0, 0, 0x0106_0000, 0xffff_ffff_ffff_0000, 0);
    let entry = to(end("fe80::7")).from(end("fe80::9")).route_status(RouteStatus::NotAsked);

    let mut results = Results::<1, 1>::new();
    let found = Request::new(NONE, NONE, &hints).resolve_literal(&mut results).map(super::whole::List::of);
    assert_eq!(found.map_err(Into::into), truncated([entry.clone()]));

    let mut results = Results::<1, 2>::new();
    let found = Request::new(NONE, NONE, &hints).resolve_literal(&mut results).map(super::whole::List::of);
    let data = PathData::from_record(record, rdma_addrinfo_core::PathFlags::BIDIRECTIONAL_PRIMARY);
    let bytes = [*data.as_bytes(), *data.as_bytes()].concat();
    let expected = Whole { route: bytes, ..entry.route_status(RouteStatus::Found) };
    assert_eq!(found.map_err(Into::into), list([expected]));
}

#[test]
fn private_data_left_for_the_user() {
    let cases = [
        (QpType::RC, PortSpace::TCP, 56, 92),
        (QpType::UC, PortSpace::TCP, 56, 92),
        (QpType::XRC_SEND, PortSpace::IB, 56, 92),
        (QpType::UD, PortSpace::IB, 56, 92),
        (QpType::UD, PortSpace::UDP, 180, 216),
    ];
    for (qp_type, port_space, with_header, without) in cases {
        let hints = Hints::new().with_qp_type(qp_type).with_port_space(port_space);
        for (node, address) in [("192.0.2.7", "192.0.2.7:0"), ("2001:db8::7", "[2001:db8::7]:0")] {
            let expected = to(ip(address)).transport(qp_type, port_space, with_header);
            assert_eq!(run(Request::new(node, "0", &hints), &walk([address])), list([expected]), "{hints}");
        }
        let sid = u64::try_from(port_space.to_raw()).expect("positive") << 16;
        let address = super::whole::ib("fe80::7", 0xffff, 0, sid, 0xffff_ffff_ffff_0000, 0);
        let expected = to(address.clone()).transport(qp_type, port_space, without);
        let hints = hints.with_family(Family::IB).with_flags(Flags::FAMILY);
        assert_eq!(run(Request::new("fe80::7", "0", &hints), &[route(address)]), list([expected]), "{hints}");
    }
}

#[test]
fn af_ib_entries_have_no_ib_entry() {
    let hints = Hints::new().with_family(Family::IB).with_flags(Flags::FAMILY);
    let mut environment = rdma_addrinfo_core::Environment::new();
    environment.af_ib = true;
    let request = Request::new("fe80::7", "7471", &hints).with_environment(environment);
    assert_eq!(run(request, &[route(gid("fe80::7"))]), list([to(gid("fe80::7"))]));
    let request = Request::new(NONE, "7471", &hints).with_environment(environment);
    assert_eq!(run(request, &[route(gid("::1"))]), list([to(gid("::1"))]));
}

#[test]
fn without_a_route_there_is_no_ib_entry() {
    let mut environment = rdma_addrinfo_core::Environment::new();
    environment.af_ib = true;
    let request = Request::new("192.0.2.7", "7471", None).with_environment(environment);
    let script = [route(ip("192.0.2.7:7471")), source("192.0.2.7:7471", Some("192.0.2.9:0"))];
    let expected = to(ip("192.0.2.7:7471")).from(ip("192.0.2.9:0"));
    assert_eq!(run(request, &script), list([expected]));
}

#[test]
fn route_hint_lengths() {
    let bytes = [0_u8; 576];
    let dst = "192.0.2.7:7471";
    for len in [0, 64, 72, 128, 144, 192, 216, 576] {
        let hints = Hints::new().with_route(&bytes[..len]);
        let asked = Route { hint: bytes[..len].to_vec(), ..Route::to(ip(dst)) };
        let request = Request::new("192.0.2.7", "7471", &hints);
        assert_eq!(run(request, &[asked.none(), source(dst, None)]), list([to(ip(dst))]), "{len}");
    }
    let expected = refused(
        ErrorKind::Invalid,
        Reason::RouteHintLength,
        Location::Hints(rdma_addrinfo_core::Field::Route),
    );
    for len in [1, 63, 65, 71, 73, 100, 136, 143, 575] {
        let hints = Hints::new().with_route(&bytes[..len]);
        assert_eq!(run(Request::new("192.0.2.7", "7471", &hints), &[]), expected, "{len}");
        assert_eq!(run(Request::new("storage-7", NONE, &hints), &[]), expected, "{len}");
        assert_eq!(run(Request::new(NONE, "7471", &hints), &[]), expected, "{len}");
        assert_eq!(run(Request::new(NONE, NONE, &hints), &[]), expected, "{len}");
    }
}
