//! Texts into entries.

use super::cursor::known_no_route;
use super::ends;
use super::hints_only::entries_from_hints;
use super::plan::{self, AfIb, Asked, Plan, other_family};
use super::service::IbService;
use super::summary::Summary;
use crate::addrinfo::{Entry, Listed, Storage};
use crate::error::{Error, ErrorKind, Field, Location, Reason};
use crate::hints::Protocol;
use crate::request::{Request, Text};
use crate::route::PathRecord;
use crate::sockaddr::{SockAddrBuf, cut, pkey_part};
use crate::text::{self, Node, PlainNode, Service, Zone};
use crate::types::{Family, Flags, Gid, Pkey, PortSpace, QpType, ServiceId};

impl Request<'_> {
    /// Whether the answer depends on [`Environment::ipv6_loopback`](crate::Environment::ipv6_loopback), as far as can be
    /// told before a name is looked up; a [`Lookup`](super::Lookup) tells it of the name of a service. Who finds that out
    /// by asking may leave it out otherwise.
    #[inline]
    #[must_use]
    pub fn needs_ipv6_loopback(&self) -> bool {
        !self.policy.is_strict() && given(self, self.node).is_none() && of_port(*self)
    }
}

/// The same of what is no rare request any more: one without a node.
// By value: the request of all others then stays in registers.
#[cold]
fn of_port(request: Request<'_>) -> bool {
    let request = &request;
    let is_port = |service| matches!(text::service(request.policy.grammar, service), Ok(Service::Port(_)));
    (request.service.port().is_some() || given(request, request.service.text()).is_some_and(is_port))
        && matches!(plan::check(request), Ok(Asked::Text))
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

/// Node and service, as far as both grammars agree on them.
#[derive(Clone, Copy, Debug)]
pub(super) struct Parsed<'q> {
    pub(super) node: Option<PlainNode<'q>>,
    /// `None` where the service was not read; inside, `None` where it is no plain port, 0 for no service.
    pub(super) port: Option<Option<u16>>,
}

/// What a request comes to without a question.
#[derive(Clone, Copy)]
pub(super) enum Entries<'q> {
    /// Entries, and what the route hint says of their path.
    Made(Summary, Option<PathRecord>),
    Lookup(NameLookup<'q>),
    Scope(ScopeLookup<'q>),
    Service(IbService<'q>),
}

/// A name to look up.
#[derive(Clone, Copy, Debug)]
pub(super) struct NameLookup<'q> {
    pub(super) plan: Plan,
    pub(super) node: Text<'q>,
    /// The node, where only a service is looked up.
    pub(super) parsed: Option<PlainNode<'q>>,
    pub(super) service: Text<'q>,
    pub(super) protocol: Protocol,
    /// The port, where no service is looked up.
    pub(super) port: u16,
}

/// A zone to find, and the address that it belongs to.
#[derive(Clone, Copy, Debug)]
pub(super) struct ScopeLookup<'q> {
    pub(super) plan: Plan,
    pub(super) address: u128,
    pub(super) name: &'q [u8],
    /// What the zone is if no interface has the name: of digits, an index.
    pub(super) index: Option<u32>,
    /// Where the name starts in the node.
    pub(super) offset: usize,
    pub(super) port: u16,
    pub(super) protocol: Protocol,
}

impl ScopeLookup<'_> {
    /// Makes the entry of the address with this zone.
    pub(super) fn push(
        &self,
        request: &Request<'_>,
        scope: u32,
        results: &mut Storage<'_>,
    ) -> Result<Summary, Error> {
        let builder = EntryBuilder::new(request, &self.plan, self.port, self.protocol);
        Ok(builder.push(builder.ipv6(self.address, scope, 0)?, Summary::new(&self.plan), results))
    }
}

/// Checks the request and makes all entries that its text and hints describe.
#[inline]
pub(super) fn entries_for_text<'q>(
    request: &Request<'q>,
    parsed: Parsed<'q>,
    results: &mut Storage<'_>,
) -> Result<Entries<'q>, Error> {
    match plan::check(request)? {
        Asked::Text => {}
        Asked::Hints => {
            let (summary, hinted) = entries_from_hints(request, results)?;
            return Ok(Entries::Made(summary, hinted));
        }
        Asked::Service => return IbService::read(request, request.service).map(Entries::Service),
    }
    let service = given(request, request.service.text());
    // Before anything else is looked at, as getaddrinfo does.
    if service.is_none() && request.service.port().is_none() && given(request, request.node).is_none() {
        return Err(plan::nothing_asked(ErrorKind::NoName));
    }
    let plan = Plan::new(request)?;
    let port = match service {
        None => request.service.port().unwrap_or(0),
        Some(text) => match parsed.port.unwrap_or_else(|| text::port(text)) {
            Some(port) => port,
            None => match text::other_service(request.policy.grammar, text)? {
                Service::Port(port) => port,
                Service::Name(_) => return service_name(request, plan, parsed.node).map(Entries::Lookup),
            },
        },
    };
    entries_for_node(request, &plan, parsed.node, port, plan.transport.protocol(), results)
}

