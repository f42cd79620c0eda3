//! Where to connect to: what the files say.

use super::config::{DaemonAddress, Ibacm, PORT_FILE, SOCKET};
use super::failure::{Failure, cannot_connect, left};
use rustix::fs::{Access, Mode, OFlags, access, open};
use rustix::io::{Errno, read};
use rustix::net::SocketAddrUnix;
use std::time::Instant;

/// Where a daemon listens.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Endpoint {
    /// TCP at this port of 127.0.0.1; not 0.
    Port(u16),
    Unix(SocketAddrUnix),
}

/// Where the daemon of this configuration listens.
///
/// # Errors
/// [`Failure::Absent`] if there is none; [`Failure::NotAsked`] if the port file is there and could not be read;
/// [`Failure::TimedOut`].
pub(super) fn endpoint(ibacm: &Ibacm, deadline: Instant) -> Result<Endpoint, Failure> {
    match &ibacm.address {
        DaemonAddress::Off | DaemonAddress::Port(0) => Err(Failure::Absent),
        DaemonAddress::Port(port) => Ok(Endpoint::Port(*port)),
        DaemonAddress::Socket(path) => unix(path.as_bytes()),
        DaemonAddress::PortFile(path) => {
            read_port_file(path.as_bytes(), deadline)?.map(Endpoint::Port).ok_or(Failure::Absent)
        }
        DaemonAddress::Directory(path) => {
            let file = |name| path.join(name).ok_or(Failure::Absent);
            match read_port_file(file(PORT_FILE)?.as_bytes(), deadline)? {
                Some(port) => Ok(Endpoint::Port(port)),
                None => unix(file(SOCKET)?.as_bytes()),
            }
        }
    }
}

/// Whether the daemon listens nowhere, since none of its files is there. Looking at names waits for nobody.
pub(super) fn is_nowhere(ibacm: &Ibacm) -> bool {
    let is_missing = |path: &[u8]| access(path, Access::EXISTS) == Err(Errno::NOENT);
    match &ibacm.address {
        DaemonAddress::Off | DaemonAddress::Port(0) => true,
        DaemonAddress::Port(_) => false,
        DaemonAddress::Socket(path) | DaemonAddress::PortFile(path) => is_missing(path.as_bytes()),
        DaemonAddress::Directory(path) => [PORT_FILE, SOCKET]
            .into_iter()
            .all(|name| path.join(name).is_some_and(|path| is_missing(path.as_bytes()))),
    }
}

fn unix(path: &[u8]) -> Result<Endpoint, Failure> {
    SocketAddrUnix::new(path).map(Endpoint::Unix).map_err(cannot_connect)
}

/// The port in a file, unless there is no such file or no port in it, as librdmacm sees it.
fn read_port_file(path: &[u8], deadline: Instant) -> Result<Option<u16>, Failure> {
    // Whatever the file is, opening it waits for nobody.
    let flags = OFlags::RDONLY | OFlags::CLOEXEC | OFlags::NONBLOCK | OFlags::NOCTTY;
    let file = match uninterrupted(deadline, || open(path, flags, Mode::empty()))? {
        Ok(file) => file,
        Err(errno) if may_pass(errno) => return Err(Failure::NotAsked),
        Err(_) => return Ok(None),
    };
    // White space and five digits need no more.
    let mut buffer = [0; 64];
    let mut len = 0;
    while let Some(free) = buffer.get_mut(len..).filter(|free| !free.is_empty()) {
        match uninterrupted(deadline, || read(&file, &mut *free))? {
            Ok(0) => break,
            Ok(more) => len += more,
            Err(errno) if may_pass(errno) => return Err(Failure::NotAsked),
            // A directory, a pipe that nobody writes to.
            Err(_) => break,
        }
    }
    Ok(buffer.get(..len).and_then(port))
}

/// Calls again what a signal interrupted, until the deadline.
fn uninterrupted<T>(
    deadline: Instant,
    mut call: impl FnMut() -> rustix::io::Result<T>,
) -> Result<rustix::io::Result<T>, Failure> {
    loop {
        match call() {
            Err(Errno::INTR) => left(deadline)?,
            outcome => return Ok(outcome),
        };
    }
}

/// Whether an error says nothing of the file: it is the affair of this process, of the machine or of its disks.
fn may_pass(errno: Errno) -> bool {
    cannot_connect(errno) == Failure::NotAsked
}

/// A decimal number from 1 to 65535 at the start of a text, as fscanf(3) reads it: white space before it is skipped,
/// what follows does not count.
fn port(text: &[u8]) -> Option<u16> {
    let text = text.trim_ascii_start();
    let digits = text.iter().position(|byte| !byte.is_ascii_digit()).unwrap_or(text.len());
    let digits = str::from_utf8(text.get(..digits)?).ok()?;
    digits.parse().ok().filter(|port| *port != 0)
}

#[cfg(test)]
mod tests;
