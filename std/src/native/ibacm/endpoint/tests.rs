//! What the files of a place say.

use super::*;
use std::env;
use std::fs;
use std::path::PathBuf;
use std::process;
use std::time::Duration;

fn soon() -> Instant {
    Instant::now() + Duration::from_secs(20)
}

/// A directory that is gone at the end.
struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str) -> Self {
        let path = env::temp_dir().join(format!("rdma-addrinfo-{name}-{}", process::id()));
        fs::create_dir_all(&path).unwrap();
        Self(path)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

#[test]
fn ports_as_fscanf_reads_them() {
    for (text, expected) in [
        ("6125\n", Some(6125)),
        ("6125", Some(6125)),
        (" \t\n6125 x", Some(6125)),
        ("1", Some(1)),
        ("65535", Some(65535)),
        ("0006125", Some(6125)),
        ("6125,6126", Some(6125)),
        ("0", None),
        ("0\n6125", None),
        ("65536", None),
        ("99999999999999999999", None),
        ("-1", None),
        ("port 6125", None),
        ("", None),
        ("\n", None),
    ] {
        assert_eq!(port(text.as_bytes()), expected, "{text:?}");
    }
    assert_eq!(port(b"6125\xff"), Some(6125));
    assert_eq!(port(b"\xff6125"), None);
}

#[test]
fn a_run_directory_has_a_port_file_or_a_socket() {
    let scratch = Scratch::new("run-directory");
    let ibacm = Ibacm::directory(&scratch.0).unwrap();
    let socket = Endpoint::Unix(SocketAddrUnix::new(scratch.0.join("ibacm.sock")).unwrap());
    let file = scratch.0.join("ibacm.port");
    assert_eq!(endpoint(&ibacm, soon()).unwrap(), socket);
    for (text, expected) in [("6125\n", &Endpoint::Port(6125)), ("0\n", &socket), ("none", &socket)] {
        fs::write(&file, text).unwrap();
        assert_eq!(endpoint(&ibacm, soon()).unwrap(), *expected, "{text}");
    }
    // With and without a slash at the end.
    let slash = Ibacm::directory(format!("{}/", scratch.0.display())).unwrap();
    fs::write(&file, "7").unwrap();
    assert_eq!(endpoint(&slash, soon()).unwrap(), Endpoint::Port(7));
    // Something that is no file has no port in it.
    fs::remove_file(&file).unwrap();
    fs::create_dir(&file).unwrap();
    assert_eq!(endpoint(&ibacm, soon()).unwrap(), socket);
}

#[test]
fn a_port_file_alone() {
    let scratch = Scratch::new("port-file");
    let file = scratch.0.join("port");
    let ibacm = Ibacm::port_file(&file).unwrap();
    assert_eq!(endpoint(&ibacm, soon()), Err(Failure::Absent));
    fs::write(&file, "0").unwrap();
    assert_eq!(endpoint(&ibacm, soon()), Err(Failure::Absent));
    fs::write(&file, "6125").unwrap();
    assert_eq!(endpoint(&ibacm, soon()), Ok(Endpoint::Port(6125)));
}

/// A reader of a pipe without a writer would wait for ever.
#[test]
fn a_port_file_that_is_a_pipe_makes_nobody_wait() {
    let scratch = Scratch::new("port-pipe");
    let pipe = scratch.0.join("pipe");
    rustix::fs::mkfifoat(rustix::fs::CWD, &pipe, Mode::RUSR | Mode::WUSR).unwrap();
    assert_eq!(endpoint(&Ibacm::port_file(&pipe).unwrap(), soon()), Err(Failure::Absent));
}

#[test]
fn places_that_need_no_file() {
    assert_eq!(endpoint(&Ibacm::OFF, soon()), Err(Failure::Absent));
    assert_eq!(endpoint(&Ibacm::port(0), soon()), Err(Failure::Absent));
    assert_eq!(endpoint(&Ibacm::port(65535), soon()), Ok(Endpoint::Port(65535)));
    // The longest paths are paths of sockets.
    let path = format!("/{}", "s".repeat(106));
    let expected = Endpoint::Unix(SocketAddrUnix::new(&*path).unwrap());
    assert_eq!(endpoint(&Ibacm::socket(&path).unwrap(), soon()), Ok(expected));
    let path = format!("/{}", "d".repeat(95));
    let expected = Endpoint::Unix(SocketAddrUnix::new(format!("{path}/ibacm.sock")).unwrap());
    assert_eq!(endpoint(&Ibacm::directory(&path).unwrap(), soon()), Ok(expected));
}

#[test]
fn what_a_signal_interrupts_is_called_again_until_the_deadline() {
    let mut calls = 0;
    let interrupted_twice = || {
        calls += 1;
        if calls < 3 { Err(Errno::INTR) } else { Ok(calls) }
    };
    assert_eq!(uninterrupted(soon(), interrupted_twice), Ok(Ok(3)));
    let deadline = Instant::now() + Duration::from_millis(20);
    let for_ever = || Err::<(), _>(Errno::INTR);
    assert_eq!(uninterrupted(deadline, for_ever), Err(Failure::TimedOut));
    assert!(Instant::now() >= deadline);
}

#[test]
fn what_may_pass_says_nothing_of_the_daemon() {
    for errno in [Errno::MFILE, Errno::NFILE, Errno::NOMEM, Errno::NOBUFS, Errno::IO, Errno::INTR] {
        assert!(may_pass(errno), "{errno:?}");
    }
    for errno in [Errno::NOENT, Errno::ACCESS, Errno::ISDIR, Errno::NOTDIR, Errno::AGAIN, Errno::LOOP] {
        assert!(!may_pass(errno), "{errno:?}");
    }
}
