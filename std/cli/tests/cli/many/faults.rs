//! Faults: a dead name server, readers that go away, signals.

use super::{PATIENCE, Scratch, command, ended};
use crate::common::{Machine, PROGRAM, Run, in_namespaces};
use crate::dns::Dns;
use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;
use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use std::{env, thread};

/// Set in the process that has its own network and `/etc`: the path of that.
const CHILD: &str = "RDMA_GETADDRINFO_TEST_DEAD_SERVER";

/// Runs a test again in namespaces of its own, where 127.0.0.1 is the name server.
fn with_name_server(test: &str, body: fn()) {
    if env::var_os(CHILD).is_some() {
        return body();
    }
    let script = "ip link set lo up && mount -t tmpfs none /etc && \
        printf 'hosts: files dns\\n' >/etc/nsswitch.conf && printf 'nameserver 127.0.0.1\\noptions timeout:30\\n' >/etc/resolv.conf && \
        printf '127.0.0.1 localhost\\n127.0.0.2 near\\n' >/etc/hosts && exec \"$@\"";
    let Some(mut again) = in_namespaces("-mn", script) else { return };
    again.arg("sh").arg(env::current_exe().expect("a path"));
    again.args(["--exact", test, "--nocapture"]).env(CHILD, "1");
    let output = again.output().expect("it runs");
    let text = String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned();
    assert!(output.status.success() && text.contains("test result: ok. 1 passed"), "{text}");
}

/// Each name has its own time, from its turn on; who is in a file is found.
#[test]
fn a_dead_name_server() {
    with_name_server("many::faults::a_dead_name_server", || {
        let server = Dns::start_silent();
        let arguments =
            ["-w", "near,n[1-20].example,near", "--timeout", "300ms", "-f", "5", "--summary", "7471"];
        let started = Instant::now();
        let run = Run::of(&mut command(&arguments));
        assert_eq!((run.status, run.err.as_str()), (1, ""), "{}", run.out);
        assert!(run.out.contains("\n22 nodes: 2 found, 20 failed in "), "{}", run.out);
        assert!(run.out.contains("\ntimed out: n[1-20].example\n"), "{}", run.out);
        let names: Vec<&str> = run.out.lines().take(22).filter_map(|line| line.split(':').next()).collect();
        assert_eq!((names[0], names[1], names[21]), ("near", "n1.example", "near"));
        // Four turns of five.
        let elapsed = started.elapsed();
        assert!(elapsed > Duration::from_millis(1100) && elapsed < PATIENCE, "{elapsed:?}");
        assert!(server.asked() > 0);
        // What a name waited for others before it is not its own time.
        let arguments = ["-w", "late.example,near", "--timeout", "2000ms", "--json", "7471"];
        let run = Run::of(&mut command(&arguments));
        let lines: Vec<Value> =
            run.out.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
        assert_eq!((&lines[0]["error"]["kind"], &lines[1]["target"]), (&"TimedOut".into(), &"near".into()));
        let elapsed = lines[1]["elapsed_us"].as_f64().expect("a time");
        assert!(elapsed > 0.0 && elapsed < 1.5e6, "{elapsed}");
    });
}

/// A run whose first names are found at once and whose others wait for a name server that says nothing.
fn stuck(more: &[&str]) -> Child {
    let arguments = ["-w", "near,n[1-500].example", "--timeout", "none", "-f", "4", "--no-source"];
    let mut command = command(&arguments);
    command.args(more).arg("7471");
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it starts")
}

fn send(child: &Child, signal: Signal) {
    let process = Pid::from_raw(child.id().cast_signed()).expect("a process");
    kill_process(process, signal).expect("it runs");
}

/// The summary is printed all the same, and the last line is whole.
#[test]
fn signals_end_it_in_good_order() {
    with_name_server("many::faults::signals_end_it_in_good_order", || {
        let _server = Dns::start_silent();
        let report = Scratch::new("interrupted.html");
        for (signal, status) in [(Signal::INT, 130), (Signal::TERM, 143)] {
            let mut child = stuck(&["--json", "--summary", "--report", report.path()]);
            let mut out = BufReader::new(child.stdout.take().expect("a pipe"));
            let mut first = String::new();
            out.read_line(&mut first).expect("the first result");
            let first: Value = serde_json::from_str(&first).expect("a whole line");
            assert_eq!(first["target"], "near");
            let sent = Instant::now();
            send(&child, signal);
            assert_eq!(ended(&mut child).code(), Some(status));
            assert!(sent.elapsed() < PATIENCE / 2);
            let mut rest = String::new();
            out.read_to_string(&mut rest).expect("text");
            let summary: Value =
                serde_json::from_str(rest.strip_suffix('\n').expect("a whole line")).expect("one line");
            assert_eq!(summary["summary"]["interrupted"], true);
            assert_eq!(
                (&summary["summary"]["hosts"], &summary["summary"]["found"]),
                (&501.into(), &1.into())
            );
            let page = fs::read_to_string(&report.0).expect("the page");
            assert!(
                page.contains("interrupted: 501 nodes: 1 found, 0 failed, 500 not resolved yet"),
                "{page}"
            );
        }
    });
}

