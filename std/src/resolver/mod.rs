//! [`Resolver`]: the options of a resolution, and the blocking driver of its steps.

mod devices;
mod driver;
mod heap;
mod interface;
mod resolved;
mod trace;

#[cfg(test)]
mod tests;

pub use heap::HeapResults;
pub use resolved::Resolved;
pub use trace::TracedStep;

use crate::backend::Backend;
use crate::error::Error;
use crate::librdmacm::Library;
use crate::native::{self, Ibacm, InterfaceName, Sockets};
use driver::{Native, Trace, drive};
use interface::SourceInterface;
use rdma_addrinfo_core::{
    self as core_crate, AddrInfoList, Addresses, Environment, ErrorKind, Hints, Policy, Reason, Request,
    Rules, Step, Storage, Text,
};
use std::ffi::CStr;
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
            Self::Default => Some(Resolver::DEFAULT_DEADLINE),
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
#[derive(Clone, Copy, Debug)]
#[must_use]
pub struct Resolver {
    backend: Backend,
    library: Option<Library>,
    // None: not set. A backend must know what it was asked to keep.
    policy: Option<Policy>,
    discover_source: Option<bool>,
    addresses: Option<Addresses>,
    limit: Limit,
    routes: bool,
    // None: not set.
    ibacm: Option<Ibacm>,
    ib_entries: Option<IbEntries>,
    canonical_names: bool,
    sockets: Sockets,
    source_interface: Option<InterfaceName>,
    device: bool,
}

/// Whether entries with a route are followed by AF_IB entries made of it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum IbEntries {
    /// If the kernel takes AF_IB addresses: its device for connections, `/dev/infiniband/rdma_cm`, opens and takes a
    /// bind to one. It is asked once a process, and only while there is an ibacm.
    #[default]
    Auto,
    /// Always, for instance to hand them to another machine.
    Always,
    /// Never.
    Never,
}

impl Resolver {
    /// How long a call may take unless told otherwise.
    pub const DEFAULT_DEADLINE: Duration = Duration::from_secs(5);

    /// A resolver with [`Policy::MAN_PAGE`], a deadline of 5 seconds, all addresses, sources and routes.
    pub const fn new() -> Self {
        Self {
            backend: Backend::Auto,
            library: None,
            policy: None,
            discover_source: None,
            addresses: None,
            limit: Limit::Default,
            routes: true,
            ibacm: None,
            ib_entries: None,
            canonical_names: false,
            sockets: Sockets::Kept,
            source_interface: None,
            device: false,
        }
    }

    /// Sets who resolves; see [`Backend`] for what each guarantees. An option that it cannot keep is an error when
    /// it resolves.
    pub const fn backend(self, backend: Backend) -> Self {
        Self { backend, ..self }
    }

    /// Sets the librdmacm that [`Backend::Librdmacm`] asks, in place of the one that [`Library::load`] finds.
    pub const fn library(self, library: Library) -> Self {
        Self { library: Some(library), ..self }
    }

    /// Sets the policy: its rules, how many addresses, whether sources are discovered.
    pub const fn policy(self, policy: Policy) -> Self {
        Self { policy: Some(policy), ..self }
    }

    /// Sets how long a call may take as a whole. What was found when it passes is answered; if nothing was, the
    /// error is [`ErrorKind::TimedOut`](core_crate::ErrorKind::TimedOut). An answer that came in time is never thrown
    /// away, even if the caller's thread wakes up late.
    ///
    /// Names are then looked up on another thread, since getaddrinfo(3) cannot be interrupted. One that comes
    /// back late is left behind; when 64 are running or left behind, further ones are refused with
    /// [`ErrorKind::Again`](core_crate::ErrorKind::Again). That thread sees the files and networks of the namespaces
    /// (namespaces(7)) in which the first look-up of the process was made: a thread that has entered others should take
    /// [`no_deadline`](Self::no_deadline).
    pub const fn deadline(self, deadline: Duration) -> Self {
        Self { limit: Limit::After(deadline), ..self }
    }

    /// Lets a call take as long as the name service takes. Names are looked up on the caller's thread.
    pub const fn no_deadline(self) -> Self {
        Self { limit: Limit::None, ..self }
    }

    /// Sets whether the source is looked for when the hints do not tell it: the address that the kernel would
    /// send from. It takes the place of the policy's switch.
    pub const fn source(self, discover_source: bool) -> Self {
        Self { discover_source: Some(discover_source), ..self }
    }

    /// Sets how many addresses of a name are answered. It takes the place of the policy's switch.
    pub const fn addresses(self, addresses: Addresses) -> Self {
        Self { addresses: Some(addresses), ..self }
    }

