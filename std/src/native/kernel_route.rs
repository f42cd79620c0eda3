//! [`RouteQuery`] and [`KernelRoute`]: the route that the kernel would take.

use super::netlink::{self, Failure};
use netlink_packet_core::ParseableParametrized;
use netlink_packet_route::route::{
    RouteAddress, RouteAttribute, RouteFlags, RouteHeader, RouteLwEnCapType, RouteMessage, RouteMetric,
    RouteType, RouteVia,
};
use netlink_packet_route::{AddressFamily, RouteNetlinkMessage};
use rustix::io::Errno;
use std::fmt;
use std::net::IpAddr;
use std::time::Instant;

/// `IPPROTO_ICMP` and `IPPROTO_ICMPV6`.
const ICMP: u8 = 1;
const ICMP_V6: u8 = 58;

/// The length of a route message's header, `struct rtmsg`, in bytes.
const HEADER: usize = 12;

/// A question for the route to an address, as the kernel's connection manager asks it: of user 0, without a mark or ports.
/// The connection manager has no protocol, either; the question must have one, which is ICMP. Rules of ip-rule(8) that
/// select by ICMP may therefore decide otherwise for a connection.
///
/// ```
/// use rdma_addrinfo::{RouteKind, RouteQuery};
/// use std::net::Ipv4Addr;
///
/// let route = RouteQuery::new(Ipv4Addr::LOCALHOST).lookup(None).unwrap();
/// assert_eq!((route.kind, route.source), (RouteKind::Local, Some(Ipv4Addr::LOCALHOST.into())));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[must_use]
pub struct RouteQuery {
    destination: IpAddr,
    source: Option<IpAddr>,
    interface: Option<u32>,
    source_is_known: bool,
}

/// A route, as the kernel chose it.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub struct KernelRoute {
    /// The index of the interface that packets leave by: that of `lo` for an address of this host.
    pub interface: u32,
    /// The source that was asked for, else the one that the kernel would choose; `None` if it has none.
    pub source: Option<IpAddr>,
    /// The router; `None` if the destination is on the link.
    pub gateway: Option<IpAddr>,
    /// What kind of destination it is.
    pub kind: RouteKind,
    /// The MTU of the route in bytes, where that is set; else that of the interface counts.
    pub mtu: Option<u32>,
    /// Whether no route leads there: the kernel takes every IPv4 destination to be on the link of an interface that was
    /// [asked for](RouteQuery::with_interface).
    pub is_assumed: bool,
}

/// The kind of a route that leads somewhere.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum RouteKind {
    /// Another host.
    Unicast,
    /// An address of this host.
    Local,
    /// All hosts of a link.
    Broadcast,
    /// One of several hosts.
    Anycast,
    /// A group.
    Multicast,
    /// Another number (`RTN_*`).
    Other(u8),
}

impl RouteKind {
    fn of(kind: RouteType) -> Self {
        match kind {
            RouteType::Unicast => Self::Unicast,
            RouteType::Local => Self::Local,
            RouteType::Broadcast => Self::Broadcast,
            RouteType::Anycast => Self::Anycast,
            RouteType::Multicast => Self::Multicast,
            other => Self::Other(other.into()),
        }
    }
}

/// Why there is no route.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum NoKernelRoute {
    /// No route leads there (`ENETUNREACH`).
    NoRoute,
    /// A route of type `unreachable` (`EHOSTUNREACH`).
    Unreachable,
    /// A route of type `prohibit` (`EACCES`).
    Prohibited,
    /// A route of type `blackhole` (`EINVAL`).
    Blackhole,
    /// The source is not an address of this host.
    SourceNotLocal,
    /// There is no such interface (`ENODEV`).
    NoInterface,
    /// The kernel has no addresses of the family (`EAFNOSUPPORT`, `EOPNOTSUPP`).
    NoFamily,
    /// Another error of the kernel: its errno.
    Other(i32),
    /// The kernel could not be asked, such as where a sandbox refuses netlink(7): the errno.
    NotAsked(i32),
    /// The kernel did not answer by the deadline.
    TimedOut,
}

