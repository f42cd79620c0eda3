//! The ports of this machine with the first GID of each, which is all that the subnet administrator is asked through.
//!
//! No allocation aborts the process: C callers are told that memory ran out.

use super::natural;
use super::read::{DEVICES, SYSFS};
use super::secure::{has_more_rights_than_its_caller, with_variable};
use super::sysfs::{FILE, FOLDER, LIST, MAX_NAMES};
use super::words::{LinkLayer, PortState};
use rdma_addrinfo_core::{Error, ErrorKind, Gid, Reason};
use rustix::fs::{CWD, Mode, OFlags, RawDir, openat};
use rustix::io::{Errno, read, retry_on_intr};
use rustix::path::{Arg, DecInt};
use std::ffi::CStr;
use std::fmt;
use std::mem::MaybeUninit;
use std::os::fd::OwnedFd;

/// The name of a device.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct DeviceName {
    /// The kernel's `IB_DEVICE_NAME_MAX` with the NUL; unused bytes are NUL.
    bytes: [u8; 64],
}

impl DeviceName {
    /// `None` for what no device is named.
    pub(crate) fn new(name: &[u8]) -> Option<Self> {
        let mut bytes = [0; 64];
        bytes.get_mut(..63)?.get_mut(..name.len())?.copy_from_slice(name);
        str::from_utf8(name).ok().map(|_| Self { bytes })
    }

    pub(crate) fn as_str(&self) -> &str {
        let name = self.bytes.split(|byte| *byte == 0).next();
        name.and_then(|name| str::from_utf8(name).ok()).unwrap_or_default()
    }
}

impl fmt::Debug for DeviceName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self.as_str(), f)
    }
}

/// A port with the first GID of its table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct FirstGid {
    pub(crate) device: DeviceName,
    pub(crate) port: u8,
    pub(crate) is_infiniband: bool,
    pub(crate) is_active: bool,
    /// `None` of a port without.
    pub(crate) gid: Option<Gid>,
}

/// The ports of this machine, by the names of their devices.
///
/// # Errors
/// There is no memory, or something is there that cannot be read.
pub(crate) fn first_gids() -> Result<Vec<FirstGid>, Error> {
    if has_more_rights_than_its_caller() {
        return first_gids_in(SYSFS);
    }
    with_variable(c"SYSFS_PATH", |path| match path {
        // An empty path would be the current directory.
        Some(path) if !path.is_empty() => first_gids_in(path),
        _ => first_gids_in(SYSFS),
    })
}

/// The same in another sysfs.
pub(super) fn first_gids_in(sysfs: impl Arg) -> Result<Vec<FirstGid>, Error> {
    let mut all = Vec::new();
    let Some(root) = there(openat(CWD, sysfs, FOLDER, Mode::empty()))? else { return Ok(all) };
    for device in devices(&root)? {
        let ports = there(open(&root, &[DEVICES, "/", device.as_str(), "/ports"], FOLDER))?;
        let Some(folder) = ports else { continue };
        for port in numbers(&folder)? {
            all.try_reserve(1).map_err(|_| ErrorKind::Memory)?;
            all.push(first_gid(&folder, device, port)?);
        }
    }
    Ok(all)
}

/// `None` where there is nothing, or nothing any more: a device may just be removed.
fn there<T>(outcome: Result<T, Errno>) -> Result<Option<T>, Error> {
    match outcome {
        Ok(found) => Ok(Some(found)),
        Err(Errno::NOENT | Errno::NOTDIR | Errno::NODEV | Errno::INVAL | Errno::OPNOTSUPP) => Ok(None),
        Err(Errno::NOMEM) => Err(ErrorKind::Memory.into()),
        Err(errno) => Err(Error::system(errno.raw_os_error()).because(Reason::SaNotAsked)),
    }
}

