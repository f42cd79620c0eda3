//! All fields of a C list, read as C code reads them: with its usual checks, and with none.
#![allow(unsafe_code)]

use crate::Seen;
use libc::{sockaddr_in, sockaddr_in6};
use rdma_addrinfo_core::RawAddrInfo;
use rdma_addrinfo_core::abi::ibv_path_data;
use std::ffi::{CStr, c_char, c_void};
use std::{ptr, slice};

/// Reads all fields, trusting every pointer that is not null and every length; a socket address is what the family of
/// its entry says. So is C written that knows who made the list.
///
/// # Safety
/// Addresses are null or structures of the family of their entry, which is AF_INET or AF_INET6; routes are whole paths.
#[must_use]
#[inline]
pub unsafe fn walk_unchecked(first: Option<RawAddrInfo<'_>>) -> Seen {
    let mut seen = Seen::default();
    let mut next = first.map_or(ptr::null(), |first| ptr::from_ref(first.as_raw()));
    while !next.is_null() {
        // SAFETY: by the contract of `RawAddrInfo`, `next` is an entry that nobody changes.
        let info = unsafe { &*next };
        seen.numbers([info.ai_flags, info.ai_family, info.ai_qp_type, info.ai_port_space]);
        // SAFETY: the caller promises that an address is null or one of the entry's family.
        unsafe { address(&mut seen, info.ai_family, info.ai_src_addr) };
        // SAFETY: as above.
        unsafe { address(&mut seen, info.ai_family, info.ai_dst_addr) };
        // SAFETY: by the contract of `RawAddrInfo`, a name is null or ends with a NUL.
        unsafe { name(&mut seen, info.ai_src_canonname) };
        // SAFETY: as above.
        unsafe { name(&mut seen, info.ai_dst_canonname) };
        let (path, paths) = (info.ai_route.cast(), info.ai_route_len / size_of::<ibv_path_data>());
        // SAFETY: by the contract of `RawAddrInfo` a route is as long as its length.
        unsafe { route(&mut seen, path, paths) };
        // SAFETY: by the contract of `RawAddrInfo` the data are as long as their length.
        unsafe { connect(&mut seen, info.ai_connect, info.ai_connect_len) };
        next = info.ai_next;
    }
    seen
}

/// The same, where null pointers, lengths, and the family of each address are looked at before what they lead to. So is
/// C written that is to survive what it did not make; a list that does not end is beyond it.
#[must_use]
#[inline]
pub fn walk_checked(first: Option<RawAddrInfo<'_>>) -> Seen {
    let mut seen = Seen::default();
    let mut next = first.map_or(ptr::null(), |first| ptr::from_ref(first.as_raw()));
    while !next.is_null() {
        // SAFETY: by the contract of `RawAddrInfo`, `next` is an entry that nobody changes.
        let info = unsafe { &*next };
        seen.numbers([info.ai_flags, info.ai_family, info.ai_qp_type, info.ai_port_space]);
        for (start, len) in [(info.ai_src_addr, info.ai_src_len), (info.ai_dst_addr, info.ai_dst_len)] {
            if start.is_null() || (len as usize) < size_of::<libc::sa_family_t>() {
                continue;
            }
            // SAFETY: not null, and two bytes at least, which may lie anywhere.
            let family = unsafe { start.cast::<libc::sa_family_t>().read_unaligned() };
            let needs = match i32::from(family) {
                libc::AF_INET => size_of::<sockaddr_in>(),
                libc::AF_INET6 => size_of::<sockaddr_in6>(),
                _ => continue,
            };
            if len as usize >= needs {
                // SAFETY: a family that is known, and as many bytes as its structure has.
                unsafe { address(&mut seen, family.into(), start) };
            }
        }
        // SAFETY: by the contract of `RawAddrInfo`, a name is null or ends with a NUL.
        unsafe { name(&mut seen, info.ai_src_canonname) };
        // SAFETY: as above.
        unsafe { name(&mut seen, info.ai_dst_canonname) };
        if !info.ai_route.is_null() && info.ai_route_len.is_multiple_of(size_of::<ibv_path_data>()) {
            let (path, paths) = (info.ai_route.cast(), info.ai_route_len / size_of::<ibv_path_data>());
            // SAFETY: not null, and as many bytes as the paths have.
            unsafe { route(&mut seen, path, paths) };
        }
        if !info.ai_connect.is_null() {
            // SAFETY: not null, and as many bytes.
            unsafe { connect(&mut seen, info.ai_connect, info.ai_connect_len) };
        }
        next = info.ai_next;
    }
    seen
}

/// # Safety
/// `start` is null or leads to a structure of that family.
#[inline]
unsafe fn address(seen: &mut Seen, family: i32, start: *const c_void) {
    if start.is_null() {
        return;
    }
    if family == libc::AF_INET {
        // SAFETY: the caller promises this structure.
        let v4 = unsafe { start.cast::<sockaddr_in>().read_unaligned() };
        seen.word(u16::from_be(v4.sin_port).into());
        seen.address(u32::from_be(v4.sin_addr.s_addr).into());
    } else {
        // SAFETY: the caller promises this structure.
        let v6 = unsafe { start.cast::<sockaddr_in6>().read_unaligned() };
        seen.word(u16::from_be(v6.sin6_port).into());
        seen.address(u128::from_be_bytes(v6.sin6_addr.s6_addr));
        seen.word(v6.sin6_scope_id.into());
    }
}

/// # Safety
/// `name` is null or ends with a NUL.
#[inline]
unsafe fn name(seen: &mut Seen, name: *const c_char) {
    if !name.is_null() {
        // SAFETY: the caller promises an end.
        let name = unsafe { CStr::from_ptr(name) };
        seen.word(name.count_bytes() as u64);
    }
}

/// # Safety
/// `first` leads to so many paths.
#[inline]
unsafe fn route(seen: &mut Seen, first: *const ibv_path_data, paths: usize) {
    for at in 0..paths {
        // SAFETY: the caller promises this path.
        let path = unsafe { first.add(at) };
        // SAFETY: as above; the structure has alignment 1.
        let path = unsafe { &(*path).path };
        seen.address(path.dgid.get());
        seen.address(path.sgid.get());
        seen.word(path.pkey.get().into());
    }
}

/// # Safety
/// `start` leads to so many bytes, or is null and there are none.
#[inline]
unsafe fn connect(seen: &mut Seen, start: *const c_void, len: usize) {
    seen.word(len as u64);
    if len != 0 {
        // SAFETY: the caller promises these bytes.
        let data = unsafe { slice::from_raw_parts(start.cast::<u8>(), len) };
        seen.word(data[len - 1].into());
    }
}
