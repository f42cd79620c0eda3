//! Lists: read in place, freed once.
#![allow(unsafe_code)]

use super::super::LibraryList;
use super::stub::{self, Answer};
use rdma_addrinfo_core::abi::rdma_addrinfo;
use rdma_addrinfo_core::{Family, Flags, Hints, SockAddrBuf};
use std::ptr;

const fn is_send_sync<T: Send + Sync>() {}
const _: () = is_send_sync::<LibraryList>();
const _: () = is_send_sync::<super::super::Library>();
const _: () = is_send_sync::<crate::LoadError>();

/// An entry with the destination at `address`, followed by `next`.
fn entry(address: &SockAddrBuf, next: *mut rdma_addrinfo) -> rdma_addrinfo {
    rdma_addrinfo {
        ai_family: 2,
        ai_dst_len: 16,
        ai_dst_addr: address.as_bytes().as_ptr().cast_mut().cast(),
        ai_next: next,
        ..rdma_addrinfo::ZERO
    }
}

#[test]
fn results_are_read_in_place_and_freed_once() {
    let addresses = [1, 2].map(|last| SockAddrBuf::inet(0xc000_0200 | last, 7471));
    let mut second = entry(&addresses[1], ptr::null_mut());
    let mut first = entry(&addresses[0], &raw mut second);
    let start = &raw mut first;
    let list = stub::library(Answer::list(start)).getaddrinfo("192.0.2.1", "7471", None).unwrap();

    let texts: Vec<String> = (&list).into_iter().map(|info| info.dst_addr().unwrap().to_string()).collect();
    assert_eq!(texts, ["192.0.2.1:7471", "192.0.2.2:7471"]);
    for (info, address) in list.iter().zip(&addresses) {
        let view = info.dst_addr().unwrap();
        assert_eq!(view.as_bytes().as_ptr(), address.as_bytes().as_ptr());
    }
    assert_eq!((list.len(), list.is_empty(), list.list().is_truncated()), (2, false, false));
    assert!(ptr::eq(list.first().unwrap().as_raw().unwrap().as_raw(), start));
    assert_eq!(list.as_raw(), start);
    assert_eq!(stub::freed(), []);
    drop(list);
    assert_eq!(stub::freed(), [start.addr()]);
}

/// Freed on the thread where it is dropped, by the functions of its own library.
#[test]
fn lists_go_to_other_threads() {
    let address = SockAddrBuf::inet(0xc000_0201, 7471);
    let mut only = entry(&address, ptr::null_mut());
    let start = (&raw mut only).addr();
    let list = stub::library(Answer::list(&raw mut only)).getaddrinfo("192.0.2.1", None, None).unwrap();
    let freed = std::thread::scope(|scope| {
        let there = scope.spawn(move || {
            assert_eq!(list.len(), 1);
            drop(list);
            stub::freed()
        });
        there.join().unwrap()
    });
    assert_eq!((freed, stub::freed()), (vec![start], vec![]));
}

#[test]
fn no_list_is_an_empty_one() {
    let list = stub::library(Answer::list(ptr::null_mut())).getaddrinfo("x", None, None).unwrap();
    assert!(list.is_empty() && list.first().is_none() && list.as_raw().is_null());
    assert_eq!((list.len(), format!("{list:?}")), (0, "[]".into()));
    drop(list);
    assert_eq!(stub::freed(), []);
}

/// A failed call leaves nothing to free, whatever it stored in `res`.
#[test]
fn errors_own_no_list() {
    let mut only = rdma_addrinfo::ZERO;
    let answer = Answer { ret: -2, errno: None, list: &raw mut only };
    stub::library(answer).getaddrinfo("x", None, None).unwrap_err();
    assert_eq!(stub::freed(), []);
}

#[test]
fn raw_lists_change_hands() {
    let address = SockAddrBuf::inet(0xc000_0201, 7471);
    let mut only = entry(&address, ptr::null_mut());
    let start = &raw mut only;
    let library = stub::library(Answer::list(start));
    let raw = library.getaddrinfo("192.0.2.1", None, None).unwrap().into_raw();
    assert_eq!((raw, stub::freed()), (start, vec![]));
    // SAFETY: the list that was just released, of this library, which only records what it frees.
    let again = unsafe { LibraryList::from_raw(&library, raw) };
    assert_eq!(again.len(), 1);
    drop(again);
    assert_eq!(stub::freed(), [start.addr()]);
}

/// Only the library sees the flag that suppresses AF_IB entries.
#[test]
fn an_added_flag_does_not_show() {
    let (v4, v6) = (SockAddrBuf::inet(0xc000_0209, 0), SockAddrBuf::inet6(1, 0, 0, 0));
    let answered = Flags::ROUTE_ONLY | Flags::NO_ROUTE | Flags::from_raw(1 << 30);
    for (hints, sent, shown) in [
        (Hints::new().with_src_addr(v4).with_dst_addr(v6), 0x0100_0000, 0x4000_0004),
        (
            Hints::new().with_src_addr(v4).with_dst_addr(v6).with_flags(Flags::ROUTE_ONLY),
            0x0100_0000,
            0x4100_0004,
        ),
        (Hints::new().with_family(Family::INET).with_src_addr(v4).with_dst_addr(v4), 0, 0x4100_0004),
    ] {
        let mut only = rdma_addrinfo { ai_flags: answered.to_raw(), ..rdma_addrinfo::ZERO };
        let library = stub::library(Answer::list(&raw mut only));
        let list = library.getaddrinfo(None, None, &hints).unwrap();
        assert_eq!(stub::last_call().unwrap().hints.unwrap().words[0], sent);
        assert_eq!(list.first().unwrap().flags(), Flags::from_raw(shown));
    }
    // No list to change anything in.
    let hints = Hints::new().with_src_addr(v4).with_dst_addr(v6);
    let list = stub::library(Answer::list(ptr::null_mut())).getaddrinfo(None, None, &hints).unwrap();
    assert!(list.is_empty());
}

/// A chain that leads back into itself ends, and is freed once.
#[test]
fn cycles_end() {
    let address = SockAddrBuf::inet(0xc000_0201, 7471);
    let mut second = entry(&address, ptr::null_mut());
    let mut first = entry(&address, &raw mut second);
    let back = &raw mut second;
    // SAFETY: the entry above, which nothing else reads or writes now.
    unsafe { (*back).ai_next = &raw mut first };
    let list = stub::library(Answer::list(&raw mut first)).getaddrinfo("x", None, None).unwrap();
    assert_eq!(list.len(), 65_536);
    drop(list);
    assert_eq!(stub::freed().len(), 1);
}
