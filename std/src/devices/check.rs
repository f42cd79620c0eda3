//! [`Check`]: looks results over before they are used.

use super::finding::Finding;
use super::index::Index;
use super::of_entry::{LocalPort, RdmaAddress};
use super::words::{LinkLayer, PortState};
use super::{Devices, LocalGid, PortName};
use crate::native::{self, KernelRoute, NoKernelRoute, RouteKind, RouteQuery};
use rdma_addrinfo_core::{AddrInfo, AddrInfoList, SockAddrRef};
use std::cell::OnceCell;
use std::collections::BTreeMap;
use std::net::IpAddr;
use std::time::Instant;

/// The most addresses on RDMA ports that are asked about for one destination.
const MOST_OTHERS: usize = 16;

/// Looks results over: the RDMA port of each entry, and what is wrong with it. Made by [`Devices::check`].
///
/// Each entry takes a question or two to the kernel ([`RouteQuery`]), about its route, and otherwise time that does not
/// depend on the number of devices, GIDs and addresses.
///
/// ```
/// use rdma_addrinfo::Resolver;
/// use rdma_addrinfo::devices::Devices;
///
/// let found = Resolver::new().resolve("localhost", 7471, None)?;
/// let devices = Devices::read();
/// for entry in devices.check().with_node("localhost").entries(found.list()) {
///     // For example: no usable GID for 127.0.0.1 on lo: this machine has no RDMA device
///     entry.findings.iter().for_each(|finding| println!("{finding}"));
/// }
/// # Ok::<(), rdma_addrinfo::Error>(())
/// ```
#[derive(Debug)]
pub struct Check<'d> {
    index: Index<'d>,
    deadline: Option<Instant>,
    own_name: bool,
    source_is_given: bool,
    interface: Option<u32>,
    asks_kernel: bool,
    /// The addresses on RDMA ports.
    rdma: OnceCell<Rdma>,
    path_mtus: OnceCell<BTreeMap<PortName, u32>>,
    /// What the kernel said of sources.
    local: BTreeMap<(IpAddr, u32), bool>,
    /// The names of interfaces.
    names: BTreeMap<u32, Option<String>>,
}

/// What was found about an entry.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub struct Checked {
    /// The RDMA port of the local address.
    pub port: LocalPort,
    /// The interface that packets to the destination leave by; `None` if there is no destination, no route, or the kernel
    /// was not asked.
    pub netdev: Option<String>,
    /// What is wrong, or may be.
    pub findings: Vec<Finding>,
}

impl Checked {
    /// Whether nothing was found that rules a connection out.
    #[must_use]
    pub fn may_work(&self) -> bool {
        !self.findings.iter().any(Finding::is_fatal)
    }
}

/// The addresses on RDMA ports, and which share a subnet.
#[derive(Debug, Default)]
struct Rdma {
    addresses: Vec<RdmaAddress>,
    /// Indices by the family, length and bits of their prefixes.
    subnets: BTreeMap<(bool, u8, u128), Vec<usize>>,
    /// The lengths that occur, of each family.
    lengths: Vec<(bool, u8)>,
}

impl Devices {
    /// Looks results over: see [`Check`].
    #[must_use]
    pub fn check(&self) -> Check<'_> {
        Check {
            index: Index::new(self),
            deadline: None,
            own_name: false,
            source_is_given: false,
            interface: None,
            asks_kernel: true,
            rdma: OnceCell::new(),
            path_mtus: OnceCell::new(),
            local: BTreeMap::new(),
            names: BTreeMap::new(),
        }
    }
}

