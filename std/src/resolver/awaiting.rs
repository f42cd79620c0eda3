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
/// | question | answer |
/// |---|---|
/// | where does the work run? | literals, names of `/etc/hosts`, zones and sources where the task is polled, for microseconds; other names on at most 64 threads, routes on 8, services of the subnet administrator on 4; more lookups wait for their turn |
/// | from when does the deadline count? | from the first poll |
/// | how is a call cancelled? | by dropping its future: a lookup that waits for its turn never begins; one that runs goes on on its thread and frees it at the end |
/// | what does a shutdown of the runtime wait for? | nothing: no task of the runtime's blocks |
/// | current-thread runtimes? | as all others; also no runtime at all, by a `block_on` |
/// | fork(2)? | a child has threads of its own; a future begun in the parent ends with [`Again`](rdma_addrinfo_core::ErrorKind::Again) when it is polled in the child |
/// | executors that cannot be woken from another thread? | are not supported: monoio needs its feature `sync` |
/// | a waker that blocks or panics? | blocks the one thread that wakes it; a panic ends there |
///
/// ```
/// use rdma_addrinfo::Resolver;
/// # use std::{future::Future, pin::pin, sync::Arc, task::{Context, Poll, Wake}, thread};
/// # struct Unpark(thread::Thread);
/// # impl Wake for Unpark { fn wake(self: Arc<Self>) { self.0.unpark() } }
/// # fn block_on<F: Future>(future: F) -> F::Output {
/// #     let (mut future, waker) = (pin!(future), Arc::new(Unpark(thread::current())).into());
/// #     loop {
/// #         if let Poll::Ready(value) = future.as_mut().poll(&mut Context::from_waker(&waker)) { return value }
/// #         thread::park();
/// #     }
/// # }
///
/// # block_on(async {
/// let resolver = Resolver::new().awaiting();
/// let found = resolver.resolve("localhost", 7471, None).await?;
/// assert!(found.iter().any(|info| info.to_string() == "inet rc/tcp 127.0.0.1 -> 127.0.0.1:7471"));
/// # Ok::<(), rdma_addrinfo::Error>(())
/// # }).unwrap();
/// ```
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
        async move { resolve_owned(&self.0, request, &mut ()).await }
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
        async move { resolve_request(&self.0, request, results, &mut ()).await }
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
        resolve_owned(&self.0, self.0.request(node, service, hints), trace)
    }
}

/// Resolves a request as a task, with results on the heap.
pub(super) async fn resolve_owned<N: NameService>(
    resolver: &Resolver<N>,
    request: Request<'_>,
    trace: &mut (impl Trace + Send),
) -> Result<Resolved, Error> {
    let mut results = HeapResults::new();
    resolve_request(resolver, request, Storage::from(&mut results), trace).await?;
    Ok(Resolved::new(results))
}

async fn resolve_request<'r, N: NameService>(
    resolver: &Resolver<N>,
    request: Request<'_>,
    mut results: Storage<'r>,
    trace: &mut (impl Trace + Send),
) -> Result<AddrInfoList<'r>, Error> {
    // A list that is returned here would borrow the results for the other arm, too.
    if !trace.is_enabled() && resolver.try_resolve_now(request, results.reborrow()).is_some() {
        return Ok(results.into_list());
    }
    let outcome = run(resolver, request, results, Awaiting, trace).await;
    outcome.map_err(|cause| Error::new(cause, request.node(), request.service()))
}
