//! Hints and entries in the form of C (rules, sections 6 and 7).
#![allow(unsafe_code)]

use super::script::{NONE, Names, Route, hint, run, source, then, walk};
use super::whole::{Fault, gid, ip, list, on, refused, to};
use rdma_addrinfo_core::abi::rdma_addrinfo;
use rdma_addrinfo_core::{
    AddrInfo, AddrInfoList, CList, ErrorKind, Family, Field, Flags, Hints, Location, NoRoute, PortSpace,
    QpType, RawAddrInfo, Reason, Request, Results,
};
use std::ffi::{CStr, c_void};
use std::ptr;

/// Reads `c` as hints.
fn hints_of(c: &rdma_addrinfo) -> Result<Hints<'_>, Fault> {
    // SAFETY: a reference is aligned, initialized and unchanged while it lives. The tests point addresses, routes
    // and connect data at slices of at least the lengths that they set, or leave them null, and set neither names
    // nor a next structure.
    let foreign = unsafe { RawAddrInfo::from_ptr(c) }.expect("no null pointer");
    Hints::from_raw(foreign).map_err(Fault::from)
}

fn pointer(bytes: &[u8]) -> *mut c_void {
    bytes.as_ptr().cast_mut().cast()
}

fn length(bytes: &[u8]) -> u32 {
    u32::try_from(bytes.len()).expect("short")
}

#[test]
fn zeroed_c_hints_are_empty_ones() {
    assert_eq!(hints_of(&rdma_addrinfo::ZERO), Ok(Hints::new()));
}

#[test]
fn c_hints_keep_every_field() {
    let (src, dst, route) = (ip("192.0.2.9:1"), gid("fe80::7"), [7; 72]);
    let c = rdma_addrinfo {
        ai_flags: -1,
        ai_family: 99,
        ai_qp_type: 77,
        ai_port_space: -3,
        ai_src_len: 16,
        ai_dst_len: 48,
        ai_src_addr: pointer(&src),
        ai_dst_addr: pointer(&dst),
        ai_route_len: 72,
        ai_route: pointer(&route),
        ..rdma_addrinfo::ZERO
    };
    let expected = Hints::new()
        .with_flags(Flags::from_raw(-1))
        .with_family(Family::from_raw(99))
        .with_qp_type(QpType::from_raw(77))
        .with_port_space(PortSpace::from_raw(-3))
        .with_src_addr(hint(&src))
        .with_dst_addr(hint(&dst))
        .with_route(&route);
    assert_eq!(hints_of(&c), Ok(expected));
}

#[test]
fn c_addresses_have_the_length_of_their_family() {
    for (address, exact) in [(ip("192.0.2.7:1"), 16), (ip("[fe80::7%3]:1"), 28), (gid("fe80::7"), 48)] {
        let mut room = address.clone();
        room.resize(300, 0);
        for len in 1..=300 {
            let side = |field| {
                if len == exact {
                    Ok(hint(&address))
                } else {
                    let Err(fault) =
                        refused(ErrorKind::Invalid, Reason::SockAddrLength, Location::Hints(field))
                    else {
                        unreachable!()
                    };
                    Err(fault)
                }
            };
            let c = rdma_addrinfo { ai_src_len: len, ai_src_addr: pointer(&room), ..rdma_addrinfo::ZERO };
            assert_eq!(hints_of(&c).map(|hints| *hints.src_addr()), side(Field::Source), "{len}");
            let c = rdma_addrinfo { ai_dst_len: len, ai_dst_addr: pointer(&room), ..rdma_addrinfo::ZERO };
            assert_eq!(hints_of(&c).map(|hints| *hints.dst_addr()), side(Field::Destination), "{len}");
        }
    }
}

#[test]
fn c_addresses_of_other_families_are_refused() {
    for family in [0_u16, 1, 3, 0x1b00, 0xffff] {
        let mut room = family.to_ne_bytes().to_vec();
        room.resize(128, 0);
        for len in [1, 2, 16, 28, 48, 110, 128] {
            let c = rdma_addrinfo { ai_dst_len: len, ai_dst_addr: pointer(&room), ..rdma_addrinfo::ZERO };
            let expected =
                refused(ErrorKind::Invalid, Reason::SockAddrLength, Location::Hints(Field::Destination));
            assert_eq!(hints_of(&c).err(), expected.err(), "{family} {len}");
        }
    }
}

