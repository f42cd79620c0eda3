//! Many resolutions at once: [`Resolver::resolve_many`] and [`AsyncResolver::resolve_many`].

use super::awaiting::{AsyncResolver, resolve_owned};
use super::names::{Hosts, NameService};
use super::options::Resolver;
use super::resolved::Resolved;
use crate::error::Error;
use crate::native::{self, lock};
use crate::wait::wait;
use rdma_addrinfo_core::{Hints, ServiceText, Text};
use std::borrow::Cow;
use std::collections::{BTreeMap, VecDeque};
use std::fmt::{self, Debug, Formatter};
use std::future::{Future, poll_fn};
use std::iter::{Enumerate, Fuse};
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, Ordering::AcqRel, Ordering::Release};
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll, Wake, Waker};
use std::time::{Duration, Instant};

/// How many calls are polled before the task lets others have its thread.
const POLLED_AT_ONCE: usize = 64;

/// What one of many resolutions is for: a node, a service, hints, as [`Resolver::resolve`] takes them, owned or borrowed.
///
/// ```
/// use rdma_addrinfo::Target;
///
/// let mut targets = (1..=2).map(|number| Target::from((format!("node{number}"), 7471)));
/// assert_eq!(targets.next().unwrap().to_string(), "node1 7471");
/// assert_eq!(Target::new("node1").with_service("nfsrdma").to_string(), "node1 nfsrdma");
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
#[must_use]
pub struct Target<'q> {
    node: Cow<'q, str>,
    service: Service<'q>,
    hints: Option<&'q Hints<'q>>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
enum Service<'q> {
    None,
    Text(Cow<'q, str>),
    Port(u16),
}

impl<'q> Target<'q> {
    /// A node, without a service.
    pub fn new(node: impl Into<Cow<'q, str>>) -> Self {
        Self { node: node.into(), service: Service::None, hints: None }
    }

    /// Sets the service: a name or a port in digits.
    pub fn with_service(mut self, service: impl Into<Cow<'q, str>>) -> Self {
        self.service = Service::Text(service.into());
        self
    }

    /// Sets the port.
    pub fn with_port(mut self, port: u16) -> Self {
        self.service = Service::Port(port);
        self
    }

    /// Sets the hints.
    pub const fn with_hints(mut self, hints: &'q Hints<'q>) -> Self {
        self.hints = Some(hints);
        self
    }

    /// The node.
    #[must_use]
    pub fn node(&self) -> &str {
        &self.node
    }

    /// The service, or the port.
    #[must_use]
    pub fn service(&self) -> ServiceText<'_> {
        match &self.service {
            Service::None => ServiceText::NONE,
            Service::Text(text) => (&**text).into(),
            Service::Port(port) => (*port).into(),
        }
    }

    /// The hints.
    #[must_use]
    pub const fn hints(&self) -> Option<&'q Hints<'q>> {
        self.hints
    }
}

/// The node, and after a blank the service.
impl fmt::Display for Target<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(&self.node)?;
        match &self.service {
            Service::None => Ok(()),
            Service::Text(text) => write!(f, " {text}"),
            Service::Port(port) => write!(f, " {port}"),
        }
    }
}

impl<'q> From<&'q str> for Target<'q> {
    fn from(node: &'q str) -> Self {
        Self::new(node)
    }
}

impl From<String> for Target<'_> {
    fn from(node: String) -> Self {
        Self::new(node)
    }
}

impl<'q, N: Into<Cow<'q, str>>> From<(N, u16)> for Target<'q> {
    fn from((node, port): (N, u16)) -> Self {
        Self::new(node).with_port(port)
    }
}

/// One of many resolutions.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Resolution<'q> {
    /// Which of the targets this is, from 0.
    pub index: usize,
    /// What was asked for.
    pub target: Target<'q>,
    /// What came of it.
    pub result: Result<Resolved, Error>,
    /// How long that took, from its turn on; without what it waited for others before it.
    pub elapsed: Duration,
}

type Call<'n, 'q> = Pin<Box<dyn Future<Output = Resolution<'q>> + Send + 'n>>;

async fn call<'q, N: NameService>(
    resolver: &Resolver<N>,
    index: usize,
    target: Target<'q>,
) -> Resolution<'q> {
    let started = Instant::now();
    let request = resolver.request(Text::from(target.node()), target.service(), target.hints);
    let result = resolve_owned(resolver, &request, &mut ()).await;
    Resolution { index, target, result, elapsed: started.elapsed() }
}

/// Resolutions in flight, and those whose turn has not come.
struct Many<'n, 'q, I: Iterator, N> {
    resolver: &'n Resolver<N>,
    targets: Fuse<Enumerate<I>>,
    in_flight: usize,
    slots: Vec<Slot<'n, 'q>>,
    /// Slots without a call.
    free: Vec<usize>,
    woken: Arc<Mutex<Woken>>,
    /// The index whose turn it is; `None`: they come as they are ready.
    turn: Option<usize>,
    /// The process that the wakers are of.
    process: u64,
    /// Those that are ready before their turn.
    ready: BTreeMap<usize, Resolution<'q>>,
}

