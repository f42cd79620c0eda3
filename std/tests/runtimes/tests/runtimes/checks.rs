//! What each runtime has to pass.

use crate::common::{World, dns::Dns, wait_until, workers};
use crate::kinds::Runtime;
use futures::executor::block_on;
use futures::future::{Either, select};
use futures::stream::{StreamExt, poll_fn as stream_of};
use rdma_addrinfo::{Error, ErrorKind, Hints, Hosts, Resolution, Resolved, Resolver, Results, Target};
use rdma_addrinfo_runtimes::Stuck;
use std::future::{Future, poll_fn};
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use std::task::{Context, Poll, Waker};
use std::thread;
use std::time::{Duration, Instant};

const HOSTS: &str = "127.0.0.1 localhost\n192.0.2.7 storage-7\n192.0.2.8 storage-7\n";

/// A name server that answers.
pub(crate) const SERVED: World<'_> = World {
    hosts: HOSTS,
    services: "nfsrdma 20049/tcp\n",
    names: "files dns",
    options: "timeout:10 attempts:1",
    ..World::EMPTY
};

/// One that does not, for which the C library waits five seconds.
pub(crate) const SILENT: World<'_> = World { options: "timeout:5 attempts:1", ..SERVED };

/// Names that the server takes a while for.
const A_WHILE: Duration = Duration::from_millis(20);

const SLOW: &str = "inet rc/tcp 127.0.0.1 -> 127.0.0.53:7471";

/// What is far more than a call takes, and less than the C library waits for the server.
const SOON: Duration = Duration::from_millis(2500);

fn lines(found: Result<Resolved, Error>) -> Result<Vec<String>, String> {
    found.map(|found| found.iter().map(|info| info.to_string()).collect()).map_err(|error| error.to_string())
}

pub(crate) fn same_answers<R: Runtime>() {
    let _dns = Dns::start(A_WHILE);
    let (resolver, passive) = (Resolver::new(), Hints::new().passive());
    let awaiting = resolver.awaiting();
    let nodes =
        ["192.0.2.9", "fe80::1%lo", "storage-7", "v4.example", "nosuch.example", "broken.example", "a b"];
    R::run(async {
        let mut kinds = Vec::new();
        for node in nodes.map(Some).into_iter().chain([None]) {
            for service in [None, Some("7471"), Some("nfsrdma"), Some("nosuch")] {
                for hints in [None, Some(&passive)] {
                    let case = format!("{node:?} {service:?} {hints:?}");
                    let found = lines(awaiting.resolve(node, service, hints).await);
                    assert_eq!(found, lines(resolver.resolve(node, service, hints)), "{case}");
                    let mut results = Results::<8>::new();
                    let into = awaiting.resolve_into(node, service, hints, &mut results).await;
                    let into = into.map(|list| list.iter().map(|info| info.to_string()).collect());
                    assert_eq!(into.map_err(|error| error.to_string()), found, "{case}");
                    kinds.push(found.is_ok());
                }
            }
        }
        // Both come up, and are those of names, too.
        assert!(kinds.iter().filter(|found| **found).count() > 20, "{kinds:?}");
        assert_eq!(lines(awaiting.resolve("v4.example", 7471, None).await).unwrap(), [SLOW]);
        let error = awaiting.resolve("nosuch.example", 7471, None).await.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::NoName);
        let address = "127.0.0.7:7471".parse().unwrap();
        let line = "inet rc/tcp 127.0.0.1 -> 127.0.0.7:7471";
        assert_eq!(lines(awaiting.resolve_addr(address, None).await).unwrap(), [line]);
    });
}

