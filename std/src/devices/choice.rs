//! The choice of a GID: the order of preference.

use super::Devices;
use super::index::{Index, Row, gid_of, gid_of_hardware};
use super::natural;
use super::no_gid::{NoGid, NoUsableGid, Wanted};
use super::table::{GidEntry, Netdev, Port};
use super::words::{GidType, LinkLayer, PortState};
use crate::native::{self, InterfaceName};
use rdma_addrinfo_core::{Gid, Pkey};
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
    /// The netdev of the GID, if the kernel reports one; on InfiniBand the IPoIB netdev that has the address.
    pub netdev: Option<String>,
    /// The P_Key of that netdev, if it is IPoIB.
    pub pkey: Option<Pkey>,
    /// Other ports that are as good, such as those of a second device on the same netdev: the choice is by name alone.
    pub ties: Vec<PortName>,
    /// The state of the port.
    pub state: PortState,
    /// The link layer of the port.
    pub link_layer: LinkLayer,
}

/// A port of a device.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[non_exhaustive]
pub struct PortName {
    /// The name of the device.
    pub device: String,
    /// The number of the port.
    pub port: u8,
}

/// Writes `rxe0 port 1`.
impl fmt::Display for PortName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} port {}", self.device, self.port)
    }
}

/// Writes `rxe0 port 1 gid 3 (roce-v2, ::ffff:192.0.2.1, netdev va)`, with the port's state unless it is active.
impl fmt::Display for LocalGid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { device, port, gid_index, gid, gid_type, netdev, state, .. } = self;
        write!(f, "{device} port {port} gid {gid_index} ({gid_type}, {gid}")?;
        if let Some(netdev) = netdev {
            write!(f, ", netdev {netdev}")?;
        }
        if let Some(pkey) = self.pkey {
            write!(f, ", P_Key {pkey}")?;
        }
        match *state {
            PortState::ACTIVE => f.write_str(")"),
            state => write!(f, ", port {state})"),
        }
    }
}

/// A row with its ranks.
#[derive(Clone, Copy, Debug)]
struct Candidate<'d> {
    row: Row<'d>,
    index: u8,
    /// The netdev that it was chosen for, or the first that it belongs to.
    netdev: Option<&'d Netdev>,
    on_own: bool,
    is_here: bool,
}

