//! Structures under their C names.

use core::ffi::{CStr, c_char, c_int, c_void};
use core::ptr;
use zerocopy::{
    FromBytes, FromZeros, Immutable, IntoBytes, KnownLayout, Unaligned, big_endian, native_endian,
};

/// Socket address of AF_INET, 16 bytes.
#[derive(
    FromBytes, IntoBytes, KnownLayout, Immutable, Unaligned, Clone, Copy, PartialEq, Eq, Hash, Debug, Default,
)]
#[repr(C)]
pub struct sockaddr_in {
    /// [`AF_INET`](super::AF_INET), native byte order.
    pub sin_family: native_endian::U16,
    /// Port.
    pub sin_port: big_endian::U16,
    /// IPv4 address.
    pub sin_addr: big_endian::U32,
    /// Padding.
    pub sin_zero: [u8; 8],
}

/// Socket address of AF_INET6, 28 bytes.
#[derive(
    FromBytes, IntoBytes, KnownLayout, Immutable, Unaligned, Clone, Copy, PartialEq, Eq, Hash, Debug, Default,
)]
#[repr(C)]
pub struct sockaddr_in6 {
    /// [`AF_INET6`](super::AF_INET6), native byte order.
    pub sin6_family: native_endian::U16,
    /// Port.
    pub sin6_port: big_endian::U16,
    /// Flow information.
    pub sin6_flowinfo: big_endian::U32,
    /// IPv6 address.
    pub sin6_addr: big_endian::U128,
    /// Index of the zone's interface, native byte order.
    pub sin6_scope_id: native_endian::U32,
}

/// Socket address of AF_IB, 48 bytes.
///
/// C aligns it to 8 bytes (4 on i686); this view has alignment 1.
#[derive(
    FromBytes, IntoBytes, KnownLayout, Immutable, Unaligned, Clone, Copy, PartialEq, Eq, Hash, Debug, Default,
)]
#[repr(C)]
pub struct sockaddr_ib {
    /// [`AF_IB`](super::AF_IB), native byte order.
    pub sib_family: native_endian::U16,
    /// Partition key.
    pub sib_pkey: big_endian::U16,
    /// Flow label.
    pub sib_flowinfo: big_endian::U32,
    /// GID.
    pub sib_addr: big_endian::U128,
    /// Service ID.
    pub sib_sid: big_endian::U64,
    /// The bits of the service ID that count.
    pub sib_sid_mask: big_endian::U64,
    /// Index of the zone's interface, native byte order.
    pub sib_scope_id: native_endian::U64,
}

/// A path record of the subnet administrator, 64 bytes, big-endian throughout.
///
/// [`PathData`](crate::PathData) reads the packed fields by name and unit.
#[derive(
    FromBytes, IntoBytes, KnownLayout, Immutable, Unaligned, Clone, Copy, PartialEq, Eq, Hash, Debug, Default,
)]
#[repr(C)]
pub struct ibv_path_record {
    /// Service ID.
    pub service_id: big_endian::U64,
    /// Destination GID.
    pub dgid: big_endian::U128,
    /// Source GID.
    pub sgid: big_endian::U128,
    /// Destination LID.
    pub dlid: big_endian::U16,
    /// Source LID.
    pub slid: big_endian::U16,
    /// 4 bits reserved, 20 bits flow label, 8 bits hop limit.
    pub flowlabel_hoplimit: big_endian::U32,
    /// Traffic class.
    pub tclass: u8,
    /// 1 bit reversible, 7 bits number of paths.
    pub reversible_numpath: u8,
    /// Partition key.
    pub pkey: big_endian::U16,
    /// 12 bits QoS class, 4 bits service level.
    pub qosclass_sl: big_endian::U16,
    /// 2 bits selector, 6 bits MTU code.
    pub mtu: u8,
    /// 2 bits selector, 6 bits rate code.
    pub rate: u8,
    /// 2 bits selector, 6 bits packet life time exponent.
    pub packetlifetime: u8,
    /// Preference among several paths, 0 first.
    pub preference: u8,
    /// Reserved.
    pub reserved: [u8; 6],
}

/// A path record with its flags, 72 bytes.
#[derive(
    FromBytes, IntoBytes, KnownLayout, Immutable, Unaligned, Clone, Copy, PartialEq, Eq, Hash, Debug, Default,
)]
#[repr(C)]
pub struct ibv_path_data {
    /// `IBV_PATH_FLAG_` bits, native byte order.
    pub flags: native_endian::U32,
    /// Reserved.
    pub reserved: native_endian::U32,
    /// The path record.
    pub path: ibv_path_record,
}