impl Check<'_> {
    /// Ends at this time, with the finding [`TimedOut`](Finding::TimedOut) for what was not looked at. Without it, each
    /// question to the kernel takes a second at most.
    #[must_use]
    pub fn with_deadline(mut self, deadline: impl Into<Option<Instant>>) -> Self {
        self.deadline = deadline.into();
        self
    }

    /// The node that was resolved, which may be a name of this host.
    #[must_use]
    pub fn with_node<'n>(mut self, node: impl Into<Option<&'n str>>) -> Self {
        self.own_name = node.into().is_some_and(is_own_name);
        self
    }

    /// Whether the user chose the source, so that others need not be mentioned.
    #[must_use]
    pub fn with_given_source(mut self, is_given: bool) -> Self {
        self.source_is_given = is_given;
        self
    }

    /// The index of the interface that packets are to leave by.
    #[must_use]
    pub fn with_interface(mut self, index: impl Into<Option<u32>>) -> Self {
        self.interface = index.into();
        self.source_is_given |= self.interface.is_some();
        self
    }

    /// Asks the kernel nothing, as for the devices of another sysfs.
    #[must_use]
    pub fn without_kernel(mut self) -> Self {
        self.asks_kernel = false;
        self
    }

    /// Looks all entries over. What could not be read of the devices is in [`Devices::problems`].
    #[must_use]
    pub fn entries(&mut self, list: AddrInfoList<'_>) -> Vec<Checked> {
        list.iter().map(|info| self.entry(&info)).collect()
    }

    /// Looks an entry over.
    #[must_use]
    pub fn entry(&mut self, info: &AddrInfo<'_>) -> Checked {
        if self.deadline.is_some_and(|deadline| deadline <= Instant::now()) {
            let findings = vec![Finding::TimedOut];
            return Checked { port: LocalPort::NoAddress, netdev: None, findings };
        }
        let mut findings = Vec::new();
        let local = info.src_addr().and_then(|address| Some((specified(address)?, zone(address))));
        let destination = info.dst_addr().filter(|_| !info.is_passive());
        let target = destination.and_then(|address| Some((specified(address)?, zone(address))));

        let is_here = local.is_none_or(|(address, zone)| self.is_here(address, zone, &mut findings));
        let route = target.and_then(|target| self.route(target, local.filter(|_| is_here), &mut findings));
        let netdev = route.as_ref().and_then(|route| self.name(route.interface));
        // Packets to this host go by loopback, which has no GID.
        let outgoing = netdev.as_deref().filter(|_| is_outgoing(route.as_ref()));
        let own = local.map_or_else(Vec::new, |local| self.own_netdevs(local));
        let of_route = outgoing.filter(|netdev| own.iter().any(|own| own == netdev));

        let port = self.index.local_port(info, of_route);
        match &port {
            LocalPort::Gid(gid) => self.port(gid, destination, route.as_ref(), &mut findings),
            LocalPort::NotUsable(why) => {
                let others = target.map_or_else(Vec::new, |target| self.others(target));
                findings.push(Finding::NotRdma { why: why.clone(), others });
            }
            LocalPort::NoAddress => {}
        }
        if let Some((destination, scope)) = target {
            if self.own_name && destination.is_loopback() {
                findings.push(Finding::OwnName { destination });
            }
            self.several_sources(destination, scope, &mut findings);
        }
        Checked { port, netdev, findings }
    }

    /// Whether a local address is one of this host.
    fn is_here(&mut self, address: IpAddr, zone: u32, findings: &mut Vec<Finding>) -> bool {
        if zone == 0 && is_link_local(address) {
            findings.push(Finding::NoZone { address });
        }
        let netdevs = self.own_netdevs((address, zone));
        if netdevs.len() > 1 && !is_link_local(address) {
            findings.push(Finding::SeveralInterfaces { address, netdevs: netdevs.clone() });
        }
        let asks_kernel = self.asks_kernel;
        let deadline = self.deadline;
        let is_here = !netdevs.is_empty()
            || !asks_kernel
            || *self.local.entry((address, zone)).or_insert_with(|| {
                // Not only the addresses that interfaces list are here: all of 127.0.0.0/8 is.
                let query = RouteQuery::new(address).with_interface(zone);
                query.leads_here(deadline).unwrap_or(true)
            });
        if !is_here {
            findings.push(Finding::NotLocal { address });
        }
        is_here
    }

    /// The names of the interfaces that have an address.
    fn own_netdevs(&self, (address, zone): (IpAddr, u32)) -> Vec<String> {
        let interfaces = self.index.interfaces_with(address);
        let in_zone = interfaces.filter(|own| zone == 0 || own.scope_id == 0 || own.scope_id == zone);
        let mut names: Vec<String> = Vec::new();
        for own in in_zone {
            if !names.contains(&own.netdev) {
                names.push(own.netdev.clone());
            }
        }
        names
    }

    /// The route to a destination.
    fn route(
        &mut self,
        (destination, scope): (IpAddr, u32),
        source: Option<(IpAddr, u32)>,
        findings: &mut Vec<Finding>,
    ) -> Option<KernelRoute> {
        if !self.asks_kernel {
            return None;
        }
        let zone = [scope, source.map_or(0, |(_, zone)| zone)].into_iter().find(|zone| *zone != 0);
        let source = source.map(|(source, _)| source);
        let query = RouteQuery::new(destination).with_local_source(source).with_interface(zone);
        let route = query.lookup(self.deadline);
        if let Some(interface) = self.interface
            && let Ok(by_interface) = query.with_interface(interface).lookup(self.deadline)
            && by_interface.is_assumed
            && let Some(netdev) = self.name(interface)
        {
            findings.push(Finding::AssumedOnLink { destination, netdev });
        }
        match route {
            Ok(route) => {
                if let Some(source) = source
                    && is_outgoing(Some(&route))
                    && let Some(netdev) = self.name(route.interface)
                    && let own = self.own_netdevs((source, zone.unwrap_or(0)))
                    && !own.is_empty()
                    && !own.contains(&netdev)
                {
                    findings.push(Finding::OtherInterface { destination, source, netdev, own });
                }
                Some(route)
            }
            Err(why @ (NoKernelRoute::NotAsked(_) | NoKernelRoute::TimedOut)) => {
                findings.push(Finding::RouteNotAsked { why });
                None
            }
            Err(why) => {
                findings.push(Finding::NoRoute { destination, source, why });
                None
            }
        }
    }

    /// What is wrong with a port.
    fn port(
        &self,
        gid: &LocalGid,
        destination: Option<SockAddrRef<'_>>,
        route: Option<&KernelRoute>,
        findings: &mut Vec<Finding>,
    ) {
        let name = PortName { device: gid.device.clone(), port: gid.port };
        if !gid.ties.is_empty() {
            findings.push(Finding::Tie { chosen: name.clone(), others: gid.ties.clone() });
        }
        if gid.state != PortState::ACTIVE {
            findings.push(Finding::PortDown { port: name.clone(), state: gid.state });
        }
        if let Some(local) = gid.pkey
            && let Some(destination) = destination.and_then(|address| address.pkey())
            && !local.same_partition(destination)
        {
            findings.push(Finding::OtherPartition { local, destination });
        }
        let netdev = gid.netdev.as_deref().and_then(|netdev| self.index.netdev(netdev));
        let of_route = route.filter(|route| is_outgoing(Some(route))).and_then(|route| route.mtu);
        if gid.link_layer == LinkLayer::Ethernet
            && let Some(netdev) = netdev
            && let Some(active) = self.path_mtu(&name)
            && let Some(mtu) = [netdev.mtu, of_route].into_iter().flatten().min()
            && path_mtu(mtu) < active
        {
            findings.push(Finding::MtuTooSmall { netdev: netdev.name.clone(), mtu, active });
        }
    }

    /// The path MTU of a RoCE port, which is made of the MTU of its netdev: the greatest of those that have its GIDs, since
    /// what is stacked on a netdev has no greater one.
    fn path_mtu(&self, name: &PortName) -> Option<u32> {
        let of_ports = self.path_mtus.get_or_init(|| {
            let mut of_ports = BTreeMap::new();
            for row in self.index.rows().filter(|row| row.port.is_roce) {
                let netdev = row.entry.netdev().and_then(|netdev| self.index.netdev(netdev));
                let mtu = netdev.and_then(|netdev| netdev.mtu).map_or(0, path_mtu);
                let name = PortName { device: row.device.name.clone(), port: row.port.number };
                let greatest = of_ports.entry(name).or_insert(0);
                *greatest = mtu.max(*greatest);
            }
            of_ports
        });
        of_ports.get(name).copied()
    }

    /// The name of an interface.
    fn name(&mut self, index: u32) -> Option<String> {
        let lookup = || native::interface_name(index).ok().flatten();
        self.names.entry(index).or_insert_with(lookup).clone()
    }

    fn rdma(&self) -> &Rdma {
        self.rdma.get_or_init(|| Rdma::new(&self.index))
    }

    /// The addresses on RDMA ports from which the destination can be reached.
    fn others(&self, (destination, scope): (IpAddr, u32)) -> Vec<RdmaAddress> {
        if !self.asks_kernel {
            return self.sources_for(destination, scope);
        }
        let rdma = &self.rdma().addresses;
        let candidates = rdma.iter().filter(|own| own.address.is_ipv4() == destination.is_ipv4());
        let reaches = |own: &&RdmaAddress| {
            let index = own.netdev.parse().ok().and_then(|name: native::InterfaceName| name.index().ok()?);
            let query = RouteQuery::new(destination).with_local_source(own.address).with_interface(index);
            index.is_some() && query.lookup(self.deadline).is_ok_and(|route| !route.is_assumed)
        };
        candidates.take(MOST_OTHERS).filter(reaches).cloned().collect()
    }

    /// See [`Devices::sources_for`].
    pub(super) fn sources_for(&self, destination: IpAddr, scope: u32) -> Vec<RdmaAddress> {
        if self.index.interfaces_with(destination).next().is_some() {
            return Vec::new();
        }
        let rdma = self.rdma();
        let found = rdma.sharing_subnet(destination).into_iter().filter_map(|at| rdma.addresses.get(at));
        found.filter(|own| scope == 0 || own.scope_id == 0 || own.scope_id == scope).cloned().collect()
    }

    /// Ports that the kernel could have chosen as well.
    fn several_sources(&self, destination: IpAddr, scope: u32, findings: &mut Vec<Finding>) {
        if self.source_is_given {
            return;
        }
        let sources = self.sources_for(destination, scope);
        let port = |own: &RdmaAddress| (own.gid.device.clone(), own.gid.port);
        if sources.iter().any(|own| port(own) != port(&sources[0])) {
            findings.push(Finding::SeveralSources { sources });
        }
    }
}

