//! Entries of our own, and what is derived of the fields.

use crate::addrinfo::{AddrInfo, AddrInfoList, Entry, Heap, IbEntry, Listed, NoRoute, Outcome, RouteStatus};
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
        ..Entry::empty()
    }
}

/// Three paths that can be told apart, and a name.
fn storage() -> Heap {
    let paths = (1..=3).map(|dlid| PathData::ZERO.with_dlid(dlid)).collect();
    Heap { outcome: Outcome::NONE, name: b"storage-7.example\0".to_vec(), paths }
}

fn info<'a>(entry: &'a Entry, storage: &'a Heap) -> AddrInfo<'a> {
    AddrInfo::own(entry, None, storage)
}

/// The storage of a list of so many results.
fn of(listed: usize, truncated: bool) -> Heap {
    Heap { outcome: Outcome { listed, truncated }, ..Heap::default() }
}

#[test]
fn an_empty_entry() {
    let (entry, storage) = (Entry::empty(), storage());
    let info = info(&entry, &storage);
    assert_eq!((info.flags(), info.family()), (Flags::empty(), Family::UNSPEC));
    assert_eq!((info.qp_type(), info.port_space()), (QpType::ANY, PortSpace::ANY));
    assert_eq!((info.src_addr(), info.dst_addr()), (None, None));
    assert_eq!((info.src_canonname(), info.dst_canonname()), (None, None));
    assert_eq!((info.src_bytes(), info.dst_bytes()), (&[][..], &[][..]));
    assert_eq!((info.route(), info.route_bytes(), info.connect_data()), (&[][..], &[][..], &[][..]));
    assert_eq!((info.route_status(), info.user_private_data()), (RouteStatus::NotAsked, None));
    assert!(!info.is_passive() && !info.needs_scope() && info.as_raw().is_none());
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
        let info = info(&entry, &storage);
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
        let info = info(&entry, &storage);
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
        let info = info(&entry, &storage);
        let found: Vec<u16> = info.route().iter().map(|path| path.dlid()).collect();
        assert_eq!(found, dlids, "{route:?}");
        assert_eq!(info.route_bytes().len(), dlids.len() * 72);
        let status =
            if dlids.is_empty() { RouteStatus::Missing(NoRoute::TimedOut) } else { RouteStatus::Found };
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
            assert_eq!(info(&entry, &Heap::default()).user_private_data(), left);
        }
    }
}

#[test]
fn either_side_may_need_a_scope() {
    let needs = |src, dst| {
        let entry = Entry { src, dst, ..entry() };
        info(&entry, &Heap::default()).needs_scope()
    };
    let bare = SockAddrBuf::inet6(0xfe80 << 112 | 1, 0, 0, 0);
    let scoped = SockAddrBuf::inet6(0xfe80 << 112 | 1, 0, 0, 2);
    assert!(needs(bare, scoped) && needs(scoped, bare) && needs(SockAddrBuf::NONE, bare));
    assert!(!needs(scoped, scoped) && !needs(V4, V4_PORT) && !needs(SockAddrBuf::NONE, SockAddrBuf::NONE));
}

fn ib_entry(port: u16) -> IbEntry {
    let end =
        |gid| SockAddrBuf::ib(Gid::from_bits(gid), Pkey::DEFAULT, 0, ServiceId::from_raw(port.into()), 0, 0);
    IbEntry { src: end(1), dst: end(2), connect: Some([7; 36]) }
}

/// Each entry stands for the results that it lists, in its order.
#[test]
fn a_list_is_what_its_entries_list() {
    let listed = [
        Listed::Entry,
        Listed::Nothing,
        Listed::EntryThenIb(ib_entry(2)),
        Listed::IbEntry(ib_entry(3)),
        Listed::IbThenEntry(ib_entry(4)),
        Listed::Nothing,
    ];
    let counts: Vec<usize> = listed.iter().map(Listed::count).collect();
    assert_eq!(counts, [1, 0, 2, 1, 2, 0]);
    let entries: Vec<Entry> = (0..)
        .zip(listed)
        .map(|(at, listed)| Entry { qp_type: QpType::from_raw(at), listed, named: at == 4, ..entry() })
        .collect();
    let storage = of(6, true);
    let list = AddrInfoList::own(&entries, &storage);
    let seen: Vec<_> =
        list.iter().map(|info| (info.qp_type().to_raw(), info.family(), info.connect_data().len())).collect();
    let (inet, ib) = (Family::INET, Family::IB);
    assert_eq!(seen, [(0, inet, 0), (2, inet, 0), (2, ib, 36), (3, ib, 36), (4, ib, 36), (4, inet, 0)]);
    let ports: Vec<_> = list.iter().map(|info| info.dst_addr().map(|dst| dst.port())).collect();
    assert_eq!(ports, [7471, 7471, 2, 3, 4, 7471].map(Some));
    let ib = list.iter().nth(2).unwrap();
    assert_eq!((ib.src_bytes(), ib.dst_bytes()), (ib_entry(2).src.as_bytes(), ib_entry(2).dst.as_bytes()));
    assert_eq!((list.len(), list.is_empty(), list.is_truncated()), (6, false, true));
    assert_eq!(
        list.first().map(|info| info.to_string()),
        Some("inet any/tcp 192.0.2.9 -> 192.0.2.7:7471".into())
    );
    assert_eq!(format!("{:?}", list.iter()), format!("{list:?}"));
}

/// What a resolution that was not finished left behind is in no list.
#[test]
fn a_list_that_was_not_finished_is_empty() {
    let entries = [Entry { listed: Listed::EntryThenIb(ib_entry(1)), ..entry() }, entry()];
    for listed in [0, 3] {
        let storage = of(listed, false);
        let list = AddrInfoList::own(&entries, &storage);
        assert_eq!((list.len(), list.iter().count(), list.is_empty()), (listed, listed, listed == 0));
        assert_eq!(list.first().is_none(), listed == 0);
        let mut iter = list.iter();
        for left in (0..listed).rev() {
            assert!(iter.next().is_some());
            assert!(iter.size_hint().0 <= left && iter.size_hint().1.is_some_and(|most| most >= left));
        }
        assert!(iter.next().is_none() && iter.next().is_none());
    }
    // A C list has no count.
    let c_list = AddrInfoList::from_raw(None);
    assert_eq!((c_list.len(), c_list.is_empty(), c_list.iter().size_hint()), (0, true, (0, Some(65_536))));
}

#[test]
fn a_name_is_all_named_entries() {
    let entries = [Entry { named: true, ..entry() }, entry()];
    let storage = Heap { outcome: Outcome { listed: 2, truncated: false }, ..storage() };
    let list = AddrInfoList::own(&entries, &storage);
    let names: Vec<_> = list.iter().map(|info| info.dst_canonname()).collect();
    assert_eq!(names, [Some(c"storage-7.example"), None]);
}

#[test]
fn statuses_have_names() {
    let names = [
        (RouteStatus::NotAsked, "not-asked"),
        (RouteStatus::Found, "found"),
        (RouteStatus::Missing(NoRoute::TimedOut), "timed-out"),
    ];
    for (status, name) in names {
        assert_eq!((status.name(), status.to_string()), (name, String::from(name)));
    }
    assert_eq!(RouteStatus::Malformed.to_string(), "malformed");
    let nobody = RouteStatus::Missing(NoRoute::Unavailable);
    assert_eq!((nobody.name(), nobody.to_string()), ("unavailable", "no ibacm".into()));
}
