//! [`Ibacm`]: where the daemon is, and how long what is found of it is remembered.

use rdma_addrinfo_core::acm::BackoffConfig;
use std::fmt;
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::str::FromStr;
use std::time::Duration;

/// Where ibacm is, the daemon that knows routes, and how long its absence and its silence are remembered.
///
/// librdmacm asks it where its build says; [`AUTO`](Self::AUTO) is the usual address.
///
/// A daemon that is not there is not looked for again for [a second](Self::with_negative_cache), so that a literal
/// then costs no system call. One that let three calls in a row time out is left alone for
/// [a second, then two, up to 30](Self::with_back_off), by calls that have no more than twice as long to wait as
/// those had. Both show as the [status](rdma_addrinfo_core::RouteStatus) of the route, and are forgotten at the first
/// reply, and by [`forget_kept`](crate::forget_kept). A process remembers up to 64 addresses; of others nothing is
/// remembered.
///
/// Sockets and port files must be on a local file system, as those in `/run` are. The kernel bounds neither open(2) nor
/// connect(2) where the file system itself does not answer, such as one in user space (FUSE) whose server hangs: such a
/// call waits beyond its deadline.
///
/// ```
/// use rdma_addrinfo::{Ibacm, NoRoute, Resolver, RouteStatus};
///
/// let resolver = Resolver::new().with_ibacm(Ibacm::socket("/nonexistent/ibacm.sock")?);
/// let found = resolver.resolve("127.0.0.1", "7471", None)?;
/// assert_eq!(found.first().unwrap().route_status(), RouteStatus::Missing(NoRoute::Unavailable));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Ibacm {
    pub(super) address: DaemonAddress,
    /// Never 0. Addresses that differ have keys that differ, but for a chance of 2^-64.
    pub(super) key: u64,
    pub(super) time_limit: Duration,
    pub(super) backoff: BackoffConfig,
}

/// Where the daemon is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum DaemonAddress {
    Off,
    Port(u16),
    Socket(Name),
    PortFile(Name),
    /// A run directory with a port file, a socket, or both.
    Directory(Name),
}

/// The longest path of a Unix socket, in bytes.
const LONGEST: usize = 107;

/// The names of the files in the run directory.
pub(super) const PORT_FILE: &str = "ibacm.port";
pub(super) const SOCKET: &str = "ibacm.sock";

/// The usual run directory.
const RUN: &[u8] = b"/run";

/// A path, in place so that an option can be copied: 1 to [`LONGEST`] bytes without a NUL.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Name {
    len: u8,
    bytes: [u8; LONGEST],
}

impl Name {
    fn new(path: &Path, longest: usize) -> io::Result<Self> {
        let path = path.as_os_str().as_bytes();
        let refuse = |why: &'static str| Err(io::Error::new(io::ErrorKind::InvalidInput, why));
        if path.is_empty() {
            return refuse("the path is empty");
        }
        if path.contains(&0) {
            return refuse("the path holds a NUL");
        }
        let mut bytes = [0; LONGEST];
        match (u8::try_from(path.len()), bytes.get_mut(..path.len())) {
            (Ok(len), Some(buffer)) if path.len() <= longest => {
                buffer.copy_from_slice(path);
                Ok(Self { len, bytes })
            }
            _ => refuse("the path is too long for a Unix socket"),
        }
    }

    /// [`RUN`].
    const fn run() -> Self {
        let mut bytes = [0; LONGEST];
        bytes.split_at_mut(RUN.len()).0.copy_from_slice(RUN);
        Self { len: RUN.len() as u8, bytes }
    }

    /// The path of a file in this directory; `None` if it is too long for a Unix socket.
    pub(super) fn join(mut self, file: &str) -> Option<Self> {
        let start = usize::from(self.len);
        let end = start + 1 + file.len();
        let (slash, name) = self.bytes.get_mut(start..end)?.split_first_mut()?;
        *slash = b'/';
        name.copy_from_slice(file.as_bytes());
        Some(Self { len: u8::try_from(end).ok()?, ..self })
    }

    pub(super) fn as_bytes(&self) -> &[u8] {
        self.bytes.get(..self.len.into()).unwrap_or_default()
    }
}

impl fmt::Debug for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        String::from_utf8_lossy(self.as_bytes()).fmt(f)
    }
}

/// FNV-1a, never 0.
const fn key(kind: u8, bytes: &[u8]) -> u64 {
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    let mut rest = bytes;
    let mut byte = kind;
    loop {
        hash = (hash ^ byte as u64).wrapping_mul(0x0000_0100_0000_01b3);
        match rest {
            [first, others @ ..] => (byte, rest) = (*first, others),
            [] => return if hash == 0 { 1 } else { hash },
        }
    }
}

impl Ibacm {
    /// How long a call that has no deadline waits for the daemon, unless [set](Self::with_time_limit): 10 s.
    ///
    /// ibacm itself asks the subnet up to 3 times for an answer, each time for 2 s and the subnet's time-out, which is
    /// 1.07 s as InfiniBand subnets usually have it: 9.2 s in all, after which it says that there is no route. Who
    /// gives up sooner loses routes that come slowly. A daemon that is set to try longer, or that needs all its tries
    /// for the address and again for the path, takes a longer limit.
    pub const DEFAULT_TIME_LIMIT: Duration = Duration::from_secs(10);

    /// Where librdmacm asks too: by TCP at the port in `/run/ibacm.port`, if there is one, else at the
    /// Unix socket `/run/ibacm.sock`. The default.
    pub const AUTO: Self = Self::at(DaemonAddress::Directory(Name::run()), key(4, RUN));

