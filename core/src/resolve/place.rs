//! Addresses into entries.

use super::hints_only;
use super::placed::Placed;
use super::plan::{self, AfIb, Plan};
use super::route::known_no_route;
use crate::addrinfo::{Entry, Listed, Storage};
use crate::error::{Error, ErrorKind, Field, Location, Reason};
use crate::hints::Protocol;
use crate::request::{Request, Text};
use crate::sockaddr::SockAddrBuf;
use crate::text::{self, Node, Service, Zone};
use crate::types::{Family, Flags, Gid, Pkey, PortSpace, QpType, ServiceId};

impl Request<'_> {
    /// Whether the answer depends on [`Environment::ipv6_loopback`](crate::Environment::ipv6_loopback), as far as can be
    /// told before a name is looked up; a [`LookUp`](super::LookUp) tells it of the name of a service. Who finds that out
    /// by asking may leave it out otherwise.
    #[inline]
    #[must_use]
    pub fn needs_ipv6_loopback(&self) -> bool {
        !self.policy.is_strict() && given(self, self.node).is_none() && of_port(self)
    }
}

/// The same of what is no rare request any more: one without a node.
#[cold]
fn of_port(request: &Request<'_>) -> bool {
    let is_port = |service| matches!(text::service(request.policy.grammar, service), Ok(Service::Port(_)));
    (request.service.port().is_some() || given(request, request.service.text()).is_some_and(is_port))
        && matches!(plan::check(request), Ok(true))
        && Plan::new(request).is_ok_and(|plan| orders_loopback(request, &plan))
}

/// Whether loopback addresses of both families are answered, in the order of getaddrinfo.
pub(super) fn orders_loopback(request: &Request<'_>, plan: &Plan) -> bool {
    !request.policy.is_strict()
        && given(request, request.node).is_none()
        && !request.hints().is_passive()
        && plan.family == Family::UNSPEC
        && plan.af_ib != AfIb::NodeIsGid
}

/// What must be asked for before entries can be placed.
#[derive(Clone, Copy)]
pub(super) enum Need<'q> {
    Nothing,
    LookUp(NameNeed<'q>),
    Scope(ScopeNeed<'q>),
}

/// A name to look up.
#[derive(Clone, Copy, Debug)]
pub(super) struct NameNeed<'q> {
    pub(super) plan: Plan,
    pub(super) node: Text<'q>,
    pub(super) service: Text<'q>,
    pub(super) protocol: Protocol,
    /// The port, where no service is looked up.
    pub(super) port: u16,
}

/// A zone to find, and the address that it belongs to.
#[derive(Clone, Copy, Debug)]
pub(super) struct ScopeNeed<'q> {
    pub(super) plan: Plan,
    pub(super) address: u128,
    pub(super) name: &'q [u8],
    /// Where the name starts in the node.
    pub(super) offset: usize,
    pub(super) port: u16,
    pub(super) protocol: Protocol,
}

/// Checks the request and places all entries that its text and hints tell.
#[inline]
pub(super) fn place<'q>(
    request: &Request<'q>,
    results: &mut Storage<'_>,
) -> Result<(Placed, Need<'q>), Error> {
    if !plan::check(request)? {
        return Ok((hints_only::place(request, results)?, Need::Nothing));
    }
    let service = given(request, request.service.text());
    // Before anything else is looked at, as getaddrinfo does.
    if service.is_none() && request.service.port().is_none() && given(request, request.node).is_none() {
        return Err(plan::nothing_asked(ErrorKind::NoName));
    }
    let plan = Plan::new(request)?;
    let port = match service {
        None => request.service.port().unwrap_or(0),
        // A port is asked for first, and by itself, so that it stays in a register.
        Some(text) => match text::port(text) {
            Some(port) => port,
            None => match text::service(request.policy.grammar, text)? {
                Service::Port(port) => port,
                Service::Name(_) => {
                    return Ok((Placed::new(&plan), Need::LookUp(service_name(request, plan)?)));
                }
            },
        },
    };
    with_port(request, &plan, port, plan.transport.protocol(), results)
}

/// The look-up of a service name, with the node if that is a name, too.
#[inline(never)]
fn service_name<'q>(request: &Request<'q>, plan: Plan) -> Result<NameNeed<'q>, Error> {
    let node = match read_node(request, &plan) {
        Ok(Some(Node::Name(_))) => request.node,
        Err(error) if request.policy.is_strict() => return Err(error),
        // An error of the node waits: getaddrinfo looks at the service first.
        Ok(_) | Err(_) => Text::NONE,
    };
    Ok(NameNeed { plan, node, service: request.service.text(), protocol: plan.transport.protocol(), port: 0 })
}

