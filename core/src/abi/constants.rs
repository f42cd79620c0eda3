//! Constants under their C names.

use core::ffi::c_int;

/// No address family: any.
pub const AF_UNSPEC: c_int = 0;
/// IPv4, [`sockaddr_in`](super::sockaddr_in).
pub const AF_INET: c_int = 2;
/// IPv6, [`sockaddr_in6`](super::sockaddr_in6).
pub const AF_INET6: c_int = 10;
/// Native InfiniBand, [`sockaddr_ib`](super::sockaddr_ib).
pub const AF_IB: c_int = 27;

/// The results will be used on the passive (listening) side.
pub const RAI_PASSIVE: u32 = 0x1;
/// The node is a numeric address; nothing is looked up.
pub const RAI_NUMERICHOST: u32 = 0x2;
/// No lengthy route resolution.
pub const RAI_NOROUTE: u32 = 0x4;
/// `ai_family` says how to read the node.
pub const RAI_FAMILY: u32 = 0x8;
/// Ask the InfiniBand subnet administrator (rdma-core 60 and later).
pub const RAI_SA: u32 = 0x10;
/// Ask DNS, the default (rdma-core 60 and later).
pub const RAI_DNS: u32 = 0x20;
/// Private to librdmacm, which sets it when `rdma_resolve_route` asks for a route: no AF_IB entry.
pub const RAI_ROUTEONLY: u32 = 0x0100_0000;

/// Reliable connected.
pub const IBV_QPT_RC: c_int = 2;
/// Unreliable connected.
pub const IBV_QPT_UC: c_int = 3;
/// Unreliable datagram.
pub const IBV_QPT_UD: c_int = 4;
/// Raw packets.
pub const IBV_QPT_RAW_PACKET: c_int = 8;
/// Extended reliable connected, initiator.
pub const IBV_QPT_XRC_SEND: c_int = 9;
/// Extended reliable connected, target.
pub const IBV_QPT_XRC_RECV: c_int = 10;
/// Defined by the device's driver.
pub const IBV_QPT_DRIVER: c_int = 255;

/// IP over InfiniBand.
pub const RDMA_PS_IPOIB: c_int = 0x0002;
/// Reliable, connection-oriented.
pub const RDMA_PS_TCP: c_int = 0x0106;
/// Unreliable datagrams.
pub const RDMA_PS_UDP: c_int = 0x0111;
/// Any InfiniBand service.
pub const RDMA_PS_IB: c_int = 0x013f;

/// Bits of a service ID that hold the port space of an IP service.
pub const RDMA_IB_IP_PS_MASK: u64 = 0xffff_ffff_ffff_0000;
/// Bits of a service ID that hold the port of an IP service.
pub const RDMA_IB_IP_PORT_MASK: u64 = 0x0000_0000_0000_ffff;

/// Path for general management packets.
pub const IBV_PATH_FLAG_GMP: u32 = 1;
/// Primary path.
pub const IBV_PATH_FLAG_PRIMARY: u32 = 1 << 1;
/// Alternate path.
pub const IBV_PATH_FLAG_ALTERNATE: u32 = 1 << 2;
/// Path from here to there.
pub const IBV_PATH_FLAG_OUTBOUND: u32 = 1 << 3;
/// Path from there to here.
pub const IBV_PATH_FLAG_INBOUND: u32 = 1 << 4;
/// Reversed, the path leads from there to here.
pub const IBV_PATH_FLAG_INBOUND_REVERSE: u32 = 1 << 5;

/// Invalid `ai_flags`.
pub const EAI_BADFLAGS: c_int = -1;
/// The node or the service is not known.
pub const EAI_NONAME: c_int = -2;
/// The name server failed temporarily.
pub const EAI_AGAIN: c_int = -3;
/// The name server failed permanently.
pub const EAI_FAIL: c_int = -4;
/// The name exists and has no address.
pub const EAI_NODATA: c_int = -5;
/// The address family is not supported.
pub const EAI_FAMILY: c_int = -6;
/// The socket type is not supported.
pub const EAI_SOCKTYPE: c_int = -7;
/// What the manual page calls the error of an unsupported QP type; no header defines it.
pub const EAI_QPTYPE: c_int = EAI_SOCKTYPE;
/// The service is not available for the socket type.
pub const EAI_SERVICE: c_int = -8;
/// The name has no address of the family.
pub const EAI_ADDRFAMILY: c_int = -9;
/// Out of memory.
pub const EAI_MEMORY: c_int = -10;
/// A system error: see `errno`.
pub const EAI_SYSTEM: c_int = -11;
/// A buffer was too small.
pub const EAI_OVERFLOW: c_int = -12;

/// No such file or directory: RAI_SA found no InfiniBand port.
pub const ENOENT: c_int = 2;
/// Out of memory.
pub const ENOMEM: c_int = 12;
/// No such device: there is no RDMA device.
pub const ENODEV: c_int = 19;
/// Invalid argument.
pub const EINVAL: c_int = 22;
/// Not supported; its number on most architectures.
pub const EOPNOTSUPP: c_int = 95;
/// Timed out; its number on most architectures.
pub const ETIMEDOUT: c_int = 110;
