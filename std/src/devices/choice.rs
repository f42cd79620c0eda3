//! Which GID: the order of preference.

use super::Devices;
use super::natural;
use super::no_gid::{NoGid, NoUsableGid};
use super::table::{Device, GidEntry, Netdev, Port};
use super::words::{GidType, LinkLayer, NodeType, PortState};
use rdma_addrinfo_core::Gid;
use std::cmp::Ordering;
use std::fmt;
use std::net::{IpAddr, Ipv4Addr};

/// Device, port and GID to send from: what a QP needs to connect, or an address handle.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub struct LocalGid {
    /// The name of the device.
    pub device: String,
    /// The number of the port.
    #[doc(alias = "port_num")]
    pub port: u8,
    /// The index in the port's GID table.
    #[doc(alias = "sgid_index")]
    pub gid_index: u8,
    /// The GID.
    pub gid: Gid,
    /// The type of the GID.
    pub gid_type: GidType,
    /// The netdev that the GID comes from, where the kernel tells one.
    pub netdev: Option<String>,
    /// The state of the port.
    pub state: PortState,
    /// The link layer of the port.
    pub link_layer: LinkLayer,
}

/// Writes `rxe0 port 1 gid 3 (roce-v2, ::ffff:192.0.2.1, netdev va)`, with the port's state unless it is active.
impl fmt::Display for LocalGid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { device, port, gid_index, gid, gid_type, netdev, state, .. } = self;
        write!(f, "{device} port {port} gid {gid_index} ({gid_type}, {gid}")?;
        if let Some(netdev) = netdev {
            write!(f, ", netdev {netdev}")?;
        }
        match *state {
            PortState::ACTIVE => f.write_str(")"),
            state => write!(f, ", port {state})"),
        }
    }
}

/// An entry, and where it stands.
#[derive(Clone, Copy, Debug)]
struct Candidate<'a> {
    device: &'a Device,
    port: &'a Port,
    entry: &'a GidEntry,
    on_own: bool,
    is_here: bool,
}

impl Candidate<'_> {
    /// How well it fits, best first by the table in the room's description. Two candidates are never equal.
    fn order(&self, other: &Self) -> Ordering {
        let worse = |it: &Self| {
            let v1 = it.entry.gid_type == GidType::RoceV1;
            let inactive = it.port.state() != PortState::ACTIVE;
            (!it.on_own, !it.is_here, v1, !is_routable(it.entry.gid, it.port), inactive)
        };
        worse(self)
            .cmp(&worse(other))
            .then_with(|| natural::order(&self.device.name, &other.device.name))
            .then_with(|| (self.port.number, self.entry.index).cmp(&(other.port.number, other.entry.index)))
    }

    fn local_gid(&self, gid_index: u8) -> LocalGid {
        LocalGid {
            device: self.device.name.clone(),
            port: self.port.number,
            gid_index,
            gid: self.entry.gid,
            gid_type: self.entry.gid_type,
            netdev: self.entry.netdev.clone(),
            state: self.port.state(),
            link_layer: self.port.link_layer,
        }
    }
}

/// Whether packets from the GID may pass a router. The prefix of an InfiniBand GID says nothing of it: there packets go
/// by LID, and `fe80::` is the prefix of a fabric that was given no other.
fn is_routable(gid: Gid, port: &Port) -> bool {
    let bits = gid.to_bits();
    match u32::try_from(bits).ok() {
        _ if port.link_layer == LinkLayer::InfiniBand => true,
        _ if bits >> 32 == 0xffff => {
            let [.., a, b, c, d] = gid.octets();
            let address = Ipv4Addr::new(a, b, c, d);
            !(address.is_link_local() || address.is_loopback() || address.is_unspecified())
        }
        // `::1` and the rest of the first 32 bits are no addresses of a network.
        Some(_) => false,
        None => !is_link_local(gid),
    }
}

/// Whether the GID is of fe80::/10.
const fn is_link_local(gid: Gid) -> bool {
    gid.to_bits() >> 118 == 0b11_1111_1010
}

