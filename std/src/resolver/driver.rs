//! The blocking driver: it answers the steps of a resolution and knows no rule of it.

use super::interface::SourceInterface;
use super::options::IbEntries;
use super::trace::TracedStep;
use crate::c_text::with_c_text;
use crate::native::{self, Answer, Ibacm};
use rdma_addrinfo_core::{
    AddrInfoList, Error, Family, FindRoute, Location, LookUp, NoRoute, Protocol, SockAddrBuf, Step,
    acm::Reply,
};
use std::fmt::Write;
use std::net::SocketAddr;
use std::time::{Duration, Instant};

/// Who answers the steps.
pub(super) trait Answers {
    fn look_up(&mut self, ask: &LookUp<'_, '_>) -> Result<Answer, Error>;
    fn scope(&mut self, name: &[u8]) -> Result<Option<u32>, Error>;
    fn route(&mut self, ask: &FindRoute<'_, '_>) -> Result<Reply, NoRoute>;
    fn takes_af_ib(&mut self) -> bool;
    fn source(&mut self, destination: SocketAddr) -> Result<Option<SocketAddr>, Error>;
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
                    Ok(names) => {
                        let ask = match names.canonical_name() {
                            Some(name) => ask.with_canonical_name(name),
                            None => ask,
                        };
                        let ask = if ask.needs_ipv6_loopback() {
                            let first = names.addresses().next();
                            ask.with_ipv6_loopback(first.is_some_and(|first| first.address.is_ipv6()))
                        } else {
                            ask
                        };
                        ask.answer(Ok(names.addresses()))
                    }
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
                    Ok(reply) => {
                        let ask = match ask.needs_af_ib(&reply) {
                            true => ask.with_af_ib(answers.takes_af_ib()),
                            false => ask,
                        };
                        ask.answer(&reply)
                    }
                    Err(no_route) => ask.no_route(no_route),
                }
            }
            Step::FindSource(ask) => {
                let source = trace.step(
                    || format!("source for {}", SockAddrBuf::from(ask.destination())),
                    || answers.source(ask.destination()),
                    |source| match source {
                        Ok(source) => {
                            source.map_or("none".into(), |source| SockAddrBuf::from(source).to_string())
                        }
                        Err(error) => error.to_string(),
                    },
                );
                match source {
                    Ok(source) => ask.answer(source),
                    Err(error) => ask.fail(error),
                }
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
    quote("node", ask.node().bytes());
    quote("service", ask.service().bytes());
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
        names.addresses().map(|found| SockAddrBuf::from(found.address).to_string()).collect();
    if addresses.is_empty() { "nothing".into() } else { addresses.join(", ") }
}

/// This machine's own answers, within a time limit.
pub(super) struct Native<'n> {
    pub(super) limit: Option<Duration>,
    /// None: nobody is there to ask.
    pub(super) ibacm: Option<&'n Ibacm>,
    pub(super) ib_entries: IbEntries,
    /// None: the kernel says from where.
    pub(super) interface: Option<SourceInterface>,
    /// Set when the first step that may wait is asked for: a literal does not read the clock.
    pub(super) deadline: Option<Instant>,
}

impl Native<'_> {
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
        let deadline = self.deadline();
        with_c_text(ask.node(), Location::Node, |node| {
            with_c_text(ask.service(), Location::Service, |service| {
                let query = native::Query {
                    node,
                    service,
                    // Of a service alone the port counts, which one address tells, and at most their order.
                    family: if node.is_none() && !ask.needs_ipv6_loopback() {
                        Family::INET
                    } else {
                        ask.family()
                    }
                    .to_raw(),
                    protocol: ask.protocol(),
                    passive: ask.is_passive(),
                    canonical: ask.wants_canonical_name(),
                };
                match deadline {
                    Some(deadline) => native::look_up_by(&query, deadline),
                    None => native::look_up(&query),
                }
            })
        })
    }

    fn scope(&mut self, name: &[u8]) -> Result<Option<u32>, Error> {
        native::interface_index(name)
    }

    fn route(&mut self, ask: &FindRoute<'_, '_>) -> Result<Reply, NoRoute> {
        let ibacm = self.ibacm.ok_or(NoRoute::Unavailable)?;
        native::ask_ibacm(ibacm, &|transaction_id| ask.request(transaction_id), || self.deadline())
    }

    fn takes_af_ib(&mut self) -> bool {
        match self.ib_entries {
            IbEntries::Always => true,
            IbEntries::Never => false,
            IbEntries::Auto => native::kernel_takes_af_ib(),
        }
    }

    fn source(&mut self, destination: SocketAddr) -> Result<Option<SocketAddr>, Error> {
        match &self.interface {
            Some(interface) => Ok(interface.source_for(destination)),
            None => native::source_for(destination),
        }
    }
}
