//! UDP sockets kept for the questions that the kernel answers on a socket.
//!
//! One for each thread and family: threads do not wait for each other, and what one asks cannot show in the answer
//! of another. A new socket for each question would cost more than the question, and is opened only for those who want
//! nothing kept.

use super::kept::{Kept, Socket};
use super::process;
use rustix::io::{Errno, Result};
use rustix::net::{AddressFamily, SocketFlags, SocketType, socket_with};
use std::cell::Cell;
use std::mem;
use std::os::fd::OwnedFd;
use std::thread::LocalKey;

type Slot = Cell<Option<Kept>>;

thread_local! {
    static IPV4: Slot = const { Cell::new(None) };
    static IPV6: Slot = const { Cell::new(None) };
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
    fn kept(self) -> &'static LocalKey<Slot> {
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
    // A thread that is ending has no storage any more, and goes without.
    let mut old = version.kept().try_with(Cell::take).ok().flatten().and_then(|kept| kept.take(process));
    loop {
        let (socket, is_new) = match old.take() {
            Some(socket) => (socket, false),
            None => (Socket::new(version.open()?), true),
        };
        let (answer, state) = ask(&socket.fd);
        match state {
            Ok(()) => {
                let kept = Kept::new(process, socket);
                let _ = version.kept().try_with(|slot| slot.set(kept));
            }
            // Not our socket: somebody closed it, and its number may be in use again.
            Err(Errno::BADF | Errno::NOTSOCK) => mem::forget(socket.fd),
            Err(_) => drop(socket),
        }
        if state.is_ok() || is_new {
            return answer;
        }
    }
}

#[cfg(test)]
mod tests;
