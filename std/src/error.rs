//! [`Error`]: the core's error, with what was asked.

use crate::backend::Backend;
use rdma_addrinfo_core::{self as core_crate, ErrorKind, Location, Reason, Text};
use std::{fmt, io};

/// Why a request was not resolved: what was asked, what failed, what to do.
///
/// [`kind`](Self::kind) is for programs: [`Again`](ErrorKind::Again) and [`TimedOut`](ErrorKind::TimedOut) are worth
/// another try, the others are not.
///
/// ```
/// use rdma_addrinfo::{Error, ErrorKind, Hints, Resolver};
///
/// fn port(hints: &str) -> Result<u16, Error> {
///     // Reading hints fails with the core's error, which `?` turns into this one.
///     let found = Resolver::new().resolve("127.0.0.1", "7471", &Hints::parse(hints)?)?;
///     Ok(found.first().and_then(|info| info.dst_addr()).map_or(0, |dst| dst.port()))
/// }
///
/// assert_eq!(port("qp=rc").unwrap(), 7471);
/// assert_eq!(port("qp=best").unwrap_err().kind(), ErrorKind::Invalid);
/// assert_eq!(port("qp=ud,ps=tcp").unwrap_err().kind(), ErrorKind::QpType);
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct Error(Box<Inner>);

#[derive(Clone, PartialEq, Eq)]
struct Inner {
    core: core_crate::Error,
    /// None: nothing was asked yet.
    backend: Option<Backend>,
    node: Option<Box<[u8]>>,
    service: Option<Box<[u8]>>,
    /// The dynamic linker's words.
    detail: Option<Box<str>>,
}

impl Error {
    pub(crate) fn new(core: core_crate::Error, backend: Backend, node: Text<'_>, service: Text<'_>) -> Self {
        let own = |text: Text<'_>| text.bytes().map(Box::from);
        Self(Box::new(Inner {
            core,
            backend: Some(backend),
            node: own(node),
            service: own(service),
            detail: None,
        }))
    }

    /// The same error with words of another program's.
    pub(crate) fn with_detail(mut self, detail: impl Into<Box<str>>) -> Self {
        self.0.detail = Some(detail.into());
        self
    }

    /// What kind of failure this is.
    #[must_use]
    pub fn kind(&self) -> ErrorKind {
        self.0.core.kind()
    }

    /// Why, in detail.
    #[must_use]
    pub fn reason(&self) -> Reason {
        self.0.core.reason()
    }

    /// Where in the input.
    #[must_use]
    pub fn location(&self) -> Location {
        self.0.core.location()
    }

    /// The error of the core, without what was asked.
    #[must_use]
    pub fn as_core(&self) -> &core_crate::Error {
        &self.0.core
    }

    /// The backend that was asked; `None` where the input was refused before anyone was.
    #[must_use]
    pub fn backend(&self) -> Option<Backend> {
        self.0.backend
    }

    /// The node that was asked for; bytes that are not UTF-8 are replaced.
    #[must_use]
    pub fn node(&self) -> Option<String> {
        self.0.node.as_deref().map(lossy)
    }

    /// The service that was asked for; bytes that are not UTF-8 are replaced.
    #[must_use]
    pub fn service(&self) -> Option<String> {
        self.0.service.as_deref().map(lossy)
    }

    /// The error as the system's, where it is one or C shows it as one: a time-out as `ETIMEDOUT`, for example.
    #[must_use]
    pub fn io_error(&self) -> Option<io::Error> {
        self.0.core.errno().map(io::Error::from_raw_os_error)
    }

    /// What to do about it.
    #[must_use]
    pub fn advice(&self) -> Option<&'static str> {
        Some(match self.kind() {
            // A reason that names the form of the text says what to write instead.
            ErrorKind::NoName if self.reason() == Reason::Unspecified => {
                "check the spelling, /etc/hosts and DNS"
            }
            ErrorKind::NoData => "check the name's records in DNS",
            ErrorKind::AddrFamily => "ask for another family, or leave it open",
            ErrorKind::Service if self.reason() == Reason::Unspecified => {
                "check /etc/services and the QP type, or give the port by number"
            }
            ErrorKind::Fail => "check the name service",
            ErrorKind::TimedOut => "check the name service, or give it more time",
            ErrorKind::NoDevice | ErrorKind::NoLibrary if self.backend() == Some(Backend::Librdmacm) => {
                "the native backend needs neither library nor device"
            }
            ErrorKind::NotLiteral => "use a resolver that looks names up",
            _ => return None,
        })
    }
}

/// Writes a text in quotes; of a very long one the start.
fn quote(f: &mut fmt::Formatter<'_>, what: &str, text: &str) -> fmt::Result {
    const MOST: usize = 255;
    let mut characters = text.chars();
    write!(f, " {what} '")?;
    for character in characters.by_ref().take(MOST) {
        write!(f, "{}", character.escape_debug())?;
    }
    f.write_str("'")?;
    match characters.as_str().len() {
        0 => Ok(()),
        rest => write!(f, "... ({rest} bytes more)"),
    }
}

/// The text without control characters.
fn printable(text: &str) -> String {
    text.chars().map(|character| if character.is_control() { '\u{fffd}' } else { character }).collect()
}

fn lossy(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.backend.is_none() {
            return fmt::Display::fmt(&self.0.core, f);
        }
        f.write_str("cannot resolve")?;
        match (self.node(), self.service()) {
            (None, None) if self.reason() == Reason::NothingAsked => {}
            (None, None) => f.write_str(" the hints")?,
            (node, service) => {
                if let Some(node) = node {
                    quote(f, "node", &node)?;
                }
                if let Some(service) = service {
                    quote(f, "service", &service)?;
                }
            }
        }
        match (self.kind(), self.io_error()) {
            (ErrorKind::System, Some(io)) => write!(f, ": {}: {io}", self.0.core.with_errno(0))?,
            _ => write!(f, ": {}", self.0.core)?,
        }
        if let Some(detail) = &self.0.detail {
            write!(f, " ({})", printable(detail))?;
        }
        match self.advice() {
            Some(advice) => write!(f, "; {advice}"),
            None => Ok(()),
        }
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Error")
            .field("core", &self.0.core)
            .field("backend", &self.0.backend)
            .field("node", &self.node())
            .field("service", &self.service())
            .finish()
    }
}

impl std::error::Error for Error {}

impl From<core_crate::Error> for Error {
    /// The error of something that was read before anything was asked: hints, an address.
    fn from(core: core_crate::Error) -> Self {
        Self(Box::new(Inner { core, backend: None, node: None, service: None, detail: None }))
    }
}

impl From<Error> for io::Error {
    fn from(error: Error) -> Self {
        let kind = match (error.kind(), error.io_error()) {
            (ErrorKind::TimedOut, _) => io::ErrorKind::TimedOut,
            (ErrorKind::Invalid | ErrorKind::BadFlags, _) => io::ErrorKind::InvalidInput,
            (ErrorKind::NotSupported, _) => io::ErrorKind::Unsupported,
            (ErrorKind::Memory, _) => io::ErrorKind::OutOfMemory,
            (ErrorKind::NoName | ErrorKind::NoData | ErrorKind::AddrFamily | ErrorKind::Service, _) => {
                io::ErrorKind::NotFound
            }
            (_, Some(io)) => io.kind(),
            _ => io::ErrorKind::Other,
        };
        Self::new(kind, error)
    }
}
