//! A world of a test's own: its own network, and its own `/etc` with names, services and name servers.
//!
//! A test that wants one starts itself again, alone in a new process, in new network and mount namespaces by
//! unshare(1): as root, else in a user namespace too. What it sees as `/etc` is a directory of its own; the host's
//! is never written to.

pub(crate) mod dns;
#[allow(unsafe_code)]
mod interface;

use std::any::type_name;
use std::env;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::{self, Command};
use std::thread;
use std::time::{Duration, Instant};

/// Set in the process that is to be in a world: the directory that becomes its `/etc`.
const WORLD: &str = "RDMA_ADDRINFO_TEST_WORLD";

/// How long a test may take in its world.
const PATIENCE: Duration = Duration::from_secs(120);

/// What is in a world.
#[derive(Clone, Copy, Debug)]
pub(crate) struct World<'a> {
    /// hosts(5)
    pub(crate) hosts: &'a str,
    /// services(5)
    pub(crate) services: &'a str,
    /// The line for hosts of nsswitch.conf(5).
    pub(crate) names: &'a str,
    /// The options of resolv.conf(5); the name server is 127.0.0.1.
    pub(crate) options: &'a str,
}

impl World<'_> {
    /// No host, no service, nobody to ask.
    pub(crate) const EMPTY: Self =
        World { hosts: "127.0.0.1 localhost\n::1 localhost\n", services: "", names: "files", options: "" };

    /// Runs the body of a test in this world. `body` is a closure in the test itself, whose name it gives.
    pub(crate) fn run<F: FnOnce()>(&self, body: F) {
        if let Some(etc) = env::var_os(WORLD) {
            enter(Path::new(&etc));
            return body();
        }
        let name = test_name::<F>();
        let etc = self.furnish(name);
        let outcome = again(name, &etc);
        // What is left over does no harm.
        let _ = fs::remove_dir_all(&etc);
        if let Err(problem) = outcome {
            panic!("{problem}");
        }
    }

    fn furnish(&self, name: &str) -> PathBuf {
        let etc = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!(
            "{}-{}",
            name.replace("::", "-"),
            process::id()
        ));
        fs::create_dir_all(&etc).unwrap();
        let Self { hosts, services, names, options } = self;
        for (file, text) in [
            ("hosts", (*hosts).to_owned()),
            ("services", (*services).to_owned()),
            ("nsswitch.conf", format!("hosts: {names}\nservices: files\nprotocols: files\n")),
            ("resolv.conf", format!("nameserver 127.0.0.1\noptions {options}\n")),
            ("host.conf", "multi on\n".into()),
            ("protocols", "tcp 6 TCP\nudp 17 UDP\n".into()),
        ] {
            fs::write(etc.join(file), text).unwrap();
        }
        etc
    }
}

/// The name by which the test harness knows the test that the closure is in.
fn test_name<F>() -> &'static str {
    let path = type_name::<F>().trim_end_matches("::{{closure}}");
    path.split_once("::").map_or(path, |(_, name)| name)
}

/// Runs a test of this program again, in a world.
fn again(name: &str, etc: &Path) -> Result<(), String> {
    let Some(flags) = unshare_flags(etc) else {
        if env::var_os("CI").is_some_and(|ci| ci == "true") {
            return Err("unshare(1) and mount(8) cannot make a world for the test".into());
        }
        // Not by a macro, whose output the test harness keeps to itself.
        let _ = writeln!(
            io::stderr(),
            "\n!!!!! SKIPPED: {name}: unshare(1) or mount(8) does not work here !!!!!\n"
        );
        return Ok(());
    };
    let this = env::current_exe().map_err(|error| error.to_string())?;
    let child = Command::new("unshare")
        .arg(flags)
        .arg(this)
        .args(["--exact", name, "--nocapture", "--test-threads=1"])
        .env(WORLD, etc)
        .output()
        .map_err(|error| error.to_string())?;
    let (told, failed) = (String::from_utf8_lossy(&child.stdout), String::from_utf8_lossy(&child.stderr));
    // A name that the harness does not know runs no test, with success.
    if child.status.success() && told.contains("test result: ok. 1 passed") {
        return Ok(());
    }
    Err(format!("in its world, {}:\n{told}\n{failed}", child.status))
}

/// How unshare(1) makes a world here, if it can.
fn unshare_flags(etc: &Path) -> Option<&'static str> {
    ["-mn", "-Urmn"].into_iter().find(|flags| {
        let mut trial = Command::new("unshare");
        trial.args([*flags, "mount", "--bind"]).arg(etc).arg("/etc");
        trial.output().is_ok_and(|output| output.status.success())
    })
}

/// Makes the namespaces of this process, which are new, a world.
fn enter(etc: &Path) {
    let mount = Command::new("mount").arg("--bind").arg(etc).arg("/etc").output().unwrap();
    assert!(mount.status.success(), "{mount:?}");
    // A name service cache would answer from the host.
    if Path::new("/run/nscd").is_dir() {
        let hide = Command::new("mount").arg("--bind").arg(etc).arg("/run/nscd").output().unwrap();
        assert!(hide.status.success(), "{hide:?}");
    }
    interface::raise_loopback().unwrap();
    thread::spawn(|| {
        thread::sleep(PATIENCE);
        let _ = writeln!(io::stderr(), "still running after {PATIENCE:?}");
        process::abort();
    });
}

/// Threads of this process by their names, as the kernel has them.
pub(crate) fn threads() -> Vec<String> {
    let tasks = fs::read_dir("/proc/self/task").unwrap();
    // One that ends meanwhile does not count.
    tasks
        .filter_map(|task| fs::read_to_string(task.ok()?.path().join("comm")).ok())
        .map(|name| name.trim().to_owned())
        .collect()
}

/// How many look-up threads this process has.
pub(crate) fn workers() -> usize {
    threads().iter().filter(|name| *name == "rdma-addrinfo").count()
}

/// The memory of this process that is in use, in bytes.
pub(crate) fn resident() -> u64 {
    let pages = fs::read_to_string("/proc/self/statm").unwrap();
    pages.split_whitespace().nth(1).unwrap().parse::<u64>().unwrap() * 4096
}

/// Waits until `done`, which must come true sooner or later.
#[track_caller]
pub(crate) fn wait_until(done: impl Fn() -> bool) {
    let end = Instant::now() + Duration::from_secs(40);
    while !done() {
        assert!(Instant::now() < end, "waited in vain");
        thread::sleep(Duration::from_millis(5));
    }
}
