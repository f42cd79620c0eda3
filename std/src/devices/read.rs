//! Reads the devices from sysfs.

use super::natural;
use super::problem::{Problem, ProblemKind};
use super::secure::has_more_rights_than_its_caller;
use super::sysfs::{Content, Folder, Sysfs};
use super::table::{Device, GidEntry, Netdev, Port};
use super::words::{GidType, LinkLayer, NodeType, PortState};
use super::{Devices, InterfaceAddress};
use crate::native::{self, InterfaceName};
use rdma_addrinfo_core::Gid;
use std::env;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// The default path of sysfs.
pub(super) const SYSFS: &str = "/sys";

/// The variable for another path, as for libibverbs.
pub(super) const SYSFS_PATH: &str = "SYSFS_PATH";

/// The directories of RDMA devices and of netdevs.
pub(super) const DEVICES: &str = "class/infiniband";
const NETDEVS: &str = "class/net";

/// The directory of the character devices of verbs.
const VERBS: &str = "class/infiniband_verbs";

/// Where the character devices are.
const CHARACTER_DEVICES: &str = "/dev/infiniband";

/// `ARPHRD_INFINIBAND` and `ARPHRD_ETHER` of `linux/if_arp.h`.
const IPOIB: &str = "32";
const ETHERNET: &str = "1";

/// The longest hardware address of the kernel, `MAX_ADDR_LEN`.
const LONGEST_HARDWARE_ADDRESS: usize = 32;

impl Devices {
    /// Reads the devices and interfaces of this machine, as seen from this thread's network namespace and mounts.
    ///
    /// It opens, reads and closes one small file for each entry of each GID table, and two more for each entry that is
    /// not empty: some microseconds a file, a millisecond or two for a port with 256 entries, and 50 to 100 ms for 60
    /// such ports. To find many addresses, read once and reuse the value; it does not follow later changes.
    ///
    /// There is no deadline. The numbers of files and bytes are bounded, but a file system that does not respond, such as
    /// a FUSE mount, blocks this call.
    ///
    /// Sysfs is at `/sys`, or at the value of the environment variable `SYSFS_PATH`, as for libibverbs. The variable is
    /// ignored if it is empty, or if the program was started with more rights than its caller (`AT_SECURE`): set-user-ID,
    /// set-group-ID, or file capabilities. There is no error: what cannot be read is missing, and listed in
    /// [`problems`](Self::problems).
    #[must_use]
    #[doc(alias = "ibv_get_device_list")]
    pub fn read() -> Self {
        // An empty path would be the current directory.
        let is_trusted = |path: &OsString| !path.is_empty() && !has_more_rights_than_its_caller();
        let root = env::var_os(SYSFS_PATH).filter(is_trusted).map_or_else(|| SYSFS.into(), PathBuf::from);
        let exists = |name: &str| Path::new(CHARACTER_DEVICES).join(name).exists();
        match native::interface_addresses() {
            Ok(addresses) => Self::read_with(&root, addresses, exists),
            Err(errno) => {
                let mut devices = Self::read_with(&root, Vec::new(), exists);
                let problem = Problem { path: "interfaces".into(), kind: ProblemKind::System(errno) };
                devices.problems.push(problem);
                devices
            }
        }
    }

    /// Reads the devices of another sysfs, such as that of a container or a copy, with `addresses` as those of its
    /// interfaces. Like [`read`](Self::read) it has no deadline.
    #[must_use]
    pub fn read_from(sysfs: &Path, addresses: Vec<InterfaceAddress>) -> Self {
        Self::read_with(sysfs, addresses, |_| true)
    }

