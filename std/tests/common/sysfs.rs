//! Trees of sysfs as folders: see sysfs/README.md for their text.

// Each test program uses a part of this.
#![allow(dead_code)]

use rdma_addrinfo::devices::{Devices, InterfaceAddress};
use std::collections::HashMap;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

/// A file that exists wherever sysfs is, and answers EINVAL: loopback has no speed.
const EINVAL: &str = "/sys/class/net/lo/speed";

/// A tree in a folder of its own, which goes with it.
#[derive(Debug)]
pub(crate) struct Tree {
    root: PathBuf,
    addresses: Vec<InterfaceAddress>,
}

impl Tree {
    /// The tree of this name, such as `constructed/bond`.
    pub(crate) fn named(name: &str) -> Self {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/sysfs/{name}.tree"));
        Self::new(&fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display())))
    }

    /// The tree of this text.
    pub(crate) fn new(text: &str) -> Self {
        static NUMBER: AtomicUsize = AtomicUsize::new(0);
        let number = NUMBER.fetch_add(1, Relaxed);
        Self::at(
            Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("sysfs-{}-{number}", process::id())),
            text,
        )
    }

    /// The same in the given folder.
    pub(crate) fn at(root: PathBuf, text: &str) -> Self {
        fs::create_dir_all(&root).unwrap();
        let mut tree = Self { root, addresses: Vec::new() };
        let mut indices = HashMap::new();
        for line in text.lines().filter(|line| !line.starts_with('#')) {
            let (path, value) = line.split_once('\t').unwrap_or_else(|| panic!("no tab: {line}"));
            if let Some(netdev) = path.strip_prefix("interfaces/") {
                let index: Option<&u32> = indices.get(netdev);
                tree.addresses.push(address(netdev, value, *index.expect("an ifindex before the addresses")));
                continue;
            }
            if let Some(("class/net", netdev)) =
                path.strip_suffix("/ifindex").and_then(|it| it.rsplit_once('/'))
            {
                indices.insert(netdev.to_owned(), value.parse().unwrap());
            }
            let paths = paths(path);
            let (first, others) = paths.split_first().expect("a range has a start");
            tree.put(first, value);
            // A link is made in a fraction of the time, of the thousands that a table has.
            for path in others {
                fs::hard_link(tree.root.join(first), tree.root.join(path)).unwrap();
            }
        }
        tree
    }

    /// Puts a file into the tree: a line of text, or `!` and an error.
    pub(crate) fn put(&self, path: &str, value: &str) {
        let path = self.path(path);
        // What stands for an error is a link into the machine's own sysfs: never written to.
        let _ = fs::remove_file(&path);
        match value {
            "!EINVAL" => symlink(EINVAL, path).unwrap(),
            error if error.starts_with('!') => panic!("no file that answers {error} is known"),
            text => fs::write(path, format!("{text}\n")).unwrap(),
        }
    }

    /// Where a file is to be, in a folder that is there.
    pub(crate) fn path(&self, path: &str) -> PathBuf {
        let path = self.root.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        path
    }

    pub(crate) fn root(&self) -> &Path {
        &self.root
    }

    /// What the reader makes of it.
    pub(crate) fn read(&self) -> Devices {
        Devices::read_from(&self.root, self.addresses.clone())
    }
}

impl Drop for Tree {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.root);
    }
}

/// The path, or those of the range that it ends in.
fn paths(path: &str) -> Vec<String> {
    let range = path.rsplit_once('/').and_then(|(folder, range)| {
        let (first, last) = range.split_once('-')?;
        Some((folder, first.parse::<u32>().ok()?, last.parse::<u32>().ok()?))
    });
    match range {
        Some((folder, first, last)) => (first..=last).map(|number| format!("{folder}/{number}")).collect(),
        None => vec![path.to_owned()],
    }
}

fn address(netdev: &str, subnet: &str, index: u32) -> InterfaceAddress {
    // The far end of a point-to-point interface has the prefix.
    let (address, prefix_length) = subnet.split_once('/').unwrap_or((subnet, ""));
    let address: std::net::IpAddr = address.parse().unwrap();
    let is_link_local = matches!(address, std::net::IpAddr::V6(v6) if v6.is_unicast_link_local());
    let prefix_length = prefix_length.parse().unwrap_or(if address.is_ipv4() { 32 } else { 128 });
    let mut own = InterfaceAddress::new(netdev, address, prefix_length);
    own.scope_id = if is_link_local { index } else { 0 };
    own
}
