//! Network interfaces: names to indices.

use super::sockets::{Version, on_socket};
use rustix::io::{Errno, Result};
use rustix::net::netdevice::name_to_index;
use std::os::fd::OwnedFd;

/// The index of the interface of this name, or none if there is no such interface.
#[doc(alias = "if_nametoindex")]
pub(crate) fn interface_index(name: &[u8]) -> Option<u32> {
    let name = str::from_utf8(name).ok()?;
    ask(|fd| name_to_index(fd, name)).ok()
}

/// Asks on a socket of either version: any will do, and a host may have one alone.
fn ask<T>(question: impl Fn(&OwnedFd) -> Result<T>) -> Result<T> {
    let ask = |fd: &OwnedFd| {
        let answer = question(fd);
        let state = match answer {
            // The interface is not there; the socket is.
            Err(Errno::NODEV | Errno::NXIO) | Ok(_) => Ok(()),
            Err(errno) => Err(errno),
        };
        (answer, state)
    };
    match on_socket(Version::V6, ask) {
        Err(Errno::AFNOSUPPORT) => on_socket(Version::V4, ask),
        answer => answer,
    }
}

#[cfg(test)]
mod tests;
