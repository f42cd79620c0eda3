//! The questions of a resolution, each consumed by its answer.

use super::cursor::{Context, EntryCursor, Question};
use super::entries::{
    Entries, EntryBuilder, NameLookup, ScopeLookup, entries_for_node, no_such_zone, orders_loopback,
};
use super::service::{self, IbService, ServiceRecord, SkippedPort};
use super::summary::Summary;
use crate::acm::{self, Query};
use crate::addrinfo::{AddrInfoList, NoRoute};
use crate::error::{Error, ErrorKind, Location, Reason};
use crate::hints::Protocol;
use crate::request::Text;
use crate::sockaddr::SockAddrRef;
use crate::types::{Family, Gid};
use core::ffi::CStr;
use core::net::SocketAddr;

/// A step of a resolution: a question, or the outcome.
///
/// Each question is consumed by its answer, which gives the next step, so that a wrong, double or missing answer
/// cannot be written. A step borrows nothing but the request's text (`'q`) and the results (`'r`): it can be
/// stored, awaited, sent to a thread.
///
/// ```
/// use rdma_addrinfo_core::{ErrorKind, Found, Hints, NoRoute, Protocol, Request, Results, Step, start};
///
/// let hints = Hints::new();
/// let mut results = Results::<4>::new();
/// let mut step = start(Request::new("storage-7", "7471", &hints), &mut results);
/// let list = loop {
///     step = match step {
///         Step::Lookup(ask) => {
///             assert_eq!(ask.node(), "storage-7".into());
///             let address = "192.0.2.7:0".parse().unwrap();
///             ask.answer(Ok([Found { address, protocol: Protocol::Tcp }]))
///         }
///         Step::FindScope(ask) => ask.answer(None),
///         Step::FindService(ask) => ask.fail(ErrorKind::NotSupported),
///         Step::FindRoute(ask) => ask.no_route(NoRoute::Unavailable),
///         Step::FindSource(ask) => ask.answer("192.0.2.9:0".parse().ok()),
///         Step::Done(outcome) => break outcome?,
///     };
/// };
/// assert_eq!(list.first().unwrap().to_string(), "inet rc/tcp 192.0.2.9 -> 192.0.2.7:7471");
/// # Ok::<(), rdma_addrinfo_core::Error>(())
/// ```
#[must_use = "a resolution goes on only when its steps are answered"]
#[derive(Debug)]
pub enum Step<'q, 'r> {
    /// Look a node, a service or both up.
    Lookup(Lookup<'q, 'r>),
    /// Find the interface of a zone.
    FindScope(FindScope<'q, 'r>),
    /// Find the records of a service of the InfiniBand subnet administrator.
    FindService(FindService<'q, 'r>),
    /// Find a route to a destination.
    FindRoute(FindRoute<'q, 'r>),
    /// Find the address that packets to a destination would leave from.
    FindSource(FindSource<'q, 'r>),
    /// The end.
    Done(Result<AddrInfoList<'r>, Error>),
}

impl<'q, 'r> Step<'q, 'r> {
    /// The step that follows from what a request comes to without a question.
    pub(super) fn of_entries(context: Context<'q, 'r>, entries: Result<Entries<'q>, Error>) -> Self {
        match entries {
            Err(error) => Self::Done(Err(error)),
            Ok(Entries::Made(summary, hinted)) => Self::next(EntryCursor::new(context, summary, hinted)),
            Ok(Entries::Lookup(name)) => {
                Self::Lookup(Lookup { context, name, name_lost: false, first_error: None })
            }
            Ok(Entries::Scope(zone)) => Self::FindScope(FindScope { context, zone }),
            Ok(Entries::Service(service)) => Self::FindService(FindService { context, service }),
        }
    }

