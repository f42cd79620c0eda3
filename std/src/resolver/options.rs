//! The options of a resolution.

use super::names::{Hosts, NameService};
use crate::native::{Ibacm, InterfaceName};
use rdma_addrinfo_core::{Addresses, Policy};
use std::time::Duration;

/// Resolves a node and a service for RDMA.
///
/// Made once with its options and shared: it is `Send`, `Sync` and cheap to copy, callers do not wait on each
/// other, and what is kept between calls (sockets, lookup threads) belongs to the process, not to it.
///
/// ```
/// use rdma_addrinfo::{ErrorKind, Hints, Policy, Resolver};
/// use std::time::Duration;
///
/// let resolver = Resolver::new().with_deadline(Duration::from_secs(2));
/// let found = resolver.resolve("::1", "7471", &Hints::new().numeric_host())?;
/// assert_eq!(found.first().unwrap().dst_addr().unwrap().to_string(), "[::1]:7471");
///
/// // By the manual page a short form of IPv4 is no address; the C library takes it.
/// let error = resolver.resolve("127.1", None, None).unwrap_err();
/// assert_eq!(error.kind(), ErrorKind::NoName);
/// assert!(resolver.with_policy(Policy::LIBRDMACM).resolve("127.1", None, None).is_ok());
/// # Ok::<(), rdma_addrinfo::Error>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[must_use]
pub struct Resolver<N = Hosts> {
    pub(super) names: N,
    pub(super) policy: Policy,
    /// None: no limit.
    pub(super) limit: Option<Duration>,
    pub(super) routes: bool,
    pub(super) ibacm: Ibacm,
    pub(super) ib_entries: IbEntries,
    pub(super) canonical_names: bool,
    pub(super) source_interface: Option<InterfaceName>,
}

/// Whether entries with a route are followed by AF_IB entries made of it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[non_exhaustive]
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

impl IbEntries {
    /// Whether there are such entries, where the kernel may have to be asked whether it takes them.
    pub(super) fn are_made(self, kernel_takes_them: impl FnOnce() -> bool) -> bool {
        match self {
            Self::Auto => kernel_takes_them(),
            Self::Always => true,
            Self::Never => false,
        }
    }
}

impl Resolver<Hosts> {
    /// How long a call may take unless told otherwise.
    ///
    /// ibacm may need [longer](Ibacm::DEFAULT_TIME_LIMIT) if the subnet loses queries; a route that it then finds is missed.
    pub const DEFAULT_DEADLINE: Duration = Duration::from_secs(5);

    /// A resolver with [`Policy::MAN_PAGE`], a deadline of 5 seconds, all addresses, sources and routes.
    pub const fn new() -> Self {
        Self {
            policy: Policy::MAN_PAGE,
            limit: Some(Self::DEFAULT_DEADLINE),
            routes: true,
            ibacm: Ibacm::AUTO,
            ib_entries: IbEntries::Auto,
            canonical_names: false,
            source_interface: None,
            names: Hosts::new(),
        }
    }
}

impl<N> Resolver<N> {
    /// Sets who answers for names; [`Hosts`] unless set.
    pub fn with_names<M: NameService>(self, names: M) -> Resolver<M> {
        let Self { names: _, policy, limit, routes, ibacm, ib_entries, canonical_names, source_interface } =
            self;
        Resolver { names, policy, limit, routes, ibacm, ib_entries, canonical_names, source_interface }
    }

    /// Who answers for names.
    #[must_use]
    pub const fn names(&self) -> &N {
        &self.names
    }

    /// Sets the policy: its rules, how many addresses, whether sources are discovered. It replaces what
    /// [`source`](Self::with_source) and [`addresses`](Self::with_addresses) have set before.
    pub const fn with_policy(mut self, policy: Policy) -> Self {
        self.policy = policy;
        self
    }

    /// Sets how long a call may take as a whole. What was found when it passes is answered; if nothing was, the
    /// error is [`TimedOut`](rdma_addrinfo_core::ErrorKind::TimedOut). An answer that came in time is never thrown away,
    /// even if the caller's thread wakes up late.
    ///
    /// Names that have to be asked for are then looked up on another thread, since getaddrinfo(3) cannot be interrupted.
    /// One that comes back late is left behind. 64 run or are left behind at most; further ones wait for their turn until
    /// their deadline, and [as many as wait already](crate::Hosts::with_queue) are refused with
    /// [`Again`](rdma_addrinfo_core::ErrorKind::Again), as are all where no thread can be started. That thread sees the
    /// files and networks of the namespaces (namespaces(7)) in which the first lookups of the process were made: a thread
    /// that has entered others should call [`forget_kept`](crate::forget_kept), or resolve
    /// [without a deadline](Self::without_deadline).
    ///
    /// A lookup that was left behind still has descriptors open in the C library. A program that closes descriptors which
    /// it did not open (close_range(2), closefrom(3)) while one is, and then opens others, can have one of these used and
    /// closed by the lookup: it should resolve before, in a child, or [without a deadline](Self::without_deadline).
    ///
    /// For the first 100 µs the caller looks for the answer without sleeping, so that names of `/etc/hosts` come sooner.
    /// It yields to other threads, and keeps a processor busy only if no other thread wants it.
    #[doc(alias = "timeout")]
    pub const fn with_deadline(mut self, deadline: Duration) -> Self {
        self.limit = Some(deadline);
        self
    }