#[test]
fn c_pointer_with_length_0_is_absent() {
    let garbage = [0xff_u8; 128];
    let c = rdma_addrinfo {
        ai_src_addr: pointer(&garbage),
        ai_dst_addr: pointer(&garbage),
        ai_route: pointer(&garbage),
        ai_connect: pointer(&garbage),
        ..rdma_addrinfo::ZERO
    };
    assert_eq!(hints_of(&c), Ok(Hints::new()));
    // Nor is it looked at.
    let dangling = ptr::without_provenance_mut(1);
    let c = rdma_addrinfo {
        ai_src_addr: dangling,
        ai_dst_addr: dangling,
        ai_route: dangling,
        ..rdma_addrinfo::ZERO
    };
    assert_eq!(hints_of(&c), Ok(Hints::new()));
}

#[test]
fn c_null_with_a_length_is_invalid() {
    for (c, field) in [
        (rdma_addrinfo { ai_src_len: 16, ..rdma_addrinfo::ZERO }, Field::Source),
        (rdma_addrinfo { ai_src_len: 300, ..rdma_addrinfo::ZERO }, Field::Source),
        (rdma_addrinfo { ai_dst_len: 28, ..rdma_addrinfo::ZERO }, Field::Destination),
        (rdma_addrinfo { ai_dst_len: u32::MAX, ..rdma_addrinfo::ZERO }, Field::Destination),
        (rdma_addrinfo { ai_route_len: 72, ..rdma_addrinfo::ZERO }, Field::Route),
        (rdma_addrinfo { ai_route_len: usize::MAX, ..rdma_addrinfo::ZERO }, Field::Route),
    ] {
        let expected = refused(ErrorKind::Invalid, Reason::NullWithLength, Location::Hints(field));
        assert_eq!(hints_of(&c).err(), expected.err(), "{c:?}");
    }
}

#[test]
fn c_hints_resolve_like_others() {
    let src = ip("192.0.2.9:1");
    let c = rdma_addrinfo {
        ai_flags: 0x4,
        ai_family: 2,
        ai_qp_type: 4,
        ai_port_space: 0x0111,
        ai_src_len: length(&src),
        ai_src_addr: pointer(&src),
        ..rdma_addrinfo::ZERO
    };
    let hints = hints_of(&c).expect("well-formed");
    let dst = ip("192.0.2.7:7471");
    let script = [Route::to(dst.clone()).from(src.clone()).no_delay().none()];
    let expected = to(dst).from(src).transport(QpType::UD, PortSpace::UDP, 180);
    assert_eq!(run(Request::new(c"192.0.2.7", c"7471", &hints), &script), list([expected]));

    let c = rdma_addrinfo { ai_flags: 1, ..rdma_addrinfo::ZERO };
    let hints = hints_of(&c).expect("well-formed");
    assert_eq!(
        run(Request::new(NONE, c"7471", &hints), &[]),
        list([on(ip("[::]:7471")), on(ip("0.0.0.0:7471"))])
    );
}

/// A C entry with everything, of this family and port space.
fn entry(family: i32, port_space: i32, connect: &[u8]) -> rdma_addrinfo {
    rdma_addrinfo {
        ai_family: family,
        ai_qp_type: 2,
        ai_port_space: port_space,
        ai_connect_len: connect.len(),
        ai_connect: pointer(connect),
        ..rdma_addrinfo::ZERO
    }
}

#[test]
fn connect_data_counts_as_the_header() {
    let connect: [u8; 36] = std::array::from_fn(|at| u8::try_from(at).expect("small"));
    let cases = [
        (27, 0x0106, &connect[..], Some(56)),
        (27, 0x0106, &[], Some(92)),
        (27, 0x013f, &connect, Some(56)),
        (27, 0x0111, &connect, Some(180)),
        (27, 0x0111, &[], Some(216)),
        (2, 0x0106, &connect, Some(56)),
        (2, 0x0106, &[], Some(56)),
        (10, 0x0111, &[], Some(180)),
        (10, 0x0111, &connect, Some(180)),
        (2, 0, &[], None),
        (2, 0x0107, &[], None),
    ];
    for (family, port_space, connect, left) in cases {
        let c = entry(family, port_space, connect);
        // SAFETY: `c` is borrowed, aligned and initialized; its connect data is a slice of the length that it has,
        // everything else is null.
        let foreign = unsafe { RawAddrInfo::from_ptr(&c) }.expect("no null pointer");
        let info = AddrInfo::from_raw(foreign);
        assert_eq!((info.connect_data(), info.user_private_data()), (connect, left), "{c:?}");
    }
}

