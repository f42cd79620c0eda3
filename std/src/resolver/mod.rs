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
//!                          Answers: Native ── zones, routes, sources (crate::native)
//!                                        ├─── NameService (names): Hosts, System (crate::native), or the user's
//!                                        └─── SourceInterface (interface)
//! ```
//!
//! The rules are the core's. What is here: the options (`options`), who answers the questions and by when (`driver`),
//! and results on the heap (`resolved`).
//!
//! | way in | for |
//! |---|---|
//! | `resolve`, `resolve_addr` | most: results on the heap |
//! | `resolve_into` | results in memory of the caller's |
//! | `resolve_traced` | who wants to see each step |
//! | `try_resolve_now` | a thread that must not block |
//! | `resolve_request` | who brings a request of their own, or may not allocate: the library for C |

mod awaiting;
mod driver;
mod interface;
mod many;
mod names;
mod options;
mod resolved;
mod service;
#[cfg(feature = "tracing")]
mod to_tracing;
mod trace;

#[cfg(test)]
mod tests;

pub use awaiting::AsyncResolver;
pub use many::{AsyncResolveMany, Resolution, ResolveMany, Target};
pub use names::{Hosts, NameAnswer, NameQuery, NameService, System};
pub use options::{IbEntries, Resolver};
pub use resolved::Resolved;
pub use service::{PortOutcome, ServicePort};
#[cfg(feature = "tracing")]
pub use to_tracing::ToTracing;
pub use trace::{Trace, TraceEvent, TracedStep};

use crate::error::{Cause, Error};
use crate::native::{self, Ibacm};
use crate::wait::wait;
use driver::{Blocking, run};
use rdma_addrinfo_core::{
    self as core_crate, AddrInfoList, Environment, HeapResults, Hints, Request, ServiceText, Storage, Text,
};
use std::net::SocketAddr;

