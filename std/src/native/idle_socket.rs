//! Sockets that are kept from one call to the next.
//!
//! Meanwhile a program may close descriptors that it did not open, as daemons do, and open files that get their numbers;
//! or a thread may have a table of descriptors of its own (`CLONE_FILES` of unshare(2)). An idle socket is used and
//! closed only if its number still means the same socket.
//!
//! That is one system call a question, and none is saved by asking first: the number may be that of a device by now, which
//! takes the question for a command of its own, or of a socket in another network namespace, whose answer looks right.

use super::socket_pool::Recognize;
use rustix::io::{Errno, Result, fcntl_dupfd_cloexec};
use rustix::net::sockopt::socket_cookie;
use rustix::net::{AddressFamily, SocketFlags, SocketType, socket_with};
use std::mem;
use std::os::fd::{AsRawFd, OwnedFd};

/// The lowest number of a descriptor that is not one of the three standard streams. A program may run without these:
/// what it then reads and writes by their numbers must not be ours.
const LOWEST: i32 = 3;

/// A descriptor of the same file that is none of the three standard streams.
///
/// # Errors
/// None is left: `EMFILE`.
pub(super) fn above_standard_streams(fd: OwnedFd) -> Result<OwnedFd> {
    not_below(LOWEST, fd)
}

/// A descriptor of the same file with this number or a higher one.
fn not_below(lowest: i32, fd: OwnedFd) -> Result<OwnedFd> {
    if fd.as_raw_fd() >= lowest {
        return Ok(fd);
    }
    // Where the process may have none so high, fcntl(2) calls the number invalid.
    fcntl_dupfd_cloexec(&fd, lowest).map_err(|errno| if errno == Errno::INVAL { Errno::MFILE } else { errno })
}

/// Opens a socket that programs started with execve(2) do not inherit, and that is none of the three standard streams.
///
/// # Errors
/// The kernel's.
pub(super) fn open(family: AddressFamily, kind: SocketType, flags: SocketFlags) -> Result<OwnedFd> {
    socket_with(family, kind, flags | SocketFlags::CLOEXEC, None).and_then(above_standard_streams)
}

/// A socket, and the kernel's number for it, which no other socket ever has (before Linux 5.3, no other of its network
/// namespace).
#[derive(Debug)]
pub(super) struct Socket {
    pub(super) fd: OwnedFd,
    /// `None` where the kernel gives none (Linux before 4.12).
    cookie: Option<u64>,
}

impl Socket {
    /// One that was just opened.
    pub(super) fn new(fd: OwnedFd) -> Self {
        let cookie = socket_cookie(&fd).ok();
        Self { fd, cookie }
    }
}

/// A socket that nobody uses at the moment.
#[derive(Debug)]
pub(super) struct IdleSocket {
    cookie: u64,
    /// `None` once it is taken.
    fd: Option<OwnedFd>,
}

impl IdleSocket {
    /// `None`, and the socket is closed, where it could not be recognized again.
    pub(super) fn new(socket: Socket) -> Option<Self> {
        Some(Self { cookie: socket.cookie?, fd: Some(socket.fd) })
    }

    /// The socket of one that is [recognized](Recognize::is_recognized).
    pub(super) fn into_socket(mut self) -> Option<Socket> {
        Some(Socket { fd: self.fd.take()?, cookie: Some(self.cookie) })
    }
}

impl Recognize for IdleSocket {
    fn is_recognized(&self) -> bool {
        self.fd.as_ref().is_some_and(|fd| socket_cookie(fd) == Ok(self.cookie))
    }
}

impl Drop for IdleSocket {
    fn drop(&mut self) {
        if !self.is_recognized() {
            // Its number may be somebody else's by now.
            mem::forget(self.fd.take());
        }
    }
}

#[cfg(test)]
mod tests;
