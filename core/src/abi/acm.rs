//! The messages of ibacm, the InfiniBand communication manager assistant, under their C names.
//!
//! Source: `<infiniband/acm.h>` of rdma-core. Messages about addresses and routes ([`ACM_OP_RESOLVE`]) are in native
//! byte order but for the addresses and paths in them; the other operations are in network byte order.

use zerocopy::{FromBytes, Immutable, IntoBytes, KnownLayout, Unaligned, native_endian};

/// The version of the protocol.
pub const ACM_VERSION: u8 = 1;

/// Resolve addresses to a route.
pub const ACM_OP_RESOLVE: u8 = 0x01;
/// Ask for performance counters.
pub const ACM_OP_PERF_QUERY: u8 = 0x02;
/// Ask for end points.
pub const ACM_OP_EP_QUERY: u8 = 0x03;
/// Set in a reply, beside the operation.
pub const ACM_OP_ACK: u8 = 0x80;

/// Success.
pub const ACM_STATUS_SUCCESS: u8 = 0;
/// Out of memory.
pub const ACM_STATUS_ENOMEM: u8 = 1;
/// Invalid message.
pub const ACM_STATUS_EINVAL: u8 = 2;
/// No such data.
pub const ACM_STATUS_ENODATA: u8 = 3;
/// No connection to the fabric.
pub const ACM_STATUS_ENOTCONN: u8 = 5;
/// No answer from the fabric.
pub const ACM_STATUS_ETIMEDOUT: u8 = 6;
/// The source address is not of this host.
pub const ACM_STATUS_ESRCADDR: u8 = 7;
/// The source is of a type that is not known.
pub const ACM_STATUS_ESRCTYPE: u8 = 8;
/// The destination address is not known.
pub const ACM_STATUS_EDESTADDR: u8 = 9;
/// The destination is of a type that is not known.
pub const ACM_STATUS_EDESTTYPE: u8 = 10;

/// A name: 64 bytes, NUL-terminated if it is shorter.
pub const ACM_EP_INFO_NAME: u16 = 0x0001;
/// An IPv4 address: 4 bytes.
pub const ACM_EP_INFO_ADDRESS_IP: u16 = 0x0002;
/// An IPv6 address: 16 bytes.
pub const ACM_EP_INFO_ADDRESS_IP6: u16 = 0x0003;
/// A path: an [`ibv_path_record`](super::ibv_path_record).
pub const ACM_EP_INFO_PATH: u16 = 0x0010;

/// The address is the source.
pub const ACM_EP_FLAG_SOURCE: u32 = 1;
/// The address is the destination.
pub const ACM_EP_FLAG_DEST: u32 = 1 << 1;
/// Answer with what is known; start nothing lengthy.
pub const ACM_FLAGS_NODELAY: u32 = 1 << 30;
/// Ask the subnet administrator.
pub const ACM_FLAGS_QUERY_SA: u32 = 1 << 31;

/// The length of a message's header.
pub const ACM_MSG_HDR_LENGTH: usize = 16;
/// The length of an entry.
pub const ACM_MSG_EP_LENGTH: usize = 72;
/// The most entries that a message has room for.
pub const ACM_MAX_ENTRIES: usize = 8;

/// The header of a message, 16 bytes.
#[derive(
    FromBytes, IntoBytes, KnownLayout, Immutable, Unaligned, Clone, Copy, PartialEq, Eq, Hash, Debug, Default,
)]
#[repr(C)]
pub struct acm_hdr {
    /// [`ACM_VERSION`].
    pub version: u8,
    /// An `ACM_OP_` value.
    pub opcode: u8,
    /// An `ACM_STATUS_` value, in replies.
    pub status: u8,
    /// Data of other operations.
    pub data: [u8; 3],
    /// Length of the message in bytes, this header included.
    pub length: native_endian::U16,
    /// Transaction id, which a reply repeats.
    pub tid: native_endian::U64,
}

/// An entry of a message, 72 bytes, as long as an [`ibv_path_data`](super::ibv_path_data).
#[derive(
    FromBytes, IntoBytes, KnownLayout, Immutable, Unaligned, Clone, Copy, PartialEq, Eq, Hash, Debug,
)]
#[repr(C)]
pub struct acm_ep_addr_data {
    /// `ACM_EP_FLAG_` and `ACM_FLAGS_` bits of addresses, `IBV_PATH_FLAG_` bits of paths in replies.
    pub flags: native_endian::U32,
    /// An `ACM_EP_INFO_` value.
    pub r#type: native_endian::U16,
    /// Reserved.
    pub reserved: native_endian::U16,
    /// What the type says, from the start; the rest is zero.
    pub info: [u8; 64],
}

layout!(acm_hdr: 16, 1; version 0, opcode 1, status 2, data 3, length 6, tid 8);
layout!(acm_ep_addr_data: 72, 1; flags 0, r#type 4, reserved 6, info 8);