    /// The same; `exists` says whether there is a character device of a name such as `uverbs0`.
    fn read_with(sysfs: &Path, addresses: Vec<InterfaceAddress>, exists: impl Fn(&str) -> bool) -> Self {
        let root = Folder::root(sysfs);
        let mut sysfs = Sysfs::new();
        let names = sysfs.names(&root, DEVICES);
        let mut devices: Vec<_> =
            names.into_iter().filter_map(|name| device(&mut sysfs, &root, name)).collect();
        let verbs = if devices.is_empty() { None } else { character_devices(&mut sysfs, &root) };
        for device in &mut devices {
            let verbs = verbs.as_ref().map(|all| all.iter().find(|(name, _)| *name == device.name));
            device.has_character_device = verbs.map(|it| it.is_some_and(|(_, verbs)| exists(verbs)));
        }
        let netdevs = netdevs(&mut sysfs, &root, &devices, &addresses);
        Self { devices, netdevs, addresses, problems: sysfs.problems }
    }
}

/// `None` if only the name is left: the device has just been removed.
fn device(sysfs: &mut Sysfs, root: &Folder, name: String) -> Option<Device> {
    let path = format!("{DEVICES}/{name}");
    if !printable(sysfs, root, &path, &name) || !sysfs.exists(root, &path) {
        return None;
    }
    let folder = sysfs.folder(root, &path);
    let node_type = sysfs.parse(&folder, "node_type", NodeType::from_sysfs);
    let node_guid = sysfs.read(&folder, "node_guid").line();
    let numbers = sysfs.numbers(&folder, "ports").into_iter();
    let ports = numbers.map(|number| port(sysfs, &folder, number, node_type)).collect();
    Some(Device { name, node_type, node_guid, has_character_device: None, ports })
}

/// The devices that verbs know, each with the name of its character device; `None` where sysfs lists none.
fn character_devices(sysfs: &mut Sysfs, root: &Folder) -> Option<Vec<(String, String)>> {
    let names = sysfs.names(root, VERBS);
    let device = |name: String| {
        let device = sysfs.read(root, &format!("{VERBS}/{name}/ibdev")).line()?;
        Some((device, name))
    };
    let devices: Vec<_> = names.into_iter().filter_map(device).collect();
    (!devices.is_empty()).then_some(devices)
}

fn port(sysfs: &mut Sysfs, device: &Folder, number: u8, node_type: Option<NodeType>) -> Port {
    let folder = sysfs.folder(device, &format!("ports/{number}"));
    let state = sysfs.parse(&folder, "state", PortState::from_sysfs);
    let link_layer = sysfs.read(&folder, "link_layer").line();
    // Kernels that knew no other link layer lack the file.
    let link_layer = link_layer.map_or(LinkLayer::InfiniBand, |text| LinkLayer::from_sysfs(&text));
    let rate = sysfs.read(&folder, "rate").line();
    let lid = sysfs.parse(&folder, "lid", |text| u16::from_str_radix(text.strip_prefix("0x")?, 16).ok());
    let is_roce = link_layer == LinkLayer::Ethernet && matches!(node_type, None | Some(NodeType::CA));
    let indices: Vec<u32> = sysfs.numbers(&folder, "gids");
    let gid_table_length = indices.last().map_or(0, |last| last.saturating_add(1));
    let gids = indices.into_iter().filter_map(|index| gid(sysfs, &folder, index, is_roce)).collect();
    Port { number, state, link_layer, rate, lid, is_roce, gid_table_length, gids }
}

/// An entry of a GID table; `None` of an empty one.
fn gid(sysfs: &mut Sysfs, port: &Folder, index: u32, is_roce: bool) -> Option<GidEntry> {
    let gid: Gid = sysfs.parse(port, &format!("gids/{index}"), |text| text.parse().ok())?;
    if gid == Gid::UNSPECIFIED {
        return None;
    }
    let gid_type = match sysfs.read(port, &format!("gid_attrs/types/{index}")) {
        Content::Line(text) => GidType::from_sysfs(&text, is_roce),
        // Kernels before 4.4 know one type.
        Content::Absent => GidType::from_sysfs("IB/RoCE v1", is_roce),
        // It was removed meanwhile.
        Content::Nothing if is_roce => return None,
        Content::Nothing => GidType::Ib,
        Content::Unreadable => GidType::Unknown,
    };
    // sysfs has the first name, which is the shortest.
    let is_short = |name: &InterfaceName| name.as_str().len() <= 15;
    let name = |text: &str| text.parse().ok().filter(is_short).map(|name| name.to_string());
    let netdev = sysfs.parse(port, &format!("gid_attrs/ndevs/{index}"), name);
    Some(GidEntry { index, gid, gid_type, netdev })
}

