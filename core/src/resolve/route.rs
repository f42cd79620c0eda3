//! The question for a route, and what its answer adds to an entry.

use super::step::Step;
use super::walk::Walk;
use crate::acm::{self, Query, Status};
use crate::addrinfo::{Entry, NoRoute};
use crate::hints::Hints;
use crate::request::Request;
use crate::route::{PathRecord, RouteHint};
use crate::sockaddr::{SockAddrBuf, SockAddrRef};
use crate::types::{Flags, Gid};

/// Asks for a route to a destination.
///
/// A driver sends [`request`](Self::request) to ibacm, gives what comes back to an [`acm::Decoder`], and answers with
/// the [`acm::Reply`], or with the reason why there is none.
#[must_use = "answer it"]
#[derive(Debug)]
pub struct FindRoute<'q, 'r>(pub(super) Walk<'q, 'r>);

impl<'q, 'r> FindRoute<'q, 'r> {
    /// The destination, if the entry has one.
    #[must_use]
    pub fn destination(&self) -> Option<SockAddrRef<'_>> {
        self.0.entry()?.dst.get()
    }

    /// The source, if it is known.
    #[must_use]
    pub fn source(&self) -> Option<SockAddrRef<'_>> {
        self.0.entry()?.src.get()
    }

    /// The bytes of the route hint.
    #[must_use]
    pub fn hint(&self) -> &'q [u8] {
        self.0.work.request.hints().get_route()
    }

    /// Whether only a route that is known already is wanted: no lengthy resolution.
    #[must_use]
    pub fn no_delay(&self) -> bool {
        self.0.work.request.hints().get_flags().intersects(Flags::NUMERIC_HOST.union(Flags::NO_ROUTE))
    }

    /// What to ask ibacm: the IP addresses, without port and scope, and a path where the hints or AF_IB addresses
    /// tell something of it.
    #[must_use]
    pub fn query(&self) -> Query {
        let (source, destination) = (self.source(), self.destination());
        let ip = |address: Option<SockAddrRef<'_>>| address.and_then(|address| address.ip());
        let gid = |address: Option<SockAddrRef<'_>>| address.and_then(|address| address.gid());
        Query {
            source: ip(source),
            destination: ip(destination),
            path: path(&self.0.work.request, gid(source), gid(destination)),
            no_delay: self.no_delay(),
        }
    }

    /// The request to send to ibacm, with the transaction id that its reply must have.
    #[must_use]
    pub fn request(&self, transaction_id: u64) -> acm::Request {
        self.query().to_request(transaction_id)
    }

    /// Whether with this reply the answer depends on [`Environment::af_ib`](crate::Environment::af_ib), which is not set
    /// yet: it has a route, which may bring an AF_IB entry. Who finds that out by asking may leave it out otherwise.
    #[must_use]
    pub fn needs_af_ib(&self, reply: &acm::Reply) -> bool {
        !self.0.work.request.environment.af_ib
            && reply.status() == Status::OK
            && reply.paths().next().is_some()
            && self.0.may_have_twin()
    }

    /// Sets [`Environment::af_ib`](crate::Environment::af_ib).
    pub const fn with_af_ib(mut self, af_ib: bool) -> Self {
        self.0.work.request.environment.af_ib = af_ib;
        self
    }

    /// What ibacm replied. Its paths are the route; a source of the destination's family is taken where none is
    /// known, port 0. A status other than [`Status::OK`] is no route.
    pub fn answer(mut self, reply: &acm::Reply) -> Step<'q, 'r> {
        if reply.status() != Status::OK {
            return self.no_route(NoRoute::Refused(reply.status()));
        }
        if let Some(entry) = self.0.entry_mut()
            && entry.src.is_none()
        {
            entry.src = source_for(entry, reply);
        }
        if reply.paths().next().is_none() {
            return self.no_route(NoRoute::NoPath);
        }
        let Some(route) = self.0.work.results.push_paths(&mut reply.paths()) else {
            self.0.placed.truncated = true;
            return self.no_route(NoRoute::NoRoom);
        };
        if let Some(entry) = self.0.entry_mut() {
            entry.route = route;
        }
        self.0.source()
    }

    /// There is no route, and why.
    pub fn no_route(mut self, reason: NoRoute) -> Step<'q, 'r> {
        if let Some(entry) = self.0.entry_mut() {
            entry.no_route = Some(reason);
        }
        self.0.source()
    }
}

/// Whether the question for a route is asked about any entry.
#[inline]
pub(super) fn asks_for_routes(request: &Request<'_>) -> bool {
    request.routes && request.environment.route_service
}

/// Whether an entry may have a route, has none, and there is something to ask by.
#[inline(always)]
pub(super) fn wants_route(entry: &Entry, request: &Request<'_>) -> bool {
    let has_ends = !entry.dst.is_none() || !entry.src.is_none();
    !entry.flags.contains(Flags::PASSIVE)
        && entry.route.1 == 0
        && (has_ends || !request.hints().get_route().is_empty())
}

/// Why the entry has no route, where that is known without a question.
#[inline]
pub(super) fn known_no_route(entry: &Entry, request: &Request<'_>) -> Option<NoRoute> {
    let unavailable = request.routes && !request.environment.route_service;
    (unavailable && wants_route(entry, request)).then_some(NoRoute::Unavailable)
}

/// What is known of the path: the first of the route hint, its ends overwritten by the GIDs of AF_IB addresses.
fn path(request: &Request<'_>, source: Option<Gid>, destination: Option<Gid>) -> Option<PathRecord> {
    let hint = hinted_path(request.hints(), request.policy.is_strict());
    if hint.is_none() && source.is_none() && destination.is_none() {
        return None;
    }
    let mut path = hint.unwrap_or(PathRecord::ZERO);
    if let Some(gid) = source {
        path = path.with_sgid(gid);
    }
    if let Some(gid) = destination {
        path = path.with_dgid(gid);
    }
    Some(path)
}

/// The first path of the route hint. librdmacm takes one path only, and sends an empty one for any other length.
fn hinted_path(hints: &Hints<'_>, strict: bool) -> Option<PathRecord> {
    let bytes = hints.get_route();
    if bytes.is_empty() {
        return None;
    }
    let hint = RouteHint::from_bytes(bytes).ok().filter(|hint| strict || hint.len() == 1);
    Some(hint.and_then(|hint| hint.first()).unwrap_or(PathRecord::ZERO))
}

/// The source that the reply tells, if it is of the destination's family.
fn source_for(entry: &Entry, reply: &acm::Reply) -> SockAddrBuf {
    let family = entry.dst.family();
    let mut sources = reply.sources().map(|source| SockAddrBuf::from_ip(source, 0, 0));
    sources.find(|source| source.family() == family).unwrap_or(SockAddrBuf::NONE)
}
