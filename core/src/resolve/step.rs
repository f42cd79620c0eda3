//! The questions of a resolution, each consumed by its answer.

use super::place::{self, NameNeed, Need, Placer, ScopeNeed};
use super::placed::Placed;
use super::route::FindRoute;
use super::walk::Walk;
use crate::addrinfo::{AddrInfoList, Storage};
use crate::error::{Error, ErrorKind, Location, Reason};
use crate::hints::Protocol;
use crate::request::{Request, Text};
use crate::sockaddr::SockAddrBuf;
use crate::types::Family;
use core::ffi::CStr;
use core::net::SocketAddr;

/// A step of a resolution: a question, or the outcome.
///
/// Each question is consumed by its answer, which gives the next step, so that a wrong, double or missing answer
/// cannot be written. A step borrows nothing but the request's text (`'q`) and the results (`'r`): it can be
/// stored, awaited, sent to a thread.
///
/// ```
/// use rdma_addrinfo_core::{Found, Hints, NoRoute, Protocol, Request, Results, Step, start};
///
/// let hints = Hints::new();
/// let mut results = Results::<4>::new();
/// let mut step = start(Request::new("storage-7", "7471", &hints), &mut results);
/// let list = loop {
///     step = match step {
///         Step::LookUp(ask) => {
///             assert_eq!(ask.node(), "storage-7".into());
///             let address = "192.0.2.7:0".parse().unwrap();
///             ask.answer(Ok([Found { address, protocol: Protocol::Tcp }]))
///         }
///         Step::FindScope(ask) => ask.answer(None),
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
    LookUp(LookUp<'q, 'r>),
    /// Find the interface of a zone.
    FindScope(FindScope<'q, 'r>),
    /// Find a route to a destination.
    FindRoute(FindRoute<'q, 'r>),
    /// Find the address that packets to a destination would leave from.
    FindSource(FindSource<'q, 'r>),
    /// The end.
    Done(Result<AddrInfoList<'r>, Error>),
}

/// Where the steps keep their place: the request and the results.
pub(super) struct Work<'q, 'r> {
    pub(super) request: Request<'q>,
    pub(super) results: Storage<'r>,
}

impl core::fmt::Debug for Work<'_, '_> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        self.request.fmt(f)
    }
}

/// The step that follows when entries were placed, or something is needed to place them.
pub(super) fn after_place<'q, 'r>(
    request: Request<'q>,
    results: Storage<'r>,
    placed: Result<(Placed, Need<'q>), Error>,
) -> Step<'q, 'r> {
    let work = Work { request, results };
    match placed {
        Err(error) => Step::Done(Err(error)),
        Ok((placed, Need::Nothing)) => Walk::start(work, placed),
        Ok((_, Need::LookUp(need))) => {
            Step::LookUp(LookUp { work, need, name_lost: false, first_error: None })
        }
        Ok((_, Need::Scope(need))) => Step::FindScope(FindScope { work, need }),
    }
}

/// One address of an answer to a [`LookUp`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Found {
    /// Address, port and scope. The port counts only where a service was asked for.
    pub address: SocketAddr,
    /// The protocol that the service is known for. It counts only where a service was asked for.
    pub protocol: Protocol,
}

/// Asks to look a node, a service or both up, as getaddrinfo(3) does.
#[must_use = "answer it"]
#[derive(Debug)]
pub struct LookUp<'q, 'r> {
    work: Work<'q, 'r>,
    need: NameNeed<'q>,
    /// Whether the storage had no room for the canonical name.
    name_lost: bool,
    /// The error of the first look-up, when this is the second, without a family.
    first_error: Option<Error>,
}

