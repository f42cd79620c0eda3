//! The system calls of each kind of call, the first of a process and the next, against the table in `system-calls.txt`:
//! none is made whose answer cannot change ours.
//!
//! strace(1) watches programs of one call. What getaddrinfo(3) does is the C library's affair, and not the same in all of
//! them: it is watched doing the same alone, and is one word in the table.

use super::build::{With, program};
use crate::common::{World, in_ci, skipped};
use crate::ibacm::Ibacm;
use rdma_addrinfo::{Family, Flags, Hints, Policy, PortSpace, QpType, Resolver};
use std::env;
use std::fmt::Write;
use std::fs;
use std::path::Path;
use std::process::Command;

const TABLE: &str = include_str!("../system-calls.txt");

/// A kind of call: what it is, whether it is asked in Rust too, and the row.
struct Case(&'static str, bool, &'static str);

const WITHOUT_IBACM: &[Case] = &[
    Case("passive, no node", true, "NULL\t7471\t1,0,0,0\t-\t-\t-"),
    Case("passive, no node, IPv6", true, "NULL\t7471\t1,10,0,0\t-\t-\t-"),
    Case("passive, a literal", true, "192.0.2.7\t7471\t1,0,0,0\t-\t-\t-"),
    Case("a literal of IPv4", true, "192.0.2.7\t7471\t0,0,0,0\t-\t-\t-"),
    Case("a literal of IPv6", true, "2001:db8::7\t7471\t0,0,0,0\t-\t-\t-"),
    Case("a literal that is wrong", true, "2001:db8::7::1\t7471\t2,0,0,0\t-\t-\t-"),
    Case("a flag that is unknown", true, "192.0.2.7\t7471\t65,0,0,0\t-\t-\t-"),
    Case("a zone by name", true, "fe80::7%lo\t7471\t1,0,0,0\t-\t-\t-"),
    Case("no node", true, "NULL\t7471\t0,0,0,262\t-\t-\t-"),
    Case("no node, IPv4", true, "NULL\t7471\t0,2,0,262\t-\t-\t-"),
    Case("no node, a service by name", false, "NULL\thttp\t0,0,0,262\t-\t-\t-"),
    Case("no node, a service that is unknown", true, "NULL\tnothing\t0,0,0,262\t-\t-\t-"),
    Case("a name", true, "storage-7\t7471\t0,2,0,262\t-\t-\t-"),
    Case("a name that is unknown", false, "nobody\t7471\t0,0,0,262\t-\t-\t-"),
    Case("hints alone", false, "NULL\tNULL\t0,2,0,262\t-\t02001d2fc00002070000000000000000\t-"),
    Case("the route alone", false, "NULL\tNULL\t16777216,2,0,262\t-\t02001d2fc00002070000000000000000\t-"),
    Case("a service of the subnet, no port", true, "NULL\t7\t16,0,0,0\t-\t-\t-"),
];

const WITH_IBACM: &[Case] = &[
    Case("passive, a literal", true, "192.0.2.7\t7471\t1,0,0,0\t-\t-\t-"),
    Case("a literal with a route", true, "192.0.2.7\t7471\t0,0,0,0\t-\t-\t-"),
    Case("the route alone", false, "NULL\tNULL\t16777216,2,0,262\t-\t02001d2fc00002070000000000000000\t-"),
];

const WITHOUT_ROUTE: &[Case] =
    &[Case("a literal without a route", true, "192.0.2.7\t7471\t0,0,0,0\t-\t-\t-")];

/// Set in a child that makes a call by the resolver: the policy, and the row.
const CHILD: &str = "RDMA_ADDRINFO_TEST_CALL";

/// Shown by strace(1).
fn mark(name: &str) {
    assert!(!Path::new(name).exists());
}

