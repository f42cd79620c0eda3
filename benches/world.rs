//! Namespaces of a benchmark's own, with the RDMA device that librdmacm wants and a `/run` for ibacm.
//!
//! The host's `/run` may have an ibacm of its own: nothing of the host is changed.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{self, Command, Stdio};
use std::{env, fs, io};

/// Set in a process that is in its world.
const WORLD: &str = "RDMA_ADDRINFO_BENCH_WORLD";

/// What libibverbs takes for a device of Soft-RoCE; it asks of the device file only whether it is there.
const DEVICE: [(&str, &str); 7] = [
    ("sys/class/infiniband_verbs/abi_version", "6\n"),
    ("sys/class/infiniband_verbs/uverbs0/ibdev", "rxe_sim0\n"),
    ("sys/class/infiniband_verbs/uverbs0/dev", "231:192\n"),
    ("sys/class/infiniband_verbs/uverbs0/abi_version", "2\n"),
    ("sys/class/infiniband/rxe_sim0/node_type", "1: CA\n"),
    ("sys/class/infiniband/rxe_sim0/node_guid", "0200:00ff:fe00:0001\n"),
    ("dev/infiniband/uverbs0", ""),
];

/// The machine's own devices that a process needs.
const DEVICES: [&str; 5] = ["null", "zero", "full", "random", "urandom"];

/// Mounts what is in the directory $0, and becomes the command. `/run` is last, since mount(8) may use it.
const ENTER: &str = r#"set -e
for device in "$0"/dev/*; do [ -d "$device" ] || mount --bind "/dev/${device##*/}" "$device"; done
mount --rbind "$0/dev" /dev
mount --bind "$0/run" /run
exec "$@""#;

/// Where a benchmark runs.
#[derive(Debug)]
pub enum World {
    /// In a world, where librdmacm finds a device and looks for ibacm at this socket.
    Own(PathBuf),
    /// On the host, since there can be no world; a directory for the daemon's socket.
    Host(PathBuf, String),
}

impl World {
    /// Runs this program again, in a world, and ends with it. Returns in that world; on the host where there can be
    /// none, with the reason.
    ///
    /// # Errors
    /// When there is no temporary directory, or the program does not start again.
    pub fn enter() -> io::Result<Self> {
        if env::var_os(WORLD).is_some() {
            return Ok(Self::Own("/run/ibacm.sock".into()));
        }
        // Not below the target directory: the path of a Unix socket is short.
        let root = env::temp_dir().join(format!("rdma-addrinfo-bench-{}", process::id()));
        fs::create_dir(&root)?;
        furnish(&root)?;
        let Some(flags) = ["-mn", "-Urmn"].into_iter().find(|flags| can_enter(flags, &root)) else {
            return Ok(Self::Host(root, "unshare(1) and mount(8) cannot make namespaces here".into()));
        };
        let this = env::current_exe()?;
        let status = world(flags, &root, this.as_os_str()).args(env::args_os().skip(1)).status();
        remove(&root);
        process::exit(status?.code().unwrap_or(1));
    }

    /// Where a daemon is to listen.
    #[must_use]
    pub fn socket(&self) -> PathBuf {
        match self {
            Self::Own(socket) => socket.clone(),
            Self::Host(root, _) => root.join("run/ibacm.sock"),
        }
    }
}

impl Drop for World {
    fn drop(&mut self) {
        if let Self::Host(root, _) = self {
            remove(root);
        }
    }
}

fn furnish(root: &Path) -> io::Result<()> {
    let devices = DEVICES.map(|device| (format!("dev/{device}"), ""));
    for (file, text) in DEVICE.iter().map(|(file, text)| ((*file).to_owned(), *text)).chain(devices) {
        let path = root.join(file);
        path.parent().map_or(Ok(()), fs::create_dir_all)?;
        fs::write(path, text)?;
    }
    fs::create_dir(root.join("run"))
}

fn can_enter(flags: &str, root: &Path) -> bool {
    let mut trial = world(flags, root, OsStr::new("true"));
    trial.stdout(Stdio::null()).stderr(Stdio::null());
    trial.status().is_ok_and(|status| status.success())
}

/// The command in the world of that directory.
fn world(flags: &str, root: &Path, command: &OsStr) -> Command {
    let mut unshare = Command::new("unshare");
    unshare.args([flags, "sh", "-c", ENTER]).arg(root).arg(command);
    unshare.env(WORLD, "yes").env("SYSFS_PATH", root.join("sys"));
    unshare
}

/// What is left over does no harm.
fn remove(root: &Path) {
    let _ = fs::remove_dir_all(root);
}