/// Places the node of the request, for a service whose port and protocol are known.
#[inline(always)]
pub(super) fn with_port<'q>(
    request: &Request<'q>,
    plan: &Plan,
    port: u16,
    protocol: Protocol,
    results: &mut Storage<'_>,
) -> Result<(Placed, Need<'q>), Error> {
    let placed = Placed::new(plan);
    let placer = Placer::new(request, plan, port, protocol);
    let placed = match read_node(request, plan)? {
        None => placer.no_node(placed, results)?,
        Some(Node::Ipv4(address)) => placer.push(placer.ipv4(address)?, placed, results),
        Some(Node::Ipv6 { address, zone }) => {
            placer.check_ipv6(address)?;
            let scope = match zone {
                Zone::None => 0,
                Zone::Index(index) => index,
                Zone::Name(name) => {
                    let offset = zone_offset(request);
                    let need = ScopeNeed { plan: *plan, address, name, offset, port, protocol };
                    return Ok((placed, Need::Scope(need)));
                }
                Zone::Invalid(offset) => return Err(bad_zone(offset)),
            };
            placer.push(placer.ipv6(address, scope, 0)?, placed, results)
        }
        Some(Node::Name(_)) => {
            // Without a service name both protocols give the same addresses: one is enough.
            let protocol = match protocol {
                Protocol::Any => Protocol::Tcp,
                protocol => protocol,
            };
            let need = NameNeed { plan: *plan, node: request.node, service: Text::NONE, protocol, port };
            return Ok((placed, Need::LookUp(need)));
        }
    };
    Ok((placed, Need::Nothing))
}

/// Node or service as given; the `*` of getaddrinfo is none.
#[inline]
fn given<'q>(request: &Request<'q>, text: Text<'q>) -> Option<&'q [u8]> {
    match (request.policy.grammar, text.bytes()) {
        (text::Grammar::Glibc, Some(b"*")) => None,
        (_, text) => text,
    }
}

/// Reads the node: none, a literal, or a name that may be looked up.
#[inline]
fn read_node<'q>(request: &Request<'q>, plan: &Plan) -> Result<Option<Node<'q>>, Error> {
    let Some(text) = given(request, request.node) else { return Ok(None) };
    match text::node(request.policy.grammar, text)? {
        Node::Name(_)
            if plan.af_ib == AfIb::NodeIsGid || request.hints().get_flags().contains(Flags::NUMERIC_HOST) =>
        {
            Err(not_numeric(plan))
        }
        node => Ok(Some(node)),
    }
}

#[cold]
fn not_numeric(plan: &Plan) -> Error {
    let reason = if plan.af_ib == AfIb::NodeIsGid { Reason::NotGid } else { Reason::NotNumeric };
    Error::new(ErrorKind::NoName).because(reason).at(Location::Node(0))
}

#[cold]
fn bad_zone(offset: usize) -> Error {
    Error::new(ErrorKind::NoName).because(Reason::NoSuchZone).at(Location::Node(offset))
}

/// Where the zone starts in the node.
#[cold]
fn zone_offset(request: &Request<'_>) -> usize {
    let percent = request.node.bytes().and_then(|node| node.iter().position(|byte| *byte == b'%'));
    percent.map_or(0, |percent| percent.saturating_add(1))
}

#[cold]
pub(super) fn other_family() -> Error {
    Error::new(ErrorKind::AddrFamily).because(Reason::OtherFamily).at(Location::Node(0))
}

/// Whether the address is `::ffff:a.b.c.d`.
#[inline]
const fn is_mapped(address: u128) -> bool {
    address >> 32 == 0xffff
}

/// Makes entries of addresses. Small and by value, so that a literal stays in registers on its way to its entry.
#[derive(Clone, Copy)]
pub(super) struct Placer<'p, 'q> {
    request: &'p Request<'q>,
    family: Family,
    af_ib: AfIb,
    qp_type: QpType,
    port_space: PortSpace,
    port: u16,
}

impl<'p, 'q> Placer<'p, 'q> {
    #[inline]
    pub(super) fn new(request: &'p Request<'q>, plan: &Plan, port: u16, protocol: Protocol) -> Self {
        let (qp_type, port_space) = plan.transport.settle(protocol);
        Self { request, family: plan.family, af_ib: plan.af_ib, qp_type, port_space, port }
    }

    /// An IPv4 address as it is answered.
    ///
    /// # Errors
    /// [`ErrorKind::AddrFamily`] when another family is asked for.
    #[inline]
    pub(super) fn ipv4(self, address: u32) -> Result<SockAddrBuf, Error> {
        if self.af_ib == AfIb::NodeIsGid || self.family == Family::INET6 {
            return Err(other_family());
        }
        Ok(SockAddrBuf::inet(address, self.port))
    }

    /// Whether an IPv6 address can be of the family asked for.
    #[inline]
    pub(super) fn check_ipv6(self, address: u128) -> Result<(), Error> {
        if self.family == Family::INET && !is_mapped(address) { Err(other_family()) } else { Ok(()) }
    }

