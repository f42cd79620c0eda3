//! Tests of the room: what fits and what does not, and C lists read back.

use super::{CList, CListRef, Results};
use crate::addrinfo::{AddrInfo, AddrInfoList, Entry, NO_ENTRY, Storage};
use crate::hints::Hints;
use crate::resolve::resolve_literal;
use crate::route::PathData;
use crate::sockaddr::SockAddrBuf;
use crate::sockaddr::tests::Random;
use crate::types::{Family, Flags, PortSpace, QpType};
use core::ptr;
use std::ffi::CString;
use std::format;
use std::vec;
use std::vec::Vec;

fn numbered(at: i32) -> Entry {
    Entry { qp_type: QpType::from_raw(at), ..Entry::EMPTY }
}

fn paths(count: u16) -> impl Iterator<Item = PathData> {
    (0..count).map(|dlid| PathData::ZERO.with_dlid(dlid))
}

#[test]
fn entries_up_to_the_capacity() {
    let mut results = Results::<3>::new();
    assert!(results.entries().is_empty());
    for at in 0..3 {
        assert!(results.push(numbered(at)));
        assert_eq!(results.entries().last().map(|entry| entry.qp_type), Some(QpType::from_raw(at)));
    }
    assert!(!results.push(numbered(3)));
    let kept: Vec<i32> = results.entries().iter().map(|entry| entry.qp_type.to_raw()).collect();
    assert_eq!(kept, [0, 1, 2]);
    results.entries_mut()[1].qp_type = QpType::UD;
    assert_eq!(results.entries()[1].qp_type, QpType::UD);
    assert!(!Results::<0>::new().push(numbered(0)));
}

#[test]
fn paths_all_or_none() {
    let mut results = Results::<1, 4>::new();
    assert!(results.push_paths(&mut paths(3)));
    assert!(!results.push_paths(&mut paths(2)), "one of the two fits");
    assert_eq!(results.paths(), paths(3).collect::<Vec<_>>());
    assert!(results.push_paths(&mut paths(0)));
    assert!(results.push_paths(&mut paths(1)));
    let kept: Vec<u16> = results.paths().iter().map(|path| path.dlid()).collect();
    assert_eq!(kept, [0, 1, 2, 0]);
    assert!(!results.push_paths(&mut core::iter::repeat(PathData::ZERO)), "without end");
    assert_eq!(results.paths().len(), 4);
    assert!(!Results::<1, 0>::new().push_paths(&mut paths(1)));
    assert!(Results::<1, 0>::new().push_paths(&mut paths(0)));
}

#[test]
fn a_name_fits_or_there_is_none() {
    let mut results = Results::<1>::new();
    assert_eq!(results.name(), None);
    for len in [0, 1, 254, 255] {
        let name = CString::new(vec![b'a'; len]).unwrap();
        assert!(results.set_name(&name));
        assert_eq!(results.name(), Some(&*name), "{len} bytes");
    }
    for len in [256, 257, 5000] {
        assert!(results.set_name(c"before"));
        let name = CString::new(vec![b'a'; len]).unwrap();
        assert!(!results.set_name(&name));
        assert_eq!(results.name(), None, "{len} bytes");
    }
    // Any bytes: what a name is made of is for the name service to say.
    assert!(results.set_name(c"\xff\n"));
    assert_eq!(results.name(), Some(c"\xff\n"));
}

#[test]
fn clear_forgets_everything() {
    let mut results = Results::<1, 1>::new();
    for _ in 0..2 {
        assert!(results.push(numbered(0)));
        assert!(results.push_paths(&mut paths(1)));
        assert!(results.set_name(c"name"));
        results.clear();
        assert!(results.entries().is_empty() && results.paths().is_empty() && results.name().is_none());
    }
    assert_eq!(format!("{results:?}"), format!("{:?}", Results::<1, 1>::default()));
}

