//! The choice of a GID: the order of preference.

use super::Devices;
use super::natural;
use super::no_gid::{NoGid, NoUsableGid, Wanted};
use super::table::{Device, GidEntry, Netdev, Port};
use super::words::{GidType, LinkLayer, PortState};
use rdma_addrinfo_core::Gid;
use std::cmp::Ordering;
use std::fmt;
use std::net::{IpAddr, Ipv4Addr};

/// Device, port and GID to send from: what a QP needs to connect, and an address handle.
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
    /// The netdev of the GID, if the kernel reports one.
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

/// A GID entry with its ranks.
#[derive(Clone, Copy, Debug)]
struct Candidate<'a> {
    device: &'a Device,
    port: &'a Port,
    entry: &'a GidEntry,
    on_own: bool,
    is_here: bool,
}

impl Candidate<'_> {
    /// The order by the ranks in the module's documentation, best first. Two candidates are never equal.
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

/// Whether packets from the GID may pass a router. The prefix of an InfiniBand GID does not matter: packets are sent by
/// LID, and `fe80::` is the default prefix of a fabric.
fn is_routable(gid: Gid, port: &Port) -> bool {
    let bits = gid.to_bits();
    match u32::try_from(bits).ok() {
        _ if port.link_layer == LinkLayer::InfiniBand => true,
        _ if bits >> 32 == 0xffff => {
            let [.., a, b, c, d] = gid.octets();
            let address = Ipv4Addr::new(a, b, c, d);
            !(address.is_link_local() || address.is_loopback() || address.is_unspecified())
        }
        // `::1` and the other GIDs below 2^32 are not network addresses.
        Some(_) => false,
        None => !is_link_local(gid),
    }
}

/// Whether the GID is of fe80::/10.
const fn is_link_local(gid: Gid) -> bool {
    gid.to_bits() >> 118 == 0b11_1111_1010
}

impl Devices {
    /// The device, port and GID of a local address on the netdev of this name; without a name, on any interface here that
    /// has the address. Several interfaces may have the same link-local address.
    ///
    /// # Errors
    /// [`NoUsableGid`] with the reason: the address is not on an RDMA port, as that of loopback or of a management
    /// interface, or its GID cannot be used.
    #[doc(alias = "rdma_bind_addr")]
    pub fn find(&self, address: impl Into<IpAddr>, netdev: Option<&str>) -> Result<LocalGid, NoUsableGid> {
        let address = address.into().to_canonical();
        let has_it = self.addresses.iter().filter(|own| own.address.to_canonical() == address);
        let own = match netdev {
            Some(netdev) => vec![netdev],
            None => has_it.map(|own| own.netdev.as_str()).collect(),
        };
        self.choose(Wanted::Address(address), &own)
    }

    /// The device and port of a GID of this machine, such as that of an AF_IB address.
    ///
    /// # Errors
    /// As [`find`](Self::find).
    #[doc(alias = "ibv_find_gid_index")]
    pub fn find_gid(&self, gid: Gid, netdev: Option<&str>) -> Result<LocalGid, NoUsableGid> {
        self.choose(Wanted::Gid(gid), &netdev.into_iter().collect::<Vec<_>>())
    }

    /// The device, port and GID to use if no address is given.
    ///
    /// # Errors
    /// As [`find`](Self::find).
    pub fn best(&self) -> Result<LocalGid, NoUsableGid> {
        self.choose(Wanted::Any, &[])
    }

