//! Files of hosts(5) against glibc: the index of one finds what getaddrinfo(3) finds in it.
//!
//! The calling thread gets a mount namespace of its own, and in there an `/etc` that holds the file. Who may not make one
//! has the index alone read it.
#![allow(unsafe_code)]

#[path = "../../../std/src/native/names/files/hosts.rs"]
mod hosts;
#[path = "../../../std/src/native/names/files/table.rs"]
mod table;

use hosts::Wanted;
use std::ffi::{CStr, CString};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::path::PathBuf;
use std::{env, fs, process, ptr, thread};

/// Names that are asked for of one file, at most.
const NAMES: usize = 24;

/// Checks one input: the file.
pub fn check(bytes: &[u8]) {
    let names = names(bytes);
    let Some(table) = hosts::index(bytes.to_vec(), || true) else { return };
    let all_count = WORLD.with(|world| world.as_ref().map(|world| world.all_count));
    if all_count.is_some() {
        fs::write("/etc/hosts", bytes).expect("the file of the world");
    }
    for name in names {
        for (family, wanted) in
            [(libc::AF_UNSPEC, Wanted::Both), (libc::AF_INET, Wanted::V4), (libc::AF_INET6, Wanted::V6)]
        {
            let all: Vec<_> = hosts::find(&table, name.to_bytes(), wanted).collect();
            assert!(all.iter().all(|host| !host.name.is_empty()));
            let Some(all_count) = all_count else { continue };
            let count = if all_count { all.len() } else { 1 };
            let mut found: Vec<_> = all.iter().take(count).map(|host| host.address).collect();
            // The order is another matter.
            found.sort();
            assert_eq!(found, ask(&name, family), "{name:?}, family {family}");
        }
    }
}

/// Words of the file that are certainly no numbers, and how else they might be written.
fn names(bytes: &[u8]) -> Vec<CString> {
    let is_plain = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.');
    let words = bytes
        .split(|byte| !is_plain(byte))
        .filter(|word| word.iter().any(|byte| matches!(byte, b'g'..=b'w')));
    let mut names: Vec<_> = words.take(NAMES / 2).map(<[u8]>::to_vec).collect();
    names.extend(names.clone().iter().map(|name| name.to_ascii_uppercase()));
    names.into_iter().filter_map(|name| CString::new(name).ok()).collect()
}

struct World {
    root: PathBuf,
    /// Whether every line of a name counts: host.conf may have been read before.
    all_count: bool,
}

thread_local! {
    static WORLD: Option<World> = World::enter();
}

impl World {
    fn enter() -> Option<Self> {
        let root = env::temp_dir().join(format!(
            "rdma-addrinfo-hosts-{}-{:?}",
            process::id(),
            thread::current().id()
        ));
        fs::create_dir_all(&root).expect("a temporary folder");
        for (file, text) in [
            ("hosts", "192.0.2.1 probe\n192.0.2.2 probe\n"),
            ("nsswitch.conf", "hosts: files\nservices: files\n"),
            ("host.conf", "multi on\n"),
        ] {
            fs::write(root.join(file), text).expect("a file of the world");
        }
        if !hide_etc(&root) {
            assert!(env::var_os("CI").is_none_or(|ci| ci != "true"), "no mount namespace can be made");
            eprintln!(
                "\n!!!!! SKIPPED: hosts_text: no mount namespace, to ask glibc in: run it as root with CAP_SYS_ADMIN !!!!!\n"
            );
            let _ = fs::remove_dir_all(&root);
            return None;
        }
        let all_count = ask(c"probe", libc::AF_INET).len() == 2;
        Some(Self { root, all_count })
    }
}

impl Drop for World {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.root);
    }
}

/// Has this thread see a folder as `/etc`, and nobody else.
fn hide_etc(root: &std::path::Path) -> bool {
    let Ok(root) = CString::new(root.as_os_str().as_encoded_bytes()) else { return false };
    // SAFETY: no pointers.
    if unsafe { libc::unshare(libc::CLONE_NEWNS) } != 0 {
        return false;
    }
    let private = libc::MS_REC | libc::MS_PRIVATE;
    // SAFETY: NUL-terminated paths; null where this kind of mount takes nothing.
    let is_private =
        unsafe { libc::mount(ptr::null(), c"/".as_ptr(), ptr::null(), private, ptr::null()) } == 0;
    // SAFETY: as above.
    is_private
        && unsafe { libc::mount(root.as_ptr(), c"/etc".as_ptr(), ptr::null(), libc::MS_BIND, ptr::null()) }
            == 0
}

/// What getaddrinfo(3) finds, sorted; nothing is an answer, too.
fn ask(name: &CStr, family: i32) -> Vec<IpAddr> {
    let hints = libc::addrinfo {
        ai_flags: 0,
        ai_family: family,
        ai_socktype: libc::SOCK_STREAM,
        ai_protocol: 0,
        ai_addrlen: 0,
        ai_addr: ptr::null_mut(),
        ai_canonname: ptr::null_mut(),
        ai_next: ptr::null_mut(),
    };
    let mut list = ptr::null_mut();
    // SAFETY: NUL-terminated text, valid hints, a place for the answer.
    if unsafe { libc::getaddrinfo(name.as_ptr(), ptr::null(), &raw const hints, &raw mut list) } != 0 {
        return Vec::new();
    }
    let mut all = Vec::new();
    let mut next = list;
    // SAFETY: null, or an entry of the list, which is freed below.
    while let Some(entry) = unsafe { next.as_ref() } {
        all.push(match entry.ai_family {
            libc::AF_INET => {
                // SAFETY: such an entry has an address of this type.
                let address = unsafe { entry.ai_addr.cast::<libc::sockaddr_in>().read_unaligned() };
                Ipv4Addr::from_bits(u32::from_be(address.sin_addr.s_addr)).into()
            }
            _ => {
                // SAFETY: no others are asked for, and this one has an address of this type.
                let address = unsafe { entry.ai_addr.cast::<libc::sockaddr_in6>().read_unaligned() };
                IpAddr::V6(Ipv6Addr::from(address.sin6_addr.s6_addr))
            }
        });
        next = entry.ai_next;
    }
    // SAFETY: the list of getaddrinfo, once.
    unsafe { libc::freeaddrinfo(list) };
    all.sort();
    all
}
