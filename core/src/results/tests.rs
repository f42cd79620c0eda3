//! Tests of the room: what fits and what does not, and C lists read back.

use super::{CList, CListRef, HeapResults, Results};
use crate::addrinfo::{AddrInfo, AddrInfoList, Entry, Outcome, Storage};
use crate::hints::Hints;
use crate::resolve::resolve_literal;
use crate::route::PathData;
use crate::sockaddr::SockAddrBuf;
use crate::sockaddr::tests::Random;
use crate::types::{Family, Flags, PortSpace, QpType};
use core::ptr;
use std::ffi::CString;
use std::format;
use std::string::String;
use std::vec;
use std::vec::Vec;

fn numbered(at: i32) -> Entry {
    Entry { qp_type: QpType::from_raw(at), ..Entry::empty() }
}

fn paths(count: u16) -> impl Iterator<Item = PathData> {
    (0..count).map(|dlid| PathData::ZERO.with_dlid(dlid))
}

fn numbers(storage: &Storage<'_>) -> Vec<i32> {
    storage.entries.as_slice().iter().map(|entry| entry.qp_type.to_raw()).collect()
}

#[test]
fn entries_up_to_the_capacity() {
    let (mut fixed, mut heap) = (Results::<3>::new(), HeapResults::new());
    for (mut storage, fits) in [(Storage::from(&mut fixed), false), (Storage::from(&mut heap), true)] {
        for at in 0..3 {
            assert!(storage.entries.push(numbered(at)));
        }
        assert_eq!(storage.entries.push(numbered(3)), fits);
        storage.entries.as_mut_slice()[1].qp_type = QpType::UD;
        let mut lent = storage.reborrow();
        let ud = QpType::UD.to_raw();
        assert_eq!(numbers(&lent), &[0, ud, 2, 3][..if fits { 4 } else { 3 }]);
        lent.entries.truncate(2);
        assert_eq!(numbers(&storage), [0, ud]);
    }
    assert!(!Storage::from(&mut Results::<0>::new()).entries.push(numbered(0)));
}

#[test]
fn paths_all_or_none() {
    let mut results = Results::<1, 4>::new();
    let mut storage = Storage::from(&mut results);
    assert_eq!(storage.push_paths(&mut paths(3)), Some((0, 3)));
    assert_eq!(storage.push_paths(&mut paths(2)), None, "one of the two fits");
    assert_eq!(storage.shared.paths(), paths(3).collect::<Vec<_>>());
    assert_eq!(storage.push_paths(&mut paths(0)), Some((3, 0)));
    assert_eq!(storage.push_paths(&mut paths(1)), Some((3, 1)));
    let kept: Vec<u16> = storage.shared.paths().iter().map(|path| path.dlid()).collect();
    assert_eq!(kept, [0, 1, 2, 0]);
    assert_eq!(storage.push_paths(&mut core::iter::repeat(PathData::ZERO)), None, "without end");
    assert_eq!(storage.shared.paths().len(), 4);
    let mut none = Results::<1, 0>::new();
    let mut none = Storage::from(&mut none);
    assert_eq!((none.push_paths(&mut paths(1)), none.push_paths(&mut paths(0))), (None, Some((0, 0))));
    let mut heap = HeapResults::new();
    let mut heap = Storage::from(&mut heap);
    assert_eq!(
        (heap.push_paths(&mut paths(9)), heap.push_paths(&mut paths(2))),
        (Some((0, 9)), Some((9, 2)))
    );
}

#[test]
fn a_name_fits_or_there_is_none() {
    let (mut fixed, mut heap) = (Results::<1>::new(), HeapResults::new());
    for (mut storage, most) in [(Storage::from(&mut fixed), 255), (Storage::from(&mut heap), usize::MAX)] {
        for len in [0, 1, 254, 255, 256, 257, 5000] {
            assert!(storage.set_name(c"before"));
            let name = CString::new(vec![b'a'; len]).unwrap();
            assert_eq!(storage.set_name(&name), len <= most, "{len} bytes");
            assert_eq!(storage.shared.name(), (len <= most).then_some(&*name), "{len} bytes");
        }
        // Any bytes: what a name is made of is for the name service to say.
        assert!(storage.set_name(c"\xff\n"));
        assert_eq!(storage.shared.name(), Some(c"\xff\n"));
    }
}

