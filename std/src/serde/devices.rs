//! Devices.

use super::displayed;
use crate::devices::{
    Device, Devices, GidEntry, GidType, LinkLayer, LocalGid, LocalPort, Netdev, NodeType, Port, PortState,
    Problem, RdmaAddress, Warning,
};
use rdma_addrinfo_core::Gid;
use serde::{Serialize, Serializer};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// Serializes each type as the text that it displays.
macro_rules! as_displayed {
    ($($ty:ty),+) => {
        $(impl Serialize for $ty {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        })+
    };
}

as_displayed!(NodeType, PortState, GidType, LinkLayer, Problem);

#[derive(Serialize)]
#[serde(remote = "LocalGid")]
struct LocalGidFields {
    device: String,
    port: u8,
    gid_index: u8,
    gid: Gid,
    gid_type: GidType,
    netdev: Option<String>,
    #[serde(rename = "port_state")]
    state: PortState,
    link_layer: LinkLayer,
}

impl Serialize for LocalGid {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        LocalGidFields::serialize(self, serializer)
    }
}

/// The address, and the keys of its GID.
#[derive(Serialize)]
#[serde(remote = "RdmaAddress")]
struct RdmaAddressFields {
    #[serde(serialize_with = "displayed")]
    address: IpAddr,
    #[serde(skip)]
    netdev: String,
    #[serde(flatten)]
    gid: LocalGid,
}

impl Serialize for RdmaAddress {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        RdmaAddressFields::serialize(self, serializer)
    }
}

/// A status, and the keys of the GID, or a message if there is none.
impl Serialize for LocalPort {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        #[serde(rename = "LocalPort")]
        struct View<'a> {
            status: &'a str,
            #[serde(flatten)]
            gid: Option<&'a LocalGid>,
            #[serde(skip_serializing_if = "Option::is_none")]
            message: Option<String>,
        }
        let gid = self.gid();
        let status = match self {
            Self::Gid(_) => "found",
            Self::NotUsable(why) => why.reason().name(),
            Self::NoAddress => "no-address",
        };
        View { status, gid, message: gid.is_none().then(|| self.to_string()) }.serialize(serializer)
    }
}

/// Kind and message; destination and sources if it is about them.
impl Serialize for Warning {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        #[serde(rename = "Warning")]
        struct View<'a> {
            kind: &'a str,
            #[serde(serialize_with = "displayed")]
            message: &'a Warning,
            #[serde(skip_serializing_if = "Option::is_none")]
            destination: Option<String>,
            #[serde(skip_serializing_if = "<[_]>::is_empty")]
            sources: &'a [RdmaAddress],
        }
        let (destination, sources) = match self {
            Self::SeveralSources { destination, sources } => {
                (Some(destination.to_string()), sources.as_slice())
            }
            Self::Unreadable(_) => (None, [].as_slice()),
        };
        View { kind: self.name(), message: self, destination, sources }.serialize(serializer)
    }
}

/// The devices with their ports and GIDs, the best GID, and what could not be read.
impl Serialize for Devices {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        #[serde(rename = "Devices")]
        struct View<'a> {
            devices: Vec<DeviceView<'a>>,
            best: Option<LocalGid>,
            problems: &'a [Problem],
        }
        View {
            devices: self.iter().map(|device| DeviceView::new(self, device)).collect(),
            best: self.best().ok(),
            problems: self.problems(),
        }
        .serialize(serializer)
    }
}

#[derive(Serialize)]
struct DeviceView<'a> {
    device: &'a str,
    node_type: Option<NodeType>,
    node_guid: Option<&'a str>,
    ports: Vec<PortView<'a>>,
}

impl<'a> DeviceView<'a> {
    fn new(all: &'a Devices, device: &'a Device) -> Self {
        Self {
            device: device.name(),
            node_type: device.node_type(),
            node_guid: device.node_guid(),
            ports: device.ports().iter().map(|port| PortView::new(all, port)).collect(),
        }
    }
}

#[derive(Serialize)]
struct PortView<'a> {
    port: u8,
    state: PortState,
    link_layer: LinkLayer,
    rate: Option<&'a str>,
    lid: Option<u16>,
    gid_table_length: u32,
    gids: Vec<GidView<'a>>,
}

impl<'a> PortView<'a> {
    fn new(all: &'a Devices, port: &'a Port) -> Self {
        Self {
            port: port.number(),
            state: port.state(),
            link_layer: port.link_layer(),
            rate: port.rate(),
            lid: port.lid(),
            gid_table_length: port.gid_table_length(),
            gids: port.gids().iter().map(|entry| GidView::new(all, port, entry)).collect(),
        }
    }
}

#[derive(Serialize)]
struct GidView<'a> {
    gid_index: u32,
    gid: Gid,
    gid_type: GidType,
    ipv4: Option<Ipv4Addr>,
    netdevs: Vec<&'a Netdev>,
}

impl<'a> GidView<'a> {
    fn new(all: &'a Devices, port: &Port, entry: &GidEntry) -> Self {
        Self {
            gid_index: entry.index(),
            gid: entry.gid(),
            gid_type: entry.gid_type(),
            ipv4: Ipv6Addr::from(entry.gid()).to_ipv4_mapped(),
            netdevs: all.netdevs_of(port, entry),
        }
    }
}

/// Name, MTU, and hardware address in hex.
impl Serialize for Netdev {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        #[serde(rename = "Netdev")]
        struct View<'a> {
            netdev: &'a str,
            mtu: Option<u32>,
            hardware_address: Option<String>,
        }
        let hex = |bytes: &[u8]| bytes.iter().map(|byte| format!("{byte:02x}")).collect();
        View { netdev: self.name(), mtu: self.mtu(), hardware_address: self.hardware_address().map(hex) }
            .serialize(serializer)
    }
}
