//! Devices.

use super::displayed;
use crate::devices::{
    Checked, Device, Devices, Finding, GidEntry, GidType, LinkLayer, LocalGid, LocalPort, Netdev, NodeType,
    Port, PortName, PortState, Problem, RdmaAddress,
};
use rdma_addrinfo_core::{Gid, Pkey};
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
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "pkey")]
    pkey: Option<Pkey>,
    #[serde(skip_serializing_if = "Vec::is_empty", serialize_with = "ports")]
    ties: Vec<PortName>,
    #[serde(rename = "port_state")]
    state: PortState,
    link_layer: LinkLayer,
}

impl Serialize for LocalGid {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        LocalGidFields::serialize(self, serializer)
    }
}

/// A P_Key as a number.
fn pkey<S: Serializer>(pkey: &Option<Pkey>, serializer: S) -> Result<S::Ok, S::Error> {
    pkey.map(Pkey::to_raw).serialize(serializer)
}

/// Ports as they are displayed.
fn ports<S: Serializer>(ports: &[PortName], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(ports.iter().map(ToString::to_string))
}

/// The address, and the keys of its GID.
#[derive(Serialize)]
#[serde(remote = "RdmaAddress")]
struct RdmaAddressFields {
    #[serde(serialize_with = "displayed")]
    address: IpAddr,
    #[serde(skip)]
    netdev: String,
    #[serde(skip)]
    scope_id: u32,
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

/// Kind, message, whether it is fatal, the command that shows it; and the values that it is about.
impl Serialize for Finding {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize, Default)]
        #[serde(rename = "Finding")]
        struct Values<'a> {
            #[serde(skip_serializing_if = "Option::is_none")]
            destination: Option<String>,
            #[serde(skip_serializing_if = "Option::is_none")]
            address: Option<String>,
            #[serde(skip_serializing_if = "Option::is_none")]
            netdev: Option<&'a str>,
            #[serde(skip_serializing_if = "<[_]>::is_empty")]
            netdevs: &'a [String],
            #[serde(skip_serializing_if = "Option::is_none")]
            reason: Option<&'a str>,
            #[serde(skip_serializing_if = "Vec::is_empty")]
            ports: Vec<String>,
            #[serde(skip_serializing_if = "Option::is_none")]
            port_state: Option<PortState>,
            #[serde(skip_serializing_if = "Option::is_none")]
            mtu: Option<u32>,
            #[serde(skip_serializing_if = "Option::is_none")]
            path_mtu: Option<u32>,
            #[serde(skip_serializing_if = "Option::is_none")]
            pkey: Option<u16>,
            #[serde(skip_serializing_if = "Option::is_none")]
            destination_pkey: Option<u16>,
            #[serde(skip_serializing_if = "<[_]>::is_empty")]
            sources: &'a [RdmaAddress],
        }
        #[derive(Serialize)]
        struct View<'a> {
            kind: &'a str,
            fatal: bool,
            #[serde(serialize_with = "displayed")]
            message: &'a Finding,
            #[serde(skip_serializing_if = "Option::is_none")]
            command: Option<String>,
            #[serde(flatten)]
            values: Values<'a>,
        }
        let none = Values::default();
        let some = |it: &dyn ToString| Some(it.to_string());
        let values = match self {
            Self::NotLocal { address } | Self::NoZone { address } => {
                Values { address: some(address), ..none }
            }
            Self::SeveralInterfaces { address, netdevs } => {
                Values { address: some(address), netdevs, ..none }
            }
            Self::NoRoute { destination, source, why } => Values {
                destination: some(destination),
                address: source.map(|source| source.to_string()),
                reason: Some(why.name()),
                ..none
            },
            Self::OtherInterface { destination, source, netdev, own } => Values {
                destination: some(destination),
                address: some(source),
                netdev: Some(netdev),
                netdevs: own,
                ..none
            },
            Self::AssumedOnLink { destination, netdev } => {
                Values { destination: some(destination), netdev: Some(netdev), ..none }
            }
            Self::RouteNotAsked { why } => Values { reason: Some(why.name()), ..none },
            Self::OwnName { destination } => Values { destination: some(destination), ..none },
            Self::NotRdma { why, others } => {
                Values { reason: Some(why.reason().name()), sources: others, ..none }
            }
            Self::SeveralSources { sources } => Values { sources, ..none },
            Self::Tie { chosen, others } => {
                let all = [chosen].into_iter().chain(others);
                Values { ports: all.map(ToString::to_string).collect(), ..none }
            }
            Self::PortDown { port, state } => {
                Values { ports: vec![port.to_string()], port_state: Some(*state), ..none }
            }
            Self::MtuTooSmall { netdev, mtu, active } => {
                Values { netdev: Some(netdev), mtu: Some(*mtu), path_mtu: Some(*active), ..none }
            }
            Self::OtherPartition { local, destination } => {
                let [local, destination] = [local, destination].map(|key| Some(key.to_raw()));
                Values { pkey: local, destination_pkey: destination, ..none }
            }
            Self::TimedOut => none,
        };
        let (kind, fatal, command) = (self.name(), self.is_fatal(), self.command());
        View { kind, fatal, message: self, command, values }.serialize(serializer)
    }
}

/// The interface of the route, and the findings, of an entry; its port has keys of its own.
impl Serialize for Checked {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        #[serde(rename = "Checked")]
        struct View<'a> {
            device: &'a LocalPort,
            route_netdev: Option<&'a str>,
            findings: &'a [Finding],
        }
        View { device: &self.port, route_netdev: self.netdev.as_deref(), findings: &self.findings }
            .serialize(serializer)
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
    has_character_device: Option<bool>,
    best: Option<LocalGid>,
    /// Why there is no best GID.
    #[serde(skip_serializing_if = "Option::is_none")]
    no_gid: Option<String>,
    ports: Vec<PortView<'a>>,
}

impl<'a> DeviceView<'a> {
    fn new(all: &'a Devices, device: &'a Device) -> Self {
        let best = all.best_of(device.name(), None);
        Self {
            device: device.name(),
            node_type: device.node_type(),
            node_guid: device.node_guid(),
            has_character_device: device.has_character_device(),
            no_gid: best.as_ref().err().map(|why| why.reason().name().to_owned()),
            best: best.ok(),
            ports: device.ports().iter().map(|port| PortView::new(all, device, port)).collect(),
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
    /// The index of the best GID.
    best: Option<u8>,
    /// Why there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    no_gid: Option<String>,
    gids: Vec<GidView<'a>>,
}

impl<'a> PortView<'a> {
    fn new(all: &'a Devices, device: &Device, port: &'a Port) -> Self {
        let best = all.best_of(device.name(), port.number());
        Self {
            port: port.number(),
            state: port.state(),
            link_layer: port.link_layer(),
            rate: port.rate(),
            lid: port.lid(),
            gid_table_length: port.gid_table_length(),
            no_gid: best.as_ref().err().map(|why| why.reason().name().to_owned()),
            best: best.ok().map(|best| best.gid_index),
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
            #[serde(skip_serializing_if = "Option::is_none", serialize_with = "pkey")]
            pkey: Option<Pkey>,
        }
        let hex = |bytes: &[u8]| bytes.iter().map(|byte| format!("{byte:02x}")).collect();
        let hardware_address = self.hardware_address().map(hex);
        View { netdev: self.name(), mtu: self.mtu(), hardware_address, pkey: self.pkey() }
            .serialize(serializer)
    }
}