/// The netdevs of GIDs; and if there are ports whose GIDs are made of hardware addresses, the netdevs of that kind.
fn netdevs(
    sysfs: &mut Sysfs,
    root: &Folder,
    devices: &[Device],
    addresses: &[InterfaceAddress],
) -> Vec<Netdev> {
    let ports = || devices.iter().flat_map(|device| device.ports.iter().map(move |port| (device, port)));
    let gids = ports().flat_map(|(_, port)| &port.gids);
    let mut names: Vec<String> = gids.filter_map(|gid| gid.netdev.clone()).collect();

    let has_infiniband = ports().any(|(_, port)| port.link_layer == LinkLayer::InfiniBand);
    let has_iwarp = devices.iter().any(|device| device.node_type == Some(NodeType::RNIC));
    if has_infiniband || has_iwarp {
        for name in sysfs.names(root, NETDEVS) {
            let path = format!("{NETDEVS}/{name}");
            if !printable(sysfs, root, &path, &name) {
                continue;
            }
            let kind = sysfs.read(root, &format!("{path}/type")).line();
            match kind.as_deref() {
                Some(IPOIB) if has_infiniband => names.push(name),
                Some(ETHERNET) if has_iwarp => names.push(name),
                _ => {}
            }
        }
    }
    names.sort_by(|one, other| natural::order(one, other));
    names.dedup();
    // Without this directory it is not known which netdevs are here.
    let is_known = sysfs.exists(root, NETDEVS);
    let read = |name: String| {
        let path = format!("{NETDEVS}/{name}");
        let has_address = addresses.iter().any(|address| address.netdev == name);
        let is_here = has_address || !is_known || sysfs.exists(root, &path);
        let mut netdev =
            Netdev { name, mtu: None, hardware_address: None, is_ipoib: false, pkey: None, is_here };
        if is_here {
            let folder = sysfs.folder(root, &path);
            netdev.mtu = sysfs.parse(&folder, "mtu", |text| text.parse().ok());
            netdev.hardware_address = sysfs.parse(&folder, "address", hardware_address);
            netdev.is_ipoib = sysfs.read(&folder, "type").line().as_deref() == Some(IPOIB);
            if netdev.is_ipoib {
                netdev.pkey = sysfs.parse(&folder, "pkey", |text| text.parse().ok());
            }
        }
        netdev
    };
    names.into_iter().map(read).collect()
}

/// The bytes of an address such as `02:00:00:00:00:01`; none of an empty one.
fn hardware_address(text: &str) -> Option<Vec<u8>> {
    if text.is_empty() {
        return Some(Vec::new());
    }
    let byte = |digits: &str| match digits.len() {
        2 if digits.bytes().all(|digit| digit.is_ascii_hexdigit()) => u8::from_str_radix(digits, 16).ok(),
        _ => None,
    };
    let bytes: Option<Vec<u8>> = text.split(':').take(LONGEST_HARDWARE_ADDRESS + 1).map(byte).collect();
    bytes.filter(|bytes| bytes.len() <= LONGEST_HARDWARE_ADDRESS)
}

/// Whether a name is printable; if not, that is recorded as a problem.
fn printable(sysfs: &mut Sysfs, root: &Folder, path: &str, name: &str) -> bool {
    let printable = !name.contains(char::is_control);
    if !printable {
        sysfs.note(root, path, ProblemKind::NotText);
    }
    printable
}
