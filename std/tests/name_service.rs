//! Name services of a user's own: when they are ready, when they are woken, and when they are left.

use rdma_addrinfo::{
    CoreError, ErrorKind, Family, Found, Hints, NameAnswer, NameQuery, NameService, Protocol, Resolver,
    System,
};
use std::future::{Future, pending, poll_fn, ready};
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use std::sync::{Arc, Mutex};
use std::task::Poll;
use std::thread;
use std::time::{Duration, Instant};

fn found(address: &str) -> Found {
    Found { address: address.parse().unwrap(), protocol: Protocol::Tcp }
}

fn plain<N: NameService>(names: N) -> Resolver<N> {
    Resolver::new().with_names(names).with_source(false).with_routes(false)
}

/// Answers from a table, and remembers what it was asked.
#[derive(Default)]
struct Table {
    addresses: Vec<Found>,
    asked: Mutex<Vec<String>>,
}

impl NameService for Table {
    fn look_up(
        &self,
        query: &NameQuery<'_>,
        deadline: Option<Instant>,
    ) -> impl Future<Output = Result<NameAnswer, CoreError>> + Send {
        let text = |text: rdma_addrinfo::Text<'_>| text.as_str().unwrap_or("-").to_owned();
        let NameQuery { family, protocol, passive, canonical, .. } = *query;
        let asked = format!(
            "{} {} {family} {protocol:?} {passive} {canonical} {}",
            text(query.node),
            text(query.service),
            deadline.is_some()
        );
        self.asked.lock().unwrap().push(asked);
        let family = |found: &&Found| match query.family {
            Family::INET => found.address.is_ipv4(),
            Family::INET6 => found.address.is_ipv6(),
            _ => true,
        };
        let addresses: Vec<_> = self.addresses.iter().filter(family).copied().collect();
        let answer = match addresses.is_empty() {
            true => Err(ErrorKind::NoName.into()),
            false => Ok(NameAnswer::new(addresses).with_canonical_name(c"table.example")),
        };
        ready(answer)
    }
}

#[test]
fn it_is_asked_what_the_rules_ask() {
    let table = Table { addresses: vec![found("192.0.2.7:0"), found("[2001:db8::7]:0")], ..Table::default() };
    let resolver = plain(&table).with_canonical_names(true);
    let list = |hints: &Hints<'_>| {
        let found = resolver.resolve("storage-7", 7471, hints)?;
        Ok::<_, rdma_addrinfo::Error>(found.iter().map(|info| info.to_string()).collect::<Vec<_>>())
    };
    let (v4, v6) = ("inet rc/tcp * -> 192.0.2.7:7471", "inet6 rc/tcp * -> [2001:db8::7]:7471");
    assert_eq!(list(&Hints::new()).unwrap(), [v4, v6]);
    assert_eq!(list(&Hints::new().with_family(Family::INET6)).unwrap(), [v6]);
    let name = resolver.resolve("storage-7", 7471, None).unwrap();
    assert_eq!(name.first().unwrap().dst_canonname(), Some(c"table.example"));
    // A name of another family only, which the second question tells.
    let v4_only = Table { addresses: vec![found("192.0.2.7:0")], ..Table::default() };
    let hints = Hints::new().with_family(Family::INET6);
    let error = plain(&v4_only).resolve("storage-7", 7471, &hints).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::AddrFamily);
    assert_eq!(
        *v4_only.asked.lock().unwrap(),
        ["storage-7 - inet6 Tcp false false true", "storage-7 - unspec Tcp false false true"]
    );
    // A literal never comes to it; a passive service name does, without a deadline where there is none.
    let count = table.asked.lock().unwrap().len();
    resolver.resolve("192.0.2.9", 7471, None).unwrap();
    assert_eq!(table.asked.lock().unwrap().len(), count);
    let passive = Hints::new().passive();
    let _ = resolver.without_deadline().resolve(None, "nfs", &passive);
    assert_eq!(table.asked.lock().unwrap().last().unwrap(), "- nfs inet Any true false false");
}