/// What an address asks for.
#[derive(Clone, Copy, Debug)]
enum Wanted<'a> {
    Address(IpAddr, &'a [&'a str]),
    Gid(Gid, &'a [&'a str]),
    Any,
}

impl Devices {
    /// The device, port and GID of a local address. With the name of the netdev that has the address it is the GID there, else
    /// that of any interface here that has it; a link-local address is often on several.
    ///
    /// # Errors
    /// [`NoUsableGid`], with what was seen: the address is not on an RDMA port, as that of loopback or of a management
    /// interface, or its GID cannot be used.
    #[doc(alias = "rdma_bind_addr")]
    pub fn find(&self, address: impl Into<IpAddr>, netdev: Option<&str>) -> Result<LocalGid, NoUsableGid> {
        let address = address.into().to_canonical();
        let own = match netdev {
            Some(netdev) => vec![netdev],
            None => self.netdevs_with(address),
        };
        self.choose(Wanted::Address(address, &own))
    }

    /// The device and port of a GID that is one of this machine's, such as that of an AF_IB address.
    ///
    /// # Errors
    /// As [`find`](Self::find).
    #[doc(alias = "ibv_find_gid_index")]
    pub fn find_gid(&self, gid: Gid, netdev: Option<&str>) -> Result<LocalGid, NoUsableGid> {
        let own: Vec<&str> = netdev.into_iter().collect();
        self.choose(Wanted::Gid(gid, &own))
    }

    /// The device, port and GID to use where no address says which.
    ///
    /// # Errors
    /// As [`find`](Self::find).
    pub fn best(&self) -> Result<LocalGid, NoUsableGid> {
        self.choose(Wanted::Any)
    }

    /// The interfaces that have the address.
    fn netdevs_with(&self, address: IpAddr) -> Vec<&str> {
        let own = self.addresses.iter().filter(|own| own.address.to_canonical() == address);
        own.map(|own| own.netdev.as_str()).collect()
    }

