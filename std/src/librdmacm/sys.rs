//! librdmacm through the crate `rdma-sys`: linked, and its types.
//!
//! [`Library::linked`] returns a [`Library`] like a loaded one. The structures of `rdma-sys` and of
//! [`abi`](rdma_addrinfo_core::abi) have the same layout, which is checked field by field at compile time, so a
//! reference to one converts to a reference to the other.
#![allow(unsafe_code)]

use super::load::exports;
use super::{Library, LibraryList};
use libloading::os::unix as dl;
use rdma_addrinfo_core::abi::{self, rdma_addrinfo};
use rdma_addrinfo_core::{PathData, RawAddrInfo};
use std::ffi::{c_char, c_int};
use std::mem::{align_of, offset_of, size_of};
use std::ptr;

macro_rules! same_layout {
    ($name:ident, $alignment:tt: $($field:ident),+) => {
        const _: () = {
            assert!(size_of::<abi::$name>() == size_of::<rdma_sys::$name>());
            assert!(align_of::<abi::$name>() $alignment align_of::<rdma_sys::$name>());
            $(assert!(offset_of!(abi::$name, $field) == offset_of!(rdma_sys::$name, $field));)+
            // No field is missing: the pattern names them all.
            #[allow(dead_code, reason = "compiled, never called")]
            fn fields(value: rdma_sys::$name) {
                let rdma_sys::$name { $($field: _),+ } = value;
            }
        };
    };
}

same_layout!(rdma_addrinfo, ==: ai_flags, ai_family, ai_qp_type, ai_port_space, ai_src_len, ai_dst_len,
    ai_src_addr, ai_dst_addr, ai_src_canonname, ai_dst_canonname, ai_route_len, ai_route, ai_connect_len,
    ai_connect, ai_next);
// Ours have alignment 1, as their bytes may lie anywhere.
same_layout!(ibv_path_data, <=: flags, reserved, path);
same_layout!(ibv_path_record, <=: service_id, dgid, sgid, dlid, slid, flowlabel_hoplimit, tclass,
    reversible_numpath, pkey, qosclass_sl, mtu, rate, packetlifetime, preference, reserved);

const _: () = {
    assert!(rdma_sys::RAI_PASSIVE == abi::RAI_PASSIVE);
    assert!(rdma_sys::RAI_NUMERICHOST == abi::RAI_NUMERICHOST);
    assert!(rdma_sys::RAI_NOROUTE == abi::RAI_NOROUTE);
    assert!(rdma_sys::RAI_FAMILY == abi::RAI_FAMILY);
};

impl Library {
    /// The librdmacm that the program is linked with, by the crate `rdma-sys`.
    ///
    /// Not for a program or a library that itself exports `rdma_getaddrinfo`: the linker would bind this to that.
    #[must_use]
    pub fn linked() -> Self {
        let program = dl::Library::this();
        Self { get: linked_get, free: linked_free, resolves_sa: exports(&program, "rdma_resolve_addrinfo") }
    }
}

/// # Safety
/// That of `rdma_getaddrinfo`.
unsafe extern "C" fn linked_get(
    node: *const c_char,
    service: *const c_char,
    hints: *const rdma_addrinfo,
    res: *mut *mut rdma_addrinfo,
) -> c_int {
    // SAFETY: the caller keeps the contract of rdma_getaddrinfo; both structures have one layout.
    unsafe { rdma_sys::rdma_getaddrinfo(node, service, hints.cast(), res.cast()) }
}

/// # Safety
/// That of `rdma_freeaddrinfo`.
unsafe extern "C" fn linked_free(res: *mut rdma_addrinfo) {
    // SAFETY: the caller keeps the contract of rdma_freeaddrinfo; both structures have one layout.
    unsafe { rdma_sys::rdma_freeaddrinfo(res.cast()) }
}

impl LibraryList {
    /// As [`as_raw`](Self::as_raw), for `rdma_sys::rdma_create_ep`.
    #[must_use]
    pub const fn as_rdma_sys(&self) -> *mut rdma_sys::rdma_addrinfo {
        self.as_raw().cast()
    }

    /// As [`into_raw`](Self::into_raw).
    #[must_use = "the list leaks unless it is freed"]
    pub fn into_rdma_sys(self) -> *mut rdma_sys::rdma_addrinfo {
        self.into_raw().cast()
    }

    /// As [`from_raw`](Self::from_raw), for a list that `rdma_sys::rdma_getaddrinfo` made.
    ///
    /// # Safety
    /// That of [`from_raw`](Self::from_raw), with [`Library::linked`].
    #[must_use]
    pub unsafe fn from_rdma_sys(first: *mut rdma_sys::rdma_addrinfo) -> Self {
        // SAFETY: the caller promises the same; both structures have one layout.
        unsafe { Self::from_raw(&Library::linked(), first.cast()) }
    }
}

/// Views a structure of `rdma-sys`; `None` when `raw` is null.
///
/// # Safety
/// That of [`RawAddrInfo::from_ptr`].
#[must_use]
pub const unsafe fn foreign<'a>(raw: *const rdma_sys::rdma_addrinfo) -> Option<RawAddrInfo<'a>> {
    // SAFETY: the caller promises the same; both structures have one layout.
    unsafe { RawAddrInfo::from_ptr(raw.cast()) }
}

/// The structure that is viewed, as one of `rdma-sys`.
#[must_use]
pub const fn addrinfo(foreign: RawAddrInfo<'_>) -> &rdma_sys::rdma_addrinfo {
    let raw = ptr::from_ref(foreign.as_raw()).cast::<rdma_sys::rdma_addrinfo>();
    // SAFETY: the pointer comes from a reference of the same lifetime, to a structure with the same layout, whose
    // fields are numbers and pointers, for which any bits are valid.
    unsafe { &*raw }
}

/// A path of `rdma-sys` as one of ours.
#[must_use]
pub const fn path_from(path: &rdma_sys::ibv_path_data) -> &PathData {
    let start = ptr::from_ref(path).cast::<PathData>();
    // SAFETY: the pointer comes from a reference of the same lifetime, to a structure of the same size, whose layout
    // leaves no padding in it; `PathData` is made of bytes, for which any bits are valid, and has alignment 1.
    unsafe { &*start }
}

/// A path of ours as one of `rdma-sys`, by value: the C structure has a stricter alignment.
#[must_use]
pub const fn path_to(path: &PathData) -> rdma_sys::ibv_path_data {
    let start = ptr::from_ref(path).cast::<rdma_sys::ibv_path_data>();
    // SAFETY: the pointer comes from a reference to a structure of the same size and layout, whose fields are numbers,
    // for which any bits are valid; an unaligned read needs no alignment.
    unsafe { start.read_unaligned() }
}