impl Rdma {
    fn new(index: &Index<'_>) -> Self {
        let mut rdma = Self::default();
        for own in index.devices.addresses() {
            let Ok(gid) = index.find(own.address, Some(&own.netdev)) else { continue };
            let key = subnet(own.peer.unwrap_or(own.address), own.prefix_length);
            rdma.subnets.entry(key).or_default().push(rdma.addresses.len());
            rdma.addresses.push(RdmaAddress {
                address: own.address,
                netdev: own.netdev.clone(),
                scope_id: own.scope_id,
                gid,
            });
        }
        rdma.lengths = rdma.subnets.keys().map(|(is_v4, length, _)| (*is_v4, *length)).collect();
        rdma.lengths.dedup();
        rdma
    }

    /// The addresses in the destination's subnet, in the kernel's order.
    fn sharing_subnet(&self, destination: IpAddr) -> Vec<usize> {
        let destination = destination.to_canonical();
        let lengths = self.lengths.iter().filter(|(is_v4, _)| *is_v4 == destination.is_ipv4());
        let of_length = lengths.filter_map(|(_, length)| self.subnets.get(&subnet(destination, *length)));
        let mut found: Vec<_> = of_length.flatten().copied().collect();
        found.sort_unstable();
        found
    }
}

/// The family, length and bits of a prefix.
fn subnet(address: IpAddr, length: u8) -> (bool, u8, u128) {
    let bits = match address {
        IpAddr::V4(v4) => u128::from(v4.to_bits()) << 96,
        IpAddr::V6(v6) => v6.to_bits(),
    };
    let mask = u128::MAX.checked_shl(128_u32.saturating_sub(length.into())).unwrap_or(0);
    (address.is_ipv4(), length, bits & mask)
}

