//! Scripts of questions and answers, and the driver that follows them: a question that is not the next of the
//! script fails, and so does a line of the script that nobody asked for.

use super::ibacm;
use super::whole::{Fault, List, ip, ip_bytes};
use rdma_addrinfo_core::{
    Error, ErrorKind, Family, FindRoute, Found, Gid, IbService, NoRoute, Protocol, Request, Results,
    RouteStatus, ServiceRecord, SockAddrBuf, SockAddrRef, Step, Text, resolve_literal, start,
};
use std::ffi::CStr;
use std::net::SocketAddr;

/// No node, or no service.
pub(super) const NONE: Text<'static> = Text::NONE;

/// A question and its answer.
#[derive(Clone, Debug)]
pub(super) enum Line {
    Lookup(Names, Option<&'static CStr>, Result<Vec<Found>, Error>),
    Scope(&'static str, Option<u32>),
    Route(Route, NoRoute),
    /// The status of a reply, and its entries.
    Reply(Route, u8, Vec<[u8; 72]>),
    Source(Vec<u8>, Option<SocketAddr>),
    /// The GID of the port that was asked through, and the records.
    Service(IbService<'static>, Result<(Gid, Vec<ServiceRecord>), Error>),
}

/// What a lookup asks for.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Names {
    pub(super) node: Option<&'static str>,
    pub(super) service: Option<&'static str>,
    pub(super) family: Family,
    pub(super) protocol: Protocol,
    pub(super) passive: bool,
    pub(super) canonical_name: bool,
}

/// What is told when a route is asked for; addresses as bytes, empty where there is none.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Route {
    pub(super) source: Vec<u8>,
    pub(super) destination: Vec<u8>,
    pub(super) hint: Vec<u8>,
    pub(super) no_delay: bool,
}

impl Names {
    /// A host name without a service, for TCP.
    pub(super) const fn node(name: &'static str) -> Self {
        Self {
            node: Some(name),
            service: None,
            family: Family::UNSPEC,
            protocol: Protocol::Tcp,
            passive: false,
            canonical_name: false,
        }
    }

    /// A service name alone, of either protocol.
    pub(super) const fn service(name: &'static str) -> Self {
        Self { node: None, service: Some(name), protocol: Protocol::Any, ..Self::node("") }
    }

    pub(super) const fn family(self, family: Family) -> Self {
        Self { family, ..self }
    }

    pub(super) const fn protocol(self, protocol: Protocol) -> Self {
        Self { protocol, ..self }
    }

    pub(super) const fn passive(self) -> Self {
        Self { passive: true, ..self }
    }

    /// Answered with these addresses, of the protocol asked for; of TCP where either was.
    pub(super) fn found<const N: usize>(self, addresses: [&str; N]) -> Line {
        let protocol = if self.protocol == Protocol::Any { Protocol::Tcp } else { self.protocol };
        self.gives(addresses.map(|address| (address, protocol)))
    }

    /// Answered with these addresses and protocols.
    pub(super) fn gives<const N: usize>(self, found: [(&str, Protocol); N]) -> Line {
        let found = found.map(|(address, protocol)| Found { address: parse(address), protocol });
        Line::Lookup(self, None, Ok(found.to_vec()))
    }

    /// Answered with an error.
    pub(super) fn fails(self, error: impl Into<Error>) -> Line {
        Line::Lookup(self, None, Err(error.into()))
    }
}

/// The question for a route from nowhere in particular, not had.
pub(super) fn route(destination: Vec<u8>) -> Line {
    Line::Route(Route::to(destination), NoRoute::Unavailable)
}

impl Route {
    pub(super) fn to(destination: Vec<u8>) -> Self {
        Self { source: Vec::new(), destination, hint: Vec::new(), no_delay: false }
    }

    pub(super) fn from(self, source: Vec<u8>) -> Self {
        Self { source, ..self }
    }

    pub(super) fn no_delay(self) -> Self {
        Self { no_delay: true, ..self }
    }

    pub(super) fn hint(self, hint: &[u8]) -> Self {
        Self { hint: hint.to_vec(), ..self }
    }

    pub(super) fn none(self) -> Line {
        Line::Route(self, NoRoute::Unavailable)
    }

