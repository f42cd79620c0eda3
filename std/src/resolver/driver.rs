//! The blocking driver: it answers the steps of a resolution and knows no rule of it.

use super::trace::TracedStep;
use crate::native::{self, Answer, Ibacm};
use rdma_addrinfo_core::{
    AddrInfoList, Error, ErrorKind, Family, FindRoute, LookUp, NoRoute, Protocol, SockAddrBuf, Step,
    acm::Reply,
};
use std::ffi::CString;
use std::fmt::Write;
use std::net::SocketAddr;
use std::time::{Duration, Instant};

/// Who answers the steps.
pub(super) trait Answers {
    fn look_up(&mut self, ask: &LookUp<'_, '_>) -> Result<Answer, Error>;
    fn scope(&mut self, name: &[u8]) -> Result<Option<u32>, Error>;
    fn route(&mut self, ask: &FindRoute<'_, '_>) -> Result<Reply, NoRoute>;
    fn source(&mut self, destination: SocketAddr) -> Option<SocketAddr>;
}

/// Answers steps until the resolution is done.
// Apart from its caller, who needs none of its room on the stack for a literal.
#[inline(never)]
pub(super) fn drive<'r>(
    mut step: Step<'_, 'r>,
    answers: &mut impl Answers,
    trace: Option<&mut dyn FnMut(TracedStep)>,
) -> Result<AddrInfoList<'r>, Error> {
    let mut trace = Trace(trace);
    loop {
        step = match step {
            Step::LookUp(ask) => {
                let names = trace.step(
                    || look_up_question(&ask),
                    || answers.look_up(&ask),
                    |names| match names {
                        Ok(names) => list(names),
                        Err(error) => error.to_string(),
                    },
                );
                match names {
                    Ok(Answer { addresses, canonical_name: Some(name) }) => {
                        ask.with_canonical_name(&name).answer(Ok(addresses))
                    }
                    Ok(Answer { addresses, canonical_name: None }) => ask.answer(Ok(addresses)),
                    Err(error) => ask.fail(error),
                }
            }
            Step::FindScope(ask) => {
                let index = trace.step(
                    || format!("interface of zone '{}'", quoted(ask.name())),
                    || answers.scope(ask.name()),
                    |index| match index {
                        Ok(index) => index.map_or("none".into(), |index| index.to_string()),
                        Err(error) => error.to_string(),
                    },
                );
                match index {
                    Ok(index) => ask.answer(index),
                    Err(error) => ask.fail(error),
                }
            }
            Step::FindRoute(ask) => {
                let reply = trace.step(
                    || route_question(&ask),
                    || answers.route(&ask),
                    |reply| match reply {
                        Ok(reply) => reply.to_string(),
                        Err(no_route) => no_route.to_string(),
                    },
                );
                match reply {
                    Ok(reply) => ask.answer(&reply),
                    Err(no_route) => ask.no_route(no_route),
                }
            }
            Step::FindSource(ask) => {
                let source = trace.step(
                    || format!("source for {}", SockAddrBuf::from(ask.destination())),
                    || answers.source(ask.destination()),
                    |source| source.map_or("none".into(), |source| SockAddrBuf::from(source).to_string()),
                );
                ask.answer(source)
            }
            Step::Done(outcome) => return outcome,
        }
    }
}

/// Tells steps to whoever wants to know; costs nothing where nobody does.
pub(super) struct Trace<'t>(pub(super) Option<&'t mut dyn FnMut(TracedStep)>);

impl Trace<'_> {
    pub(super) fn step<T>(
        &mut self,
        question: impl FnOnce() -> String,
        answer: impl FnOnce() -> T,
        tell: impl FnOnce(&T) -> String,
    ) -> T {
        let Some(trace) = &mut self.0 else { return answer() };
        let question = question();
        let started = Instant::now();
        let result = answer();
        let elapsed = started.elapsed();
        trace(TracedStep { question, answer: tell(&result), elapsed });
        result
    }
}

fn look_up_question(ask: &LookUp<'_, '_>) -> String {
    let mut text = String::from("look up");
    let mut quote = |what: &str, bytes: Option<&[u8]>| {
        if let Some(bytes) = bytes {
            // Writing to a String does not fail.
            let _ = write!(text, " {what} '{}'", quoted(bytes));
        }
    };
    quote("node", ask.node());
    quote("service", ask.service());
    let family = match ask.family() {
        Family::UNSPEC => "any family".into(),
        family => family.to_string(),
    };
    let protocol = match ask.protocol() {
        Protocol::Any => "any protocol",
        Protocol::Tcp => "tcp",
        Protocol::Udp => "udp",
    };
    let _ = write!(text, " ({family}, {protocol})");
    text
}

/// Where to, and the request; its transaction id says nothing.
fn route_question(ask: &FindRoute<'_, '_>) -> String {
    let destination = ask.destination().map(|address| address.to_string());
    let destination = destination.as_deref().unwrap_or("the end of the path");
    format!("route to {destination} (request: {})", ask.request(0))
}

/// Text for a message: what cannot be shown is escaped or replaced.
fn quoted(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).escape_debug().to_string()
}

fn list(names: &Answer) -> String {
    let addresses: Vec<String> =
        names.addresses.iter().map(|found| SockAddrBuf::from(found.address).to_string()).collect();
    if addresses.is_empty() { "nothing".into() } else { addresses.join(", ") }
}

/// This machine's own answers, within a time limit.
pub(super) struct Native<'i> {
    limit: Option<Duration>,
    // None: nobody is there to ask.
    ibacm: Option<&'i Ibacm>,
    // Set when the first step that may wait is asked for: a literal does not read the clock.
    deadline: Option<Instant>,
}

impl<'i> Native<'i> {
    pub(super) const fn new(limit: Option<Duration>, ibacm: Option<&'i Ibacm>) -> Self {
        Self { limit, ibacm, deadline: None }
    }

    /// When the call must be over; `None` when there is no limit, or one beyond all time.
    fn deadline(&mut self) -> Option<Instant> {
        if self.deadline.is_none() {
            self.deadline = Instant::now().checked_add(self.limit?);
        }
        self.deadline
    }
}

impl Answers for Native<'_> {
    fn look_up(&mut self, ask: &LookUp<'_, '_>) -> Result<Answer, Error> {
        let own = |text: Option<&[u8]>| match text.map(CString::new) {
            None => Ok(None),
            Some(Ok(text)) => Ok(Some(text)),
            Some(Err(_)) => Err(Error::new(ErrorKind::Invalid)),
        };
        let (node, service) = (own(ask.node())?, own(ask.service())?);
        let query = native::Query {
            node: node.as_deref(),
            service: service.as_deref(),
            family: ask.family().to_raw(),
            protocol: ask.protocol(),
            passive: ask.is_passive(),
            canonical: ask.wants_canonical_name(),
        };
        match self.deadline() {
            Some(deadline) => native::look_up_by(&query, deadline),
            None => native::look_up(&query),
        }
    }

    fn scope(&mut self, name: &[u8]) -> Result<Option<u32>, Error> {
        native::interface_index(name)
    }

    fn route(&mut self, ask: &FindRoute<'_, '_>) -> Result<Reply, NoRoute> {
        let ibacm = self.ibacm.ok_or(NoRoute::Unavailable)?;
        native::ask_ibacm(ibacm, &|transaction_id| ask.request(transaction_id), || self.deadline())
    }

    fn source(&mut self, destination: SocketAddr) -> Option<SocketAddr> {
        native::source_for(destination).ok()
    }
}