/// A result, or hints, of `rdma_getaddrinfo(3)`: 96 bytes on 64-bit targets, 60 on 32-bit ones.
///
/// Addresses, routes and connect data have alignments and lengths of their own behind these pointers;
/// [`RawAddrInfo`](crate::RawAddrInfo) reads them with checks.
#[derive(FromZeros, KnownLayout, Immutable, Clone, Copy, Debug)]
#[repr(C)]
pub struct rdma_addrinfo {
    /// `RAI_` bits.
    pub ai_flags: c_int,
    /// `AF_` value.
    pub ai_family: c_int,
    /// `IBV_QPT_` value.
    pub ai_qp_type: c_int,
    /// `RDMA_PS_` value.
    pub ai_port_space: c_int,
    /// Length of the source address in bytes.
    pub ai_src_len: u32,
    /// Length of the destination address in bytes.
    pub ai_dst_len: u32,
    /// Source address.
    pub ai_src_addr: *mut c_void,
    /// Destination address.
    pub ai_dst_addr: *mut c_void,
    /// Canonical name of the source.
    pub ai_src_canonname: *mut c_char,
    /// Canonical name of the destination.
    pub ai_dst_canonname: *mut c_char,
    /// Length of the route in bytes.
    pub ai_route_len: usize,
    /// Route, an array of [`ibv_path_data`].
    pub ai_route: *mut c_void,
    /// Length of the connect data in bytes.
    pub ai_connect_len: usize,
    /// Private data to send before the user's own.
    pub ai_connect: *mut c_void,
    /// Next result.
    pub ai_next: *mut rdma_addrinfo,
}

impl rdma_addrinfo {
    /// All fields zero or null.
    pub const ZERO: Self = Self {
        ai_flags: 0,
        ai_family: 0,
        ai_qp_type: 0,
        ai_port_space: 0,
        ai_src_len: 0,
        ai_dst_len: 0,
        ai_src_addr: ptr::null_mut(),
        ai_dst_addr: ptr::null_mut(),
        ai_src_canonname: ptr::null_mut(),
        ai_dst_canonname: ptr::null_mut(),
        ai_route_len: 0,
        ai_route: ptr::null_mut(),
        ai_connect_len: 0,
        ai_connect: ptr::null_mut(),
        ai_next: ptr::null_mut(),
    };

    /// A structure of flags, family, QP type, port space, and what leads to these bytes: null where there are none. The
    /// pointers are mutable only because C declares them so.
    #[inline]
    pub(crate) fn lend(numbers: [c_int; 4], src: &[u8], dst: &[u8], route: &[u8]) -> Self {
        let [ai_flags, ai_family, ai_qp_type, ai_port_space] = numbers;
        let ((ai_src_addr, src_len), (ai_dst_addr, dst_len)) = (pointer(src), pointer(dst));
        // A socket address is at most 48 bytes, or what a u32 has said already.
        let [ai_src_len, ai_dst_len] = [src_len, dst_len].map(|len| u32::try_from(len).unwrap_or(0));
        let (ai_route, ai_route_len) = pointer(route);
        Self {
            ai_flags,
            ai_family,
            ai_qp_type,
            ai_port_space,
            ai_src_len,
            ai_dst_len,
            ai_src_addr,
            ai_dst_addr,
            ai_route_len,
            ai_route,
            ..Self::ZERO
        }
    }

    /// The same with what results have beside it.
    #[inline]
    pub(crate) fn with(self, connect: &[u8], src_name: Option<&CStr>, dst_name: Option<&CStr>) -> Self {
        let name = |name: Option<&CStr>| name.map_or(ptr::null(), CStr::as_ptr).cast_mut();
        let (ai_connect, ai_connect_len) = pointer(connect);
        let (ai_src_canonname, ai_dst_canonname) = (name(src_name), name(dst_name));
        Self { ai_connect, ai_connect_len, ai_src_canonname, ai_dst_canonname, ..self }
    }
}

/// Pointer and length of bytes; null for none, as C has it.
#[inline]
fn pointer(bytes: &[u8]) -> (*mut c_void, usize) {
    match bytes {
        [] => (ptr::null_mut(), 0),
        bytes => (bytes.as_ptr().cast_mut().cast(), bytes.len()),
    }
}

impl Default for rdma_addrinfo {
    fn default() -> Self {
        Self::ZERO
    }
}

layout!(sockaddr_in: 16, 1; sin_family 0, sin_port 2, sin_addr 4, sin_zero 8);
layout!(sockaddr_in6: 28, 1; sin6_family 0, sin6_port 2, sin6_flowinfo 4, sin6_addr 8, sin6_scope_id 24);
layout!(sockaddr_ib: 48, 1; sib_family 0, sib_pkey 2, sib_flowinfo 4, sib_addr 8, sib_sid 24, sib_sid_mask 32,
    sib_scope_id 40);
layout!(ibv_path_record: 64, 1; service_id 0, dgid 8, sgid 24, dlid 40, slid 42, flowlabel_hoplimit 44,
    tclass 48, reversible_numpath 49, pkey 50, qosclass_sl 52, mtu 54, rate 55, packetlifetime 56,
    preference 57, reserved 58);
layout!(ibv_path_data: 72, 1; flags 0, reserved 4, path 8);
#[cfg(target_pointer_width = "64")]
layout!(rdma_addrinfo: 96, 8; ai_flags 0, ai_family 4, ai_qp_type 8, ai_port_space 12, ai_src_len 16,
    ai_dst_len 20, ai_src_addr 24, ai_dst_addr 32, ai_src_canonname 40, ai_dst_canonname 48, ai_route_len 56,
    ai_route 64, ai_connect_len 72, ai_connect 80, ai_next 88);
#[cfg(target_pointer_width = "32")]
layout!(rdma_addrinfo: 60, 4; ai_flags 0, ai_family 4, ai_qp_type 8, ai_port_space 12, ai_src_len 16,
    ai_dst_len 20, ai_src_addr 24, ai_dst_addr 28, ai_src_canonname 32, ai_dst_canonname 36, ai_route_len 40,
    ai_route 44, ai_connect_len 48, ai_connect 52, ai_next 56);
