//! A world of a test's own: its own network, its own `/etc` with names, services and name servers, its own `/run`,
//! and an RDMA device if it wants one.
//!
//! A test that wants one starts itself again, alone in a new process, in new network and mount namespaces by
//! unshare(1): as root, else in a user namespace too. What it sees as `/etc` is a directory of its own; the host's
//! is never written to.

// Each test program uses a part of this.
#![allow(dead_code)]

mod device;
pub(crate) mod dns;
#[allow(unsafe_code)]
pub(crate) mod interface;
pub(crate) mod random;
#[allow(unsafe_code)]
pub(crate) mod refused;

use std::any::type_name;
use std::env;
use std::fs::{self, File};
use std::hash::{BuildHasher, RandomState};
use std::io::{self, Write};
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::process::{self, Command};
use std::sync::OnceLock;
use std::thread;
use std::time::{Duration, Instant};

/// Set in the process that is to be in a world: the directory that holds its `/etc`, `/run` and `/dev`.
pub(crate) const WORLD: &str = "RDMA_ADDRINFO_TEST_WORLD";

/// May be set: a command, with its arguments, under which tests run in their worlds, such as valgrind(1).
const UNDER: &str = "RDMA_ADDRINFO_TEST_UNDER";

/// May be set: the [`seed`].
const SEED: &str = "RDMA_ADDRINFO_TEST_SEED";

/// May be set to `real`: the device of a world is the machine's own, such as a guest's, and so is the kernel's
/// connection manager.
const DEVICE: &str = "RDMA_ADDRINFO_TEST_DEVICE";

/// A file of the world: what the test was last about to do.
const NOTE: &str = "note";

/// How long a test may take in its world, unless it says so.
const PATIENCE: Duration = Duration::from_secs(120);

/// Longer than a change of a file counts as recent.
pub(crate) const SETTLED: Duration = Duration::from_millis(30);

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
    /// Whether libibverbs finds an RDMA device.
    pub(crate) device: bool,
}

impl World<'_> {
    /// No host, no service, nobody to ask.
    pub(crate) const EMPTY: Self = World {
        hosts: "127.0.0.1 localhost\n::1 localhost\n",
        services: "",
        names: "files",
        options: "",
        device: false,
    };

    /// Runs the body of a test in this world. `body` is a closure in the test itself, whose name it gives.
    pub(crate) fn run<F: FnOnce()>(&self, body: F) {
        self.run_within(PATIENCE, body);
    }

    /// The same for a test that may take so long.
    pub(crate) fn run_within<F: FnOnce()>(&self, patience: Duration, body: F) {
        if let Some(root) = env::var_os(WORLD) {
            enter(Path::new(&root));
            end_in(patience);
            return body();
        }
        let name = test_name::<F>();
        let root = self.furnish(name);
        let outcome = again(name, &root, self.sys(&root));
        let note = fs::read_to_string(root.join(NOTE)).unwrap_or_default();
        // What is left over does no harm.
        let _ = fs::remove_dir_all(&root);
        if let Err(problem) = outcome {
            panic!("{problem}\nits last note: {}", note.split('\0').next().unwrap_or("none"));
        }
    }

    /// Moves a program that is no test into this world: starts it again in there, with its arguments, and ends as that
    /// one does. In there it returns; nothing bounds the time.
    pub(crate) fn move_in(&self, name: &str) {
        if let Some(root) = env::var_os(WORLD) {
            return enter(Path::new(&root));
        }
        let root = self.furnish(name);
        let child = unshare_flags(&root.join("etc")).map(|flags| {
            let this = env::current_exe().unwrap();
            let mut child = Command::new("unshare");
            child.arg(flags).arg(this).args(env::args_os().skip(1));
            child.env(WORLD, &root).env(device::SYSFS, self.sys(&root)).status().unwrap()
        });
        let _ = fs::remove_dir_all(&root);
        match child {
            Ok(status) => process::exit(status.code().unwrap_or(1)),
            Err(why) => panic!("{name}: {why}"),
        }
    }

    /// Where libibverbs is to look for devices.
    fn sys(&self, root: &Path) -> PathBuf {
        if self.device && has_real_device() { "/sys".into() } else { root.join("sys") }
    }

    fn furnish(&self, name: &str) -> PathBuf {
        // Programs that are no tests have no place of their own.
        let place = option_env!("CARGO_TARGET_TMPDIR").map_or_else(env::temp_dir, PathBuf::from);
        let root = place.join(format!("{}-{}", name.replace("::", "-"), process::id()));
        let [etc, run, dev, sys] = ["etc", "run", "dev", "sys"].map(|folder| root.join(folder));
        for folder in [&etc, &run] {
            fs::create_dir_all(folder).unwrap();
        }
        let Self { hosts, services, names, options, device } = self;
        if *device {
            device::name_driver(&etc);
            if !has_real_device() {
                device::furnish(&dev, &sys);
            }
        }
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
        root
    }
}

/// The name by which the test harness knows the test that the closure is in.
fn test_name<F>() -> &'static str {
    let path = type_name::<F>().trim_end_matches("::{{closure}}");
    path.split_once("::").map_or(path, |(_, name)| name)
}

