//! The driver: it answers the steps of a resolution, for who blocks and for who awaits, and knows no rule of it.

use super::NOBODY_TO_ASK;
use super::interface::SourceInterface;
use super::names::{NameAnswer, NameQuery, NameService, QUEUE};
use super::options::{IbEntries, Resolver};
use super::service::{self, ServiceAnswer, ServiceSearch};
use super::trace::{Trace, TraceEvent, answered, asked};
use crate::error::{Cause, SourceInterfaceError};
use crate::native::{self, Ibacm, Sources, by_deadline};
use rdma_addrinfo_core::{
    AddrInfoList, Error, ErrorKind, Family, FindRoute, IbService, Lookup, NoRoute, Reason, Request, Step,
    Storage, Text, acm::Reply, start,
};
use std::future::Future;
use std::net::SocketAddr;
use std::pin::pin;
use std::time::Instant;

/// Who answers the steps. What may take long is a future: ready at once for a caller who waits for it.
pub(super) trait Answers: Send {
    fn lookup(&mut self, ask: &Lookup<'_, '_>) -> impl Future<Output = Result<NameAnswer, Error>> + Send;
    fn route(&mut self, ask: &FindRoute<'_, '_>) -> impl Future<Output = Result<Reply, NoRoute>> + Send;
    fn takes_af_ib(&mut self) -> impl Future<Output = bool> + Send;
    fn service(&mut self, service: IbService<'_>) -> impl Future<Output = ServiceAnswer> + Send;
    fn scope(&mut self, name: &[u8]) -> Result<Option<u32>, Error>;
    fn source(&mut self, destination: SocketAddr) -> Result<Option<SocketAddr>, Error>;

    /// How many records of a service there were, where that was too many.
    fn records(&self) -> u32 {
        0
    }
}

/// Resolves a request with the answers that `answers` makes of this machine's.
///
/// # Errors
/// Those of the steps, and of the interface to send from.
pub(super) async fn run<'n, 'r, N, A: Answers>(
    resolver: &'n Resolver<N>,
    request: Request<'_>,
    results: Storage<'r>,
    answers: impl FnOnce(Machine<'n, N>) -> A,
    trace: &mut impl Trace,
) -> Result<AddrInfoList<'r>, Cause> {
    let interface = match resolver.source_interface {
        None => None,
        Some(name) => Some(SourceInterface::lookup(name, request.given_hints())?),
    };
    let ibacm = resolver.ibacm_to_ask().filter(|_| request.routes());
    let needs_source = interface.is_some() || request.needs_source();
    let mut answers = answers(Machine::new(resolver, ibacm, interface));
    // The facts that the rules ask for; those that cannot affect this request are not probed.
    let mut environment = NOBODY_TO_ASK;
    // A trace shows the question for a route also where nobody is there.
    environment.route_service = ibacm.is_some() || trace.is_enabled();
    if request.needs_ipv6_loopback() {
        environment.ipv6_loopback = native::ipv6_loopback_is_first()?;
    }
    environment.af_ib = match resolver.ib_entries {
        IbEntries::Auto if ibacm.is_none() || !request.needs_af_ib() => false,
        _ => answers.takes_af_ib().await,
    };
    let request = request.with_environment(environment).with_needed_source(needs_source);
    let outcome = drive(move || start(request, results), &mut answers, trace).await;
    outcome.map_err(|error| match error.reason() {
        Reason::SourceOfOtherFamily if resolver.source_interface.is_some() => {
            SourceInterfaceError::NoAddress.into()
        }
        Reason::TooManyRecords => Cause::TooManyRecords { error, records: answers.records() },
        _ => error.into(),
    })
}

/// Answers steps until the resolution is done.
///
/// What an async function is given has a place in its future, and what is made of it another one. So the first step is
/// made here, and what a route needs has a future of its own: thousands of futures may be there at the same time.
pub(super) async fn drive<'q, 'r>(
    first: impl FnOnce() -> Step<'q, 'r>,
    answers: &mut impl Answers,
    trace: &mut impl Trace,
) -> Result<AddrInfoList<'r>, Error> {
    let mut step = first();
    loop {
        step = match step {
            Step::Lookup(ask) => {
                let bytes = |text: Text<'_>| text.bytes().map(<[u8]>::to_vec);
                let asked = asked(trace);
                let names = answers.lookup(&ask).await;
                answered(trace, asked, || TraceEvent::Lookup {
                    node: bytes(ask.node()),
                    service: bytes(ask.service()),
                    family: ask.family(),
                    protocol: ask.protocol(),
                    answer: match &names {
                        Ok(names) => Ok(names.addresses().map(|found| found.address).collect()),
                        Err(error) => Err(*error),
                    },
                });
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
                let asked = asked(trace);
                let index = answers.scope(ask.name());
                answered(trace, asked, || TraceEvent::FindScope { name: ask.name().to_vec(), answer: index });
                match index {
                    Ok(index) => ask.answer(index),
                    Err(error) => ask.fail(error),
                }
            }
            Step::FindRoute(ask) => answer_route(ask, answers, trace).await,
            Step::FindService(ask) => {
                let asked = asked(trace);
                let found = answers.service(ask.service()).await;
                answered(trace, asked, || found.event());
                match found.answer {
                    Ok((port, records)) => ask.answer(port, records),
                    Err(error) => ask.fail(error),
                }
            }
            Step::FindSource(ask) => {
                let destination = ask.destination();
                let asked = asked(trace);
                let source = answers.source(destination);
                answered(trace, asked, || TraceEvent::FindSource { destination, answer: source });
                match source {
                    Ok(source) => ask.answer(source),
                    Err(error) => ask.fail(error),
                }
            }
            Step::Done(outcome) => return outcome,
        }
    }
}

