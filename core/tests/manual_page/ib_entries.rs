//! AF_IB entries beside IP entries with a route (rules, sections 7 and 8).

use super::ibacm::{self, path};
use super::script::{Line, NONE, Names, Route, hint, run, run_in, source};
use super::whole::{Fault, List, Whole, gid, ib, ip, list, refused, to, truncated};
use rdma_addrinfo_core::{
    AddrInfoList, Addresses, CList, Environment, ErrorKind, Family, Flags, Hints, IbEntryOrder, Location,
    NoRoute, Policy, PortSpace, QpType, Reason, Request, Results, RouteStatus, ServiceText, Step, Text,
    start,
};

const V4: &str = "192.0.2.7:7471";
const V6: &str = "[2001:db8::7]:7471";

/// A machine whose kernel takes AF_IB addresses.
fn with_af_ib() -> Environment {
    let mut environment = Environment::new();
    environment.af_ib = true;
    environment
}

fn resolve<'q>(
    node: impl Into<Text<'q>>,
    service: impl Into<ServiceText<'q>>,
    hints: &'q Hints<'q>,
) -> Request<'q> {
    Request::new(node, service, hints).with_environment(with_af_ib())
}

/// The end of path `n` on the side that `fe80::side:n` says, for a port of the TCP port space.
fn end(side: u8, n: u8, port: u16) -> Vec<u8> {
    end_in(0x106, side, n, port)
}

fn end_in(space: u64, side: u8, n: u8, port: u16) -> Vec<u8> {
    let mask = if port == 0 { 0xffff_ffff_ffff_0000 } else { u64::MAX };
    let (gid, pkey) = (format!("fe80::{side}:{n}"), 0xfff0 + u16::from(n));
    ib(&gid, pkey, 0xa000 + u32::from(n), space << 16 | u64::from(port), mask, 0)
}

/// The AF_IB entry along path `n` of an entry with these ports, without connect data.
fn ib_entry(n: u8, src_port: u16, dst_port: u16) -> Whole {
    to(end(2, n, dst_port)).from(end(1, n, src_port)).along([path(n).1])
}

fn connect4(src: [u8; 4], dst: [u8; 4]) -> Vec<u8> {
    [&[0, 0x40, 0, 0][..], &[0; 12], &src, &[0; 12], &dst].concat()
}

fn connect6(src: &str, dst: &str) -> Vec<u8> {
    let octets = |text: &str| text.parse::<std::net::Ipv6Addr>().expect("an address").octets();
    [&[0, 0x60, 0, 0][..], &octets(src), &octets(dst)].concat()
}

#[test]
fn ib_entry_follows_its_entry() {
    let hints = Hints::new();
    let (one, data) = path(1);
    let script = [Route::to(ip(V4)).finds([one, ibacm::source("192.0.2.9")])];
    let expected = list([
        to(ip(V4)).from(ip("192.0.2.9:0")).along([data]),
        ib_entry(1, 0, 7471).connect_data(connect4([192, 0, 2, 9], [192, 0, 2, 7])),
    ]);
    assert_eq!(run(resolve("192.0.2.7", "7471", &hints), &script), expected);

    let script = [Route::to(ip(V6)).finds([ibacm::source("[2001:db8::9]"), one])];
    let expected = list([
        to(ip(V6)).from(ip("[2001:db8::9]:0")).along([data]),
        ib_entry(1, 0, 7471).connect_data(connect6("2001:db8::9", "2001:db8::7")),
    ]);
    assert_eq!(run(resolve("2001:db8::7", "7471", &hints), &script), expected);
}

/// Address and connect data of one AF_IB entry, byte for byte by hand.
#[test]
fn ib_entry_bytes_by_hand() {
    let hints = Hints::new().with_src_addr(hint(&ip("192.0.2.9:5000")));
    let script = [Route::to(ip(V4)).from(ip("192.0.2.9:5000")).finds([path(1).0])];
    let Ok(List { entries, truncated: false }) = run(resolve("192.0.2.7", "7471", &hints), &script) else {
        panic!("two entries")
    };
    let [_, ib_entry] = &entries[..] else { panic!("two entries") };
    let family = 27_u16.to_ne_bytes();
    let head = |pkey: [u8; 2]| [&family[..], &pkey, &[0, 0, 0xa0, 1], &[0xfe, 0x80]].concat();
    let end = |side: u8, port: [u8; 2]| {
        let gid = [&[0; 11][..], &[side, 0, 1]].concat();
        let sid = [&[0, 0, 0, 0, 1, 6][..], &port, &[0xff; 8], &[0; 8]].concat();
        [head([0xff, 0xf1]), gid, sid].concat()
    };
    assert_eq!(ib_entry.src, end(1, 5000_u16.to_be_bytes()));
    assert_eq!(ib_entry.dst, end(2, 7471_u16.to_be_bytes()));
    assert_eq!(
        ib_entry.connect_data,
        [
            0, 0x40, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 192, 0, 2, 9, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
            0, 192, 0, 2, 7
        ]
    );
    assert_eq!((ib_entry.user_private_data, ib_entry.needs_scope), (Some(56), false));
}

