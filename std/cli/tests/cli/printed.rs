//! No text from outside sends a byte to the terminal that it would act on: random texts in each argument, each file of
//! sysfs and the name of an interface.

use crate::common::{PROGRAM, Run, in_namespaces, not_tested};
use crate::random::Random;
use crate::sysfs::Tree;
use serde_json::Value;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::hash::{BuildHasher, RandomState};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::os::unix::process::CommandExt;
use std::process::Command;

/// Texts that a terminal acts on, that reorder or hide others, or that are otherwise hard to print.
const PARTS: &[&[u8]] = &[
    b"\x1b[2J",
    b"\x1b]0;x\x07",
    b"\x1b[8m",
    b"\n",
    b"\r",
    b"\t",
    b"\x08",
    b"\x7f",
    "\u{9b}31m".as_bytes(),
    "\u{85}".as_bytes(),
    "\u{202e}".as_bytes(),
    "\u{2066}".as_bytes(),
    "\u{200f}".as_bytes(),
    "\u{2028}".as_bytes(),
    "\u{2029}".as_bytes(),
    "\u{feff}".as_bytes(),
    "\u{ad}".as_bytes(),
    "\u{e0041}".as_bytes(),
    b"\x9b",
    b"\xff",
    b"\xe2\x80",
    b"\\u{1b}",
    b"\\",
    b"\"",
    b"'",
    b"a",
    b"7",
    b"::1",
    b"192.0.2.7",
    b"%",
    b"[",
    b"]",
    b":",
    b"/",
    b",",
    b"=",
    b" ",
    b"-",
    "\u{e4}".as_bytes(),
];

fn random() -> Random {
    Random::new(RandomState::new().hash_one(0))
}

fn text(random: &mut Random) -> Vec<u8> {
    (0..=random.below(6)).flat_map(|_| random.pick(PARTS)).copied().collect()
}

/// Characters that must be escaped: controls, and those that reorder, hide or break lines.
fn is_harmful(c: char) -> bool {
    matches!(c,
        '\0'..='\x09' | '\x0b'..='\x1f' | '\x7f'..='\u{9f}' | '\u{ad}' | '\u{61c}' | '\u{180e}'
        | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}'
        | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}')
}

/// Checks a run, which must have some output.
#[track_caller]
fn check(run: &Run, of: &dyn std::fmt::Debug) {
    for stream in [&run.out, &run.err] {
        assert!(!stream.contains(is_harmful), "{of:?}: {stream:?}");
    }
    assert!(run.out.len() + run.err.len() > 10, "{of:?}: {run:?}");
}

fn command(arguments: &[OsString]) -> Command {
    let mut command = Command::new(PROGRAM);
    command.args(arguments);
    command
}

#[test]
fn arguments_are_harmless() {
    let mut random = random();
    let options = [
        "--qp-type",
        "--port-space",
        "--src",
        "--src-if",
        "--dst",
        "--hints",
        "--policy",
        "--backend",
        "--timeout",
        "--ibacm",
        "--ib-entries",
        "--no-such-option",
    ];
    let modes: [&[&str]; 4] = [&[], &["--json"], &["--explain"], &["--json", "--explain"]];
    let mut statuses = [0; 3];
    for _ in 0..25 {
        for number in 0..options.len() + 6 {
            // Numeric: names are for the name service of this machine.
            let mut arguments: Vec<OsString> = vec!["-n".into()];
            arguments.extend(random.pick(&modes).iter().map(OsString::from));
            let given = OsString::from_vec(text(&mut random));
            let with = |before: &str| OsString::from_vec([before.as_bytes(), given.as_bytes()].concat());
            let literal: OsString = "192.0.2.7".into();
            match (options.get(number), number - number.min(options.len())) {
                (Some(option), _) => arguments.extend([with(&format!("{option}=")), literal]),
                (None, 0) => arguments.extend(["--".into(), given.clone()]),
                (None, 1) => arguments.extend([literal, given.clone()]),
                (None, 2) => arguments.extend(["--hints".into(), with("src=fe80::1%"), literal]),
                (None, 3) => arguments.extend([with("--"), literal]),
                (None, 4) => arguments.push(with("-")),
                (None, _) => arguments.extend(["--ibacm".into(), with("/nonexistent/"), literal]),
            }
            let run = Run::of(command(&arguments).arg0(OsString::from_vec(text(&mut random))));
            check(&run, &arguments);
            statuses[usize::try_from(run.status).unwrap()] += 1;
        }
    }
    // Answers, errors and usage errors.
    assert!(statuses.iter().all(|count| *count > 10), "{statuses:?}");
}

#[test]
fn help_has_its_own_name_for_itself() {
    for option in ["--help", "--version", "--no-such-option"] {
        let run = Run::of(Command::new(PROGRAM).arg0("a\x1b[2J\u{202e}b").arg(option));
        check(&run, &option);
        assert!(run.out.contains("rdma-getaddrinfo") || run.err.contains("rdma-getaddrinfo"), "{run:?}");
        assert!(!run.out.contains("[2J") && !run.err.contains("[2J"), "{run:?}");
    }
}

