//! Lists of hosts against the programs that administrators know them from: ClusterShell's `nodeset`, and pdsh.
//!
//! `hostlist/clustershell.tsv` and `hostlist/pdsh.tsv` hold what ClusterShell 1.9.1 and pdsh 2.34 made of lists, `!`
//! where they refuse one. ClusterShell sorts hosts and drops those that come twice; pdsh keeps them as they are written,
//! and knows neither steps nor three brackets. Where the programs are installed they are asked again, with lists made
//! at random.

use rdma_addrinfo_core::text::hostlist::HostList;
use std::collections::BTreeSet;
use std::env;
use std::io::Write;
use std::process::{Command, Stdio};

const CLUSTERSHELL: &str = include_str!("hostlist/clustershell.tsv");
const PDSH: &str = include_str!("hostlist/pdsh.tsv");

/// The hosts of a list, or `!`.
fn ours(list: &str) -> String {
    match HostList::parse(list.as_bytes()) {
        Ok(list) => list.hosts().map(|host| host.to_string()).collect::<Vec<_>>().join(" "),
        Err(_) => "!".into(),
    }
}

/// As ClusterShell's answers are compared: each once, in one order.
fn set(hosts: &str) -> BTreeSet<&str> {
    hosts.split(' ').collect()
}

fn rows(table: &str) -> Vec<(&str, &str)> {
    let rows: Vec<_> = table
        .lines()
        .filter(|line| !line.starts_with('#'))
        .map(|line| line.split_once('\t').expect("two columns"))
        .collect();
    assert!(rows.len() >= 40, "{} rows", rows.len());
    rows
}

#[test]
fn recorded_answers_of_clustershell() {
    for (list, hosts) in rows(CLUSTERSHELL) {
        assert_eq!(set(&ours(list)), set(hosts), "{list}");
    }
}

#[test]
fn recorded_answers_of_pdsh() {
    for (list, hosts) in rows(PDSH) {
        assert_eq!(ours(list), hosts, "{list}");
    }
}

/// Lists made at random, of what a program knows.
struct Random {
    state: u64,
    is_pdsh: bool,
}

impl Random {
    fn below(&mut self, end: u64) -> u64 {
        self.state =
            self.state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.state >> 33) % end
    }

    fn list(&mut self) -> String {
        let items: Vec<String> = (0..=self.below(2)).map(|_| self.item()).collect();
        items.join(",")
    }

    fn item(&mut self) -> String {
        let mut item = String::from(["n", "m-"][self.below(2) as usize]);
        for _ in 0..self.below(if self.is_pdsh { 3 } else { 4 }) {
            item.push_str(["n", "rack", "r1-", "a.b-", "x0y"][self.below(5) as usize]);
            let ranges: Vec<String> = (0..=self.below(2)).map(|_| self.range()).collect();
            item.push_str(&format!("[{}]", ranges.join(",")));
        }
        item + ["", "-ib", "x", ".example", "login"][self.below(5) as usize]
    }

    fn range(&mut self) -> String {
        let (first, more) = (self.below(120), self.below(4));
        let width = [0, 0, 2, 3, 4][self.below(5) as usize];
        let (first, last) = (format!("{first:0width$}"), format!("{:0width$}", first + more));
        match self.below(4) {
            0 => first,
            // The widths of padded ends differ: only pdsh takes it.
            _ if !self.is_pdsh && first.starts_with('0') && first.len() != last.len() => last,
            1 if !self.is_pdsh => format!("{first}-{last}/{}", 1 + self.below(9)),
            _ => format!("{first}-{last}"),
        }
    }
}

/// The system's own, for which its packages are.
const PYTHON: &str = "/usr/bin/python3";

/// Reads lists, and writes the hosts of each on a line.
const ASK_CLUSTERSHELL: &str = "
import sys
from ClusterShell.NodeSet import NodeSet
for line in sys.stdin:
    print(*NodeSet(line.strip(), resolver=None))
";

#[test]
#[cfg(not(miri))]
fn clustershell_expands_random_lists_to_the_same() {
    let mut random = Random { state: 0x7072_6f70, is_pdsh: false };
    let lists: Vec<String> = (0..1000).map(|_| random.list()).collect();
    let mut python = Command::new(PYTHON);
    python.args(["-c", ASK_CLUSTERSHELL]).stdin(Stdio::piped()).stdout(Stdio::piped());
    let Some(mut python) = started("ClusterShell", "nodeset", &mut python) else { return };
    let mut stdin = python.stdin.take().expect("a pipe");
    let text = lists.join("\n");
    let writer = std::thread::spawn(move || stdin.write_all(text.as_bytes()));
    let output = python.wait_with_output().expect("it ends");
    writer.join().expect("no panic").expect("it reads");
    assert!(output.status.success(), "{output:?}");
    let answers = String::from_utf8(output.stdout).expect("UTF-8");
    assert_eq!(answers.lines().count(), lists.len());
    for (list, hosts) in lists.iter().zip(answers.lines()) {
        assert_eq!(set(&ours(list)), set(hosts), "{list}");
    }
}

#[test]
#[cfg(not(miri))]
fn pdsh_expands_random_lists_to_the_same() {
    let mut random = Random { state: 0x6c69_7374, is_pdsh: true };
    for _ in 0..60 {
        let list = random.list();
        let mut pdsh = Command::new("pdsh");
        pdsh.args(["-Q", "-R", "exec", "-w", &list]).stdout(Stdio::piped());
        let Some(pdsh) = started("pdsh", "pdsh", &mut pdsh) else { return };
        let output = pdsh.wait_with_output().expect("it ends");
        let text = String::from_utf8(output.stdout).expect("UTF-8");
        let (_, hosts) = text.split_once("-- Target nodes --\n").expect("its targets");
        assert!(!hosts.contains("[truncated]"), "{list} is too long for its output");
        assert_eq!(ours(&list), hosts.trim().replace(',', " "), "{list}");
    }
}

/// Starts a program; if it is not installed, that is reported loudly, and a failure in CI.
#[cfg(not(miri))]
fn started(name: &str, probe: &str, command: &mut Command) -> Option<std::process::Child> {
    if Command::new(probe).arg("-V").output().is_ok() {
        return Some(command.spawn().expect("it starts"));
    }
    assert!(env::var_os("CI").is_none_or(|ci| ci != "true"), "{name} is not installed");
    eprintln!(
        "\n!!!!! SKIPPED: hostlist: {name} is missing, to compare with: apt-get install clustershell pdsh !!!!!\n"
    );
    None
}
