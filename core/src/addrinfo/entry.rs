//! One result of our own, as it lies in a [`Storage`](super::Storage).

use super::NoRoute;
use crate::sockaddr::SockAddrBuf;
use crate::types::{Family, Flags, PortSpace, QpType};

/// The end of a chain of entries.
pub(crate) const NO_ENTRY: usize = usize::MAX;

/// The length of connect data in bytes: the header of the IP addressing annex, `ib_connect_hdr` of librdmacm.
pub(crate) const CONNECT_DATA: usize = 36;

/// One result, as it lies in a [`Storage`](super::Storage); [`AddrInfo`](super::AddrInfo) reads it.
// The first fields are those of `rdma_addrinfo`, so that reading either is the same loads.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Entry {
    pub(crate) flags: Flags,
    pub(crate) family: Family,
    pub(crate) qp_type: QpType,
    pub(crate) port_space: PortSpace,
    pub(crate) src: SockAddrBuf,
    pub(crate) dst: SockAddrBuf,
    /// First path and number of paths, in the storage.
    pub(crate) route: (usize, usize),
    /// Why a route was asked for in vain.
    pub(crate) no_route: Option<NoRoute>,
    /// Private data to send before the user's own.
    pub(crate) connect: Option<[u8; CONNECT_DATA]>,
    /// Whether the storage's canonical name is this entry's.
    pub(crate) named: bool,
    /// The entry that follows in the list, [`NO_ENTRY`] for none. Lists are chains, so that an entry can be put
    /// beside another without moving any.
    pub(crate) next: usize,
}

impl Entry {
    /// An entry without anything.
    pub const EMPTY: Self = Self::empty();

    /// The same; a constant is copied with all its bytes, also where they mean nothing.
    #[inline(always)]
    pub(crate) const fn empty() -> Self {
        Self {
            flags: Flags::empty(),
            family: Family::UNSPEC,
            qp_type: QpType::ANY,
            port_space: PortSpace::ANY,
            src: SockAddrBuf::NONE,
            dst: SockAddrBuf::NONE,
            route: (0, 0),
            no_route: None,
            connect: None,
            named: false,
            next: NO_ENTRY,
        }
    }
}

impl Default for Entry {
    fn default() -> Self {
        Self::EMPTY
    }
}
