//! Namespaces of a benchmark's own: a loopback network, names in `/etc/hosts`, the RDMA device that librdmacm wants,
//! and a `/run` for ibacm.
//!
//! The host's `/run` may have an ibacm of its own: nothing of the host is changed.

#[path = "../std/tests/common/device.rs"]
mod device;
#[allow(unsafe_code, dead_code)]
#[path = "../std/tests/common/interface.rs"]
mod interface;

use crate::{CLibrary, HINTS, c_hints};
use rdma_addrinfo::Library;
use rdma_addrinfo_core::Flags;
use std::ffi::OsStr;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::{self, Command, Stdio};
use std::{env, fs, io};

/// Set in a process that is in its world.
const WORLD: &str = "RDMA_ADDRINFO_BENCH_WORLD";

/// May be set: a command, with its arguments, under which benchmarks run in their worlds, such as valgrind(1).
const UNDER: &str = "RDMA_ADDRINFO_BENCH_UNDER";

/// The names, and how names are found.
const ETC: [(&str, &str); 4] = [
    (
        "hosts",
        "127.0.0.1 localhost\n::1 localhost\n127.0.0.21 one\n127.0.0.11 eight\n127.0.0.12 eight\n\
         127.0.0.13 eight\n127.0.0.14 eight\n127.0.0.15 eight\n127.0.0.16 eight\n127.0.0.17 eight\n\
         127.0.0.18 eight\n",
    ),
    ("nsswitch.conf", "hosts: files\nservices: files\nprotocols: files\n"),
    ("host.conf", "multi on\n"),
    ("services", ""),
];

/// Mounts what is in the directory $0, and becomes the command. `/run` is last, since mount(8) may use it.
const ENTER: &str = r#"set -e
for device in "$0"/dev/*; do [ -d "$device" ] || mount --bind "/dev/${device##*/}" "$device"; done
mount --rbind "$0/dev" /dev
mount --bind "$0/etc" /etc
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
        Self::enter_knowing(None)
    }

    /// The same, with one more variable of the environment.
    ///
    /// # Errors
    /// As [`enter`](Self::enter).
    pub fn enter_knowing(variable: Option<(&str, &OsStr)>) -> io::Result<Self> {
        if env::var_os(WORLD).is_some() {
            interface::raise_loopback()?;
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
        let under = env::var(UNDER).unwrap_or_default();
        let command: Vec<_> = under.split_whitespace().map(OsStr::new).chain([this.as_os_str()]).collect();
        let status = world(flags, &root, &command).args(env::args_os().skip(1)).envs(variable).status();
        remove(&root);
        process::exit(status?.code().unwrap_or(1));
    }

    /// librdmacm as C has it, if it answers here.
    ///
    /// # Errors
    /// Why it does not.
    pub fn librdmacm(&self) -> Result<CLibrary, String> {
        self.own()?;
        let library = CLibrary::librdmacm()?;
        let hints = c_hints(Flags::NUMERIC_HOST);
        let found = library.getaddrinfo(c"192.0.2.7", c"7471", Some(&hints));
        let found = found.map_err(|error| format!("librdmacm answers {error}"))?.destinations();
        assert_eq!(found, [SocketAddr::from(([192, 0, 2, 7], 7471))]);
        Ok(library)
    }

    /// librdmacm through our binding, if it answers here.
    ///
    /// # Errors
    /// Why it does not.
    pub fn binding(&self) -> Result<Library, String> {
        self.own()?;
        let library = Library::load().map_err(|error| error.to_string())?;
        let hints = HINTS.numeric_host();
        library.getaddrinfo("192.0.2.7", "7471", &hints).map_err(|error| error.to_string())?;
        Ok(library)
    }

    /// That there are namespaces, so that there is a device, and there are names.
    ///
    /// # Errors
    /// Why not.
    pub fn own(&self) -> Result<(), String> {
        match self {
            Self::Own(_) => Ok(()),
            Self::Host(_, why) => Err(why.clone()),
        }
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
    let [etc, dev, run] = ["etc", "dev", "run"].map(|folder| root.join(folder));
    for folder in [&etc, &dev, &run] {
        fs::create_dir(folder)?;
    }
    device::name_driver(&etc);
    device::furnish(&dev, &root.join("sys"));
    ETC.iter().try_for_each(|(file, text)| fs::write(etc.join(file), text))
}

fn can_enter(flags: &str, root: &Path) -> bool {
    let mut trial = world(flags, root, &[OsStr::new("true")]);
    trial.stdout(Stdio::null()).stderr(Stdio::null());
    trial.status().is_ok_and(|status| status.success())
}

/// The command in the world of that directory.
fn world(flags: &str, root: &Path, command: &[&OsStr]) -> Command {
    let mut unshare = Command::new("unshare");
    unshare.args([flags, "sh", "-c", ENTER]).arg(root).args(command);
    unshare.env(WORLD, "yes").env(device::SYSFS, root.join("sys"));
    unshare
}

/// What is left over does no harm.
fn remove(root: &Path) {
    let _ = fs::remove_dir_all(root);
}
