//! Network interfaces: names and indices.

use super::netlink::{self, Failure};
use super::sockets::{self, Kind};
use netlink_packet_core::DefaultNla;
use netlink_packet_route::RouteNetlinkMessage;
use netlink_packet_route::link::{LinkAttribute, LinkHeader, LinkMessage};
use rdma_addrinfo_core::{Error, ErrorKind, Reason};
use rustix::io::Errno;
use rustix::net::netdevice::{index_to_name, name_to_index};
use std::os::fd::OwnedFd;

/// The longest name that an ioctl(2) takes, in bytes.
const IOCTL_NAME_MAX: usize = 15;

/// The length of an interface message's header, `struct ifinfomsg`, in bytes.
const LINK_HEADER: usize = 16;

/// `IFLA_ALT_IFNAME`
const IFLA_ALT_IFNAME: u16 = 53;

/// The index of the interface that has this name, as its first or as an alternative one; `None` if there is none.
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
    let answer =
        if name.len() > IOCTL_NAME_MAX { index_of_long(name) } else { ask(|fd| name_to_index(fd, name)) };
    match answer {
        Ok(Ok(index)) => Ok(Some(index)),
        Ok(Err(Errno::NODEV | Errno::NXIO | Errno::INVAL | Errno::NAMETOOLONG | Errno::RANGE)) => Ok(None),
        Ok(Err(errno)) | Err(errno) => Err(Error::system(errno.raw_os_error()).because(Reason::ZoneNotAsked)),
    }
}

/// The index of the interface that has this alternative name, which is too long for an ioctl(2).
///
/// # Errors
/// As [`ask`].
fn index_of_long(name: &str) -> rustix::io::Result<rustix::io::Result<u32>> {
    let mut question = LinkMessage::default();
    let terminated = name.bytes().chain([0]).collect();
    question.attributes = vec![LinkAttribute::Other(DefaultNla::new(IFLA_ALT_IFNAME, terminated))];
    let index = |answer: &[u8]| {
        let header = LinkHeader::parse(answer.get(..LINK_HEADER)?).ok()?;
        Some(header.index).filter(|index| *index != 0)
    };
    match netlink::ask(RouteNetlinkMessage::GetLink(question), None, index) {
        Ok(index) => Ok(Ok(index)),
        Err(Failure::Answer(errno)) => Ok(Err(errno)),
        Err(Failure::NotAsked(errno)) => Err(errno),
        Err(Failure::TimedOut) => Err(Errno::TIMEDOUT),
    }
}

/// The first name of the interface with this index; `None` if there is none.
///
/// # Errors
/// As [`interface_index`].
#[doc(alias = "if_indextoname")]
pub(crate) fn interface_name(index: u32) -> Result<Option<String>, Error> {
    match ask(|fd| index_to_name(fd, index)) {
        Ok(Ok(name)) => Ok(Some(name)),
        Ok(Err(Errno::NODEV | Errno::NXIO)) => Ok(None),
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
    match sockets::ask(Kind::V6, ask) {
        Err(Errno::AFNOSUPPORT) => sockets::ask(Kind::V4, ask),
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
