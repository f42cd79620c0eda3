//! What is closed, what is given back, what is left alone.

use super::*;
use std::fs::{self, File};
use std::net::UdpSocket;
use std::os::fd::AsRawFd;
use std::path::PathBuf;

fn socket() -> (UdpSocket, Socket) {
    let socket = UdpSocket::bind("127.0.0.1:0").unwrap();
    let copy = socket.try_clone().unwrap();
    (socket, Socket::new(copy.into()))
}

fn link(number: i32) -> Option<PathBuf> {
    fs::read_link(format!("/proc/self/fd/{number}")).ok()
}

#[test]
fn it_is_given_back() {
    let (_other, socket) = socket();
    let (number, cookie) = (socket.fd.as_raw_fd(), socket.cookie);
    assert!(cookie.is_some());
    let idle = IdleSocket::new(socket).unwrap();
    assert!(idle.is_recognized());
    let taken = idle.into_socket().unwrap();
    assert_eq!((taken.fd.as_raw_fd(), taken.cookie), (number, cookie));
}

#[test]
fn it_is_closed_with_what_keeps_it() {
    let (_other, socket) = socket();
    let number = socket.fd.as_raw_fd();
    let before = link(number);
    let copy = Socket::new(socket.fd.try_clone().unwrap());
    let (number_of_copy, name) = (copy.fd.as_raw_fd(), link(copy.fd.as_raw_fd()));
    drop(IdleSocket::new(copy));
    assert_ne!(link(number_of_copy), name);
    assert_eq!(link(number), before);
}

#[test]
fn a_number_that_became_something_else_is_left_alone() {
    let (_other, socket) = socket();
    let (mut file, another) = (File::open("/dev/null").unwrap(), UdpSocket::bind("127.0.0.1:0").unwrap());
    for fd in [file.try_clone().unwrap().into(), another.try_clone().unwrap().into()] {
        let fd: OwnedFd = fd;
        let number = fd.as_raw_fd();
        let before = link(number);
        let idle = IdleSocket { cookie: socket.cookie.unwrap(), fd: Some(fd) };
        assert!(!idle.is_recognized());
        drop(idle);
        assert_eq!(link(number), before, "closed");
    }
    std::io::Read::read(&mut file, &mut [0]).unwrap();
}

#[test]
fn no_socket_takes_the_number_of_a_standard_stream() {
    let file = File::open("/dev/null").unwrap();
    let number = file.as_raw_fd();
    assert_eq!(above_standard_streams(file.into()).unwrap().as_raw_fd(), number);
    let opened = open(AddressFamily::UNIX, SocketType::STREAM, SocketFlags::empty()).unwrap();
    assert!(opened.as_raw_fd() >= 3);
    assert_eq!(rustix::io::fcntl_getfd(&opened), Ok(rustix::io::FdFlags::CLOEXEC));
}

/// A standard stream is closed, and `RLIMIT_NOFILE` allows none but their three numbers.
#[test]
fn a_number_that_the_process_may_not_have_is_none_left() {
    let file = File::open("/dev/null").unwrap();
    let number = file.as_raw_fd();
    assert_eq!(not_below(i32::MAX, file.into()).unwrap_err(), Errno::MFILE);
    assert_ne!(link(number), Some("/dev/null".into()), "left open");
}

#[test]
fn one_that_cannot_be_recognized_is_not_kept() {
    let file = File::open("/dev/null").unwrap();
    let (number, socket) = (file.as_raw_fd(), Socket::new(file.into()));
    assert!(socket.cookie.is_none());
    assert!(IdleSocket::new(socket).is_none());
    assert_ne!(link(number), Some("/dev/null".into()));
}
