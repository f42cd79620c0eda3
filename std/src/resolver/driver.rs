//! The blocking driver: it answers the steps of a resolution and knows no rule of it.

use super::interface::SourceInterface;
use super::names::{NameAnswer, NameQuery, NameService, wait_for};
use super::options::Resolver;
use super::trace::{Trace, TraceEvent, traced};
use crate::native::{self, Ibacm, Sources};
use rdma_addrinfo_core::{AddrInfoList, Error, Family, FindRoute, Lookup, NoRoute, Step, Text, acm::Reply};
use std::net::SocketAddr;
use std::time::Instant;

/// Who answers the steps.
pub(super) trait Answers {
    fn lookup(&mut self, ask: &Lookup<'_, '_>) -> Result<NameAnswer, Error>;
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
    trace: &mut impl Trace,
) -> Result<AddrInfoList<'r>, Error> {
    loop {
        step = match step {
            Step::Lookup(ask) => {
                let bytes = |text: Text<'_>| text.bytes().map(<[u8]>::to_vec);
                let names = traced(
                    trace,
                    || answers.lookup(&ask),
                    |names| TraceEvent::Lookup {
                        node: bytes(ask.node()),
                        service: bytes(ask.service()),
                        family: ask.family(),
                        protocol: ask.protocol(),
                        answer: match names {
                            Ok(names) => Ok(names.addresses().map(|found| found.address).collect()),
                            Err(error) => Err(*error),
                        },
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
                let index = traced(
                    trace,
                    || answers.scope(ask.name()),
                    |index| TraceEvent::FindScope { name: ask.name().to_vec(), answer: *index },
                );
                match index {
                    Ok(index) => ask.answer(index),
                    Err(error) => ask.fail(error),
                }
            }
            Step::FindRoute(ask) => {
                let reply = traced(
                    trace,
                    || answers.route(&ask),
                    |reply| TraceEvent::FindRoute {
                        destination: ask.destination().and_then(|address| address.to_buf().ok()),
                        query: ask.query(),
                        answer: match reply {
                            Ok(reply) => Ok(Box::new(reply.clone())),
                            Err(no_route) => Err(*no_route),
                        },
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
                let destination = ask.destination();
                let source = traced(
                    trace,
                    || answers.source(destination),
                    |source| TraceEvent::FindSource { destination, answer: *source },
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

/// This machine's own answers, within a time limit.
pub(super) struct Native<'n, N> {
    pub(super) resolver: &'n Resolver<N>,
    /// None: nobody is there to ask.
    pub(super) ibacm: Option<&'n Ibacm>,
    /// None: the kernel says from where.
    pub(super) interface: Option<SourceInterface>,
    /// Set when the first step that may wait is asked for: a literal does not read the clock.
    pub(super) deadline: Option<Instant>,
    /// Those that the lookup of the name had to find.
    pub(super) sources: Sources,
}

impl<N> Native<'_, N> {
    /// When the call must be over; `None` when there is no limit, or one beyond all time.
    fn deadline(&mut self) -> Option<Instant> {
        if self.deadline.is_none() {
            self.deadline = Instant::now().checked_add(self.resolver.limit?);
        }
        self.deadline
    }
}

impl<N: NameService> Answers for Native<'_, N> {
    fn lookup(&mut self, ask: &Lookup<'_, '_>) -> Result<NameAnswer, Error> {
        let deadline = self.deadline();
        let query = NameQuery {
            node: ask.node(),
            service: ask.service(),
            // Of a service alone the port counts, which one address tells, and at most their order.
            family: if ask.node().bytes().is_none() && !ask.needs_ipv6_loopback() {
                Family::INET
            } else {
                ask.family()
            },
            protocol: ask.protocol(),
            passive: ask.is_passive(),
            canonical: ask.wants_canonical_name(),
        };
        let mut answer = wait_for(self.resolver.names.look_up(&query, deadline), deadline)?;
        self.sources = answer.0.take_sources();
        Ok(answer)
    }

    fn scope(&mut self, name: &[u8]) -> Result<Option<u32>, Error> {
        native::interface_index(name)
    }

    fn route(&mut self, ask: &FindRoute<'_, '_>) -> Result<Reply, NoRoute> {
        let ibacm = self.ibacm.ok_or(NoRoute::Unavailable)?;
        native::ask_ibacm(ibacm, &|transaction_id| ask.request(transaction_id), || self.deadline())
    }

    fn takes_af_ib(&mut self) -> bool {
        self.resolver.ib_entries.are_made(native::kernel_takes_af_ib)
    }

    fn source(&mut self, destination: SocketAddr) -> Result<Option<SocketAddr>, Error> {
        let deadline = if self.interface.is_some() { self.deadline() } else { None };
        match &self.interface {
            Some(interface) => interface.source_for(destination, deadline),
            // The name may have been looked up without the port, which decides nothing but by rules of its own.
            None => match self.sources.iter().find(|(known, _)| known.ip() == destination.ip()) {
                Some((_, source)) => Ok(*source),
                None => native::source_for(destination),
            },
        }
    }
}