/// Runs a test of this program again, in a world.
fn again(name: &str, root: &Path, sys: PathBuf) -> Result<(), String> {
    let flags = match unshare_flags(&root.join("etc")) {
        Ok(flags) => flags,
        Err(why) if in_ci() => return Err(why),
        Err(why) => {
            skipped(name, &why);
            return Ok(());
        }
    };
    let this = env::current_exe().map_err(|error| error.to_string())?;
    let child = Command::new("unshare")
        .arg(flags)
        .args(env::var(UNDER).unwrap_or_default().split_whitespace())
        .arg(this)
        .args(["--exact", name, "--nocapture", "--test-threads=1"])
        .env(WORLD, root)
        .env(device::SYSFS, sys)
        .env(SEED, seed().to_string())
        .output()
        .map_err(|error| error.to_string())?;
    let (told, failed) = (String::from_utf8_lossy(&child.stdout), String::from_utf8_lossy(&child.stderr));
    // A name that the harness does not know runs no test, with success.
    if child.status.success() && told.contains("test result: ok. 1 passed") {
        // What it left out in there.
        failed.lines().filter(|line| line.starts_with(SKIPPED)).for_each(say);
        return Ok(());
    }
    Err(format!("in its world, {}:\n{told}\n{failed}", child.status))
}

/// How unshare(1) makes a world here; else why it cannot, and what would help.
fn unshare_flags(etc: &Path) -> Result<&'static str, String> {
    let mut problem = String::new();
    for flags in ["-mn", "-Urmn"] {
        let mut trial = Command::new("unshare");
        trial.args([flags, "mount", "--bind"]).arg(etc).arg("/etc");
        match trial.output() {
            Ok(output) if output.status.success() => return Ok(flags),
            Ok(output) => problem = String::from_utf8_lossy(&output.stderr).trim().replace('\n', "; "),
            Err(error) => problem = format!("unshare(1): {error}"),
        }
    }
    Err(format!("no namespaces ({problem}): run it as root with CAP_SYS_ADMIN, or allow user namespaces"))
}

/// Makes the namespaces of this process, which are new, a world.
fn enter(root: &Path) {
    let mount = |from: &Path, to: &Path| {
        // With what is mounted below.
        let mount = Command::new("mount").arg("--rbind").args([from, to]).output().unwrap();
        assert!(mount.status.success(), "{mount:?}");
    };
    mount(&root.join("etc"), Path::new("/etc"));
    let dev = root.join("dev");
    if dev.is_dir() {
        for device in device::DEVICES {
            mount(&Path::new("/dev").join(device), &dev.join(device));
        }
        mount(&dev, Path::new("/dev"));
    }
    // Hides the host's daemons: a name service cache, ibacm. The last mount, since mount(8) may use it.
    mount(&root.join("run"), Path::new("/run"));
    interface::raise_loopback().unwrap();
    // A file that changed just now is not indexed: whether it is shall not depend on how long this took.
    thread::sleep(SETTLED);
}

/// Ends this process if the test in it does not.
fn end_in(patience: Duration) {
    thread::spawn(move || {
        thread::sleep(patience);
        let _ = writeln!(io::stderr(), "still running after {patience:?}");
        process::abort();
    });
}

/// The folder of the world that stands for sysfs.
pub(crate) fn sysfs() -> PathBuf {
    env::var_os(device::SYSFS).expect("in a world").into()
}

/// Notes what the test is about to do; it is told if the test fails, even by a crash of its process.
pub(crate) fn note(text: &str) {
    static FILE: OnceLock<File> = OnceLock::new();
    let file = FILE.get_or_init(|| {
        let root = env::var_os(WORLD).expect("in a world");
        File::create(Path::new(&root).join(NOTE)).unwrap()
    });
    // Over the last one, with an end: truncating a file for each would be slow.
    file.write_all_at(format!("{text}\0").as_bytes(), 0).unwrap();
}

/// A number of this run: another one in each, the same in a test and in its world.
pub(crate) fn seed() -> u64 {
    static FRESH: OnceLock<u64> = OnceLock::new();
    *FRESH.get_or_init(|| match env::var(SEED) {
        Ok(seed) => seed.parse().expect("a decimal seed"),
        Err(_) => RandomState::new().hash_one(process::id()),
    })
}

/// Whether this runs under another program, and many times slower.
pub(crate) fn is_slow() -> bool {
    env::var_os(UNDER).is_some()
}

/// Whether worlds with a device have a real one, whose connection manager knows AF_IB.
pub(crate) fn has_real_device() -> bool {
    env::var_os(DEVICE).is_some_and(|device| device == "real")
}

/// Whether nothing may be skipped.
pub(crate) fn in_ci() -> bool {
    env::var_os("CI").is_some_and(|ci| ci == "true")
}

/// How the line of a skipped test begins, by which `.ci/test` finds it.
const SKIPPED: &str = "!!!!! SKIPPED: ";

/// Says that a test is skipped; why, and what to do about it.
pub(crate) fn skipped(name: &str, why: &str) {
    say(&format!("\n{SKIPPED}{name}: {why} !!!!!\n"));
}

/// Tells, not by a macro, whose output the test harness keeps to itself.
pub(crate) fn say(text: &str) {
    let _ = writeln!(io::stderr(), "{text}");
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

/// How many lookup threads this process has.
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