/// A place for a call.
struct Slot<'n, 'q> {
    call: Option<Call<'n, 'q>>,
    waker: Arc<SlotWaker>,
}

/// Who was woken since the last look, and whom to tell.
#[derive(Default)]
struct Woken {
    slots: VecDeque<usize>,
    task: Option<Waker>,
}

struct SlotWaker {
    slot: usize,
    is_woken: AtomicBool,
    woken: Arc<Mutex<Woken>>,
}

impl SlotWaker {
    fn new(slot: usize, woken: &Arc<Mutex<Woken>>) -> Arc<Self> {
        Arc::new(Self { slot, is_woken: AtomicBool::new(false), woken: Arc::clone(woken) })
    }
}

impl Wake for SlotWaker {
    fn wake(self: Arc<Self>) {
        self.wake_by_ref();
    }

    fn wake_by_ref(self: &Arc<Self>) {
        if self.is_woken.swap(true, AcqRel) {
            return;
        }
        let task = {
            let mut woken = lock(&self.woken);
            woken.slots.push_back(self.slot);
            woken.task.take()
        };
        if let Some(task) = task {
            task.wake();
        }
    }
}

impl<'n, 'q: 'n, I: Iterator<Item: Into<Target<'q>>>, N: NameService> Many<'n, 'q, I, N> {
    fn new(
        resolver: &'n Resolver<N>,
        targets: impl IntoIterator<IntoIter = I, Item = I::Item>,
        in_flight: usize,
    ) -> Self {
        Self {
            resolver,
            targets: targets.into_iter().enumerate().fuse(),
            in_flight: in_flight.max(1),
            slots: Vec::new(),
            free: Vec::new(),
            woken: Arc::default(),
            turn: Some(0),
            process: native::process_identity(),
            ready: BTreeMap::new(),
        }
    }

    fn poll_next(&mut self, context: &Context<'_>) -> Poll<Option<Resolution<'q>>> {
        if let Some(turn) = &mut self.turn
            && let Some(ready) = self.ready.remove(turn)
        {
            *turn += 1;
            return Poll::Ready(Some(ready));
        }
        if self.process != native::process_identity() {
            self.begin_in_child();
        }
        let task = context.waker().clone();
        let before = lock(&self.woken).task.replace(task);
        drop(before);
        for _ in 0..POLLED_AT_ONCE {
            let woken = lock(&self.woken).slots.pop_front();
            let Some(slot) = woken.or_else(|| self.start()) else {
                return if self.slots.len() == self.free.len() && self.ready.is_empty() {
                    Poll::Ready(None)
                } else {
                    Poll::Pending
                };
            };
            if let Some(resolution) = self.poll_slot(slot).and_then(|done| self.take(done)) {
                return Poll::Ready(Some(resolution));
            }
        }
        context.waker().wake_by_ref();
        Poll::Pending
    }

    /// Has all calls polled, with other wakers: a thread of the parent may have held a lock of the old ones. What the
    /// parent's threads were to bring comes to nothing, and the calls say so.
    fn begin_in_child(&mut self) {
        self.process = native::process_identity();
        self.woken = Arc::default();
        for (number, slot) in self.slots.iter_mut().enumerate() {
            slot.waker = SlotWaker::new(number, &self.woken);
            slot.waker.wake_by_ref();
        }
    }

    /// Puts the call for the next target into a slot, if there is one and it may begin.
    fn start(&mut self) -> Option<usize> {
        let in_flight = self.slots.len() - self.free.len();
        if in_flight >= self.in_flight || self.ready.len() >= self.in_flight {
            return None;
        }
        let (index, target) = self.targets.next()?;
        let slot = self.free.pop().unwrap_or_else(|| {
            let slot = self.slots.len();
            self.slots.push(Slot { call: None, waker: SlotWaker::new(slot, &self.woken) });
            slot
        });
        self.slots.get_mut(slot)?.call = Some(Box::pin(call(self.resolver, index, target.into())));
        Some(slot)
    }

    fn poll_slot(&mut self, number: usize) -> Option<Resolution<'q>> {
        let slot = self.slots.get_mut(number)?;
        // Whoever wakes it from here on means another poll.
        slot.waker.is_woken.store(false, Release);
        let waker = Waker::from(Arc::clone(&slot.waker));
        // A waker of a call that was here before wakes for nothing.
        let polled = slot.call.as_mut()?.as_mut().poll(&mut Context::from_waker(&waker));
        let Poll::Ready(resolution) = polled else { return None };
        slot.call = None;
        self.free.push(number);
        Some(resolution)
    }