    /// Sets whether routes are asked for.
    pub const fn routes(self, routes: bool) -> Self {
        Self { routes, ..self }
    }

    /// Sets where ibacm is, the daemon that knows routes; [`Ibacm::AUTO`] unless set.
    ///
    /// It is asked by the [deadline](Self::deadline) of the call, which is that of all its steps; a call without one
    /// waits for it as long as [`Ibacm::time_limit`] says. A failure is no error: the entry has no route, and its
    /// [status](rdma_addrinfo_core::RouteStatus) says why.
    pub const fn ibacm(self, ibacm: Ibacm) -> Self {
        Self { ibacm: Some(ibacm), ..self }
    }

    /// Sets whether entries with a route are followed by AF_IB entries; [`IbEntries::Auto`] unless set.
    pub const fn ib_entries(self, ib_entries: IbEntries) -> Self {
        Self { ib_entries: Some(ib_entries), ..self }
    }

    /// Sets whether canonical names are asked for.
    pub const fn canonical_names(self, canonical_names: bool) -> Self {
        Self { canonical_names, ..self }
    }

    /// Sets whether the sockets on which the kernel is asked for zones and sources are kept, two for each thread at
    /// most; they are unless this says no.
    ///
    /// Without, each such question opens a socket and closes it, as getaddrinfo(3) does. That takes some microseconds,
    /// and leaves no descriptor behind, needs no memory, and asks in the network namespace in which the thread then is.
    pub const fn keep_sockets(self, keep: bool) -> Self {
        Self { sockets: if keep { Sockets::Kept } else { Sockets::New }, ..self }
    }

    /// Sets the interface to send from: the source of each entry is the address that it has in the destination's
    /// family, on the destination's subnet if there is one; `None` lets the hints or the kernel say. Destinations for
    /// which it has none are left out.
    ///
    /// It is for the active side, and takes the place of a source in the hints: with either of them the other way
    /// round it is an error.
    ///
    /// ```
    /// use rdma_addrinfo::{InterfaceName, Resolver};
    ///
    /// let loopback: InterfaceName = "lo".parse()?;
    /// let found = Resolver::new().source_interface(Some(loopback)).resolve("127.0.0.1", "7471", None)?;
    /// assert_eq!(found.first().unwrap().src_addr().unwrap().to_string(), "127.0.0.1");
    /// # Ok::<(), rdma_addrinfo::Error>(())
    /// ```
    #[doc(alias = "SO_BINDTODEVICE")]
    pub const fn source_interface(self, source_interface: Option<InterfaceName>) -> Self {
        Self { source_interface, ..self }
    }

    /// Sets whether the RDMA device, port and GID of each entry's local address are told, by
    /// [`Resolved::local_ports`], and what is not clear about them, by [`Resolved::warnings`]. They are not unless this
    /// says so.
    ///
    /// Each call then reads the devices from sysfs, by [`Devices::read`](crate::devices::Devices::read): a millisecond
    /// or two for a port with 256 GIDs. Without it no system call is made for them. Who resolves often reads them once
    /// and asks
    /// [`Devices::local_port`](crate::devices::Devices::local_port).
    ///
    /// ```
    /// use rdma_addrinfo::{Resolver, devices::LocalPort};
    ///
    /// let found = Resolver::new().device(true).resolve("127.0.0.1", "7471", None)?;
    /// for (info, port) in found.iter().zip(found.local_ports()) {
    ///     match port {
    ///         LocalPort::Gid(gid) => println!("{info}: {} {} {}", gid.device, gid.port, gid.gid_index),
    ///         // Loopback is on no RDMA port.
    ///         other => println!("{info}: {other}"),
    ///     }
    /// }
    /// # Ok::<(), rdma_addrinfo::Error>(())
    /// ```
    pub const fn device(self, device: bool) -> Self {
        Self { device, ..self }
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
    /// What does not fit is left out, and the list [says so](AddrInfoList::is_truncated). Results of librdmacm lie in
    /// its own memory, and [devices](Self::device) on the heap, so [`Backend::Librdmacm`] and `device(true)` are
    /// [`NotSupported`](ErrorKind::NotSupported) here.
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
        let (node, service) = (node.into(), service.into());
        let backend = if self.backend == Backend::Librdmacm { self.backend } else { Backend::Native };
        self.callers_memory().map_err(|error| Error::new(error, backend, node, service))?;
        self.run(node, service, hints.into(), results, None)
    }

