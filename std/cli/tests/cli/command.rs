//! The command as such: exit status, usage, streams that fail, arguments that are no text.

use crate::common::{PROGRAM, Run, json, run};
use serde_json::json;
use std::ffi::OsStr;
use std::fs::File;
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::process::{Command, Stdio};

const OPTIONS: [&str; 28] = [
    "-p, --passive",
    "-n, --numeric-host",
    "--no-route",
    "-4",
    "-6",
    "--ib",
    "--qp-type <TYPE>",
    "--port-space <SPACE>",
    "--src <ADDRESS>",
    "--src-if <NAME>",
    "--dst <ADDRESS>",
    "--hints <TEXT>",
    "--dns",
    "--sa",
    "--policy <POLICY>",
    "--backend <BACKEND>",
    "--timeout <MS>",
    "--ibacm <PATH|PORT|off>",
    "--ib-entries <WHEN>",
    "--first",
    "--no-source",
    "--canonical",
    "--device",
    "--devices",
    "--json",
    "--explain",
    "-h, --help",
    "-V, --version",
];

#[test]
fn help_tells_every_option_and_no_other() {
    let help = run(&["--help"]).found();
    let (options, _) = help.split_once("Node and service:\n").expect("options and rules");
    let told: Vec<&str> = options
        .lines()
        .filter_map(|line| line.strip_prefix("  "))
        .map(str::trim_start)
        .filter(|line| line.starts_with('-'))
        .collect();
    assert_eq!(told.len(), OPTIONS.len(), "{told:?}");
    for (line, option) in told.iter().zip(OPTIONS) {
        assert!(line.starts_with(&format!("{option} ")), "{option} in {line}");
    }
    for rule in ["'host:port'", "'[v6]:port'", "':port'", "'-' as NODE", "Exit status:"] {
        assert!(help.contains(rule), "{rule}");
    }
    assert_eq!(run(&["-h"]).found(), help);
}

#[test]
fn the_version() {
    assert_eq!(run(&["--version"]).found(), concat!("rdma-getaddrinfo ", env!("CARGO_PKG_VERSION"), "\n"));
}