pub(crate) fn dropped_runtime<R: Runtime>() {
    const MANY: usize = 1000;
    let dns = Dns::start_silent();
    let (begun, done) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
    let over = R::run(async {
        for _ in 0..MANY {
            let (begun, done) = (Arc::clone(&begun), Arc::clone(&done));
            R::spawn(async move {
                let resolver = Resolver::new().with_deadline(Duration::from_secs(60)).awaiting();
                begun.fetch_add(1, SeqCst);
                let _ = resolver.resolve("node.example", 7471, None).await;
                done.fetch_add(1, SeqCst);
            });
        }
        while begun.load(SeqCst) < MANY {
            R::sleep(Duration::from_millis(1)).await;
        }
        Instant::now()
    });
    let took = over.elapsed();
    assert!(took < SOON, "{took:?}");
    assert_eq!(done.load(SeqCst), 0);
    // Those that ask the server do not know yet; nobody waits for them, and of the others none is left.
    wait_until(|| workers() == 64 + 1);
    if R::DROPS_TASKS {
        assert_eq!((Arc::strong_count(&begun), Arc::strong_count(&done)), (1, 1));
        let one = Resolver::new().with_names(Hosts::new().with_queue(1)).awaiting();
        let [mut first, mut second] = [(); 2].map(|()| Box::pin(one.resolve("node.example", 1, None)));
        assert!(block_on(once(first.as_mut())).is_pending());
        let Poll::Ready(Err(error)) = block_on(once(second.as_mut())) else { panic!("it waits too") };
        assert_eq!(error.kind(), ErrorKind::Again);
    }
    dns.set_silent(false);
    // Another runtime finds all as it was.
    let resolver = Resolver::new().with_deadline(Duration::from_secs(60)).awaiting();
    assert_eq!(lines(R::run(resolver.resolve("v4.example", 7471, None))).unwrap(), [SLOW]);
    wait_until(|| workers() <= 3);
}

/// Polls a future once.
async fn once<F: Future + ?Sized>(mut future: Pin<&mut F>) -> Poll<F::Output> {
    poll_fn(|context| Poll::Ready(future.as_mut().poll(context))).await
}

pub(crate) fn cancelled<R: Runtime>() {
    let _dns = Dns::start_silent();
    let stuck = Arc::new(Stuck::default());
    let own =
        Resolver::new().with_names(Arc::clone(&stuck)).with_deadline(Duration::from_secs(60)).awaiting();
    let machine = Resolver::new().with_deadline(Duration::from_secs(60)).awaiting();
    let begun = Instant::now();
    R::run(async {
        let pause = Duration::from_millis(30);
        // By drop.
        let mut call = Box::pin(own.resolve("a", 1, None));
        assert!(once(call.as_mut()).await.is_pending());
        assert_eq!(stuck.awaited(), 1);
        drop(call);
        assert_eq!(stuck.awaited(), 0);
        // By select.
        let call = pin!(own.resolve("a", 1, None));
        let Either::Right(((), call)) = select(call, pin!(R::sleep(pause))).await else {
            panic!("an answer")
        };
        // Which goes on as long as it is there.
        assert_eq!(stuck.awaited(), 1);
        let Either::Right(((), _)) = select(call, pin!(R::sleep(pause))).await else { panic!("an answer") };
        assert_eq!(stuck.awaited(), 1);
        // By the runtime's own means.
        assert!(R::timeout(pause, own.resolve("a", 1, None)).await.is_none());
        assert!(R::timeout(pause, machine.resolve("node.example", 1, None)).await.is_none());
        let found = R::timeout(Duration::from_secs(60), machine.resolve("storage-7", 1, None)).await;
        assert_eq!(found.unwrap().unwrap().len(), 2);
    });
    assert_eq!(stuck.awaited(), 0);
    assert!(begun.elapsed() < SOON, "{:?}", begun.elapsed());
}

pub(crate) fn deadline<R: Runtime>() {
    let _dns = Dns::start_silent();
    let limit = Duration::from_millis(200);
    let machine = Resolver::new().with_deadline(limit).awaiting();
    let own = Resolver::new().with_names(Stuck::default()).with_deadline(limit).awaiting();
    R::run(async {
        type Call<'a> = Pin<Box<dyn Future<Output = Result<Resolved, Error>> + 'a>>;
        let calls: [Call<'_>; 2] = [
            Box::pin(machine.resolve("node.example", 1, None)),
            Box::pin(own.resolve("node.example", 1, None)),
        ];
        // What is not polled has not begun.
        R::sleep(limit * 2).await;
        for call in calls {
            let begun = Instant::now();
            let error = call.await.unwrap_err();
            let took = begun.elapsed();
            assert_eq!(error.kind(), ErrorKind::TimedOut);
            assert!(took >= limit && took < SOON, "{took:?}");
        }
    });
}

