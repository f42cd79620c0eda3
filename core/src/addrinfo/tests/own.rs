//! Entries of our own, and what is derived of the fields.

use crate::addrinfo::{AddrInfo, AddrInfoList, Entry, NO_ENTRY, NoRoute, RouteStatus, Storage};
use crate::results::Results;
use crate::route::PathData;
use crate::sockaddr::SockAddrBuf;
use crate::types::{Family, Flags, Gid, Pkey, PortSpace, QpType, ServiceId};
use std::format;
use std::string::{String, ToString};
use std::vec::Vec;

const V4: SockAddrBuf = SockAddrBuf::inet(0xc000_0209, 0);
const V4_PORT: SockAddrBuf = SockAddrBuf::inet(0xc000_0207, 7471);

fn entry() -> Entry {
    Entry {
        family: Family::INET,
        qp_type: QpType::RC,
        port_space: PortSpace::TCP,
        src: V4,
        dst: V4_PORT,
        ..Entry::EMPTY
    }
}

/// Three paths that can be told apart, and a name.
fn storage() -> Results<4> {
    let mut results = Results::new();
    assert!(results.push_paths(&mut (1..=3).map(|dlid| PathData::ZERO.with_dlid(dlid))));
    assert!(results.set_name(c"storage-7.example"));
    results
}

#[test]
fn an_empty_entry() {
    assert_eq!(format!("{:?}", Entry::default()), format!("{:?}", Entry::EMPTY));
    let storage = storage();
    let info = AddrInfo::own(&Entry::EMPTY, &storage);
    assert_eq!((info.flags(), info.family()), (Flags::empty(), Family::UNSPEC));
    assert_eq!((info.qp_type(), info.port_space()), (QpType::ANY, PortSpace::ANY));
    assert_eq!((info.src_addr(), info.dst_addr()), (None, None));
    assert_eq!((info.src_canonname(), info.dst_canonname()), (None, None));
    assert_eq!((info.src_bytes(), info.dst_bytes()), (&[][..], &[][..]));
    assert_eq!((info.route(), info.route_bytes(), info.connect_data()), (&[][..], &[][..], &[][..]));
    assert_eq!((info.route_status(), info.user_private_data()), (RouteStatus::NotAsked, None));
    assert!(!info.is_passive() && !info.needs_scope() && info.as_foreign().is_none());
}

#[test]
fn display() {
    let ib =
        SockAddrBuf::ib(Gid::from_bits(0xfe80 << 112 | 1), Pkey::DEFAULT, 0, ServiceId::from_raw(0), 0, 0);
    let storage = storage();
    for (entry, text) in [
        (entry(), "inet rc/tcp 192.0.2.9 -> 192.0.2.7:7471"),
        (Entry { src: SockAddrBuf::NONE, ..entry() }, "inet rc/tcp * -> 192.0.2.7:7471"),
        (
            Entry { flags: Flags::PASSIVE, src: V4_PORT, dst: SockAddrBuf::NONE, ..entry() },
            "inet rc/tcp 192.0.2.7:7471 -> * passive",
        ),
        (Entry { route: (1, 1), ..entry() }, "inet rc/tcp 192.0.2.9 -> 192.0.2.7:7471 (1 path)"),
        (
            Entry { route: (0, 3), flags: Flags::NO_ROUTE | Flags::DNS, ..entry() },
            "inet rc/tcp 192.0.2.9 -> 192.0.2.7:7471 no-route|dns (3 paths)",
        ),
        (
            Entry { family: Family::IB, dst: ib, port_space: PortSpace::IB, ..entry() },
            "ib rc/ib 192.0.2.9 -> ib:fe80::1/pkey=0xffff",
        ),
        (
            Entry { family: Family::from_raw(99), qp_type: QpType::from_raw(-1), ..entry() },
            "99 -1/tcp 192.0.2.9 -> 192.0.2.7:7471",
        ),
    ] {
        let info = AddrInfo::own(&entry, &storage);
        assert_eq!((info.to_string(), format!("{info:?}")), (String::from(text), String::from(text)));
    }
}

#[test]
fn the_name_is_of_the_resolved_side() {
    let storage = storage();
    for (named, flags, src, dst) in [
        (true, Flags::empty(), None, Some(c"storage-7.example")),
        (true, Flags::PASSIVE, Some(c"storage-7.example"), None),
        (false, Flags::empty(), None, None),
        (false, Flags::PASSIVE, None, None),
    ] {
        let entry = Entry { named, flags, ..entry() };
        let info = AddrInfo::own(&entry, &storage);
        assert_eq!((info.src_canonname(), info.dst_canonname()), (src, dst));
    }
}

