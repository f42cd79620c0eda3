//! Where to connect to: what the files of a place say.

use super::place::{Ibacm, PORT_FILE, Place, RUN, SOCKET};
use rustix::fs::{Mode, OFlags, open};
use rustix::io::{Errno, Result, read};
use rustix::net::SocketAddrUnix;

/// Where a daemon listens.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Endpoint {
    /// TCP at this port of 127.0.0.1; not 0.
    Port(u16),
    Unix(SocketAddrUnix),
}

/// Where the daemon of this place listens.
///
/// # Errors
/// `ENOENT` if there is none; else why the port file could not be read.
pub(super) fn endpoint(ibacm: &Ibacm) -> Result<Endpoint> {
    match &ibacm.place {
        Place::Off | Place::Port(0) => Err(Errno::NOENT),
        Place::Port(port) => Ok(Endpoint::Port(*port)),
        Place::Socket(path) => Ok(Endpoint::Unix(SocketAddrUnix::new(path.as_bytes())?)),
        Place::PortFile(path) => told_port(path.as_bytes())?.map(Endpoint::Port).ok_or(Errno::NOENT),
        Place::Directory(path) => in_directory(path.as_bytes()),
        Place::Run => in_directory(RUN.as_bytes()),
    }
}

fn in_directory(directory: &[u8]) -> Result<Endpoint> {
    let port = told_port(Joined::new(directory, PORT_FILE)?.as_bytes())?;
    match port {
        Some(port) => Ok(Endpoint::Port(port)),
        None => Ok(Endpoint::Unix(SocketAddrUnix::new(Joined::new(directory, SOCKET)?.as_bytes())?)),
    }
}

/// The port in a file, unless there is no such file or no port in it.
fn told_port(path: &[u8]) -> Result<Option<u16>> {
    // Whatever the file is, opening it waits for nobody.
    let flags = OFlags::RDONLY | OFlags::CLOEXEC | OFlags::NONBLOCK | OFlags::NOCTTY;
    let file = match open(path, flags, Mode::empty()) {
        Ok(file) => file,
        // These are this process's affair and may pass; any other means that librdmacm sees no port file either.
        Err(errno @ (Errno::MFILE | Errno::NFILE | Errno::NOMEM | Errno::INTR)) => return Err(errno),
        Err(_) => return Ok(None),
    };
    // White space and five digits need no more.
    let mut room = [0; 64];
    let len = read(&file, &mut room).unwrap_or(0);
    Ok(room.get(..len).and_then(port))
}

/// A decimal number from 1 to 65535 at the start of a text, as fscanf(3) reads it: white space before it is skipped,
/// what follows does not count.
fn port(text: &[u8]) -> Option<u16> {
    let text = text.trim_ascii_start();
    let digits = text.iter().position(|byte| !byte.is_ascii_digit()).unwrap_or(text.len());
    let digits = str::from_utf8(text.get(..digits)?).ok()?;
    digits.parse().ok().filter(|port| *port != 0)
}

/// A directory and a name in it, without the heap.
struct Joined {
    bytes: [u8; 128],
    len: usize,
}

impl Joined {
    fn new(directory: &[u8], name: &str) -> Result<Self> {
        let mut joined = Self { bytes: [0; 128], len: 0 };
        for part in [directory, b"/", name.as_bytes()] {
            let end = joined.len + part.len();
            joined.bytes.get_mut(joined.len..end).ok_or(Errno::NAMETOOLONG)?.copy_from_slice(part);
            joined.len = end;
        }
        Ok(joined)
    }

    fn as_bytes(&self) -> &[u8] {
        self.bytes.get(..self.len).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests;