impl NoKernelRoute {
    /// The short name in the command's output.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::NoRoute => "no-route",
            Self::Unreachable => "unreachable",
            Self::Prohibited => "prohibited",
            Self::Blackhole => "blackhole",
            Self::SourceNotLocal => "source-not-local",
            Self::NoInterface => "no-interface",
            Self::NoFamily => "no-family",
            Self::Other(_) => "other",
            Self::NotAsked(_) => "not-asked",
            Self::TimedOut => "timed-out",
        }
    }
}

impl fmt::Display for NoKernelRoute {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NoRoute => "no route leads there",
            Self::Unreachable => "a route of type unreachable leads there",
            Self::Prohibited => "a route of type prohibit leads there",
            Self::Blackhole => "a route of type blackhole leads there",
            Self::SourceNotLocal => "the source is not an address of this host",
            Self::NoInterface => "there is no such interface",
            Self::NoFamily => "the kernel has no addresses of this family",
            Self::TimedOut => "the kernel did not answer in time",
            Self::Other(errno) => {
                return write!(f, "the kernel says {}", std::io::Error::from_raw_os_error(*errno));
            }
            Self::NotAsked(errno) => {
                let error = std::io::Error::from_raw_os_error(*errno);
                return write!(f, "the kernel could not be asked for the route: {error}");
            }
        })
    }
}

impl std::error::Error for NoKernelRoute {}

impl RouteQuery {
    /// A question for the route to this address.
    pub fn new(destination: impl Into<IpAddr>) -> Self {
        Self { destination: destination.into(), source: None, interface: None, source_is_known: false }
    }

    /// The same for packets from this address of this host.
    pub fn with_source(mut self, source: impl Into<Option<IpAddr>>) -> Self {
        self.source = source.into();
        self
    }

    /// The same for an address that is known to be one of this host: the kernel is not asked for it first.
    pub(crate) fn with_local_source(self, source: impl Into<Option<IpAddr>>) -> Self {
        Self { source_is_known: true, ..self.with_source(source) }
    }

    /// The same for packets that must leave by the interface with this index: a source interface, the zone of a
    /// link-local address. 0 is none.
    pub fn with_interface(mut self, index: impl Into<Option<u32>>) -> Self {
        self.interface = index.into().filter(|index| *index != 0);
        self
    }

    /// Asks the kernel, in this thread's network namespace at the first call of the process (see
    /// [`forget_kept`](crate::forget_kept)). No packet is sent. Without a deadline, one second is the limit.
    ///
    /// # Errors
    /// The kernel has no route, or could not be asked.
    #[doc(alias = "RTM_GETROUTE")]
    pub fn lookup(&self, deadline: impl Into<Option<Instant>>) -> Result<KernelRoute, NoKernelRoute> {
        let deadline = deadline.into();
        // What the kernel makes of a foreign source depends on family and version: its own answer to the first question
        // does not.
        if let Some(source) = self.source {
            // The same link-local address may be on several interfaces, of which this one counts.
            let is_link_local = matches!(source, IpAddr::V6(v6) if v6.is_unicast_link_local());
            let interface = self.interface.filter(|_| is_link_local);
            if !self.source_is_known && !Self::new(source).with_interface(interface).leads_here(deadline)? {
                return Err(NoKernelRoute::SourceNotLocal);
            }
        }
        self.ask(deadline)
    }

    /// Whether the destination is an address of this host.
    pub(crate) fn leads_here(&self, deadline: Option<Instant>) -> Result<bool, NoKernelRoute> {
        match self.ask(deadline) {
            Ok(route) => Ok(route.kind == RouteKind::Local),
            Err(
                error @ (NoKernelRoute::NotAsked(_) | NoKernelRoute::TimedOut | NoKernelRoute::NoInterface),
            ) => Err(error),
            Err(_) => Ok(false),
        }
    }

