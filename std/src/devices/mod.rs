//! RDMA devices of this machine: their ports, their GIDs, and which GID a local address has.
//!
//! [`Devices`] is a snapshot of sysfs and the interfaces. [`find`](Devices::find) returns the device, port and index of
//! the GID of a local address, [`best`](Devices::best) those to use if no address is given. Of several GIDs that match,
//! these ranks choose one, independent of their order in the table:
//!
//! | rank | first | then | why |
//! |---|---|---|---|
//! | 1 | a GID on the address's own netdev | others | bond, VLAN, macvlan and vxlan netdevs can have the same GID, and send elsewhere |
//! | 2 | a GID with a netdev here | one without | for a netdev of another network namespace the kernel reports no name, or one that is unknown here |
//! | 3 | an active port | another | |
//! | 4 | RoCE v2, InfiniBand, iWARP | RoCE v1 | v1 does not pass routers; rdma_cm connects by v2 if a port supports it |
//! | 5 | a routable GID | a link-local one | private and unique local addresses are routable, `169.254.0.0/16` mapped into IPv6 is not |
//! | 6 | device by name, port, index | | makes the choice deterministic |
//!
//! These are never chosen: a GID on another netdev here than the address's, an index above 255, which does not fit into
//! `ibv_global_route`, and a GID of an unknown type or link layer. The GID of an address depends on the port:
//!
//! | port | GID |
//! |---|---|
//! | RoCE | the address, IPv4 mapped into IPv6 |
//! | InfiniBand | the last 16 bytes of the hardware address of the address's netdev (IPoIB) |
//! | iWARP | that of the address's netdev, which the kernel reports, or whose hardware address, padded with zeros, is the GID |
//!
//! In rank 2 a netdev is here if it has the GID's address: a netdev of another network namespace may have the same name, and
//! an address may be gone. [`best`](Devices::best) chooses no other GID. [`check`](Devices::check) looks results over, and
//! takes the netdev of their routes.
//!
//! The own netdev of an address is the one passed with it; without one, every interface that has the address.
//!
//! ```
//! use rdma_addrinfo::devices::{Devices, NoGid};
//!
//! let devices = Devices::read();
//! for device in devices.iter() {
//!     for port in device.ports() {
//!         println!("{} port {}: {}, {} GIDs", device.name(), port.number(), port.state(), port.gids().len());
//!     }
//! }
//! match devices.find([192, 0, 2, 1], None) {
//!     Ok(gid) => println!("{} port {} index {}", gid.device, gid.port, gid.gid_index),
//!     // For example: no usable GID for 192.0.2.1: this machine has no RDMA device
//!     Err(error) => println!("{error}"),
//! }
//! ```

mod check;
mod choice;
mod finding;
mod first_gids;
mod index;
mod natural;
mod no_gid;
mod of_entry;
mod problem;
mod read;
mod secure;
mod sysfs;
mod table;
mod words;

#[cfg(test)]
mod tests;

pub use crate::native::InterfaceAddress;
pub use check::{Check, Checked};
pub use choice::{LocalGid, PortName};
pub use finding::Finding;
pub(crate) use first_gids::{DeviceName, FirstGid, first_gids};
pub use no_gid::{NoGid, NoUsableGid};
pub use of_entry::{LocalPort, RdmaAddress};
pub use problem::{Problem, ProblemKind};
pub use table::{Device, GidEntry, Netdev, Port};
pub use words::{GidType, LinkLayer, NodeType, PortState};

/// A snapshot of the RDMA devices, netdevs and interface addresses of a machine.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Devices {
    /// By name, `mlx5_2` before `mlx5_10`.
    devices: Vec<Device>,
    /// By name: the netdevs of GIDs, and those whose hardware addresses GIDs are made of.
    netdevs: Vec<Netdev>,
    addresses: Vec<InterfaceAddress>,
    problems: Vec<Problem>,
}

impl Devices {
    /// The devices.
    pub fn iter(&self) -> std::slice::Iter<'_, Device> {
        self.devices.iter()
    }

    /// The number of devices.
    #[must_use]
    pub fn len(&self) -> usize {
        self.devices.len()
    }

    /// Whether there is no RDMA device.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.devices.is_empty()
    }

    /// The netdev of this name, if it is that of a GID, or a GID may be made of its hardware address.
    #[must_use]
    pub fn netdev(&self, name: &str) -> Option<&Netdev> {
        self.netdevs.iter().find(|netdev| netdev.name() == name)
    }

    /// The addresses of the interfaces.
    #[must_use]
    pub fn addresses(&self) -> &[InterfaceAddress] {
        &self.addresses
    }

    /// What could not be read and is missing, at most 32 problems. An empty entry is not a problem, nor is a netdev of
    /// another network namespace.
    #[must_use]
    pub fn problems(&self) -> &[Problem] {
        &self.problems
    }
}

impl<'a> IntoIterator for &'a Devices {
    type Item = &'a Device;
    type IntoIter = std::slice::Iter<'a, Device>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}