/// Ready when another thread says so.
struct Slow {
    after: Duration,
    polls: AtomicUsize,
}

impl NameService for Slow {
    async fn look_up(&self, _: &NameQuery<'_>, _: Option<Instant>) -> Result<NameAnswer, CoreError> {
        let is_ready = Arc::new(Mutex::new(None));
        poll_fn(|context| {
            self.polls.fetch_add(1, SeqCst);
            let mut state = is_ready.lock().unwrap();
            if *state == Some(true) {
                return Poll::Ready(());
            }
            // The first waker is asked to do nothing: only the last one counts.
            let (waker, shared, after) = (context.waker().clone(), Arc::clone(&is_ready), self.after);
            *state = Some(false);
            thread::spawn(move || {
                thread::sleep(after);
                *shared.lock().unwrap() = Some(true);
                waker.wake();
            });
            Poll::Pending
        })
        .await;
        Ok(NameAnswer::new([found("192.0.2.7:0")]))
    }
}

#[test]
fn it_is_waited_for_until_it_is_woken() {
    let slow = Arc::new(Slow { after: Duration::from_millis(50), polls: AtomicUsize::new(0) });
    for resolver in [plain(Arc::clone(&slow)), plain(Arc::clone(&slow)).without_deadline()] {
        slow.polls.store(0, SeqCst);
        let found = resolver.resolve("storage-7", 7471, None).unwrap();
        assert_eq!(found.first().unwrap().to_string(), "inet rc/tcp * -> 192.0.2.7:7471");
        // Not in a loop: once without a waker, once with one, and when it was woken; a thread may wake by itself.
        assert!((3..10).contains(&slow.polls.load(SeqCst)), "{:?}", slow.polls);
    }
}

/// Never ready; counts how many of its futures are there.
#[derive(Default)]
struct Stuck(Arc<AtomicUsize>);

struct Counted(Arc<AtomicUsize>);

impl Drop for Counted {
    fn drop(&mut self) {
        self.0.fetch_sub(1, SeqCst);
    }
}

impl NameService for Stuck {
    async fn look_up(&self, _: &NameQuery<'_>, _: Option<Instant>) -> Result<NameAnswer, CoreError> {
        self.0.fetch_add(1, SeqCst);
        let _counted = Counted(Arc::clone(&self.0));
        pending().await
    }
}

#[test]
fn it_is_left_at_the_deadline() {
    let stuck = Stuck::default();
    let futures = Arc::clone(&stuck.0);
    let resolver = plain(stuck).with_deadline(Duration::from_millis(50));
    let begun = Instant::now();
    let error = resolver.resolve("storage-7", 7471, None).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::TimedOut);
    assert!((Duration::from_millis(50)..Duration::from_secs(20)).contains(&begun.elapsed()));
    assert_eq!(futures.load(SeqCst), 0);
}

#[test]
fn the_machine_can_be_asked_alone() {
    let by_system = plain(System::new()).resolve("localhost", 7471, None).unwrap();
    let by_default = Resolver::new().with_source(false).with_routes(false);
    let by_default = by_default.resolve("localhost", 7471, None).unwrap();
    let shown =
        |found: &rdma_addrinfo::Resolved| found.iter().map(|info| info.to_string()).collect::<Vec<_>>();
    assert_eq!(shown(&by_system), shown(&by_default));
    let error = plain(System::new()).resolve("no-such-host.invalid", 7471, None).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::NoName | ErrorKind::Again | ErrorKind::NoData), "{error}");
}

#[test]
fn a_resolver_is_shared_by_threads_whatever_its_names() {
    fn is_shared<T: Send + Sync>(_: &T) {}
    is_shared(&plain(Arc::new(Table::default())));
    is_shared(&plain(System::new()));
    // And it is as small as without, and a copy, where the service is.
    let resolver = plain(System::new());
    let copy = resolver;
    assert_eq!(copy, resolver);
    assert_eq!(size_of_val(&resolver), size_of::<Resolver>());
}