impl<N: NameService> Resolver<N> {
    /// Resolves, and keeps all results on the heap.
    ///
    /// A node is a `&str`, `&String`, `&CStr`, an `Option<&str>`, or `None`; a service is that or a port, a `u16`; hints
    /// are `&Hints` or `None`.
    ///
    /// # Errors
    /// As [`start`](core_crate::start), what the name service answers, `TimedOut` and `Again` as said at
    /// [`with_deadline`](Self::with_deadline).
    ///
    /// ```
    /// use rdma_addrinfo::Resolver;
    ///
    /// let (resolver, node) = (Resolver::new(), String::from("127.0.0.1"));
    /// let found = resolver.resolve(&node, 7471, None)?;
    /// assert_eq!(found.first().unwrap().to_string(), "inet rc/tcp 127.0.0.1 -> 127.0.0.1:7471");
    /// # Ok::<(), rdma_addrinfo::Error>(())
    /// ```
    #[doc(alias = "rdma_getaddrinfo")]
    pub fn resolve<'q>(
        &self,
        node: impl Into<Text<'q>>,
        service: impl Into<ServiceText<'q>>,
        hints: impl Into<Option<&'q Hints<'q>>>,
    ) -> Result<Resolved, Error> {
        let mut results = HeapResults::new();
        self.resolve_into(node, service, hints, &mut results)?;
        Ok(Resolved::new(results))
    }

    /// Resolves a socket address: finds its source and its route. It takes the place of a destination in the hints, for
    /// the passive side of a source.
    ///
    /// # Errors
    /// As [`resolve`](Self::resolve).
    ///
    /// ```
    /// use rdma_addrinfo::Resolver;
    /// use std::net::SocketAddr;
    ///
    /// let peer: SocketAddr = "127.0.0.1:7471".parse().unwrap();
    /// let found = Resolver::new().resolve_addr(peer, None)?;
    /// assert_eq!(found.first().unwrap().to_string(), "inet rc/tcp 127.0.0.1 -> 127.0.0.1:7471");
    /// # Ok::<(), rdma_addrinfo::Error>(())
    /// ```
    pub fn resolve_addr<'q>(
        &self,
        address: SocketAddr,
        hints: impl Into<Option<&'q Hints<'q>>>,
    ) -> Result<Resolved, Error> {
        self.resolve(Text::NONE, ServiceText::NONE, &Self::hints_with(address, hints.into()))
    }

    /// The hints with an address: where to connect to, on the passive side where to listen.
    fn hints_with<'q>(address: SocketAddr, hints: Option<&Hints<'q>>) -> Hints<'q> {
        let hints = hints.copied().unwrap_or_default();
        if hints.is_passive() {
            hints.with_src_addr(address.into())
        } else {
            hints.with_dst_addr(address.into())
        }
    }

    /// Resolves into memory of the caller's, and allocates nothing for a literal.
    ///
    /// What does not fit is left out, and the list [says so](AddrInfoList::is_truncated).
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
        service: impl Into<ServiceText<'q>>,
        hints: impl Into<Option<&'q Hints<'q>>>,
        results: impl Into<Storage<'r>>,
    ) -> Result<AddrInfoList<'r>, Error> {
        let (request, mut results) = (self.request(node, service, hints), results.into());
        // A list that is returned here would borrow the results for the other arm, too.
        if self.try_resolve_now(request, results.reborrow()).is_some() {
            return Ok(results.into_list());
        }
        self.resolve_long(request, results, &mut ())
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
    /// println!("{route}"); // route to 127.0.0.1:7471 (request: destination 127.0.0.1): no ibacm (1.2µs)
    /// let TraceEvent::FindSource { answer: Ok(Some(source)), .. } = source.event else { panic!() };
    /// assert_eq!(source.ip().to_string(), "127.0.0.1");
    /// # Ok::<(), rdma_addrinfo::Error>(())
    /// ```
    pub fn resolve_traced<'q>(
        &self,
        node: impl Into<Text<'q>>,
        service: impl Into<ServiceText<'q>>,
        hints: impl Into<Option<&'q Hints<'q>>>,
        trace: &mut impl Trace,
    ) -> Result<Resolved, Error> {
        let mut results = HeapResults::new();
        self.resolve_long(self.request(node, service, hints), Storage::from(&mut results), trace)?;
        Ok(Resolved::new(results))
    }

    /// The request with the policy, the routes and the canonical names of this resolver, for
    /// [`try_resolve_now`](Self::try_resolve_now) and [`resolve_request`](Self::resolve_request).
    #[inline(always)]
    pub fn request<'q>(
        &self,
        node: impl Into<Text<'q>>,
        service: impl Into<ServiceText<'q>>,
        hints: impl Into<Option<&'q Hints<'q>>>,
    ) -> Request<'q> {
        Request::new(node, service, hints)
            .with_policy(self.policy)
            .with_environment(NOBODY_TO_ASK)
            .with_routes(self.routes)
            .with_canonical_names(self.canonical_names)
    }

    /// Resolves a literal about which nothing has to be asked, and returns `None` for all else, errors too: leave them
    /// to [`resolve_request`](Self::resolve_request).
    ///
    /// No system call, no allocation but what `results` makes, no waiting: for a thread that must not block. Something
    /// is asked about an address if an [interface](Self::with_source_interface) is wanted; and on the active side if a
    /// [source](Self::with_source) is looked for, or [ibacm](Self::with_ibacm) is asked for a
    /// [route](Self::with_routes); that there is no ibacm is remembered, so that only the first call in a while asks.
    ///
    /// ```
    /// use rdma_addrinfo::{Hints, Resolver, Results};
    ///
    /// let resolver = Resolver::new().with_source(false).with_routes(false);
    /// let mut results = Results::<1>::new();
    /// let literal = resolver.request("192.0.2.7", 7471, None);
    /// let list = resolver.try_resolve_now(literal, &mut results).unwrap();
    /// assert_eq!(list.first().unwrap().dst_addr().unwrap().to_string(), "192.0.2.7:7471");
    /// let name = resolver.request("storage-7", 7471, None);
    /// assert!(resolver.try_resolve_now(name, &mut results).is_none());
    ///
    /// // By default a source is looked for; a server needs none.
    /// let (default, server) = (Resolver::new(), Hints::new().passive());
    /// let now = |hints: Option<&Hints>, results: &mut Results<1>| {
    ///     default.try_resolve_now(default.request("192.0.2.7", 7471, hints), results).is_some()
    /// };
    /// assert!(!now(None, &mut results) && now(Some(&server), &mut results));
    /// ```
    #[inline]
    pub fn try_resolve_now<'r>(
        &self,
        request: Request<'_>,
        results: impl Into<Storage<'r>>,
    ) -> Option<AddrInfoList<'r>> {
        let policy = request.policy();
        let asks = self.source_interface.is_some()
            || request.needs_ipv6_loopback()
            || (!request.given_hints().is_some_and(Hints::is_passive)
                && (policy.discover_source || (request.routes() && self.ibacm_to_ask().is_some())));
        if asks {
            return None;
        }
        request.with_environment(NOBODY_TO_ASK).resolve_literal(results).ok()
    }

    /// Resolves a request by its own policy, with the error of the core, which does not hold what was asked. The
    /// [environment](Environment) is that of this machine, whatever the request says.
    ///
    /// So for C strings, which are handed to getaddrinfo(3) as they are, it allocates nothing itself, whatever comes of
    /// it, [without a deadline](Self::without_deadline), without an [interface](Self::with_source_interface) to send
    /// from, and with names by [`System`] alone; getaddrinfo(3) does.
    ///
    /// # Errors
    /// As [`resolve`](Self::resolve).
    ///
    /// ```
    /// use rdma_addrinfo::{CCode, Policy, Request, Resolver, Results};
    ///
    /// let resolver = Resolver::new().with_source(false);
    /// let mut results = Results::<2>::new();
    /// let request = resolver.request(c"192.0.2.256", None, None);
    /// let error = resolver.resolve_request(request, &mut results).unwrap_err();
    /// assert_eq!(error.to_c(), CCode::Eai(-2)); // EAI_NONAME
    /// // What the resolver's options are, but the deadline, ibacm and interface, is for the request to say.
    /// let request = Request::new("127.1", 7471, None).with_policy(Policy::LIBRDMACM);
    /// let list = resolver.resolve_request(request, &mut results)?;
    /// assert_eq!(list.first().unwrap().to_string(), "inet rc/tcp * -> 127.0.0.1:7471");
    /// # Ok::<(), rdma_addrinfo::CoreError>(())
    /// ```
    #[doc(alias = "rdma_getaddrinfo")]
    pub fn resolve_request<'r>(
        &self,
        request: Request<'_>,
        results: impl Into<Storage<'r>>,
    ) -> Result<AddrInfoList<'r>, core_crate::Error> {
        self.run(request, results.into(), &mut ()).map_err(|cause| cause.to_core())
    }

    /// Resolves what may have to be asked for.
    #[inline(never)]
    fn resolve_long<'r>(
        &self,
        request: Request<'_>,
        results: Storage<'r>,
        trace: &mut impl Trace,
    ) -> Result<AddrInfoList<'r>, Error> {
        let outcome = self.run(request, results, trace);
        outcome.map_err(|cause| Error::new(cause, request.node(), request.service()))
    }

    // Apart from its caller, who needs none of its room on the stack for a literal.
    #[inline(never)]
    fn run<'r>(
        &self,
        request: Request<'_>,
        results: Storage<'r>,
        trace: &mut impl Trace,
    ) -> Result<AddrInfoList<'r>, Cause> {
        wait(run(self, request, results, Blocking, trace))
    }
}

impl<N> Resolver<N> {
    /// Where to ask for routes; `None` if nobody is there, as far as is known.
    fn ibacm_to_ask(&self) -> Option<&Ibacm> {
        (!native::ibacm_is_absent(&self.ibacm)).then_some(&self.ibacm)
    }
}

/// A machine without RDMA, on which nobody knows routes.
const NOBODY_TO_ASK: Environment = {
    let mut environment = Environment::new();
    environment.route_service = false;
    environment.interfaces = true;
    environment
};
