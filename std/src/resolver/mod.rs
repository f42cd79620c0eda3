//! [`Resolver`]: the options of a resolution, and the blocking driver of its steps.

mod devices;
mod driver;
mod heap;
mod interface;
mod resolved;
mod trace;

#[cfg(test)]
mod tests;

pub use resolved::Resolved;
pub use trace::TracedStep;

use crate::backend::Backend;
use crate::error::Error;
use crate::librdmacm::Library;
use crate::native::{self, Ibacm, InterfaceName};
use driver::{Native, Trace, drive};
use heap::HeapResults;
use interface::SourceInterface;
use rdma_addrinfo_core::{
    self as core_crate, AddrInfoList, Addresses, Environment, ErrorKind, Hints, Policy, Reason, Request,
    Rules, Storage, Text,
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
        if self.backend == Backend::Librdmacm {
            let error = core_crate::Error::new(ErrorKind::NotSupported).because(Reason::LibraryMemory);
            return Err(Error::new(error, Backend::Librdmacm, node, service));
        }
        if self.device {
            let error = core_crate::Error::new(ErrorKind::NotSupported).because(Reason::DeviceNeedsHeap);
            return Err(Error::new(error, Backend::Native, node, service));
        }
        self.run(node, service, hints.into(), results, None)
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
        let policy = self.policy.unwrap_or(Policy::MAN_PAGE);
        let policy = Policy {
            addresses: self.addresses.unwrap_or(policy.addresses),
            discover_source: self.discover_source.unwrap_or(policy.discover_source),
            ..policy
        };
        let failed = |error| Error::new(error, Backend::Native, node, service);
        let interface = match &self.source_interface {
            None => None,
            Some(name) => Some(SourceInterface::look_up(name, hints).map_err(|error| {
                let error = failed(error);
                // Whose name would be missing in the message.
                if error.reason() == Reason::NoSuchInterface {
                    error.with_detail(name.as_str())
                } else {
                    error
                }
            })?),
        };
        let ibacm = self.ibacm_to_ask();
        let request = Request::new(node, service, hints)
            .policy(policy)
            .environment(self.environment(policy, ibacm.is_some()))
            .routes(self.routes)
            .canonical_names(self.canonical_names)
            .needs_source(interface.is_some());
        let step = core_crate::start(request, results);
        let has_interface = interface.is_some();
        drive(step, &mut Native::new(self.limit.duration(), ibacm, interface), trace).map_err(|error| {
            match error.reason() {
                Reason::SourceOfOtherFamily if has_interface => {
                    failed(error.because(Reason::InterfaceFamily))
                }
                _ => failed(error),
            }
        })
    }

    /// Where to ask for routes; `None` if nobody is there, as far as is known.
    fn ibacm_to_ask(&self) -> Option<&Ibacm> {
        let ibacm = self.ibacm.as_ref().unwrap_or(&Ibacm::AUTO);
        (self.routes && !native::ibacm_is_absent(ibacm)).then_some(ibacm)
    }

    /// The facts that the rules ask for. Who cannot need one does not pay for it.
    fn environment(&self, policy: Policy, may_have_routes: bool) -> Environment {
        let mut environment = Environment::new();
        if policy.rules == Rules::Librdmacm {
            environment.ipv6_loopback = native::ipv6_loopback();
        }
        environment.af_ib = match self.ib_entries.unwrap_or_default() {
            IbEntries::Always => true,
            IbEntries::Never => false,
            IbEntries::Auto => may_have_routes && native::kernel_takes_af_ib(),
        };
        environment
    }
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