/// No test but in a child.
#[test]
fn a_call_of_the_resolver() {
    let Ok(call) = env::var(CHILD) else { return };
    let [policy, node, service, hints, ..] = call.split('\t').collect::<Vec<_>>()[..] else {
        panic!("{call}")
    };
    let text = |text: &'static str| (text != "NULL").then_some(text);
    let [node, service] = [node, service].map(|it| text(String::from(it).leak()));
    let [flags, family, qp_type, port_space] =
        hints.split(',').map(|it| it.parse().unwrap()).collect::<Vec<_>>()[..]
    else {
        panic!("{call}")
    };
    let hints = Hints::new()
        .with_flags(Flags::from_raw(flags))
        .with_family(Family::from_raw(family))
        .with_qp_type(QpType::from_raw(qp_type))
        .with_port_space(PortSpace::from_raw(port_space));
    let resolver = Resolver::new().without_deadline().with_canonical_names(false);
    let resolver = if policy == "librdmacm" { resolver.with_policy(Policy::LIBRDMACM) } else { resolver };
    drop(vec![0_u8; 65536]);
    mark("mark:first");
    let _ = resolver.resolve(node, service, &hints);
    mark("mark:second");
    let _ = resolver.resolve(node, service, &hints);
    mark("mark:end");
}

/// The first call and the second, a word for each system call.
type Calls = [Vec<String>; 2];

/// What a line of strace(1) says: the call, the file or family that it is about, and its error. `None` where that says
/// nothing of ours: the clock is a system call on some machines; how a descriptor is inherited is looked at where std was
/// built to check itself.
fn word(line: &str) -> Option<String> {
    let (name, rest) = line.split_once('(')?;
    if name == "clock_gettime" || line.contains("F_GETFD") {
        return None;
    }
    let mut word = name.to_owned();
    // The data of the others may begin with a slash too: a socket's cookie, random bytes.
    let names_a_file = ["openat", "connect", "newfstatat", "statx", "readlink", "access"].contains(&name);
    let quoted = || rest.split('"').skip(1).step_by(2);
    let path = quoted().find(|text| names_a_file && text.starts_with('/'));
    // That of a world is somewhere else.
    let path = path.map(|path| if path.ends_with("/sys") { "/sys" } else { path });
    let family = rest
        .split(|byte: char| !byte.is_ascii_alphanumeric() && byte != '_')
        .find(|it| it.starts_with("AF_"));
    if let Some(about) = path.or(family) {
        write!(word, " {about}").unwrap();
    }
    if let Some((_, error)) = rest.rsplit_once(" = -1 ") {
        write!(word, " {}", error.split(' ').next().unwrap()).unwrap();
    }
    Some(word)
}

/// Watches a program.
fn watch(command: &Command) -> Calls {
    let folder = format!("/run/strace-{}", std::process::id());
    fs::create_dir_all(&folder).unwrap();
    // A file for each thread: in one for all, a call is torn where another comes between.
    let mut strace = Command::new("strace");
    strace.args(["-ff", "-qq", "-s", "120", "-e", "signal=none", "-o", &format!("{folder}/calls")]);
    strace.arg(command.get_program()).args(command.get_args()).env("RUST_TEST_THREADS", "1");
    strace.envs(command.get_envs().filter_map(|(name, value)| Some((name, value?))));
    let output = strace.output().unwrap();
    assert!(output.status.success(), "{output:?}");
    let logs = fs::read_dir(&folder).unwrap().map(|file| fs::read_to_string(file.unwrap().path()).unwrap());
    // Other threads are no caller's.
    let log = logs.into_iter().find(|log| log.contains("\"mark:first\"")).unwrap();
    fs::remove_dir_all(&folder).unwrap();
    let mut calls: Vec<_> = log.lines().collect();
    let mut before = |name: &str| {
        let mark = format!("\"{name}\"");
        let at = calls.iter().position(|line| line.contains(&mark)).unwrap();
        let rest = calls.split_off(at + 1);
        calls.pop();
        std::mem::replace(&mut calls, rest).into_iter().filter_map(word).collect()
    };
    let _: Vec<String> = before("mark:first");
    [before("mark:second"), before("mark:end")]
}

/// Makes what is another's part of the calls one word.
fn shorten(calls: &mut Vec<String>, part: &[String], name: &str) {
    let found = calls.windows(part.len().max(1)).position(|window| window == part);
    if let Some(at) = found {
        calls.splice(at..at + part.len(), [name.to_owned()]);
    }
}