pub(crate) fn not_blocked<R: Runtime>() {
    const MANY: usize = 100;
    // Two turns of the 64 threads.
    let _dns = Dns::start(Duration::from_millis(300));
    let done = Arc::new(AtomicUsize::new(0));
    R::run(async {
        // Before the tasks: a runtime may poll one as soon as it is spawned.
        let begun = Instant::now();
        for _ in 0..MANY {
            let done = Arc::clone(&done);
            R::spawn(async move {
                let resolver = Resolver::new().with_deadline(Duration::from_secs(60)).awaiting();
                assert_eq!(lines(resolver.resolve("v4.example", 7471, None).await).unwrap(), [SLOW]);
                done.fetch_add(1, SeqCst);
            });
        }
        let mut ticks = 0;
        while done.load(SeqCst) < MANY {
            R::sleep(Duration::from_millis(5)).await;
            ticks += 1;
            assert!(begun.elapsed() < Duration::from_secs(60), "{done:?}");
        }
        let took = begun.elapsed();
        // 120 where nobody else wants the processor; none, or one, where the thread is blocked.
        assert!(took >= Duration::from_millis(600) && ticks >= 12, "{ticks} ticks in {took:?}");
    });
}

pub(crate) fn moved<R: Runtime>() {
    let _dns = Dns::start(Duration::from_millis(100));
    let resolver = Resolver::new().with_deadline(Duration::from_secs(60)).awaiting();
    let call = || Box::pin(resolver.resolve("v4.example", 7471, None));
    thread::scope(|scope| {
        // Begun under the runtime, which is gone when the answer comes, ended by another on another thread.
        let mut begun = call();
        assert!(R::run(once(begun.as_mut())).is_pending());
        let ended = scope.spawn(move || block_on(begun));
        assert_eq!(lines(ended.join().unwrap()).unwrap(), [SLOW]);
        // The other way.
        let begun = scope.spawn(|| {
            let mut begun = call();
            assert!(block_on(once(begun.as_mut())).is_pending());
            begun
        });
        let begun = begun.join().unwrap();
        assert_eq!(lines(R::run(begun)).unwrap(), [SLOW]);
        // Only the last waker counts.
        let mut begun = call();
        assert!(begun.as_mut().poll(&mut Context::from_waker(Waker::noop())).is_pending());
        assert_eq!(lines(R::run(begun)).unwrap(), [SLOW]);
        // From one runtime to another of its kind.
        let mut begun = call();
        assert!(R::run(once(begun.as_mut())).is_pending());
        let ended = scope.spawn(move || R::run(begun));
        assert_eq!(lines(ended.join().unwrap()).unwrap(), [SLOW]);
    });
}

pub(crate) fn stream<R: Runtime>() {
    const MANY: usize = 200;
    let _dns = Dns::start(A_WHILE);
    let resolver = Resolver::new().with_deadline(Duration::from_secs(60)).awaiting();
    let targets = || {
        (0..MANY).map(|number| match number % 3 {
            0 => Target::from(("192.0.2.9", 7471)),
            1 => Target::from(("storage-7", 7471)),
            _ => Target::from(("v4.example", 7471)),
        })
    };
    let check = |one: Resolution<'_>| {
        let found = one.result.unwrap();
        let expected = ["192.0.2.9", "192.0.2.7", "127.0.0.53"][one.index % 3];
        let address = found.first().unwrap().dst_addr().unwrap().to_string();
        assert_eq!(address, format!("{expected}:7471"), "{}", one.target);
        one.index
    };
    R::run(async {
        let mut many = resolver.resolve_many(targets(), 64);
        for index in 0..MANY {
            assert_eq!(check(many.next().await.unwrap()), index);
        }
        assert!(many.next().await.is_none());
        // As a stream of the crate futures, and as they come.
        let mut many = resolver.resolve_many(targets(), 64).unordered();
        let all = stream_of(|context| many.poll_next(context)).map(check).collect::<Vec<_>>();
        let mut all = all.await;
        all.sort_unstable();
        assert!(all.into_iter().eq(0..MANY));
        // Left in the middle.
        let mut many = resolver.resolve_many(targets(), 64).unordered();
        check(many.next().await.unwrap());
    });
    wait_until(|| workers() <= 3);
}
