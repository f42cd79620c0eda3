//! RawAddrInfo lists: a walk sees what is there, in order and in place, and ends; the C list made of it is the same.
#![allow(unsafe_code)]

use crate::c_struct::{Part, Parts};
use crate::draw::Draw;
use rdma_addrinfo_core::abi::rdma_addrinfo;
use rdma_addrinfo_core::{
    AddrInfo, AddrInfoList, CList, NoRoute, RawAddrInfo, RouteStatus, SockAddrRef, paths_from_bytes,
};
use std::ptr;

/// The most entries that a walk of a foreign list gives.
const MOST: usize = 65_536;

/// Checks one input.
pub fn check(bytes: &[u8]) {
    let mut draw = Draw::new(bytes);
    let parts: Vec<_> = (0..draw.byte() % 8).map(|_| Parts::draw(&mut draw)).collect();
    // Where the last one leads: mostly nowhere, else back into the list.
    let back = usize::from(draw.byte()).checked_sub(192).filter(|_| !parts.is_empty());
    let back = back.map(|back| back % parts.len());

    let mut raws: Vec<_> = parts.iter().map(Parts::to_c).collect();
    let first = if raws.is_empty() { ptr::null_mut() } else { raws.as_mut_ptr() };
    let place = |at: Option<usize>| at.map_or(ptr::null_mut(), |at| first.wrapping_add(at));
    for at in 0..parts.len() {
        let next = if at + 1 == parts.len() { back } else { Some(at + 1) };
        let this: *mut rdma_addrinfo = place(Some(at));
        // SAFETY: `this` is one of the vector's entries, to which nobody else has a reference.
        unsafe { (*this).ai_next = place(next) };
    }
    // SAFETY: `first` is null or the start of the vector's entries, which are initialized and stay unchanged as long
    // as the list lives. Each part is null, of no length or of one that no memory has, or as many bytes as its length,
    // which `parts` owns; names are C strings of its own; `ai_next` is null or another of the entries.
    let list = AddrInfoList::from_raw(unsafe { RawAddrInfo::from_ptr(first) });

    assert_eq!(list.is_empty(), parts.is_empty());
    assert!(!list.is_truncated());
    let order = (0..parts.len()).chain(back.into_iter().flat_map(|back| (back..parts.len()).cycle()));
    let right: Vec<_> = order.take(3 * parts.len()).collect();
    let seen: Vec<_> = list.iter().take(3 * parts.len()).collect();
    assert_eq!(seen.len(), right.len());
    for (info, at) in seen.iter().zip(&right) {
        let raw = info.as_raw().expect("a view of C memory").as_raw();
        assert!(ptr::eq(raw, place(Some(*at))), "entry {at}");
        entry(*info, &parts[*at]);
    }
    let length = if back.is_some() { MOST } else { parts.len() };
    // Interpreted, the end of a cycle is far away.
    if back.is_none() || !cfg!(miri) {
        assert_eq!(list.len(), length);
    }
    linked(list, length);
}

fn entry(info: AddrInfo<'_>, parts: &Parts) {
    let words =
        [info.flags().to_raw(), info.family().to_raw(), info.qp_type().to_raw(), info.port_space().to_raw()];
    assert_eq!(words, parts.words);
    address(info.src_addr(), &parts.src);
    address(info.dst_addr(), &parts.dst);
    assert_eq!(info.src_canonname(), parts.src_name.as_deref());
    assert_eq!(info.dst_canonname(), parts.dst_name.as_deref());
    let (route, connect) =
        (parts.route.bytes().unwrap_or_default(), parts.connect.bytes().unwrap_or_default());
    assert_eq!((info.route_bytes(), info.connect_data()), (route, connect));
    let paths = paths_from_bytes(route);
    assert_eq!(info.route(), paths.unwrap_or_default());
    let status = match (paths, route) {
        (Ok(_), []) => RouteStatus::Missing(NoRoute::Unavailable),
        (Ok(_), _) => RouteStatus::Found,
        (Err(_), _) => RouteStatus::Malformed,
    };
    assert_eq!(info.route_status(), status);
    assert_eq!(info.is_passive(), parts.words[0] & 1 == 1);
    let header = if parts.words[1] != 27 || !connect.is_empty() { 36 } else { 0 };
    let left = match parts.words[3] {
        0x106 | 0x13f => Some(92 - header),
        0x111 | 2 => Some(216 - header),
        _ => None,
    };
    assert_eq!(info.user_private_data(), left);
    assert!(info.to_string().contains(" -> "));
}

/// The address is seen where it lies: all of it, or as much as its family has.
fn address(address: Option<SockAddrRef<'_>>, part: &Part) {
    assert_eq!(address.is_some(), part.bytes().is_some());
    if let (Some(address), Some(bytes)) = (address, part.bytes()) {
        let family = bytes.first_chunk().map_or(0, |family| u16::from_ne_bytes(*family));
        let known = match family {
            2 => 16,
            10 => 28,
            27 => 48,
            _ => usize::MAX,
        };
        let whole = if known <= bytes.len() { known } else { bytes.len() };
        assert_eq!(address.as_bytes(), &bytes[..whole]);
        assert_eq!(address.as_bytes().as_ptr(), bytes.as_ptr());
        assert_eq!(address.family().to_raw(), i32::from(family));
    }
}

fn linked(list: AddrInfoList<'_>, length: usize) {
    let mut room = CList::<4>::new();
    let linked = room.link(&list);
    assert_eq!(linked.is_truncated(), length > 4);
    let again = AddrInfoList::from_raw(linked.as_raw());
    assert_eq!(again.len(), length.min(4));
    for (info, other) in list.iter().zip(again.iter()) {
        assert_eq!(info.to_string(), other.to_string());
        let bytes = |side: Option<SockAddrRef<'_>>| side.map(|side| side.as_bytes().as_ptr_range());
        assert_eq!(
            (bytes(info.src_addr()), bytes(info.dst_addr())),
            (bytes(other.src_addr()), bytes(other.dst_addr()))
        );
        assert_eq!((info.route_bytes(), info.connect_data()), (other.route_bytes(), other.connect_data()));
        assert_eq!(
            (info.src_canonname(), info.dst_canonname()),
            (other.src_canonname(), other.dst_canonname())
        );
        assert_eq!(info.flags(), other.flags());
    }
}
