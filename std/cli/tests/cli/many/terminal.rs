//! Progress: on a terminal, on one that shrinks, and nowhere else.

use super::{PATIENCE, command, ended};
use crate::common::Run;
use rustix::fd::OwnedFd;
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{Winsize, tcsetwinsize};
use std::fs::File;
use std::io::{Read, Write};
use std::process::{Child, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

/// A terminal: our side, and the program's.
fn terminal(columns: u16) -> (OwnedFd, File) {
    let ours = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).expect("a terminal");
    grantpt(&ours).expect("a terminal");
    unlockpt(&ours).expect("a terminal");
    let name = ptsname(&ours, Vec::new()).expect("its name");
    let theirs = File::options().read(true).write(true).open(name.to_str().expect("UTF-8")).expect("it");
    resize(&ours, columns);
    (ours, theirs)
}

fn resize(terminal: &OwnedFd, columns: u16) {
    let size = Winsize { ws_row: 24, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0 };
    tcsetwinsize(terminal, size).expect("a size");
}

/// A run that waits for names on standard input, so that it is over only when the caller wants; what it shows on its
/// terminal comes in pieces.
struct Shown {
    child: Child,
    ours: OwnedFd,
    pieces: mpsc::Receiver<String>,
}

/// So many literals that a run takes some time: nobody reads its output until the test wants.
const SLOW: [&str; 4] = ["-w", "127.0.[0-200].[1-200]", "--no-source", "7471"];

impl Shown {
    fn start(more: &[&str]) -> Self {
        let (ours, theirs) = terminal(80);
        let mut command = command(&SLOW);
        command.args(more).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(theirs);
        let child = command.spawn().expect("it starts");
        drop(command);
        let mut reader = File::from(ours.try_clone().expect("a descriptor"));
        let (sender, pieces) = mpsc::channel();
        thread::spawn(move || {
            let mut room = [0; 4096];
            // EIO once the program has gone.
            while let Ok(length @ 1..) = reader.read(&mut room) {
                let piece = String::from_utf8_lossy(&room[..length]).into_owned();
                if sender.send(piece).is_err() {
                    break;
                }
            }
        });
        Self { child, ours, pieces }
    }

    /// Reads all results slowly, and gives what the terminal showed.
    fn read_all(&mut self, mut at_piece: impl FnMut(&OwnedFd, &mut String)) -> String {
        let mut out = self.child.stdout.take().expect("a pipe");
        let reader = thread::spawn(move || {
            let mut room = vec![0; 1 << 16];
            let mut lines = 0;
            loop {
                let length = out.read(&mut room).expect("results");
                if length == 0 {
                    return lines;
                }
                lines += room[..length].iter().filter(|byte| **byte == b'\n').count();
                thread::sleep(Duration::from_millis(10));
            }
        });
        let late = Instant::now() + PATIENCE;
        let mut shown = String::new();
        while !reader.is_finished() || shown.is_empty() {
            assert!(Instant::now() < late, "{shown:?}");
            if let Ok(piece) = self.pieces.recv_timeout(Duration::from_millis(20)) {
                shown.push_str(&piece);
                at_piece(&self.ours, &mut shown);
            }
        }
        assert_eq!(reader.join().expect("no panic"), 201 * 200);
        assert_eq!(ended(&mut self.child).code(), Some(0));
        thread::sleep(Duration::from_millis(100));
        shown.extend(self.pieces.try_iter());
        shown
    }
}

/// The frames that were shown, without their control sequences.
fn frames(shown: &str) -> Vec<&str> {
    shown
        .split('\r')
        .map(|frame| frame.trim_end_matches("\x1b[K"))
        .filter(|frame| !frame.is_empty())
        .collect()
}

