//! The devices of results: the port of each entry's local address, and warnings about ambiguous choices.

use super::choice::LocalGid;
use super::no_gid::NoUsableGid;
use super::problem::Problem;
use super::{Devices, InterfaceAddress};
use rdma_addrinfo_core::{AddrInfo, Gid, SockAddrRef};
use std::fmt;
use std::net::IpAddr;

/// Which RDMA port the local address of an entry is on.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum LocalPort {
    /// No local address is known, or it is a wildcard, which is on any port.
    NoAddress,
    /// This GID.
    Gid(LocalGid),
    /// No usable GID.
    NotUsable(NoUsableGid),
}

impl LocalPort {
    /// Device, port and GID, if found.
    #[must_use]
    pub const fn gid(&self) -> Option<&LocalGid> {
        match self {
            Self::Gid(gid) => Some(gid),
            _ => None,
        }
    }
}

impl fmt::Display for LocalPort {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoAddress => f.write_str("any: no local address is known"),
            Self::Gid(gid) => fmt::Display::fmt(gid, f),
            Self::NotUsable(why) => fmt::Display::fmt(why, f),
        }
    }
}

/// An address of an interface that is on an RDMA port.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub struct RdmaAddress {
    /// The address.
    pub address: IpAddr,
    /// The interface.
    pub netdev: String,
    /// Device, port and GID.
    pub gid: LocalGid,
}

/// A warning about the results.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum Warning {
    /// Several addresses on RDMA ports are on the destination's subnet, and no source was given: the kernel may choose
    /// the wrong port.
    SeveralSources {
        /// The destination.
        destination: IpAddr,
        /// The addresses, in the kernel's order.
        sources: Vec<RdmaAddress>,
    },
    /// A part of the devices could not be read; what depends on it is missing.
    Unreadable(Problem),
}

impl Warning {
    /// The short name of the warning in the command's output.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Self::SeveralSources { .. } => "several-sources",
            Self::Unreadable(_) => "unreadable",
        }
    }
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::SeveralSources { destination, sources } => {
                write!(
                    f,
                    "several RDMA addresses share the subnet of {destination}, and no source was given: "
                )?;
                for (number, source) in sources.iter().enumerate() {
                    let comma = if number == 0 { "" } else { ", " };
                    let LocalGid { device, port, .. } = &source.gid;
                    write!(f, "{comma}{} ({}, {device} port {port})", source.address, source.netdev)?;
                }
                Ok(())
            }
            Self::Unreadable(problem) => write!(f, "the devices could not be read in full: {problem}"),
        }
    }
}

impl Devices {
    /// The port of an entry's local address, which is the source on the active side, and the address to listen on
    /// otherwise. `netdev` is the outgoing network interface of the route to the destination, if known; the zone of a
    /// link-local address takes precedence.
    ///
    /// ```
    /// use rdma_addrinfo::devices::{Devices, LocalPort};
    /// use rdma_addrinfo::{Results, Resolver};
    ///
    /// let mut results = Results::<4>::new();
    /// let list = Resolver::new().resolve_into("127.0.0.1", "7471", None, &mut results)?;
    /// let devices = Devices::read();
    /// match devices.local_port(&list.first().unwrap(), None) {
    ///     LocalPort::Gid(gid) => println!("{gid}"),
    ///     // For example: no usable GID for 127.0.0.1 on lo: it is not on an RDMA port
    ///     other => println!("{other}"),
    /// }
    /// # Ok::<(), rdma_addrinfo::Error>(())
    /// ```
    #[must_use]
    pub fn local_port(&self, entry: &AddrInfo<'_>, netdev: Option<&str>) -> LocalPort {
        let Some(address) = entry.src_addr() else { return LocalPort::NoAddress };
        let found = match (address.ip(), address.gid()) {
            (Some(ip), _) if ip.is_unspecified() => return LocalPort::NoAddress,
            (Some(ip), _) => self.find(ip, self.netdev_of_zone(address).as_deref().or(netdev)),
            (None, Some(Gid::UNSPECIFIED) | None) => return LocalPort::NoAddress,
            (None, Some(gid)) => self.find_gid(gid, netdev),
        };
        match found {
            Ok(gid) => LocalPort::Gid(gid),
            Err(why) => LocalPort::NotUsable(why),
        }
    }

    /// The name of the interface of a link-local address's zone; if no interface here has that zone, a text that cannot be
    /// a name. `None` for other addresses, whose zone the kernel ignores.
    fn netdev_of_zone(&self, address: SockAddrRef<'_>) -> Option<String> {
        let scope = address.scope_id();
        let is_link_local = matches!(address.ip(), Some(IpAddr::V6(v6)) if v6.is_unicast_link_local());
        if scope == 0 || !is_link_local || self.addresses().is_empty() {
            return None;
        }
        let own = self.addresses().iter().find(|own| u64::from(own.scope_id) == scope);
        Some(own.map_or_else(|| format!("interface {scope}"), |own| own.netdev.clone()))
    }

    /// The warnings for results with these destinations and their zones (0 for none), if no source was given: several
    /// possible sources, and parts that could not be read.
    #[must_use]
    pub fn warnings(&self, destinations: &[(IpAddr, u64)]) -> Vec<Warning> {
        let unclear = destinations.iter().filter_map(|(destination, scope)| {
            let sources = self.sources_for(*destination, *scope);
            (sources.len() > 1).then_some(Warning::SeveralSources { destination: *destination, sources })
        });
        unclear.chain(self.problems().iter().cloned().map(Warning::Unreadable)).collect()
    }

    /// The addresses on RDMA ports in the destination's subnet, in the kernel's order: each can send to it without a
    /// router. `scope` is the index of a link-local destination's interface, 0 for none. The result is empty if the
    /// destination is an address of this machine, which is its own source.
    #[must_use]
    pub fn sources_for(&self, destination: IpAddr, scope: u64) -> Vec<RdmaAddress> {
        let destination = destination.to_canonical();
        if self.addresses().iter().any(|own| own.address == destination) {
            return Vec::new();
        }
        let on_link = |own: &&InterfaceAddress| {
            own.shares_subnet(destination)
                && (scope == 0 || own.scope_id == 0 || u64::from(own.scope_id) == scope)
        };
        let rdma = |own: &InterfaceAddress| {
            let gid = self.find(own.address, Some(&own.netdev)).ok()?;
            Some(RdmaAddress { address: own.address, netdev: own.netdev.clone(), gid })
        };
        self.addresses().iter().filter(on_link).filter_map(rdma).collect()
    }
}
