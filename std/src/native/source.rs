//! The address that the kernel would send from.

use super::sockets::{Sockets, Version};
use rustix::io::Result;
use rustix::net::{connect, connect_unspec, getsockname};
use std::net::SocketAddr;
use std::os::fd::OwnedFd;

/// The port asked about when there is none: 9, discard. Nothing is sent to it.
const ANY_PORT: u16 = 9;

/// The address that the kernel would send from to `dst`, with port 0 and the scope that the kernel gives it.
///
/// No packet is sent: a UDP socket is connected, which looks the route up, asked for its own address, and
/// disconnected, since a socket that keeps an address would give it for the next destination too.
///
/// # Errors
///
/// The kernel's: no route (`ENETUNREACH`), a prohibited one (`EACCES`, also for broadcast), a link-local
/// destination without a scope (`EINVAL`), no support for the family (`EAFNOSUPPORT`), no descriptor left.
pub(crate) fn source_for(sockets: Sockets, dst: SocketAddr) -> Result<SocketAddr> {
    let version = if dst.is_ipv4() { Version::V4 } else { Version::V6 };
    let mut peer = dst;
    if peer.port() == 0 {
        peer.set_port(ANY_PORT);
    }
    let mut source = sockets.ask(version, |fd| (source_on(fd, &peer), connect_unspec(fd)))?;
    source.set_port(0);
    Ok(source)
}

fn source_on(fd: &OwnedFd, peer: &SocketAddr) -> Result<SocketAddr> {
    connect(fd, peer)?;
    getsockname(fd)?.try_into()
}

#[cfg(test)]
mod tests;
