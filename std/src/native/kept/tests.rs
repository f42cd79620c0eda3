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
fn it_is_given_back_to_its_process() {
    let (_other, socket) = socket();
    let (number, cookie) = (socket.fd.as_raw_fd(), socket.cookie);
    assert!(cookie.is_some());
    let taken = Kept::new(7, socket).unwrap().take(7).unwrap();
    assert_eq!((taken.fd.as_raw_fd(), taken.cookie), (number, cookie));
}

#[test]
fn it_is_closed_with_what_keeps_it() {
    let (_other, socket) = socket();
    let number = socket.fd.as_raw_fd();
    let before = link(number);
    // A child has a copy of its own, which it can close.
    for process in [7, 8] {
        let copy = Socket::new(socket.fd.try_clone().unwrap());
        let number = copy.fd.as_raw_fd();
        let name = link(number);
        assert!(Kept::new(7, copy).unwrap().take(process).is_some() == (process == 7));
        assert_ne!(link(number), name);
    }
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
        for taken in [true, false] {
            let fd = mem::ManuallyDrop::new(fd.try_clone().unwrap());
            let number = fd.as_raw_fd();
            let kept = Kept {
                process: 7,
                cookie: socket.cookie.unwrap(),
                fd: Some(mem::ManuallyDrop::into_inner(fd)),
            };
            if taken {
                assert!(kept.take(7).is_none());
            } else {
                drop(kept);
            }
            assert_eq!(link(number), before, "closed");
        }
        assert_eq!(link(number), before);
    }
    std::io::Read::read(&mut file, &mut [0]).unwrap();
}

#[test]
fn one_that_cannot_be_recognized_is_not_kept() {
    let file = File::open("/dev/null").unwrap();
    let (number, socket) = (file.as_raw_fd(), Socket::new(file.into()));
    assert!(socket.cookie.is_none());
    assert!(Kept::new(7, socket).is_none());
    assert_ne!(link(number), Some("/dev/null".into()));
}
