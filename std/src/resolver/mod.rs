//! [`Resolver`]: the native resolver.
//!
//! ```text
//!                        Request (core)
//!  node, service, hints ─────▶ Resolver ── a literal, nothing to ask ──▶ list
//!                                 │ all else                              ▲
//!                                 ▼                                       │
//!  Trace ◀── each step ──── drive (driver) ◀── Step (core) ───────────────┘
//!                                 │ question  ▲ answer
//!                                 ▼           │
//!                          Answers: Native ── names, zones, routes, sources (crate::native)
//!                                        └─── SourceInterface (interface)
//! ```
//!
//! The rules are the core's. What is here: the options (`options`), who answers the questions and by when (`driver`),
//! and where results lie: with the caller, or on the heap (`heap`, `resolved`).

mod driver;
mod heap;
mod interface;
mod options;
mod resolved;
#[cfg(feature = "tracing")]
mod to_tracing;
mod trace;

#[cfg(test)]
mod tests;

pub use heap::HeapResults;
pub use interface::SourceInterfaceError;
pub use options::{IbEntries, Resolver};
pub use resolved::Resolved;
#[cfg(feature = "tracing")]
pub use to_tracing::ToTracing;
pub use trace::{Trace, TraceEvent, TracedStep};

use crate::error::{Cause, Error};
use crate::native::{self, Ibacm};
use driver::{Native, drive};
use interface::SourceInterface;
use rdma_addrinfo_core::{
    self as core_crate, AddrInfoList, Environment, Hints, Policy, Reason, Request, Rules, Step, Storage, Text,
};