/// The lookup of a service name, with the node if that is a name, too.
#[inline(never)]
fn service_name<'q>(
    request: &Request<'q>,
    plan: Plan,
    parsed: Option<PlainNode<'q>>,
) -> Result<NameLookup<'q>, Error> {
    let node = match read_node(request, &plan, parsed) {
        Ok(Some(Node::Name(_))) => request.node,
        Err(error) if request.policy.is_strict() => return Err(error),
        // An error of the node waits: getaddrinfo looks at the service first.
        Ok(_) | Err(_) => Text::NONE,
    };
    let protocol = plan.transport.protocol();
    Ok(NameLookup { plan, node, parsed, service: request.service.text(), protocol, port: 0 })
}

/// Makes the entries of the node, for a service whose port and protocol are known.
#[inline(always)]
pub(super) fn entries_for_node<'q>(
    request: &Request<'q>,
    plan: &Plan,
    parsed: Option<PlainNode<'q>>,
    port: u16,
    protocol: Protocol,
    results: &mut Storage<'_>,
) -> Result<Entries<'q>, Error> {
    let builder = EntryBuilder::new(request, plan, port, protocol);
    let summary = Summary::new(plan);
    let summary = match read_node(request, plan, parsed)? {
        None => builder.no_node(summary, results)?,
        Some(Node::Ipv4(address)) => builder.push(builder.ipv4(address)?, summary, results),
        Some(Node::Ipv6 { address, zone }) => {
            builder.check_ipv6(address)?;
            let (name, index) = match zone {
                Zone::Name(name) => (Some(name), None),
                Zone::Index(index) if request.environment.interfaces && text::zone_takes_name(address) => {
                    (zone_text(request), Some(index))
                }
                Zone::Index(index) => (None, Some(index)),
                Zone::None => (None, Some(0)),
                Zone::Invalid(offset) if text::zone_takes_name(address) => return Err(no_such_zone(offset)),
                Zone::Invalid(offset) => {
                    let error = Error::new(ErrorKind::NoName).because(Reason::ZoneNotLinkLocal);
                    return Err(error.at(Location::Node(offset)));
                }
            };
            if let Some(name) = name {
                let (plan, offset) = (*plan, zone_offset(request));
                let lookup = ScopeLookup { plan, address, name, index, offset, port, protocol };
                return Ok(Entries::Scope(lookup));
            }
            let scope = index.unwrap_or(0);
            builder.push(builder.ipv6(address, scope, 0)?, summary, results)
        }
        Some(Node::Name(_)) => {
            // Without a service name both protocols give the same addresses: one is enough.
            let protocol = if protocol == Protocol::Any { Protocol::Tcp } else { protocol };
            let (plan, node, service) = (*plan, request.node, Text::NONE);
            return Ok(Entries::Lookup(NameLookup { plan, node, parsed, service, protocol, port }));
        }
    };
    Ok(Entries::Made(summary, plan.hinted))
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
fn read_node<'q>(
    request: &Request<'q>,
    plan: &Plan,
    parsed: Option<PlainNode<'q>>,
) -> Result<Option<Node<'q>>, Error> {
    let (Some(mut text), Some(mut parsed)) = (given(request, request.node), parsed) else { return Ok(None) };
    if plan.af_ib == AfIb::NodeIsGid && gid_pkey(request)?.is_some() {
        text = cut(text, b'/').0;
        parsed = text::plain_node(text);
    }
    match text::node_of(request.policy.grammar, text, parsed)? {
        Node::Name(_)
            if plan.af_ib == AfIb::NodeIsGid || request.hints().flags().contains(Flags::NUMERIC_HOST) =>
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
pub(super) fn no_such_zone(offset: usize) -> Error {
    Error::new(ErrorKind::NoName).because(Reason::NoSuchZone).at(Location::Node(offset))
}

/// The P_Key behind a node that is a GID, as in `fe80::7/pkey=0x8001`; `None` if there is none, as the C library has it.
#[cold]
fn gid_pkey(request: &Request<'_>) -> Result<Option<Pkey>, Error> {
    let Some((gid, Some(parts))) = request.node.bytes().map(|node| cut(node, b'/')) else { return Ok(None) };
    if !request.policy.is_strict() {
        return Ok(None);
    }
    match pkey_part(parts, gid.len().saturating_add(1)) {
        Ok(pkey) => Ok(Some(pkey)),
        Err((at, reason)) => Err(Error::new(ErrorKind::NoName).because(reason).at(Location::Node(at))),
    }
}

/// The text of the zone in the node.
#[cold]
fn zone_text<'q>(request: &Request<'q>) -> Option<&'q [u8]> {
    Some(cut(request.node.bytes()?.get(zone_offset(request)..)?, b'/').0)
}