    fn ask(&self, deadline: Option<Instant>) -> Result<KernelRoute, NoKernelRoute> {
        let ask = |flags| {
            let question = RouteNetlinkMessage::GetRoute(self.message(flags));
            netlink::ask(question, deadline, |answer| self.read(answer))
        };
        // For the number of the table, which is 0 where no route was found.
        let answer = ask(RouteFlags::LookupTable);
        let is_invalid = |failure: &Failure| *failure == Failure::Answer(Errno::INVAL);
        answer.map_err(|failure| match failure {
            // A question may be invalid for other reasons; about the table alone, only a blackhole is.
            Failure::Answer(Errno::INVAL) if ask(RouteFlags::FibMatch).is_err_and(|it| is_invalid(&it)) => {
                NoKernelRoute::Blackhole
            }
            Failure::Answer(Errno::NETUNREACH) => NoKernelRoute::NoRoute,
            Failure::Answer(Errno::HOSTUNREACH) => NoKernelRoute::Unreachable,
            Failure::Answer(Errno::ACCESS) => NoKernelRoute::Prohibited,
            Failure::Answer(Errno::NODEV) => NoKernelRoute::NoInterface,
            Failure::Answer(Errno::AFNOSUPPORT | Errno::OPNOTSUPP) => NoKernelRoute::NoFamily,
            Failure::Answer(errno) => NoKernelRoute::Other(errno.raw_os_error()),
            Failure::NotAsked(errno) => NoKernelRoute::NotAsked(errno.raw_os_error()),
            Failure::TimedOut => NoKernelRoute::TimedOut,
        })
    }

    fn message(&self, flags: RouteFlags) -> RouteMessage {
        let length = |address: &IpAddr| if address.is_ipv4() { 32 } else { 128 };
        let mut message = RouteMessage::default();
        let header = &mut message.header;
        header.address_family =
            if self.destination.is_ipv4() { AddressFamily::Inet } else { AddressFamily::Inet6 };
        header.destination_prefix_length = length(&self.destination);
        header.source_prefix_length = self.source.as_ref().map_or(0, length);
        header.flags = flags;
        // The kernel takes no protocol for UDP, and rules that select by UDP are there for others. ICMP is the nearest to
        // none.
        let protocol = if self.destination.is_ipv4() { ICMP } else { ICMP_V6 };
        message.attributes = vec![
            RouteAttribute::Destination(self.destination.into()),
            RouteAttribute::IpProto(protocol),
            RouteAttribute::Uid(0),
        ];
        message.attributes.extend(self.source.map(|source| RouteAttribute::Source(source.into())));
        message.attributes.extend(self.interface.map(RouteAttribute::Oif));
        message
    }

    /// Reads the kernel's answer.
    fn read(&self, answer: &[u8]) -> Option<KernelRoute> {
        let header = RouteHeader::parse(answer).ok()?;
        let family = header.address_family;
        let mut route = KernelRoute {
            interface: 0,
            source: self.source,
            gateway: None,
            kind: RouteKind::of(header.kind),
            mtu: None,
            is_assumed: false,
        };
        let mut table = u32::from(header.table);
        for attribute in netlink::attributes(answer, HEADER) {
            match RouteAttribute::parse_with_param(&attribute, (family, header.kind, RouteLwEnCapType::None))
            {
                Ok(RouteAttribute::Oif(index)) => route.interface = index,
                Ok(RouteAttribute::PrefSource(source)) if self.source.is_none() => route.source = ip(&source),
                Ok(RouteAttribute::Gateway(gateway)) => route.gateway = ip(&gateway),
                Ok(RouteAttribute::Via(via)) => route.gateway = via_ip(&via),
                Ok(RouteAttribute::Table(number)) => table = number,
                Ok(RouteAttribute::Metrics(metrics)) => {
                    route.mtu = metrics.iter().find_map(|metric| match metric {
                        RouteMetric::Mtu(mtu) => Some(*mtu),
                        _ => None,
                    });
                }
                _ => {}
            }
        }
        route.is_assumed = family == AddressFamily::Inet
            && self.interface.is_some()
            && route.kind == RouteKind::Unicast
            && table == 0;
        (route.interface != 0).then_some(route)
    }
}

fn ip(address: &RouteAddress) -> Option<IpAddr> {
    match address {
        RouteAddress::Inet(v4) => Some((*v4).into()),
        RouteAddress::Inet6(v6) => Some((*v6).into()),
        _ => None,
    }
}

/// The router of another family.
fn via_ip(via: &RouteVia) -> Option<IpAddr> {
    match via {
        RouteVia::Inet(v4) => Some((*v4).into()),
        RouteVia::Inet6(v6) => Some((*v6).into()),
        _ => None,
    }
}

#[cfg(test)]
mod tests;
