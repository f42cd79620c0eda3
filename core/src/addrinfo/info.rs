//! One result, whichever memory it lies in.

use super::{Entry, IbEntry, Lent, NoRoute, RouteStatus};
use crate::abi::rdma_addrinfo;
use crate::foreign::RawAddrInfo;
use crate::route::{PathData, paths_from_bytes};
use crate::sockaddr::{SockAddrBuf, SockAddrRef};
use crate::types::{Family, Flags, PortSpace, QpType};
use core::ffi::CStr;
use core::fmt;

/// One result of a resolution: everything that a connection needs.
///
/// A [`Copy`] view that borrows the memory of its list: what it leads to is not copied. So it can be kept as long as
/// that memory,
/// ```
/// # use rdma_addrinfo_core::{Results, resolve_literal};
/// let mut results = Results::<4>::new();
/// let info = resolve_literal("192.0.2.7", "7471", None, &mut results)?.first().unwrap();
/// assert_eq!(info.dst_addr().unwrap().port(), 7471);
/// drop(results);
/// # Ok::<(), rdma_addrinfo_core::Error>(())
/// ```
/// and no longer.
/// ```compile_fail,E0505
/// # use rdma_addrinfo_core::{Results, resolve_literal};
/// let mut results = Results::<4>::new();
/// let info = resolve_literal("192.0.2.7", "7471", None, &mut results)?.first().unwrap();
/// drop(results);
/// assert_eq!(info.dst_addr().unwrap().port(), 7471);
/// # Ok::<(), rdma_addrinfo_core::Error>(())
/// ```
/// What it leads to, an address or a route, has the same lifetime.
/// ```compile_fail,E0505
/// # use rdma_addrinfo_core::{Results, resolve_literal};
/// let mut results = Results::<4>::new();
/// let info = resolve_literal("192.0.2.7", "7471", None, &mut results)?.first().unwrap();
/// let address = info.dst_addr().unwrap();
/// drop(results);
/// assert_eq!(address.port(), 7471);
/// # Ok::<(), rdma_addrinfo_core::Error>(())
/// ```
#[derive(Clone, Copy)]
#[doc(alias = "rdma_addrinfo")]
pub struct AddrInfo<'a> {
    // What every reader asks for is settled once, whichever memory it lies in: a getter is a load.
    flags: Flags,
    family: Family,
    qp_type: QpType,
    port_space: PortSpace,
    // The rest is read when it is asked for.
    rest: Rest<'a>,
}

/// Where the rest of a result lies.
// With a tag of its own: in the null of a pointer it would be looked for again in each getter.
#[derive(Clone, Copy)]
#[repr(u8)]
enum Rest<'a> {
    /// In a C structure.
    Raw(RawAddrInfo<'a>),
    Own(OwnEntry<'a>),
}

/// An entry of our own, or the AF_IB entry that belongs to it.
#[derive(Clone, Copy)]
struct OwnEntry<'a> {
    entry: &'a Entry,
    ib_entry: Option<&'a IbEntry>,
    shared: &'a dyn Lent,
}

impl<'a> AddrInfo<'a> {
    /// The view of a C structure.
    #[must_use]
    #[inline]
    pub fn from_raw(foreign: RawAddrInfo<'a>) -> Self {
        Self {
            flags: foreign.flags(),
            family: foreign.family(),
            qp_type: foreign.qp_type(),
            port_space: foreign.port_space(),
            rest: Rest::Raw(foreign),
        }
    }

    /// The view of an entry, or of the AF_IB entry that belongs to it.
    #[inline]
    pub(super) fn own(entry: &'a Entry, ib_entry: Option<&'a IbEntry>, shared: &'a dyn Lent) -> Self {
        Self {
            flags: entry.flags,
            family: if ib_entry.is_none() { entry.family } else { Family::IB },
            qp_type: entry.qp_type,
            port_space: entry.port_space,
            rest: Rest::Own(OwnEntry { entry, ib_entry, shared }),
        }
    }