#[test]
fn a_wrong_command_line_is_told_with_the_place() {
    assert_eq!(
        run(&["--hints", "passive,fmily=inet", "::1"]).refused(2),
        "error: invalid value 'passive,fmily=inet' for '--hints <TEXT>': the key is unknown\n  \
         passive,fmily=inet\n          ^\n\n\
         For more information, try '--help'.\n"
    );
    for (arguments, told) in [
        (
            &["--src", "192.0.2.9:99999"][..],
            "no decimal port from 0 to 65535\n  192.0.2.9:99999\n            ^\n",
        ),
        (&["--dst", "storage-7"], "for '--dst <ADDRESS>': it is no IPv4 or IPv6 address\n"),
        (
            &["--qp-type", "tcp"],
            "for '--qp-type <TYPE>': it is neither a known name nor a number that fits\n",
        ),
        (
            &["--port-space=0106"],
            "for '--port-space <SPACE>': it is neither a known name nor a number that fits\n",
        ),
        (
            &["--timeout", "1s"],
            "for '--timeout <MS>': it is neither a whole number of milliseconds that fits nor 'none'\n",
        ),
        (&["--timeout", "+1"], "for '--timeout <MS>'"),
        (&["--timeout", ""], "for '--timeout <MS>'"),
        (&["--timeout", "18446744073709551616"], "for '--timeout <MS>'"),
        (&["--policy", "glibc"], "possible values: man-page, librdmacm"),
        (&["--ibacm", "0"], "for '--ibacm <PATH|PORT|off>': it is no decimal port from 1 to 65535\n"),
        (&["--ibacm", "sock"], "it is neither 'auto', 'off', a port, nor a path with a '/'\n"),
        (&["--ib-entries", "perhaps"], "possible values: auto, always, never"),
        (&["--src", "fe80::1%no-such-if"], "no interface has the name 'no-such-if'\n"),
        (&["--hints", "src=fe80::1%no-such-if"], "no interface has the name 'no-such-if'\n"),
        (&["--src-if", "a/b"], "for '--src-if <NAME>': no interface name has such a byte"),
        (&["-4", "-6"], "'-4' cannot be used with '-6'"),
        (&["-6", "--ib"], "'-6' cannot be used with '--ib'"),
        (
            &["--src-if", "lo", "--src", "::1", "::1"],
            "'--src-if <NAME>' cannot be used with '--src <ADDRESS>'",
        ),
        (&["-p", "--src-if", "lo", ":7471"], "'--passive' cannot be used with '--src-if <NAME>'"),
        (
            &["--backend", "librdmacm", "--timeout", "9", "::1"],
            "librdmacm cannot be used with --timeout: it keeps no time limit\n",
        ),
        (
            &["--backend", "librdmacm", "--policy", "man-page", "::1"],
            "--policy: it keeps no policy but its own\n",
        ),
        (
            &["--backend", "librdmacm", "--ibacm", "off", "::1"],
            "--ibacm: it asks ibacm where it was built to\n",
        ),
        (
            &["--backend", "librdmacm", "--ib-entries", "never", "::1"],
            "--ib-entries: it adds AF_IB entries as",
        ),
        (
            &["--backend", "librdmacm", "--src-if", "lo", "::1"],
            "--src-if: give it a source address, by --src\n",
        ),
        (&["--backend", "librdmacm", "--canonical", "::1"], "--canonical: it gives no canonical names\n"),
        // By itself RAI_SA goes there.
        (&["--sa", "--timeout", "9", ":7471"], "librdmacm cannot be used with --timeout"),
        (&["--hints", "sa", "--canonical", ":7471"], "librdmacm cannot be used with --canonical"),
        (&["a", "b", "c"], "unexpected argument 'c' found"),
        (&["--nonsense"], "unexpected argument '--nonsense' found"),
        (&["--json", "--nonsense"], "unexpected argument '--nonsense' found"),
    ] {
        let err = run(arguments).refused(2);
        assert!(err.starts_with("error: ") && err.contains(told), "{arguments:?}: {err}");
    }
}

#[test]
fn numbers_stand_where_names_do() {
    let by_name = run(&["--no-source", "--qp-type", "UD", "--port-space", "ib", "::1", "1"]).found();
    let by_number = run(&["--no-source", "--qp-type", "4", "--port-space", "0x13f", "::1", "1"]).found();
    assert_eq!(by_name, "inet6   ud/ib   * -> [::1]:1   route unavailable   56 bytes of private data\n");
    assert_eq!(by_number, by_name);
    // A negative number is a number; that it means nothing is not the command line's affair.
    assert_eq!(
        run(&["--qp-type=-1", "::1", "1"]).refused(1),
        "rdma-getaddrinfo: cannot resolve node '::1' service '1': QP type and port space are not supported \
         together: \
         the QP type has no address resolution (hints, ai_qp_type)\n"
    );
}

#[test]
fn an_error_points_to_its_place() {
    assert_eq!(
        run(&["fe80::1%", "7471"]).refused(1),
        "rdma-getaddrinfo: cannot resolve node 'fe80::1%' service '7471': node or service not known: the \
         zone is missing \
         (node, byte 8)\n  fe80::1%\n          ^\n"
    );
    assert_eq!(
        run(&["127.0.0.1:74 71"]).refused(1),
        "rdma-getaddrinfo: cannot resolve node '127.0.0.1' service '74 71': no such service: \
         it holds white space (service, byte 2)\n  74 71\n    ^\n"
    );
    // Nothing can be pointed at in an empty text.
    assert_eq!(
        run(&["", "7471"]).refused(1),
        "rdma-getaddrinfo: cannot resolve node '' service '7471': node or service not known: it is empty \
         (node, byte 0)\n"
    );
    assert_eq!(
        run(&["127.0.0.1:"]).refused(1),
        "rdma-getaddrinfo: cannot resolve node '127.0.0.1' service '': no such service: it is \
         empty (service, byte 0)\n"
    );
}

