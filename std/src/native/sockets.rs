//! UDP sockets kept for the questions that the kernel answers on a socket.
//!
//! One for each thread and family: threads do not wait for each other, and what one asks cannot show in the answer
//! of another. A new socket for each question would cost more than the question, and is opened only for those who want
//! nothing kept.

use super::process;
use rustix::io::{Errno, Result};
use rustix::net::sockopt::socket_cookie;
use rustix::net::{AddressFamily, SocketFlags, SocketType, socket_with};
use std::cell::Cell;
use std::mem;
use std::os::fd::OwnedFd;
use std::thread::LocalKey;

/// A socket that is kept.
#[derive(Debug)]
struct Socket {
    /// The [identity](process::identity) of the process that opened it.
    process: u64,
    /// The kernel's number for it, which no other socket ever has: a descriptor may have been closed by somebody else
    /// and be another file by now.
    cookie: u64,
    fd: OwnedFd,
}

type Kept = Cell<Option<Socket>>;

thread_local! {
    static IPV4: Kept = const { Cell::new(None) };
    static IPV6: Kept = const { Cell::new(None) };
}

/// Which sockets questions are asked on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Sockets {
    /// Those of the thread. To keep one takes memory: a thread notes what it has to close at its end.
    Kept,
    /// A new one for each question, in the network namespace in which the thread is.
    New,
}

impl Sockets {
    /// Asks on one of these sockets, as [`on_socket`] does.
    ///
    /// # Errors
    /// As there.
    pub(super) fn ask<T>(
        self,
        version: Version,
        ask: impl Fn(&OwnedFd) -> (Result<T>, Result<()>),
    ) -> Result<T> {
        match self {
            Self::Kept => on_socket(version, ask),
            Self::New => ask(&version.open()?).0,
        }
    }
}

/// The IP version of a kept socket.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Version {
    V4,
    V6,
}

impl Version {
    fn kept(self) -> &'static LocalKey<Kept> {
        match self {
            Self::V4 => &IPV4,
            Self::V6 => &IPV6,
        }
    }

    /// Opens a socket that programs started with execve(2) do not inherit.
    fn open(self) -> Result<OwnedFd> {
        let family = match self {
            Self::V4 => AddressFamily::INET,
            Self::V6 => AddressFamily::INET6,
        };
        socket_with(family, SocketType::DGRAM, SocketFlags::CLOEXEC, None)
    }
}

/// Asks on this thread's socket, opened if there is none.
///
/// `ask` gives its answer and what became of the socket: `Ok`, and it is kept for the next question. Otherwise it is
/// replaced; and if it was an old one, so that its state may have spoilt the answer, the question is asked again.
///
/// # Errors
///
/// Those of the answer, or why no socket could be opened.
fn on_socket<T>(version: Version, ask: impl Fn(&OwnedFd) -> (Result<T>, Result<()>)) -> Result<T> {
    let process = process::identity();
    loop {
        let (fd, cookie, is_new) = match take(version, process) {
            Some(Socket { fd, cookie, .. }) => (fd, Ok(cookie), false),
            None => {
                let fd = version.open()?;
                let cookie = socket_cookie(&fd);
                (fd, cookie, true)
            }
        };
        let (answer, state) = ask(&fd);
        match (state, cookie) {
            (Ok(()), Ok(cookie)) => keep(version, Socket { process, cookie, fd }),
            // Not our socket: somebody closed it, and its number may be in use again.
            (Err(Errno::BADF | Errno::NOTSOCK), _) => mem::forget(fd),
            // Closed: of no use, or one that could not be recognized.
            _ => drop(fd),
        }
        if state.is_ok() || is_new {
            return answer;
        }
    }
}

/// The kept socket, unless another process opened it.
fn take(version: Version, process: u64) -> Option<Socket> {
    // A thread that is ending has no storage any more, and goes without.
    let socket = version.kept().try_with(Cell::take).ok()??;
    if socket.process == process && socket_cookie(&socket.fd) == Ok(socket.cookie) {
        return Some(socket);
    }
    // The parent uses this socket on, or the number is no longer ours: it is not closed here, since it may have been
    // given to something else.
    mem::forget(socket.fd);
    None
}

fn keep(version: Version, socket: Socket) {
    // Closed if the thread is ending.
    let _ = version.kept().try_with(|kept| kept.set(Some(socket)));
}

#[cfg(test)]
mod tests;