/// A route is a part of the storage's paths; one that lies beyond them is none.
#[test]
fn routes() {
    let storage = storage();
    for (route, dlids) in [
        ((0, 3), &[1, 2, 3][..]),
        ((1, 2), &[2, 3]),
        ((2, 1), &[3]),
        ((0, 0), &[]),
        ((usize::MAX, 0), &[]),
        ((3, 1), &[]),
        ((0, 4), &[]),
        ((usize::MAX, 1), &[]),
        ((1, usize::MAX), &[]),
    ] {
        let entry = Entry { route, no_route: Some(NoRoute::TimedOut), ..entry() };
        let info = AddrInfo::own(&entry, &storage);
        let found: Vec<u16> = info.route().iter().map(|path| path.dlid()).collect();
        assert_eq!(found, dlids, "{route:?}");
        assert_eq!(info.route_bytes().len(), dlids.len() * 72);
        let status = if dlids.is_empty() { RouteStatus::None(NoRoute::TimedOut) } else { RouteStatus::Found };
        assert_eq!(info.route_status(), status);
    }
}

#[test]
fn private_data_that_is_left() {
    for (space, ip, ib) in [
        (PortSpace::TCP, Some(56), Some(92)),
        (PortSpace::IB, Some(56), Some(92)),
        (PortSpace::UDP, Some(180), Some(216)),
        (PortSpace::IPOIB, Some(180), Some(216)),
        (PortSpace::ANY, None, None),
        (PortSpace::from_raw(7), None, None),
    ] {
        for (family, left) in [(Family::INET, ip), (Family::INET6, ip), (Family::IB, ib)] {
            let entry = Entry { family, port_space: space, ..entry() };
            assert_eq!(AddrInfo::own(&entry, &Results::<1>::new()).user_private_data(), left);
        }
    }
}

#[test]
fn either_side_may_need_a_scope() {
    let needs = |src, dst| {
        let entry = Entry { src, dst, ..entry() };
        AddrInfo::own(&entry, &Results::<1>::new()).needs_scope()
    };
    let bare = SockAddrBuf::inet6(0xfe80 << 112 | 1, 0, 0, 0);
    let scoped = SockAddrBuf::inet6(0xfe80 << 112 | 1, 0, 0, 2);
    assert!(needs(bare, scoped) && needs(scoped, bare) && needs(SockAddrBuf::NONE, bare));
    assert!(!needs(scoped, scoped) && !needs(V4, V4_PORT) && !needs(SockAddrBuf::NONE, SockAddrBuf::NONE));
}

/// The chain is the order, wherever the entries lie.
#[test]
fn a_list_follows_its_chain() {
    let mut results = Results::<4>::new();
    for (qp_type, next) in [(0, 3), (1, NO_ENTRY), (2, 0), (3, 1)] {
        assert!(results.push(Entry { qp_type: QpType::from_raw(qp_type), next, ..Entry::EMPTY }));
    }
    let order = |first| -> Vec<i32> {
        let list = AddrInfoList::own(&results, first, false);
        assert_eq!(list.len(), list.iter().count());
        list.iter().map(|info| info.qp_type().to_raw()).collect()
    };
    assert_eq!(order(2), [2, 0, 3, 1]);
    assert_eq!(order(3), [3, 1]);
    assert_eq!(order(1), [1]);
    assert_eq!(order(NO_ENTRY), []);
    assert_eq!(order(4), []);
    let list = AddrInfoList::own(&results, 1, true);
    assert!(list.is_truncated());
    assert_eq!(format!("{list:?}"), "[unspec 1/any * -> *]");
    assert_eq!(format!("{:?}", list.iter()), format!("{list:?}"));
}

/// A list can be left, and come back to when its storage is free again.
#[test]
fn a_list_can_be_come_back_to() {
    let mut results = Results::<2>::new();
    assert!(results.push(Entry { next: NO_ENTRY, ..entry() }));
    assert!(results.push(Entry { next: 0, qp_type: QpType::UC, ..entry() }));
    let start = AddrInfoList::own(&results, 1, true).start().unwrap();
    results.entries_mut()[0].qp_type = QpType::UD;
    let list = start.list(&results);
    let order: Vec<QpType> = list.iter().map(|info| info.qp_type()).collect();
    assert_eq!((order, list.is_truncated()), (std::vec![QpType::UC, QpType::UD], true));
    // A storage that has forgotten them has none.
    results.clear();
    assert!(start.list(&results).is_empty());
    assert_eq!(AddrInfoList::from_foreign(None).start(), None);
}

/// A chain that leads back into itself ends when there are as many results as entries.
#[test]
fn a_cycle_ends() {
    let mut results = Results::<3>::new();
    for next in [1, 2, 0] {
        assert!(results.push(Entry { next, ..Entry::EMPTY }));
    }
    let list = AddrInfoList::own(&results, 1, false);
    assert_eq!(list.iter().size_hint(), (0, Some(3)));
    assert_eq!(list.len(), 3);
    let mut results = Results::<3>::new();
    assert!(results.push(Entry { next: 0, ..Entry::EMPTY }));
    assert_eq!(AddrInfoList::own(&results, 0, false).len(), 1);
}

#[test]
fn statuses_have_names() {
    let names = [
        (RouteStatus::NotAsked, "not-asked"),
        (RouteStatus::Found, "found"),
        (RouteStatus::None(NoRoute::Unavailable), "unavailable"),
        (RouteStatus::None(NoRoute::TimedOut), "timed-out"),
    ];
    for (status, name) in names {
        assert_eq!((status.name(), status.to_string()), (name, String::from(name)));
    }
    assert_eq!(RouteStatus::Malformed.to_string(), "malformed");
}