#[test]
fn a_resolution_that_does_not_fit() {
    let hints = Hints::new();
    let mut results = Results::<1>::new();
    let list = resolve_literal(None, "7471", &hints, &mut results).unwrap();
    assert_eq!(format!("{list:?}"), "[inet6 rc/tcp * -> [::1]:7471]");
    assert!(list.is_truncated());
    let mut results = Results::<2>::new();
    let list = resolve_literal(None, "7471", &hints, &mut results).unwrap();
    assert_eq!(format!("{list:?}"), "[inet6 rc/tcp * -> [::1]:7471, inet rc/tcp * -> 127.0.0.1:7471]");
    assert!(!list.is_truncated());
    let none = resolve_literal("192.0.2.7", "7471", &hints, &mut Results::<0>::new()).map(|list| list.len());
    let error = none.unwrap_err();
    assert_eq!(error.reason(), crate::error::Reason::NoRoom);
    assert_eq!(error.kind(), crate::error::ErrorKind::Memory);
}

/// Every field of two results, but where they lie.
#[track_caller]
fn same(a: AddrInfo<'_>, b: AddrInfo<'_>) {
    assert_eq!((a.flags(), a.family()), (b.flags(), b.family()));
    assert_eq!((a.qp_type(), a.port_space()), (b.qp_type(), b.port_space()));
    assert_eq!((a.src_addr(), a.dst_addr()), (b.src_addr(), b.dst_addr()));
    assert_eq!((a.src_canonname(), a.dst_canonname()), (b.src_canonname(), b.dst_canonname()));
    assert_eq!((a.route(), a.route_bytes()), (b.route(), b.route_bytes()));
    assert_eq!(a.connect_data(), b.connect_data());
    assert_eq!(format!("{a}"), format!("{b}"));
}

/// The C list holds exactly these results, linked by `ai_next` and ended by null.
#[track_caller]
fn holds<'a>(linked: CListRef<'_>, expected: impl IntoIterator<Item = AddrInfo<'a>>) {
    let mut next = linked.as_foreign();
    assert_eq!(linked.as_ptr().cast_const(), next.map_or(ptr::null(), |first| ptr::from_ref(first.as_raw())));
    for info in expected {
        let entry = next.expect("an entry is missing");
        same(AddrInfo::from_foreign(entry), info);
        next = entry.next();
        let raw = entry.as_raw();
        assert_eq!(raw.ai_next.cast_const(), next.map_or(ptr::null(), |next| ptr::from_ref(next.as_raw())));
        // Null and a length of 0 go together.
        assert_eq!(raw.ai_src_addr.is_null(), raw.ai_src_len == 0);
        assert_eq!(raw.ai_dst_addr.is_null(), raw.ai_dst_len == 0);
        assert_eq!(raw.ai_route.is_null(), raw.ai_route_len == 0);
        assert_eq!(raw.ai_connect.is_null(), raw.ai_connect_len == 0);
    }
    assert!(next.is_none());
}

/// Results of all kinds: addresses, routes, names, on either side.
fn storage(random: &mut Random, count: usize) -> Results<16, 8> {
    let mut results = Results::new();
    assert!(results.push_paths(&mut paths(8)));
    assert!(results.set_name(c"storage-7.example"));
    for at in 0..count {
        let start = random.below(8) as usize;
        let entry = Entry {
            flags: Flags::from_bits_retain(random.number() as u32),
            family: Family::from_raw(random.number() as i32),
            qp_type: QpType::from_raw(random.number() as i32),
            port_space: PortSpace::from_raw(random.number() as i32),
            src: random.address(),
            dst: random.address(),
            route: (start, random.below(9 - start as u64) as usize),
            named: random.below(2) == 1,
            next: if at + 1 < count { at + 1 } else { NO_ENTRY },
            ..Entry::EMPTY
        };
        assert!(results.push(entry));
    }
    results
}

#[test]
fn a_c_list_reads_back() {
    let mut random = Random(8);
    let counts: &[usize] = if cfg!(miri) { &[0, 1, 3, 16] } else { &[0, 1, 2, 3, 4, 7, 15, 16] };
    for count in counts.iter().copied().cycle().take(if cfg!(miri) { 4 } else { 1000 }) {
        let results = storage(&mut random, count);
        let list = AddrInfoList::own(&results, 0, false);
        let mut memory = CList::<16>::new();
        let linked = memory.link(&list);
        assert!(!linked.is_truncated());
        holds(linked, list);

        // The C list as a list, linked once more.
        let foreign = AddrInfoList::from_foreign(linked.as_foreign());
        let mut memory = CList::<16>::new();
        holds(memory.link(&foreign), list);
    }
}

