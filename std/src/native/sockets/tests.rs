//! What is kept, and what is not, of sockets.

use super::*;
use rustix::io::{FdFlags, fcntl_getfd};
use rustix::net::sockopt::{socket_domain, socket_type};
use std::fs::{self, File};
use std::net::UdpSocket;
use std::os::fd::AsRawFd;
use std::thread;

/// The number of the descriptor that a question is asked on.
fn number() -> i32 {
    on_socket(Version::V4, |fd| (Ok(fd.as_raw_fd()), Ok(()))).unwrap()
}

fn is_open(number: i32) -> bool {
    fs::symlink_metadata(format!("/proc/self/fd/{number}")).is_ok()
}

#[test]
fn a_socket_is_kept_and_no_child_program_inherits_it() {
    let first = number();
    assert_eq!(number(), first);
    let (domain, kind, flags) = on_socket(Version::V4, |fd| {
        (Ok((socket_domain(fd).unwrap(), socket_type(fd).unwrap(), fcntl_getfd(fd).unwrap())), Ok(()))
    })
    .unwrap();
    assert_eq!((domain, kind, flags), (AddressFamily::INET, SocketType::DGRAM, FdFlags::CLOEXEC));
}

#[test]
fn each_thread_has_its_own_and_closes_it() {
    // The link names the socket, whose number is never used again.
    let socket = || fs::read_link(format!("/proc/self/fd/{}", number())).unwrap();
    let here = socket();
    let there = thread::spawn(socket).join().unwrap();
    assert_ne!(here, there);

    let open: Vec<_> = fs::read_dir("/proc/self/fd")
        .unwrap()
        .filter_map(|entry| fs::read_link(entry.unwrap().path()).ok())
        .collect();
    assert!(open.contains(&here));
    assert!(!open.contains(&there));
}

#[test]
fn a_new_socket_that_fails_is_not_tried_again() {
    let asked = Cell::new(0);
    let answer: Result<()> = on_socket(Version::V4, |_| {
        asked.set(asked.get() + 1);
        (Err(Errno::PERM), Err(Errno::PERM))
    });
    assert_eq!((answer, asked.get()), (Err(Errno::PERM), 1));
    // Nothing was kept: the next question has a new socket too.
    assert!(take(Version::V4, process::identity()).is_none());
}

#[test]
fn an_old_socket_that_fails_is_replaced_and_the_question_asked_again() {
    let _old = number();
    let states = Cell::new([Err(Errno::PERM), Ok(())].as_slice());
    let answers = Cell::new(0);
    let answer = on_socket(Version::V4, |_| {
        let (state, rest) = states.get().split_first().unwrap();
        states.set(rest);
        answers.set(answers.get() + 1);
        (Ok(answers.get()), *state)
    });
    assert_eq!(answer, Ok(2));
    assert_eq!(number(), number());
}

#[test]
fn an_answer_may_fail_on_a_good_socket() {
    let kept = number();
    let answer: Result<()> = on_socket(Version::V4, |_| (Err(Errno::NETUNREACH), Ok(())));
    assert_eq!(answer, Err(Errno::NETUNREACH));
    assert_eq!(number(), kept);
}

#[test]
fn the_socket_of_another_process_is_left_alone() {
    let kept = number();
    let socket = take(Version::V4, process::identity()).unwrap();
    keep(Version::V4, Socket { process: socket.process + 1, ..socket });
    let new = number();
    assert_ne!(new, kept);
    assert!(is_open(kept));
    assert_eq!(number(), new);
}

#[test]
fn a_number_that_became_something_else_is_not_closed() {
    let file = File::open("/dev/null").unwrap();
    let foreign = file.as_raw_fd();
    Version::V4.kept().set(Some(Socket { process: process::identity(), cookie: 7, fd: file.into() }));
    let answer = on_socket(Version::V4, |fd| {
        let domain = socket_domain(fd);
        (domain, domain.map(drop))
    });
    assert_eq!(answer, Ok(AddressFamily::INET));
    assert!(is_open(foreign));
    assert_eq!(fs::read_link(format!("/proc/self/fd/{foreign}")).unwrap().to_str(), Some("/dev/null"));
}

#[test]
fn a_number_that_became_another_socket_is_left_alone() {
    number();
    let ours = take(Version::V4, process::identity()).unwrap();
    let socket = UdpSocket::bind("127.0.0.1:0").unwrap();
    socket.connect("127.0.0.1:9").unwrap();
    let number = socket.as_raw_fd();
    // As if ours had been closed and its number given to the application's.
    keep(Version::V4, Socket { fd: socket.try_clone().unwrap().into(), ..ours });
    let answer = on_socket(Version::V4, |fd| (rustix::net::connect_unspec(fd), Ok(())));
    assert_eq!(answer, Ok(()));
    assert_eq!(socket.peer_addr().unwrap().to_string(), "127.0.0.1:9");
    assert!(is_open(number));
}

#[test]
fn a_thread_that_ends_can_still_ask() {
    struct AskLast(std::sync::mpsc::Sender<Result<AddressFamily>>);
    impl Drop for AskLast {
        fn drop(&mut self) {
            let answer = on_socket(Version::V4, |fd| (socket_domain(fd), Ok(())));
            self.0.send(answer).unwrap();
        }
    }
    thread_local!(static LAST: Cell<Option<AskLast>> = const { Cell::new(None) });

    // Storage goes in one order or the other: the socket's before the asker's, or after.
    for socket_first in [true, false] {
        let (sender, receiver) = std::sync::mpsc::channel();
        let ask = move || {
            if socket_first {
                number();
            }
            LAST.set(Some(AskLast(sender)));
            number();
        };
        thread::spawn(ask).join().unwrap();
        assert_eq!(receiver.recv().unwrap(), Ok(AddressFamily::INET));
    }
}
