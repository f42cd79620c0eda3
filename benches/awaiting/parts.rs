//! What is measured, each in a process of its own; a row of the table is what it prints.

use crate::engines::{Engine, engine, ours, runs_under_smol};
use crate::meters::{Watch, peak, resident, sleeps};
use futures::future::{BoxFuture, poll_immediate};
use futures::stream::{self, StreamExt};
use rdma_addrinfo::{Hints, IbEntries, Ibacm, Library, Resolver, RouteStatus};
use std::future::Future;
use std::net::{IpAddr, Ipv4Addr};
use std::sync::Arc;
use std::time::{Duration, Instant};

const SERVED: IpAddr = IpAddr::V4(Ipv4Addr::new(127, 0, 0, 53));
const OF_FILE: IpAddr = IpAddr::V4(Ipv4Addr::new(127, 0, 0, 7));
/// The last of [`peers`].
const LAST: IpAddr = IpAddr::V4(Ipv4Addr::new(127, 1, 39, 15));

/// A hosts file of as many lines.
pub(crate) fn peers() -> String {
    let line = |peer: u32| format!("{} node{peer:06}\n", Ipv4Addr::from_bits(0x7f01_0000 + peer));
    (0..10_000).map(line).collect()
}

pub(crate) fn measure(part: &str, name: &str, amount: usize) -> String {
    match part {
        "hosts" => latency(name, 4000, &|| of_engine(name, "storage-7", OF_FILE)),
        "server" => latency(name, 1000, &|| of_engine(name, "v4.example", SERVED)),
        "route" => latency(name, 2000, &|| of_route(name)),
        "many" => many(name, "v4.example", SERVED, amount),
        "peers" => many(name, "node009999", LAST, amount),
        "drop" => dropped(name, amount),
        "stuck" => stuck(amount),
        part => panic!("no part {part}"),
    }
}

/// A tokio of one thread, or smol.
fn run<T>(name: &str, future: impl Future<Output = T>) -> T {
    if runs_under_smol(name) {
        return smol::block_on(future);
    }
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(future)
}

type Call = Box<dyn Fn() -> BoxFuture<'static, ()>>;

fn of_engine(name: &str, node: &'static str, right: IpAddr) -> Call {
    let engine = engine(name);
    Box::new(move || {
        let call = engine(node);
        Box::pin(async move { assert_eq!(call.await, right) })
    })
}

fn checked(found: &rdma_addrinfo::Resolved) {
    assert_eq!(found.first().unwrap().route_status(), RouteStatus::Found);
}

fn of_route(name: &str) -> Call {
    let resolver = Resolver::new()
        .with_ibacm(Ibacm::socket("/run/ibacm.sock").unwrap())
        .with_ib_entries(IbEntries::Never)
        .with_source(false)
        .with_deadline(Duration::from_secs(60));
    match name {
        "ours_blocking" => Box::new(move || {
            Box::pin(async move { checked(&resolver.resolve("192.0.2.7", 7471, None).unwrap()) })
        }),
        "ours" => Box::new(move || {
            let resolver = resolver.awaiting();
            Box::pin(async move { checked(&resolver.resolve("192.0.2.7", 7471, None).await.unwrap()) })
        }),
        "ours_spawn_blocking" => Box::new(move || {
            let ask = move || checked(&resolver.resolve("192.0.2.7", 7471, None).unwrap());
            Box::pin(async move { tokio::task::spawn_blocking(ask).await.unwrap() })
        }),
        "librdmacm_spawn_blocking" => {
            let library = Arc::new(Library::load().unwrap());
            Box::new(move || {
                let library = Arc::clone(&library);
                let ask = move || {
                    let list =
                        library.getaddrinfo("192.0.2.7", "7471", &Hints::new().numeric_host()).unwrap();
                    assert_eq!(list.iter().next().unwrap().route().len(), 1);
                };
                Box::pin(async move { tokio::task::spawn_blocking(ask).await.unwrap() })
            })
        }
        name => panic!("no engine {name}"),
    }
}

/// One after the other.
fn latency(name: &str, calls: usize, call: &dyn Fn() -> Call) -> String {
    run(name, async {
        let call = call();
        for _ in 0..100 {
            call().await;
        }
        let mut times = Vec::with_capacity(calls);
        let before = sleeps();
        for _ in 0..calls {
            let begun = Instant::now();
            call().await;
            times.push(begun.elapsed());
        }
        let woken = (sleeps() - before) as f64 / calls as f64;
        times.sort_unstable();
        let us = |at: usize| times[at].as_secs_f64() * 1e6;
        format!("{:.1} | {:.1} | {woken:.2}", us(calls / 2), us(calls * 99 / 100))
    })
}

/// So many in flight that each engine is at work for some seconds at most.
fn many(name: &str, node: &'static str, right: IpAddr, in_flight: usize) -> String {
    let names = (in_flight * 160).clamp(100, 10_000);
    run(name, async {
        let engine: Engine = engine(name);
        assert_eq!(engine(node).await, right);
        let (watch, before) = (Watch::start(), resident());
        let begun = Instant::now();
        let calls = stream::iter(0..names).map(|_| engine(node)).buffer_unordered(in_flight);
        let found = calls.filter(|found| std::future::ready(*found == right)).count().await;
        let took = begun.elapsed().as_secs_f64();
        assert_eq!(found, names);
        let memory = peak().saturating_sub(before) as f64 / in_flight as f64;
        format!("{names} | {took:.2} | {:.0} | {} | {memory:.1}", names as f64 / took, watch.end())
    })
}

/// How long it takes to be rid of the runtime.
fn dropped(name: &str, in_flight: usize) -> String {
    let begun = run(name, async {
        let engine = engine(name);
        let mut calls: Vec<_> = (0..in_flight).map(|_| engine("node.example")).collect();
        for call in &mut calls {
            assert!(poll_immediate(call).await.is_none());
        }
        // What is to run in threads does.
        if runs_under_smol(name) {
            smol::Timer::after(Duration::from_millis(200)).await;
        } else {
            tokio::time::sleep(Duration::from_millis(200)).await;
        }
        Instant::now()
    });
    format!("{:.1}", begun.elapsed().as_secs_f64() * 1e3)
}

/// Routes while names hold all the threads for names.
fn stuck(names: usize) -> String {
    let resolver = ours().awaiting();
    let mut calls: Vec<_> = (0..names).map(|_| Box::pin(resolver.resolve("node.example", 1, None))).collect();
    futures::executor::block_on(async {
        for call in &mut calls {
            assert!(poll_immediate(call).await.is_none());
        }
    });
    let begun = Instant::now();
    let row = latency("ours", 500, &|| of_route("ours"));
    assert!(begun.elapsed() < Duration::from_millis(2500), "they are stuck no longer");
    row
}
