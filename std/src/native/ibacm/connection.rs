//! One connection to a daemon: opened, spoken on and closed by a deadline.

use super::endpoint::Endpoint;
use super::failure::{Failure, cannot_connect, left};
use crate::native::idle_socket::{self, IdleSocket, Socket};
use crate::native::socket_pool::Recognize;
use rdma_addrinfo_core::acm::{Decoder, Request};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::{Errno, ioctl_fionbio};
use rustix::net::sockopt::{Timeout, set_socket_timeout, socket_error};
use rustix::net::{
    AddressFamily, RecvFlags, SendFlags, Shutdown, SocketFlags, SocketType, connect, getpeername,
    getsockname, recv, send, shutdown,
};
use std::mem;
use std::net::{Ipv4Addr, SocketAddrV4};
use std::os::fd::OwnedFd;
use std::time::{Duration, Instant};

/// A connected stream socket, which programs started with execve(2) do not inherit.
#[derive(Debug)]
pub(super) struct Connection {
    socket: Socket,
    /// How long the kernel lets recv(2) wait (`SO_RCVTIMEO`); no limit before it is set.
    receive_timeout: Duration,
}

/// The shortest timeout that is left to the kernel, whose own may come 20 ms and an eighth late.
const SHORTEST_RECEIVE_TIMEOUT: Duration = Duration::from_millis(60);

impl Connection {
    /// Connects, waiting until `deadline` while the daemon's backlog is full.
    ///
    /// # Errors
    /// [`Failure::Absent`] if nobody listens, [`Failure::TimedOut`], [`Failure::NotAsked`].
    pub(super) fn open(endpoint: &Endpoint, deadline: Instant) -> Result<Self, Failure> {
        match endpoint {
            Endpoint::Port(port) => Self::open_tcp(*port, deadline),
            Endpoint::Unix(address) => {
                // A socket that does not block would be refused while the backlog is full, with nothing to wait for.
                let fd = idle_socket::open(AddressFamily::UNIX, SocketType::STREAM, SocketFlags::empty())
                    .map_err(cannot_connect)?;
                loop {
                    let left = left(deadline)?;
                    // The kernel's limit may come an eighth late; then it is asked again for what is left.
                    set_socket_timeout(&fd, Timeout::Send, Some(left - left / 8)).map_err(cannot_connect)?;
                    match connect(&fd, address) {
                        Ok(()) => return Ok(Self::of(fd)),
                        Err(Errno::INTR | Errno::AGAIN) => {}
                        Err(errno) => return Err(cannot_connect(errno)),
                    }
                }
            }
        }
    }

    fn open_tcp(port: u16, deadline: Instant) -> Result<Self, Failure> {
        let fd = idle_socket::open(AddressFamily::INET, SocketType::STREAM, SocketFlags::NONBLOCK)
            .map_err(cannot_connect)?;
        let connection = Self::of(fd);
        let fd = &connection.socket.fd;
        match connect(fd, &SocketAddrV4::new(Ipv4Addr::LOCALHOST, port)) {
            Ok(()) => {}
            // It goes on; a second call would only say so.
            Err(Errno::INPROGRESS | Errno::INTR) => {
                connection.wait(PollFlags::OUT, deadline)?;
                socket_error(fd).and_then(|error| error).map_err(cannot_connect)?;
            }
            Err(errno) => return Err(cannot_connect(errno)),
        }
        // Where nobody listens at a port that the kernel also gives to callers, a socket may connect to itself.
        match (getsockname(fd), getpeername(fd)) {
            (Ok(own), Ok(Some(peer))) if own != peer => {
                ioctl_fionbio(fd, false).map_err(cannot_connect)?;
                Ok(connection)
            }
            _ => Err(Failure::Absent),
        }
    }

