//! The command as such: exit status, usage, streams that fail, arguments that are not text.

use crate::common::{PROGRAM, Run, json, run};
use serde_json::json;
use std::ffi::OsStr;
use std::fs::File;
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::process::{Command, Stdio};

const OPTIONS: [&str; 44] = [
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
    "--timeout <TIME>",
    "--ibacm <PATH|PORT|off>",
    "--ib-entries <WHEN>",
    "--first",
    "--no-source",
    "--canonical",
    "--ports",
    "--check",
    "--devices [<NAME>]",
    "-j, --json",
    "--short",
    "--explain",
    "--completions <SHELL>",
    "--man-page",
    "-h, --help",
    "-V, --version",
    "-w, --hosts <HOSTLIST>",
    "--hostfile <FILE|->",
    "--from-job",
    "-x, --exclude <HOSTLIST>",
    "--unique",
    "--max-hosts <N>",
    "--expand",
    "-f, --fanout <N>",
    "--unordered",
    "--progress[=<WHEN>]",
    "--summary",
    "--report <FILE>",
];

#[test]
fn help_has_every_option_and_no_other() {
    let help = run(&["--help"]).found();
    let (options, _) = help.split_once("Node and service:\n").expect("options and rules");
    let found: Vec<&str> = options
        .lines()
        // What is further right is a description.
        .filter(|line| !line.starts_with("        "))
        .map(str::trim_start)
        .filter(|line| line.starts_with('-'))
        .collect();
    assert_eq!(found.len(), OPTIONS.len(), "{found:?}");
    for (line, option) in found.iter().zip(OPTIONS) {
        // An alias may follow.
        assert_eq!(line.split(" [aliases: ").next(), Some(option));
    }
    for rule in ["'host:port'", "'[v6]:port'", "':port'", "'-' as NODE", "Exit status:"] {
        assert!(help.contains(rule), "{rule}");
    }
    // The short one has the most used options alone.
    let short = run(&["-h"]).found();
    assert!(short.contains("--explain") && !short.contains("Node and service:"), "{short}");
    assert!(short.contains("see more with '--help'") && !short.contains("--man-page"), "{short}");
    assert!(short.len() * 3 < help.len() * 2, "{} and {}", short.len(), help.len());
}

#[test]
fn the_manual_page_and_the_completions_have_every_option() {
    let page = run(&["--man-page"]).found();
    assert!(page.contains(".TH rdma-getaddrinfo 1"), "{page}");
    for part in [".SH OPTIONS", "Exit status:", "nothing is asked for", "Examples:"] {
        assert!(page.replace('\\', "").contains(part), "{part}");
    }
    let shells =
        ["bash", "zsh", "fish", "elvish", "powershell"].map(|shell| run(&["--completions", shell]).found());
    for option in OPTIONS {
        let option = option.split(", ").last().expect("an option");
        let option = option.split([' ', '[']).next().expect("its name");
        assert!(page.replace('\\', "").contains(option), "{option}");
        for completions in &shells {
            // fish has them without their hyphens.
            assert!(completions.contains(option.trim_start_matches('-')), "{option}");
        }
    }
    assert!(run(&["--completions", "csh"]).refused(2).contains("bash, elvish, fish, powershell, zsh"));
}

/// What a shell makes of the completions of bash.
#[test]
fn bash_completes() {
    let script = "source /dev/stdin; COMP_WORDS=(rdma-getaddrinfo --ib); COMP_CWORD=1; \
        _rdma__getaddrinfo rdma-getaddrinfo --ib rdma-getaddrinfo; printf '%s\\n' \"${COMPREPLY[@]}\"";
    let mut bash = Command::new("bash");
    bash.args(["-c", script]).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = bash.spawn().expect("bash starts");
    let completions = run(&["--completions", "bash"]).found();
    io::Write::write_all(&mut child.stdin.take().expect("a pipe"), completions.as_bytes()).expect("it reads");
    let run = Run::from(child.wait_with_output().expect("it ends"));
    let mut found: Vec<_> = run.out.lines().collect();
    found.sort_unstable();
    assert_eq!((found, run.status), (vec!["--ib", "--ib-entries", "--ibacm"], 0), "{}", run.err);
}

