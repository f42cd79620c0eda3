//! How long the slow calls take: the first of a process, and p50, p99 and p99.9 of many, alone and by two threads.
//!
//! A call is timed by itself, so each time holds one reading of the clock, some 20 ns. An iteration is a batch of calls,
//! and its time is the percentile of the batch; ten samples are a million calls.

use criterion::measurement::WallTime;
use criterion::{BenchmarkGroup, Criterion, SamplingMode};
use rdma_addrinfo::{Flags, Resolver, Results, resolve_literal};
use rdma_addrinfo_benches::{CLibrary, HINTS, c_hints};
use std::hint::black_box;
use std::net::SocketAddr;
use std::process::Command;
use std::sync::Barrier;
use std::time::{Duration, Instant};
use std::{env, thread};

const NODE: &str = "192.0.2.7";
const BATCH: usize = 100_000;
/// Set in a process that makes one call: the engine.
const FIRST: &str = "RDMA_ADDRINFO_BENCH_FIRST";

const ENGINES: [&str; 4] = ["ours_resolve_literal", "ours_no_source_no_route", "ours_defaults", "librdmacm"];
const PERCENTILES: [(&str, usize); 3] = [("p50", 500), ("p99", 990), ("p99_9", 999)];

/// Whether this process was started for its first call, which it then has made.
pub(crate) fn is_first_call() -> bool {
    let Ok(engine) = env::var(FIRST) else { return false };
    // A library that is loaded, and was asked nothing yet.
    let library = CLibrary::librdmacm().ok();
    println!("{}", time(&Call { engine: &engine, library }).as_nanos());
    true
}

pub(crate) fn measure(criterion: &mut Criterion, librdmacm: Option<&CLibrary>) {
    let library = librdmacm.copied();
    let engines = ENGINES.iter().filter(|engine| **engine != "librdmacm" || library.is_some());
    let calls: Vec<_> = engines.map(|engine| Call { engine, library }).collect();
    // As criterion tells whether it is to measure.
    let measures = env::args().any(|word| word == "--bench") && env::args().all(|word| word != "--test");
    let batch = if measures { BATCH } else { BATCH / 100 };
    for (area, threads) in [("tails_alone", 1), ("tails_two_threads", 2)] {
        for (case, permille) in PERCENTILES {
            let mut group = group(criterion, area, case);
            for call in &calls {
                group.bench_function(call.engine, |bencher| {
                    let percentile = |_| percentile(call, threads, batch, permille);
                    bencher.iter_custom(|rounds| (0..rounds).map(percentile).sum());
                });
            }
        }
    }
    let mut group = group(criterion, "tails_process", "first_call");
    for call in &calls {
        group.bench_function(call.engine, |bencher| {
            bencher.iter_custom(|rounds| (0..rounds).map(|_| first(call.engine)).sum());
        });
    }
}

fn group<'c>(criterion: &'c mut Criterion, area: &str, case: &str) -> BenchmarkGroup<'c, WallTime> {
    let mut group = criterion.benchmark_group(format!("{area}/{case}"));
    group.sampling_mode(SamplingMode::Flat).sample_size(10);
    group.warm_up_time(Duration::from_millis(10)).measurement_time(Duration::from_millis(500));
    group
}

/// One engine, and the library where it is of that.
#[derive(Clone, Copy)]
struct Call<'e> {
    engine: &'e str,
    library: Option<CLibrary>,
}

/// The time of one call, whose answer is checked outside of it.
#[inline(never)]
fn time(call: &Call<'_>) -> Duration {
    let right = SocketAddr::from(([192, 0, 2, 7], 7471));
    match (call.engine, &call.library) {
        ("ours_resolve_literal", _) => {
            let mut results = Results::<4>::new();
            let start = Instant::now();
            let list = black_box(resolve_literal(NODE, "7471", &HINTS, &mut results));
            let took = start.elapsed();
            let info = list.expect("an answer").first().expect("an entry");
            assert_eq!(info.dst_addr().and_then(|address| address.try_into().ok()), Some(right));
            took
        }
        ("librdmacm", Some(library)) => {
            let hints = c_hints(Flags::NUMERIC_HOST);
            let start = Instant::now();
            let list = black_box(library.getaddrinfo(c"192.0.2.7", c"7471", Some(&hints)));
            let took = start.elapsed();
            assert_eq!(list.expect("an answer").destinations(), [right]);
            took
        }
        (engine, _) => {
            let resolver = match engine {
                "ours_defaults" => Resolver::new(),
                _ => Resolver::new().with_source(false).with_routes(false),
            };
            let mut results = Results::<4>::new();
            let start = Instant::now();
            let list = black_box(resolver.resolve_into(NODE, "7471", &HINTS, &mut results));
            let took = start.elapsed();
            let info = list.expect("an answer").first().expect("an entry");
            assert_eq!(info.dst_addr().and_then(|address| address.try_into().ok()), Some(right));
            took
        }
    }
}

/// The permille of a batch, which the threads share.
fn percentile(call: &Call<'_>, threads: usize, batch: usize, permille: usize) -> Duration {
    let barrier = &Barrier::new(threads);
    let mut times: Vec<Duration> = thread::scope(|scope| {
        let run = move || {
            barrier.wait();
            (0..batch / threads).map(|_| time(call)).collect::<Vec<_>>()
        };
        let running: Vec<_> = (0..threads).map(|_| scope.spawn(run)).collect();
        running.into_iter().flat_map(|thread| thread.join().expect("it ended")).collect()
    });
    let at = times.len() * permille / 1000;
    *times.select_nth_unstable(at).1
}

/// The first call of a new process.
fn first(engine: &str) -> Duration {
    let this = env::current_exe().expect("this program");
    let child = Command::new(this).env(FIRST, engine).output().expect("it starts");
    let told = String::from_utf8(child.stdout).expect("text");
    Duration::from_nanos(told.trim().parse().unwrap_or_else(|_| panic!("{engine}: {told} {}", child.status)))
}