/// The devices in their natural order.
fn devices(root: &OwnedFd) -> Result<Vec<DeviceName>, Error> {
    let mut all = Vec::new();
    let mut error = None;
    list(root, DEVICES, |name| {
        if let Some(name) = DeviceName::new(name).filter(|name| !matches!(name.as_str(), "." | "..")) {
            match all.try_reserve(1) {
                Ok(()) => all.push(name),
                Err(_) => error = Some(ErrorKind::Memory),
            }
        }
    })?;
    all.sort_unstable_by(|one, other| natural::order(one.as_str(), other.as_str()));
    error.map_or(Ok(all), |error| Err(error.into()))
}

/// The numbers of the ports in their order.
fn numbers(folder: &OwnedFd) -> Result<impl Iterator<Item = u8> + use<>, Error> {
    let mut there = [false; 256];
    list(folder, ".", |name| {
        // As the kernel writes it: without sign or leading zeros.
        let number = str::from_utf8(name).ok().filter(|name| *name == "0" || !name.starts_with(['0', '+']));
        let number = number.and_then(|name| name.parse::<u8>().ok());
        if let Some(place) = number.and_then(|number| there.get_mut(usize::from(number))) {
            *place = true;
        }
    })?;
    Ok((0..=u8::MAX).zip(there).filter_map(|(number, there)| there.then_some(number)))
}

fn first_gid(folder: &OwnedFd, device: DeviceName, port: u8) -> Result<FirstGid, Error> {
    let number = DecInt::new(port);
    let number = number.as_c_str().to_str().unwrap_or_default();
    // Kernels that knew no other link layer lack the file.
    let link_layer = parse(folder, &[number, "/link_layer"], |text| Some(LinkLayer::from_sysfs(text)))?;
    let is_infiniband = link_layer.is_none_or(|link_layer| link_layer == LinkLayer::InfiniBand);
    // As librdmacm has it, also one whose link is failing.
    let state = parse(folder, &[number, "/state"], PortState::from_sysfs)?;
    let is_active = matches!(state, Some(PortState::ACTIVE | PortState::ACTIVE_DEFER));
    let gid = parse(folder, &[number, "/gids/0"], |text| text.parse::<Gid>().ok())?;
    let gid = gid.filter(|gid| *gid != Gid::UNSPECIFIED);
    Ok(FirstGid { device, port, is_infiniband, is_active, gid })
}

/// Opens what the parts of a path lead to.
fn open(folder: &OwnedFd, path: &[&str], flags: OFlags) -> Result<OwnedFd, Errno> {
    // Longer than any of them is.
    let mut whole = [0; 128];
    let bytes = path.iter().flat_map(|part| part.bytes());
    if bytes.clone().count() >= whole.len() {
        return Err(Errno::NAMETOOLONG);
    }
    for (place, byte) in whole.iter_mut().zip(bytes) {
        *place = byte;
    }
    let path = CStr::from_bytes_until_nul(&whole).map_err(|_| Errno::NAMETOOLONG)?;
    openat(folder, path, flags, Mode::empty())
}

/// Tells the names in a directory, of which it reads a bounded number.
fn list(parent: &OwnedFd, folder: &str, mut tell: impl FnMut(&[u8])) -> Result<(), Error> {
    let Some(folder) = there(open(parent, &[folder], LIST))? else { return Ok(()) };
    let mut buffer = [MaybeUninit::uninit(); 4096];
    let mut names = RawDir::new(folder, &mut buffer);
    for _ in 0..MAX_NAMES {
        match names.next().map(there) {
            Some(Ok(Some(entry))) => tell(entry.file_name().to_bytes()),
            Some(Ok(None)) | None => return Ok(()),
            Some(Err(error)) => return Err(error),
        }
    }
    Err(Error::system(Errno::OVERFLOW.raw_os_error()).because(Reason::SaNotAsked))
}