/// Answers the question for a route.
#[expect(clippy::manual_async_fn, reason = "an async function has what it is given twice if that is moved")]
fn answer_route<'q, 'r>(
    ask: FindRoute<'q, 'r>,
    answers: &mut impl Answers,
    trace: &mut impl Trace,
) -> impl Future<Output = Step<'q, 'r>> {
    async move {
        let asked = asked(trace);
        let reply = answers.route(&ask).await;
        answered(trace, asked, || TraceEvent::FindRoute {
            destination: ask.destination().and_then(|address| address.to_buf().ok()),
            query: ask.query(),
            answer: match &reply {
                Ok(reply) => Ok(Box::new(reply.clone())),
                Err(no_route) => Err(*no_route),
            },
        });
        // By reference: what is moved before an await would have its place twice.
        let reply = match &reply {
            Ok(reply) => reply,
            Err(no_route) => return ask.no_route(*no_route),
        };
        if !ask.needs_af_ib(reply) {
            return ask.answer(reply);
        }
        let af_ib = answers.takes_af_ib().await;
        ask.with_af_ib(af_ib).answer(reply)
    }
}

/// This machine's own answers, within a time limit: what both ways to wait for them share.
pub(super) struct Machine<'n, N> {
    pub(super) resolver: &'n Resolver<N>,
    /// None: nobody is there to ask.
    pub(super) ibacm: Option<&'n Ibacm>,
    /// None: the kernel says from where.
    pub(super) interface: Option<SourceInterface>,
    /// Set when the first step that may wait is asked for: a literal does not read the clock.
    deadline: Option<Instant>,
    /// Those that the lookup of the name had to find.
    sources: Sources,
    /// How many records of a service there are, where that is too many.
    records: u32,
}

impl<'n, N> Machine<'n, N> {
    pub(super) const fn new(
        resolver: &'n Resolver<N>,
        ibacm: Option<&'n Ibacm>,
        interface: Option<SourceInterface>,
    ) -> Self {
        Self { resolver, ibacm, interface, deadline: None, sources: Sources::new(), records: 0 }
    }

    /// When the call must be over; `None` when there is no limit, or one beyond all time.
    fn deadline(&mut self) -> Option<Instant> {
        if self.deadline.is_none() {
            self.deadline = Instant::now().checked_add(self.resolver.limit?);
        }
        self.deadline
    }

    /// Takes what has come of asking for a service.
    fn served(&mut self, found: ServiceAnswer) -> ServiceAnswer {
        self.records = found.too_many().unwrap_or(0);
        found
    }