    /// Lets a call take as long as the name service takes. Names are looked up on the caller's thread.
    ///
    /// The limits are then those of resolv.conf(5), which do not bound a name server that answers over TCP a byte at a
    /// time: such a call can take minutes.
    pub const fn without_deadline(mut self) -> Self {
        self.limit = None;
        self
    }

    /// Sets whether the source is looked for when the hints do not tell it: the address that the kernel would
    /// send from.
    pub const fn with_source(mut self, discover_source: bool) -> Self {
        self.policy.discover_source = discover_source;
        self
    }

    /// Sets how many addresses of a name are answered.
    pub const fn with_addresses(mut self, addresses: Addresses) -> Self {
        self.policy.addresses = addresses;
        self
    }

    /// Sets whether routes are asked for.
    pub const fn with_routes(mut self, routes: bool) -> Self {
        self.routes = routes;
        self
    }

    /// Sets where ibacm is, the daemon that knows routes; [`Ibacm::AUTO`] unless set.
    ///
    /// It is asked by the [deadline](Self::with_deadline) of the call, which is that of all its steps; a call without one
    /// waits for it as long as [`Ibacm::time_limit`] says. A failure is no error: the entry has no route, and its
    /// [status](rdma_addrinfo_core::RouteStatus) says why.
    pub const fn with_ibacm(mut self, ibacm: Ibacm) -> Self {
        self.ibacm = ibacm;
        self
    }

    /// Sets whether entries with a route are followed by AF_IB entries; [`IbEntries::Auto`] unless set.
    pub const fn with_ib_entries(mut self, ib_entries: IbEntries) -> Self {
        self.ib_entries = ib_entries;
        self
    }

    /// Sets whether canonical names are asked for.
    pub const fn with_canonical_names(mut self, canonical_names: bool) -> Self {
        self.canonical_names = canonical_names;
        self
    }

    /// Sets the interface to send from: the source of each entry is the one of its addresses that the kernel would send
    /// from by it; `None` lets the hints or the kernel say. A link-local destination without a zone gets that of the
    /// interface. Destinations to which no route leads by it, or not from one of its addresses, are left out.
    ///
    /// It is for the active side, and takes the place of a source in the hints: with either of them the other way
    /// round it is an error.
    ///
    /// ```
    /// use rdma_addrinfo::{InterfaceName, Resolver};
    ///
    /// let loopback: InterfaceName = "lo".parse()?;
    /// let found = Resolver::new().with_source_interface(Some(loopback)).resolve("127.0.0.1", "7471", None)?;
    /// assert_eq!(found.first().unwrap().src_addr().unwrap().to_string(), "127.0.0.1");
    /// # Ok::<(), rdma_addrinfo::Error>(())
    /// ```
    #[doc(alias = "SO_BINDTODEVICE")]
    pub const fn with_source_interface(mut self, source_interface: Option<InterfaceName>) -> Self {
        self.source_interface = source_interface;
        self
    }

    /// The policy, with what [`with_source`](Self::with_source) and [`with_addresses`](Self::with_addresses) have set.
    #[must_use]
    pub const fn policy(&self) -> Policy {
        self.policy
    }

    /// How long a call may take; `None` for no limit.
    #[must_use]
    pub const fn deadline(&self) -> Option<Duration> {
        self.limit
    }

    /// Whether routes are asked for.
    #[must_use]
    pub const fn routes(&self) -> bool {
        self.routes
    }

    /// Where ibacm is.
    #[must_use]
    pub const fn ibacm(&self) -> &Ibacm {
        &self.ibacm
    }

    /// Whether entries with a route are followed by AF_IB entries.
    #[must_use]
    pub const fn ib_entries(&self) -> IbEntries {
        self.ib_entries
    }

    /// Whether canonical names are asked for.
    #[must_use]
    pub const fn canonical_names(&self) -> bool {
        self.canonical_names
    }

    /// The interface to send from.
    #[must_use]
    pub const fn source_interface(&self) -> Option<InterfaceName> {
        self.source_interface
    }
}

impl Default for Resolver<Hosts> {
    fn default() -> Self {
        Self::new()
    }
}