    /// The next question about an entry, or the end.
    pub(super) fn next(mut cursor: EntryCursor<'q, 'r>) -> Self {
        match cursor.next_question() {
            Some(Question::Route) => Self::FindRoute(FindRoute { query: cursor.query(), cursor }),
            Some(Question::Source(destination)) => Self::FindSource(FindSource { cursor, destination }),
            None => Self::Done(cursor.finish()),
        }
    }
}

/// One address of an answer to a [`Lookup`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Found {
    /// Address, port and scope. The port counts only where a service was asked for.
    pub address: SocketAddr,
    /// The protocol that the service is known for. It counts only where a service was asked for.
    pub protocol: Protocol,
}

/// Asks to look a node, a service or both up, as getaddrinfo(3) does.
#[must_use = "answer it"]
#[derive(Debug)]
pub struct Lookup<'q, 'r> {
    context: Context<'q, 'r>,
    name: NameLookup<'q>,
    /// Whether the canonical name did not fit into the results.
    name_lost: bool,
    /// The error of the first lookup, when this is the second, without a family.
    first_error: Option<Error>,
}

impl<'q, 'r> Lookup<'q, 'r> {
    /// The node to look up, as the caller gave it; [`Text::NONE`] if only a service is asked for. It holds no NUL.
    #[must_use]
    pub const fn node(&self) -> Text<'q> {
        self.name.node
    }

    /// The name of the service to look up, as the caller gave it; [`Text::NONE`] if only a node is asked for. It holds no
    /// NUL.
    #[must_use]
    pub const fn service(&self) -> Text<'q> {
        match self.first_error {
            None => self.name.service,
            Some(_) => Text::NONE,
        }
    }

    /// The family to look up: AF_INET, AF_INET6, or AF_UNSPEC for both.
    #[must_use]
    pub const fn family(&self) -> Family {
        if self.first_error.is_none() && !self.name.node.is_none() {
            self.name.plan.family
        } else {
            Family::UNSPEC
        }
    }

    /// The protocol of the service.
    #[must_use]
    pub const fn protocol(&self) -> Protocol {
        self.name.protocol
    }

    /// Whether the address is for the passive side.
    #[must_use]
    pub fn is_passive(&self) -> bool {
        self.context.request.hints().is_passive()
    }

    /// Whether the canonical name is wanted too.
    #[must_use]
    pub const fn wants_canonical_name(&self) -> bool {
        self.context.request.canonical_names && !self.name.node.is_none() && self.first_error.is_none()
    }

    /// Whether the answer, if it is one, depends on
    /// [`Environment::ipv6_loopback`](crate::Environment::ipv6_loopback): that of a service alone may.
    #[must_use]
    pub fn needs_ipv6_loopback(&self) -> bool {
        self.name.node.is_none() && orders_loopback(&self.context.request, &self.name.plan)
    }

    /// Sets [`Environment::ipv6_loopback`](crate::Environment::ipv6_loopback).
    pub const fn with_ipv6_loopback(mut self, ipv6_loopback: bool) -> Self {
        self.context.request.environment.ipv6_loopback = ipv6_loopback;
        self
    }

    /// Adds the canonical name to the answer.
    pub fn with_canonical_name(mut self, name: &CStr) -> Self {
        if self.wants_canonical_name() {
            self.name_lost = !self.context.results.set_name(name);
        }
        self
    }

    /// The addresses in the order of the name service, or why there are none.
    ///
    /// They are gone through more than once, hence `Clone`: arrays, vectors and slices' copies are. Where a service was
    /// asked for, only addresses of one protocol count: of TCP if there are any, unless another was asked for. For a
    /// service alone the port of the first is its port.
    pub fn answer<I>(self, found: Result<I, Error>) -> Step<'q, 'r>
    where
        I: IntoIterator<Item = Found, IntoIter: Clone>,
    {
        let found = match found {
            Ok(found) => found.into_iter(),
            Err(error) => return self.failed(error),
        };
        if self.first_error.is_some() {
            return self.answer_second(found);
        }
        let any_protocol = self.name.service.is_none();
        let known =
            if any_protocol { Some(self.name.protocol) } else { known_protocol(self.name.protocol, &found) };
        let Some(protocol) = known else {
            return Step::Done(Err(Error::new(ErrorKind::Service).at(Location::Service(0))));
        };
        let mut found = found.filter(move |found| any_protocol || found.protocol == protocol);
        // The C library answers 0 also for a port that does not fit, such as 65536 in services(5).
        let is_zero = found.clone().next().is_some_and(|found| found.address.port() == 0);
        if !any_protocol && is_zero && self.context.request.policy.is_strict() {
            let error = Error::new(ErrorKind::Service).because(Reason::ServicePort);
            return Step::Done(Err(error.at(Location::Service(0))));
        }
        if !self.name.node.is_none() {
            return self.answer_node(found, protocol);
        }
        let port = found.next().map_or(0, |found| found.address.port());
        self.answer_service(port, protocol)
    }

    /// There is no answer, and why: what the name service said, or that the time was up. The same as
    /// [`answer`](Self::answer) with an error.
    pub fn fail(self, error: impl Into<Error>) -> Step<'q, 'r> {
        self.failed(error.into())
    }

    /// The service is known: what is left is a literal.
    fn answer_service(self, port: u16, protocol: Protocol) -> Step<'q, 'r> {
        let Self { mut context, name, .. } = self;
        let Context { request, results } = &mut context;
        let entries = entries_for_node(request, &name.plan, name.parsed, port, protocol, results);
        Step::of_entries(context, entries)
    }

    /// Makes entries of the addresses.
    fn answer_node(mut self, found: impl Iterator<Item = Found>, protocol: Protocol) -> Step<'q, 'r> {
        let Context { request, results } = &mut self.context;
        let mut summary = Summary::new(&self.name.plan);
        let mut any = false;
        for found in found {
            let port = if self.name.service.is_none() { self.name.port } else { found.address.port() };
            let builder = EntryBuilder::new(request, &self.name.plan, port, protocol);
            let address = match found.address {
                SocketAddr::V4(v4) => builder.ipv4(v4.ip().to_bits()),
                SocketAddr::V6(v6) => builder.ipv6(v6.ip().to_bits(), v6.scope_id(), v6.flowinfo()),
            };
            // An address of another family than was asked for does not count.
            let Ok(address) = address else { continue };
            (any, summary) = (true, builder.push(address, summary, results));
            let enough = request.takes_first() && !results.entries.as_slice().is_empty();
            if enough || summary.truncated {
                break;
            }
        }
        if !any {
            let error = Error::new(ErrorKind::NoData).because(Reason::NoAddress);
            return self.failed(error.at(Location::Node(0)));
        }
        summary.truncated |= self.name_lost;
        Step::next(EntryCursor::new(self.context, summary, self.name.plan.hinted))
    }

    /// The lookup failed. Where a family was asked for, the name may have addresses of another: a second
    /// lookup tells.
    fn failed(self, error: Error) -> Step<'q, 'r> {
        let absent = matches!(error.kind(), ErrorKind::NoName | ErrorKind::NoData | ErrorKind::AddrFamily);
        match self.first_error {
            // Neither has an answer: the first was asked what the caller asks.
            Some(first) if absent => Step::Done(Err(first)),
            None if absent && self.context.request.policy.is_strict() && self.family() != Family::UNSPEC => {
                Step::Lookup(Self { first_error: Some(error), ..self })
            }
            _ => Step::Done(Err(error)),
        }
    }

    /// The second lookup only tells whether there is any address.
    fn answer_second(self, mut found: impl Iterator<Item = Found>) -> Step<'q, 'r> {
        match (found.next(), self.first_error) {
            (None, Some(first)) => Step::Done(Err(first)),
            _ => Step::Done(Err(Error::new(ErrorKind::AddrFamily)
                .because(Reason::NameOfOtherFamily)
                .at(Location::Node(0)))),
        }
    }
}

