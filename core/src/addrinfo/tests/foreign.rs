//! Lists in foreign memory, hostile ones among them.
#![allow(unsafe_code, reason = "makes foreign lists")]

use crate::abi::rdma_addrinfo;
use crate::addrinfo::{AddrInfo, AddrInfoList, NoRoute, RouteStatus};
use crate::foreign::RawAddrInfo;
use crate::route::{PathData, Rate};
use crate::sockaddr::tests::counts;
use crate::sockaddr::{SockAddrBuf, SockAddrRef};
use crate::types::{Family, Flags, PortSpace, QpType};
use core::ffi::{CStr, c_char, c_void};
use core::ptr;
use std::string::ToString;
use std::vec;
use std::vec::Vec;
use zerocopy::IntoBytes;

/// Links structures to a list in their order, the last to `end`.
fn link(entries: &mut [rdma_addrinfo], end: Option<usize>) -> AddrInfoList<'_> {
    let start = entries.as_mut_ptr();
    let mut next = end.map_or(ptr::null_mut(), |end| start.wrapping_add(end));
    for at in (0..entries.len()).rev() {
        let entry = start.wrapping_add(at);
        // SAFETY: `at` is within the slice that `start` leads to, which is borrowed exclusively and not used
        // otherwise: the structure is aligned, initialized, and may be written to.
        unsafe { (*entry).ai_next = next };
        next = entry;
    }
    // SAFETY: `next` is null or leads to the first of the structures, which are borrowed for the list's lifetime
    // and only lead to one another. The tests below let each other pointer be null or lead to at least as many
    // bytes as its length says, and each name be null or end with a NUL, for longer than the list is used.
    AddrInfoList::from_raw(unsafe { RawAddrInfo::from_ptr(next) })
}

fn only(entry: &mut rdma_addrinfo) -> AddrInfo<'_> {
    let list = link(core::slice::from_mut(entry), None);
    assert_eq!((list.len(), list.is_empty(), list.is_truncated()), (1, false, false));
    list.first().unwrap()
}

fn start(bytes: &[u8]) -> *mut c_void {
    bytes.as_ptr().cast_mut().cast()
}

fn name(name: &CStr) -> *mut c_char {
    name.as_ptr().cast_mut()
}

#[test]
fn null_is_an_empty_list() {
    let list = AddrInfoList::from_raw(None);
    assert_eq!((list.len(), list.is_empty(), list.is_truncated()), (0, true, false));
    assert!(list.first().is_none() && list.iter().next().is_none());
    assert_eq!(std::format!("{list:?}"), "[]");
}

#[test]
fn zero_is_an_empty_entry() {
    let mut entry = rdma_addrinfo::ZERO;
    let info = only(&mut entry);
    assert_eq!((info.flags(), info.family()), (Flags::empty(), Family::UNSPEC));
    assert_eq!((info.qp_type(), info.port_space()), (QpType::ANY, PortSpace::ANY));
    assert_eq!((info.src_addr(), info.dst_addr()), (None, None));
    assert_eq!((info.src_canonname(), info.dst_canonname()), (None, None));
    assert_eq!((info.route(), info.route_bytes(), info.connect_data()), (&[][..], &[][..], &[][..]));
    assert_eq!(
        (info.route_status(), info.user_private_data()),
        (RouteStatus::Missing(NoRoute::Unavailable), None)
    );
    assert!(!info.is_passive() && !info.needs_scope() && info.as_raw().is_some());
    assert_eq!(info.to_string(), "unspec any/any * -> *");
}

#[test]
fn every_field() {
    let src = SockAddrBuf::inet6(0xfe80 << 112 | 9, 0, 0, 2);
    let dst = SockAddrBuf::inet6(0xfe80 << 112 | 1, 7471, 0, 2);
    let paths = [
        PathData::ZERO.with_dlid(0x26),
        PathData::ZERO.with_rate(Rate::from_megabits_per_second(100_000).unwrap()),
    ];
    let connect = [0x5a; 36];
    let mut entry = rdma_addrinfo {
        ai_flags: 4,
        ai_family: 10,
        ai_qp_type: 2,
        ai_port_space: 0x106,
        ai_src_len: 28,
        ai_dst_len: 28,
        ai_src_addr: start(src.as_bytes()),
        ai_dst_addr: start(dst.as_bytes()),
        ai_src_canonname: name(c"here"),
        ai_dst_canonname: name(c"there"),
        ai_route_len: 144,
        ai_route: start(paths.as_bytes()),
        ai_connect_len: 36,
        ai_connect: start(&connect),
        ..rdma_addrinfo::ZERO
    };
    let info = only(&mut entry);
    assert_eq!((info.flags(), info.family()), (Flags::NO_ROUTE, Family::INET6));
    assert_eq!((info.qp_type(), info.port_space()), (QpType::RC, PortSpace::TCP));
    assert_eq!((info.src_addr(), info.dst_addr()), (src.get(), dst.get()));
    assert_eq!((info.src_canonname(), info.dst_canonname()), (Some(c"here"), Some(c"there")));
    assert_eq!(info.route(), &paths[..]);
    assert_eq!(info.route_status(), RouteStatus::Found);
    // In place: nothing is copied.
    assert!(ptr::eq(info.route(), &paths[..]));
    assert!(ptr::eq(info.connect_data(), &connect[..]));
    assert_eq!(info.to_string(), "inet6 rc/tcp fe80::9%2 -> [fe80::1%2]:7471 no-route (2 paths)");
    assert_eq!(std::format!("{info:?}"), info.to_string());

    let again = AddrInfo::from_raw(info.as_raw().unwrap());
    assert_eq!(again.to_string(), info.to_string());
    assert!(ptr::eq(again.as_raw().unwrap().as_raw(), info.as_raw().unwrap().as_raw()));
}

