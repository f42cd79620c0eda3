//! Sockets for the questions that the kernel answers on a socket.
//!
//! A socket has one user at a time, so that what one thread asks cannot show in the answer of another. Those that
//! nobody uses are kept: a new one would cost more than the question.

use super::idle_socket::{IdleSocket, Socket, open};
use super::socket_pool::SocketPool;
use rustix::io::{Errno, Result};
use rustix::net::{AddressFamily, SocketFlags, SocketType};
use std::mem;
use std::os::fd::OwnedFd;

static POOL: SocketPool<Kind, IdleSocket> = SocketPool::new();

/// Asks on a socket of this process, as [`on_pooled`] does.
///
/// # Errors
/// As there.
pub(super) fn ask<T>(kind: Kind, ask: impl Fn(&OwnedFd) -> (T, Result<()>)) -> Result<T> {
    on_pooled(&POOL, kind, ask)
}

/// Closes the sockets that nobody uses.
pub(super) fn forget() {
    POOL.clear();
}

/// What can be asked on a socket.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    /// UDP over IPv4.
    V4,
    /// UDP over IPv6.
    V6,
    /// rtnetlink(7). The kernel gives it an address of its own with the first message.
    Netlink,
}

impl Kind {
    /// A socket of this kind, which nobody shares.
    pub(super) fn open(self) -> Result<OwnedFd> {
        let (family, socket_type) = match self {
            Self::V4 => (AddressFamily::INET, SocketType::DGRAM),
            Self::V6 => (AddressFamily::INET6, SocketType::DGRAM),
            Self::Netlink => (AddressFamily::NETLINK, SocketType::RAW),
        };
        open(family, socket_type, SocketFlags::empty())
    }
}

/// Asks on an idle socket, or on a new one if there is none.
///
/// `ask` gives its answer and what became of the socket: `Ok`, and it is kept for the next question. Otherwise it is
/// closed; and if it was an old one, so that its state may have spoilt the answer, the question is asked again.
///
/// # Errors
/// Why no socket could be opened. What the question itself came to is in the answer.
fn on_pooled<T>(
    pool: &SocketPool<Kind, IdleSocket>,
    kind: Kind,
    ask: impl Fn(&OwnedFd) -> (T, Result<()>),
) -> Result<T> {
    let mut old = pool.take(kind).and_then(IdleSocket::into_socket);
    loop {
        let (socket, is_new) = match old.take() {
            Some(socket) => (socket, false),
            None => (Socket::new(kind.open()?), true),
        };
        let (answer, state) = ask(&socket.fd);
        match state {
            Ok(()) => {
                if let Some(idle) = IdleSocket::new(socket) {
                    pool.keep(kind, idle);
                }
            }
            // Not our socket: somebody closed it, and its number may be in use again.
            Err(Errno::BADF | Errno::NOTSOCK) => mem::forget(socket.fd),
            Err(_) => drop(socket),
        }
        if state.is_ok() || is_new {
            return Ok(answer);
        }
    }
}

#[cfg(test)]
mod tests;
