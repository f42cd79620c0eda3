//! [`Resolver`]: the options of a resolution, and the blocking driver of its steps.

mod driver;
mod heap;
mod resolved;
mod trace;

#[cfg(test)]
mod tests;

pub use resolved::Resolved;
pub use trace::TracedStep;

use crate::backend::Backend;
use crate::error::Error;
use crate::native;
use driver::{Native, drive};
use heap::HeapResults;
use rdma_addrinfo_core::{
    self as core_crate, AddrInfoList, Addresses, Environment, Hints, Policy, Request, Rules, Storage, Text,
};
use std::time::Duration;

/// How long a call may take. What was set is told from what was not, so that a backend that cannot keep it can say so.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Limit {
    Default,
    None,
    After(Duration),
}

impl Limit {
    const fn duration(self) -> Option<Duration> {
        match self {
            Self::Default => Some(Duration::from_secs(5)),
            Self::None => None,
            Self::After(duration) => Some(duration),
        }
    }
}

/// Resolves a node and a service for RDMA.
///
/// Made once with its options and shared: it is `Send`, `Sync` and cheap to copy, callers do not wait on each
/// other, and what is kept between calls (sockets, look-up threads) belongs to the process, not to it.
///
/// ```
/// use rdma_addrinfo::{ErrorKind, Hints, Policy, Resolver};
/// use std::time::Duration;
///
/// let resolver = Resolver::new().deadline(Duration::from_secs(2));
/// let found = resolver.resolve("::1", "7471", &Hints::new().numeric_host())?;
/// assert_eq!(found.first().unwrap().dst_addr().unwrap().to_string(), "[::1]:7471");
///
/// // By the manual page a short form of IPv4 is no address; the C library takes it.
/// let error = resolver.resolve("127.1", None, None).unwrap_err();
/// assert_eq!(error.kind(), ErrorKind::NoName);
/// assert!(resolver.policy(Policy::LIBRDMACM).resolve("127.1", None, None).is_ok());
/// # Ok::<(), rdma_addrinfo::Error>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[must_use]
pub struct Resolver {
    backend: Backend,
    policy: Policy,
    limit: Limit,
    routes: bool,
    canonical_names: bool,
}

impl Resolver {
    /// A resolver with [`Policy::MAN_PAGE`], a deadline of 5 seconds, all addresses, sources and routes.
    pub const fn new() -> Self {
        Self {
            backend: Backend::Auto,
            policy: Policy::MAN_PAGE,
            limit: Limit::Default,
            routes: true,
            canonical_names: false,
        }
    }

    /// Sets who resolves.
    pub const fn backend(self, backend: Backend) -> Self {
        Self { backend, ..self }
    }

    /// Sets the policy: its rules, how many addresses, whether sources are discovered.
    pub const fn policy(self, policy: Policy) -> Self {
        Self { policy, ..self }
    }

    /// Sets how long a call may take as a whole. What was found when it passes is answered; if nothing was, the
    /// error is [`ErrorKind::TimedOut`](core_crate::ErrorKind::TimedOut). An answer that came in time is never thrown
    /// away, even if the caller's thread wakes up late.
    ///
    /// Names are then looked up on another thread, since getaddrinfo(3) cannot be interrupted. One that comes
    /// back late is left behind; when 64 are running or left behind, further ones are refused with
    /// [`ErrorKind::Again`](core_crate::ErrorKind::Again).
    pub const fn deadline(self, deadline: Duration) -> Self {
        Self { limit: Limit::After(deadline), ..self }
    }

    /// Lets a call take as long as the name service takes. Names are looked up on the caller's thread.
    pub const fn no_deadline(self) -> Self {
        Self { limit: Limit::None, ..self }
    }

    /// Sets whether the source is looked for when the hints do not tell it: the address that the kernel would
    /// send from. A switch of the policy.
    pub const fn source(self, discover_source: bool) -> Self {
        Self { policy: Policy { discover_source, ..self.policy }, ..self }
    }

    /// Sets how many addresses of a name are answered. A switch of the policy.
    pub const fn addresses(self, addresses: Addresses) -> Self {
        Self { policy: Policy { addresses, ..self.policy }, ..self }
    }

    /// Sets whether routes are asked for.
    pub const fn routes(self, routes: bool) -> Self {
        Self { routes, ..self }
    }

    /// Sets whether canonical names are asked for.
    pub const fn canonical_names(self, canonical_names: bool) -> Self {
        Self { canonical_names, ..self }
    }

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
        self.resolve_on_heap(node.into(), service.into(), hints.into(), None)
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
    pub fn resolve_into<'q, 'r>(
        &self,
        node: impl Into<Text<'q>>,
        service: impl Into<Text<'q>>,
        hints: impl Into<Option<&'q Hints<'q>>>,
        results: &'r mut dyn Storage,
    ) -> Result<AddrInfoList<'r>, Error> {
        self.run(node.into(), service.into(), hints.into(), results, None)
    }

    /// Resolves and tells each step, its answer and its time to `trace`, the last step too when it fails.
    ///
    /// # Errors
    /// As [`resolve`](Self::resolve).
    ///
    /// ```
    /// use rdma_addrinfo::Resolver;
    ///
    /// let mut steps = Vec::new();
    /// Resolver::new().resolve_traced("127.0.0.1", "7471", None, &mut |step| steps.push(step))?;
    /// let source = steps.iter().find(|step| step.question.starts_with("source")).unwrap();
    /// assert_eq!(source.answer, "127.0.0.1");
    /// # Ok::<(), rdma_addrinfo::Error>(())
    /// ```
    pub fn resolve_traced<'q>(
        &self,
        node: impl Into<Text<'q>>,
        service: impl Into<Text<'q>>,
        hints: impl Into<Option<&'q Hints<'q>>>,
        trace: &mut dyn FnMut(TracedStep),
    ) -> Result<Resolved, Error> {
        self.resolve_on_heap(node.into(), service.into(), hints.into(), Some(trace))
    }

    fn resolve_on_heap(
        &self,
        node: Text<'_>,
        service: Text<'_>,
        hints: Option<&Hints<'_>>,
        trace: Option<&mut dyn FnMut(TracedStep)>,
    ) -> Result<Resolved, Error> {
        let mut results = HeapResults::default();
        let start = self.run(node, service, hints, &mut results, trace)?.start();
        Ok(Resolved::new(results, start, Backend::Native))
    }

    fn run<'r>(
        &self,
        node: Text<'_>,
        service: Text<'_>,
        hints: Option<&Hints<'_>>,
        results: &'r mut dyn Storage,
        trace: Option<&mut dyn FnMut(TracedStep)>,
    ) -> Result<AddrInfoList<'r>, Error> {
        let request = Request::new(node, service, hints)
            .policy(self.policy)
            .environment(self.environment())
            .routes(self.routes)
            .canonical_names(self.canonical_names);
        let step = core_crate::start(request, results);
        drive(step, &mut Native::new(self.limit.duration()), trace)
            .map_err(|error| Error::new(error, Backend::Native, node, service))
    }

    fn environment(&self) -> Environment {
        let mut environment = Environment::new();
        // Only these rules depend on the machine; others should not pay for the question.
        if self.policy.rules == Rules::Librdmacm {
            environment.ipv6_loopback = native::ipv6_loopback();
        }
        environment
    }
}

impl Default for Resolver {
    fn default() -> Self {
        Self::new()
    }
}