/// A pointer and its length are a value only together.
#[test]
fn half_a_value_is_none() {
    let bytes = [0xff_u8; 1];
    let end: *mut c_void = bytes.as_ptr_range().end.cast_mut().cast();
    let mut lengths = rdma_addrinfo {
        ai_src_len: 16,
        ai_dst_len: u32::MAX,
        ai_route_len: usize::MAX,
        ai_connect_len: 36,
        ..rdma_addrinfo::ZERO
    };
    let mut pointers = rdma_addrinfo {
        ai_src_addr: end,
        ai_dst_addr: end,
        ai_route: end,
        ai_connect: end,
        ..rdma_addrinfo::ZERO
    };
    for info in [only(&mut lengths), only(&mut pointers)] {
        assert_eq!((info.src_addr(), info.dst_addr()), (None, None));
        assert_eq!((info.route(), info.route_bytes(), info.connect_data()), (&[][..], &[][..], &[][..]));
        assert_eq!(info.route_status(), RouteStatus::Missing(NoRoute::Unavailable));
    }
}

/// What the entry, the address and its length say of the family is three things: none is believed for another.
#[test]
fn family_and_length_disagree() {
    let v4 = SockAddrBuf::inet(0xc000_0209, 7471);
    let v6 = SockAddrBuf::inet6(1, 7471, 0, 0);
    let mut long = v4.as_bytes().to_vec();
    long.extend([0xee; 12]);
    let mut entry = rdma_addrinfo {
        ai_family: 27,
        // Too short for its family, and longer than its family needs.
        ai_src_len: 16,
        ai_src_addr: start(v6.as_bytes()),
        ai_dst_len: 28,
        ai_dst_addr: start(&long),
        ..rdma_addrinfo::ZERO
    };
    let info = only(&mut entry);
    assert_eq!(info.family(), Family::IB);
    assert_eq!(info.src_addr(), Some(SockAddrRef::Other(&v6.as_bytes()[..16])));
    assert_eq!(info.src_addr().unwrap().family(), Family::INET6);
    assert_eq!(info.dst_addr(), v4.get());
    // As they are.
    assert_eq!((info.src_bytes(), info.dst_bytes()), (&v6.as_bytes()[..16], &long[..]));
    assert!(info.to_string().ends_with(" -> 192.0.2.9:7471"));

    for len in 1..28 {
        entry.ai_dst_len = len;
        let dst = only(&mut entry).dst_addr().unwrap();
        if len < 16 {
            assert_eq!(dst, SockAddrRef::Other(&long[..len as usize]));
        } else {
            assert_eq!(Some(dst), v4.get());
        }
    }
}

#[test]
fn a_route_that_is_no_array() {
    let bytes = [7; 300];
    for len in (1..=300).filter(|len| counts(*len, &[2, 64, 72, 144, 299])) {
        let mut entry = rdma_addrinfo { ai_route: start(&bytes), ai_route_len: len, ..rdma_addrinfo::ZERO };
        let info = only(&mut entry);
        assert_eq!(info.route_bytes(), &bytes[..len]);
        if len % 72 == 0 {
            assert_eq!((info.route().as_bytes(), info.route_status()), (&bytes[..len], RouteStatus::Found));
        } else {
            assert_eq!((info.route(), info.route_status()), (&[][..], RouteStatus::Malformed));
            assert_eq!(info.to_string(), "unspec any/any * -> * (malformed route)");
        }
    }
}

#[test]
fn a_long_list_is_read_in_order() {
    let mut entries: Vec<_> =
        (0..1000).map(|at| rdma_addrinfo { ai_qp_type: at, ..rdma_addrinfo::ZERO }).collect();
    let list = link(&mut entries, None);
    assert_eq!((list.len(), list.is_empty()), (1000, false));
    let order: Vec<i32> = list.iter().map(|info| info.qp_type().to_raw()).collect();
    assert_eq!(order, (0..1000).collect::<Vec<_>>());
    let mut iter = list.into_iter();
    assert_eq!(iter.by_ref().count(), 1000);
    assert!(iter.next().is_none() && iter.next().is_none());
}

/// A list that leads back into itself ends all the same.
#[test]
fn a_cycle_ends() {
    for (len, back_to) in [(1, 0), (3, 1)] {
        let mut entries = vec![rdma_addrinfo::ZERO; len];
        let list = link(&mut entries, Some(back_to));
        assert_eq!(list.iter().size_hint(), (0, Some(65_536)));
        assert_eq!(list.len(), 65_536);
    }
}

/// Connect data takes the place of the header that the kernel adds for IP addresses.
#[test]
fn private_data_that_is_left() {
    let connect = [0; 36];
    for (space, without, with) in [(0x106, 92, 56), (0x13f, 92, 56), (0x111, 216, 180), (2, 216, 180)] {
        let mut entry = rdma_addrinfo { ai_family: 27, ai_port_space: space, ..rdma_addrinfo::ZERO };
        assert_eq!(only(&mut entry).user_private_data(), Some(without));
        entry.ai_connect_len = 36;
        assert_eq!(only(&mut entry).user_private_data(), Some(without), "a length without a pointer");
        entry.ai_connect = start(&connect);
        assert_eq!(only(&mut entry).user_private_data(), Some(with));
        entry.ai_family = 2;
        assert_eq!(only(&mut entry).user_private_data(), Some(with));
    }
}
