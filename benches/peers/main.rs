//! A job's start: all peers of it, which a hosts file of 10,000 lines names, with sources and ports. By one call and by
//! one command of ours; by librdmacm in a loop and in 64 threads, getaddrinfo(3) in a loop, and getent(1).
//!
//! The others take seconds for it, so it is not criterion's: the engines take turns, three times, and the medians
//! are printed, with the goals. Each answer is checked.

mod waiting;

use rdma_addrinfo::{Flags, Resolver, Target};
use rdma_addrinfo_benches::{
    CLibrary, HINTS, Literal, Numeric, OUR_COMMAND, World, c_hints, getaddrinfo, left_out, our_command,
};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::Read;
use std::net::{Ipv4Addr, SocketAddr};
use std::ops::{Bound, RangeBounds};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use std::{env, fs, thread};

const ROUNDS: usize = 3;

/// How many threads ask librdmacm.
const THREADS: usize = 64;

/// Longer than a change of a file counts as recent.
const SETTLED: Duration = Duration::from_millis(100);

fn main() {
    let built = our_command();
    let known = built.as_deref().map(|path| (OUR_COMMAND, path)).ok();
    let world = World::enter_knowing(known).expect("the benchmark starts");
    if let Err(why) = world.own() {
        return left_out("peers, which are in a /etc/hosts of their own", &why);
    }
    let librdmacm = world.librdmacm().map_err(|why| left_out("librdmacm", &why)).ok();
    let command = built.map_err(|why| left_out("the command", &why)).ok();
    // As a test, a few of them once.
    let is_bench = env::args().any(|argument| argument == "--bench");
    let (count, rounds) = if is_bench { (10_000, ROUNDS) } else { (200, 1) };

    let times = compare(count, rounds, command.as_deref().map(Path::new), librdmacm.as_ref());
    println!("{count} peers of {count} lines, the median of {rounds}:");
    for (engine, time) in &times {
        println!("{:>12.1} ms   {engine}", milliseconds(*time));
    }
    if is_bench {
        goals(&times);
        growth();
    }
    waiting::waiting(&world, is_bench);
    println!("Success");
}

fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

/// The engines in turns.
fn compare(
    count: usize,
    rounds: usize,
    command: Option<&Path>,
    librdmacm: Option<&CLibrary>,
) -> BTreeMap<&'static str, Duration> {
    let inputs = peers(count);
    let right: Vec<SocketAddr> = (0..count).map(address).collect();
    let mut times = BTreeMap::<_, Vec<Duration>>::new();
    for _ in 0..rounds {
        let mut timed = |engine, run: &mut dyn FnMut() -> Vec<SocketAddr>| {
            let started = Instant::now();
            let found = run();
            times.entry(engine).or_default().push(started.elapsed());
            assert!(found == right, "{engine} is wrong");
        };
        timed("ours, one call", &mut || one_call(&inputs));
        if let Some(command) = command {
            timed("ours, one command", &mut || one_command(command, count));
        }
        timed("getaddrinfo in a loop", &mut || inputs.iter().map(by_getaddrinfo).collect());
        timed("getent hosts", &mut || getent(&inputs));
        if let Some(library) = librdmacm {
            let one = |input: &Literal| -> SocketAddr {
                let hints = c_hints(Flags::empty());
                let found = library.getaddrinfo(&input.c_node, &input.c_service, Some(&hints));
                found.expect("an answer").destinations()[0]
            };
            timed("librdmacm in a loop", &mut || inputs.iter().map(one).collect());
            timed("librdmacm in 64 threads", &mut || in_threads(&inputs, one));
        }
    }
    times.into_iter().map(|(engine, mut times)| (engine, median(&mut times))).collect()
}

fn median(times: &mut [Duration]) -> Duration {
    times.sort();
    times[times.len() / 2]
}

/// The address of a peer.
fn address(peer: usize) -> SocketAddr {
    let [_, high, middle, low] = u32::try_from(peer).expect("few").to_be_bytes();
    SocketAddr::from((Ipv4Addr::new(127, 1 + high, middle, low), 7471))
}

fn name(peer: usize) -> String {
    format!("node{peer:06}")
}

/// The peers, in a hosts file that has no more.
fn peers(count: usize) -> Vec<Literal> {
    let mut text = String::new();
    for peer in 0..count {
        // Formatting into a string does not fail.
        let _ = writeln!(text, "{} {}.cluster.example {}", address(peer).ip(), name(peer), name(peer));
    }
    fs::write("/etc/hosts", text).expect("hosts of the world");
    thread::sleep(SETTLED);
    (0..count).map(|peer| Literal::new(name(peer), "7471")).collect()
}