#[test]
fn the_version() {
    assert_eq!(run(&["--version"]).found(), concat!("rdma-getaddrinfo ", env!("CARGO_PKG_VERSION"), "\n"));
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
    // As the value of an option it is a usage error.
    let err = run(&[OsStr::new("--hints"), OsStr::from_bytes(b"pass\xffive")]).refused(2);
    assert!(err.starts_with("error: invalid UTF-8"), "{err}");
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
    // Nor does it turn a failure into success.
    let run = unread(&["--json", "127.1"]);
    assert_eq!((run.status, run.err.as_str()), (1, ""));
}

/// Each of these writes to standard output.
const WITH_OUTPUT: [&[&str]; 6] = [
    &["--no-source", "::1", "1"],
    &["--json", "::1"],
    &["--json", "127.1"],
    &["--explain", "127.0.0.1"],
    &["--help"],
    &["--version"],
];

#[test]
fn output_that_cannot_be_written_is_a_failure() {
    for arguments in WITH_OUTPUT {
        let run = Run::of(Command::new(PROGRAM).args(arguments).stdout(full()));
        assert_eq!(
            (run.status, run.err.as_str()),
            (1, "rdma-getaddrinfo: cannot write the output: No space left on device (os error 28)\n")
        );
    }
    // A usage error has no output to lose. Without standard error nothing panics, which status 101 would show.
    for (arguments, status) in [(&["127.1"][..], 1), (&["--nonsense"], 2)] {
        assert_eq!(Run::of(Command::new(PROGRAM).args(arguments).stderr(full())).status, status);
        let run = Run::of(Command::new(PROGRAM).args(arguments).stdout(full()));
        assert_eq!(run.status, status);
        assert!(!run.err.contains("cannot write"), "{}", run.err);
    }
}

/// Writes to a standard output that is closed or not open for writing are lost; the standard library does not report it.
#[test]
fn output_that_is_closed_is_a_failure() {
    for redirection in [">&-", "1</dev/null"] {
        for arguments in WITH_OUTPUT {
            let run = redirected(redirection, arguments);
            assert_eq!(
                (run.status, run.err.as_str()),
                (1, "rdma-getaddrinfo: cannot write the output: Bad file descriptor (os error 9)\n"),
                "{redirection} {arguments:?}"
            );
        }
        // There is nothing to lose.
        let run = redirected(redirection, &["127.1"]);
        assert_eq!((run.status, run.err.contains("cannot write")), (1, false));
        let run = redirected(redirection, &["--nonsense"]);
        assert_eq!((run.status, run.err.contains("cannot write")), (2, false));
    }
    // With standard input closed, too, the descriptors are unchanged.
    assert_eq!(redirected("<&- >&-", &["--version"]).status, 1);
    assert_eq!(redirected("<&-", &["--version"]).status, 0);
    // /dev/null is not closed, however it is opened.
    assert_eq!(redirected("1<>/dev/null", &["--version"]).status, 0);
}

#[test]
fn without_standard_error_the_status_is_the_same() {
    for (redirection, arguments, status) in [
        ("2>&-", &["--nonsense"][..], 2),
        ("2>&-", &["127.1"], 1),
        ("2>&-", &["--no-source", "::1", "1"], 0),
        ("2>&- >&-", &["--version"], 1),
        ("2>&- >&-", &["--nonsense"], 2),
        ("2>&- <&- >&-", &["127.1"], 1),
    ] {
        assert_eq!(redirected(redirection, arguments).status, status, "{redirection} {arguments:?}");
    }
}

/// A run by the shell with a redirection.
fn redirected(redirection: &str, arguments: &[&str]) -> Run {
    let script = format!("exec \"$0\" \"$@\" {redirection}");
    Run::of(Command::new("sh").args(["-c", &script, PROGRAM]).args(arguments))
}

fn full() -> File {
    File::options().write(true).open("/dev/full").expect("/dev/full")
}