    /// Nowhere: no daemon is asked, and routes are [unavailable](rdma_addrinfo_core::NoRoute::Unavailable).
    pub const OFF: Self = Self::at(DaemonAddress::Off, key(0, &[]));

    const fn at(address: DaemonAddress, key: u64) -> Self {
        Self { address, key, time_limit: Self::DEFAULT_TIME_LIMIT, backoff: BackoffConfig::DEFAULT }
    }

    /// At this TCP port of 127.0.0.1. Nobody is at port 0.
    #[must_use]
    pub const fn port(port: u16) -> Self {
        Self::at(DaemonAddress::Port(port), key(1, &port.to_be_bytes()))
    }

    /// At this Unix stream socket.
    ///
    /// # Errors
    /// `InvalidInput` for a path that is empty, has a NUL, or is longer than 107 bytes, which no socket can have.
    pub fn socket(path: impl AsRef<Path>) -> io::Result<Self> {
        let name = Name::new(path.as_ref(), LONGEST)?;
        Ok(Self::at(DaemonAddress::Socket(name), key(2, name.as_bytes())))
    }

    /// At the TCP port of 127.0.0.1 that is in this file: a decimal number from 1 to 65535. It is read for each
    /// new connection.
    ///
    /// # Errors
    /// As [`socket`](Self::socket).
    pub fn port_file(path: impl AsRef<Path>) -> io::Result<Self> {
        let name = Name::new(path.as_ref(), LONGEST)?;
        Ok(Self::at(DaemonAddress::PortFile(name), key(3, name.as_bytes())))
    }

    /// As [`AUTO`](Self::AUTO), with this directory in place of `/run`; for an rdma-core that was built with
    /// another run directory.
    ///
    /// # Errors
    /// As [`socket`](Self::socket), with 96 bytes at most.
    pub fn directory(path: impl AsRef<Path>) -> io::Result<Self> {
        let name = Name::new(path.as_ref(), LONGEST - SOCKET.len() - 1)?;
        Ok(Self::at(DaemonAddress::Directory(name), key(4, name.as_bytes())))
    }

    /// Sets how long a call that has no deadline waits for the daemon, once for each address;
    /// [10 s](Self::DEFAULT_TIME_LIMIT) unless set. Calls with a deadline keep that.
    #[must_use]
    pub const fn with_time_limit(self, time_limit: Duration) -> Self {
        Self { time_limit, ..self }
    }

    /// Sets how long it is remembered that there is no daemon: 1 s unless set, 0 for not at all.
    #[must_use]
    pub const fn with_negative_cache(mut self, time: Duration) -> Self {
        self.backoff.negative_cache = time;
        self
    }

    /// Sets how long a silent daemon is not asked: `first`, and each time that it still is silent, twice as long as
    /// before, up to `longest`. 1 s and 30 s unless set; 0 and 0 for not at all.
    #[must_use]
    pub const fn with_back_off(mut self, first: Duration, longest: Duration) -> Self {
        self.backoff.first = first;
        self.backoff.longest = longest;
        self
    }

    /// How long a call that has no deadline waits for the daemon, once for each address.
    #[must_use]
    pub const fn time_limit(&self) -> Duration {
        self.time_limit
    }

    /// Whether no daemon is asked.
    #[must_use]
    pub const fn is_off(&self) -> bool {
        matches!(self.address, DaemonAddress::Off)
    }
}

impl Default for Ibacm {
    fn default() -> Self {
        Self::AUTO
    }
}

/// The address in words: `off`, `port 6125`, `/run/ibacm.sock`, or `/run/ibacm.port or /run/ibacm.sock`.
impl fmt::Display for Ibacm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = |name: &Name| String::from_utf8_lossy(name.as_bytes()).escape_debug().to_string();
        match &self.address {
            DaemonAddress::Off => f.write_str("off"),
            DaemonAddress::Port(port) => write!(f, "port {port}"),
            DaemonAddress::Socket(name) => f.write_str(&text(name)),
            DaemonAddress::PortFile(name) => write!(f, "the port in {}", text(name)),
            DaemonAddress::Directory(name) => {
                let path = text(name);
                let path = path.trim_end_matches('/');
                write!(f, "{path}/{PORT_FILE} or {path}/{SOCKET}")
            }
        }
    }
}

impl fmt::Debug for Ibacm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Ibacm")
            .field("address", &self.address)
            .field("time_limit", &self.time_limit)
            .field("backoff", &self.backoff)
            .finish()
    }
}

/// As the command reads it: `auto`, `off`, a port, the path of a socket, or the path of a run directory, which ends
/// in a slash. A path has a slash somewhere.
impl FromStr for Ibacm {
    type Err = io::Error;

    fn from_str(text: &str) -> io::Result<Self> {
        let refuse = |why: &'static str| Err(io::Error::new(io::ErrorKind::InvalidInput, why));
        match text {
            "auto" => Ok(Self::AUTO),
            "off" => Ok(Self::OFF),
            path if path.ends_with('/') => Self::directory(path),
            path if path.contains('/') => Self::socket(path),
            number if number.bytes().all(|byte| byte.is_ascii_digit()) => match number.parse() {
                Ok(port @ 1..) => Ok(Self::port(port)),
                _ => refuse("it is no decimal port from 1 to 65535"),
            },
            _ => refuse("it is neither 'auto', 'off', a port, nor a path with a '/'"),
        }
    }
}

#[cfg(test)]
mod tests;