/// The protocol that an answer tells a service to be known for, when this one was asked for.
fn known_protocol(asked: Protocol, found: &(impl Iterator<Item = Found> + Clone)) -> Option<Protocol> {
    let asked =
        [Protocol::Tcp, Protocol::Udp].into_iter().filter(|it| asked == Protocol::Any || asked == *it);
    asked.into_iter().find(|it| found.clone().any(|found| found.protocol == *it))
}

/// Asks for the index of the interface that a zone names.
#[must_use = "answer it"]
#[derive(Debug)]
pub struct FindScope<'q, 'r> {
    context: Context<'q, 'r>,
    zone: ScopeLookup<'q>,
}

impl<'q, 'r> FindScope<'q, 'r> {
    /// The name of the interface, 1 to 127 bytes without a NUL. Digits, which are an index if no interface has the name.
    #[must_use]
    pub const fn name(&self) -> &'q [u8] {
        self.zone.name
    }

    /// Why it cannot be told whether there is such an interface.
    pub fn fail(self, error: impl Into<Error>) -> Step<'q, 'r> {
        Step::Done(Err(error.into()))
    }

    /// The index of the interface; `None` (or 0) when no interface has the name.
    pub fn answer(self, index: Option<u32>) -> Step<'q, 'r> {
        let Self { mut context, zone } = self;
        let Context { request, results } = &mut context;
        let summary = match index.filter(|index| *index != 0).or(zone.index) {
            None => Err(no_such_zone(zone.offset)),
            Some(scope) => zone.push(request, scope, results),
        };
        Step::of_entries(context, summary.map(|summary| Entries::Made(summary, zone.plan.hinted)))
    }
}