/// Nobody tells a source: the AF_IB entry has none to send, and leaves the room to the user.
#[test]
fn ib_entry_without_a_source_has_no_connect_data() {
    let hints = Hints::new();
    let script = [Route::to(ip(V4)).finds([path(1).0]), source(V4, None)];
    let expected = list([to(ip(V4)).along([path(1).1]), ib_entry(1, 0, 7471)]);
    assert_eq!(run(resolve("192.0.2.7", "7471", &hints), &script), expected);

    // A source alone is no destination either.
    let src = ip("192.0.2.9:5000");
    let hints = Hints::new().with_src_addr(hint(&src));
    let script = [Route::to(Vec::new()).from(src.clone()).finds([path(1).0])];
    let mut entry = to(src.clone()).from(src).along([path(1).1]);
    entry.dst.clear();
    let expected = list([entry, ib_entry(1, 5000, 0)]);
    assert_eq!(run(resolve(NONE, NONE, &hints), &script), expected);
}

#[test]
fn ib_entry_has_the_source_that_the_kernel_tells() {
    let hints = Hints::new();
    let script = [Route::to(ip(V4)).finds([path(1).0]), source(V4, Some("192.0.2.8:9"))];
    let expected = list([
        to(ip(V4)).from(ip("192.0.2.8:0")).along([path(1).1]),
        ib_entry(1, 0, 7471).connect_data(connect4([192, 0, 2, 8], [192, 0, 2, 7])),
    ]);
    assert_eq!(run(resolve("192.0.2.7", "7471", &hints), &script), expected);
}

#[test]
fn ib_entry_has_transport_and_first_path_of_its_entry() {
    for (qp_type, port_space, space, left) in [
        (QpType::UD, PortSpace::UDP, 0x111, 180),
        (QpType::RC, PortSpace::IB, 0x13f, 56),
        (QpType::UD, PortSpace::IPOIB, 2, 180),
        (QpType::XRC_SEND, PortSpace::TCP, 0x106, 56),
    ] {
        let src = ip("192.0.2.9:5000");
        let hints = Hints::new().with_qp_type(qp_type).with_port_space(port_space).with_src_addr(hint(&src));
        let script = [Route::to(ip("192.0.2.7:0")).from(src.clone()).finds([path(2).0, path(1).0])];
        let paths = [path(2).1, path(1).1];
        let ib_entry = Whole {
            connect_data: connect4([192, 0, 2, 9], [192, 0, 2, 7]),
            ..to(end_in(space, 2, 2, 0)).from(end_in(space, 1, 2, 5000)).along(paths)
        };
        let expected = [to(ip("192.0.2.7:0")).from(src).along(paths), ib_entry]
            .map(|entry| entry.transport(qp_type, port_space, left));
        assert_eq!(run(resolve("192.0.2.7", NONE, &hints), &script), list(expected));
    }
}

#[test]
fn no_ib_entry_without_af_ib_in_the_kernel() {
    let script = [Route::to(ip(V4)).finds([path(1).0, ibacm::source("192.0.2.9")])];
    let expected = list([to(ip(V4)).from(ip("192.0.2.9:0")).along([path(1).1])]);
    assert_eq!(run(Request::new("192.0.2.7", "7471", None), &script), expected);
}

#[test]
fn no_ib_entry_without_a_route_or_of_an_af_ib_entry() {
    let hints = Hints::new();
    let script = [Route::to(ip(V4)).none(), source(V4, None)];
    assert_eq!(run(resolve("192.0.2.7", "7471", &hints), &script), list([to(ip(V4))]));
    let script = [Line::Reply(Route::to(ip(V4)), 3, vec![path(1).0]), source(V4, None)];
    let status = RouteStatus::Missing(NoRoute::Refused(rdma_addrinfo_core::acm::Status::ENODATA));
    assert_eq!(run(resolve("192.0.2.7", "7471", &hints), &script), list([to(ip(V4)).route_status(status)]));

    let dst = gid("fe80::7");
    let hints = Hints::new().with_family(Family::IB).with_flags(Flags::FAMILY);
    let script = [Route::to(dst.clone()).finds([path(1).0])];
    let expected = list([to(dst).along([path(1).1])]);
    assert_eq!(run(resolve("fe80::7", "7471", &hints), &script), expected);

    // Its own route is that of the hints, and nothing is asked.
    let route = path(1).1;
    let hints = Hints::new().with_route(&route);
    let Ok(List { entries, truncated: false }) = run(resolve(NONE, NONE, &hints), &[]) else {
        panic!("one entry")
    };
    assert_eq!(entries.len(), 1);
}

