//! The devices of results: the port of each entry's local address.

use super::Devices;
use super::choice::LocalGid;
use super::index::Index;
use super::no_gid::NoUsableGid;
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
    /// The index of the interface where the address is an IPv6 link-local one, else 0.
    pub scope_id: u32,
    /// Device, port and GID.
    pub gid: LocalGid,
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
        Index::new(self).local_port(entry, self.first_name(netdev).as_deref())
    }

    /// The addresses on RDMA ports in the destination's subnet, in the kernel's order: each can send to it without a
    /// router. `scope` is the index of a link-local destination's interface, 0 for none. The result is empty if the
    /// destination is an address of this machine, which is its own source.
    #[must_use]
    pub fn sources_for(&self, destination: IpAddr, scope: u32) -> Vec<RdmaAddress> {
        self.check().sources_for(destination.to_canonical(), scope)
    }
}

impl Index<'_> {
    /// See [`Devices::local_port`].
    pub(super) fn local_port(&self, entry: &AddrInfo<'_>, netdev: Option<&str>) -> LocalPort {
        let Some(address) = entry.src_addr() else { return LocalPort::NoAddress };
        let found = match (address.ip(), address.gid()) {
            (Some(ip), _) if ip.is_unspecified() => return LocalPort::NoAddress,
            (Some(ip), _) => self.find(ip, self.own_netdev_of(address).as_deref().or(netdev)),
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
    fn own_netdev_of(&self, address: SockAddrRef<'_>) -> Option<String> {
        let scope = address.scope_id();
        let is_link_local = matches!(address.ip(), Some(IpAddr::V6(v6)) if v6.is_unicast_link_local());
        if scope == 0 || !is_link_local || self.devices.addresses().is_empty() {
            return None;
        }
        let own = self.netdev_of_zone(scope);
        Some(own.map_or_else(|| format!("interface {scope}"), str::to_owned))
    }
}
