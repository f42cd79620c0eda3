//! [`NameService`]: who answers for names.

use crate::c_text::with_c_text;
use crate::native::{self, Answer, Begun};
use crate::wait::wait_until;
use rdma_addrinfo_core::{Error, ErrorKind, Family, Found, Location, Protocol, Text};
use std::ffi::CStr;
use std::future::Future;
use std::sync::Arc;
use std::time::Instant;

/// A question for a node, a service, or both.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct NameQuery<'q> {
    /// The host; [`Text::NONE`]: only the service is asked for.
    pub node: Text<'q>,
    /// The name of a service; [`Text::NONE`]: each address has the port 0.
    pub service: Text<'q>,
    /// The family that addresses must have; [`Family::UNSPEC`] for any.
    pub family: Family,
    /// The protocol of the service. With [`Protocol::Any`] each that has it is answered with its port.
    pub protocol: Protocol,
    /// Whether the addresses are to listen on: without a node, the wildcards.
    pub passive: bool,
    /// Whether the canonical name of the node is wanted.
    pub canonical: bool,
}

/// What a name service found: addresses, and the canonical name of the node.
#[derive(Debug)]
pub struct NameAnswer(pub(crate) Answer);

impl NameAnswer {
    /// These addresses, in this order; each with the port and protocol of the service, if one was asked for. More than
    /// are wanted do no harm: those of another family or protocol are left out.
    pub fn new(addresses: impl IntoIterator<Item = Found>) -> Self {
        Self(Answer::told(addresses.into_iter().collect(), None))
    }

    /// The same with a canonical name.
    #[must_use]
    pub fn with_canonical_name(self, name: &CStr) -> Self {
        Self(Answer::told(self.addresses().collect(), Some(name)))
    }

    /// The addresses.
    pub fn addresses(&self) -> impl Iterator<Item = Found> + Clone {
        self.0.addresses()
    }

    /// The canonical name of the node.
    #[must_use]
    pub fn canonical_name(&self) -> Option<&CStr> {
        self.0.canonical_name()
    }
}

/// Who answers for names: [`Hosts`], [`System`], or a service of your own, such as a client of a registry, a cache or
/// another resolver for DNS.
///
/// An [awaiting](super::AsyncResolver) call awaits the future of a service within its own, and drops it at the deadline. A
/// blocking one polls it on the caller's thread, which it parks between polls.
///
/// Numeric addresses and ports never come here.
///
/// ```
/// use rdma_addrinfo::{CoreError, ErrorKind, Found, NameAnswer, NameQuery, NameService, Protocol, Resolver};
/// use std::future::{Future, ready};
/// use std::time::Instant;
///
/// /// A rack, whose hosts have numbers.
/// struct Rack;
///
/// impl NameService for Rack {
///     fn look_up(
///         &self,
///         query: &NameQuery<'_>,
///         _deadline: Option<Instant>,
///     ) -> impl Future<Output = Result<NameAnswer, CoreError>> + Send {
///         let number = query.node.as_str().and_then(|node| node.strip_prefix("node-")?.parse().ok());
///         let found = |host| Found { address: ([192, 0, 2, host], 0).into(), protocol: Protocol::Tcp };
///         ready(number.map(|host: u8| NameAnswer::new([found(host)])).ok_or(ErrorKind::NoName.into()))
///     }
/// }
///
/// let resolver = Resolver::new().with_names(Rack).with_source(false).with_routes(false);
/// let found = resolver.resolve("node-7", 7471, None)?;
/// assert_eq!(found.first().unwrap().to_string(), "inet rc/tcp * -> 192.0.2.7:7471");
/// assert_eq!(resolver.resolve("storage", 7471, None).unwrap_err().kind(), ErrorKind::NoName);
/// # Ok::<(), rdma_addrinfo::Error>(())
/// ```
pub trait NameService: Send + Sync {
    /// Looks a name up.
    ///
    /// # Errors
    /// The kinds that say what became of the name: `NoName`, `NoData`, `AddrFamily`, `Service`, `Again`, `Fail`,
    /// `TimedOut`, `Memory`, `System`.
    fn look_up(
        &self,
        query: &NameQuery<'_>,
        deadline: Option<Instant>,
    ) -> impl Future<Output = Result<NameAnswer, Error>> + Send;