impl<'q, 'r> LookUp<'q, 'r> {
    /// The node to look up, as the caller gave it; [`Text::NONE`] if only a service is asked for. It holds no NUL.
    #[must_use]
    pub const fn node(&self) -> Text<'q> {
        self.need.node
    }

    /// The name of the service to look up, as the caller gave it; [`Text::NONE`] if only a node is asked for. It holds no
    /// NUL.
    #[must_use]
    pub const fn service(&self) -> Text<'q> {
        match self.first_error {
            None => self.need.service,
            Some(_) => Text::NONE,
        }
    }

    /// The family to look up: AF_INET, AF_INET6, or AF_UNSPEC for both.
    #[must_use]
    pub const fn family(&self) -> Family {
        if self.first_error.is_none() && !self.need.node.is_none() {
            self.need.plan.family
        } else {
            Family::UNSPEC
        }
    }

    /// The protocol of the service.
    #[must_use]
    pub const fn protocol(&self) -> Protocol {
        self.need.protocol
    }

    /// Whether the address is for the passive side.
    #[must_use]
    pub fn is_passive(&self) -> bool {
        self.work.request.hints().is_passive()
    }

    /// Whether the canonical name is wanted too.
    #[must_use]
    pub const fn wants_canonical_name(&self) -> bool {
        self.work.request.canonical_names && !self.need.node.is_none() && self.first_error.is_none()
    }

    /// Whether the answer, if it is one, depends on
    /// [`Environment::ipv6_loopback`](crate::Environment::ipv6_loopback): that of a service alone may.
    #[must_use]
    pub fn needs_ipv6_loopback(&self) -> bool {
        self.need.node.is_none() && place::orders_loopback(&self.work.request, &self.need.plan)
    }

    /// Sets [`Environment::ipv6_loopback`](crate::Environment::ipv6_loopback).
    pub const fn with_ipv6_loopback(mut self, ipv6_loopback: bool) -> Self {
        self.work.request.environment.ipv6_loopback = ipv6_loopback;
        self
    }

    /// Adds the canonical name to the answer.
    pub fn with_canonical_name(mut self, name: &CStr) -> Self {
        if self.wants_canonical_name() {
            self.name_lost = !self.work.results.set_name(name);
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
        let any_protocol = self.need.service.is_none();
        let known =
            if any_protocol { Some(self.need.protocol) } else { known_protocol(self.need.protocol, &found) };
        let Some(protocol) = known else {
            return Step::Done(Err(Error::new(ErrorKind::Service).at(Location::Service(0))));
        };
        let mut found = found.filter(move |found| any_protocol || found.protocol == protocol);
        if !self.need.node.is_none() {
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
        let Self { work: Work { request, mut results }, need, .. } = self;
        let placed = place::with_port(&request, &need.plan, port, protocol, &mut results);
        after_place(request, results, placed)
    }

    /// Places the addresses.
    fn answer_node(mut self, found: impl Iterator<Item = Found>, protocol: Protocol) -> Step<'q, 'r> {
        let Work { request, results } = &mut self.work;
        let mut placed = Placed::new(&self.need.plan);
        let mut any = false;
        for found in found {
            let port = if self.need.service.is_none() { self.need.port } else { found.address.port() };
            let placer = Placer::new(request, &self.need.plan, port, protocol);
            let address = match found.address {
                SocketAddr::V4(v4) => placer.ipv4(v4.ip().to_bits()),
                SocketAddr::V6(v6) => placer.ipv6(v6.ip().to_bits(), v6.scope_id(), v6.flowinfo()),
            };
            // An address of another family than was asked for does not count.
            let Ok(address) = address else { continue };
            (any, placed) = (true, placer.push(address, placed, results));
            let enough = request.takes_first() && !results.entries.as_slice().is_empty();
            if enough || placed.truncated {
                break;
            }
        }
        if !any {
            let error = Error::new(ErrorKind::NoData).because(Reason::NoAddress);
            return self.failed(error.at(Location::Node(0)));
        }
        placed.truncated |= self.name_lost;
        Walk::start(self.work, placed)
    }

    /// The look-up failed. Where a family was asked for, the name may have addresses of another: a second
    /// look-up tells.
    fn failed(self, error: Error) -> Step<'q, 'r> {
        let absent = matches!(error.kind(), ErrorKind::NoName | ErrorKind::NoData | ErrorKind::AddrFamily);
        match self.first_error {
            // Neither has an answer: the first was asked what the caller asks.
            Some(first) if absent => Step::Done(Err(first)),
            None if absent && self.work.request.policy.is_strict() && self.family() != Family::UNSPEC => {
                Step::LookUp(Self { first_error: Some(error), ..self })
            }
            _ => Step::Done(Err(error)),
        }
    }

    /// The second look-up only tells whether there is any address.
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
    work: Work<'q, 'r>,
    need: ScopeNeed<'q>,
}

impl<'q, 'r> FindScope<'q, 'r> {
    /// The name of the interface, 1 to 15 bytes without a NUL.
    #[must_use]
    pub const fn name(&self) -> &'q [u8] {
        self.need.name
    }

    /// Why it cannot be told whether there is such an interface.
    pub fn fail(self, error: impl Into<Error>) -> Step<'q, 'r> {
        Step::Done(Err(error.into()))
    }

    /// The index of the interface; `None` (or 0) when there is no such interface.
    pub fn answer(self, index: Option<u32>) -> Step<'q, 'r> {
        let Self { work: Work { request, mut results }, need } = self;
        let placed = Placed::new(&need.plan);
        let placer = Placer::new(&request, &need.plan, need.port, need.protocol);
        let outcome = match index {
            None | Some(0) => {
                Err(Error::new(ErrorKind::NoName).because(Reason::NoSuchZone).at(Location::Node(need.offset)))
            }
            Some(scope) => {
                placer.ipv6(need.address, scope, 0).map(|it| placer.push(it, placed, &mut results))
            }
        };
        after_place(request, results, outcome.map(|placed| (placed, Need::Nothing)))
    }
}

/// Asks for the address that packets to a destination would leave from.
#[must_use = "answer it"]
#[derive(Debug)]
pub struct FindSource<'q, 'r> {
    pub(super) walk: Walk<'q, 'r>,
    pub(super) destination: SocketAddr,
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
    /// the source absent; where the request [needs one](Request::needs_source), it leaves the entry out.
    pub fn answer(mut self, source: Option<SocketAddr>) -> Step<'q, 'r> {
        let source = source.filter(|source| source.is_ipv4() == self.destination.is_ipv4());
        if let (Some(mut source), Some(entry)) = (source, self.walk.entry_mut()) {
            source.set_port(0);
            entry.src = SockAddrBuf::from(source);
        }
        self.walk.after_source()
    }
}