impl Candidate<'_> {
    /// The order by the ranks in the module's documentation, best first, but for the names.
    fn order(&self, other: &Self) -> Ordering {
        let worse = |it: &Self| {
            let Row { port, entry, .. } = it.row;
            let (inactive, v1) = (port.state() != PortState::ACTIVE, entry.gid_type == GidType::RoceV1);
            (!it.on_own, !it.is_here, inactive, v1, !is_routable(entry.gid, port))
        };
        worse(self).cmp(&worse(other))
    }

    /// The order of candidates that are as good. Two are never equal.
    fn order_by_name(&self, other: &Self) -> Ordering {
        let (one, other) = (self.row, other.row);
        natural::order(&one.device.name, &other.device.name)
            .then_with(|| (one.port.number, one.entry.index).cmp(&(other.port.number, other.entry.index)))
    }

    fn port_name(&self) -> PortName {
        PortName { device: self.row.device.name.clone(), port: self.row.port.number }
    }

    fn local_gid(&self, ties: Vec<PortName>) -> LocalGid {
        let Row { device, port, entry } = self.row;
        let netdev = self.netdev.map(|netdev| netdev.name.clone());
        LocalGid {
            device: device.name.clone(),
            port: port.number,
            gid_index: self.index,
            gid: entry.gid,
            gid_type: entry.gid_type,
            netdev: entry.netdev.clone().or(netdev),
            pkey: self.netdev.and_then(|netdev| netdev.pkey),
            ties,
            state: port.state(),
            link_layer: port.link_layer,
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
    /// Each call looks at all GIDs; for many results [`check`](Self::check) builds an index once.
    ///
    /// # Errors
    /// [`NoUsableGid`] with the reason: the address is not on an RDMA port, as that of loopback or of a management
    /// interface, or its GID cannot be used.
    #[doc(alias = "rdma_bind_addr")]
    pub fn find(&self, address: impl Into<IpAddr>, netdev: Option<&str>) -> Result<LocalGid, NoUsableGid> {
        Index::new(self).find(address.into(), self.first_name(netdev).as_deref())
    }

    /// The first name of a netdev, by which sysfs and the addresses have it. One that is not known here may be an
    /// alternative name, of which the kernel is asked.
    pub(super) fn first_name(&self, netdev: Option<&str>) -> Option<String> {
        let netdev = netdev?;
        let is_known = self.netdev(netdev).is_some() || self.addresses.iter().any(|own| own.netdev == netdev);
        let first = || {
            let index = netdev.parse::<InterfaceName>().ok()?.index().ok()??;
            native::interface_name(index).ok()?
        };
        Some(if is_known { None } else { first() }.unwrap_or_else(|| netdev.to_owned()))
    }

    /// The device and port of a GID of this machine, such as that of an AF_IB address.
    ///
    /// # Errors
    /// As [`find`](Self::find).
    #[doc(alias = "ibv_find_gid_index")]
    pub fn find_gid(&self, gid: Gid, netdev: Option<&str>) -> Result<LocalGid, NoUsableGid> {
        Index::new(self).find_gid(gid, self.first_name(netdev).as_deref())
    }

    /// The device, port and GID to use if no address is given. A GID counts only if its netdev has its address now, and
    /// if it has an interface identifier: `fe80::` has none.
    ///
    /// # Errors
    /// As [`find`](Self::find).
    pub fn best(&self) -> Result<LocalGid, NoUsableGid> {
        Index::new(self).choose(Wanted::Any, &[])
    }

    /// The same of one device, and of one port if it is given.
    ///
    /// # Errors
    /// As [`find`](Self::find).
    pub fn best_of(&self, device: &str, port: impl Into<Option<u8>>) -> Result<LocalGid, NoUsableGid> {
        let Some(device) = self.devices.iter().find(|it| it.name == device) else {
            return Err(NoUsableGid::new(Wanted::Any, &[], NoGid::NoDevice));
        };
        let mut device = device.clone();
        if let Some(port) = port.into() {
            device.ports.retain(|it| it.number == port);
        }
        let alone = Self { devices: vec![device], ..self.clone() };
        Index::new(&alone).choose(Wanted::Any, &[])
    }

    /// The netdevs of an entry of the port's GID table: the one that the kernel reports; if it reports none, as on
    /// InfiniBand and some iWARP ports, those whose hardware address contains the GID. These are several with partitions
    /// of IPoIB.
    #[must_use]
    pub fn netdevs_of(&self, port: &Port, entry: &GidEntry) -> Vec<&Netdev> {
        let is_its = |netdev: &&Netdev| match (entry.netdev(), netdev.hardware_address()) {
            (Some(name), _) => netdev.name() == name,
            (None, Some(address)) => gid_of_hardware(netdev, port, address) == Some(entry.gid),
            (None, None) => false,
        };
        self.netdevs.iter().filter(is_its).collect()
    }
}

impl Index<'_> {
    /// See [`Devices::find`].
    pub(super) fn find(&self, address: IpAddr, netdev: Option<&str>) -> Result<LocalGid, NoUsableGid> {
        let own = match netdev {
            Some(netdev) => vec![netdev],
            None => self.interfaces_with(address).map(|own| own.netdev.as_str()).collect(),
        };
        self.choose(Wanted::Address(address.to_canonical()), &own)
    }

    /// See [`Devices::find_gid`].
    pub(super) fn find_gid(&self, gid: Gid, netdev: Option<&str>) -> Result<LocalGid, NoUsableGid> {
        self.choose(Wanted::Gid(gid), &netdev.into_iter().collect::<Vec<_>>())
    }

    /// The best of all rows with the wanted address or GID; `own` are the netdevs that have it, if known.
    fn choose(&self, wanted: Wanted, own: &[&str]) -> Result<LocalGid, NoUsableGid> {
        let rows: Vec<_> = match wanted {
            Wanted::Any => self.rows().collect(),
            Wanted::Gid(gid) => self.rows_with(gid).collect(),
            Wanted::Address(address) => {
                let roce = self.rows_with(gid_of(address)).filter(|row| row.port.is_roce);
                roce.chain(own.iter().flat_map(|netdev| self.rows_on(netdev))).collect()
            }
        };
        let mut why_not = if self.devices.is_empty() { NoGid::NoDevice } else { self.why_none(wanted) };
        let mut candidates = Vec::new();
        for row in rows {
            match self.candidate(row, wanted, own) {
                Ok(candidate) => candidates.push(candidate),
                Err(why) => why_not = why_not.or_better(why),
            }
        }
        let best =
            candidates.iter().min_by(|one, other| one.order(other).then_with(|| one.order_by_name(other)));
        let Some(best) = best else { return Err(NoUsableGid::new(wanted, own, why_not)) };
        let equal = candidates.iter().filter(|other| best.order(other) == Ordering::Equal);
        let same = equal.filter(|other| other.row.entry.gid == best.row.entry.gid);
        let mut ties: Vec<_> = same.map(Candidate::port_name).filter(|it| *it != best.port_name()).collect();
        ties.sort();
        ties.dedup();
        Ok(best.local_gid(ties))
    }

    /// Why there is no row at all.
    fn why_none(&self, wanted: Wanted) -> NoGid {
        match (wanted, &self.devices.devices[..]) {
            (Wanted::Any, [device]) => match &device.ports[..] {
                [] => NoGid::NoPort { device: device.name.clone() },
                [port] => NoGid::EmptyTable { device: device.name.clone(), port: port.number },
                _ => NoGid::NotRdma,
            },
            _ => NoGid::NotRdma,
        }
    }

    /// The candidate of a row, or why it cannot be used.
    fn candidate<'d>(&'d self, row: Row<'d>, wanted: Wanted, own: &[&str]) -> Result<Candidate<'d>, NoGid> {
        let (device, number) = (row.device.name.clone(), row.port.number);
        if row.device.has_character_device == Some(false) {
            return Err(NoGid::NoCharacterDevice { device });
        }
        let netdevs = self.netdevs_of(row.port, row.entry);
        let first = |wanted: &dyn Fn(&Netdev) -> bool| {
            let wanted = netdevs.iter().copied().filter(|netdev| wanted(netdev));
            wanted.min_by(|one, other| natural::order(one.name(), other.name()))
        };
        let own_netdev = first(&|netdev| own.contains(&netdev.name()));
        if let Some(netdev) = first(&|netdev| netdev.is_here)
            && !own.is_empty()
            && own_netdev.is_none()
        {
            return Err(NoGid::OtherNetdev { device, port: number, netdev: netdev.name.clone() });
        }
        if row.entry.gid_type == GidType::Unknown || row.port.link_layer == LinkLayer::Unknown {
            return Err(NoGid::UnknownType { device, port: number });
        }
        let is_here = netdevs.iter().any(|netdev| self.is_at(netdev, row));
        if matches!(wanted, Wanted::Any) && self.is_stale(row, is_here) {
            return Err(NoGid::Stale { device, port: number });
        }
        let index = row.entry.index;
        let index = u8::try_from(index).map_err(|_| NoGid::IndexTooLarge { device, port: number, index })?;
        let netdev = own_netdev.or_else(|| first(&|_| true));
        Ok(Candidate { row, index, netdev, on_own: own_netdev.is_some(), is_here })
    }

    /// Whether a GID is no address that packets could be sent from now.
    fn is_stale(&self, row: Row<'_>, is_here: bool) -> bool {
        // That of iWARP is a hardware address, and zeros.
        let is_iwarp = row.port.link_layer == LinkLayer::Ethernet && !row.port.is_roce;
        let has_interface_id = is_iwarp || row.entry.gid.to_bits() << 64 != 0;
        let is_known = row.port.is_roce && row.entry.netdev.is_some() && !self.devices.addresses.is_empty();
        !has_interface_id || (is_known && !is_here)
    }
}
