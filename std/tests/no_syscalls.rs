//! A literal is resolved without any system call: in children that the kernel kills at the first one.
//!
//! Two watches, because neither is enough: strict seccomp(2) still allows `read` and `write`, and cannot be asked for
//! in a process that has filters already, as in many containers; a filter that allows `exit` alone can.
#![allow(unsafe_code)]

use rdma_addrinfo::{AddrInfoList, Hints, Ibacm, Policy, Resolver, Results, SockAddrRef, resolve_literal};
use std::env;
use std::fmt::{self, Write as _};
use std::io::Write as _;
use std::os::unix::process::ExitStatusExt;
use std::process::ExitStatus;
use std::ptr;
use std::slice;

/// What kills a child.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Watch {
    /// `SECCOMP_MODE_STRICT`: `read`, `write`, `exit` and `sigreturn` are allowed.
    Strict,
    /// A filter that allows `exit`.
    ExitAlone,
}

impl Watch {
    /// Makes the kernel watch this thread from here on. False if it will not.
    fn begin(self) -> bool {
        match self {
            // SAFETY: prctl with these takes no pointer.
            Self::Strict => unsafe { libc::prctl(libc::PR_SET_SECCOMP, libc::SECCOMP_MODE_STRICT) == 0 },
            Self::ExitAlone => {
                let instruction = |code, jt, jf, k| libc::sock_filter { code, jt, jf, k };
                let Ok(exit) = u32::try_from(libc::SYS_exit) else { return false };
                // The number of the system call is the first word of seccomp_data.
                let mut filter = [
                    instruction(0x20, 0, 0, 0),                       // BPF_LD | BPF_W | BPF_ABS
                    instruction(0x15, 0, 1, exit),                    // BPF_JMP | BPF_JEQ | BPF_K
                    instruction(0x06, 0, 0, libc::SECCOMP_RET_ALLOW), // BPF_RET | BPF_K
                    instruction(0x06, 0, 0, libc::SECCOMP_RET_KILL_PROCESS),
                ];
                let program = libc::sock_fprog { len: 4, filter: filter.as_mut_ptr() };
                // SAFETY: prctl with these takes no pointer.
                let alone = unsafe { libc::prctl(libc::PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 };
                // SAFETY: `program` and the four instructions that it counts are live locals; the kernel copies both.
                alone
                    && unsafe {
                        libc::prctl(libc::PR_SET_SECCOMP, libc::SECCOMP_MODE_FILTER, &raw const program) == 0
                    }
            }
        }
    }

    /// The signal that a child dies of.
    const fn signal(self) -> i32 {
        match self {
            Self::Strict => libc::SIGKILL,
            Self::ExitAlone => libc::SIGSYS,
        }
    }
}

/// The exit code of a child that could not be watched.
const NOT_WATCHED: i32 = 77;

/// How many bytes a child may leave for its parent.
const ROOM: usize = 4096;

/// Memory that parent and child share. Its first word is the length of the text behind it.
struct Shared(*mut u8);

impl Shared {
    fn new() -> Self {
        // SAFETY: a new mapping, at an address of the kernel's choice.
        let address = unsafe {
            libc::mmap(
                ptr::null_mut(),
                ROOM,
                libc::PROT_READ | libc::PROT_WRITE,
                libc::MAP_SHARED | libc::MAP_ANONYMOUS,
                -1,
                0,
            )
        };
        assert_ne!(address, libc::MAP_FAILED);
        Self(address.cast())
    }

    /// All of it, for the only process that uses it at the time.
    fn bytes(&mut self) -> &mut [u8] {
        // SAFETY: ROOM bytes of a mapping that lives as long as `self`; mapped memory is initialised, any bytes are
        // bytes, and `self` is borrowed. The child writes until it ends, the parent reads after that.
        unsafe { slice::from_raw_parts_mut(self.0, ROOM) }
    }
}

impl Drop for Shared {
    fn drop(&mut self) {
        // SAFETY: the mapping of `new`; no borrow of it is left.
        unsafe { libc::munmap(self.0.cast(), ROOM) };
    }
}

/// Text in memory that is there already.
struct Sheet<'a> {
    room: &'a mut [u8],
    len: usize,
}

impl fmt::Write for Sheet<'_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        let end = self.len + text.len();
        self.room.get_mut(self.len..end).ok_or(fmt::Error)?.copy_from_slice(text.as_bytes());
        self.len = end;
        Ok(())
    }
}

/// What a list holds, a line an entry with the bytes of its addresses.
fn tell(list: AddrInfoList<'_>, out: &mut Sheet<'_>) -> fmt::Result {
    let hex = |address: Option<SockAddrRef<'_>>, out: &mut Sheet<'_>| {
        address
            .map_or(&[][..], |address| address.as_bytes())
            .iter()
            .try_for_each(|byte| write!(out, "{byte:02x}"))
    };
    for info in list {
        write!(out, "{info} [")?;
        hex(info.src_addr(), out)?;
        out.write_str("|")?;
        hex(info.dst_addr(), out)?;
        out.write_str("]\n")?;
    }
    Ok(())
}