/// Asks for the records of a service, which the InfiniBand subnet administrator holds
/// ([`Flags::SA`](crate::Flags::SA)).
///
/// A driver goes through the ports of all devices in their order, asks through those that are not
/// [skipped](Self::port), and answers with the records that the first of them has. Where none has any, it answers with no
/// record, or [fails](Self::fail).
#[must_use = "answer it"]
#[derive(Debug)]
#[doc(alias = "RAI_SA")]
pub struct FindService<'q, 'r> {
    context: Context<'q, 'r>,
    service: IbService<'q>,
}

impl<'q, 'r> FindService<'q, 'r> {
    /// The service.
    #[must_use]
    pub const fn service(&self) -> IbService<'q> {
        self.service
    }

    /// The GID to bind to in order to ask through a port: the first one of its table, `gid`.
    ///
    /// # Errors
    /// The port is skipped.
    pub fn port(is_infiniband: bool, is_active: bool, gid: Option<Gid>) -> Result<Gid, SkippedPort> {
        match gid.filter(|gid| *gid != Gid::UNSPECIFIED) {
            _ if !is_infiniband => Err(SkippedPort::NotInfiniband),
            _ if !is_active => Err(SkippedPort::NotActive),
            None => Err(SkippedPort::NoGid),
            Some(gid) => Ok(gid),
        }
    }

    /// The records that were found through the port with this GID, in the order of the subnet administrator. Each is an
    /// entry, by either policy. Without a record there is no such service.
    pub fn answer(self, port: Gid, records: impl IntoIterator<Item = ServiceRecord>) -> Step<'q, 'r> {
        let Context { request, results } = self.context;
        let list = service::list(port, records, results);
        Step::Done(list.map_err(|error| service::failure(&request, error)))
    }

    /// There is no answer, and why. By [`Rules::Librdmacm`](crate::Rules::Librdmacm) a C caller sees `ENOENT`, unless
    /// memory runs out.
    pub fn fail(self, error: impl Into<Error>) -> Step<'q, 'r> {
        Step::Done(Err(service::failure(&self.context.request, error.into())))
    }
}

