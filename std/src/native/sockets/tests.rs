//! What is kept, and what is not, of sockets.

use super::*;
use rustix::io::{FdFlags, fcntl_getfd};
use rustix::net::sockopt::{socket_cookie, socket_domain, socket_type};
use std::fs;
use std::os::fd::AsRawFd;
use std::thread;

/// The number of the descriptor that a question is asked on.
fn number() -> i32 {
    on_socket(Version::V4, |fd| (Ok(fd.as_raw_fd()), Ok(()))).unwrap()
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
    assert!(Version::V4.kept().take().is_none());
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
fn the_socket_of_another_process_is_not_asked() {
    let (_one, two) =
        (number(), socket_with(AddressFamily::INET, SocketType::DGRAM, SocketFlags::CLOEXEC, None).unwrap());
    let inherited = Kept::new(process::identity() + 1, Socket::new(two.try_clone().unwrap()));
    Version::V4.kept().set(inherited);
    let answer = on_socket(Version::V4, |fd| (socket_cookie(fd), Ok(())));
    assert_ne!(answer, socket_cookie(&two));
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