    /// An IPv6 address as it is answered: as a GID where one is asked for, as the IPv4 address that is mapped into
    /// it where the policy unmaps.
    ///
    /// # Errors
    /// [`ErrorKind::AddrFamily`] when another family is asked for.
    #[inline]
    pub(super) fn ipv6(self, address: u128, scope_id: u32, flow_info: u32) -> Result<SockAddrBuf, Error> {
        self.check_ipv6(address)?;
        if self.af_ib == AfIb::NodeIsGid {
            return Ok(self.ib(Gid::from_bits(address), scope_id));
        }
        // rdma_cm refuses mapped addresses. The C library unmaps only where IPv4 is asked for.
        let unmap = match self.family {
            Family::INET => true,
            Family::INET6 => false,
            _ => self.request.policy.is_strict(),
        };
        if unmap && is_mapped(address) {
            let [.., a, b, c, d] = address.to_be_bytes();
            return self.ipv4(u32::from_be_bytes([a, b, c, d]));
        }
        Ok(SockAddrBuf::inet6(address, self.port, flow_info, scope_id))
    }

    /// Places what stands for no node: the address in the hints, loopback, or the wildcard.
    #[inline(never)]
    fn no_node(self, mut placed: Placed, results: &mut Storage<'_>) -> Result<Placed, Error> {
        let hints = self.request.hints();
        let strict = self.request.policy.is_strict();
        let hint = if hints.is_passive() { hints.get_src_addr() } else { hints.get_dst_addr() };
        if strict && !hint.is_none() {
            if !matches!(hints.get_family(), Family::UNSPEC) && hints.get_family() != hint.family() {
                return Err(other_family().at(Location::Hints(Field::Family)));
            }
            let address = hint.with_port(self.port, self.port_space);
            return Ok(self.push(address, placed, results));
        }

        let (v4, v6) = if hints.is_passive() { (0, 0) } else { (0x7f00_0001, 1) };
        if self.af_ib == AfIb::NodeIsGid {
            return Ok(self.push(self.ipv6(v6, 0, 0)?, placed, results));
        }
        // In the order of getaddrinfo, which answers the IPv4 wildcard first and sorts addresses that cannot be
        // reached behind others. By the manual page the order does not depend on the machine.
        let v6_first = strict || (!hints.is_passive() && self.request.environment.ipv6_loopback);
        for is_v6 in [v6_first, !v6_first] {
            let address = match (is_v6, self.family) {
                (true, Family::INET) | (false, Family::INET6) => continue,
                (true, _) => self.ipv6(v6, 0, 0)?,
                (false, _) => self.ipv4(v4)?,
            };
            placed = self.push(address, placed, results);
            if self.request.takes_first() && !results.entries.as_slice().is_empty() {
                break;
            }
        }
        Ok(placed)
    }

    /// A GID as an AF_IB address, as `ucma_convert_in6` of librdmacm makes it.
    #[inline]
    fn ib(self, gid: Gid, scope_id: u32) -> SockAddrBuf {
        let sid = ServiceId::from_port(self.port_space, self.port);
        let mask = ServiceId::mask_for(self.port_space, self.port);
        SockAddrBuf::ib(gid, Pkey::DEFAULT, 0, sid, mask, u64::from(scope_id))
    }

    /// Appends an entry for the address, unless the source in the hints is of another family.
    // Inlined whatever its size: an address that goes through memory costs as much as its parsing.
    #[inline(always)]
    pub(super) fn push(self, address: SockAddrBuf, placed: Placed, results: &mut Storage<'_>) -> Placed {
        let hints = self.request.hints();
        let family = address.family();
        // The whole entry at once, with constants where it is empty: each word is stored once, where it stays.
        let entry = Entry {
            family,
            qp_type: self.qp_type,
            port_space: self.port_space,
            named: self.request.canonical_names,
            // Where only AF_IB entries are wanted, it waits for one.
            listed: if self.af_ib == AfIb::TwinsOnly { Listed::Nothing } else { Listed::Entry },
            ..Entry::empty()
        };
        if hints.is_passive() {
            return placed.push(Entry { flags: Flags::PASSIVE, src: address, ..entry }, results);
        }
        let src = hints.get_src_addr();
        // An AF_IB source is of the family of the AF_IB entries that routes add, where only those are wanted.
        let for_twin = self.af_ib == AfIb::TwinsOnly && src.family() == Family::IB;
        if self.request.policy.is_strict() && !src.is_none() && src.family() != family && !for_twin {
            return Placed { other_family: true, ..placed };
        }
        let entry = Entry { src: *src, dst: address, ..entry };
        placed.push(Entry { no_route: known_no_route(&entry, self.request), ..entry }, results)
    }
}
