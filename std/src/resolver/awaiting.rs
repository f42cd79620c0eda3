//! [`AsyncResolver`]: the resolver for tasks.

use super::driver::{Awaiting, run};
use super::names::{Hosts, NameService};
use super::options::Resolver;
use super::resolved::Resolved;
use super::trace::Trace;
use crate::error::Error;
use rdma_addrinfo_core::{AddrInfoList, HeapResults, Hints, Request, ServiceText, Storage, Text};
use std::future::Future;
use std::net::SocketAddr;

/// A [`Resolver`] for tasks: its calls are futures, which any executor polls.
///
/// It needs no runtime, no reactor and no feature: what has to wait runs on a few threads of its own, which wake the task.
///
/// | what | where it runs |
/// |---|---|
/// | literals, zones, sources, names of files that have been read | where the task is polled, for microseconds; no thread is started, and a literal in memory of the caller's allocates nothing |
/// | all other names, and the first look at a file | on at most 64 threads; more wait for their turn |
/// | routes, where there is an ibacm | on at most 8 threads of their own, so that names that are stuck do not hold them up |
/// | services of the subnet administrator | on at most 4 threads of their own |
/// | a [`NameService`] of the user's | where it says: its future is awaited |
/// | deadlines | one thread |
///
/// A thread that has nothing to do for 10 seconds ends, the one for deadlines when the last that was set has passed.
///
/// ```
/// use rdma_addrinfo::Resolver;
/// # futures::executor::block_on(async {
/// let resolver = Resolver::new().awaiting();
/// let found = resolver.resolve("localhost", 7471, None).await?;
/// assert!(found.iter().any(|info| info.to_string() == "inet rc/tcp 127.0.0.1 -> 127.0.0.1:7471"));
/// # Ok::<(), rdma_addrinfo::Error>(())
/// # }).unwrap();
/// ```
///
/// # Deadlines
/// The [deadline](Resolver::with_deadline) of a call counts from its first poll, not from when its future was made, and
/// holds for a name service of the user's too. It counts while the call waits for its turn. A timer of the runtime may be
/// put around it as around any future.
///
/// # Cancellation
/// To drop the future cancels the call: by `select`, a timeout, or with its task. A lookup that waits for its turn never
/// begins; getaddrinfo(3) cannot be stopped, so one that runs goes on, and frees its thread at the end. What it finds is
/// thrown away, and no later call gets it. An exchange with ibacm is finished, and its connection kept.
///
/// # Shutdown
/// A runtime ends without waiting for calls: none of its threads is blocked by one. So does the process. A runtime that
/// does not drop the tasks that are suspended, as monoio and glommio do not, leaves their lookups in the queue until
/// their turn.
///
/// # Current-thread runtimes
/// Work as all others: nothing blocks the thread. So does no runtime at all, such as pollster's `block_on`. A future may be
/// polled by one executor, and later by another on another thread.
///
/// # Wakers
/// A task is woken from a thread of this library. A waker that blocks holds up that thread, and who waits for it; a panic
/// of a waker ends there, unless the program is built to abort.
///
/// monoio needs its feature `sync`. Without it a task that is spawned has a waker that panics on another thread, and that
/// of `block_on` does nothing there: what is ready at the first poll is answered, all else only when something of the
/// runtime's own, such as `monoio::time::timeout`, has the task polled again.
///
/// # fork(2)
/// A child has threads of its own. What is begun there is answered. A call that was begun in the parent ends with
/// [`Again`](rdma_addrinfo_core::ErrorKind::Again) when it is polled in the child; it never hangs. The parent's calls go on
/// in the parent. Whether the runtime survives a fork(2) is another question: most do not.
///
#[doc = include_str!("resolve_addrinfo.md")]
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[must_use]
#[doc(alias = "rdma_resolve_addrinfo")]
#[doc(alias = "rdma_query_addrinfo")]
pub struct AsyncResolver<N = Hosts>(Resolver<N>);

impl<N> Resolver<N> {
    /// This resolver with its options for tasks, which await their calls.
    pub fn awaiting(self) -> AsyncResolver<N> {
        AsyncResolver(self)
    }
}

impl<N> AsyncResolver<N> {
    /// The resolver that blocks, with the options of this one.
    pub const fn blocking(&self) -> &Resolver<N> {
        &self.0
    }
}

impl<N: NameService> AsyncResolver<N> {
    /// As [`Resolver::resolve`].
    ///
    /// # Errors
    /// As there.
    #[doc(alias = "rdma_getaddrinfo")]
    pub fn resolve<'q>(
        &'q self,
        node: impl Into<Text<'q>>,
        service: impl Into<ServiceText<'q>>,
        hints: impl Into<Option<&'q Hints<'q>>>,
    ) -> impl Future<Output = Result<Resolved, Error>> + Send {
        let request = self.0.request(node, service, hints);
        async move { resolve_owned(&self.0, &request, &mut ()).await }
    }

    /// As [`Resolver::resolve_addr`].
    ///
    /// # Errors
    /// As there.
    pub fn resolve_addr<'q>(
        &'q self,
        address: SocketAddr,
        hints: impl Into<Option<&'q Hints<'q>>>,
    ) -> impl Future<Output = Result<Resolved, Error>> + Send {
        let hints = Resolver::<N>::hints_with(address, hints.into());
        async move { self.resolve(Text::NONE, ServiceText::NONE, &hints).await }
    }

    /// As [`Resolver::resolve_into`].
    ///
    /// # Errors
    /// As there.
    pub fn resolve_into<'q, 'r: 'q>(
        &'q self,
        node: impl Into<Text<'q>>,
        service: impl Into<ServiceText<'q>>,
        hints: impl Into<Option<&'q Hints<'q>>>,
        results: impl Into<Storage<'r>>,
    ) -> impl Future<Output = Result<AddrInfoList<'r>, Error>> + Send {
        let (request, results) = (self.0.request(node, service, hints), results.into());
        async move { resolve_request(&self.0, &request, results, &mut ()).await }
    }

    /// As [`Resolver::resolve_traced`].
    ///
    /// # Errors
    /// As there.
    pub fn resolve_traced<'q, T: Trace + Send>(
        &'q self,
        node: impl Into<Text<'q>>,
        service: impl Into<ServiceText<'q>>,
        hints: impl Into<Option<&'q Hints<'q>>>,
        trace: &'q mut T,
    ) -> impl Future<Output = Result<Resolved, Error>> + Send {
        let request = self.0.request(node, service, hints);
        async move { resolve_owned(&self.0, &request, trace).await }
    }
}

/// Resolves a request as a task, with results on the heap.
pub(super) async fn resolve_owned<N: NameService>(
    resolver: &Resolver<N>,
    request: &Request<'_>,
    trace: &mut (impl Trace + Send),
) -> Result<Resolved, Error> {
    let mut results = HeapResults::new();
    resolve_request(resolver, request, Storage::from(&mut results), trace).await?;
    Ok(Resolved::new(results))
}

async fn resolve_request<'r, N: NameService>(
    resolver: &Resolver<N>,
    request: &Request<'_>,
    mut results: Storage<'r>,
    trace: &mut (impl Trace + Send),
) -> Result<AddrInfoList<'r>, Error> {
    // A list that is returned here would borrow the results for the other arm, too.
    if !trace.is_enabled() && resolver.try_resolve_now(*request, results.reborrow()).is_some() {
        return Ok(results.into_list());
    }
    let outcome = run(resolver, *request, results, Awaiting, trace).await;
    outcome.map_err(|cause| Error::new(cause, request.node(), request.service()))
}