#[test]
fn a_c_list_that_does_not_fit() {
    let results = storage(&mut Random(9), 3);
    let list = AddrInfoList::own(&results, 0, false);
    let mut memory = CList::<2>::new();
    let linked = memory.link(&list);
    assert!(linked.is_truncated());
    holds(linked, list.iter().take(2));

    let mut memory = CList::<3>::new();
    let linked = memory.link(&list);
    assert!(!linked.is_truncated());
    holds(linked, list);

    let mut memory = CList::<0>::default();
    let linked = memory.link(&list);
    assert!(linked.is_truncated() && linked.as_ptr().is_null());
    holds(linked, None);

    // What was missing before is missing still.
    let short = AddrInfoList::own(&results, 0, true);
    assert!(CList::<3>::new().link(&short).is_truncated());
}

#[test]
fn an_empty_c_list_is_null() {
    let mut memory = CList::<2>::new();
    let linked = memory.link(&AddrInfoList::from_foreign(None));
    assert!(!linked.is_truncated() && linked.as_ptr().is_null());
    holds(linked, None);
}

/// The structures are written anew each time, and point into the list's own memory.
#[test]
fn a_c_list_is_linked_again() {
    let (first, second) = (storage(&mut Random(10), 3), storage(&mut Random(11), 2));
    let mut memory = CList::<4>::new();
    for (results, count) in [(&first, 3), (&second, 2), (&first, 3)] {
        let list = AddrInfoList::own(results, 0, false);
        let linked = memory.link(&list);
        holds(linked, list);
        assert_eq!(list.len(), count);
        for (entry, info) in AddrInfoList::from_foreign(linked.as_foreign()).iter().zip(list) {
            let bytes =
                |info: &AddrInfo<'_>| info.dst_addr().map_or(ptr::null(), |dst| dst.as_bytes().as_ptr());
            assert_eq!(bytes(&entry), bytes(&info));
            assert_eq!(entry.route_bytes().len(), info.route_bytes().len());
            assert!(entry.route_bytes().is_empty() || ptr::eq(entry.route_bytes(), info.route_bytes()));
        }
    }
}

/// A C list may go to another thread, as may what it is made of.
#[test]
fn lists_are_send_and_sync() {
    fn check<T: Send + Sync>() {}
    check::<Results<4>>();
    check::<CList<4>>();
    check::<SockAddrBuf>();
}

#[test]
fn what_is_lent_is_the_same_room() {
    let mut results = Results::<2, 4>::new();
    let mut lent: &mut dyn Storage = &mut results;
    let list = resolve_literal("192.0.2.7", "7471", None, &mut lent).unwrap();
    let to = list.first().and_then(|info| SockAddrBuf::from_bytes(info.dst_bytes()).ok());
    assert_eq!(to, Some(SockAddrBuf::inet(0xc000_0207, 7471)));
    lent.entries_mut()[0].qp_type = QpType::UD;
    assert_eq!(lent.entries().first().map(|entry| entry.qp_type), Some(QpType::UD));
    fn fill(mut room: impl Storage) {
        assert!(room.push(numbered(1)) && !room.push(numbered(2)));
        room.entries_mut()[0].qp_type = QpType::RC;
        assert_eq!(room.entries().len(), 2);
        assert!(room.push_paths(&mut paths(3)) && !room.push_paths(&mut paths(2)));
        assert_eq!(room.paths(), paths(3).collect::<Vec<_>>());
        assert!(room.set_name(c"storage-7"));
        assert_eq!(room.name(), Some(c"storage-7"));
    }
    fill(&mut *lent);
    assert_eq!((results.entries().len(), results.entries()[0].qp_type), (2, QpType::RC));
    assert_eq!((results.paths().len(), results.name()), (3, Some(c"storage-7")));
    Storage::clear(&mut &mut results);
    assert_eq!((results.entries().len(), results.paths().len(), results.name()), (0, 0, None));
}
