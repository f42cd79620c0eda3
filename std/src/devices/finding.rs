//! [`Finding`]: what is wrong, or may be, with an entry.

use super::choice::{LocalGid, PortName};
use super::no_gid::NoUsableGid;
use super::of_entry::RdmaAddress;
use super::words::PortState;
use crate::native::NoKernelRoute;
use rdma_addrinfo_core::Pkey;
use std::fmt;
use std::net::IpAddr;

/// What was found about an entry before it is connected to, or listened on.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum Finding {
    /// The local address is not one of this host.
    NotLocal {
        /// The source, or the address to listen on.
        address: IpAddr,
    },
    /// The local address is a link-local one without a zone: rdma_bind_addr(3) refuses it with `EINVAL`.
    NoZone {
        /// The address.
        address: IpAddr,
    },
    /// The local address is on several interfaces. An address cannot say which one is meant: the connection manager takes
    /// the first that it finds.
    SeveralInterfaces {
        /// The address.
        address: IpAddr,
        /// The interfaces, in the kernel's order.
        netdevs: Vec<String>,
    },
    /// The kernel has no route to the destination.
    NoRoute {
        /// The destination.
        destination: IpAddr,
        /// The source, if one is known.
        source: Option<IpAddr>,
        /// Why, or of which type the route is.
        why: NoKernelRoute,
    },
    /// The route leaves by another interface than the one that has the source.
    OtherInterface {
        /// The destination.
        destination: IpAddr,
        /// The source.
        source: IpAddr,
        /// The interface of the route.
        netdev: String,
        /// The interfaces that have the source.
        own: Vec<String>,
    },
    /// No route leads to the destination by the interface that was asked for: the kernel takes it to be on that link.
    AssumedOnLink {
        /// The destination.
        destination: IpAddr,
        /// The interface.
        netdev: String,
    },
    /// The kernel could not be asked for the route.
    RouteNotAsked {
        /// Why.
        why: NoKernelRoute,
    },
    /// The name is one of this host, and leads to loopback, as `127.0.1.1` in hosts(5): others get another address for it.
    OwnName {
        /// The destination.
        destination: IpAddr,
    },
    /// The local address is on no RDMA port.
    NotRdma {
        /// Why there is no GID.
        why: NoUsableGid,
        /// The addresses on RDMA ports of this host that reach the destination.
        others: Vec<RdmaAddress>,
    },
    /// Several addresses on different RDMA ports share the destination's subnet, and no source was given: the kernel may
    /// choose another port than is wanted.
    SeveralSources {
        /// The addresses, in the kernel's order.
        sources: Vec<RdmaAddress>,
    },
    /// Other ports are as good as the one that was chosen by its name, such as those of two devices on one netdev.
    Tie {
        /// The one that was chosen.
        chosen: PortName,
        /// The others.
        others: Vec<PortName>,
    },
    /// The RDMA port is not active.
    PortDown {
        /// The port.
        port: PortName,
        /// Its state.
        state: PortState,
    },
    /// Packets of the port's path MTU do not fit: into its own netdev, or through the route.
    MtuTooSmall {
        /// The netdev.
        netdev: String,
        /// Its MTU, or that of the route, in bytes.
        mtu: u32,
        /// The path MTU of the port, in bytes.
        active: u32,
    },
    /// The destination is in another partition than the local netdev.
    OtherPartition {
        /// The P_Key of the netdev.
        local: Pkey,
        /// That of the destination, by which the kernel goes.
        destination: Pkey,
    },
    /// The deadline passed before all was looked at.
    TimedOut,
}