    /// Sends the request and reads its reply. True if the connection may be used again: the reply was the last
    /// that came.
    ///
    /// # Errors
    /// [`Failure::TimedOut`], [`Failure::Closed`] or [`Failure::Invalid`]; the connection is then of no more use.
    pub(super) fn converse(
        &mut self,
        request: &Request,
        decoder: &mut Decoder,
        deadline: Instant,
    ) -> Result<bool, Failure> {
        self.send(request.as_bytes(), deadline)?;
        // A whole reply and more, so that what is beyond it shows at once.
        let mut buffer = [0; 1024];
        let mut any = false;
        let mut may_block = self.set_receive_timeout(deadline);
        loop {
            let flags = if mem::take(&mut may_block) {
                RecvFlags::empty()
            } else {
                self.wait(PollFlags::IN, deadline)?;
                RecvFlags::DONTWAIT
            };
            let came = match recv(&self.socket.fd, &mut buffer, flags) {
                Ok((0, _)) if any => return Err(Failure::Invalid(decoder.cut_short())),
                Ok((len @ 1.., _)) => buffer.get(..len).unwrap_or_default(),
                // Whatever poll(2) says, the deadline holds.
                Err(Errno::AGAIN | Errno::INTR) => {
                    left(deadline)?;
                    continue;
                }
                Ok(_) | Err(_) => return Err(Failure::Closed),
            };
            any = true;
            let taken = decoder.push(came).map_err(Failure::Invalid)?;
            if decoder.wanted() == 0 {
                return Ok(taken == came.len());
            }
        }
    }

    /// Sends all of the request at once: the daemon reads it so, and hangs up on less.
    fn send(&self, request: &[u8], deadline: Instant) -> Result<(), Failure> {
        loop {
            match send(&self.socket.fd, request, SendFlags::DONTWAIT | SendFlags::NOSIGNAL) {
                Ok(len) if len == request.len() => return Ok(()),
                Err(Errno::AGAIN | Errno::INTR) => {
                    left(deadline)?;
                    self.wait(PollFlags::OUT, deadline)?;
                }
                Ok(_) | Err(_) => return Err(Failure::Closed),
            }
        }
    }

    /// Limits how long recv(2) blocks, so that it can wait for bytes itself and needs no poll(2) before it; false if it
    /// must not block. Half of what is left is set, so that it also fits the next calls that have about as long.
    fn set_receive_timeout(&mut self, deadline: Instant) -> bool {
        let left = deadline.saturating_duration_since(Instant::now());
        if self.receive_timeout > left / 3 * 2 {
            let timeout = left / 2;
            if timeout < SHORTEST_RECEIVE_TIMEOUT
                || set_socket_timeout(&self.socket.fd, Timeout::Recv, Some(timeout)).is_err()
            {
                return false;
            }
            self.receive_timeout = timeout;
        }
        true
    }

    /// Waits until the socket is ready, or fails, which the next call on it reports.
    ///
    /// What is there when the deadline passes is still taken.
    fn wait(&self, events: PollFlags, deadline: Instant) -> Result<(), Failure> {
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            // Beyond what the kernel can count there is no limit.
            let left_spec = Timespec::try_from(left).ok();
            match poll(&mut [PollFd::new(&self.socket.fd, events)], left_spec.as_ref()) {
                // Signals may come faster than the time passes.
                Ok(0) | Err(Errno::INTR) if left.is_zero() => return Err(Failure::TimedOut),
                Ok(0) | Err(Errno::INTR) => {}
                Ok(_) => return Ok(()),
                // No memory for it.
                Err(_) => return Err(Failure::NotAsked),
            }
        }
    }

    /// Closes the connection for every process that has it: a child made by fork(2) may hold it open unawares.
    pub(super) fn hang_up(self) {
        // It fails where the daemon has hung up already.
        let _ = shutdown(&self.socket.fd, Shutdown::Both);
    }

    pub(super) fn of(fd: OwnedFd) -> Self {
        Self { socket: Socket::new(fd), receive_timeout: Duration::MAX }
    }

    /// For the next who asks; `None`, and it is closed, where it could not be recognized again.
    pub(super) fn into_idle(self) -> Option<IdleConnection> {
        Some(IdleConnection { socket: IdleSocket::new(self.socket)?, receive_timeout: self.receive_timeout })
    }
}

/// A connection that nobody uses at the moment.
#[derive(Debug)]
pub(super) struct IdleConnection {
    socket: IdleSocket,
    receive_timeout: Duration,
}

impl IdleConnection {
    /// The connection, of one that is [recognized](Recognize::is_recognized).
    pub(super) fn into_connection(self) -> Option<Connection> {
        Some(Connection { socket: self.socket.into_socket()?, receive_timeout: self.receive_timeout })
    }
}

impl Recognize for IdleConnection {
    fn is_recognized(&self) -> bool {
        self.socket.is_recognized()
    }
}

#[cfg(test)]
mod tests;