/// The line in a file, parsed; `None` also of what is none.
fn parse<T>(
    folder: &OwnedFd,
    path: &[&str],
    parse: impl FnOnce(&str) -> Option<T>,
) -> Result<Option<T>, Error> {
    let Some(fd) = there(open(folder, path, FILE))? else { return Ok(None) };
    // Longer than any of them is.
    let mut buffer = [0; 128];
    let mut length = 0;
    while let Some(rest @ [_, ..]) = buffer.get_mut(length..) {
        let Some(more) = there(retry_on_intr(|| read(&fd, &mut *rest)))? else { return Ok(None) };
        length += more;
        let read = buffer.get(..length).unwrap_or_default();
        if let Some(line) = read.strip_suffix(b"\n").or((more == 0).then_some(read)) {
            return Ok(str::from_utf8(line).ok().and_then(parse));
        }
    }
    Ok(None)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
    use std::{env, fs, process};

    /// The ports of a tree of these files: a path, a tab, and a line each.
    fn found(tree: &str) -> Result<Vec<String>, Error> {
        static NUMBER: AtomicUsize = AtomicUsize::new(0);
        let number = NUMBER.fetch_add(1, Relaxed);
        let root = env::temp_dir().join(format!("rdma-addrinfo-ports-{}-{number}", process::id()));
        for line in tree.lines() {
            let (path, content) = line.trim_start().split_once('\t').unwrap();
            let path = root.join("class/infiniband").join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, format!("{content}\n")).unwrap();
        }
        let line = |it: FirstGid| {
            let gid = it.gid.map_or("none".into(), |gid| gid.to_string());
            let (device, port) = (it.device.as_str().to_owned(), it.port);
            format!("{device} {port} {} {} {gid}", it.is_infiniband, it.is_active)
        };
        let found = first_gids_in(&root);
        fs::remove_dir_all(root).unwrap();
        found.map(|all| all.into_iter().map(line).collect())
    }

    #[test]
    fn ports_come_in_the_order_of_names_and_numbers() {
        assert_eq!(
            found(
                "mlx5_10/ports/1/state\t4: ACTIVE\n\
                 mlx5_10/ports/1/link_layer\tInfiniBand\n\
                 mlx5_10/ports/1/gids/0\tfe80:0000:0000:0000:0000:0000:0000:0010\n\
                 mlx5_2/ports/10/state\t5: ACTIVE_DEFER\n\
                 mlx5_2/ports/10/link_layer\tInfiniBand\n\
                 mlx5_2/ports/10/gids/0\tfe80:0000:0000:0000:0000:0000:0000:0002\n\
                 mlx5_2/ports/2/state\t1: DOWN\n\
                 mlx5_2/ports/2/gids/0\t0000:0000:0000:0000:0000:0000:0000:0000\n\
                 mlx5_2/ports/02/state\t4: ACTIVE\n\
                 mlx5_2/ports/256/state\t4: ACTIVE\n\
                 rxe0/ports/0/state\t4: ACTIVE\n\
                 rxe0/ports/0/link_layer\tEthernet\n\
                 rxe0/ports/0/gids/0\tmeaningless\n\
                 rxe1/node_type\t1: CA"
            ),
            Ok([
                "mlx5_2 2 true false none",
                "mlx5_2 10 true true fe80::2",
                "mlx5_10 1 true true fe80::10",
                "rxe0 0 false true none",
            ]
            .map(Into::into)
            .to_vec())
        );
        assert_eq!(first_gids_in("/nonexistent"), Ok(Vec::new()));
    }

    /// What no kernel writes.
    #[test]
    fn other_names_and_longer_lines_are_nothing() {
        let long = "x".repeat(64);
        let state = format!("4: ACTIVE{}", " ".repeat(200));
        let tree = format!(
            "{long}/ports/1/state\t4: ACTIVE\n\
             mlx5_0/ports/1/state\t{state}\n\
             mlx5_0/ports/1/link_layer\tInfiniBand{state}"
        );
        assert_eq!(found(&tree).unwrap(), ["mlx5_0 1 true false none"]);
        // As many as no machine has.
        let many: String = (0..MAX_NAMES).map(|at| format!("mlx5_{at}/node_type\t1: CA\n")).collect();
        assert_eq!(found(&many).unwrap_err().errno(), Some(75));
        assert_eq!(DeviceName::new(long.as_bytes()), None);
        assert_eq!(DeviceName::new(b"\xff"), None);
        assert_eq!(DeviceName::new(&long.as_bytes()[1..]).unwrap().as_str(), &long[1..]);
    }
}
