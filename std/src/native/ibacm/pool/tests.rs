//! What is kept, and whose it is.

use super::*;
use rustix::net::{AddressFamily, SocketType, socket};
use std::fs;
use std::os::fd::{AsRawFd, OwnedFd};

/// A connection, and the name of its socket, which no other has.
fn connection() -> (Connection, String) {
    let fd: OwnedFd = socket(AddressFamily::UNIX, SocketType::STREAM, None).unwrap();
    let name = fs::read_link(format!("/proc/self/fd/{}", fd.as_raw_fd())).unwrap();
    (Connection::of(fd), name.to_str().unwrap().into())
}

fn is_open(socket: &str) -> bool {
    let open = fs::read_dir("/proc/self/fd").unwrap();
    open.filter_map(|fd| fs::read_link(fd.ok()?.path()).ok()).any(|link| link.to_str() == Some(socket))
}

fn take(pool: &Pool, process: u64, ibacm: Ibacm) -> Option<String> {
    let taken = pool.take(process, &ibacm)?;
    Some(fs::read_link(format!("/proc/self/fd/{}", taken.number())).unwrap().to_str().unwrap().into())
}

#[test]
fn what_is_kept_is_taken_once() {
    let pool = Pool::new();
    assert_eq!(take(&pool, 1, Ibacm::AUTO), None);
    let (kept, name) = connection();
    pool.keep(1, &Ibacm::AUTO, kept);
    assert_eq!(take(&pool, 1, Ibacm::port(1)), None);
    // The place counts, not what is remembered of it.
    let other_times = Ibacm::AUTO.remember_absence(std::time::Duration::ZERO);
    assert_eq!(take(&pool, 1, other_times), Some(name.clone()));
    assert_eq!(take(&pool, 1, Ibacm::AUTO), None);
    assert!(!is_open(&name));
}

#[test]
fn eight_are_kept_and_the_others_closed() {
    let pool = Pool::new();
    let mut names = Vec::new();
    for _ in 0..12 {
        let (kept, name) = connection();
        pool.keep(1, &Ibacm::AUTO, kept);
        names.push(name);
    }
    let open: Vec<bool> = names.iter().map(|name| is_open(name)).collect();
    assert_eq!(open, [[true; 8].as_slice(), &[false; 4]].concat());
    for name in &names[..8] {
        assert_eq!(take(&pool, 1, Ibacm::AUTO).as_ref(), Some(name));
    }
    assert_eq!(take(&pool, 1, Ibacm::AUTO), None);
}

#[test]
fn a_daemon_that_is_asked_has_room() {
    let pool = Pool::new();
    for _ in 0..8 {
        pool.keep(1, &Ibacm::AUTO, connection().0);
    }
    let (kept, name) = connection();
    pool.keep(1, &Ibacm::port(1), kept);
    assert_eq!(take(&pool, 1, Ibacm::port(1)), Some(name));
    for _ in 0..7 {
        assert!(take(&pool, 1, Ibacm::AUTO).is_some());
    }
    assert_eq!(take(&pool, 1, Ibacm::AUTO), None);
}

#[test]
fn what_a_parent_kept_is_not_used() {
    let pool = Pool::new();
    let mut names = Vec::new();
    for _ in 0..8 {
        let (kept, name) = connection();
        pool.keep(1, &Ibacm::AUTO, kept);
        names.push(name);
    }
    assert_eq!(take(&pool, 2, Ibacm::AUTO), None);
    let (kept, name) = connection();
    pool.keep(2, &Ibacm::AUTO, kept);
    assert_eq!(take(&pool, 2, Ibacm::AUTO), Some(name));
    // A child has copies, which it closes.
    assert!(!names.iter().any(|name| is_open(name)));
    assert_eq!(take(&pool, 1, Ibacm::AUTO), None);
}

#[test]
fn what_a_parent_kept_gives_way() {
    let pool = Pool::new();
    let parents = || {
        let (kept, name) = connection();
        pool.keep(1, &Ibacm::AUTO, kept);
        name
    };
    // To who asks another daemon, and to what is kept.
    let name = parents();
    assert_eq!(take(&pool, 2, Ibacm::port(1)), None);
    assert!(!is_open(&name));
    let name = parents();
    for _ in 0..8 {
        pool.keep(2, &Ibacm::AUTO, connection().0);
    }
    assert!(!is_open(&name));
    assert!((0..8).all(|_| take(&pool, 2, Ibacm::AUTO).is_some()));
}

#[test]
fn locks_that_are_taken_are_not_waited_for() {
    let pool = Pool::new();
    let (kept, name) = connection();
    pool.keep(1, &Ibacm::AUTO, kept);
    let (late, late_name) = connection();
    pool.while_held(|| {
        assert_eq!(take(&pool, 1, Ibacm::AUTO), None);
        pool.keep(1, &Ibacm::AUTO, late);
        assert!(!is_open(&late_name));
    });
    assert_eq!(take(&pool, 1, Ibacm::AUTO), Some(name));
}