    /// A resolution, if it is its turn.
    fn take(&mut self, resolution: Resolution<'q>) -> Option<Resolution<'q>> {
        match &mut self.turn {
            None => Some(resolution),
            Some(turn) if *turn == resolution.index => {
                *turn += 1;
                Some(resolution)
            }
            Some(_) => {
                self.ready.insert(resolution.index, resolution);
                None
            }
        }
    }
}

impl<I: Iterator, N> Debug for Many<'_, '_, I, N> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.debug_struct("Many")
            .field("in_flight", &(self.slots.len() - self.free.len()))
            .field("ready", &self.ready.len())
            .finish_non_exhaustive()
    }
}

/// Many resolutions, which the thread waits for one by one. Made by [`Resolver::resolve_many`].
#[derive(Debug)]
#[must_use]
pub struct ResolveMany<'n, 'q, I: Iterator, N = Hosts>(Many<'n, 'q, I, N>);

/// Many resolutions, which a task awaits one by one. Made by [`AsyncResolver::resolve_many`].
#[derive(Debug)]
#[must_use]
pub struct AsyncResolveMany<'n, 'q, I: Iterator, N = Hosts>(Many<'n, 'q, I, N>);

impl<N: NameService> Resolver<N> {
    /// Resolves many targets, so many at the same time, from this thread. They come in the order of the targets, unless
    /// they may come [as they are ready](ResolveMany::unordered).
    ///
    /// Each has the [deadline](Self::with_deadline) of a call of its own, which begins when it does. No more targets
    /// are taken than are in flight, or ready before their turn, and of these there are at most as many as in flight: that
    /// is all the memory that it takes. Lookups that have to be asked for run on 64 threads at most; more wait for
    /// their turn. Dropped, it resolves no further.
    ///
    /// ```
    /// use rdma_addrinfo::Resolver;
    ///
    /// let resolver = Resolver::new();
    /// let targets = (1..=200).map(|host| (format!("127.0.0.{host}"), 7471));
    /// for (at, one) in resolver.resolve_many(targets, 64).enumerate() {
    ///     assert_eq!(one.index, at);
    ///     let found = one.result?;
    ///     assert_eq!(found.first().unwrap().dst_addr().unwrap().to_string(), format!("127.0.0.{}:7471", at + 1));
    /// }
    /// # Ok::<(), rdma_addrinfo::Error>(())
    /// ```
    pub fn resolve_many<'n, 'q: 'n, T: IntoIterator<Item: Into<Target<'q>>>>(
        &'n self,
        targets: T,
        in_flight: usize,
    ) -> ResolveMany<'n, 'q, T::IntoIter, N> {
        ResolveMany(Many::new(self, targets, in_flight))
    }
}

impl<N: NameService> AsyncResolver<N> {
    /// As [`Resolver::resolve_many`], for a task.
    ///
    /// ```
    /// use rdma_addrinfo::Resolver;
    /// # futures::executor::block_on(async {
    /// let resolver = Resolver::new().awaiting();
    /// let mut all = resolver.resolve_many(["localhost", "192.0.2.7"], 64).unordered();
    /// while let Some(one) = all.next().await {
    ///     println!("{}: {} found", one.target, one.result?.len());
    /// }
    /// # Ok::<(), rdma_addrinfo::Error>(())
    /// # }).unwrap();
    /// ```
    pub fn resolve_many<'n, 'q: 'n, T: IntoIterator<Item: Into<Target<'q>>>>(
        &'n self,
        targets: T,
        in_flight: usize,
    ) -> AsyncResolveMany<'n, 'q, T::IntoIter, N> {
        AsyncResolveMany(Many::new(self.blocking(), targets, in_flight))
    }
}

impl<I: Iterator, N> ResolveMany<'_, '_, I, N> {
    /// Lets them come as they are ready, so that none waits for one before it. To be said before the first is taken.
    pub fn unordered(mut self) -> Self {
        self.0.turn = None;
        self
    }
}

impl<'n, 'q: 'n, I: Iterator<Item: Into<Target<'q>>>, N: NameService> Iterator for ResolveMany<'n, 'q, I, N> {
    type Item = Resolution<'q>;

    fn next(&mut self) -> Option<Resolution<'q>> {
        wait(poll_fn(|context| self.0.poll_next(context)))
    }
}

impl<I: Iterator, N> AsyncResolveMany<'_, '_, I, N> {
    /// Lets them come as they are ready, so that none waits for one before it. To be said before the first is taken.
    pub fn unordered(mut self) -> Self {
        self.0.turn = None;
        self
    }
}

impl<'n, 'q: 'n, I: Iterator<Item: Into<Target<'q>>>, N: NameService> AsyncResolveMany<'n, 'q, I, N> {
    /// The next resolution; `None` when there is none left. Its future may be dropped: nothing is lost.
    pub async fn next(&mut self) -> Option<Resolution<'q>> {
        poll_fn(|context| self.0.poll_next(context)).await
    }

    /// The same for who polls: as `Stream::poll_next` of the crate futures.
    pub fn poll_next(&mut self, context: &Context<'_>) -> Poll<Option<Resolution<'q>>> {
        self.0.poll_next(context)
    }
}
