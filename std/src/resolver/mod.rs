//! [`Resolver`]: the ways to resolve; `options` says how, `driver` answers the steps.

mod devices;
mod driver;
mod interface;
mod options;
mod resolved;
mod trace;

#[cfg(test)]
mod tests;

pub use options::{IbEntries, Resolver};
pub use resolved::Resolved;
pub use trace::TracedStep;

use crate::backend::Backend;
use crate::error::Error;
use crate::librdmacm::Library;
use crate::native::{self, Ibacm};
use driver::{Native, Trace, drive};
use interface::SourceInterface;
use rdma_addrinfo_core::{
    self as core_crate, AddrInfoList, Environment, ErrorKind, HeapResults, Hints, Reason, Request, Step,
    Storage, Text,
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
        self.resolve_on_heap(node.into(), service.into(), hints.into(), None)
    }

    /// Resolves into memory of the caller's, and allocates nothing for a literal.
    ///
    /// What does not fit is left out, and the list [says so](AddrInfoList::is_truncated). Results of librdmacm lie in
    /// its own memory, and [devices](Self::device) on the heap, so [`Backend::Librdmacm`] and `device(true)` are [`NotSupported`](ErrorKind::NotSupported) here.
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
        results: impl Into<Storage<'r>>,
    ) -> Result<AddrInfoList<'r>, Error> {
        let (node, service, hints, mut results) = (node.into(), service.into(), hints.into(), results.into());
        // A list that is returned here would borrow the results for the other arm, too.
        if self.resolve_at_once(node, service, hints, results.reborrow()).is_some() {
            return Ok(results.into_list());
        }
        self.resolve_long(node, service, hints, results)
    }

    /// Resolves what may have to be asked for.
    #[inline(never)]
    fn resolve_long<'r>(
        &self,
        node: Text<'_>,
        service: Text<'_>,
        hints: Option<&Hints<'_>>,
        results: Storage<'r>,
    ) -> Result<AddrInfoList<'r>, Error> {
        self.resolve_c(node, service, hints, results).map_err(|core| self.error(core, node, service))
    }

    /// Resolves a literal about which nothing has to be asked, and says nothing of all else, errors too: leave them to
    /// the other ways to resolve.
    ///
    /// No system call, no allocation but what `results` makes, no waiting: for a thread that must not block. Something
    /// is asked about an address if an [interface](Self::source_interface) or a [device](Self::device) is wanted; and on
    /// the active side if a [source](Self::source) is looked for, or [ibacm](Self::ibacm) is asked for a
    /// [route](Self::routes); that there is no ibacm is remembered, so that only the first call in a while asks.
    ///
    /// ```
    /// use rdma_addrinfo::{Hints, Resolver, Results};
    ///
    /// let resolver = Resolver::new().source(false).routes(false);
    /// let mut results = Results::<1>::new();
    /// let list = resolver.resolve_at_once("192.0.2.7", "7471", None, &mut results).unwrap();
    /// assert_eq!(list.first().unwrap().dst_addr().unwrap().to_string(), "192.0.2.7:7471");
    /// assert!(resolver.resolve_at_once("storage-7", "7471", None, &mut results).is_none());
    ///
    /// // By default a source is looked for; a server needs none.
    /// let (default, server) = (Resolver::new(), Hints::new().passive());
    /// assert!(default.resolve_at_once("192.0.2.7", "7471", None, &mut results).is_none());
    /// assert!(default.resolve_at_once("192.0.2.7", "7471", &server, &mut results).is_some());
    /// ```
    #[inline]
    pub fn resolve_at_once<'q, 'r>(
        &self,
        node: impl Into<Text<'q>>,
        service: impl Into<Text<'q>>,
        hints: impl Into<Option<&'q Hints<'q>>>,
        results: impl Into<Storage<'r>>,
    ) -> Option<AddrInfoList<'r>> {
        let hints = hints.into();
        let request = self.request(node.into(), service.into(), hints, NOBODY_TO_ASK);
        let asks = self.backend == Backend::Librdmacm
            || self.device
            || self.source_interface.is_some()
            || request.needs_ipv6_loopback()
            || (!hints.is_some_and(Hints::is_passive)
                && (self.effective.discover_source || self.ibacm_to_ask().is_some()));
        if asks {
            return None;
        }
        request.resolve_literal(results).ok()
    }

    /// Resolves as [`resolve_into`](Self::resolve_into) does, with the error of the core, which does not hold what was
    /// asked.
    ///
    /// So for C strings, which are handed to getaddrinfo(3) as they are, it allocates nothing itself, whatever comes of
    /// it, without a [deadline](Self::no_deadline) and without an [interface](Self::source_interface) to send from;
    /// getaddrinfo(3) does.
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
        results: impl Into<Storage<'r>>,
    ) -> Result<AddrInfoList<'r>, core_crate::Error> {
        self.callers_memory()?;
        self.run(node.into(), service.into(), hints.into(), results.into(), None)
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
        if self.backend == Backend::Librdmacm {
            return self.ask_library(node, service, hints, trace);
        }
        let mut results = HeapResults::default();
        if trace.is_none() && self.resolve_at_once(node, service, hints, &mut results).is_some() {
            return Ok(Resolved::own(results));
        }
        let mut trace = trace;
        let lent = trace.as_mut().map(|trace| &mut **trace as &mut dyn FnMut(TracedStep));
        match self.run(node, service, hints, Storage::from(&mut results), lent) {
            Ok(_) => {
                let found = Resolved::own(results);
                if !self.device {
                    return Ok(found);
                }
                let no_source = self.source_interface.is_none()
                    && hints.is_none_or(|hints| hints.get_src_addr().is_none());
                Ok(devices::tell(found, no_source, Trace(trace)))
            }
            Err(error) if self.backend == Backend::Auto && needs_library(&error) => {
                self.ask_library(node, service, hints, trace)
            }
            Err(error) => Err(self.error(error, node, service)),
        }
    }

    /// Has librdmacm resolve, if it can keep the options that were set.
    fn ask_library(
        &self,
        node: Text<'_>,
        service: Text<'_>,
        hints: Option<&Hints<'_>>,
        trace: Option<&mut dyn FnMut(TracedStep)>,
    ) -> Result<Resolved, Error> {
        let error = |core| Error::new(core, Backend::Librdmacm, node, service);
        if let Some(reason) = self.library_lacks() {
            return Err(error(core_crate::Error::new(ErrorKind::NotSupported).because(reason)));
        }
        let ask = || {
            let library = match self.library {
                Some(library) => library,
                None => Library::load().map_err(|it| error(it.as_core()).with_detail(it.detail()))?,
            };
            library.getaddrinfo(node, service, hints)
        };
        let question = || "rdma_getaddrinfo of librdmacm".into();
        let list = Trace(trace).step(question, ask, |answer| match answer {
            Ok(list) => list.iter().map(|info| info.to_string()).collect::<Vec<_>>().join(", "),
            Err(error) => error.as_core().to_string(),
        })?;
        Ok(Resolved::library(list))
    }

    fn run<'r>(
        &self,
        node: Text<'_>,
        service: Text<'_>,
        hints: Option<&Hints<'_>>,
        results: Storage<'r>,
        trace: Option<&mut dyn FnMut(TracedStep)>,
    ) -> Result<AddrInfoList<'r>, core_crate::Error> {
        let interface = match &self.source_interface {
            None => None,
            Some(name) => Some(SourceInterface::look_up(name, hints)?),
        };
        let ibacm = self.ibacm_to_ask();
        let mut environment = self.environment(ibacm.is_some(), trace.is_some());
        let request = self.request(node, service, hints, environment);
        environment.af_ib = match self.ib_entries {
            IbEntries::Always => true,
            IbEntries::Never => false,
            IbEntries::Auto => ibacm.is_some() && request.needs_af_ib() && native::kernel_takes_af_ib(),
        };
        if request.needs_ipv6_loopback() {
            environment.ipv6_loopback = native::ipv6_loopback_is_first()?;
        }
        let request = request.environment(environment).needs_source(interface.is_some());
        let outcome = match core_crate::start(request, results) {
            Step::Done(outcome) => outcome,
            step => {
                let limit = self.limit.duration();
                let ib_entries = self.ib_entries;
                let mut answers = Native { limit, ibacm, ib_entries, interface, deadline: None };
                drive(step, &mut answers, trace)
            }
        };
        outcome.map_err(|error| match error.reason() {
            Reason::SourceOfOtherFamily if self.source_interface.is_some() => {
                error.because(Reason::InterfaceFamily)
            }
            _ => error,
        })
    }

    /// An error, with what was asked and of whom.
    fn error(&self, core: core_crate::Error, node: Text<'_>, service: Text<'_>) -> Error {
        let backend = match self.backend {
            Backend::Librdmacm => Backend::Librdmacm,
            Backend::Auto | Backend::Native => Backend::Native,
        };
        let error = Error::new(core, backend, node, service);
        match &self.source_interface {
            // Its name would be missing in the message.
            Some(name) if core.reason() == Reason::NoSuchInterface => error.with_detail(name.as_str()),
            _ => error,
        }
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
            .policy(self.effective)
            .environment(environment)
            .routes(self.routes)
            .canonical_names(self.canonical_names)
    }

    /// Where to ask for routes; `None` if nobody is there, as far as is known.
    fn ibacm_to_ask(&self) -> Option<&Ibacm> {
        (self.routes && !native::ibacm_is_absent(&self.ibacm)).then_some(&self.ibacm)
    }

    /// The facts that the rules ask for. Who cannot need one does not pay for it. A trace shows the question for a route
    /// also where nobody is there.
    fn environment(&self, may_have_routes: bool, traced: bool) -> Environment {
        let mut environment = NOBODY_TO_ASK;
        environment.route_service = may_have_routes || traced;
        environment
    }
}

/// A machine without RDMA, on which nobody knows routes.
const NOBODY_TO_ASK: Environment = {
    let mut environment = Environment::new();
    environment.route_service = false;
    environment
};

/// Whether the native backend leaves the request to librdmacm: RAI_SA, with nothing wrong about it.
fn needs_library(error: &core_crate::Error) -> bool {
    matches!(error.reason(), Reason::NoInfinibandPort | Reason::SaNeedsLibrary)
}