    /// The best of all entries with the wanted address or GID; `own` are the netdevs that have it, if known.
    fn choose(&self, wanted: Wanted, own: &[&str]) -> Result<LocalGid, NoUsableGid> {
        let ports =
            self.devices.iter().flat_map(|device| device.ports.iter().map(move |port| (device, port)));
        let entries =
            ports.flat_map(|(device, port)| port.gids.iter().map(move |entry| (device, port, entry)));
        let mut best: Option<(Candidate<'_>, u8)> = None;
        let mut seen = if self.is_empty() { NoGid::NoDevice } else { NoGid::NotRdma };
        for (device, port, entry) in entries {
            let netdevs = self.netdevs_of(port, entry);
            let on_own = netdevs.iter().any(|netdev| own.contains(&netdev.name()));
            let is_wanted = match wanted {
                Wanted::Any => true,
                Wanted::Gid(gid) => entry.gid == gid,
                Wanted::Address(address) if port.is_roce => entry.gid == gid_of(address),
                Wanted::Address(_) => on_own,
            };
            if !is_wanted {
                continue;
            }
            let elsewhere = netdevs.iter().find(|netdev| netdev.is_here && !own.is_empty() && !on_own);
            match usable_index(device, port, entry, elsewhere.copied()) {
                Ok(index) => {
                    let is_here = netdevs.iter().any(|netdev| self.is_at(netdev, port, entry));
                    let candidate = Candidate { device, port, entry, on_own, is_here };
                    if best.as_ref().is_none_or(|(best, _)| candidate.order(best) == Ordering::Less) {
                        best = Some((candidate, index));
                    }
                }
                Err(why) => seen = seen.or_better(why),
            }
        }
        match best {
            Some((candidate, index)) => Ok(candidate.local_gid(index)),
            None => Err(NoUsableGid::new(wanted, own, seen)),
        }
    }

    /// Whether the entry is on this netdev of this network namespace. The netdev must have the address, since a netdev of
    /// another namespace may have the same name. A link-local GID exists without the address, so this is not checked then.
    fn is_at(&self, netdev: &Netdev, port: &Port, entry: &GidEntry) -> bool {
        let needs_address = port.is_roce && !is_link_local(entry.gid) && !self.addresses.is_empty();
        let mut own = self.addresses.iter().filter(|own| own.netdev == netdev.name);
        netdev.is_here && (!needs_address || own.any(|own| gid_of(own.address) == entry.gid))
    }

    /// The netdevs of an entry of the port's GID table: the one that the kernel reports; if it reports none, as on
    /// InfiniBand and some iWARP ports, those whose hardware address contains the GID. These are several with partitions
    /// of IPoIB.
    #[must_use]
    pub fn netdevs_of(&self, port: &Port, entry: &GidEntry) -> Vec<&Netdev> {
        let is_its = |netdev: &&Netdev| match (entry.netdev(), netdev.hardware_address()) {
            (Some(name), _) => netdev.name() == name,
            (None, Some(address)) => match port.link_layer {
                LinkLayer::InfiniBand => netdev.is_ipoib && gid_of_ipoib(address) == Some(entry.gid),
                LinkLayer::Ethernet if !port.is_roce => gid_of_iwarp(address) == Some(entry.gid),
                _ => false,
            },
            (None, None) => false,
        };
        self.netdevs.iter().filter(is_its).collect()
    }
}

/// The index of an entry, or why it cannot be used; `elsewhere` is a netdev here that has the entry, but not the address.
fn usable_index(
    device: &Device,
    port: &Port,
    entry: &GidEntry,
    elsewhere: Option<&Netdev>,
) -> Result<u8, NoGid> {
    let (device, number) = (device.name.clone(), port.number);
    if let Some(netdev) = elsewhere {
        return Err(NoGid::OtherNetdev { device, port: number, netdev: netdev.name.clone() });
    }
    if entry.gid_type == GidType::Unknown || port.link_layer == LinkLayer::Unknown {
        return Err(NoGid::UnknownType { device, port: number });
    }
    u8::try_from(entry.index).map_err(|_| NoGid::IndexTooLarge { device, port: number, index: entry.index })
}

/// The GID of an address on a RoCE port.
fn gid_of(address: IpAddr) -> Gid {
    match address {
        IpAddr::V4(v4) => Gid::from(v4.to_ipv6_mapped()),
        IpAddr::V6(v6) => Gid::from(v6),
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