    /// The C structure, where this is a view of one.
    #[must_use]
    pub const fn as_raw(&self) -> Option<RawAddrInfo<'a>> {
        match self.rest {
            Rest::Raw(foreign) => Some(foreign),
            Rest::Own(_) => None,
        }
    }

    /// The flags.
    #[must_use]
    #[inline]
    #[doc(alias = "ai_flags")]
    pub const fn flags(&self) -> Flags {
        self.flags
    }

    /// The address family.
    #[must_use]
    #[inline]
    #[doc(alias = "ai_family")]
    pub const fn family(&self) -> Family {
        self.family
    }

    /// The QP type to make.
    #[must_use]
    #[inline]
    #[doc(alias = "ai_qp_type")]
    pub const fn qp_type(&self) -> QpType {
        self.qp_type
    }

    /// The port space to make a `rdma_cm_id` in.
    #[must_use]
    #[inline]
    #[doc(alias = "ai_port_space")]
    pub const fn port_space(&self) -> PortSpace {
        self.port_space
    }

    /// The address of the local RDMA device: to listen on if passive, else to connect from, `None` where none
    /// is known.
    #[must_use]
    #[inline]
    #[doc(alias = "ai_src_addr")]
    #[doc(alias = "ai_src_len")]
    pub fn src_addr(&self) -> Option<SockAddrRef<'a>> {
        match self.rest {
            Rest::Own(own) => own.src().get(),
            Rest::Raw(foreign) => foreign.src_addr(),
        }
    }

    /// The address to connect to; absent if passive.
    #[must_use]
    #[inline]
    #[doc(alias = "ai_dst_addr")]
    #[doc(alias = "ai_dst_len")]
    pub fn dst_addr(&self) -> Option<SockAddrRef<'a>> {
        match self.rest {
            Rest::Own(own) => own.dst().get(),
            Rest::Raw(foreign) => foreign.dst_addr(),
        }
    }

    /// The bytes of the source as a C socket address, to hand to C; empty where there is none. Those of librdmacm are
    /// as many as it says.
    #[must_use]
    #[inline]
    pub fn src_bytes(&self) -> &'a [u8] {
        match self.rest {
            Rest::Own(own) => own.src().as_bytes(),
            Rest::Raw(foreign) => foreign.src_bytes().unwrap_or(&[]),
        }
    }

    /// The bytes of the destination, as those of the [source](Self::src_bytes).
    #[must_use]
    #[inline]
    pub fn dst_bytes(&self) -> &'a [u8] {
        match self.rest {
            Rest::Own(own) => own.dst().as_bytes(),
            Rest::Raw(foreign) => foreign.dst_bytes().unwrap_or(&[]),
        }
    }

    /// The canonical name of the source, where it was asked for and this is a passive entry.
    #[must_use]
    #[inline]
    #[doc(alias = "ai_src_canonname")]
    pub fn src_canonname(&self) -> Option<&'a CStr> {
        match self.rest {
            Rest::Own(own) => own.name().filter(|_| self.is_passive()),
            Rest::Raw(foreign) => foreign.src_canonname(),
        }
    }

    /// The canonical name of the destination, where it was asked for.
    #[must_use]
    #[inline]
    #[doc(alias = "ai_dst_canonname")]
    pub fn dst_canonname(&self) -> Option<&'a CStr> {
        match self.rest {
            Rest::Own(own) => own.name().filter(|_| !self.is_passive()),
            Rest::Raw(foreign) => foreign.dst_canonname(),
        }
    }

    /// The paths from source to destination, empty where the transport needs none or none is known;
    /// [`route_status`](Self::route_status) says which.
    ///
    /// Bytes of librdmacm's that are no array of `ibv_path_data` are no paths, with the status
    /// [`RouteStatus::Malformed`]; [`route_bytes`](Self::route_bytes) has them as they are.
    #[must_use]
    #[inline]
    #[doc(alias = "ai_route")]
    #[doc(alias = "ai_route_len")]
    pub fn route(&self) -> &'a [PathData] {
        match self.rest {
            Rest::Own(own) => own.route(),
            Rest::Raw(foreign) => match foreign.route_bytes() {
                [] => &[],
                bytes => paths_from_bytes(bytes).unwrap_or(&[]),
            },
        }
    }

    /// The bytes of the route, to hand to `rdma_set_option`.
    #[must_use]
    #[inline]
    pub fn route_bytes(&self) -> &'a [u8] {
        match self.rest {
            Rest::Own(own) => zerocopy::IntoBytes::as_bytes(own.route()),
            Rest::Raw(foreign) => foreign.route_bytes(),
        }
    }

    /// What became of the question for a route. A result of librdmacm only tells whether it has one.
    #[must_use]
    pub fn route_status(&self) -> RouteStatus {
        match self.rest {
            Rest::Own(own) => match (own.route(), own.entry.no_route) {
                ([], None) => RouteStatus::NotAsked,
                ([], Some(reason)) => RouteStatus::Missing(reason),
                _ => RouteStatus::Found,
            },
            Rest::Raw(foreign) => match paths_from_bytes(foreign.route_bytes()) {
                Ok([]) => RouteStatus::Missing(NoRoute::Unavailable),
                Ok(_) => RouteStatus::Found,
                Err(_) => RouteStatus::Malformed,
            },
        }
    }

    /// Private data that must be sent before the user's own when connecting; empty where none is needed.
    #[must_use]
    #[inline]
    #[doc(alias = "ai_connect")]
    #[doc(alias = "ai_connect_len")]
    pub fn connect_data(&self) -> &'a [u8] {
        match self.rest {
            Rest::Own(own) => own.ib_entry.and_then(|ib| ib.connect.as_ref()).map_or(&[], |data| data),
            Rest::Raw(foreign) => foreign.connect_data(),
        }
    }

    /// The result as a C structure, `ai_next` null. Its pointers lead to where the result lies, and are mutable only
    /// because C declares them so.
    #[must_use]
    #[doc(alias = "rdma_addrinfo")]
    #[inline]
    pub fn to_c(&self) -> rdma_addrinfo {
        let (family, qp_type) = (self.family.to_raw(), self.qp_type.to_raw());
        let numbers = [self.flags.to_raw(), family, qp_type, self.port_space.to_raw()];
        rdma_addrinfo::lend(numbers, self.src_bytes(), self.dst_bytes(), self.route_bytes()).with(
            self.connect_data(),
            self.src_canonname(),
            self.dst_canonname(),
        )
    }

    /// Whether this is for the passive side.
    #[must_use]
    pub const fn is_passive(&self) -> bool {
        self.flags().contains(Flags::PASSIVE)
    }

    /// Whether the address is link-local and has no zone. The kernel then picks a port by itself, perhaps the
    /// wrong one, and refuses such a source.
    #[must_use]
    pub fn needs_scope(&self) -> bool {
        [self.src_addr(), self.dst_addr()].iter().flatten().any(SockAddrRef::needs_scope)
    }

    /// How many bytes of private data are left for the user when connecting, behind
    /// [`connect_data`](Self::connect_data); `None` in a port space that is not known.
    ///
    /// The communication manager's messages carry 92 bytes in connected port spaces and 216 in datagram ones.
    /// 36 of them are the header with the IP addresses, which the kernel adds for IP entries and connect data
    /// is for AF_IB ones.
    #[must_use]
    pub fn user_private_data(&self) -> Option<usize> {
        let header = self.family() != Family::IB || !self.connect_data().is_empty();
        match self.port_space() {
            PortSpace::TCP | PortSpace::IB => Some(if header { 56 } else { 92 }),
            PortSpace::UDP | PortSpace::IPOIB => Some(if header { 180 } else { 216 }),
            _ => None,
        }
    }
}

impl<'a> OwnEntry<'a> {
    #[inline]
    fn src(self) -> &'a SockAddrBuf {
        self.ib_entry.map_or(&self.entry.src, |ib| &ib.src)
    }

    #[inline]
    fn dst(self) -> &'a SockAddrBuf {
        self.ib_entry.map_or(&self.entry.dst, |ib| &ib.dst)
    }

    #[inline]
    fn name(self) -> Option<&'a CStr> {
        if self.entry.named { self.shared.name() } else { None }
    }

    #[inline]
    fn route(self) -> &'a [PathData] {
        match self.entry.route {
            (_, 0) => &[],
            (start, len) => self.shared.paths().get(start..start.saturating_add(len)).unwrap_or(&[]),
        }
    }
}

impl fmt::Debug for AddrInfo<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
