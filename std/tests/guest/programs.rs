//! Programs that run beside a test, none of them longer than it has patience for.

use std::env;
use std::ffi::OsString;
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::{Duration, Instant};

/// A program that runs until it ends or is dropped.
#[derive(Debug)]
pub(super) struct Program {
    name: String,
    child: Child,
    lines: Receiver<String>,
    told: Vec<String>,
}

impl Program {
    /// Starts a program of the guest, or one that lies beside this one.
    pub(super) fn start(name: &str, words: &[&str]) -> Self {
        Self::start_with(name, words, &[])
    }

    /// The same, with these variables in its environment.
    pub(super) fn start_with(name: &str, words: &[&str], variables: &[(&str, OsString)]) -> Self {
        let beside = beside(name);
        let path = if beside.exists() { beside } else { name.into() };
        // Lines of the standard error come among the others.
        let mut command = Command::new("sh");
        command.args(["-c", r#"exec "$0" "$@" 2>&1"#]).arg(path).args(words).envs(variables.iter().cloned());
        command.stdin(Stdio::null()).stdout(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let output = BufReader::new(child.stdout.take().unwrap());
        let (sender, lines) = channel();
        thread::spawn(move || {
            for line in output.split(b'\n').map_while(Result::ok) {
                let _ = sender.send(String::from_utf8_lossy(&line).into_owned());
            }
        });
        Self { name: name.into(), child, lines, told: Vec::new() }
    }

    /// Waits for a line that begins so.
    #[track_caller]
    pub(super) fn wait_for(&mut self, start: &str, limit: Duration) {
        self.wait_for_line(|line| line.starts_with(start), limit);
    }

    /// Waits for the next line that is such a one.
    #[track_caller]
    pub(super) fn wait_for_line(&mut self, is_it: impl Fn(&str) -> bool, limit: Duration) {
        let end = Instant::now() + limit;
        loop {
            match self.lines.recv_timeout(end.saturating_duration_since(Instant::now())) {
                Ok(line) => self.told.push(line),
                Err(error) => panic!("{}: no such line, {error}: {:#?}", self.name, self.told),
            }
            if is_it(&self.told[self.told.len() - 1]) {
                return;
            }
        }
    }

    /// Ends it: all lines that it has told.
    pub(super) fn stop(mut self) -> Vec<String> {
        // It may have ended by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
        self.told.extend(self.lines.iter());
        std::mem::take(&mut self.told)
    }

    /// Waits until it has ended: its status, and all lines that it has told.
    #[track_caller]
    pub(super) fn finish(mut self, limit: Duration) -> (ExitStatus, Vec<String>) {
        let ended = self.ends_within(limit);
        ended.unwrap_or_else(|| panic!("{} does not end: {:#?}", self.name, self.told))
    }

    /// The same; `None` if it does not end.
    pub(super) fn ends_within(&mut self, limit: Duration) -> Option<(ExitStatus, Vec<String>)> {
        let end = Instant::now() + limit;
        while Instant::now() < end {
            self.told.extend(self.lines.try_iter());
            if let Some(status) = self.child.try_wait().unwrap() {
                // What is still in the pipe ends with it.
                self.told.extend(self.lines.iter());
                return Some((status, std::mem::take(&mut self.told)));
            }
            thread::sleep(Duration::from_millis(20));
        }
        None
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Waits until the connection manager says that a program listens.
#[track_caller]
pub(super) fn wait_until_listening(program: &mut Program) {
    let pid = program.child.id().to_string();
    let listens = || {
        let shown = Command::new("rdma").args(["resource", "show", "cm_id"]).output().unwrap();
        let shown = String::from_utf8_lossy(&shown.stdout).into_owned();
        shown.lines().any(|line| {
            let words: Vec<&str> = line.split_whitespace().collect();
            words.windows(2).any(|pair| pair == ["state", "LISTEN"])
                && words.windows(2).any(|pair| pair == ["pid", &pid])
        })
    };
    let end = Instant::now() + Duration::from_secs(60);
    while !listens() {
        let ended = program.child.try_wait().unwrap();
        if ended.is_some() || Instant::now() > end {
            program.told.extend(program.lines.try_iter());
            panic!("{} does not listen, {ended:?}: {:#?}", program.name, program.told);
        }
        thread::sleep(Duration::from_millis(20));
    }
}

/// Where a file of the check's lies.
pub(super) fn beside(name: &str) -> PathBuf {
    env::current_exe().unwrap().with_file_name(name)
}

/// How many packets a device has sent.
pub(super) fn counter(device: &str) -> u64 {
    let path = format!("/sys/class/infiniband/{device}/ports/1/hw_counters/sent_pkts");
    fs::read_to_string(path).unwrap().trim().parse().unwrap()
}
