//! [`Index`]: the GIDs and addresses of a snapshot by what is looked for, so that a search does not look at all.

use super::table::{Device, GidEntry, Netdev, Port};
use super::words::LinkLayer;
use super::{Devices, InterfaceAddress};
use rdma_addrinfo_core::Gid;
use std::collections::BTreeMap;
use std::net::{IpAddr, Ipv6Addr};

/// An entry of a GID table, with its port.
#[derive(Clone, Copy, Debug)]
pub(super) struct Row<'d> {
    pub(super) device: &'d Device,
    pub(super) port: &'d Port,
    pub(super) entry: &'d GidEntry,
}

/// Maps into a snapshot.
#[derive(Debug)]
pub(super) struct Index<'d> {
    pub(super) devices: &'d Devices,
    by_gid: BTreeMap<Gid, Vec<Row<'d>>>,
    /// Rows of ports whose GIDs are no addresses, by the netdevs that they belong to.
    by_netdev: BTreeMap<&'d str, Vec<Row<'d>>>,
    netdevs: BTreeMap<&'d str, &'d Netdev>,
    /// Netdevs by the GIDs that are made of their hardware addresses, on InfiniBand or not.
    by_hardware: BTreeMap<(bool, Gid), Vec<&'d Netdev>>,
    addresses: BTreeMap<IpAddr, Vec<&'d InterfaceAddress>>,
    /// The netdevs of zones.
    zones: BTreeMap<u64, &'d str>,
}

impl<'d> Index<'d> {
    pub(super) fn new(devices: &'d Devices) -> Self {
        let mut index = Self {
            devices,
            by_gid: BTreeMap::new(),
            by_netdev: BTreeMap::new(),
            netdevs: devices.netdevs.iter().map(|netdev| (netdev.name(), netdev)).collect(),
            by_hardware: BTreeMap::new(),
            addresses: BTreeMap::new(),
            zones: BTreeMap::new(),
        };
        for netdev in &devices.netdevs {
            let Some(address) = netdev.hardware_address() else { continue };
            let infiniband = gid_of_ipoib(address).filter(|_| netdev.is_ipoib).map(|gid| (true, gid));
            for key in infiniband.into_iter().chain(gid_of_iwarp(address).map(|gid| (false, gid))) {
                index.by_hardware.entry(key).or_default().push(netdev);
            }
        }
        for own in &devices.addresses {
            index.addresses.entry(own.address.to_canonical()).or_default().push(own);
            index.zones.entry(own.scope_id.into()).or_insert(&own.netdev);
        }
        for row in index.rows() {
            index.by_gid.entry(row.entry.gid).or_default().push(row);
            if !row.port.is_roce {
                for netdev in index.netdevs_of(row.port, row.entry) {
                    index.by_netdev.entry(netdev.name()).or_default().push(row);
                }
            }
        }
        index
    }

    /// All rows, by device, port and index.
    pub(super) fn rows(&self) -> impl Iterator<Item = Row<'d>> + use<'d> {
        let ports = self
            .devices
            .devices
            .iter()
            .flat_map(|device| device.ports.iter().map(move |port| (device, port)));
        ports.flat_map(|(device, port)| port.gids.iter().map(move |entry| Row { device, port, entry }))
    }

    pub(super) fn rows_with(&self, gid: Gid) -> impl Iterator<Item = Row<'d>> {
        self.by_gid.get(&gid).into_iter().flatten().copied()
    }

    /// Rows of ports whose GIDs are no addresses, on this netdev.
    pub(super) fn rows_on(&self, netdev: &str) -> impl Iterator<Item = Row<'d>> {
        self.by_netdev.get(netdev).into_iter().flatten().copied()
    }

    /// The interfaces that have this address.
    pub(super) fn interfaces_with(&self, address: IpAddr) -> impl Iterator<Item = &'d InterfaceAddress> {
        self.addresses.get(&address.to_canonical()).into_iter().flatten().copied()
    }

    /// The netdev of a zone, if it has a link-local address.
    pub(super) fn netdev_of_zone(&self, scope: u64) -> Option<&'d str> {
        self.zones.get(&scope).copied()
    }

    pub(super) fn netdev(&self, name: &str) -> Option<&'d Netdev> {
        self.netdevs.get(name).copied()
    }

    /// As [`Devices::netdevs_of`].
    pub(super) fn netdevs_of(&self, port: &Port, entry: &GidEntry) -> Vec<&'d Netdev> {
        let by_hardware = |infiniband| self.by_hardware.get(&(infiniband, entry.gid)).cloned();
        match (entry.netdev(), port.link_layer) {
            (Some(name), _) => self.netdev(name).into_iter().collect(),
            (None, LinkLayer::InfiniBand) => by_hardware(true).unwrap_or_default(),
            (None, LinkLayer::Ethernet) if !port.is_roce => by_hardware(false).unwrap_or_default(),
            (None, _) => Vec::new(),
        }
    }

    /// Whether the row is on this netdev of this network namespace. The netdev of a RoCE GID must have its address now:
    /// a netdev of another namespace may have the same name, and an address may be gone.
    pub(super) fn is_at(&self, netdev: &Netdev, row: Row<'_>) -> bool {
        let needs_address = row.port.is_roce && !self.devices.addresses.is_empty();
        let has_address =
            || self.interfaces_with(address_of(row.entry.gid)).any(|own| own.netdev == netdev.name);
        netdev.is_here && (!needs_address || has_address())
    }
}

/// The GID of an address on a RoCE port.
pub(super) fn gid_of(address: IpAddr) -> Gid {
    match address {
        IpAddr::V4(v4) => Gid::from(v4.to_ipv6_mapped()),
        IpAddr::V6(v6) => Gid::from(v6),
    }
}

/// The address of a GID on a RoCE port.
pub(super) fn address_of(gid: Gid) -> IpAddr {
    IpAddr::V6(Ipv6Addr::from(gid)).to_canonical()
}

/// The GID that is made of a netdev's hardware address on this kind of port.
pub(super) fn gid_of_hardware(netdev: &Netdev, port: &Port, address: &[u8]) -> Option<Gid> {
    match port.link_layer {
        LinkLayer::InfiniBand => gid_of_ipoib(address).filter(|_| netdev.is_ipoib),
        LinkLayer::Ethernet if !port.is_roce => gid_of_iwarp(address),
        _ => None,
    }
}

/// The GID in a hardware address of IPoIB: after flags and QP number.
fn gid_of_ipoib(address: &[u8]) -> Option<Gid> {
    match address {
        [_, _, _, _, gid @ ..] => gid.try_into().ok().map(Gid::from_octets),
        _ => None,
    }
}

/// The iWARP GID of an Ethernet address.
fn gid_of_iwarp(address: &[u8]) -> Option<Gid> {
    let [a, b, c, d, e, f] = address.try_into().ok()?;
    Some(Gid::from_octets([a, b, c, d, e, f, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]))
}