#[test]
fn nothing_to_resolve() {
    let nothing = "rdma-getaddrinfo: cannot resolve: node or service not known: give a node, a \
     service, or \
                   hints with an address or a route\nTry 'rdma-getaddrinfo --help'.\n";
    assert_eq!(run::<&str>(&[]).refused(1), nothing);
    assert_eq!(run(&["-"]).refused(1), nothing);
    assert_eq!(run(&["--passive", "-"]).refused(1), nothing);
}

#[test]
fn arguments_that_are_not_utf_8() {
    let node = OsStr::from_bytes(b"stor\xffage:74\xfe71");
    let both = run(&[OsStr::new("--json"), node]);
    assert_eq!(both.status, 1);
    let error = &json(&both)["error"];
    assert_eq!(
        (&error["kind"], &error["node"], &error["service"]),
        (&json!("Service"), &json!("stor\u{fffd}age"), &json!("74\u{fffd}71"))
    );
    let colon = run(&[OsStr::from_bytes(b"::\xff1")]);
    let err = colon.refused(1);
    assert!(
        err.starts_with("rdma-getaddrinfo: cannot resolve node '::\u{fffd}1': node or service not known: "),
        "{err}"
    );
    assert!(err.ends_with("\n  ::\u{fffd}1\n    ^\n"), "{err}");
    // As an option's value it is a wrong command line.
    let err = run(&[OsStr::new("--hints"), OsStr::from_bytes(b"pass\xffive")]).refused(2);
    assert!(err.starts_with("error: invalid UTF-8"), "{err}");
}

#[test]
fn control_characters_do_not_reach_the_terminal() {
    for arguments in [&["a\x1b[2Jb"][..], &["--explain", "a\x1b[2Jb"], &["::1", "\x1b]0;x\x07"]] {
        let run = run(arguments);
        assert_eq!(run.status, 1);
        for text in [&run.out, &run.err] {
            assert!(!text.chars().any(|c| c.is_control() && c != '\n'), "{text:?}");
        }
    }
}

/// A run whose standard output nobody reads.
fn unread(arguments: &[&str]) -> Run {
    let (reader, writer) = io::pipe().expect("a pipe");
    drop(reader);
    let child = Command::new(PROGRAM)
        .args(arguments)
        .stdout(writer)
        .stderr(Stdio::piped())
        .spawn()
        .expect("it starts");
    Run::from(child.wait_with_output().expect("it ends"))
}

#[test]
fn a_reader_that_has_gone_away_changes_nothing() {
    for arguments in
        [&["--no-source", "::1", "1"][..], &["--json", "::1"], &["--explain", "::1"], &["--help"]]
    {
        let run = unread(arguments);
        assert_eq!((run.status, run.err.as_str()), (0, ""), "{arguments:?}");
    }
    let run = unread(&["--json", "127.1"]);
    assert_eq!((run.status, run.err.as_str()), (1, ""));
}

#[test]
fn output_that_cannot_be_written_is_a_failure() {
    for arguments in [&["--no-source", "::1", "1"][..], &["--json", "::1"]] {
        let full = File::options().write(true).open("/dev/full").expect("/dev/full");
        let run = Run::of(Command::new(PROGRAM).args(arguments).stdout(full).stderr(Stdio::piped()));
        assert_eq!(
            (run.status, run.err.as_str()),
            (1, "rdma-getaddrinfo: cannot write the output: No space left on device (os error 28)\n")
        );
    }
    let full = File::options().write(true).open("/dev/full").expect("/dev/full");
    assert_eq!(Run::of(Command::new(PROGRAM).arg("--help").stdout(full).stderr(Stdio::piped())).status, 1);
    // Without standard error, too, nothing panics: 101 would say so.
    let full = File::options().write(true).open("/dev/full").expect("/dev/full");
    assert_eq!(Run::of(Command::new(PROGRAM).arg("127.1").stderr(full)).status, 1);
}