fn table(program: &Path, cases: &[Case]) -> String {
    let mut table = String::new();
    for Case(what, in_rust, row) in cases {
        let asked = row.split('\t').take(3).collect::<Vec<_>>().join(" ");
        writeln!(table, "\n{what} ({asked})").unwrap();
        let c = |what: &str| {
            let mut command = Command::new(program);
            command.arg(what).arg(format!("x\t{row}"));
            command
        };
        let theirs = ["getaddrinfo", "getaddrinfo4"].map(|what| watch(&c(what)));
        let mut groups: Vec<(Calls, Vec<String>)> = Vec::new();
        for (interface, policy) in
            [("C", "librdmacm"), ("C", "man-page"), ("Rust", "librdmacm"), ("Rust", "man-page")]
        {
            let mut command;
            if interface == "C" {
                command = c("rdma_getaddrinfo");
                command.env("RDMA_ADDRINFO_POLICY", policy);
            } else if *in_rust {
                command = Command::new(env::current_exe().unwrap());
                command.args(["--exact", "c_abi::calls::a_call_of_the_resolver", "--nocapture"]);
                command.env(CHILD, format!("{policy}\t{row}"));
            } else {
                continue;
            }
            let mut calls = watch(&command);
            for theirs in &theirs {
                for (calls, theirs) in calls.iter_mut().zip(theirs) {
                    shorten(calls, theirs, "getaddrinfo");
                }
            }
            let name = format!("{interface} {policy}");
            match groups.iter_mut().find(|(others, _)| *others == calls) {
                Some((_, names)) => names.push(name),
                None => groups.push((calls, vec![name])),
            }
        }
        for (calls, names) in groups {
            writeln!(table, "  {}", names.join(", ")).unwrap();
            for (order, calls) in ["first", "then "].into_iter().zip(calls) {
                let calls = if calls.is_empty() { "nothing".into() } else { calls.join(", ") };
                writeln!(table, "    {order} {calls}").unwrap();
            }
        }
    }
    table
}

const NO_STRACE: &str = "strace(1) is missing, or may not watch (ptrace(2)): apt-get install strace";

/// Whether this machine can watch.
fn can_watch(test: &str) -> bool {
    let can =
        Command::new("strace").args(["-o", "/dev/null", "true"]).output().is_ok_and(|it| it.status.success());
    if !can {
        assert!(!in_ci(), "{NO_STRACE}");
        skipped(test, NO_STRACE);
    }
    can
}

/// The part of the table under a heading.
fn part(heading: &str) -> &'static str {
    let after = TABLE.split_once(&format!("== {heading} ==\n")).unwrap().1;
    after.split("\n== ").next().unwrap()
}

fn holds(test: &str, program: &Path, heading: &str, cases: &[Case]) {
    let found = table(program, cases);
    assert!(found.trim_end() == part(heading).trim_end(), "{test}: == {heading} ==\n{found}");
}

const PLACE: World<'_> =
    World { hosts: "192.0.2.7 storage-7\n", services: "http 80/tcp\n", device: true, ..World::EMPTY };

#[test]
fn without_ibacm() {
    let test = "calls::without_ibacm";
    let Some(program) = program(test, "calls", With::Ours) else { return };
    if can_watch(test) {
        PLACE.run(|| {
            settle();
            holds(test, &program, "without ibacm", WITHOUT_IBACM);
        });
    }
}

/// Files of names that were written just now are not indexed.
fn settle() {
    std::thread::sleep(std::time::Duration::from_millis(200));
}

#[test]
fn with_ibacm() {
    let test = "calls::with_ibacm";
    let Some(program) = program(test, "calls", With::Ours) else { return };
    if can_watch(test) {
        PLACE.run(|| {
            settle();
            let daemon = Ibacm::start();
            daemon.reply_a_path_to_all();
            holds(test, &program, "with ibacm", WITH_IBACM);
            daemon.reply_to_all(vec![1, 0x81, 4, 0, 0, 0, 16, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
            holds(test, &program, "with ibacm that knows no route", WITHOUT_ROUTE);
        });
    }
}