/// A reader that does not read, and does not go, holds nothing up.
#[test]
fn a_signal_ends_it_though_nobody_reads() {
    let mut child = command(&["-w", "127.0.[0-200].[1-200]", "--no-source", "--summary", "7471"])
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("it starts");
    // Far more than a pipe holds.
    let out = child.stdout.take().expect("a pipe");
    thread::sleep(Duration::from_millis(300));
    assert!(child.try_wait().expect("a child").is_none());
    send(&child, Signal::INT);
    assert_eq!(ended(&mut child).code(), Some(130));
    drop(out);
}

/// As in the background of a shell, or under nohup(1).
#[test]
fn a_signal_that_is_ignored_stays_ignored() {
    with_name_server("many::faults::a_signal_that_is_ignored_stays_ignored", || {
        let server = Dns::start_silent();
        let script = "trap '' INT; exec \"$0\" -w near,late.example --timeout 1500ms --no-source 7471";
        let mut child = Command::new("sh")
            .args(["-c", script, PROGRAM])
            .stdout(Stdio::piped())
            .spawn()
            .expect("it starts");
        let mut out = BufReader::new(child.stdout.take().expect("a pipe"));
        out.read_line(&mut String::new()).expect("the first result");
        while server.asked() == 0 {
            thread::sleep(Duration::from_millis(5));
        }
        send(&child, Signal::INT);
        assert_eq!(ended(&mut child).code(), Some(1));
        let mut rest = String::new();
        out.read_to_string(&mut rest).expect("text");
        assert_eq!(rest, "late.example: error: timed out\n");
    });
}

/// Who has seen enough goes; the names that are left are not waited for.
#[test]
fn a_reader_that_goes_away() {
    with_name_server("many::faults::a_reader_that_goes_away", || {
        let _server = Dns::start_silent();
        let arguments =
            ["-w", "near,near,late[1-9].example", "--timeout", "1000ms", "-f", "1", "--no-source", "7471"];
        let mut child =
            command(&arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it starts");
        drop(child.stdout.take());
        let started = Instant::now();
        // It learns of it with its first line.
        assert_eq!(ended(&mut child).code(), Some(0));
        assert!(started.elapsed() < Duration::from_secs(8), "{:?}", started.elapsed());
        let mut err = String::new();
        child.stderr.take().expect("a pipe").read_to_string(&mut err).expect("text");
        assert_eq!(err, "");
    });
}

#[test]
fn output_that_cannot_be_written_is_a_failure() {
    let full = || fs::File::options().write(true).open("/dev/full").expect("/dev/full");
    for more in [&[][..], &["--json"], &["--summary"], &["--expand"]] {
        let run =
            Run::of(command(&["-w", "127.0.0.[1-200]", "--no-source", "7471"]).args(more).stdout(full()));
        let expected = "rdma-getaddrinfo: cannot write the output: No space left on device (os error 28)\n";
        assert_eq!((run.status, run.err.as_str()), (1, expected), "{more:?}");
    }
}

/// A page is wanted: then nobody need read the lines.
#[test]
fn the_page_is_written_though_nobody_reads() {
    let Some(machine) = Machine::new("many-unread", "127.0.0.1 n1\n127.0.0.2 n2\n", "") else { return };
    let report = Scratch::new("unread.html");
    let (reader, writer) = std::io::pipe().expect("a pipe");
    drop(reader);
    let mut command = machine.command(PROGRAM).expect("it worked before");
    command.args(["-w", "n[1-3]", "--report", report.path(), "7471"]).stdout(writer).stderr(Stdio::piped());
    let child = command.spawn().expect("it starts");
    let run = Run::from(child.wait_with_output().expect("it ends"));
    assert_eq!((run.status, run.err.as_str()), (1, ""));
    let page = fs::read_to_string(&report.0).expect("the page");
    assert!(page.contains("3 nodes: 2 found, 1 failed in "), "{page}");
}
