//! Which nodes: arguments, hostfiles, standard input, jobs; and what is refused.

use super::{Scratch, command, expanded, fed};
use crate::common::Run;
use rustix::fs::{CWD, FileType, Mode, mknodat};
use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::Write;
use std::os::unix::ffi::OsStrExt;
use std::process::Stdio;
use std::thread;

#[test]
fn lists_in_their_order() {
    assert_eq!(expanded(&["-w", "node[08-12/2],login1"]), "node08 node10 node12 login1");
    assert_eq!(expanded(&["-w", "b,a", "-w", "r[1-2]-n[1-2]"]), "b a r1-n1 r1-n2 r2-n1 r2-n2");
    assert_eq!(expanded(&["--hosts", "n[1-3],n[2-4]"]), "n1 n2 n3 n2 n3 n4");
    assert_eq!(expanded(&["-w", "n[1-3],n[2-4]", "--unique"]), "n1 n2 n3 n4");
    assert_eq!(expanded(&["-w", "n[1-6]", "-x", "n[2-3]", "-x", "n[5,9],other"]), "n1 n4 n6");
    // Names are left out as they are written.
    assert_eq!(expanded(&["-w", "n[08-10]", "-x", "n[8-9]"]), "n08 n09 n10");
    // The service changes nothing.
    assert_eq!(expanded(&["-w", "a", "7471"]), "a");
}

#[test]
fn arguments_that_are_not_utf_8() {
    let refused = Run::of(command(&["--expand", "-w"]).arg(OsStr::from_bytes(b"n\xff[1-2]"))).refused(2);
    assert_eq!(refused, "rdma-getaddrinfo: -w: a name is not UTF-8\n  n\u{fffd}[1-2]\n   ^\n");
    let refused = Run::of(command(&["-w", "a"]).arg(OsStr::from_bytes(b"\xff"))).refused(2);
    assert!(
        refused.starts_with("error: many nodes cannot be used with a service that is not UTF-8"),
        "{refused}"
    );
}

#[test]
fn hostfiles() {
    let text = "# nodes\nnode1 slots=4\n\n  n[2-3]\tmax\r\n#x\nnode1 # again\nlast#";
    let file = Scratch::with("hostfile", text);
    let all = "node1 n2 n3 node1 last";
    assert_eq!(expanded(&["--hostfile", file.path()]), all);
    assert_eq!(expanded(&["-w", &format!("^{}", file.path())]), all);
    assert_eq!(expanded(&["-w", "first", "--hostfile", file.path()]), format!("first {all}"));
    assert_eq!(
        expanded(&["-w", "a,n[1-9],last", "-x", &format!("^{}", file.path())]),
        "a n1 n4 n5 n6 n7 n8 n9"
    );
    for arguments in [&["--hostfile", "-", "--expand"], &["-w", "-", "--expand"], &["-w", "^-", "--expand"]] {
        assert_eq!(fed(arguments, text.as_bytes()).found(), "node1\nn2\nn3\nnode1\nlast\n");
    }
    assert_eq!(fed(&["-w", "n[1-3]", "-x", "-", "--expand"], b"n2\n").found(), "n1\nn3\n");
}

#[test]
fn jobs() {
    let file = Scratch::with("nodefile", "n1 4 all.q@n1\nn1\nn2\n");
    for (variable, value, nodes) in [
        ("SLURM_JOB_NODELIST", "n[01-03],login1", "n01 n02 n03 login1"),
        ("SLURM_NODELIST", "n1", "n1"),
        ("PBS_NODEFILE", file.path(), "n1 n1 n2"),
        ("PE_HOSTFILE", file.path(), "n1 n1 n2"),
        ("LSB_DJOB_HOSTFILE", file.path(), "n1 n1 n2"),
        ("LSB_HOSTS", "n1 n1  n2", "n1 n1 n2"),
        ("LSB_MCPU_HOSTS", "n1 16 n2 8 ", "n1 n2"),
        ("OAR_NODEFILE", file.path(), "n1 n1 n2"),
        ("OAR_NODE_FILE", file.path(), "n1 n1 n2"),
        ("OAR_FILE_NODES", file.path(), "n1 n1 n2"),
        ("COBALT_NODEFILE", file.path(), "n1 n1 n2"),
    ] {
        let run = Run::of(command(&["--from-job", "--expand"]).env(variable, value));
        assert_eq!(run.found().replace('\n', " ").trim_end(), nodes, "{variable}");
    }
    // The first of them counts, if it says something.
    let run = Run::of(
        command(&["--from-job", "--expand", "-w", "x"])
            .env("LSB_HOSTS", "no")
            .env("SLURM_JOB_NODELIST", "")
            .env("SLURM_NODELIST", "n1"),
    );
    assert_eq!(run.found(), "x\nn1\n");
    let refused = Run::of(&mut command(&["--from-job"])).refused(2);
    assert!(
        refused.starts_with("rdma-getaddrinfo: --from-job: this is no job: none of SLURM_JOB_NODELIST, "),
        "{refused}"
    );
    let refused = Run::of(command(&["--from-job"]).env("SLURM_JOB_NODELIST", "n[3")).refused(2);
    assert_eq!(refused, "rdma-getaddrinfo: SLURM_JOB_NODELIST: a '[' is not closed\n  n[3\n     ^\n");
}