/// With the source of each.
fn one_call(inputs: &[Literal]) -> Vec<SocketAddr> {
    let resolver = Resolver::new();
    let targets = inputs.iter().map(|input| Target::new(&*input.node).with_port(7471).with_hints(&HINTS));
    let all = resolver.resolve_many(targets, 64).map(|one| {
        let found = one.result.expect("an answer");
        let first = found.first().expect("an entry");
        assert_eq!(first.src_addr().expect("a source").ip(), Some(Ipv4Addr::LOCALHOST.into()));
        first.dst_addr().expect("a destination").try_into().expect("an IP address")
    });
    all.collect()
}

/// From its start to its end.
fn one_command(command: &Path, count: usize) -> Vec<SocketAddr> {
    let list = format!("node[{:06}-{:06}]", 0, count - 1);
    let output = Command::new(command).args(["-w", &list, "7471"]).output().expect("it runs");
    assert!(output.status.success(), "{output:?}");
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    let destination = |line: &str| {
        let (_, rest) = line.split_once("127.0.0.1 -> ")?;
        rest.split(' ').next()?.parse().ok()
    };
    text.lines().map(|line| destination(line).expect("a result")).collect()
}

fn by_getaddrinfo(input: &Literal) -> SocketAddr {
    getaddrinfo(&input.c_node, &input.c_service, Numeric::No).expect("an answer").addresses()[0]
}

/// One process for all. It knows no ports, and looks for an IPv6 address first.
fn getent(inputs: &[Literal]) -> Vec<SocketAddr> {
    let mut getent = Command::new("getent");
    getent.arg("hosts").args(inputs.iter().map(|input| &input.node));
    let output = getent.output().expect("it runs");
    assert!(output.status.success(), "{output:?}");
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    let address = |line: &str| line.split_whitespace().next()?.parse::<Ipv4Addr>().ok();
    text.lines().map(|line| (address(line).expect("an address"), 7471).into()).collect()
}

fn in_threads(inputs: &[Literal], one: impl Fn(&Literal) -> SocketAddr + Sync) -> Vec<SocketAddr> {
    let one = &one;
    thread::scope(|scope| {
        let parts = inputs.chunks(inputs.len().div_ceil(THREADS));
        let threads: Vec<_> =
            parts.map(|part| scope.spawn(move || part.iter().map(one).collect::<Vec<_>>())).collect();
        threads.into_iter().flat_map(|thread| thread.join().expect("no panic")).collect()
    })
}

fn goal(what: &str, value: f64, wanted: impl RangeBounds<f64>) {
    let word = if wanted.contains(&value) { "reached" } else { "MISSED" };
    let bound = match (wanted.start_bound(), wanted.end_bound()) {
        (Bound::Included(least), _) => format!("at least {least}"),
        (_, Bound::Included(most)) => format!("at most {most}"),
        _ => String::new(),
    };
    println!("{what}: {value:.2}, {bound}: {word}");
}

fn goals(times: &BTreeMap<&'static str, Duration>) {
    let call = times["ours, one call"];
    goal("one call, ms", milliseconds(call), ..=100.0);
    if let Some(command) = times.get("ours, one command") {
        goal("one command, ms", milliseconds(*command), ..=200.0);
    }
    if let Some(theirs) = times.get("librdmacm in a loop") {
        goal("librdmacm in a loop ÷ one call", theirs.as_secs_f64() / call.as_secs_f64(), 60.0..);
    }
    if let Ok(Some(peak)) = our_command().map(|command| peak_memory(Path::new(&command))) {
        goal("memory of the command, MB", peak / 1e3, ..=16.0);
    }
}

/// How much memory the command has had, in kB, when it was nearly through.
fn peak_memory(command: &Path) -> Option<f64> {
    let mut child = Command::new(command);
    child.args(["-w", "node[000000-009999]", "7471"]).stdout(Stdio::piped());
    let mut child = child.spawn().ok()?;
    let mut out = child.stdout.take()?;
    let mut part = vec![0; 700_000];
    out.read_exact(&mut part).ok()?;
    let status = fs::read_to_string(format!("/proc/{}/status", child.id())).ok()?;
    out.read_to_end(&mut part).ok()?;
    child.wait().ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().trim_end_matches(" kB").parse().ok()
}

/// From 100 peers to 100,000, each of a file that has no more.
fn growth() {
    let mut each = Vec::new();
    for count in [100, 1000, 10_000, 100_000] {
        let inputs = peers(count);
        let mut times: Vec<_> = (0..ROUNDS)
            .map(|_| {
                let started = Instant::now();
                assert_eq!(one_call(&inputs).len(), count);
                started.elapsed()
            })
            .collect();
        let time = median(&mut times).as_secs_f64() * 1e6 / count as f64;
        println!("{count:>7} peers: {time:.2} us each");
        each.push(time);
    }
    let (first, last) = (each[0], each[each.len() - 1]);
    goal("each of 100,000 peers ÷ each of 100", last / first, ..=1.2);
}