/// Asks for a route to a destination.
///
/// A driver sends [`request`](Self::request) to ibacm, gives what comes back to an [`acm::Decoder`], and answers with
/// the [`acm::Reply`], or with the reason why there is none.
#[must_use = "answer it"]
#[derive(Debug)]
pub struct FindRoute<'q, 'r> {
    cursor: EntryCursor<'q, 'r>,
    query: Query,
}

impl<'q, 'r> FindRoute<'q, 'r> {
    /// The destination, if the entry has one.
    #[must_use]
    pub fn destination(&self) -> Option<SockAddrRef<'_>> {
        self.cursor.entry()?.dst.get()
    }

    /// The source, if it is known.
    #[must_use]
    pub fn source(&self) -> Option<SockAddrRef<'_>> {
        self.cursor.entry()?.src.get()
    }

    /// The bytes of the route hint.
    #[must_use]
    pub fn hint(&self) -> &'q [u8] {
        self.cursor.context.request.hints().route()
    }

    /// Whether only a route that is known already is wanted: no lengthy resolution.
    #[must_use]
    pub const fn no_delay(&self) -> bool {
        self.query.no_delay
    }

    /// What to ask ibacm: the IP addresses, without port and scope, and a path where the hints or AF_IB addresses
    /// say something of it.
    #[must_use]
    pub const fn query(&self) -> Query {
        self.query
    }

    /// The request to send to ibacm, with the transaction id that its reply must have.
    #[must_use]
    pub fn request(&self, transaction_id: u64) -> acm::Request {
        self.query.to_request(transaction_id)
    }

    /// Whether with this reply the answer depends on [`Environment::af_ib`](crate::Environment::af_ib), which is not set
    /// yet: it has a route, which may bring an AF_IB entry. Who finds that out by asking may leave it out otherwise.
    #[must_use]
    pub fn needs_af_ib(&self, reply: &acm::Reply) -> bool {
        !self.cursor.context.request.environment.af_ib
            && reply.status() == acm::Status::OK
            && reply.paths().next().is_some()
            && self.cursor.may_have_ib_entry()
    }

    /// Sets [`Environment::af_ib`](crate::Environment::af_ib).
    pub const fn with_af_ib(mut self, af_ib: bool) -> Self {
        self.cursor.context.request.environment.af_ib = af_ib;
        self
    }

    /// What ibacm replied. Its paths are the route; a source of the destination's family is taken where none is
    /// known, port 0. A status other than [`Status::OK`](acm::Status::OK) is no route.
    pub fn answer(mut self, reply: &acm::Reply) -> Step<'q, 'r> {
        self.cursor.take_reply(reply);
        Step::next(self.cursor)
    }

    /// There is no route, and why.
    pub fn no_route(mut self, reason: NoRoute) -> Step<'q, 'r> {
        self.cursor.take_no_route(reason);
        Step::next(self.cursor)
    }
}

/// Asks for the address that packets to a destination would leave from.
#[must_use = "answer it"]
#[derive(Debug)]
pub struct FindSource<'q, 'r> {
    cursor: EntryCursor<'q, 'r>,
    destination: SocketAddr,
}

impl<'q, 'r> FindSource<'q, 'r> {
    /// The destination, with its port and scope.
    #[must_use]
    pub const fn destination(&self) -> SocketAddr {
        self.destination
    }

    /// Why it cannot be told whether there is a source address. Where there is none, [answer](Self::answer) so.
    pub fn fail(self, error: impl Into<Error>) -> Step<'q, 'r> {
        Step::Done(Err(error.into()))
    }

    /// The source address; its port is left out. `None` when none can be told, or one of another family, leaves
    /// the source absent; where the request [needs one](crate::Request::needs_source), it leaves the entry out.
    pub fn answer(mut self, source: Option<SocketAddr>) -> Step<'q, 'r> {
        if let Some(source) = source.filter(|source| source.is_ipv4() == self.destination.is_ipv4()) {
            self.cursor.take_source(source);
        }
        Step::next(self.cursor)
    }
}