/// The path MTU of RoCE on a netdev of this MTU: the greatest that fits with all headers that RoCE may add, as the
/// kernel counts them (`iboe_get_mtu`).
fn path_mtu(mtu: u32) -> u32 {
    const HEADERS: u32 = 40 + 8 + 12 + 4 + 28 + 4;
    let fits = |payload: &u32| payload.saturating_add(HEADERS) <= mtu;
    [4096, 2048, 1024, 512, 256].into_iter().find(fits).unwrap_or(0)
}

/// Whether packets leave the host.
fn is_outgoing(route: Option<&KernelRoute>) -> bool {
    route.is_some_and(|route| route.kind != RouteKind::Local)
}

/// The IP address, unless it is a wildcard.
fn specified(address: SockAddrRef<'_>) -> Option<IpAddr> {
    address.ip().map(|ip| ip.to_canonical()).filter(|ip| !ip.is_unspecified())
}

/// The zone of a link-local address; the kernel ignores that of others.
fn zone(address: SockAddrRef<'_>) -> u32 {
    match address.ip() {
        Some(ip) if is_link_local(ip) => u32::try_from(address.scope_id()).unwrap_or(0),
        _ => 0,
    }
}

/// fe80::/10, and link-local multicast.
fn is_link_local(address: IpAddr) -> bool {
    let IpAddr::V6(v6) = address else { return false };
    v6.is_unicast_link_local() || v6.segments()[0] & 0xff0f == 0xff02
}

/// Whether a node is the name of this host, with or without its domain.
fn is_own_name(node: &str) -> bool {
    let uname = rustix::system::uname();
    let own = uname.nodename().to_string_lossy();
    let short = |name: &str| name.split('.').next().unwrap_or_default().to_ascii_lowercase();
    !own.is_empty() && node.parse::<IpAddr>().is_err() && short(node) == short(&own)
}