    fn choose(&self, wanted: Wanted<'_>) -> Result<LocalGid, NoUsableGid> {
        let error = |reason| match wanted {
            Wanted::Address(address, own) => NoUsableGid::of_address(address, own, reason),
            Wanted::Gid(gid, own) => NoUsableGid::of_gid(gid, own, reason),
            Wanted::Any => NoUsableGid::of_any(reason),
        };
        let (own, any): (&[&str], _) = match wanted {
            Wanted::Address(_, own) | Wanted::Gid(_, own) => (own, false),
            Wanted::Any => (&[], true),
        };
        let mut best: Option<(Candidate<'_>, u8)> = None;
        let mut seen = if self.is_empty() { NoGid::NoDevice } else { NoGid::NotRdma };
        for device in &self.devices {
            for port in &device.ports {
                for entry in port.gids.iter().filter(|entry| self.is_wanted(wanted, device, port, entry)) {
                    let here = entry.netdev().map(|name| (name, self.is_here(name)));
                    let is_here = self.has_netdev_here(port, entry);
                    let on_own =
                        here.is_some_and(|(name, _)| own.contains(&name)) || own_by_hardware(port, own);
                    let index = u8::try_from(entry.index);
                    let refusal = match (here, index) {
                        (Some((netdev, true)), _) if !own.is_empty() && !on_own => Some(NoGid::OtherNetdev {
                            device: device.name.clone(),
                            port: port.number,
                            netdev: netdev.to_owned(),
                        }),
                        (_, Err(_)) => Some(NoGid::IndexTooLarge {
                            device: device.name.clone(),
                            port: port.number,
                            index: entry.index,
                        }),
                        _ if entry.gid_type == GidType::Unknown || port.link_layer == LinkLayer::Unknown => {
                            Some(NoGid::UnknownType { device: device.name.clone(), port: port.number })
                        }
                        _ => None,
                    };
                    if let Some(refusal) = refusal {
                        seen = seen.or_better(refusal);
                        continue;
                    }
                    let candidate = Candidate { device, port, entry, on_own: on_own || any, is_here };
                    let index = index.unwrap_or_default();
                    if best.as_ref().is_none_or(|(best, _)| candidate.order(best) == Ordering::Less) {
                        best = Some((candidate, index));
                    }
                }
            }
        }
        best.map(|(candidate, index)| candidate.local_gid(index)).ok_or_else(|| error(seen))
    }

    /// Whether the entry carries what is wanted, wherever it is.
    fn is_wanted(&self, wanted: Wanted<'_>, device: &Device, port: &Port, entry: &GidEntry) -> bool {
        let (address, own) = match wanted {
            Wanted::Any => return true,
            Wanted::Gid(gid, _) => return entry.gid == gid,
            Wanted::Address(address, own) => (address, own),
        };
        if port.is_roce {
            return entry.gid == gid_of(address);
        }
        let hardware = own.iter().filter_map(|name| self.netdev(name)).filter_map(|netdev| {
            let address = netdev.hardware_address()?;
            match port.link_layer {
                LinkLayer::InfiniBand if netdev.is_ipoib => gid_of_ipoib(address),
                LinkLayer::Ethernet if device.node_type == Some(NodeType::RNIC) => gid_of_iwarp(address),
                _ => None,
            }
        });
        hardware.into_iter().any(|gid| gid == entry.gid)
    }

    fn is_here(&self, netdev: &str) -> bool {
        self.netdev(netdev).is_some_and(|netdev| netdev.is_here)
    }

    /// Whether the entry has a netdev here: one that has the address, since a netdev of another network namespace may
    /// have the name of one here. A link-local GID is there without the address, too.
    fn has_netdev_here(&self, port: &Port, entry: &GidEntry) -> bool {
        let has_address = |netdev: &Netdev| {
            let mut own = self.addresses.iter().filter(|own| own.netdev == netdev.name);
            own.any(|own| gid_of(own.address) == entry.gid)
        };
        self.netdevs_of(port, entry).into_iter().any(|netdev| {
            let needs_address = port.is_roce && !is_link_local(entry.gid) && !self.addresses.is_empty();
            netdev.is_here && (!needs_address || has_address(netdev))
        })
    }

    /// The netdevs of an entry of the port's GID table: the one that the kernel tells; on InfiniBand and iWARP, where it
    /// tells none, those whose hardware address holds the GID. More than one have an IPoIB partition each.
    #[must_use]
    pub fn netdevs_of(&self, port: &Port, entry: &GidEntry) -> Vec<&Netdev> {
        let is_its = |netdev: &&Netdev| match (entry.netdev(), netdev.hardware_address()) {
            (Some(name), _) => netdev.name() == name,
            (None, Some(address)) if !port.is_roce => {
                let made = if netdev.is_ipoib { gid_of_ipoib(address) } else { gid_of_iwarp(address) };
                made == Some(entry.gid)
            }
            _ => false,
        };
        self.netdevs.iter().filter(is_its).collect()
    }
}

/// Whether GIDs of the port are found by the hardware address of the own netdevs, and are therefore on them.
const fn own_by_hardware(port: &Port, own: &[&str]) -> bool {
    !port.is_roce && !own.is_empty()
}

/// The GID of an address on a RoCE port.
fn gid_of(address: IpAddr) -> Gid {
    match address {
        IpAddr::V4(v4) => Gid::from(v4.to_ipv6_mapped()),
        IpAddr::V6(v6) => Gid::from(v6),
    }
}

/// The GID in a hardware address of IPoIB: behind flags and QP number.
fn gid_of_ipoib(address: &[u8]) -> Option<Gid> {
    match address {
        [_, _, _, _, gid @ ..] => gid.try_into().ok().map(Gid::from_octets),
        _ => None,
    }
}

/// The GID made of an Ethernet address.
fn gid_of_iwarp(address: &[u8]) -> Option<Gid> {
    let [a, b, c, d, e, f] = address.try_into().ok()?;
    Some(Gid::from_octets([a, b, c, d, e, f, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]))
}