/// Runs `body` in a child that is watched, and gives its end and what it wrote.
fn in_child(watch: Watch, body: impl FnOnce(&mut Sheet<'_>) -> fmt::Result) -> (ExitStatus, String) {
    let mut shared = Shared::new();
    // SAFETY: the child runs `body`, which neither allocates nor takes a lock, and ends by a bare system call: it
    // returns to no frame of the parent and runs no destructor of one.
    let pid = unsafe { libc::fork() };
    assert!(pid >= 0, "fork failed");
    if pid == 0 {
        let mut code = NOT_WATCHED;
        if watch.begin() {
            let (length, room) = shared.bytes().split_at_mut(8);
            let mut sheet = Sheet { room, len: 0 };
            code = i32::from(body(&mut sheet).is_err());
            length.copy_from_slice(&(sheet.len as u64).to_le_bytes());
        }
        // _exit(2) of the C library is exit_group, which strict seccomp does not allow.
        // SAFETY: exit takes a number, and ends this process: fork left it one thread.
        unsafe { libc::syscall(libc::SYS_exit, code) };
    }
    let mut status = 0;
    // SAFETY: `status` is a live local to write to.
    let ended = unsafe { libc::waitpid(pid, &raw mut status, 0) };
    assert_eq!(ended, pid);
    let (length, text) = shared.bytes().split_at(8);
    let length = u64::from_le_bytes(length.try_into().unwrap()) as usize;
    (ExitStatus::from_raw(status), String::from_utf8(text[..length].to_vec()).unwrap())
}

/// The watches that this machine has; all of them in CI.
fn watches() -> Vec<Watch> {
    let has = |watch: &Watch| in_child(*watch, |_| Ok(())).0.code() != Some(NOT_WATCHED);
    let (has, lacks): (Vec<_>, Vec<_>) = [Watch::Strict, Watch::ExitAlone].into_iter().partition(has);
    if !lacks.is_empty() {
        // Not by a macro, whose output the test harness keeps to itself.
        let _ = writeln!(std::io::stderr(), "\n!!!!! SKIPPED: no {lacks:?} seccomp(2) here !!!!!\n");
    }
    // Where strict seccomp is missing, filters are there already, and with them the stronger watch.
    assert!(has.contains(&Watch::ExitAlone) || env::var_os("CI").is_none_or(|ci| ci != "true"), "{lacks:?}");
    has
}

/// Node, service, hints, and what the child tells.
type Case = (Option<&'static str>, Option<&'static str>, &'static str, &'static str);

const LISTS: &[Case] = &[
    (
        Some("192.0.2.7"),
        Some("7471"),
        "",
        "inet rc/tcp * -> 192.0.2.7:7471 [|02001d2fc00002070000000000000000]\n",
    ),
    (
        Some("2001:db8::7"),
        None,
        "qp=ud,ps=udp",
        "inet6 ud/udp * -> 2001:db8::7 [|0a0000000000000020010db800000000000000000000000700000000]\n",
    ),
    (
        Some("fe80::1%3"),
        Some("1"),
        "family=inet6,src=fe80::2%3",
        "inet6 rc/tcp fe80::2%3 -> [fe80::1%3]:1 [0a00000000000000fe80000000000000000000000000000203000000|\
         0a00000100000000fe80000000000000000000000000000103000000]\n",
    ),
    (
        Some("fe80::7"),
        Some("7471"),
        "family,family=ib",
        "ib rc/tcp * -> ib:fe80::7/pkey=0xffff/sid=0x1061d2f/mask=0xffffffffffffffff \
         [|1b00ffff00000000fe800000000000000000000000000007000000000106\
         1d2fffffffffffffffff0000000000000000]\n",
    ),
    (
        None,
        Some("7471"),
        "passive",
        "inet6 rc/tcp [::]:7471 -> * passive [0a001d2f000000000000000000000000000000000000000000000000|]\n\
         inet rc/tcp 0.0.0.0:7471 -> * passive [02001d2f000000000000000000000000|]\n",
    ),
    (None, None, "dst=192.0.2.7:9", "inet rc/tcp * -> 192.0.2.7:9 [|02000009c00002070000000000000000]\n"),
];

const ERRORS: &[Case] = &[
    (
        Some("192.0.2.256"),
        None,
        "",
        "node or service not known: a part of the IPv4 address is above 255 (node, byte 8)",
    ),
    (Some("storage-7"), None, "", "not a literal: a lookup is needed (node, byte 0)"),
    (Some("192.0.2.7"), Some("65536"), "", "no such service: a port is 65535 at most (service, byte 0)"),
    (
        Some("192.0.2.7"),
        None,
        "family=inet6",
        "no address of the requested family: the address is of another family (node, byte 0)",
    ),
    (None, None, "flags=0x40", "invalid flags: a flag is unknown (hints, ai_flags)"),
];

#[test]
fn a_literal_is_resolved_without_a_system_call() {
    for watch in watches() {
        for &(node, service, hints, expected) in LISTS.iter().chain(ERRORS) {
            let (status, told) = in_child(watch, |out| {
                // The hints are read there too.
                let hints = Hints::parse(hints).map_err(|_| fmt::Error)?;
                let mut results = Results::<4>::new();
                match resolve_literal(node, service, &hints, &mut results) {
                    Ok(list) => tell(list, out),
                    Err(error) => write!(out, "{error}"),
                }
            });
            assert_eq!((status.code(), told.as_str()), (Some(0), expected), "{watch:?} {node:?} {status}");
        }
    }
}

#[test]
fn nor_does_the_resolver_make_one_for_a_literal_without_its_source() {
    let resolver =
        Resolver::new().with_source(false).with_ibacm(Ibacm::socket("/nonexistent/ibacm.sock").unwrap());
    for watch in watches() {
        // An interface may have the digits of a zone for its name.
        let literals = LISTS.iter().filter(|(node, ..)| !node.is_some_and(|node| node.contains('%')));
        for &(node, service, hints, expected) in literals {
            // That there is no ibacm is found by a system call, once a second.
            resolver.resolve("192.0.2.7", None, None).unwrap();
            let (status, told) = in_child(watch, |out| {
                let hints = Hints::parse(hints).map_err(|_| fmt::Error)?;
                let mut results = Results::<4>::new();
                tell(resolver.resolve_into(node, service, &hints, &mut results).map_err(|_| fmt::Error)?, out)
            });
            assert_eq!((status.code(), told.as_str()), (Some(0), expected), "{watch:?} {node:?} {status}");
        }
    }
}

/// Whatever it would take to answer.
#[test]
fn at_once_is_without_a_system_call_or_not_at_all() {
    let plain = Resolver::new().with_source(false).with_routes(false);
    let librdmacm = plain.with_policy(Policy::LIBRDMACM);
    let lo = "lo".parse().unwrap();
    let cases = [
        (plain, Some("192.0.2.7"), "", "inet rc/tcp * -> 192.0.2.7:7471"),
        (librdmacm, Some("127.1"), "", "inet rc/tcp * -> 127.0.0.1:7471"),
        (plain, None, "passive,family=inet", "inet rc/tcp 0.0.0.0:7471 -> * passive"),
        (librdmacm, None, "passive", "inet rc/tcp 0.0.0.0:7471 -> * passive"),
        (librdmacm, None, "family=inet6", "inet6 rc/tcp * -> [::1]:7471"),
        (Resolver::new(), Some("192.0.2.7"), "passive", "inet rc/tcp 192.0.2.7:7471 -> * passive"),
        (Resolver::new(), Some("192.0.2.7"), "", "none"),
        // What is wrong is left to those who may say so.
        (plain, Some("192.0.2.256"), "", "none"),
        (plain, Some("192.0.2.7"), "qp=rc,ps=udp", "none"),
        (plain, Some("storage-7"), "", "none"),
        (plain, Some("fe80::7%lo"), "", "none"),
        (librdmacm, None, "", "none"),
        (plain.with_source(true), Some("192.0.2.7"), "", "none"),
        (plain.with_source_interface(Some(lo)), Some("192.0.2.7"), "", "none"),
        (plain.with_routes(true).with_ibacm(Ibacm::port(1)), Some("192.0.2.7"), "", "none"),
    ];
    for watch in watches() {
        for (resolver, node, hints, expected) in cases {
            let (status, told) = in_child(watch, |out| {
                let hints = Hints::parse(hints).map_err(|_| fmt::Error)?;
                let mut results = Results::<4>::new();
                match resolver
                    .try_resolve_now(resolver.request(node, "7471", &hints), &mut results)
                    .and_then(|list| list.first())
                {
                    Some(info) => write!(out, "{info}"),
                    None => out.write_str("none"),
                }
            });
            assert_eq!((status.code(), told.as_str()), (Some(0), expected), "{watch:?} {node:?} {status}");
        }
    }
}

/// That what is asserted above can fail.
#[test]
fn the_watches_catch_a_system_call() {
    for watch in watches() {
        let (status, told) = in_child(watch, |out| {
            out.write_str("before")?;
            // SAFETY: getpid takes nothing.
            unsafe { libc::syscall(libc::SYS_getpid) };
            out.write_str("after")
        });
        assert_eq!((status.signal(), told.as_str()), (Some(watch.signal()), ""), "{watch:?} {status}");
        // The discovery of a source asks the kernel.
        let (status, _) = in_child(watch, |out| {
            let mut results = Results::<1>::new();
            let list = Resolver::new().resolve_into("127.0.0.1", None, None, &mut results);
            tell(list.map_err(|_| fmt::Error)?, out)
        });
        assert_eq!(status.signal(), Some(watch.signal()), "{watch:?} {status}");
        // A child that fails says so.
        assert_eq!(in_child(watch, |_| Err(fmt::Error)).0.code(), Some(1));
    }
}