#[test]
fn each_address_has_its_ib_entry() {
    let hints = Hints::new();
    let names = Names::node("storage-7").found(["192.0.2.7:0", "[2001:db8::7]:0", "192.0.2.8:0"]);
    let script = [
        names,
        Route::to(ip(V4)).finds([path(1).0, ibacm::source("192.0.2.9")]),
        Route::to(ip(V6)).none(),
        source(V6, None),
        Route::to(ip("192.0.2.8:7471")).finds([path(2).0, ibacm::source("192.0.2.9")]),
    ];
    let from = ip("192.0.2.9:0");
    let [a, b, c] = [V4, V6, "192.0.2.8:7471"].map(|dst| to(ip(dst)));
    let (a, c) = (a.from(from.clone()).along([path(1).1]), c.from(from).along([path(2).1]));
    let a_ib_entry = ib_entry(1, 0, 7471).connect_data(connect4([192, 0, 2, 9], [192, 0, 2, 7]));
    let c_ib_entry = ib_entry(2, 0, 7471).connect_data(connect4([192, 0, 2, 9], [192, 0, 2, 8]));
    let whole = [a, a_ib_entry, b, c, c_ib_entry];
    let request = resolve("storage-7", "7471", &hints);
    assert_eq!(run(request, &script), list(whole.clone()));

    // The other place is a switch.
    let before = request.with_policy(Policy { ib_entry: IbEntryOrder::BeforeIp, ..Policy::MAN_PAGE });
    let [a, a_ib_entry, b, c, c_ib_entry] = whole.clone();
    let swapped = [a_ib_entry, a, b, c_ib_entry, c];
    assert_eq!(run(before, &script), list(swapped.clone()));

    // A capacity is one of addresses: an AF_IB entry needs none.
    assert_eq!(run_in::<3>(request, &script), list(whole.clone()));
    assert_eq!(run_in::<3>(before, &script), list(swapped.clone()));
    let [a, a_ib_entry, b, ..] = whole;
    assert_eq!(run_in::<2>(request, &script[..4]), truncated([a.clone(), a_ib_entry.clone(), b]));
    assert_eq!(run_in::<1>(request, &script[..2]), truncated([a, a_ib_entry]));
    let [a_ib_entry, a, ..] = swapped;
    assert_eq!(run_in::<1>(before, &script[..2]), truncated([a_ib_entry, a]));

    let first = request.with_policy(Policy { addresses: Addresses::First, ..Policy::MAN_PAGE });
    let Ok(List { entries, .. }) = run(first, &script[..2]) else { panic!("two entries") };
    assert_eq!(entries.len(), 2);
}

#[test]
fn af_ib_without_the_flag_keeps_ib_entries() {
    let hints = Hints::new().with_family(Family::IB);
    let names = Names::node("storage-7").found(["192.0.2.7:0", "[2001:db8::7]:0", "192.0.2.8:0"]);
    let script = [
        names,
        Route::to(ip(V4)).finds([path(1).0, ibacm::source("192.0.2.9")]),
        Route::to(ip(V6)).none(),
        source(V6, None),
        Route::to(ip("192.0.2.8:7471")).finds([path(2).0]),
        source("192.0.2.8:7471", None),
    ];
    let one = ib_entry(1, 0, 7471).connect_data(connect4([192, 0, 2, 9], [192, 0, 2, 7]));
    let two = ib_entry(2, 0, 7471);
    let request = resolve("storage-7", "7471", &hints);
    assert_eq!(run_in::<3>(request, &script), list([one.clone(), two]));
    assert_eq!(run_in::<1>(request, &script[..2]), truncated([one]));

    let none = |kind, reason, at| refused(kind, reason, at);
    let no_ib_entry = none(ErrorKind::AddrFamily, Reason::NoIbAddress, Location::Nowhere);
    let all_in_vain: Vec<_> = [V4, V6, "192.0.2.8:7471"]
        .into_iter()
        .flat_map(|dst| [Route::to(ip(dst)).none(), source(dst, None)])
        .collect();
    let in_vain = super::script::then(script[0].clone(), all_in_vain);
    assert_eq!(run(request, &in_vain), no_ib_entry);
    // What was left out may have had a route.
    let no_room: Result<List, Fault> = none(ErrorKind::Memory, Reason::NoRoom, Location::Nowhere);
    assert_eq!(run_in::<1>(request, &in_vain[..3]), no_room);
    // Not so where the kernel knows no AF_IB, or nobody is asked.
    let unknown = request.with_environment(Environment::new());
    assert_eq!(run_in::<1>(unknown, &in_vain[..3]), no_ib_entry);
    let unasked = [in_vain[0].clone(), in_vain[2].clone()];
    assert_eq!(run_in::<1>(request.with_routes(false), &unasked), no_ib_entry);
}