/// An argument cannot forge a line of the command's output.
#[test]
fn line_ends_of_arguments_are_escaped() {
    for arguments in
        [&["a\nerror b"][..], &["--x\nerror b"], &["--policy", "\nerror b"], &["--src-if", "\nerror b"]]
    {
        let run = Run::of(Command::new(PROGRAM).arg("-n").args(arguments));
        assert_ne!(run.status, 0);
        let spoofed = run.err.lines().skip(1).any(|line| line.starts_with("error"));
        assert!(!spoofed && run.err.contains("\\nerror b"), "{}", run.err);
    }
}

#[test]
fn json_is_the_same_value() {
    let mut random = random();
    for _ in 0..50 {
        // Without characters that split node and service.
        let node: Vec<u8> = text(&mut random).into_iter().filter(|byte| !b":[]".contains(byte)).collect();
        let node = [b"x".to_vec(), node].concat();
        let run = Run::of(
            Command::new(PROGRAM).args(["-n", "--json", "--"]).arg(OsStr::from_bytes(&node)).arg("1"),
        );
        check(&run, &node);
        let value: Value = serde_json::from_str(&run.out).unwrap();
        assert_eq!(value["error"]["node"], String::from_utf8_lossy(&node).as_ref(), "{}", run.out);
    }
}

#[test]
fn files_of_sysfs_are_harmless() {
    let mut random = random();
    let port = "ports/1";
    for _ in 0..40 {
        let tree = Tree::new("class/net/lo/mtu\t65536\nclass/net/x/type\t32");
        // A valid name of a directory.
        let name: Vec<u8> = text(&mut random).into_iter().filter(|byte| *byte != b'/').collect();
        let name = [b"d".to_vec(), name].concat();
        let device = tree.root().join("class/infiniband").join(OsStr::from_bytes(&name));
        for (file, usual) in [
            ("node_type", "1: CA"),
            ("node_guid", "0200:00ff:fe00:0001"),
            (&format!("{port}/state"), "4: ACTIVE"),
            (&format!("{port}/link_layer"), "Ethernet"),
            (&format!("{port}/rate"), "2.5 Gb/sec (1X SDR)"),
            (&format!("{port}/lid"), "0x0"),
            (&format!("{port}/gids/0"), "0000:0000:0000:0000:0000:ffff:7f00:0001"),
            (&format!("{port}/gid_attrs/types/0"), "RoCE v2"),
            (&format!("{port}/gid_attrs/ndevs/0"), "lo"),
        ] {
            let path = device.join(file);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            let content = if random.one_in(3) { text(&mut random) } else { usual.into() };
            fs::write(path, content).unwrap();
        }
        for arguments in [&["--devices"][..], &["--devices", "--json"], &["--ports", "127.0.0.1"]] {
            let run = Run::of(Command::new(PROGRAM).args(arguments).env("SYSFS_PATH", tree.root()));
            check(&run, &(arguments, String::from_utf8_lossy(&name)));
        }
    }
}

/// Loopback in its own network namespace, under names that the kernel accepts.
#[test]
fn names_of_interfaces_are_harmless() {
    if Command::new("ip").arg("-V").output().is_err() {
        return not_tested("there is no ip(8)");
    }
    for name in
        ["a\x1b[2Jb", "\x1bP0;x\x07", "x\u{9b}31m", "\u{202e}ol", "a\u{2028}b", "\u{feff}\u{ad}", "\x7f\x08"]
    {
        for arguments in [
            &["--explain", "--src-if", name, "127.0.0.1"][..],
            &["--explain", "--json", "--src-if", name, "127.0.0.1"],
            &["--explain", "--ports", "127.0.0.1"],
            &["--src", &format!("fe80::1%{name}"), "--json", "--ports", "fe80::2"],
            &["--explain", "--src", &format!("fe80::1%{name}x"), "::1"],
        ] {
            let script = "ip link set lo name \"$0\" && ip link set \"$0\" up && exec \"$@\"";
            let Some(mut command) = in_namespaces("-n", script) else { return };
            let run = Run::of(command.arg(name).arg(PROGRAM).args(arguments));
            check(&run, &arguments);
            assert!(!run.err.contains("Cannot find device") && run.status != 255, "{run:?}");
            // It was found under its name, and shown.
            let is_known = !arguments.iter().any(|argument| argument.ends_with(&format!("{name}x")));
            assert_eq!(run.status, if is_known { 0 } else { 2 }, "{run:?}");
            if arguments.contains(&"--src-if") && !arguments.contains(&"--json") {
                let line = format!("from      interface '{}'\n", name.escape_debug());
                assert!(run.out.contains(&line), "{run:?}");
            }
        }
    }
}
