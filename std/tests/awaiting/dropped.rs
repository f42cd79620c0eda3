//! Futures that are dropped: what they leave behind, and whose answers the others get.

use crate::common::{World, dns::Dns, resident, wait_until, workers};
use crate::daemon::{Act, Daemon, Kind, address};
use futures::executor::block_on;
use futures::future::{Either, select};
use rdma_addrinfo::{ErrorKind, Hosts, NoRoute, Resolver, RouteStatus};
use std::future::{Future, poll_fn};
use std::pin::{Pin, pin};
use std::task::{Context, Poll, Waker};
use std::thread;
use std::time::Duration;

const WORLD: World<'_> = World { names: "files dns", options: "timeout:10 attempts:1", ..World::EMPTY };

/// Polls a future once.
async fn once<F: Future + Unpin>(future: &mut F) -> Poll<F::Output> {
    let mut future = Pin::new(future);
    poll_fn(|context| Poll::Ready(future.as_mut().poll(context))).await
}

#[test]
fn a_hundred_thousand_leave_nothing() {
    WORLD.run(|| {
        let dns = Dns::start_silent();
        // A deadline each.
        let resolver = Resolver::new().with_deadline(Duration::from_secs(600)).awaiting();
        let mut settled = 0;
        for round in 0..20 {
            let mut all: Vec<_> =
                (0..5000).map(|_| Box::pin(resolver.resolve("node.example", 1, None))).collect();
            for future in &mut all {
                assert!(block_on(once(future)).is_pending());
            }
            drop(all);
            if round == 1 {
                settled = resident();
            }
        }
        let grown = resident().saturating_sub(settled);
        assert!(grown < 8 << 20, "{grown} bytes");
        // Nobody waits in the queue: with room for one, one may wait and the second may not.
        let one = Resolver::new().with_names(Hosts::new().with_queue(1)).awaiting();
        let [mut first, mut second] = [(); 2].map(|()| Box::pin(one.resolve("node.example", 1, None)));
        assert!(block_on(once(&mut first)).is_pending());
        let Poll::Ready(Err(error)) = block_on(once(&mut second)) else { panic!("it waits too") };
        assert_eq!(error.kind(), ErrorKind::Again);
        drop(first);
        dns.set_silent(false);
        wait_until(|| workers() <= 3);
        let found = block_on(resolver.resolve("v4.example", 1, None)).unwrap();
        assert_eq!(found.first().unwrap().to_string(), "inet rc/tcp 127.0.0.1 -> 127.0.0.53:1");
    });
}

/// Routes that are dropped in the middle of their exchange: nobody gets the answer of another, and the connections stay.
#[test]
fn an_exchange_that_is_dropped_harms_no_other() {
    let daemon = Daemon::start("dropped", Kind::Unix);
    daemon.otherwise(|number| Act::Late(Duration::from_micros(number as u64 % 7 * 100)));
    let resolver = daemon.resolver().awaiting();
    let mut answered = 0;
    for number in 0..3000 {
        let node = address(number).to_string();
        let call = pin!(resolver.resolve(&node, 7471, None));
        let pause = pin!(async {
            for _ in 0..number % 40 {
                let mut waits = true;
                poll_fn(|context| {
                    context.waker().wake_by_ref();
                    if std::mem::take(&mut waits) { Poll::Pending } else { Poll::Ready(()) }
                })
                .await;
                thread::yield_now();
            }
        });
        if let Either::Left((found, _)) = block_on(select(call, pause)) {
            let found = found.unwrap();
            let info = found.first().unwrap();
            assert_eq!(info.route_status(), RouteStatus::Found, "{node}");
            assert_eq!(crate::daemon::told(&found).0, [address(number)]);
            answered += 1;
        }
    }
    let found = block_on(resolver.resolve("192.0.2.7", 7471, None)).unwrap();
    assert_eq!(found.first().unwrap().route().len(), 1);
    assert!(answered > 20, "{answered}");
    // Eight are awaited at once, and what is dropped keeps its connection.
    assert!(daemon.connections() <= 16, "{}", daemon.connections());
}

/// A route whose time is over while others hold all threads.
#[test]
fn a_route_that_has_no_turn_is_timed_out() {
    let daemon = Daemon::start("no-turn", Kind::Unix);
    daemon.otherwise(|_| Act::Late(Duration::from_secs(3)));
    let patient = daemon.resolver().awaiting();
    let short = daemon.resolver().with_deadline(Duration::from_millis(100)).awaiting();
    let mut all: Vec<_> = (0..8)
        .map(|number| {
            let node = address(number).to_string();
            let patient = &patient;
            Box::pin(async move { patient.resolve(&node, 1, None).await })
        })
        .collect();
    for future in &mut all {
        assert!(future.as_mut().poll(&mut Context::from_waker(Waker::noop())).is_pending());
    }
    let found = block_on(short.resolve("192.0.2.7", 1, None)).unwrap();
    assert_eq!(found.first().unwrap().route_status(), RouteStatus::Missing(NoRoute::TimedOut));
}