/// The source of the hints is a port of the fabric: no reason to leave IP destinations out.
#[test]
fn af_ib_source_leads_to_ib_entries() {
    let src = ib("fe80::9", 0xffff, 0, 0x0106_1388, u64::MAX, 0);
    let hints = Hints::new().with_family(Family::IB).with_src_addr(hint(&src));
    let asked = Route::to(ip(V4)).from(src.clone());
    let expected = list([ib_entry(1, 5000, 7471)]);
    assert_eq!(run(resolve("192.0.2.7", "7471", &hints), &[asked.finds([path(1).0])]), expected);

    // An IP source still leaves out the other family.
    let hints = Hints::new().with_family(Family::IB).with_src_addr(hint(&ip("192.0.2.9:0")));
    let names = Names::node("storage-7").found(["[2001:db8::7]:0", "192.0.2.7:0"]);
    let script = [names, Route::to(ip(V4)).from(ip("192.0.2.9:0")).finds([path(1).0])];
    let expected = list([ib_entry(1, 0, 7471).connect_data(connect4([192, 0, 2, 9], [192, 0, 2, 7]))]);
    assert_eq!(run(resolve("storage-7", "7471", &hints), &script), expected);
}

#[test]
fn canonical_name_is_the_ib_entries_too() {
    let hints = Hints::new();
    let names = Names { canonical_name: true, ..Names::node("storage-7") };
    let Line::Lookup(names, _, found) = names.found(["192.0.2.7:0"]) else { panic!("a lookup") };
    let script = [
        Line::Lookup(names, Some(c"storage-7.example"), found),
        Route::to(ip(V4)).finds([path(1).0, ibacm::source("192.0.2.9")]),
    ];
    let request = resolve("storage-7", "7471", &hints).with_canonical_names(true);
    let Ok(List { entries, truncated: false }) = run(request, &script) else { panic!("two entries") };
    let names: Vec<_> = entries.iter().map(|entry| (entry.family, entry.dst_canonname.as_deref())).collect();
    let name = Some(c"storage-7.example");
    assert_eq!(names, [(Family::INET, name), (Family::IB, name)]);
}

/// Without room for the route there is no AF_IB entry; where only AF_IB entries are wanted there is no answer.
#[test]
fn route_that_does_not_fit_has_no_ib_entry() {
    for (family, expected) in [
        (Family::UNSPEC, Ok(vec!["inet rc/tcp 192.0.2.9 -> 192.0.2.7:7471".to_owned()])),
        (Family::IB, Err(ErrorKind::Memory)),
    ] {
        let hints = Hints::new().with_family(family);
        let mut results = Results::<4, 0>::new();
        let Step::FindRoute(ask) = start(resolve("192.0.2.7", "7471", &hints), &mut results) else {
            panic!("a route is asked for")
        };
        let reply = ibacm::reply(0, &[path(1).0, ibacm::source("192.0.2.9")]);
        let Step::Done(outcome) = ask.answer(&reply) else { panic!("nothing is left to ask") };
        let told = outcome.map_err(|error| error.kind()).map(|list| {
            assert!(list.is_truncated());
            list.iter().map(|info| info.to_string()).collect()
        });
        assert_eq!(told, expected);
    }
}

#[test]
fn c_list_holds_route_and_connect_data() {
    let hints = Hints::new();
    let mut results = Results::<2>::new();
    let Step::FindRoute(ask) = start(resolve("192.0.2.7", "7471", &hints), &mut results) else {
        panic!("a route is asked for")
    };
    let reply = ibacm::reply(0, &[path(1).0, path(2).0, ibacm::source("192.0.2.9")]);
    let Step::Done(Ok(list)) = ask.answer(&reply) else { panic!("nothing is left to ask") };
    let mut room = CList::<2>::new();
    let linked = room.link(&list);
    let c: Vec<_> = AddrInfoList::from_raw(linked.as_raw())
        .iter()
        .map(|info| (info.family(), info.route_bytes().to_vec(), info.connect_data().to_vec()))
        .collect();
    let route = [path(1).1, path(2).1].concat();
    let connect = connect4([192, 0, 2, 9], [192, 0, 2, 7]);
    assert_eq!(c, [(Family::INET, route.clone(), vec![]), (Family::IB, route, connect)]);
}