#[test]
fn c_list_of_an_answer_ends_with_null() {
    let hints = Hints::new().passive();
    let mut results = Results::<2>::new();
    let found = Request::new(NONE, "7471", &hints).resolve_literal(&mut results).expect("the wildcard");
    let mut c_list = CList::<2>::new();
    let linked = c_list.link(&found);
    assert!(!linked.is_truncated());
    let first = linked.as_raw().expect("two entries").as_raw();
    // SAFETY: `ai_next` of the first of two entries is the second, in the same list, which is still borrowed.
    let second = unsafe { first.ai_next.as_ref() }.expect("two entries");
    assert!(second.ai_next.is_null());
    for (c, family, src_len) in [(first, 10, 28), (second, 2, 16)] {
        assert_eq!((c.ai_flags, c.ai_family, c.ai_qp_type, c.ai_port_space), (1, family, 2, 0x0106));
        assert_eq!((c.ai_src_len, c.ai_dst_len), (src_len, 0));
        assert!(!c.ai_src_addr.is_null() && c.ai_dst_addr.is_null());
        assert!(c.ai_src_canonname.is_null() && c.ai_dst_canonname.is_null());
        assert_eq!((c.ai_route_len, c.ai_connect_len), (0, 0));
        assert!(c.ai_route.is_null() && c.ai_connect.is_null());
    }
    let families: Vec<_> = AddrInfoList::from_raw(linked.as_raw()).iter().map(|info| info.family()).collect();
    assert_eq!(families, [Family::INET6, Family::INET]);
}

#[test]
fn c_list_holds_addresses_names_and_no_route() {
    let mut results = Results::<1>::new();
    let request = Request::new("storage-7", "7471", None).with_canonical_names(true);
    let mut step = rdma_addrinfo_core::start(request, &mut results);
    let found = loop {
        use rdma_addrinfo_core::Step;
        step = match step {
            Step::Lookup(ask) => {
                let address = super::script::parse("192.0.2.7:0");
                let protocol = rdma_addrinfo_core::Protocol::Tcp;
                ask.with_canonical_name(c"storage-7.example")
                    .answer(Ok([rdma_addrinfo_core::Found { address, protocol }]))
            }
            Step::FindRoute(ask) => ask.no_route(NoRoute::Unavailable),
            Step::FindSource(ask) => ask.answer(Some(super::script::parse("192.0.2.9:1"))),
            Step::FindScope(_) | Step::FindService(_) => panic!("neither a zone nor RAI_SA was given"),
            Step::Done(outcome) => break outcome.expect("one address"),
        };
    };
    let mut c_list = CList::<1>::new();
    let linked = c_list.link(&found);
    let foreign = linked.as_raw().expect("one entry");
    let c = foreign.as_raw();
    assert_eq!((c.ai_flags, c.ai_family, c.ai_qp_type, c.ai_port_space), (0, 2, 2, 0x0106));
    assert_eq!((c.ai_src_len, c.ai_dst_len, c.ai_route_len, c.ai_connect_len), (16, 16, 0, 0));
    assert_eq!(foreign.src_bytes(), Some(&ip("192.0.2.9:0")[..]));
    assert_eq!(foreign.dst_bytes(), Some(&ip("192.0.2.7:7471")[..]));
    assert_eq!(foreign.src_canonname(), None::<&CStr>);
    assert_eq!(foreign.dst_canonname(), Some(c"storage-7.example"));
    assert!(c.ai_route.is_null() && c.ai_connect.is_null() && c.ai_next.is_null());

    // The same through the script, so that both ways of driving agree.
    let script = then(Names::node("storage-7").found(["192.0.2.7:0"]), walk(["192.0.2.7:7471"]));
    assert_eq!(run(Request::new("storage-7", "7471", None), &script), list([to(ip("192.0.2.7:7471"))]));
    let script = [super::script::route(ip("192.0.2.7:7471")), source("192.0.2.7:7471", Some("192.0.2.9:1"))];
    let expected = list([to(ip("192.0.2.7:7471")).from(ip("192.0.2.9:0"))]);
    assert_eq!(run(Request::new("192.0.2.7", "7471", None), &script), expected);
}