#[test]
fn what_is_wrong_is_told_before_anything_is_resolved() {
    let file = Scratch::with("wrong", "127.0.0.1\n\nn[3-1]\n");
    let path = file.path();
    for (arguments, message) in [
        (
            &["-w", "127.0.0.1,a["][..],
            "-w: a '[' is not closed\n  127.0.0.1,a[\n              ^\n".to_owned(),
        ),
        (&["-w", ""], "-w: a host is missing between commas\n".into()),
        (&["-w", "a", "-x", "b]"], "-x: a ']' closes nothing\n  b]\n   ^\n".into()),
        (
            &["--hostfile", path],
            format!("'{path}', line 3: the end of the range is below its start\n  n[3-1]\n      ^\n"),
        ),
        (
            &["--hostfile", "/no/such"],
            "cannot read '/no/such': No such file or directory (os error 2)\n".into(),
        ),
        (&["--hostfile", "/"], "cannot read '/': Is a directory (os error 21)\n".into()),
        (&["--hostfile", "/dev/null"], "there is no node to resolve\n".into()),
        (&["-w", "n[1-3]", "-x", "n[1-3]"], "there is no node to resolve\n".into()),
        (&["--hostfile", "/dev/zero"], "'/dev/zero', line 1: a list has 1048576 bytes at most\n".into()),
        (&["-w", "-", "--hostfile", "-"], "standard input can be read once only\n".into()),
        (&["-w", "-", "-x", "^-"], "standard input can be read once only\n".into()),
        // Before it is read.
        (&["-w", "n[", "-x", "-", "-x", "-"], "standard input can be read once only\n".into()),
        (&["-w", "n[0-4294967295]"], "-w: 4294967296 nodes are more than the 65536 of --max-hosts\n".into()),
        (
            &["-w", "n[0-18446744073709551615]", "--max-hosts", "18446744073709551615"],
            "-w: more than 2^64 nodes are more than the 18446744073709551615 of --max-hosts\n".into(),
        ),
        (&["-w", "a,b", "--max-hosts", "1"], "-w: 2 nodes are more than the 1 of --max-hosts\n".into()),
        (
            &["-w", "a", "-x", "n[1-9]", "--max-hosts", "5"],
            "-x: 9 nodes are more than the 5 of --max-hosts\n".into(),
        ),
    ] {
        let refused = Run::of(&mut command(arguments)).refused(2);
        assert_eq!(refused, format!("rdma-getaddrinfo: {message}"), "{arguments:?}");
    }
}