    /// Answered by a reply with these entries.
    pub(super) fn finds<const N: usize>(self, entries: [[u8; 72]; N]) -> Line {
        Line::Reply(self, 0, entries.to_vec())
    }
}

/// The question for a source.
pub(super) fn source(destination: &str, answer: Option<&str>) -> Line {
    Line::Source(ip(destination), answer.map(parse))
}

/// The questions for route and source of each of these addresses, none of them answered.
pub(super) fn walk<const N: usize>(destinations: [&str; N]) -> Vec<Line> {
    destinations.iter().flat_map(|to| [route(ip(to)), source(to, None)]).collect()
}

/// First one line, then more.
pub(super) fn then(first: Line, more: Vec<Line>) -> Vec<Line> {
    [vec![first], more].concat()
}

/// An address for hints.
pub(super) fn hint(bytes: &[u8]) -> SockAddrBuf {
    SockAddrBuf::from_bytes(bytes).expect("a socket address")
}

pub(super) fn parse(address: &str) -> SocketAddr {
    address.parse().expect("an IP address and a port")
}

/// Resolves with room for all.
pub(super) fn run(request: Request<'_>, script: &[Line]) -> Result<List, Fault> {
    run_in::<8>(request, script)
}

/// Resolves with room for `N` entries, and checks that resolving as a literal agrees.
pub(super) fn run_in<const N: usize>(request: Request<'_>, script: &[Line]) -> Result<List, Fault> {
    let mut results = used::<N>();
    let mut lines = script.iter();
    let mut step = start(request, &mut results);
    let outcome = loop {
        if let Step::Done(outcome) = step {
            break outcome.map(List::of).map_err(Fault::from);
        }
        let line = lines.next().unwrap_or_else(|| panic!("not in the script {script:?}: {step:?}"));
        step = answer(step, line);
    };
    assert_eq!(lines.as_slice().len(), 0, "not asked: {:?}", lines.as_slice());
    agrees_as_literal::<N>(request, script, &outcome);
    outcome
}

fn answer<'q, 'r>(step: Step<'q, 'r>, line: &Line) -> Step<'q, 'r> {
    match (step, line) {
        (Step::Lookup(ask), Line::Lookup(names, canonical_name, found)) => {
            let asked = (
                ask.node().bytes(),
                ask.service().bytes(),
                ask.family(),
                ask.protocol(),
                ask.is_passive(),
                ask.wants_canonical_name(),
            );
            let expected = (
                names.node.map(str::as_bytes),
                names.service.map(str::as_bytes),
                names.family,
                names.protocol,
                names.passive,
                names.canonical_name,
            );
            assert_eq!(asked, expected);
            let ask = match canonical_name {
                Some(name) => ask.with_canonical_name(name),
                None => ask,
            };
            ask.answer(found.clone())
        }
        (Step::FindScope(ask), Line::Scope(name, index)) => {
            assert_eq!(ask.name(), name.as_bytes());
            ask.answer(*index)
        }
        (Step::FindRoute(ask), Line::Route(route, status)) => {
            asked_for_route(&ask, route);
            ask.no_route(*status)
        }
        (Step::FindRoute(ask), Line::Reply(route, status, entries)) => {
            asked_for_route(&ask, route);
            ask.answer(&ibacm::reply(*status, entries))
        }
        (Step::FindSource(ask), Line::Source(destination, address)) => {
            assert_eq!(ip_bytes(ask.destination()), *destination);
            ask.answer(*address)
        }
        (Step::FindService(ask), Line::Service(service, answer)) => {
            assert_eq!(ask.service(), *service);
            match answer.clone() {
                Ok((port, records)) => ask.answer(port, records),
                Err(error) => ask.fail(error),
            }
        }
        (step, line) => panic!("asked {step:?} where the script has {line:?}"),
    }
}

/// What a question for a route tells, and the request that it makes of it.
fn asked_for_route(ask: &FindRoute<'_, '_>, route: &Route) {
    let bytes = |address: Option<SockAddrRef<'_>>| address.map_or(Vec::new(), |a| a.as_bytes().to_vec());
    let asked = Route {
        source: bytes(ask.source()),
        destination: bytes(ask.destination()),
        hint: ask.hint().to_vec(),
        no_delay: ask.no_delay(),
    };
    assert_eq!(asked, *route);
    let request = ask.request(ibacm::ID);
    assert_eq!(request.as_bytes(), ibacm::request(route), "{request}");
    assert_eq!(ask.query().to_request(ibacm::ID), request);
}

/// Results that held something else before.
fn used<const N: usize>() -> Results<N> {
    let mut results = Results::new();
    let before = resolve_literal("203.0.113.1", "1", None, &mut results).map(|list| list.len());
    assert_eq!(before.ok(), (N > 0).then_some(1));
    results
}

/// Without questions for names and zones the list is the same as that of `resolve_literal`, but for discovered
/// sources and for what routes add; with them, it is no literal.
fn agrees_as_literal<const N: usize>(request: Request<'_>, script: &[Line], outcome: &Result<List, Fault>) {
    let mut results = used::<N>();
    let literal = request.resolve_literal(&mut results);
    if script.iter().any(|line| matches!(line, Line::Lookup(..) | Line::Scope(..) | Line::Service(..))) {
        assert_eq!(literal.map(List::of).map_err(|error| error.kind()), Err(ErrorKind::NotLiteral));
        return;
    }
    if script.iter().any(|line| matches!(line, Line::Reply(..))) {
        return;
    }
    let discovered = script.iter().any(|line| matches!(line, Line::Source(_, Some(_))));
    let comparable = |outcome: Result<List, Fault>| {
        outcome.map(|mut list| {
            // Of loopback, the one without a source comes last.
            if discovered && request.node().bytes().is_none() {
                list.entries.sort_by(|one, other| one.dst.cmp(&other.dst));
            }
            for entry in &mut list.entries {
                if entry.route_status != RouteStatus::Found {
                    entry.route_status = RouteStatus::NotAsked;
                }
                if discovered {
                    entry.src.clear();
                    entry.needs_scope = false;
                }
            }
            list
        })
    };
    let literal = literal.map(List::of).map_err(Fault::from);
    assert_eq!(comparable(literal), comparable(outcome.clone()), "as a literal (left) and in steps (right)");
}
