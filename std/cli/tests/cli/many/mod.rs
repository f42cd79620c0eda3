//! Many nodes in one command.

mod faults;
mod input;
mod results;
mod terminal;

use crate::common::{PROGRAM, Run};
use std::io::Write;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use std::{env, fs, process, thread};

/// Longer than anything here takes on a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);

/// The nodes that a run would resolve, separated by spaces.
#[track_caller]
fn expanded(arguments: &[&str]) -> String {
    Run::of(command(arguments).arg("--expand")).found().trim_end().replace('\n', " ")
}

/// The command in an environment that is no job's.
fn command(arguments: &[&str]) -> Command {
    let mut command = Command::new(PROGRAM);
    command.args(arguments);
    for variable in [
        "SLURM_JOB_NODELIST",
        "SLURM_NODELIST",
        "PBS_NODEFILE",
        "PE_HOSTFILE",
        "LSB_DJOB_HOSTFILE",
        "LSB_HOSTS",
        "LSB_MCPU_HOSTS",
        "OAR_NODEFILE",
        "OAR_NODE_FILE",
        "OAR_FILE_NODES",
        "COBALT_NODEFILE",
    ] {
        command.env_remove(variable);
    }
    command
}

/// A run with this on standard input.
fn fed(arguments: &[&str], input: &[u8]) -> Run {
    let mut child = command(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("it starts");
    let mut stdin = child.stdin.take().expect("a pipe");
    let input = input.to_vec();
    // It may end without reading all.
    let writer = thread::spawn(move || drop(stdin.write_all(&input)));
    let run = Run::from(child.wait_with_output().expect("it ends"));
    writer.join().expect("no panic");
    run
}

/// A file of a test's own.
struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str) -> Self {
        Self(env::temp_dir().join(format!("rdma-getaddrinfo-{name}-{}", process::id())))
    }

    fn with(name: &str, text: &str) -> Self {
        let file = Self::new(name);
        fs::write(&file.0, text).expect("a file");
        file
    }

    fn path(&self) -> &str {
        self.0.to_str().expect("UTF-8")
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.0);
    }
}

/// Waits for the end of a child, which must not take for ever.
#[track_caller]
fn ended(child: &mut Child) -> process::ExitStatus {
    let late = Instant::now() + PATIENCE;
    loop {
        if let Some(status) = child.try_wait().expect("a child") {
            return status;
        }
        if Instant::now() > late {
            let _ = child.kill();
            panic!("it does not end");
        }
        thread::sleep(Duration::from_millis(5));
    }
}
