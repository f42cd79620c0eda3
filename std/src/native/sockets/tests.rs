//! What is kept, and what is not, of sockets.

use super::*;
use rustix::io::{FdFlags, fcntl_getfd};
use rustix::net::sockopt::{socket_domain, socket_type};
use std::cell::Cell;
use std::fs;
use std::os::fd::AsRawFd;
use std::thread;

type Pool = SocketPool<Kind, IdleSocket>;

/// The number of the descriptor that a question is asked on.
fn number(pool: &Pool) -> i32 {
    on_pooled(pool, Kind::V4, |fd| (fd.as_raw_fd(), Ok(()))).unwrap()
}

/// The name of the socket behind it, which no other socket has.
fn name(pool: &Pool) -> std::path::PathBuf {
    on_pooled(pool, Kind::V4, |fd| {
        (fs::read_link(format!("/proc/self/fd/{}", fd.as_raw_fd())).unwrap(), Ok(()))
    })
    .unwrap()
}

#[test]
fn a_socket_is_kept_and_no_child_program_inherits_it() {
    let pool = Pool::new();
    let first = name(&pool);
    assert_eq!(name(&pool), first);
    let (domain, kind, flags) = on_pooled(&pool, Kind::V4, |fd| {
        ((socket_domain(fd).unwrap(), socket_type(fd).unwrap(), fcntl_getfd(fd).unwrap()), Ok(()))
    })
    .unwrap();
    assert_eq!((domain, kind, flags), (AddressFamily::INET, SocketType::DGRAM, FdFlags::CLOEXEC));
    let domain = on_pooled(&pool, Kind::V6, |fd| (socket_domain(fd).unwrap(), Ok(()))).unwrap();
    assert_eq!(domain, AddressFamily::INET6);
}

#[test]
fn threads_share_it_one_at_a_time() {
    let pool = Pool::new();
    let here = name(&pool);
    assert_eq!(thread::scope(|scope| scope.spawn(|| name(&pool)).join().unwrap()), here);
    // While one asks, another has its own.
    let (outer, inner) = on_pooled(&pool, Kind::V4, |fd| {
        ((fd.as_raw_fd(), thread::scope(|scope| scope.spawn(|| number(&pool)).join().unwrap())), Ok(()))
    })
    .unwrap();
    assert_ne!(outer, inner);
}

#[test]
fn a_new_socket_that_fails_is_not_tried_again() {
    let pool = Pool::new();
    let asked = Cell::new(0);
    let answer = on_pooled(&pool, Kind::V4, |_| {
        asked.set(asked.get() + 1);
        ("answer", Err(Errno::PERM))
    });
    assert_eq!((answer, asked.get()), (Ok("answer"), 1));
    // Nothing was kept: the next question has a new socket too.
    assert!(pool.take(Kind::V4).is_none());
}

#[test]
fn an_old_socket_that_fails_is_replaced_and_the_question_asked_again() {
    let pool = Pool::new();
    let old = name(&pool);
    let states = Cell::new([Err(Errno::PERM), Ok(())].as_slice());
    let answers = Cell::new(0);
    let answer = on_pooled(&pool, Kind::V4, |_| {
        let (state, rest) = states.get().split_first().unwrap();
        states.set(rest);
        answers.set(answers.get() + 1);
        (answers.get(), *state)
    });
    assert_eq!(answer, Ok(2));
    assert_ne!(name(&pool), old);
}

#[test]
fn an_answer_may_fail_on_a_good_socket() {
    let pool = Pool::new();
    let kept = name(&pool);
    let answer: Result<Result<()>> = on_pooled(&pool, Kind::V4, |_| (Err(Errno::NETUNREACH), Ok(())));
    assert_eq!(answer, Ok(Err(Errno::NETUNREACH)));
    assert_eq!(name(&pool), kept);
}

#[test]
fn what_is_forgotten_is_closed() {
    let pool = Pool::new();
    let kept = name(&pool);
    pool.clear();
    let open = fs::read_dir("/proc/self/fd").unwrap();
    assert!(!open.filter_map(|fd| fs::read_link(fd.ok()?.path()).ok()).any(|link| link == kept));
}
