//! Why there is no usable GID.

use rdma_addrinfo_core::Gid;
use std::fmt;
use std::net::IpAddr;

/// The subject of the search.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Wanted {
    Address(IpAddr),
    Gid(Gid),
    Any,
}

/// No GID can be used: the subject of the search, and the reason.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct NoUsableGid {
    wanted: Wanted,
    netdevs: Vec<String>,
    reason: NoGid,
}

/// Why no GID can be used.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum NoGid {
    /// The machine has no RDMA device.
    NoDevice,
    /// It is on no RDMA port: the address is that of loopback or of an interface without RDMA. Without an address: all
    /// GID tables are empty.
    NotRdma,
    /// A port has it on another netdev than the address's.
    OtherNetdev {
        /// The device.
        device: String,
        /// The port.
        port: u8,
        /// The netdev that the GID is on.
        netdev: String,
    },
    /// A port has it at an index above 255, which does not fit into `ibv_global_route`.
    IndexTooLarge {
        /// The device.
        device: String,
        /// The port.
        port: u8,
        /// The index.
        index: u32,
    },
    /// A port has it with an unknown type or link layer.
    UnknownType {
        /// The device.
        device: String,
        /// The port.
        port: u8,
    },
    /// The device has no character device, which verbs open: the kernel module `ib_uverbs` is not loaded, or a container
    /// has no `/dev/infiniband`.
    NoCharacterDevice {
        /// The device.
        device: String,
    },
    /// A port has GIDs, but no netdev has the address of one now.
    Stale {
        /// The device.
        device: String,
        /// The port.
        port: u8,
    },
    /// The GID table of the port is empty: on InfiniBand it has no GID before the subnet manager has seen it, on Ethernet
    /// none before its netdev has an address.
    EmptyTable {
        /// The device.
        device: String,
        /// The port.
        port: u8,
    },
    /// The device has no port.
    NoPort {
        /// The device.
        device: String,
    },
}

impl NoGid {
    /// The short name of the reason in the command's output.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Self::NoDevice => "no-device",
            Self::NotRdma => "not-rdma",
            Self::OtherNetdev { .. } => "other-netdev",
            Self::IndexTooLarge { .. } => "index-too-large",
            Self::UnknownType { .. } => "unknown-type",
            Self::NoCharacterDevice { .. } => "no-character-device",
            Self::Stale { .. } => "stale",
            Self::EmptyTable { .. } => "empty-table",
            Self::NoPort { .. } => "no-port",
        }
    }

    /// The more specific of two reasons; of equal ones the first by name, so that the order of the search does not matter.
    pub(super) fn or_better(self, other: Self) -> Self {
        let rank = |it: &Self| match it {
            Self::UnknownType { device, port } => (0, device.clone(), *port, 0),
            Self::IndexTooLarge { device, port, index } => (1, device.clone(), *port, *index),
            Self::OtherNetdev { device, port, netdev } => (2, format!("{device} {netdev}"), *port, 0),
            Self::Stale { device, port } => (3, device.clone(), *port, 0),
            Self::NoCharacterDevice { device } => (4, device.clone(), 0, 0),
            Self::EmptyTable { device, port } => (5, device.clone(), *port, 0),
            Self::NoPort { device } => (6, device.clone(), 0, 0),
            Self::NotRdma => (7, String::new(), 0, 0),
            Self::NoDevice => (8, String::new(), 0, 0),
        };
        if rank(&other) < rank(&self) { other } else { self }
    }
}

impl NoUsableGid {
    pub(super) fn new(wanted: Wanted, netdevs: &[&str], reason: NoGid) -> Self {
        Self { wanted, netdevs: netdevs.iter().map(|netdev| (*netdev).to_owned()).collect(), reason }
    }

    /// The reason.
    #[must_use]
    pub const fn reason(&self) -> &NoGid {
        &self.reason
    }

    /// The netdevs on which the GID was looked for: those of the address.
    #[must_use]
    pub fn netdevs(&self) -> &[String] {
        &self.netdevs
    }
}

impl fmt::Display for NoUsableGid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("no usable GID")?;
        match &self.wanted {
            Wanted::Address(address) => write!(f, " for {address}")?,
            Wanted::Gid(gid) => write!(f, " for {gid}")?,
            Wanted::Any => {}
        }
        if !self.netdevs.is_empty() {
            write!(f, " on {}", self.netdevs.join(", "))?;
        }
        f.write_str(": ")?;
        match &self.reason {
            NoGid::NoDevice => f.write_str("this machine has no RDMA device"),
            NoGid::NotRdma if matches!(self.wanted, Wanted::Any) => f.write_str("all GID tables are empty"),
            NoGid::NotRdma => f.write_str("it is not on an RDMA port"),
            NoGid::OtherNetdev { device, port, netdev } => {
                write!(f, "{device} port {port} has it on another netdev, {netdev}")
            }
            NoGid::IndexTooLarge { device, port, index } => {
                write!(f, "{device} port {port} has it at index {index}, and verbs take no index above 255")
            }
            NoGid::UnknownType { device, port } => {
                write!(f, "{device} port {port} has it with an unknown type or link layer")
            }
            NoGid::NoCharacterDevice { device } => {
                write!(f, "{device} has no character device in /dev/infiniband (is ib_uverbs loaded?)")
            }
            NoGid::Stale { device, port } => {
                write!(f, "no netdev has the address of a GID of {device} port {port} now")
            }
            NoGid::EmptyTable { device, port } => write!(f, "the GID table of {device} port {port} is empty"),
            NoGid::NoPort { device } => write!(f, "{device} has no port"),
        }
    }
}

impl std::error::Error for NoUsableGid {}
