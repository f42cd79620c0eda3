//! The awaiting resolver against its peers, in one run: latency of one, throughput, memory, threads, shutdown.
//!
//! Each measurement is a process of its own, since pools and memory stay; all are in one world, with a name server of
//! this program. `awaiting` prints tables, `awaiting PART…` those parts.

#[path = "../../std/tests/common/mod.rs"]
mod common;
#[path = "../daemon.rs"]
#[allow(dead_code)]
mod daemon;
mod engines;
mod meters;
mod parts;

use common::{World, dns::Dns};
use rustix::net::sockopt;
use std::env;
use std::fmt::Write as _;
use std::fs;
use std::net::UdpSocket;
use std::process::{Command, ExitCode};
use std::thread;
use std::time::Duration;

/// Set in the process of a measurement: the part, the engine, and how many.
const ONE: &str = "RDMA_ADDRINFO_BENCH_ONE";

const WORLD: World<'_> = World {
    hosts: "127.0.0.1 localhost\n::1 localhost\n127.0.0.7 storage-7\n",
    names: "files dns",
    options: "timeout:3 attempts:1",
    device: true,
    ..World::EMPTY
};

/// What a name of the slow server takes.
const DELAY: Duration = Duration::from_millis(20);

/// A part: its name, its title, what it is measured with, the columns, and its server.
struct Part {
    name: &'static str,
    title: &'static str,
    columns: &'static str,
    engines: &'static [&'static str],
    amounts: &'static [usize],
    /// None: it answers nothing.
    delay: Option<Duration>,
}

const EVERY: &[&str] = &["ours", "tokio_lookup_host", "smol_resolve", "hickory", "librdmacm_spawn_blocking"];

const PARTS: &[Part] = &[
    Part {
        name: "hosts",
        title: "A name of `/etc/hosts`, one at a time",
        columns: "p50 us | p99 us | wake-ups a call",
        engines: &[
            "ours_blocking",
            "ours",
            "ours_by_system",
            "tokio_lookup_host",
            "smol_resolve",
            "librdmacm_spawn_blocking",
        ],
        amounts: &[1],
        delay: Some(Duration::ZERO),
    },
    Part {
        name: "server",
        title: "A name of a server that answers at once, one at a time",
        columns: "p50 us | p99 us | wake-ups a call",
        engines: &[
            "ours_blocking",
            "ours",
            "tokio_lookup_host",
            "smol_resolve",
            "hickory",
            "librdmacm_spawn_blocking",
        ],
        amounts: &[1],
        delay: Some(Duration::ZERO),
    },
    Part {
        name: "route",
        title: "A literal with its route by ibacm, one at a time",
        columns: "p50 us | p99 us | wake-ups a call",
        engines: &["ours_blocking", "ours", "ours_spawn_blocking", "librdmacm_spawn_blocking"],
        amounts: &[1],
        delay: Some(Duration::ZERO),
    },
    Part {
        name: "many",
        title: "Names of a server that takes 20 ms, so many in flight",
        columns: "names | s | names a second | most threads | KiB a name in flight",
        engines: EVERY,
        amounts: &[1, 10, 100, 1000, 10_000],
        delay: Some(DELAY),
    },
    Part {
        name: "peers",
        title: "The last name of a hosts file of 10,000 lines, so many in flight",
        columns: "names | s | names a second | most threads | KiB a name in flight",
        engines: &["ours", "tokio_lookup_host", "smol_resolve"],
        amounts: &[64],
        delay: Some(Duration::ZERO),
    },
    Part {
        name: "drop",
        title: "A runtime is dropped with so many names in flight, whose server is silent; glibc waits 3 s for it",
        columns: "ms",
        engines: EVERY,
        amounts: &[1000],
        delay: None,
    },
    Part {
        name: "stuck",
        title: "A route while 64 names are stuck",
        columns: "p50 us | p99 us | wake-ups a call",
        engines: &["ours"],
        amounts: &[64],
        delay: None,
    },
];

fn main() -> ExitCode {
    if let Ok(one) = env::var(ONE) {
        let words: Vec<_> = one.split(' ').collect();
        let [part, engine, amount] = words[..] else { panic!("{one}") };
        println!("{}", parts::measure(part, engine, amount.parse().unwrap()));
        return ExitCode::SUCCESS;
    }
    WORLD.move_in("awaiting");
    let wanted: Vec<_> = env::args().skip(1).collect();
    let socket = UdpSocket::bind("127.0.0.1:53").unwrap();
    // A burst of questions shall not be lost; without the right to it they may be.
    let _ = sockopt::set_socket_recv_buffer_size_force(&socket, 32 << 20);
    let dns = Dns::on(socket, DELAY);
    let _daemon = daemon::Daemon::start("/run/ibacm.sock".as_ref()).unwrap();
    let mut failed = false;
    for part in PARTS.iter().filter(|part| wanted.is_empty() || wanted.iter().any(|name| name == part.name)) {
        let hosts = if part.name == "peers" { parts::peers() } else { WORLD.hosts.into() };
        fs::write("/etc/hosts", hosts).unwrap();
        // A file that has just changed is read again by each call.
        thread::sleep(Duration::from_millis(100));
        dns.set_silent(part.delay.is_none());
        dns.set_delay(part.delay.unwrap_or_default());
        println!("\n{}\n\n| engine | in flight | {} |", part.title, part.columns);
        println!("|---|---:|{}", "---:|".repeat(part.columns.split('|').count()));
        for amount in part.amounts {
            for engine in part.engines {
                let row = measured(part.name, engine, *amount);
                failed |= row.is_err();
                let row = row.unwrap_or_else(|why| format!("FAILED: {why}"));
                println!("| {engine} | {amount} | {row} |");
            }
        }
    }
    let load = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
    println!("\nload of the machine at the end: {}", load.split(' ').next().unwrap_or("unknown"));
    if failed { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}

/// A row of the table, by a process of its own: of three, the one whose first figure is in the middle.
fn measured(part: &str, engine: &str, amount: usize) -> Result<String, String> {
    let passes = if matches!(part, "many" | "peers" | "drop") { 1 } else { 3 };
    let mut rows = Vec::new();
    for _ in 0..passes {
        let this = env::current_exe().map_err(|error| error.to_string())?;
        let one = format!("{part} {engine} {amount}");
        let run = Command::new(this).env(ONE, one).output().map_err(|error| error.to_string())?;
        if !run.status.success() {
            let mut why = run.status.to_string();
            let told = String::from_utf8_lossy(&run.stderr);
            let _ = write!(why, " {}", told.lines().nth(2).or(told.lines().next()).unwrap_or_default());
            return Err(why);
        }
        rows.push(String::from_utf8_lossy(&run.stdout).trim().to_owned());
    }
    let first =
        |row: &str| row.split('|').next().and_then(|cell| cell.trim().parse::<f64>().ok()).unwrap_or(0.0);
    rows.sort_by(|one, other| first(one).total_cmp(&first(other)));
    rows.into_iter().nth(passes / 2).ok_or_else(|| "no row".to_owned())
}