#[test]
fn a_bar_on_a_terminal_that_is_gone_at_the_end() {
    let mut run = Shown::start(&[]);
    let shown = run.read_all(|_, _| {});
    let frames = frames(&shown);
    assert!(!frames.is_empty());
    for frame in &frames {
        assert!(
            frame.starts_with('[')
                && frame.contains("/40200 ")
                && frame.contains("% ")
                && frame.contains("/s "),
            "{frame:?}"
        );
        assert!(frame.len() < 80 && frame.ends_with(" left"), "{frame:?}");
    }
    // Nothing is left behind, and no line was begun.
    assert!(shown.ends_with("\r\x1b[K") && !shown.contains('\n'), "{shown:?}");
}

#[test]
fn a_terminal_that_shrinks() {
    let mut run = Shown::start(&[]);
    let mut shrunk = 0;
    let shown = run.read_all(|terminal, shown| {
        if shrunk == 0 {
            resize(terminal, 20);
            // What was on its way may be wide still; the next frame is not.
            shrunk = shown.len() + 200;
        }
    });
    assert!(shrunk > 0);
    let tail = shown.get(shrunk..).unwrap_or_default();
    for frame in frames(tail).iter().skip(1) {
        assert!(frame.len() < 20, "{frame:?}");
    }
    assert!(shown.ends_with("\r\x1b[K") && !shown.contains('\n'), "{shown:?}");
}

#[test]
fn nothing_where_it_is_not_wanted() {
    let mut run = Shown::start(&["--progress=never"]);
    let mut out = run.child.stdout.take().expect("a pipe");
    std::io::copy(&mut out, &mut std::io::sink()).expect("results");
    assert_eq!(ended(&mut run.child).code(), Some(0));
    thread::sleep(Duration::from_millis(100));
    assert_eq!(run.pieces.try_iter().collect::<String>(), "");
    // Nor without a terminal.
    for progress in [&[][..], &["--progress=auto"], &["--progress=never"]] {
        let run = Run::of(command(&["-w", "127.0.0.[1-9]", "--no-source", "7471"]).args(progress));
        assert_eq!(run.found().lines().count(), 9);
    }
}

/// Asked for without a terminal it is a line at a time, without control characters.
#[test]
fn lines_where_there_is_no_terminal() {
    for always in ["--progress", "--progress=always"] {
        let run = Run::of(
            command(&["-w", "127.0.0.[1-9],127.1", "--no-source", always, "7471"]).stdin(Stdio::null()),
        );
        assert_eq!((run.status, run.out.lines().count()), (1, 10));
        let last = run.err.lines().last().expect("a line");
        assert!(last.starts_with("10/10 100% ") && last.ends_with(" 00:00 left, 1 failed"), "{:?}", run.err);
        assert!(run.err.ends_with('\n') && !run.err.contains(['\r', '\x1b']), "{:?}", run.err);
    }
}

/// Results and the bar on one terminal: each line is whole, with nothing of the bar before it.
#[test]
fn results_and_bar_share_a_terminal() {
    let (ours, theirs) = terminal(100);
    let again = theirs.try_clone().expect("a descriptor");
    let mut command = command(&["-w", "127.0.[0-20].[1-200]", "--no-source", "--progress=always", "7471"]);
    let mut child = command.stdin(Stdio::null()).stdout(theirs).stderr(again).spawn().expect("it starts");
    drop(command);
    let mut reader = File::from(ours);
    let mut shown = Vec::new();
    let mut room = [0; 512];
    while let Ok(length @ 1..) = reader.read(&mut room) {
        shown.write_all(&room[..length]).expect("memory");
        thread::sleep(Duration::from_micros(500));
    }
    assert_eq!(ended(&mut child).code(), Some(0));
    let shown = String::from_utf8(shown).expect("UTF-8");
    let lines: Vec<&str> = shown.split("\r\n").collect();
    let mut results = 0;
    for line in lines.iter().filter(|line| !line.is_empty()) {
        let result = line.rsplit("\x1b[K").next().expect("a part");
        if !result.is_empty() {
            assert!(result.starts_with("127.0.") && result.ends_with("private data"), "{line:?}");
            results += 1;
        }
    }
    assert_eq!(results, 21 * 200);
}