    /// Resolves a literal about which nothing has to be asked, and says nothing of all else, errors too: leave them to
    /// the other ways to resolve.
    ///
    /// No system call, no allocation but what `results` makes, no waiting: for a thread that must not block. Something
    /// is asked about an address if a [source](Self::source) is looked for, an [interface](Self::source_interface) or a
    /// [device](Self::device) is wanted, or [ibacm](Self::ibacm) is asked for a [route](Self::routes); that there is no
    /// ibacm is remembered, so that only the first call in a while asks.
    ///
    /// ```
    /// use rdma_addrinfo::{Resolver, Results};
    ///
    /// let resolver = Resolver::new().source(false).routes(false);
    /// let mut results = Results::<1>::new();
    /// let list = resolver.resolve_at_once("192.0.2.7", "7471", None, &mut results).unwrap();
    /// assert_eq!(list.first().unwrap().dst_addr().unwrap().to_string(), "192.0.2.7:7471");
    /// assert!(resolver.resolve_at_once("storage-7", "7471", None, &mut results).is_none());
    /// ```
    #[inline]
    pub fn resolve_at_once<'q, 'r, S: Storage>(
        &self,
        node: impl Into<Text<'q>>,
        service: impl Into<Text<'q>>,
        hints: impl Into<Option<&'q Hints<'q>>>,
        results: &'r mut S,
    ) -> Option<AddrInfoList<'r>> {
        let (node, policy) = (node.into(), self.effective_policy());
        let asks = self.backend == Backend::Librdmacm
            || self.device
            || self.source_interface.is_some()
            || policy.discover_source
            || needs_loopback(policy, node)
            || self.ibacm_to_ask().is_some();
        if asks {
            return None;
        }
        self.request(node, service.into(), hints.into(), false, false).resolve_literal(results).ok()
    }

    /// Resolves as a C caller asks, into memory of the caller's: C strings are handed to getaddrinfo(3) as they are, and
    /// the error is the core's, which does not hold what was asked.
    ///
    /// So it allocates nothing itself, whatever comes of it, without a [deadline](Self::no_deadline) and with sockets
    /// that are not [kept](Self::keep_sockets) nor taken from an [interface](Self::source_interface); getaddrinfo(3) does.
    ///
    /// # Errors
    /// As [`resolve_into`](Self::resolve_into).
    ///
    /// ```
    /// use rdma_addrinfo::{CCode, Resolver, Results};
    ///
    /// let mut results = Results::<2>::new();
    /// let error = Resolver::new().resolve_c(Some(c"192.0.2.256"), None, None, &mut results).unwrap_err();
    /// assert_eq!(error.to_c(), CCode::Eai(-2)); // EAI_NONAME
    /// ```
    #[doc(alias = "rdma_getaddrinfo")]
    pub fn resolve_c<'r>(
        &self,
        node: Option<&CStr>,
        service: Option<&CStr>,
        hints: Option<&Hints<'_>>,
        results: &'r mut dyn Storage,
    ) -> Result<AddrInfoList<'r>, core_crate::Error> {
        self.callers_memory()?;
        let [node_text, service_text] = [node, service].map(|text| text.map_or(Text::NONE, Text::from));
        self.drive(node_text, service_text, hints, results, None)
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
        if trace.is_none()
            && let Some(list) = self.resolve_at_once(node, service, hints, &mut results)
        {
            let start = list.start();
            return Ok(Resolved::own(results, start));
        }
        let mut trace = trace;
        let lent = trace.as_mut().map(|trace| &mut **trace as &mut dyn FnMut(TracedStep));
        match self.run(node, service, hints, &mut results, lent) {
            Ok(list) => {
                let start = list.start();
                let found = Resolved::own(results, start);
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
            Err(error) => Err(error),
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

    /// Whether results in memory of the caller's can keep what was set.
    fn callers_memory(&self) -> Result<(), core_crate::Error> {
        let refused = |reason| Err(core_crate::Error::new(ErrorKind::NotSupported).because(reason));
        match (self.backend, self.device) {
            (Backend::Librdmacm, _) => refused(Reason::LibraryMemory),
            (_, true) => refused(Reason::DeviceNeedsHeap),
            (Backend::Auto | Backend::Native, false) => Ok(()),
        }
    }

    /// The first option that was set and that librdmacm cannot keep.
    fn library_lacks(&self) -> Option<Reason> {
        [
            (matches!(self.limit, Limit::After(_)), Reason::LibraryDeadline),
            (self.policy.is_some_and(|policy| policy != Policy::LIBRDMACM), Reason::LibraryPolicy),
            (self.addresses == Some(Addresses::All), Reason::LibraryAddresses),
            (self.discover_source == Some(true), Reason::LibrarySource),
            (self.canonical_names, Reason::LibraryNames),
            (!self.routes, Reason::LibraryRoutes),
            (self.ibacm.is_some_and(|ibacm| ibacm != Ibacm::AUTO), Reason::LibraryIbacm),
            (self.ib_entries.is_some_and(|entries| entries != IbEntries::Auto), Reason::LibraryIbEntries),
            (self.source_interface.is_some(), Reason::LibraryInterface),
            (self.device, Reason::LibraryDevice),
        ]
        .into_iter()
        .find_map(|(set, reason)| set.then_some(reason))
    }

    fn run<'r>(
        &self,
        node: Text<'_>,
        service: Text<'_>,
        hints: Option<&Hints<'_>>,
        results: &'r mut dyn Storage,
        trace: Option<&mut dyn FnMut(TracedStep)>,
    ) -> Result<AddrInfoList<'r>, Error> {
        self.drive(node, service, hints, results, trace).map_err(|core| {
            let error = Error::new(core, Backend::Native, node, service);
            match &self.source_interface {
                // Its name would be missing in the message.
                Some(name) if core.reason() == Reason::NoSuchInterface => error.with_detail(name.as_str()),
                _ => error,
            }
        })
    }

    fn drive<'r>(
        &self,
        node: Text<'_>,
        service: Text<'_>,
        hints: Option<&Hints<'_>>,
        results: &'r mut dyn Storage,
        trace: Option<&mut dyn FnMut(TracedStep)>,
    ) -> Result<AddrInfoList<'r>, core_crate::Error> {
        let interface = match &self.source_interface {
            None => None,
            Some(name) => Some(SourceInterface::look_up(name, hints, self.sockets)?),
        };
        let ibacm = self.ibacm_to_ask();
        let request = self
            .request(node, service, hints, ibacm.is_some(), trace.is_some())
            .needs_source(interface.is_some());
        let outcome = match core_crate::start(request, results) {
            Step::Done(outcome) => outcome,
            step => {
                let limit = self.limit.duration();
                let sockets = self.sockets;
                let c_texts = [node.as_c_str(), service.as_c_str()];
                let mut answers = Native { limit, ibacm, interface, sockets, c_texts, deadline: None };
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

    /// The request with the options that are set. A trace shows the question for a route also where nobody is there.
    #[inline(always)]
    fn request<'q>(
        &self,
        node: Text<'q>,
        service: Text<'q>,
        hints: Option<&'q Hints<'q>>,
        may_have_routes: bool,
        traced: bool,
    ) -> Request<'q> {
        let policy = self.effective_policy();
        let mut environment = self.environment(policy, node, may_have_routes);
        environment.route_service = may_have_routes || traced;
        Request::new(node, service, hints)
            .policy(policy)
            .environment(environment)
            .routes(self.routes)
            .canonical_names(self.canonical_names)
    }

    /// The policy, with the switches that take the place of its own.
    #[inline]
    fn effective_policy(&self) -> Policy {
        let policy = self.policy.unwrap_or(Policy::MAN_PAGE);
        Policy {
            addresses: self.addresses.unwrap_or(policy.addresses),
            discover_source: self.discover_source.unwrap_or(policy.discover_source),
            ..policy
        }
    }

    /// Where to ask for routes; `None` if nobody is there, as far as is known.
    fn ibacm_to_ask(&self) -> Option<&Ibacm> {
        let ibacm = self.ibacm.as_ref().unwrap_or(&Ibacm::AUTO);
        (self.routes && !native::ibacm_is_absent(ibacm)).then_some(ibacm)
    }

    /// The facts that the rules ask for. Who cannot need one does not pay for it.
    #[inline]
    fn environment(&self, policy: Policy, node: Text<'_>, may_have_routes: bool) -> Environment {
        let mut environment = Environment::new();
        if needs_loopback(policy, node) {
            environment.ipv6_loopback = native::ipv6_loopback(self.sockets);
        }
        environment.af_ib = match self.ib_entries.unwrap_or_default() {
            IbEntries::Always => true,
            IbEntries::Never => false,
            IbEntries::Auto => may_have_routes && native::kernel_takes_af_ib(),
        };
        environment
    }
}

/// Whether the answer depends on the families that loopback has.
fn needs_loopback(policy: Policy, node: Text<'_>) -> bool {
    policy.rules == Rules::Librdmacm && matches!(node.bytes(), None | Some(b"*"))
}

/// Whether the native backend leaves the request to librdmacm: RAI_SA, with nothing wrong about it.
fn needs_library(error: &Error) -> bool {
    matches!(error.reason(), Reason::NoInfinibandPort | Reason::SaNeedsLibrary)
}

impl Default for Resolver {
    fn default() -> Self {
        Self::new()
    }
}