    /// The same for a blocking call: unless a service has a shorter way, it polls [`look_up`](Self::look_up) until
    /// the deadline.
    ///
    /// A service that asks another forwards this, too: [`Hosts`] and [`System`] answer a blocking call without a deadline on
    /// its own thread.
    ///
    /// # Errors
    /// As [`look_up`](Self::look_up).
    fn look_up_blocking(
        &self,
        query: &NameQuery<'_>,
        deadline: Option<Instant>,
    ) -> Result<NameAnswer, Error> {
        wait_until(self.look_up(query, deadline), deadline).unwrap_or_else(|| Err(ErrorKind::TimedOut.into()))
    }
}

/// The names of this machine, which is the default: those of hosts(5) and what else nsswitch.conf(5) names, as
/// getaddrinfo(3) has them.
///
/// A name or service of `/etc/hosts` and `/etc/services` is found by an index of the file where the answer is what
/// getaddrinfo(3) would give: its cost does not depend on the file's length, and it needs no thread. A changed file is read
/// again by the next call. All other questions go to getaddrinfo(3). A program that puts a getaddrinfo of its own in front
/// of the C library's, or configures that by `__nss_configure_lookup`, takes [`System`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Hosts {
    queue: usize,
}

/// The same by getaddrinfo(3) alone.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct System {
    queue: usize,
}

/// How many lookups may wait for a thread unless told otherwise: more than a job has peers. Each takes some hundred bytes.
pub(super) const QUEUE: usize = 1 << 14;

macro_rules! of_machine {
    ($type:ident, $source:ident) => {
        impl $type {
            /// With a queue of 16,384.
            #[must_use]
            pub const fn new() -> Self {
                Self { queue: QUEUE }
            }

            /// Sets how many lookups of the process may wait for a thread before a further one by this service is refused
            /// with [`Again`](ErrorKind::Again).
            ///
            /// getaddrinfo(3) runs on 64 threads at most, the others wait for their turn. With 0 none does.
            #[must_use]
            pub const fn with_queue(mut self, lookups: usize) -> Self {
                self.queue = lookups;
                self
            }
        }

        impl Default for $type {
            fn default() -> Self {
                Self::new()
            }
        }

        impl NameService for $type {
            async fn look_up(
                &self,
                query: &NameQuery<'_>,
                _deadline: Option<Instant>,
            ) -> Result<NameAnswer, Error> {
                let begun = with_query(query, native::Source::$source, |query| {
                    native::begin_lookup(query, self.queue)
                });
                let answer = match begun? {
                    Begun::Answered(answer) => answer,
                    Begun::Running(running) => running.await??,
                };
                Ok(NameAnswer(answer))
            }

            fn look_up_blocking(
                &self,
                query: &NameQuery<'_>,
                deadline: Option<Instant>,
            ) -> Result<NameAnswer, Error> {
                with_query(query, native::Source::$source, |query| match deadline {
                    Some(deadline) => native::lookup_by(query, deadline, self.queue),
                    None => native::lookup(query),
                })
                .map(NameAnswer)
            }
        }
    };
}

of_machine!(Hosts, Index);
of_machine!(System, System);

impl<N: NameService> NameService for &N {
    fn look_up(
        &self,
        query: &NameQuery<'_>,
        deadline: Option<Instant>,
    ) -> impl Future<Output = Result<NameAnswer, Error>> + Send {
        N::look_up(self, query, deadline)
    }

    fn look_up_blocking(
        &self,
        query: &NameQuery<'_>,
        deadline: Option<Instant>,
    ) -> Result<NameAnswer, Error> {
        N::look_up_blocking(self, query, deadline)
    }
}

impl<N: NameService> NameService for Arc<N> {
    fn look_up(
        &self,
        query: &NameQuery<'_>,
        deadline: Option<Instant>,
    ) -> impl Future<Output = Result<NameAnswer, Error>> + Send {
        N::look_up(self, query, deadline)
    }

    fn look_up_blocking(
        &self,
        query: &NameQuery<'_>,
        deadline: Option<Instant>,
    ) -> Result<NameAnswer, Error> {
        N::look_up_blocking(self, query, deadline)
    }
}

/// Calls `ask` with the query as the C library takes it.
fn with_query<R>(
    query: &NameQuery<'_>,
    names: native::Source,
    ask: impl FnOnce(&native::Query<&CStr>) -> Result<R, Error>,
) -> Result<R, Error> {
    with_c_text(query.node, Location::Node, |node| {
        with_c_text(query.service, Location::Service, |service| {
            let &NameQuery { family, protocol, passive, canonical, .. } = query;
            ask(&native::Query {
                node,
                service,
                family: family.to_raw(),
                protocol,
                passive,
                canonical,
                names,
            })
        })
    })
}
