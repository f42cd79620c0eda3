//! [`Hints`]: what the caller wants, from a const builder, from text, or from C.

mod foreign;
mod text;
mod transport;
mod validate;

#[cfg(test)]
mod tests;

pub use transport::Protocol;
pub(crate) use transport::Transport;

use crate::abi::rdma_addrinfo;
use crate::error::Error;
use crate::route::RouteHint;
use crate::sockaddr::SockAddrBuf;
use crate::types::{Family, Flags, PortSpace, QpType};

/// Hints of `rdma_getaddrinfo(3)`: what kind of service the caller supports.
///
/// Everything left out means "any". Hints are not checked while they are built; a resolution checks them by
/// its policy, and [`validate`](Self::validate) does so at once.
///
/// ```
/// use rdma_addrinfo_core::{Flags, Hints, PortSpace, QpType};
///
/// const HINTS: Hints<'_> =
///     Hints::new().with_flags(Flags::PASSIVE).with_qp_type(QpType::RC).with_port_space(PortSpace::TCP);
/// HINTS.validate()?;
/// assert_eq!(HINTS, Hints::parse("passive,qp=rc,ps=tcp")?);
/// # Ok::<(), rdma_addrinfo_core::Error>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[doc(alias = "rdma_addrinfo")]
pub struct Hints<'a> {
    flags: Flags,
    family: Family,
    transport: Transport,
    src: SockAddrBuf,
    dst: SockAddrBuf,
    route: &'a [u8],
}

impl<'a> Hints<'a> {
    /// Hints that leave everything open; the same as none at all, and as zeroed C hints.
    #[must_use]
    pub const fn new() -> Self {
        Self {
            flags: Flags::empty(),
            family: Family::UNSPEC,
            transport: Transport::new(QpType::ANY, PortSpace::ANY),
            src: SockAddrBuf::NONE,
            dst: SockAddrBuf::NONE,
            route: &[],
        }
    }

    /// Sets all flags.
    #[must_use]
    #[doc(alias = "ai_flags")]
    pub const fn with_flags(self, flags: Flags) -> Self {
        Self { flags, ..self }
    }

    /// Resolves for the passive (listening) side.
    #[must_use]
    #[doc(alias = "RAI_PASSIVE")]
    pub const fn passive(self) -> Self {
        let flags = self.flags.union(Flags::PASSIVE);
        self.with_flags(flags)
    }

    /// Takes numeric addresses only, so that nothing is looked up.
    #[must_use]
    #[doc(alias = "RAI_NUMERICHOST")]
    pub const fn numeric_host(self) -> Self {
        let flags = self.flags.union(Flags::NUMERIC_HOST);
        self.with_flags(flags)
    }

    /// Sets the address family of the answer.
    #[must_use]
    #[doc(alias = "ai_family")]
    pub const fn with_family(self, family: Family) -> Self {
        Self { family, ..self }
    }

    /// Sets the QP type.
    #[must_use]
    #[doc(alias = "ai_qp_type")]
    pub const fn with_qp_type(self, qp_type: QpType) -> Self {
        Self { transport: Transport::new(qp_type, self.transport.port_space()), ..self }
    }

    /// Sets the port space.
    #[must_use]
    #[doc(alias = "ai_port_space")]
    pub const fn with_port_space(self, port_space: PortSpace) -> Self {
        Self { transport: Transport::new(self.transport.qp_type(), port_space), ..self }
    }

    /// Sets the source address, to connect from; [`SockAddrBuf::NONE`] for none.
    ///
    /// It is copied into the answer, from which addresses of other families are then left out. Passive it is the
    /// address to listen on where there is no node; a node takes its place.
    #[must_use]
    #[doc(alias = "ai_src_addr")]
    pub const fn with_src_addr(self, src: SockAddrBuf) -> Self {
        Self { src, ..self }
    }

    /// Sets the destination address; [`SockAddrBuf::NONE`] for none.
    ///
    /// It stands where there is no node, with the port of the service if there is one. A node takes its place.
    #[must_use]
    #[doc(alias = "ai_dst_addr")]
    pub const fn with_dst_addr(self, dst: SockAddrBuf) -> Self {
        Self { dst, ..self }
    }

    /// Sets the route hint: 72·n bytes of `ibv_path_data`, or 64·n of `ibv_path_record`; empty for none.
    ///
    /// Its first path is part of the question for a route. Where there is neither a node nor an address, it tells
    /// both ends, and is the answer's route.
    #[must_use]
    #[doc(alias = "ai_route")]
    pub const fn with_route(self, route: &'a [u8]) -> Self {
        Self { route, ..self }
    }

    /// The flags.
    #[must_use]
    #[inline]
    pub const fn flags(&self) -> Flags {
        self.flags
    }

    /// The address family.
    #[must_use]
    #[inline]
    pub const fn family(&self) -> Family {
        self.family
    }

    /// The QP type.
    #[must_use]
    pub const fn qp_type(&self) -> QpType {
        self.transport.qp_type()
    }

    /// The port space.
    #[must_use]
    pub const fn port_space(&self) -> PortSpace {
        self.transport.port_space()
    }

    /// The source address.
    #[must_use]
    #[inline]
    pub const fn src_addr(&self) -> &SockAddrBuf {
        &self.src
    }

    /// The destination address.
    #[must_use]
    #[inline]
    pub const fn dst_addr(&self) -> &SockAddrBuf {
        &self.dst
    }

    /// The bytes of the route hint.
    #[must_use]
    #[inline]
    pub const fn route(&self) -> &'a [u8] {
        self.route
    }

    /// The hints as a C structure. Its pointers lead to these hints and to their route, and are mutable only because C
    /// declares them so.
    #[must_use]
    #[inline]
    #[doc(alias = "rdma_addrinfo")]
    pub fn to_c(&self) -> rdma_addrinfo {
        let (family, qp_type) = (self.family().to_raw(), self.qp_type().to_raw());
        let numbers = [self.flags().to_raw(), family, qp_type, self.port_space().to_raw()];
        let (src, dst) = (self.src_addr().as_bytes(), self.dst_addr().as_bytes());
        rdma_addrinfo::lend(numbers, src, dst, self.route())
    }

    /// Whether the address goes into the source.
    #[must_use]
    #[inline]
    pub const fn is_passive(&self) -> bool {
        self.flags.contains(Flags::PASSIVE)
    }

    /// QP type and port space.
    #[inline]
    pub(crate) const fn transport(&self) -> &Transport {
        &self.transport
    }

    /// The route hint, read.
    pub(crate) fn route_hint(&self) -> Result<Option<RouteHint<'a>>, Error> {
        if self.route.is_empty() { Ok(None) } else { RouteHint::from_bytes(self.route).map(Some) }
    }
}

impl Default for Hints<'_> {
    fn default() -> Self {
        Self::new()
    }
}
