//! The options of a resolution.

use crate::backend::Backend;
use crate::librdmacm::Library;
use crate::native::{Ibacm, InterfaceName};
use rdma_addrinfo_core::{Addresses, Error, ErrorKind, Policy, Reason};
use std::time::Duration;

/// How long a call may take. What was set is told from what was not, so that a backend that cannot keep it can say so.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Limit {
    Default,
    None,
    After(Duration),
}

impl Limit {
    pub(super) const fn duration(self) -> Option<Duration> {
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
    pub(super) backend: Backend,
    pub(super) library: Option<Library>,
    // None: not set. A backend must know what it was asked to keep.
    pub(super) policy: Option<Policy>,
    pub(super) discover_source: Option<bool>,
    pub(super) addresses: Option<Addresses>,
    /// What these three come to: worked out when they are set, not at each call.
    pub(super) effective: Policy,
    pub(super) limit: Limit,
    pub(super) routes: bool,
    pub(super) ibacm: Ibacm,
    pub(super) ib_entries: IbEntries,
    pub(super) canonical_names: bool,
    pub(super) source_interface: Option<InterfaceName>,
    pub(super) device: bool,
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
            effective: Policy::MAN_PAGE,
            limit: Limit::Default,
            routes: true,
            ibacm: Ibacm::AUTO,
            ib_entries: IbEntries::Auto,
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
        Self { policy: Some(policy), ..self }.settled()
    }

    /// Sets how long a call may take as a whole. What was found when it passes is answered; if nothing was, the
    /// error is [`ErrorKind::TimedOut`]. An answer that came in time is never thrown away, even if the caller's thread
    /// wakes up late.
    ///
    /// Names are then looked up on another thread, since getaddrinfo(3) cannot be interrupted. One that comes
    /// back late is left behind; when 64 are running or left behind, further ones are refused with
    /// [`ErrorKind::Again`]. That thread sees the files and networks of the namespaces (namespaces(7)) in which the first
    /// look-up of the process was made: a thread that has entered others should call
    /// [`forget_kept`](crate::forget_kept), or take [`no_deadline`](Self::no_deadline).
    ///
    /// A look-up that was left behind still has descriptors open in the C library. A program that closes descriptors which
    /// it did not open (close_range(2), closefrom(3)) while one is, and then opens others, can have one of these used and
    /// closed by the look-up: it should resolve before, in a child, or with [`no_deadline`](Self::no_deadline).
    ///
    /// For the first 100 µs the caller looks for the answer without sleeping, so that names of `/etc/hosts` come sooner.
    /// It yields to other threads, and keeps a processor busy only if no other thread wants it.
    pub const fn deadline(self, deadline: Duration) -> Self {
        Self { limit: Limit::After(deadline), ..self }
    }

    /// Lets a call take as long as the name service takes. Names are looked up on the caller's thread.
    ///
    /// The limits are then those of resolv.conf(5), which do not bound a name server that answers over TCP a byte at a
    /// time: such a call can take minutes.
    pub const fn no_deadline(self) -> Self {
        Self { limit: Limit::None, ..self }
    }

    /// Sets whether the source is looked for when the hints do not tell it: the address that the kernel would
    /// send from. It takes the place of the policy's switch.
    pub const fn source(self, discover_source: bool) -> Self {
        Self { discover_source: Some(discover_source), ..self }.settled()
    }

    /// Sets how many addresses of a name are answered. It takes the place of the policy's switch.
    pub const fn addresses(self, addresses: Addresses) -> Self {
        Self { addresses: Some(addresses), ..self }.settled()
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
        Self { ibacm, ..self }
    }

    /// Sets whether entries with a route are followed by AF_IB entries; [`IbEntries::Auto`] unless set.
    pub const fn ib_entries(self, ib_entries: IbEntries) -> Self {
        Self { ib_entries, ..self }
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
    /// [`Resolved::local_ports`](super::Resolved::local_ports), and what is not clear about them, by
    /// [`Resolved::warnings`](super::Resolved::warnings). They are not unless this says so.
    ///
    /// Each call then reads the devices from sysfs, by [`Devices::read`](crate::devices::Devices::read): a millisecond
    /// or two for a port with 256 GIDs. Without it no system call is made for them. Who resolves often reads them once
    /// and asks [`Devices::local_port`](crate::devices::Devices::local_port).
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

    /// With the policy in effect: the one that is set, with the switches that take the place of its own.
    const fn settled(self) -> Self {
        let mut effective = match self.policy {
            Some(policy) => policy,
            None => Policy::MAN_PAGE,
        };
        if let Some(addresses) = self.addresses {
            effective.addresses = addresses;
        }
        if let Some(discover_source) = self.discover_source {
            effective.discover_source = discover_source;
        }
        Self { effective, ..self }
    }

    /// Whether results in memory of the caller's can keep what was set.
    pub(super) fn callers_memory(&self) -> Result<(), Error> {
        let refused = |reason| Err(Error::new(ErrorKind::NotSupported).because(reason));
        match (self.backend, self.device) {
            (Backend::Librdmacm, _) => refused(Reason::LibraryMemory),
            (_, true) => refused(Reason::DeviceNeedsHeap),
            (Backend::Auto | Backend::Native, false) => Ok(()),
        }
    }

    /// The first option that was set and that librdmacm cannot keep.
    pub(super) fn library_lacks(&self) -> Option<Reason> {
        [
            (matches!(self.limit, Limit::After(_)), Reason::LibraryDeadline),
            (self.policy.is_some_and(|policy| policy != Policy::LIBRDMACM), Reason::LibraryPolicy),
            (self.addresses == Some(Addresses::All), Reason::LibraryAddresses),
            (self.discover_source == Some(true), Reason::LibrarySource),
            (self.canonical_names, Reason::LibraryNames),
            (!self.routes, Reason::LibraryRoutes),
            (self.ibacm != Ibacm::AUTO, Reason::LibraryIbacm),
            (self.ib_entries != IbEntries::Auto, Reason::LibraryIbEntries),
            (self.source_interface.is_some(), Reason::LibraryInterface),
            (self.device, Reason::LibraryDevice),
        ]
        .into_iter()
        .find_map(|(set, reason)| set.then_some(reason))
    }
}

impl Default for Resolver {
    fn default() -> Self {
        Self::new()
    }
}
