//! Running the command, also in its own namespaces.

use serde_json::Value;
use std::ffi::OsStr;
use std::os::unix::fs::MetadataExt;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};
use std::{env, fs, process};

pub(crate) const PROGRAM: &str = env!("CARGO_BIN_EXE_rdma-getaddrinfo");

/// The result of a run of the command.
#[derive(Debug)]
pub(crate) struct Run {
    pub(crate) status: i32,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl Run {
    pub(crate) fn of(command: &mut Command) -> Self {
        Self::from(command.stdin(Stdio::null()).output().expect("the command starts"))
    }

    /// Standard output of a run that found something and reported no error.
    #[track_caller]
    pub(crate) fn found(self) -> String {
        assert_eq!((self.status, self.err.as_str()), (0, ""), "{}", self.out);
        self.out
    }

    /// Standard error of a run that ended with `status` and no output.
    #[track_caller]
    pub(crate) fn refused(self, status: i32) -> String {
        assert_eq!((self.status, self.out.as_str()), (status, ""), "{}", self.err);
        self.err
    }
}

impl From<Output> for Run {
    fn from(output: Output) -> Self {
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("the output is UTF-8");
        Self {
            status: output.status.code().expect("the command ends by itself"),
            out: text(output.stdout),
            err: text(output.stderr),
        }
    }
}

pub(crate) fn run<A: AsRef<OsStr>>(arguments: &[A]) -> Run {
    Run::of(Command::new(PROGRAM).args(arguments))
}

/// The JSON line of a run, each `elapsed_us` checked and set to 0.
#[track_caller]
pub(crate) fn json(run: &Run) -> Value {
    assert_eq!(run.err, "");
    let line = run.out.strip_suffix('\n').expect("a line");
    assert!(!line.contains('\n'), "one line: {line}");
    let mut value = serde_json::from_str(line).expect("JSON");
    mask(&mut value);
    value
}

fn mask(value: &mut Value) {
    match value {
        Value::Object(members) => {
            for (key, value) in members {
                match value.as_f64() {
                    Some(elapsed) if key == "elapsed_us" => {
                        assert!((0.0..60e6).contains(&elapsed), "{elapsed}");
                        *value = 0.into();
                    }
                    _ => mask(value),
                }
            }
        }
        Value::Array(values) => values.iter_mut().for_each(mask),
        _ => {}
    }
}

/// A shell script in new namespaces, selected by unshare(1)'s option; the caller adds its arguments, from `$0` on.
/// `None`, loudly, if the kernel does not allow such namespaces; in CI that is a failure.
#[track_caller]
pub(crate) fn in_namespaces(option: &str, script: &str) -> Option<Command> {
    let is_root = fs::metadata("/proc/self").is_ok_and(|own| own.uid() == 0);
    let unshare = || {
        let mut command = Command::new("unshare");
        if !is_root {
            command.arg("-Ur");
        }
        command.arg(option);
        command
    };
    let why = match unshare().arg("true").output() {
        Ok(probe) if probe.status.success() => {
            let mut command = unshare();
            command.args(["sh", "-c", script]);
            return Some(command);
        }
        Ok(probe) => String::from_utf8_lossy(&probe.stderr).into_owned(),
        Err(error) => format!("unshare: {error}"),
    };
    not_tested(&format!("no namespaces ({option}): {why}"));
    None
}

/// Reports loudly that something cannot be tested here; in CI that is a failure.
#[track_caller]
pub(crate) fn not_tested(why: &str) {
    assert!(env::var_os("CI").is_none_or(|ci| ci != "true"), "{why}");
    eprintln!("\n!!!!! SKIPPED: command: {why} !!!!!\n");
}

/// An `/etc` that only the commands started here see, in their own mount namespace.
pub(crate) struct Machine {
    etc: PathBuf,
}

impl Machine {
    /// A machine with the hosts and services in these texts, and no other source of names. `None`, loudly, if the
    /// kernel allows no mount namespace; in CI that is a failure.
    #[track_caller]
    pub(crate) fn new(name: &str, hosts: &str, services: &str) -> Option<Self> {
        let etc = env::temp_dir().join(format!("rdma-getaddrinfo-{name}-{}", process::id()));
        fs::create_dir_all(&etc).expect("a folder");
        let machine = Self { etc };
        machine.file("hosts", hosts);
        machine.file("services", services);
        machine.file("nsswitch.conf", "hosts: files\nservices: files\n");
        machine.file("host.conf", "multi on\n");
        // The loader uses it to find libraries in unusual directories.
        let _ = fs::copy("/etc/ld.so.cache", machine.etc.join("ld.so.cache"));

        machine.command("true").map(|_| machine)
    }

    fn file(&self, name: &str, text: &str) {
        fs::write(self.etc.join(name), text).expect("a file");
    }

    /// A command on this machine.
    pub(crate) fn command(&self, program: &str) -> Option<Command> {
        let mut command = in_namespaces("-m", "mount --bind \"$0\" /etc && exec \"$@\"")?;
        command.arg(&self.etc).arg(program);
        Some(command)
    }

    pub(crate) fn run(&self, arguments: &[&str]) -> Run {
        Run::of(self.command(PROGRAM).expect("it worked before").args(arguments))
    }
}

impl Drop for Machine {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.etc);
    }
}
