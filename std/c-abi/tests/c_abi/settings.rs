//! The environment variables.

use super::build::{With, command, object, program};
use super::rows::{Talk, feed};
use crate::common::{World, dns};
use crate::ibacm::Ibacm;
use std::fmt::Write;
use std::fs;
use std::net::TcpListener;
use std::os::unix::net::UnixListener;
use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, Instant};

const LITERAL: &str = "literal\t192.0.2.7\t7471\t0,0,0,0\t-\t-\t-";
const ANSWER: &str = r#"{"id":"literal","ret":0,"entries":[{"flags":0,"family":2,"qp_type":2,"port_space":262,"src":"","dst":"02001d2fc00002070000000000000000","route":"","connect":"","canonnames":0}]}"#;

/// How many addresses an answer holds, and in how many of them the source is known.
fn entries(answer: &str) -> (usize, usize) {
    (answer.matches(r#""family":"#).count(), answer.matches(r#""src":"0"#).count())
}

fn talk(program: &Path, variables: &[(&str, &str)]) -> Talk {
    let mut command = command(program);
    command.arg("strict").envs(variables.iter().copied());
    Talk::start(command)
}

/// A name with more addresses than any fixed room has: of the C library the first, by the manual page all.
#[test]
fn the_manual_page_promises_every_address() {
    let Some(program) = program("the_manual_page_promises_every_address", "answers", With::Ours) else {
        return;
    };
    let mut hosts = String::from("127.0.0.1 localhost\n");
    for last in 1..=200 {
        writeln!(hosts, "127.0.1.{last} many").unwrap();
    }
    World { hosts: &hosts, ..World::EMPTY }.run(|| {
        let many = "many\tmany\t7471\t0,0,2,262\t-\t-\t-";
        let mut talk_to_first = talk(&program, &[("RDMA_ADDRINFO_POLICY", "librdmacm")]);
        assert_eq!(entries(&talk_to_first.ask(many)), (1, 0));
        assert_eq!(talk_to_first.ask("short\t127.1\t0\t0,0,2,262\t-\t-\t-").matches("7f000001").count(), 1);
        talk_to_first.end();

        let mut talk_to_all = talk(&program, &[("RDMA_ADDRINFO_POLICY", "man-page")]);
        assert_eq!(entries(&talk_to_all.ask(many)), (200, 200));
        // Its rules, too.
        let ask = |row: &str, talk: &mut Talk| talk.ask(&format!("x\t{row}\t-\t-\t-"));
        assert_eq!(ask("127.1\t0\t0,0,2,262", &mut talk_to_all), r#"{"id":"x","ret":-2}"#);
        assert_eq!(ask("127.0.0.1\t0\t64,0,2,262", &mut talk_to_all), r#"{"id":"x","ret":-1,"errno":22}"#);
        assert_eq!(ask("127.0.0.1\t0\t0,0,8,262", &mut talk_to_all), r#"{"id":"x","ret":-7}"#);
        assert_eq!(ask("NULL\tNULL\tnone", &mut talk_to_all), r#"{"id":"x","ret":-2}"#);
        talk_to_all.end();
    });
}

/// Names take as long as they take, on the caller's thread; and a call leaves nothing open but a socket of each family that
/// the kernel was asked on, for the next call.
#[test]
fn no_thread_is_started_and_little_stays_open() {
    let test = "no_thread_is_started_and_little_stays_open";
    let Some(program) = program(test, "answers", With::Ours) else { return };
    World { names: "dns", options: "timeout:1 attempts:4", ..World::EMPTY }.run(|| {
        let dns = dns::Dns::start(Duration::from_millis(1500));
        // For the zone; by the manual page for a source of IPv4, too.
        for (policy, sockets) in [("librdmacm", 1), ("man-page", 2)] {
            let mut talk =
                talk(&program, &[("RDMA_ADDRINFO_POLICY", policy), ("RDMA_ADDRINFO_TIMEOUT_MS", "1")]);
            // What it has from those who started it.
            assert!(talk.ask("nothing\t::g\t7471\t2,0,0,0\t-\t-\t-").contains(r#""ret":-2"#));
            let before = talk.threads_and_descriptors();
            let found = talk.ask("name\tnode.example\t7471\t0,2,2,262\t-\t-\t-");
            assert!(found.contains("7f000035"), "{found}");
            for _ in 0..3 {
                let found = talk.ask("zone\tfe80::7%lo\t7471\t0,0,2,262\t-\t-\t-");
                assert!(found.contains("0701000000"), "{found}");
                assert_eq!(talk.threads_and_descriptors(), (1, before.1 + sockets), "{policy}");
            }
            talk.end();
        }
        assert!(dns.asked() >= 2);
    });
}

/// Who bounds a lookup by cancelling its thread: the call goes on to its end, and then the thread ends.
#[test]
fn a_thread_may_be_cancelled() {
    let Some(program) = program("a_thread_may_be_cancelled", "answers", With::Ours) else { return };
    World { names: "dns", options: "timeout:2 attempts:1", ..World::EMPTY }.run(|| {
        let _dns = dns::Dns::start(Duration::from_millis(1000));
        // A route that nobody tells takes as long, too.
        let _ibacm = UnixListener::bind("/run/ibacm.sock").unwrap();
        let rows = format!("name\tnode.example\t7471\t1,2,2,262\t-\t-\t-\n{LITERAL}\n");
        let told = feed(&program, &["cancel"], &rows, &[("RDMA_ADDRINFO_TIMEOUT_MS", "1000")]);
        let [name, literal] = told.lines().collect::<Vec<_>>()[..] else { panic!("{told}") };
        assert!(name.starts_with(r#"cancelled {"id":"name","ret":0"#), "{told}");
        assert_eq!(literal, format!("cancelled {ANSWER}"));
    });
}

#[test]
fn an_invalid_value_is_reported_once_and_changes_nothing() {
    let test = "an_invalid_value_is_reported_once";
    let Some(program) = program(test, "answers", With::Ours) else { return };
    World::EMPTY.run(|| {
        // All threads make their first call at once; whether they meet is chance.
        for _ in 0..50 {
            let mut command = command(&program);
            command.args(["race", "64"]).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
            command.env("RDMA_ADDRINFO_POLICY", "manpage").env("RDMA_ADDRINFO_TIMEOUT_MS", "2s");
            command.env("RDMA_ADDRINFO_IBACM", "").env("RDMA_ADDRINFO_IB", "Al\nways\u{1b}");
            let mut child = command.spawn().unwrap();
            std::io::Write::write_all(&mut child.stdin.take().unwrap(), LITERAL.as_bytes()).unwrap();
            let output = child.wait_with_output().unwrap();
            let told = String::from_utf8(output.stdout).unwrap();
            assert_eq!(told, format!("{ANSWER}\n").repeat(64));
            let complaints = String::from_utf8(output.stderr).unwrap();
            assert_eq!(
                complaints,
                "\
librdma_addrinfo: RDMA_ADDRINFO_POLICY='manpage' is invalid: it takes 'man-page' or 'librdmacm'; the default is used
librdma_addrinfo: RDMA_ADDRINFO_IBACM='' is invalid: it takes the path of a socket, that of a run directory with a '/' at its end, a port, 'auto' or 'off'; the default is used
librdma_addrinfo: RDMA_ADDRINFO_TIMEOUT_MS='2s' is invalid: it takes milliseconds, a decimal number; the default is used
librdma_addrinfo: RDMA_ADDRINFO_IB='Al\\nways\\x1b' is invalid: it takes 'auto', 'always' or 'never'; the default is used
"
            );
        }
        // However long it is.
        let long = "x".repeat(3000);
        let mut command = command(&program);
        command.env("RDMA_ADDRINFO_IB", &long).stderr(Stdio::piped()).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().unwrap();
        std::io::Write::write_all(&mut child.stdin.take().unwrap(), LITERAL.as_bytes()).unwrap();
        let output = child.wait_with_output().unwrap();
        assert_eq!(String::from_utf8(output.stdout).unwrap(), format!("{ANSWER}\n"));
        assert_eq!(
            String::from_utf8(output.stderr).unwrap(),
            format!("librdma_addrinfo: RDMA_ADDRINFO_IB='{long}' is invalid: it takes 'auto', 'always' or 'never'; the default is used\n")
        );
        // Without standard error it is not reported.
        let output = feed(Path::new("/bin/sh"), &["-c", "exec \"$0\" 2>&-", program.to_str().unwrap()], LITERAL, &[("RDMA_ADDRINFO_IB", "x")]);
        assert_eq!(output, format!("{ANSWER}\n"));
    });
}

/// Who reads standard error no more, or may not be written to, costs the program nothing.
#[test]
fn a_complaint_raises_no_signal() {
    let Some(program) = program("a_complaint_raises_no_signal", "signals", With::Ours) else { return };
    for long in [7, 3000] {
        let value = "x".repeat(long);
        let told = feed(&program, &[], "", &[("RDMA_ADDRINFO_POLICY", &value)]);
        assert_eq!(
            told,
            "a broken pipe: 0\na signal that was there: 0\na full file: 0\na terminal in the background: 0\n\
             without the library: signal 13\n"
        );
    }
}

/// A program that has more rights than its caller is not told anything by that one.
#[test]
fn who_has_more_rights_reads_no_variables() {
    let Some(program) = program("who_has_more_rights_reads_no_variables", "answers", With::Ours) else {
        return;
    };
    let secure = object("rights", "secure");
    let short = "short\t127.1\t0\t0,0,2,262\t-\t-\t-";
    let policy = ("RDMA_ADDRINFO_POLICY", "man-page");
    assert_eq!(feed(&program, &[], short, &[policy]), "{\"id\":\"short\",\"ret\":-2}\n");
    let told = feed(&program, &[], short, &[policy, ("LD_PRELOAD", secure.to_str().unwrap())]);
    assert!(told.contains("7f000001"), "{told}");
    fs::remove_file(secure).unwrap();
}

#[test]
fn ibacm_is_where_it_is_said_to_be() {
    let Some(program) = program("ibacm_is_where_it_is_said_to_be", "answers", With::Ours) else { return };
    World::EMPTY.run(|| {
        let daemon = Ibacm::start();
        daemon.reply_a_path_to_all();
        fs::create_dir("/run/other").unwrap();
        fs::hard_link("/run/ibacm.sock", "/run/other/ibacm.sock").unwrap();
        for (place, ib, expected) in [
            ("auto", "never", 1),
            ("auto", "always", 2),
            ("auto", "auto", 1),
            ("/run/ibacm.sock", "always", 2),
            ("/run/other/", "always", 2),
            ("off", "always", 0),
            ("/run/nobody.sock", "always", 0),
            ("1", "always", 0),
        ] {
            let mut talk = talk(&program, &[("RDMA_ADDRINFO_IBACM", place), ("RDMA_ADDRINFO_IB", ib)]);
            let answer = talk.ask(LITERAL);
            assert_eq!(answer.matches(r#""route":"2b"#).count(), expected, "{place} {ib}: {answer}");
            talk.end();
        }
        // The AF_IB entry stands where the policy has it.
        for (policy, families) in [("librdmacm", [27, 2]), ("man-page", [2, 27])] {
            let mut talk =
                talk(&program, &[("RDMA_ADDRINFO_POLICY", policy), ("RDMA_ADDRINFO_IB", "always")]);
            let answer = talk.ask(LITERAL);
            let at = families.map(|family| answer.find(&format!("\"family\":{family},")).unwrap());
            assert!(at[0] < at[1], "{policy}: {answer}");
            talk.end();
        }
    });
}

/// A connection is kept, and is not once it is forgotten; the next call has a new one.
#[test]
fn what_is_kept_is_forgotten_when_told_to() {
    let Some(program) = program("what_is_kept_is_forgotten", "answers", With::Ours) else { return };
    World::EMPTY.run(|| {
        let daemon = Ibacm::start();
        daemon.reply_a_path_to_all();
        for (mode, kept) in [("strict", 1), ("forget", 0)] {
            let mut command = command(&program);
            command.arg(mode);
            let mut talk = Talk::start(command);
            assert!(talk.ask("wrong\t::g\t7471\t2,0,0,0\t-\t-\t-").contains(r#""ret":-2"#));
            let before = talk.threads_and_descriptors();
            for _ in 0..3 {
                assert_eq!(talk.ask(LITERAL).matches(r#""route":"2b"#).count(), 1, "{mode}");
                assert_eq!(talk.threads_and_descriptors(), (1, before.1 + kept), "{mode}");
            }
            talk.end();
        }
    });
}

/// The answers are the same, also about a file that has gone.
#[test]
fn names_are_asked_of_the_files_or_of_the_system() {
    let test = "names_are_asked_of_the_files_or_of_the_system";
    let Some(program) = program(test, "answers", With::Ours) else { return };
    let world = World { hosts: "192.0.2.7 storage-7\n192.0.2.8 storage-8\n", ..World::EMPTY };
    world.run(|| {
        // A file that was written just now is not indexed.
        std::thread::sleep(Duration::from_millis(200));
        let answers = ["files", "system"].map(|names| {
            let mut talk = talk(&program, &[("RDMA_ADDRINFO_NAMES", names)]);
            let first = talk.ask("name\tstorage-7\t7471\t0,0,2,262\t-\t-\t-");
            assert!(first.contains("02001d2fc0000207"), "{first}");
            let second = talk.ask("name\tstorage-8\t7471\t0,0,2,262\t-\t-\t-");
            std::fs::remove_file("/etc/hosts").unwrap();
            let none = talk.ask("name\tstorage-7\t7471\t0,0,2,262\t-\t-\t-");
            std::fs::write("/etc/hosts", world.hosts).unwrap();
            std::thread::sleep(Duration::from_millis(200));
            assert!(none.contains(r#""ret":-"#), "{names}: {none}");
            talk.end();
            (first, second)
        });
        assert_eq!(answers[0], answers[1]);
    });
}

#[test]
fn a_silent_ibacm_costs_no_more_than_its_time() {
    let test = "a_silent_ibacm_costs_no_more_than_its_time";
    let Some(program) = program(test, "answers", With::Ours) else { return };
    World::EMPTY.run(|| {
        // They accept, and say nothing.
        let _unix = UnixListener::bind("/run/ibacm.sock").unwrap();
        let tcp = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = tcp.local_addr().unwrap().port().to_string();
        for place in ["auto", &port] {
            let longest = if place == "auto" { "4000" } else { "400" };
            for (limit, least) in [("0", 0), ("300", 290), ("", 9_990), (longest, longest.parse().unwrap())] {
                let mut variables = vec![("RDMA_ADDRINFO_IBACM", place)];
                if !limit.is_empty() {
                    variables.push(("RDMA_ADDRINFO_TIMEOUT_MS", limit));
                }
                let mut talk = talk(&program, &variables);
                let start = Instant::now();
                assert_eq!(talk.ask(LITERAL), ANSWER);
                let took = start.elapsed().as_millis();
                assert!((least..least + 20_000).contains(&took), "{place}, {limit}: {took} ms");
                talk.end();
            }
        }
    });
}
