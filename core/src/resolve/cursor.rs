//! Which questions each entry has, one entry after the other.

use super::ends;
use super::ib_entry;
use super::summary::{LeftOut, Summary};
use crate::acm::{self, Query, Status};
use crate::addrinfo::{AddrInfoList, Entry, IbEntry, Listed, NoRoute, Storage};
use crate::error::Error;
use crate::request::{Addresses, IbEntryOrder, Request};
use crate::route::PathRecord;
use crate::sockaddr::SockAddrBuf;
use crate::types::{Family, Flags};
use core::net::SocketAddr;

/// What a resolution works with: the request, and the memory for its results.
pub(super) struct Context<'q, 'r> {
    pub(super) request: Request<'q>,
    pub(super) results: Storage<'r>,
}

impl core::fmt::Debug for Context<'_, '_> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        self.request.fmt(f)
    }
}

/// The entry that questions are asked about.
#[derive(Debug)]
pub(super) struct EntryCursor<'q, 'r> {
    pub(super) context: Context<'q, 'r>,
    summary: Summary,
    /// What the route hint says of the path.
    hinted: Option<PathRecord>,
    current: usize,
    asked_route: bool,
    asked_source: bool,
}

/// A question about an entry.
pub(super) enum Question {
    Route,
    Source(SocketAddr),
}

impl<'q, 'r> EntryCursor<'q, 'r> {
    pub(super) const fn new(context: Context<'q, 'r>, summary: Summary, hinted: Option<PathRecord>) -> Self {
        Self { context, summary, hinted, current: 0, asked_route: false, asked_source: false }
    }

    pub(super) fn entry(&self) -> Option<&Entry> {
        self.context.results.entries.as_slice().get(self.current)
    }

    fn entry_mut(&mut self) -> Option<&mut Entry> {
        self.context.results.entries.as_mut_slice().get_mut(self.current)
    }

    /// The first question that the current entry or one behind it has. A loop: a name may have thousands of addresses
    /// about which there is nothing to ask.
    pub(super) fn next_question(&mut self) -> Option<Question> {
        let request = self.context.request;
        if !asks_for_routes(&request) && !request.policy.discover_source && !request.needs_source {
            return None;
        }
        while let Some(entry) = self.entry() {
            let lacks_source = entry.src.is_none() && !entry.flags.contains(Flags::PASSIVE);
            let destination = if self.asked_source { None } else { destination(entry) };
            let route = !self.asked_route && asks_for_routes(&request) && wants_route(entry, &request);
            // Where a source is needed it is asked for first: the route is one from there.
            match destination.filter(|_| lacks_source) {
                Some(destination) if request.needs_source || (request.policy.discover_source && !route) => {
                    self.asked_source = true;
                    return Some(Question::Source(destination));
                }
                // Nobody knows one, or there is no way to ask, as of an AF_IB address.
                None if request.needs_source && lacks_source => self.leave_out(),
                _ if route => {
                    self.asked_route = true;
                    return Some(Question::Route);
                }
                _ => self.keep(),
            }
        }
        None
    }

    /// The request to ibacm about the current entry: its IP addresses, and a path where the hints or AF_IB addresses say
    /// something of it.
    pub(super) fn query(&self) -> Query {
        let [source, destination] = match self.entry() {
            Some(entry) => [entry.src.get(), entry.dst.get()],
            None => [None, None],
        };
        let [source_gid, destination_gid] = [source, destination].map(|address| address?.gid());
        let mut path = self.hinted;
        if let Some(gid) = source_gid {
            path = Some(path.unwrap_or(PathRecord::ZERO).with_sgid(gid));
        }
        if let Some(gid) = destination_gid {
            path = Some(path.unwrap_or(PathRecord::ZERO).with_dgid(gid));
        }
        let flags = self.context.request.hints().flags();
        Query {
            source: source.and_then(|address| address.ip()),
            destination: destination.and_then(|address| address.ip()),
            path,
            no_delay: flags.intersects(Flags::NUMERIC_HOST.union(Flags::NO_ROUTE)),
        }
    }

    /// Takes route and source from a reply.
    pub(super) fn take_reply(&mut self, reply: &acm::Reply) {
        if reply.status() != Status::OK {
            return self.take_no_route(NoRoute::Refused(reply.status()));
        }
        if let Some(entry) = self.entry_mut()
            && entry.src.is_none()
        {
            entry.src = source_for(entry, reply);
        }
        if reply.paths().next().is_none() {
            return self.take_no_route(NoRoute::NoPath);
        }
        match self.context.results.push_paths(&mut reply.paths()) {
            None => {
                self.summary.truncated = true;
                self.take_no_route(NoRoute::NoRoom);
            }
            Some(route) => {
                if let Some(entry) = self.entry_mut() {
                    entry.route = route;
                }
            }
        }
    }

    pub(super) fn take_no_route(&mut self, reason: NoRoute) {
        if let Some(entry) = self.entry_mut() {
            entry.no_route = Some(reason);
        }
    }