#[test]
fn clear_forgets_everything() {
    let (mut fixed, mut heap) = (Results::<1, 1>::new(), HeapResults::new());
    for mut storage in [Storage::from(&mut fixed), Storage::from(&mut heap)] {
        for _ in 0..2 {
            assert!(storage.entries.push(numbered(0)));
            assert!(storage.push_paths(&mut paths(1)).is_some());
            assert!(storage.set_name(c"name"));
            *storage.shared.outcome_mut() = Outcome { listed: 1, truncated: true };
            assert_eq!(storage.reborrow().into_list().len(), 1);
            storage.clear();
            assert!(storage.entries.as_slice().is_empty() && storage.shared.paths().is_empty());
            assert_eq!(storage.shared.name(), None);
            assert_eq!(storage.shared.outcome(), Outcome::NONE);
        }
    }
    assert_eq!(format!("{fixed:?}"), format!("{:?}", Results::<1, 1>::default()));
}

/// What a resolution returned is there until the next begins, also for who has lost the list.
#[test]
fn the_list_of_the_last_resolution() {
    let (mut fixed, mut heap) = (Results::<1>::new(), HeapResults::new());
    for node in ["192.0.2.7", "192.0.2.8"] {
        let expected = format!("[inet rc/tcp * -> {node}:7471]");
        assert_eq!(format!("{:?}", resolve_literal(node, "7471", None, &mut fixed).unwrap()), expected);
        assert_eq!(format!("{:?}", resolve_literal(node, "7471", None, &mut heap).unwrap()), expected);
        assert_eq!(
            [format!("{:?}", fixed.list()), format!("{:?}", heap.list())],
            [&expected; 2].map(String::clone)
        );
        assert_eq!(format!("{:?} {:?}", fixed, heap.clone()), format!("{expected} {expected}"));
    }
    // Two addresses, of which one fits.
    assert!(
        resolve_literal(None, "7471", None, &mut fixed).unwrap().is_truncated()
            && fixed.list().is_truncated()
    );
    assert_eq!(resolve_literal(None, "7471", None, &mut heap).unwrap().len(), 2);
    for node in ["storage-7", "192.0.2.256"] {
        assert!(resolve_literal(node, "7471", None, &mut fixed).is_err());
        assert!(resolve_literal(node, "7471", None, &mut heap).is_err());
        assert!(fixed.list().is_empty() && heap.list().is_empty());
    }
    assert!(!fixed.list().is_truncated());
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
    let mut next = linked.as_raw();
    assert_eq!(linked.as_ptr().cast_const(), next.map_or(ptr::null(), |first| ptr::from_ref(first.as_raw())));
    for info in expected {
        let entry = next.expect("an entry is missing");
        same(AddrInfo::from_raw(entry), info);
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
    let mut storage = Storage::from(&mut results);
    assert!(storage.push_paths(&mut paths(8)).is_some());
    assert!(storage.set_name(c"storage-7.example"));
    *storage.shared.outcome_mut() = Outcome { listed: count, truncated: false };
    for _ in 0..count {
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
            ..Entry::empty()
        };
        assert!(storage.entries.push(entry));
    }
    results
}

#[test]
fn a_c_list_reads_back() {
    let mut random = Random(8);
    let counts: &[usize] = if cfg!(miri) { &[0, 1, 3, 16] } else { &[0, 1, 2, 3, 4, 7, 15, 16] };
    for count in counts.iter().copied().cycle().take(if cfg!(miri) { 4 } else { 1000 }) {
        let results = storage(&mut random, count);
        let list = results.list();
        let mut memory = CList::<16>::new();
        let linked = memory.link(&list);
        assert!(!linked.is_truncated());
        holds(linked, list);

        // The C list as a list, linked once more.
        let foreign = AddrInfoList::from_raw(linked.as_raw());
        let mut memory = CList::<16>::new();
        holds(memory.link(&foreign), list);
    }
}

#[test]
fn a_c_list_that_does_not_fit() {
    let results = storage(&mut Random(9), 3);
    let list = results.list();
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
    let mut short = storage(&mut Random(9), 3);
    Storage::from(&mut short).shared.outcome_mut().truncated = true;
    assert!(CList::<3>::new().link(&short.list()).is_truncated());
}

#[test]
fn an_empty_c_list_is_null() {
    let mut memory = CList::<2>::new();
    let linked = memory.link(&AddrInfoList::from_raw(None));
    assert!(!linked.is_truncated() && linked.as_ptr().is_null());
    holds(linked, None);
}

/// The structures are written anew each time, and point into the list's own memory.
#[test]
fn a_c_list_is_linked_again() {
    let (first, second) = (storage(&mut Random(10), 3), storage(&mut Random(11), 2));
    let mut memory = CList::<4>::new();
    for (results, count) in [(&first, 3), (&second, 2), (&first, 3)] {
        let list = results.list();
        let linked = memory.link(&list);
        holds(linked, list);
        assert_eq!(list.len(), count);
        for (entry, info) in AddrInfoList::from_raw(linked.as_raw()).iter().zip(list) {
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