/// Where the zone starts in the node.
#[cold]
fn zone_offset(request: &Request<'_>) -> usize {
    let percent = request.node.bytes().and_then(|node| node.iter().position(|byte| *byte == b'%'));
    percent.map_or(0, |percent| percent.saturating_add(1))
}

/// Whether the address is `::ffff:a.b.c.d`.
#[inline]
const fn is_mapped(address: u128) -> bool {
    address >> 32 == 0xffff
}

/// Makes entries of addresses. Small and by value, so that a literal stays in registers on its way to its entry.
#[derive(Clone, Copy)]
pub(super) struct EntryBuilder<'p, 'q> {
    request: &'p Request<'q>,
    family: Family,
    af_ib: AfIb,
    qp_type: QpType,
    port_space: PortSpace,
    port: u16,
}

impl<'p, 'q> EntryBuilder<'p, 'q> {
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

    /// Adds what no node stands for: the address in the hints, loopback, or the wildcard.
    #[inline(never)]
    fn no_node(self, mut summary: Summary, results: &mut Storage<'_>) -> Result<Summary, Error> {
        let hints = self.request.hints();
        let strict = self.request.policy.is_strict();
        let hint = if hints.is_passive() { hints.src_addr() } else { hints.dst_addr() };
        if strict && !hint.is_none() {
            let hint = if hints.family() == Family::INET6 { *hint } else { hint.unmapped() };
            if !matches!(hints.family(), Family::UNSPEC) && hints.family() != hint.family() {
                return Err(other_family().at(Location::Hints(Field::Family)));
            }
            let address = hint.with_port(self.port, self.port_space);
            return Ok(self.push(address, summary, results));
        }

        let (v4, v6) = if hints.is_passive() { (0, 0) } else { (0x7f00_0001, 1) };
        if self.af_ib == AfIb::NodeIsGid {
            return Ok(self.push(self.ipv6(v6, 0, 0)?, summary, results));
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
            summary = self.push(address, summary, results);
            if self.request.takes_first() && !results.entries.as_slice().is_empty() {
                break;
            }
        }
        Ok(summary)
    }

    /// A GID as an AF_IB address, as `ucma_convert_in6` of librdmacm makes it, with the P_Key of the node.
    #[cold]
    fn ib(self, gid: Gid, scope_id: u32) -> SockAddrBuf {
        let sid = ServiceId::from_port(self.port_space, self.port);
        let mask = ServiceId::mask_for(self.port_space, self.port);
        // What is wrong was reported when the node was read.
        let pkey = gid_pkey(self.request).ok().flatten().unwrap_or(Pkey::DEFAULT);
        SockAddrBuf::ib(gid, pkey, 0, sid, mask, u64::from(scope_id))
    }

    /// Appends an entry for the address, unless the source in the hints is of another family.
    // Inlined whatever its size: an address that goes through memory costs as much as its parsing.
    #[inline(always)]
    pub(super) fn push(self, address: SockAddrBuf, summary: Summary, results: &mut Storage<'_>) -> Summary {
        let hints = self.request.hints();
        let family = address.family();
        // The whole entry at once, with constants where it is empty: each word is stored once, where it stays.
        let entry = Entry {
            family,
            qp_type: self.qp_type,
            port_space: self.port_space,
            named: self.request.canonical_names,
            // Where only AF_IB entries are wanted, it waits for one.
            listed: if self.af_ib == AfIb::IbEntriesOnly { Listed::Nothing } else { Listed::Entry },
            ..Entry::empty()
        };
        if hints.is_passive() {
            return summary.push(Entry { flags: Flags::PASSIVE, src: address, ..entry }, results);
        }
        let src = hints.src_addr();
        // An AF_IB source is of the family of the AF_IB entries that routes add, where only those are wanted.
        let for_ib_entry = self.af_ib == AfIb::IbEntriesOnly && src.family() == Family::IB;
        let must_fit = self.request.policy.is_strict() && !src.is_none() && !for_ib_entry;
        if must_fit && let Err(why) = ends::fit(*src, address) {
            return summary.without(why);
        }
        let entry = Entry { src: *src, dst: address, ..entry };
        let summary =
            summary.push(Entry { no_route: known_no_route(&entry, self.request), ..entry }, results);
        // Where it stays: an entry that is changed before costs every literal a copy.
        if must_fit {
            ends::fit_last(results);
        }
        summary
    }
}