impl Finding {
    /// The short name of the finding in the command's output.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Self::NotLocal { .. } => "not-local",
            Self::NoZone { .. } => "no-zone",
            Self::SeveralInterfaces { .. } => "several-interfaces",
            Self::NoRoute { .. } => "no-route",
            Self::OtherInterface { .. } => "other-interface",
            Self::AssumedOnLink { .. } => "assumed-on-link",
            Self::RouteNotAsked { .. } => "route-not-asked",
            Self::OwnName { .. } => "own-name",
            Self::NotRdma { .. } => "not-rdma",
            Self::SeveralSources { .. } => "several-sources",
            Self::Tie { .. } => "tie",
            Self::PortDown { .. } => "port-down",
            Self::MtuTooSmall { .. } => "mtu-too-small",
            Self::OtherPartition { .. } => "other-partition",
            Self::TimedOut => "timed-out",
        }
    }

    /// Whether it means that a connection cannot work, or an address cannot be listened on.
    #[must_use]
    pub const fn is_fatal(&self) -> bool {
        matches!(
            self,
            Self::NotLocal { .. }
                | Self::NoZone { .. }
                | Self::NoRoute { .. }
                | Self::NotRdma { .. }
                | Self::PortDown { .. }
                | Self::OtherPartition { .. }
        )
    }

    /// The command that shows it, if there is one.
    #[must_use]
    pub fn command(&self) -> Option<String> {
        Some(match self {
            Self::NotLocal { address }
            | Self::NoZone { address }
            | Self::SeveralInterfaces { address, .. } => format!("ip address show to {address}"),
            Self::NoRoute { destination, source: None, .. } => format!("ip route get {destination}"),
            Self::NoRoute { destination, source: Some(source), .. }
            | Self::OtherInterface { destination, source, .. } => {
                format!("ip route get {destination} from {source}")
            }
            Self::AssumedOnLink { destination, netdev } => {
                format!("ip route get fibmatch {destination} oif {netdev}")
            }
            Self::OwnName { destination } => format!("getent hosts {destination}"),
            Self::PortDown { port, .. } => format!("rdma link show {}/{}", port.device, port.port),
            Self::MtuTooSmall { netdev, .. } => format!("ip link show dev {netdev}"),
            Self::NotRdma { .. } | Self::Tie { .. } | Self::SeveralSources { .. } => "rdma link show".into(),
            Self::OtherPartition { .. } | Self::RouteNotAsked { .. } | Self::TimedOut => return None,
        })
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotLocal { address } => write!(f, "{address} is not an address of this host"),
            Self::NoZone { address } => {
                write!(f, "{address} is link-local and has no zone, without which it cannot be bound to")
            }
            Self::SeveralInterfaces { address, netdevs } => {
                write!(
                    f,
                    "{address} is on {}, and the connection manager takes the first",
                    netdevs.join(" and ")
                )
            }
            Self::NoRoute { destination, source, why } => {
                write!(f, "{destination} cannot be reached")?;
                if let Some(source) = source {
                    write!(f, " from {source}")?;
                }
                write!(f, ": {why}")
            }
            Self::OtherInterface { destination, source, netdev, own } => {
                write!(
                    f,
                    "the route to {destination} leaves by {netdev}, and {source} is on {}",
                    own.join(", ")
                )
            }
            Self::AssumedOnLink { destination, netdev } => {
                write!(f, "no route leads to {destination} by {netdev}: it is taken to be on that link")
            }
            Self::RouteNotAsked { why } => write!(f, "{why}"),
            Self::OwnName { destination } => {
                write!(f, "the name is that of this host, and leads to loopback ({destination})")
            }
            Self::NotRdma { why, others } => {
                write!(f, "{why}")?;
                list(f, "; on RDMA ports that reach the destination: ", others)
            }
            Self::SeveralSources { sources } => {
                f.write_str("no source was given, and several RDMA ports share the destination's subnet")?;
                list(f, ": ", sources)
            }
            Self::Tie { chosen, others } => {
                write!(f, "{chosen} was chosen by its name; as good:")?;
                others.iter().try_for_each(|other| write!(f, " {other}"))
            }
            Self::PortDown { port, state } => write!(f, "{port} is {state}"),
            Self::MtuTooSmall { netdev, mtu, active } => {
                write!(f, "the MTU of {mtu} on {netdev} is too small for the path MTU of the port, {active}")
            }
            Self::OtherPartition { local, destination } => {
                write!(f, "the destination is in partition {destination}, the local netdev in {local}")
            }
            Self::TimedOut => f.write_str("the time limit passed before all was looked at"),
        }
    }
}

fn list(f: &mut fmt::Formatter<'_>, before: &str, addresses: &[RdmaAddress]) -> fmt::Result {
    for (number, RdmaAddress { address, netdev, gid, .. }) in addresses.iter().enumerate() {
        let LocalGid { device, port, .. } = gid;
        write!(f, "{}{address} ({netdev}, {device} port {port})", if number == 0 { before } else { ", " })?;
    }
    Ok(())
}
