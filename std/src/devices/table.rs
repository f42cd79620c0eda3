//! Devices, ports, GIDs and netdevs.

use super::words::{GidType, LinkLayer, NodeType, PortState};
use rdma_addrinfo_core::{Gid, Pkey};

/// An RDMA device.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Device {
    pub(super) name: String,
    pub(super) node_type: Option<NodeType>,
    pub(super) node_guid: Option<String>,
    pub(super) has_character_device: Option<bool>,
    pub(super) ports: Vec<Port>,
}

impl Device {
    /// The name, such as `mlx5_0`.
    #[must_use]
    #[doc(alias = "ibv_get_device_name")]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The kind of node, if it could be read.
    #[must_use]
    pub const fn node_type(&self) -> Option<NodeType> {
        self.node_type
    }

    /// The GUID of the node as the kernel writes it, such as `0200:00ff:fe00:0001`, if it could be read.
    #[must_use]
    pub fn node_guid(&self) -> Option<&str> {
        self.node_guid.as_deref()
    }

    /// Whether verbs can open the device: it has a character device in `/dev/infiniband`. `None` where that is not known,
    /// as in another sysfs.
    #[must_use]
    pub const fn has_character_device(&self) -> Option<bool> {
        self.has_character_device
    }

    /// The ports, by number.
    #[must_use]
    pub fn ports(&self) -> &[Port] {
        &self.ports
    }
}

/// A port of a device.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Port {
    pub(super) number: u8,
    pub(super) state: Option<PortState>,
    pub(super) link_layer: LinkLayer,
    pub(super) rate: Option<String>,
    pub(super) lid: Option<u16>,
    pub(super) is_roce: bool,
    pub(super) gid_table_length: u32,
    pub(super) gids: Vec<GidEntry>,
}

impl Port {
    /// The number, from 1 on; 0 of a switch.
    #[must_use]
    pub const fn number(&self) -> u8 {
        self.number
    }

    /// The state; [`PortState::NOP`] if it could not be read.
    #[must_use]
    pub fn state(&self) -> PortState {
        self.state.unwrap_or(PortState::NOP)
    }

    /// The link layer.
    #[must_use]
    pub const fn link_layer(&self) -> LinkLayer {
        self.link_layer
    }

    /// The rate as the kernel writes it, such as `100 Gb/sec (4X EDR)`, if it could be read.
    #[must_use]
    pub fn rate(&self) -> Option<&str> {
        self.rate.as_deref()
    }

    /// The local identifier of an InfiniBand port, if it could be read; 0 for none.
    #[must_use]
    pub const fn lid(&self) -> Option<u16> {
        self.lid
    }

    /// Whether the port is RoCE: its link layer is Ethernet, its node a channel adapter.
    #[must_use]
    pub const fn is_roce(&self) -> bool {
        self.is_roce
    }

    /// The number of entries of the GID table, most of which are usually empty.
    #[must_use]
    pub const fn gid_table_length(&self) -> u32 {
        self.gid_table_length
    }

    /// The entries of the GID table that are not empty, by index.
    #[must_use]
    pub fn gids(&self) -> &[GidEntry] {
        &self.gids
    }
}

/// An entry of a port's GID table.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct GidEntry {
    pub(super) index: u32,
    pub(super) gid: Gid,
    pub(super) gid_type: GidType,
    pub(super) netdev: Option<String>,
}

impl GidEntry {
    /// The index in the table.
    #[must_use]
    pub const fn index(&self) -> u32 {
        self.index
    }

    /// The GID.
    #[must_use]
    pub const fn gid(&self) -> Gid {
        self.gid
    }

    /// The type.
    #[must_use]
    pub const fn gid_type(&self) -> GidType {
        self.gid_type
    }

    /// The name of the GID's netdev; `None` if the kernel reports none, as on InfiniBand. The netdev may be in another
    /// network namespace than this thread: kernels 6.1 and 7.2 report all names.
    #[must_use]
    pub fn netdev(&self) -> Option<&str> {
        self.netdev.as_deref()
    }
}

/// A network interface with GIDs.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Netdev {
    pub(super) name: String,
    pub(super) mtu: Option<u32>,
    pub(super) hardware_address: Option<Vec<u8>>,
    pub(super) is_ipoib: bool,
    pub(super) pkey: Option<Pkey>,
    pub(super) is_here: bool,
}

impl Netdev {
    /// The name, such as `eth0`.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The MTU in bytes, without the link header, if it could be read. The path MTU of RoCE is the greatest of 256, 512,
    /// 1024, 2048 and 4096 that fits with RoCE's own headers.
    #[must_use]
    pub const fn mtu(&self) -> Option<u32> {
        self.mtu
    }

    /// The hardware address, if it could be read: 6 bytes on Ethernet, 20 on IPoIB.
    #[must_use]
    pub fn hardware_address(&self) -> Option<&[u8]> {
        self.hardware_address.as_deref()
    }

    /// Whether it is IP over InfiniBand.
    #[must_use]
    pub const fn is_ipoib(&self) -> bool {
        self.is_ipoib
    }

    /// The P_Key of an IPoIB netdev, such as `0x8001` of `ib0.8001`, if it could be read.
    #[must_use]
    pub const fn pkey(&self) -> Option<Pkey> {
        self.pkey
    }

    /// Whether there is a netdev of this name in this network namespace.
    #[must_use]
    pub const fn is_here(&self) -> bool {
        self.is_here
    }
}
