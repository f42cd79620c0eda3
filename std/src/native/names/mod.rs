//! Name lookups: by an index of hosts(5), and where that does not settle them by the C library's getaddrinfo(3).
//!
//! [`lookup`] asks that on the caller's thread and takes as long as the C library likes. [`lookup_by`] asks it on a
//! worker thread, because a call of getaddrinfo cannot be bounded or interrupted, and leaves it behind when the
//! deadline passes.

mod answer;
mod files;
#[allow(unsafe_code)]
mod getaddrinfo;
mod lookups;
#[cfg(test)]
mod tests;

pub(crate) use answer::{Answer, Sources};
pub(crate) use lookups::Begun;
use lookups::Lookups;
use rdma_addrinfo_core::{Error, Protocol, Reason};
use std::ffi::{CStr, c_int};
use std::time::Instant;

/// What to ask, as the arguments of getaddrinfo(3) say it.
///
/// `AI_ADDRCONFIG` and `AI_V4MAPPED` are never set: the answer depends on the name alone.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Query<T> {
    /// The host, or none: the loopback addresses, with `passive` the wildcards.
    pub(crate) node: Option<T>,
    /// A port number or the name of a service, or none: port 0.
    pub(crate) service: Option<T>,
    /// `AF_INET`, `AF_INET6`, or 0 for both.
    pub(crate) family: c_int,
    /// The protocol. With [`Protocol::Any`] every address comes once for each that has the service.
    pub(crate) protocol: Protocol,
    /// `AI_PASSIVE`
    pub(crate) passive: bool,
    /// `AI_CANONNAME`; without a node it asks for nothing.
    pub(crate) canonical: bool,
    /// Who is asked.
    pub(crate) names: Source,
}

impl<T> Query<T> {
    /// The same with other texts: owned or borrowed ones.
    fn map<'q, U>(&'q self, text: impl Fn(&'q T) -> U) -> Query<U> {
        let &Self { ref node, ref service, family, protocol, passive, canonical, names } = self;
        let [node, service] = [node, service].map(|it| it.as_ref().map(&text));
        Query { node, service, family, protocol, passive, canonical, names }
    }
}

/// A function that answers a query: [`lookup`], or its stand-in in a test.
type Lookup = fn(&Query<&CStr>) -> Result<Answer, Error>;

/// Who is asked for names.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Source {
    /// The [index](files), then getaddrinfo(3).
    Index,
    /// getaddrinfo(3) alone.
    System,
}

// Its threads read the files, too, where a caller had no time for that.
static LOOKUPS: Lookups = Lookups::new(lookup);

/// Has the threads end that wait for lookups.
pub(super) fn forget() {
    LOOKUPS.forget();
}

/// Looks a node and a service up on the caller's thread.
///
/// There is no time limit but that of the C library (`options timeout` of resolv.conf(5)).
///
/// # Errors
///
/// What getaddrinfo(3) answered, decoded by [`Error::from_getaddrinfo`].
pub(crate) fn lookup(query: &Query<&CStr>) -> Result<Answer, Error> {
    match by_index(query, None) {
        Some(answer) => answer,
        None => getaddrinfo::call(query).map(Answer::from),
    }
}

/// What the index answers, if it is asked and settles the query.
///
/// # Errors
/// There is nowhere to look for hosts: glibc 2.36 then reads memory that it has freed, so it is not asked.
fn by_index(query: &Query<&CStr>, deadline: Option<Instant>) -> Option<Result<Answer, Error>> {
    match query.names {
        Source::System => None,
        Source::Index if query.node.is_some() && files::is_without_hosts() => {
            let error = Error::from_getaddrinfo(libc::EAI_SYSTEM, libc::EBUSY);
            Some(Err(error.because(Reason::NoNameSource)))
        }
        Source::Index => files::lookup(query, deadline).map(Ok),
    }
}

/// Whether the C library answers `::1` before 127.0.0.1 where there is no node.
///
/// That depends on which of them can be reached, on gai.conf(5), and on whether there is a descriptor to find out with.
/// It asks nobody but this machine's kernel, and on sockets that no library before the C library in link order sees.
///
/// # Errors
/// Those of [`lookup`]; in effect that memory runs out.
pub(crate) fn ipv6_loopback_is_first() -> Result<bool, Error> {
    let answer = lookup(&Query {
        node: None,
        service: Some(c"9"),
        family: 0,
        protocol: Protocol::Tcp,
        passive: false,
        canonical: false,
        names: Source::System,
    })?;
    Ok(answer.addresses().next().is_some_and(|first| first.address.is_ipv6()))
}

/// Looks a node and a service up and comes back when `deadline` passes, with or without an answer.
///
/// What the index does not settle runs on a worker thread, or waits for one: at most `queue` lookups do. One that is late
/// stays with its worker until the C library returns; its answer is dropped and the worker is free again. A worker has the
/// CPU affinity and the namespaces of the thread whose lookup started it.
///
/// A child made by fork(2) starts workers of its own. In one whose parent was inside getaddrinfo(3) at the fork, the C
/// library itself may hang: then every lookup of the child comes back at its deadline.
///
/// # Errors
///
/// Those of [`lookup`], and
/// - [`TimedOut`]: no answer before `deadline`;
/// - [`Again`], at once: so many lookups wait for a worker ([`TooManyLookups`]), or the system has no thread to spare
///   ([`NoThread`]);
/// - [`System`]: a thread could not be started for another reason ([`NoThread`]).
///
/// [`TimedOut`]: rdma_addrinfo_core::ErrorKind::TimedOut
/// [`Again`]: rdma_addrinfo_core::ErrorKind::Again
/// [`System`]: rdma_addrinfo_core::ErrorKind::System
/// [`TooManyLookups`]: rdma_addrinfo_core::Reason::TooManyLookups
/// [`NoThread`]: rdma_addrinfo_core::Reason::NoThread
pub(crate) fn lookup_by(query: &Query<&CStr>, deadline: Instant, queue: usize) -> Result<Answer, Error> {
    match by_index(query, Some(deadline)) {
        Some(answer) => answer,
        None => LOOKUPS.lookup_by(query, deadline, queue),
    }
}

/// The same for who must not wait: answers what the index has in memory, and begins the lookup of all else.
///
/// # Errors
/// As [`lookup_by`], but for the deadline.
pub(crate) fn begin_lookup(query: &Query<&CStr>, queue: usize) -> Result<Begun, Error> {
    // Without time to read a file.
    match by_index(query, Some(Instant::now())) {
        Some(answer) => answer.map(Begun::Answered),
        None => LOOKUPS.begin(query, queue).map(Begun::Running),
    }
}
