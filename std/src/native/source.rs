//! The address that the kernel would send from.

use super::kernel_route::{NoKernelRoute, RouteQuery};
use super::sockets::{self, Kind};
use nix::sys::socket::setsockopt;
use nix::sys::socket::sockopt::BindToDevice;
use rdma_addrinfo_core::{Error, Reason};
use rustix::io::Errno;
use rustix::net::{connect, connect_unspec, getsockname};
use std::ffi::OsString;
use std::net::{IpAddr, SocketAddr};
use std::os::fd::OwnedFd;
use std::time::Instant;

/// The port asked about when there is none: 9, discard. Nothing is sent to it.
const ANY_PORT: u16 = 9;

/// How often a call that does not wait is begun again when a signal interrupts it.
const RETRIES: u32 = 100;

/// The address that the kernel would send from to `dst`, with port 0 and the scope that the kernel gives it; `None` if
/// the kernel says that there is none: no route, a prohibited one, no such family, a link-local destination without a
/// scope.
///
/// No packet is sent: a UDP socket is connected, which looks the route up, asked for its own address, and
/// disconnected, since a socket that keeps an address would give it for the next destination too.
///
/// # Errors
/// The kernel could not be asked, such as when no descriptor or no memory is left.
pub(crate) fn source_for(dst: SocketAddr) -> Result<Option<SocketAddr>, Error> {
    ask(dst).map_err(|errno| Error::system(errno.raw_os_error()).because(Reason::SourceNotAsked))
}

fn ask(dst: SocketAddr) -> rustix::io::Result<Option<SocketAddr>> {
    let kind = if dst.is_ipv4() { Kind::V4 } else { Kind::V6 };
    let mut peer = dst;
    if peer.port() == 0 {
        peer.set_port(ANY_PORT);
    }
    match sockets::ask(kind, |fd| (source_on(fd, &peer), connect_unspec(fd))) {
        Ok(Ok(mut source)) => {
            source.set_port(0);
            Ok(Some(source))
        }
        Ok(Err(errno)) if says_none(errno) => Ok(None),
        // The kernel has no such family, and no address of it.
        Err(Errno::AFNOSUPPORT) => Ok(None),
        Ok(Err(errno)) | Err(errno) => Err(errno),
    }
}

/// The address that the kernel would send from to `dst` by the interface of this index and name, with port 0; `None` if
/// there is none.
///
/// # Errors
/// The kernel could not be asked.
pub(crate) fn source_by(
    dst: SocketAddr,
    index: u32,
    name: &str,
    deadline: Option<Instant>,
) -> Result<Option<IpAddr>, Error> {
    let query = RouteQuery::new(dst.ip()).with_interface(index);
    let route = query.lookup(deadline);
    // Rules may forbid what comes from there.
    let route = route.and_then(|route| match route.source {
        Some(source) => query.with_local_source(source).lookup(deadline),
        None => Ok(route),
    });
    match route {
        Ok(route) => Ok(route.source),
        // A sandbox may refuse the kind of socket.
        Err(NoKernelRoute::NotAsked(_) | NoKernelRoute::TimedOut) => {
            let source = bound_to(dst, name);
            let source = source.map(|source| source.map(|source| source.ip()));
            source.map_err(|errno| Error::system(errno.raw_os_error()).because(Reason::SourceNotAsked))
        }
        Err(_) => Ok(None),
    }
}

/// The source by a UDP socket that is bound to the interface: not one of those that are kept.
fn bound_to(dst: SocketAddr, name: &str) -> rustix::io::Result<Option<SocketAddr>> {
    let kind = if dst.is_ipv4() { Kind::V4 } else { Kind::V6 };
    let mut peer = dst;
    if peer.port() == 0 {
        peer.set_port(ANY_PORT);
    }
    let ask = || {
        let fd = kind.open()?;
        setsockopt(&fd, BindToDevice, &OsString::from(name))
            .map_err(|errno| Errno::from_raw_os_error(errno as i32))?;
        source_on(&fd, &peer)
    };
    match ask() {
        Ok(source) => Ok(Some(source)),
        Err(errno) if says_none(errno) => Ok(None),
        Err(errno) => Err(errno),
    }
}

fn source_on(fd: &OwnedFd, peer: &SocketAddr) -> rustix::io::Result<SocketAddr> {
    // What a signal interrupts is begun again, but not for ever.
    let mut interrupted = 0..RETRIES;
    while let Err(errno) = connect(fd, peer) {
        if errno != Errno::INTR || interrupted.next().is_none() {
            return Err(errno);
        }
    }
    getsockname(fd)?.try_into()
}

/// Whether an error of connect(2) is the kernel's answer that there is no source. Any other means that it could not
/// say, as where memory or ports have run out.
fn says_none(errno: Errno) -> bool {
    matches!(
        errno,
        // No route, or one that an administrator made: unreachable, prohibit, blackhole, a filter of a control group.
        Errno::NETUNREACH | Errno::HOSTUNREACH | Errno::ACCESS | Errno::PERM | Errno::INVAL
            | Errno::NETDOWN | Errno::HOSTDOWN
            // No such interface, address or family.
            | Errno::NODEV | Errno::NXIO | Errno::ADDRNOTAVAIL | Errno::AFNOSUPPORT | Errno::OPNOTSUPP
    )
}

#[cfg(test)]
mod tests;
