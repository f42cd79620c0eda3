//! Sockets that are kept from one call to the next.
//!
//! Meanwhile a program may close descriptors that it did not open, as daemons do, and open files that get their numbers;
//! or it may fork(2). A kept socket is used and closed only if it is still the same.

use rustix::net::sockopt::socket_cookie;
use std::mem;
use std::os::fd::OwnedFd;

/// A socket, and the kernel's number for it, which no other socket ever has (before Linux 5.3, no other of its network
/// namespace).
#[derive(Debug)]
pub(super) struct Socket {
    pub(super) fd: OwnedFd,
    /// `None` where the kernel tells none (Linux before 4.12).
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
pub(super) struct Kept {
    /// The [identity](super::process::identity) of the process that opened it.
    process: u64,
    cookie: u64,
    /// `None` once it is taken.
    fd: Option<OwnedFd>,
}

impl Kept {
    /// `None`, and the socket is closed, where it could not be recognized again.
    pub(super) fn new(process: u64, socket: Socket) -> Option<Self> {
        Some(Self { process, cookie: socket.cookie?, fd: Some(socket.fd) })
    }

    /// Whether this process opened it.
    pub(super) fn is_of(&self, process: u64) -> bool {
        self.process == process
    }

    /// The socket, if this process opened it and nobody has closed it; a parent uses its own on.
    pub(super) fn take(mut self, process: u64) -> Option<Socket> {
        if !self.is_of(process) || !self.is_there() {
            return None;
        }
        Some(Socket { fd: self.fd.take()?, cookie: Some(self.cookie) })
    }

    fn is_there(&self) -> bool {
        self.fd.as_ref().is_some_and(|fd| socket_cookie(fd) == Ok(self.cookie))
    }
}

impl Drop for Kept {
    fn drop(&mut self) {
        if !self.is_there() {
            // Its number may be somebody else's by now.
            mem::forget(self.fd.take());
        }
    }
}

#[cfg(test)]
mod tests;
