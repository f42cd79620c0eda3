//! Network interfaces: names to indices.

use super::sockets::{self, Version};
use rdma_addrinfo_core::{Error, ErrorKind, Reason};
use rustix::io::Errno;
use rustix::net::netdevice::name_to_index;
use std::os::fd::OwnedFd;

/// The index of the interface of this name, or none if there is no such interface.
///
/// # Errors
/// Why the system cannot be asked, such as that no descriptor is left.
#[doc(alias = "if_nametoindex")]
pub(crate) fn interface_index(name: &[u8]) -> Result<Option<u32>, Error> {
    // rustix takes names as UTF-8 only; another cannot be asked for.
    let Ok(name) = str::from_utf8(name) else {
        return Err(Error::new(ErrorKind::NotSupported).because(Reason::ZoneName));
    };
    // C would take what is before a NUL for the name.
    if name.contains('\0') {
        return Ok(None);
    }
    match ask(|fd| name_to_index(fd, name)) {
        Ok(Ok(index)) => Ok(Some(index)),
        Ok(Err(Errno::NODEV | Errno::NXIO | Errno::INVAL | Errno::NAMETOOLONG)) => Ok(None),
        Ok(Err(errno)) | Err(errno) => Err(Error::system(errno.raw_os_error()).because(Reason::ZoneNotAsked)),
    }
}

/// Asks on a socket of either version: any will do, and a host may have one alone.
///
/// # Errors
/// There is no socket to ask on. What the kernel said to the question is in the answer.
fn ask<T>(question: impl Fn(&OwnedFd) -> rustix::io::Result<T>) -> rustix::io::Result<rustix::io::Result<T>> {
    let ask = |fd: &OwnedFd| {
        let answer = question(fd);
        let state = state_after(&answer);
        (answer, state)
    };
    match sockets::ask(Version::V6, ask) {
        Err(Errno::AFNOSUPPORT) => sockets::ask(Version::V4, ask),
        answer => answer,
    }
}

/// What became of the socket by this answer on it.
fn state_after<T>(answer: &rustix::io::Result<T>) -> rustix::io::Result<()> {
    match answer {
        // The interface is not there; the socket is.
        Err(Errno::NODEV | Errno::NXIO) | Ok(_) => Ok(()),
        Err(errno) => Err(*errno),
    }
}

#[cfg(test)]
mod tests;