    /// Takes what a name service has answered.
    fn named(&mut self, mut answer: NameAnswer) -> NameAnswer {
        self.sources = answer.0.take_sources();
        answer
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

fn query<'q>(ask: &Lookup<'q, '_>) -> NameQuery<'q> {
    NameQuery {
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
    }
}

/// Answers on the caller's thread, which waits: each is ready at once.
pub(super) struct Blocking<'n, N>(pub(super) Machine<'n, N>);

impl<N: NameService> Answers for Blocking<'_, N> {
    async fn lookup(&mut self, ask: &Lookup<'_, '_>) -> Result<NameAnswer, Error> {
        let deadline = self.0.deadline();
        let answer = self.0.resolver.names.look_up_blocking(&query(ask), deadline)?;
        Ok(self.0.named(answer))
    }

    async fn route(&mut self, ask: &FindRoute<'_, '_>) -> Result<Reply, NoRoute> {
        let ibacm = self.0.ibacm.ok_or(NoRoute::Unavailable)?;
        native::ask_ibacm(ibacm, &|transaction_id| ask.request(transaction_id), || self.0.deadline())
    }

    async fn takes_af_ib(&mut self) -> bool {
        self.0.resolver.ib_entries.are_made(native::kernel_takes_af_ib)
    }

    async fn service(&mut self, asked: IbService<'_>) -> ServiceAnswer {
        let found = match self.0.deadline() {
            None => service::ask(asked),
            deadline => ServiceSearch::begin(asked, deadline).wait(),
        };
        self.0.served(found)
    }

    fn scope(&mut self, name: &[u8]) -> Result<Option<u32>, Error> {
        native::interface_index(name)
    }

    fn source(&mut self, destination: SocketAddr) -> Result<Option<SocketAddr>, Error> {
        self.0.source(destination)
    }

    fn records(&self) -> u32 {
        self.0.records
    }
}

/// Answers for a task, whose thread must not wait: names by their service, routes and the connection manager's device by
/// threads of their own. The kernel tells zones and sources within microseconds, so they are asked for where the task
/// runs.
pub(super) struct Awaiting<'n, N>(pub(super) Machine<'n, N>);

impl<N: NameService> Answers for Awaiting<'_, N> {
    async fn lookup(&mut self, ask: &Lookup<'_, '_>) -> Result<NameAnswer, Error> {
        let (deadline, query) = (self.0.deadline(), query(ask));
        let answer = pin!(self.0.resolver.names.look_up(&query, deadline));
        let answer = by_deadline(answer, deadline).await??;
        Ok(self.0.named(answer))
    }

    async fn route(&mut self, ask: &FindRoute<'_, '_>) -> Result<Reply, NoRoute> {
        let ibacm = *self.0.ibacm.ok_or(NoRoute::Unavailable)?;
        let deadline = self.0.deadline();
        let running = native::begin_ibacm(ibacm, ask.query(), deadline, QUEUE)?;
        match by_deadline(running, deadline).await {
            Ok(Ok(reply)) => reply,
            Err(error) if error.kind() == ErrorKind::TimedOut => Err(NoRoute::TimedOut),
            Ok(Err(_)) | Err(_) => Err(NoRoute::CouldNotAsk),
        }
    }

    async fn takes_af_ib(&mut self) -> bool {
        let known = match self.0.resolver.ib_entries {
            IbEntries::Auto => native::known_to_take_af_ib(),
            IbEntries::Always => Some(true),
            IbEntries::Never => Some(false),
        };
        match known {
            Some(known) => known,
            None => match native::begin_kernel_takes_af_ib(QUEUE) {
                Ok(running) => matches!(by_deadline(running, self.0.deadline()).await, Ok(Ok(true))),
                Err(_) => false,
            },
        }
    }

    async fn service(&mut self, service: IbService<'_>) -> ServiceAnswer {
        let found = ServiceSearch::begin(service, self.0.deadline()).awaited().await;
        self.0.served(found)
    }

    fn scope(&mut self, name: &[u8]) -> Result<Option<u32>, Error> {
        native::interface_index(name)
    }

    fn source(&mut self, destination: SocketAddr) -> Result<Option<SocketAddr>, Error> {
        self.0.source(destination)
    }

    fn records(&self) -> u32 {
        self.0.records
    }
}