#[test]
fn what_is_for_one_node_only_is_refused() {
    for (arguments, message) in [
        (&["-w", "a", "b", "7471"][..], "error: many nodes cannot be used with a second argument"),
        (&["-w", "a", "--backend", "librdmacm"], "error: many nodes cannot be used with --backend librdmacm"),
        (&["-w", "a", "--explain"], "error: many nodes cannot be used with --explain"),
        (
            &["-w", "a", "--devices"],
            "error: the argument '--hosts <HOSTLIST>' cannot be used with '--devices [<NAME>]'",
        ),
        (&["-w", "a", "--expand", "--json"], "error: the argument '--expand' cannot be used with"),
        (&["-w", "a", "-f", "0"], "error: invalid value '0' for '--fanout <N>'"),
        (&["-w", "a", "--max-hosts", "0"], "error: invalid value '0' for '--max-hosts <N>'"),
        (&["a", "--summary"], "error: the following required arguments were not provided"),
        (&["a", "-x", "b"], "error: the following required arguments were not provided"),
        (&["a", "-f", "2"], "error: the following required arguments were not provided"),
        (&["a", "--progress"], "error: the following required arguments were not provided"),
        (&["a", "--report", "b"], "error: the following required arguments were not provided"),
        (&["-w", "a", "--progress=soon"], "error: invalid value 'soon' for '--progress[=<WHEN>]'"),
    ] {
        let refused = Run::of(&mut command(arguments)).refused(2);
        assert!(refused.starts_with(message), "{arguments:?}: {refused}");
    }
}

/// Billions of nodes are printed as they are made.
#[test]
fn a_range_of_billions_takes_no_memory() {
    let mut child = command(&["-w", "n[0-4294967295]", "--max-hosts", "5000000000", "--expand"])
        .stdout(Stdio::piped())
        .spawn()
        .expect("it starts");
    let mut out = child.stdout.take().expect("a pipe");
    let mut first = [0; 1 << 20];
    std::io::Read::read_exact(&mut out, &mut first).expect("a part");
    assert!(first.starts_with(b"n0\nn1\nn2\n"));
    let peak = peak_memory(child.id());
    assert!(peak < 30_000, "{peak} kB");
    // Who has seen enough goes, and that is no error.
    drop(out);
    assert_eq!(super::ended(&mut child).code(), Some(0));
}

/// How much memory a process has had at most, in kB.
fn peak_memory(process: u32) -> u64 {
    let status = fs::read_to_string(format!("/proc/{process}/status")).expect("it runs");
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).expect("its peak");
    line.trim().trim_end_matches(" kB").parse().expect("a number")
}

#[test]
fn a_hostfile_that_is_a_fifo() {
    let fifo = Scratch::new("fifo");
    mknodat(CWD, &fifo.0, FileType::Fifo, Mode::RUSR | Mode::WUSR, 0).expect("a FIFO");
    let path = fifo.0.clone();
    let writer = thread::spawn(move || {
        let mut fifo = File::options().write(true).open(path).expect("its reader");
        for piece in [&b"no"[..], b"de[1-", b"3]\nlogin", b"1 slots=2\n"] {
            fifo.write_all(piece).expect("its reader");
        }
    });
    assert_eq!(expanded(&["--hostfile", fifo.path()]), "node1 node2 node3 login1");
    writer.join().expect("no panic");
}

/// What has too many nodes is left at once; what has none is read to its end, in little memory.
#[test]
fn a_hostfile_of_a_gigabyte() {
    let file = Scratch::with("gigabyte", "first\n#");
    let sparse = File::options().write(true).open(&file.0).expect("a file");
    // A comment of zeros, which takes no room on the disk.
    sparse.set_len(1 << 30).expect("a sparse file");
    let mut child = command(&["--hostfile", file.path(), "-w", "-", "--expand"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("it starts");
    drop(child.stdin.take());
    let mut peak = 0;
    let out = thread::scope(|scope| {
        let mut out = child.stdout.take().expect("a pipe");
        let out = scope.spawn(move || {
            let mut text = String::new();
            std::io::Read::read_to_string(&mut out, &mut text).expect("text");
            text
        });
        while !out.is_finished() {
            if let Ok(status) = fs::read_to_string(format!("/proc/{}/status", child.id()))
                && let Some(line) = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))
            {
                peak = peak.max(line.trim().trim_end_matches(" kB").parse::<u64>().expect("a number"));
            }
            thread::sleep(std::time::Duration::from_millis(2));
        }
        out.join().expect("no panic")
    });
    assert_eq!((out.as_str(), super::ended(&mut child).code()), ("first\n", Some(0)));
    assert!((1..30_000).contains(&peak), "{peak} kB");

    let many = fed(&["--hostfile", "-", "--expand"], &b"node\n".repeat(1 << 20));
    let refused = many.refused(2);
    assert_eq!(
        refused,
        "rdma-getaddrinfo: standard input, line 65537: 65537 nodes are more than the 65536 of --max-hosts\n"
    );
}
