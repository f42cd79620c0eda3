//! One entry of our own, as it lies in a [`Storage`](super::Storage).

use super::NoRoute;
use crate::sockaddr::SockAddrBuf;
use crate::types::{Family, Flags, PortSpace, QpType};

/// The length of connect data in bytes: the header of the IP addressing annex, `ib_connect_hdr` of librdmacm.
pub(crate) const CONNECT_DATA: usize = 36;

/// One address, with the results that are listed for it.
// The first fields are those of `rdma_addrinfo`, so that reading either is the same loads.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub(crate) struct Entry {
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
    /// Whether the storage's canonical name is this entry's.
    pub(crate) named: bool,
    pub(crate) listed: Listed,
}

/// Which results an entry stands for in the list, in their order.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Listed {
    Nothing,
    Entry,
    IbEntry(IbEntry),
    EntryThenIb(IbEntry),
    IbThenEntry(IbEntry),
}

/// What an AF_IB entry has other than the entry that it belongs to.
#[derive(Clone, Copy, Debug)]
pub(crate) struct IbEntry {
    pub(crate) src: SockAddrBuf,
    pub(crate) dst: SockAddrBuf,
    /// Private data to send before the user's own.
    pub(crate) connect: Option<[u8; CONNECT_DATA]>,
}

impl Entry {
    /// An entry without anything. A function, since a constant is copied with all its bytes, also where they mean
    /// nothing.
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
            named: false,
            listed: Listed::Entry,
        }
    }
}

impl Listed {
    /// The first result, if there is one: the entry itself (`None`), or the AF_IB entry.
    // Most entries list themselves alone, and are not looked at here.
    #[cold]
    #[inline(never)]
    pub(crate) const fn first(&self) -> Option<Option<&IbEntry>> {
        match self {
            Self::Entry | Self::EntryThenIb(_) => Some(None),
            Self::IbEntry(ib) | Self::IbThenEntry(ib) => Some(Some(ib)),
            Self::Nothing => None,
        }
    }

    /// The second result, in the same way.
    #[cold]
    #[inline(never)]
    pub(crate) const fn second(&self) -> Option<Option<&IbEntry>> {
        match self {
            Self::Entry | Self::IbEntry(_) | Self::Nothing => None,
            Self::EntryThenIb(ib) => Some(Some(ib)),
            Self::IbThenEntry(_) => Some(None),
        }
    }

    /// How many results these are.
    #[inline]
    pub(crate) const fn count(&self) -> usize {
        match self {
            Self::Nothing => 0,
            Self::Entry | Self::IbEntry(_) => 1,
            Self::EntryThenIb(_) | Self::IbThenEntry(_) => 2,
        }
    }
}