    /// Takes a source without its port.
    pub(super) fn take_source(&mut self, mut source: SocketAddr) {
        source.set_port(0);
        if let Some(entry) = self.entry_mut() {
            let source = SockAddrBuf::from(source);
            // That of a destination on whose link the source interface is.
            (entry.src, entry.dst) = ends::fit(source, entry.dst).unwrap_or((source, entry.dst));
        }
    }

    /// Goes on behind the current entry, which gets its AF_IB entry: only now, when the source is known, whoever said it.
    fn keep(&mut self) {
        let order = self.context.request.policy.ib_entry;
        if let Some(ib) = self.ib_entry()
            && let Some(entry) = self.entry_mut()
        {
            entry.listed = match (entry.listed, order) {
                // Only AF_IB entries are listed.
                (Listed::Nothing, _) => Listed::IbEntry(ib),
                (_, IbEntryOrder::AfterIp) => Listed::EntryThenIb(ib),
                (_, IbEntryOrder::BeforeIp) => Listed::IbThenEntry(ib),
            };
        }
        self.advance();
        // The first that has a source: it could not be known before.
        if self.context.request.needs_source && self.context.request.policy.addresses == Addresses::First {
            self.context.results.entries.truncate(self.current);
        }
    }

    /// Goes on behind the current entry, which is not listed.
    fn leave_out(&mut self) {
        if let Some(entry) = self.entry_mut() {
            entry.listed = Listed::Nothing;
        }
        self.summary = self.summary.without(LeftOut::OtherFamily);
        self.advance();
    }

    fn advance(&mut self) {
        self.current = self.current.saturating_add(1);
        (self.asked_route, self.asked_source) = (false, false);
    }

    /// The AF_IB entry that belongs to the current entry: none without a route, without AF_IB in the kernel, or where it
    /// would add nothing.
    fn ib_entry(&self) -> Option<IbEntry> {
        let (entry, request) = (self.entry()?, &self.context.request);
        let path = match entry.route {
            (_, 0) => return None,
            (start, _) => self.context.results.shared.paths().get(start)?,
        };
        let wanted = request.environment.af_ib && self.may_have_ib_entry();
        wanted.then(|| ib_entry::of(entry, path, request.policy.is_strict()))
    }

    /// Whether a route of the current entry brings an AF_IB entry, where the kernel knows AF_IB.
    pub(super) fn may_have_ib_entry(&self) -> bool {
        let request = &self.context.request;
        let adds_nothing = |entry: &Entry| {
            let no_address = entry.src.is_none() && entry.dst.is_none();
            request.policy.is_strict() && (entry.family == Family::IB || no_address)
        };
        !request.hints().flags().contains(Flags::ROUTE_ONLY)
            && self.entry().is_some_and(|entry| !adds_nothing(entry))
    }

    pub(super) fn finish(self) -> Result<AddrInfoList<'r>, Error> {
        let Context { request, mut results } = self.context;
        // Without a node: of the two addresses of loopback, one that cannot be sent to from anywhere comes last, as the
        // name service has it for names. Where no source was looked for, their order is fixed.
        if request.node.is_none()
            && request.policy.is_strict()
            && let [one, other] = results.entries.as_mut_slice()
            && !one.flags.contains(Flags::PASSIVE)
            && one.src.is_none()
            && !other.src.is_none()
        {
            core::mem::swap(one, other);
        }
        self.summary.finish(results, request.routes && request.environment.af_ib)
    }
}

/// Whether the question for a route is asked about any entry.
#[inline]
fn asks_for_routes(request: &Request<'_>) -> bool {
    request.routes && request.environment.route_service
}

/// Whether an entry may have a route, has none, and there is something to ask by.
#[inline(always)]
fn wants_route(entry: &Entry, request: &Request<'_>) -> bool {
    let has_ends = !entry.dst.is_none() || !entry.src.is_none();
    !entry.flags.contains(Flags::PASSIVE)
        && entry.route.1 == 0
        && (has_ends || !request.hints().route().is_empty())
}

/// Why the entry has no route, where that is known without a question.
#[inline]
pub(super) fn known_no_route(entry: &Entry, request: &Request<'_>) -> Option<NoRoute> {
    let unavailable = request.routes && !request.environment.route_service;
    (unavailable && wants_route(entry, request)).then_some(NoRoute::Unavailable)
}

/// The destination, if it is an IP address.
fn destination(entry: &Entry) -> Option<SocketAddr> {
    SocketAddr::try_from(entry.dst.get()?).ok()
}

/// The source that a reply tells, if it is of the destination's family.
fn source_for(entry: &Entry, reply: &acm::Reply) -> SockAddrBuf {
    let family = entry.dst.family();
    let mut sources = reply.sources().map(|source| SockAddrBuf::from_ip(source, 0, 0));
    sources.find(|source| source.family() == family).unwrap_or(SockAddrBuf::NONE)
}