impl Resolver {
    /// Resolves, and keeps all results on the heap.
    ///
    /// Node and service are `&str`, `&CStr`, or `None`; hints are `&Hints` or `None`.
    ///
    /// # Errors
    /// As [`start`](core_crate::start), what the name service answers, `TimedOut` and `Again` as said at
    /// [`deadline`](Self::deadline).
    #[doc(alias = "rdma_getaddrinfo")]
    pub fn resolve<'q>(
        &self,
        node: impl Into<Text<'q>>,
        service: impl Into<Text<'q>>,
        hints: impl Into<Option<&'q Hints<'q>>>,
    ) -> Result<Resolved, Error> {
        let mut results = HeapResults::new();
        let list = self.resolve_into(node, service, hints, &mut results)?;
        let start = list.start();
        Ok(Resolved::new(results, start))
    }

    /// Resolves into memory of the caller's, and allocates nothing for a literal.
    ///
    /// What does not fit is left out, and the list [says so](AddrInfoList::is_truncated). A `&mut dyn Storage` is a
    /// storage, too: pass a `&mut` of it.
    ///
    /// # Errors
    /// As [`resolve`](Self::resolve).
    ///
    /// ```
    /// use rdma_addrinfo::{Resolver, Results};
    ///
    /// let mut results = Results::<2>::new();
    /// let list = Resolver::new().resolve_into("localhost", "7471", None, &mut results)?;
    /// assert!(list.len() >= 1);
    /// # Ok::<(), rdma_addrinfo::Error>(())
    /// ```
    #[inline]
    pub fn resolve_into<'q, 'r>(
        &self,
        node: impl Into<Text<'q>>,
        service: impl Into<Text<'q>>,
        hints: impl Into<Option<&'q Hints<'q>>>,
        results: &'r mut impl Storage,
    ) -> Result<AddrInfoList<'r>, Error> {
        let (node, service, hints) = (node.into(), service.into(), hints.into());
        // Only the start is kept: a list that is returned here would borrow the results for the other arm, too.
        match self.try_resolve_now(node, service, hints, results).and_then(|list| list.start()) {
            Some(start) => Ok(start.list(results)),
            None => self.resolve_long(node, service, hints, results, &mut ()),
        }
    }

    /// Resolves a literal about which nothing has to be asked, and returns `None` for all else, errors too: leave them
    /// to the other ways to resolve.
    ///
    /// No system call, no allocation but what `results` makes, no waiting: for a thread that must not block. Something
    /// is asked about an address if an [interface](Self::source_interface) is wanted; and on the active side if a
    /// [source](Self::source) is looked for, or [ibacm](Self::ibacm) is asked for a [route](Self::routes); that there is
    /// no ibacm is remembered, so that only the first call in a while asks.
    ///
    /// ```
    /// use rdma_addrinfo::{Hints, Resolver, Results};
    ///
    /// let resolver = Resolver::new().source(false).routes(false);
    /// let mut results = Results::<1>::new();
    /// let list = resolver.try_resolve_now("192.0.2.7", "7471", None, &mut results).unwrap();
    /// assert_eq!(list.first().unwrap().dst_addr().unwrap().to_string(), "192.0.2.7:7471");
    /// assert!(resolver.try_resolve_now("storage-7", "7471", None, &mut results).is_none());
    ///
    /// // By default a source is looked for; a server needs none.
    /// let (default, server) = (Resolver::new(), Hints::new().passive());
    /// assert!(default.try_resolve_now("192.0.2.7", "7471", None, &mut results).is_none());
    /// assert!(default.try_resolve_now("192.0.2.7", "7471", &server, &mut results).is_some());
    /// ```
    #[inline]
    pub fn try_resolve_now<'q, 'r, S: Storage>(
        &self,
        node: impl Into<Text<'q>>,
        service: impl Into<Text<'q>>,
        hints: impl Into<Option<&'q Hints<'q>>>,
        results: &'r mut S,
    ) -> Option<AddrInfoList<'r>> {
        let (node, hints) = (node.into(), hints.into());
        let asks = self.source_interface.is_some()
            || needs_loopback(self.policy, node)
            || (!hints.is_some_and(Hints::is_passive)
                && (self.policy.discover_source || self.ibacm_to_ask().is_some()));
        if asks {
            return None;
        }
        self.request(node, service.into(), hints, NOBODY_TO_ASK).resolve_literal(results).ok()
    }

    /// Resolves as [`resolve_into`](Self::resolve_into) does, with the error of the core, which does not hold what was
    /// asked.
    ///
    /// So for C strings, which are handed to getaddrinfo(3) as they are, it allocates nothing itself, whatever comes of
    /// it, without a [deadline](Self::no_deadline) and with sockets that are not [kept](Self::keep_sockets) nor taken
    /// from an [interface](Self::source_interface); getaddrinfo(3) does.
    ///
    /// # Errors
    /// As [`resolve_into`](Self::resolve_into).
    ///
    /// ```
    /// use rdma_addrinfo::{CCode, Resolver, Results};
    ///
    /// let mut results = Results::<2>::new();
    /// let error = Resolver::new().resolve_c(c"192.0.2.256", None, None, &mut results).unwrap_err();
    /// assert_eq!(error.to_c(), CCode::Eai(-2)); // EAI_NONAME
    /// ```
    #[doc(alias = "rdma_getaddrinfo")]
    pub fn resolve_c<'q, 'r>(
        &self,
        node: impl Into<Text<'q>>,
        service: impl Into<Text<'q>>,
        hints: impl Into<Option<&'q Hints<'q>>>,
        results: &'r mut dyn Storage,
    ) -> Result<AddrInfoList<'r>, core_crate::Error> {
        let outcome = self.run(node.into(), service.into(), hints.into(), results, &mut ());
        outcome.map_err(|cause| cause.to_core())
    }

    /// Resolves and tells each step, its answer and its time to `trace`, the last step too when it fails. The question
    /// for a route is told also where nobody is there to answer it.
    ///
    /// # Errors
    /// As [`resolve`](Self::resolve).
    ///
    /// ```
    /// use rdma_addrinfo::{Resolver, TraceEvent};
    ///
    /// let mut steps = Vec::new();
    /// Resolver::new().resolve_traced("127.0.0.1", "7471", None, &mut steps)?;
    /// let [route, source] = &steps[..] else { panic!() };
    /// println!("{route}"); // route to 127.0.0.1:7471 (request: destination 127.0.0.1): unavailable (1.2µs)
    /// let TraceEvent::FindSource { answer: Some(source), .. } = source.event else { panic!() };
    /// assert_eq!(source.ip().to_string(), "127.0.0.1");
    /// # Ok::<(), rdma_addrinfo::Error>(())
    /// ```
    pub fn resolve_traced<'q>(
        &self,
        node: impl Into<Text<'q>>,
        service: impl Into<Text<'q>>,
        hints: impl Into<Option<&'q Hints<'q>>>,
        trace: &mut impl Trace,
    ) -> Result<Resolved, Error> {
        let mut results = HeapResults::new();
        let list = self.resolve_long(node.into(), service.into(), hints.into(), &mut results, trace)?;
        let start = list.start();
        Ok(Resolved::new(results, start))
    }

    /// Resolves what may have to be asked for.
    #[inline(never)]
    fn resolve_long<'r>(
        &self,
        node: Text<'_>,
        service: Text<'_>,
        hints: Option<&Hints<'_>>,
        results: &'r mut dyn Storage,
        trace: &mut impl Trace,
    ) -> Result<AddrInfoList<'r>, Error> {
        self.run(node, service, hints, results, trace).map_err(|cause| Error::new(cause, node, service))
    }

    fn run<'r>(
        &self,
        node: Text<'_>,
        service: Text<'_>,
        hints: Option<&Hints<'_>>,
        results: &'r mut dyn Storage,
        trace: &mut impl Trace,
    ) -> Result<AddrInfoList<'r>, Cause> {
        let interface = match self.source_interface {
            None => None,
            Some(name) => Some(SourceInterface::look_up(name, hints, self.sockets)?),
        };
        let ibacm = self.ibacm_to_ask();
        let environment = self.environment(node, ibacm.is_some(), trace.is_enabled());
        let request = self.request(node, service, hints, environment).needs_source(interface.is_some());
        let outcome = match core_crate::start(request, results) {
            Step::Done(outcome) => outcome,
            step => {
                let (limit, sockets) = (self.limit, self.sockets);
                let mut answers = Native { limit, ibacm, interface, sockets, deadline: None };
                drive(step, &mut answers, trace)
            }
        };
        outcome.map_err(|error| match error.reason() {
            Reason::SourceOfOtherFamily if self.source_interface.is_some() => {
                SourceInterfaceError::NoAddress.into()
            }
            _ => error.into(),
        })
    }

    /// The request with the options that are set.
    #[inline(always)]
    fn request<'q>(
        &self,
        node: Text<'q>,
        service: Text<'q>,
        hints: Option<&'q Hints<'q>>,
        environment: Environment,
    ) -> Request<'q> {
        Request::new(node, service, hints)
            .policy(self.policy)
            .environment(environment)
            .routes(self.routes)
            .canonical_names(self.canonical_names)
    }

    /// Where to ask for routes; `None` if nobody is there, as far as is known.
    fn ibacm_to_ask(&self) -> Option<&Ibacm> {
        (self.routes && !native::ibacm_is_absent(&self.ibacm)).then_some(&self.ibacm)
    }

    /// The facts that the rules ask for; those that cannot affect this request are not probed. A trace shows the
    /// question for a route also where nobody is there.
    fn environment(&self, node: Text<'_>, may_have_routes: bool, traced: bool) -> Environment {
        let mut environment = NOBODY_TO_ASK;
        environment.route_service = may_have_routes || traced;
        if needs_loopback(self.policy, node) {
            environment.ipv6_loopback = native::ipv6_loopback(self.sockets);
        }
        environment.af_ib = match self.ib_entries {
            IbEntries::Always => true,
            IbEntries::Never => false,
            IbEntries::Auto => may_have_routes && native::kernel_takes_af_ib(),
        };
        environment
    }
}

/// A machine without RDMA, on which nobody knows routes.
const NOBODY_TO_ASK: Environment = {
    let mut environment = Environment::new();
    environment.route_service = false;
    environment
};

/// Whether the answer depends on the families that loopback has.
fn needs_loopback(policy: Policy, node: Text<'_>) -> bool {
    policy.rules == Rules::Librdmacm && matches!(node.bytes(), None | Some(b"*"))
}
