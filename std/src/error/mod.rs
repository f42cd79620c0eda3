//! [`Error`]: what failed, with what was asked.

mod load;
mod source_interface;

pub use load::{LoadError, LoadErrorKind};
pub use source_interface::SourceInterfaceError;

use rdma_addrinfo_core::{self as core_crate, ErrorKind, Location, Reason, ServiceText, Text};
use std::{fmt, io};

/// Why a request was not resolved: the request, what failed, what to do.
///
/// Programs match on [`kind`](Self::kind): [`Again`](ErrorKind::Again) and [`TimedOut`](ErrorKind::TimedOut) are worth a
/// retry, the others are not.
///
/// ```
/// use rdma_addrinfo::{Error, ErrorKind, Hints, Resolver};
///
/// fn port(hints: &str) -> Result<u16, Error> {
///     // Parsing hints fails with the core's error, which `?` turns into this one.
///     let found = Resolver::new().resolve("127.0.0.1", "7471", &Hints::parse(hints)?)?;
///     Ok(found.first().and_then(|info| info.dst_addr()).map_or(0, |dst| dst.port()))
/// }
///
/// assert_eq!(port("qp=rc").unwrap(), 7471);
/// assert_eq!(port("qp=best").unwrap_err().kind(), ErrorKind::Invalid);
/// assert_eq!(port("qp=ud,ps=tcp").unwrap_err().kind(), ErrorKind::QpType);
/// ```
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Error(Box<Inner>);

#[derive(Clone, PartialEq, Eq, Hash)]
struct Inner {
    cause: Cause,
    /// `None` before a request.
    asked: Option<Asked>,
}

#[derive(Clone, PartialEq, Eq, Hash)]
struct Asked {
    node: Option<Box<[u8]>>,
    service: Option<Box<[u8]>>,
}

/// What failed.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum Cause {
    /// The request is rejected, or a question about it has no answer.
    Core(core_crate::Error),
    /// The [source interface](crate::Resolver::source_interface) cannot be used.
    SourceInterface(SourceInterfaceError),
    /// librdmacm could not be loaded.
    Load(LoadError),
    /// A service of the subnet administrator has more records than the kernel hands out.
    #[non_exhaustive]
    TooManyRecords {
        /// The error of the core.
        error: core_crate::Error,
        /// How many records there are.
        records: u32,
    },
}

impl Cause {
    /// The error of the core: of the other causes only kind and location.
    pub(crate) const fn to_core(&self) -> core_crate::Error {
        match self {
            Self::Core(error) | Self::TooManyRecords { error, .. } => *error,
            Self::SourceInterface(error) => error.to_core(),
            Self::Load(error) => error.to_core(),
        }
    }
}

impl From<core_crate::Error> for Cause {
    fn from(error: core_crate::Error) -> Self {
        Self::Core(error)
    }
}

impl From<SourceInterfaceError> for Cause {
    fn from(error: SourceInterfaceError) -> Self {
        Self::SourceInterface(error)
    }
}

impl Error {
    pub(crate) fn new(cause: Cause, node: Text<'_>, service: ServiceText<'_>) -> Self {
        let own = |text: Text<'_>| text.bytes().map(Box::from);
        let service = match service.port() {
            Some(port) => Some(port.to_string().into_bytes().into()),
            None => own(service.text()),
        };
        let asked = Some(Asked { node: own(node), service });
        Self(Box::new(Inner { cause, asked }))
    }

    /// The kind of the failure.
    #[must_use]
    pub fn kind(&self) -> ErrorKind {
        self.to_core().kind()
    }

    /// Why the request was rejected; [`Unspecified`](Reason::Unspecified) if the [cause](Self::cause) is not the core's.
    #[must_use]
    pub fn reason(&self) -> Reason {
        self.to_core().reason()
    }

    /// The position in the input.
    #[must_use]
    pub fn location(&self) -> Location {
        self.to_core().location()
    }

    /// What failed, in detail.
    #[must_use]
    pub fn cause(&self) -> &Cause {
        &self.0.cause
    }

    /// The error of the core: small, and without the request. Of causes other than the core's it holds kind and location.
    #[must_use]
    pub fn to_core(&self) -> core_crate::Error {
        self.0.cause.to_core()
    }

    /// The requested node; invalid UTF-8 is replaced.
    #[must_use]
    pub fn node(&self) -> Option<String> {
        self.0.asked.as_ref()?.node.as_deref().map(lossy)
    }

    /// The requested service; invalid UTF-8 is replaced.
    #[must_use]
    pub fn service(&self) -> Option<String> {
        self.0.asked.as_ref()?.service.as_deref().map(lossy)
    }

    /// The error as a system error, if it is one or C reports it as one: for example, a time-out as `ETIMEDOUT`.
    #[must_use]
    pub fn io_error(&self) -> Option<io::Error> {
        self.to_core().errno().map(io::Error::from_raw_os_error)
    }

    /// What to do about it.
    #[must_use]
    pub fn advice(&self) -> Option<&'static str> {
        Some(match (self.kind(), self.reason()) {
            // A reason about the form of the text already describes the valid form.
            (ErrorKind::NoName, Reason::Unspecified) => "check the spelling, /etc/hosts and DNS",
            (ErrorKind::NoData, _) => "check the name's records in DNS",
            (ErrorKind::AddrFamily, _) => "ask for another family, or leave it open",
            (ErrorKind::Service, Reason::Unspecified) => {
                "check /etc/services and the QP type, or give the port by number"
            }
            (ErrorKind::Fail, _) => "check the name service",
            (_, Reason::SaSilent) => "check the subnet manager, or give it more time",
            (ErrorKind::TimedOut, _) => "check the name service, or give it more time",
            (_, Reason::SaNeedsRelease) => "use the native resolver",
            (_, Reason::NoInfinibandPort) => "see the ports with `rdma-getaddrinfo --devices`",
            (_, Reason::NoServiceRecord | Reason::SaRejected) => {
                "check what is registered at the subnet manager"
            }
            (_, Reason::NoConnectionManager | Reason::SaDeviceGone) => return None,
            (ErrorKind::NoDevice | ErrorKind::NoLibrary, _) => {
                "the native resolver needs neither library nor device"
            }
            (ErrorKind::NotLiteral, _) => "use a resolver that looks names up",
            _ => return None,
        })
    }
}

/// Writes a text in quotes; only the start of a very long one.
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

fn lossy(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

impl fmt::Display for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Core(error) => match (error.kind(), error.errno()) {
                // In words, not as a number.
                (ErrorKind::System, Some(errno)) => {
                    write!(f, "{}: {}", error.with_errno(0), io::Error::from_raw_os_error(errno))
                }
                _ => fmt::Display::fmt(error, f),
            },
            Self::TooManyRecords { records, .. } => {
                write!(f, "the service has {records} records, and the kernel hands out 372 at most")
            }
            Self::SourceInterface(error) => fmt::Display::fmt(error, f),
            Self::Load(error) => fmt::Display::fmt(error, f),
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.asked.is_some() {
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
            f.write_str(": ")?;
        }
        fmt::Display::fmt(&self.0.cause, f)?;
        match self.advice() {
            Some(advice) => write!(f, "; {advice}"),
            None => Ok(()),
        }
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Error")
            .field("cause", &self.0.cause)
            .field("node", &self.node())
            .field("service", &self.service())
            .finish()
    }
}

impl std::error::Error for Error {}

impl From<core_crate::Error> for Error {
    /// An error before a request: from parsing hints or an address.
    fn from(error: core_crate::Error) -> Self {
        Self(Box::new(Inner { cause: Cause::Core(error), asked: None }))
    }
}

impl From<LoadError> for Error {
    fn from(error: LoadError) -> Self {
        Self(Box::new(Inner { cause: Cause::Load(error), asked: None }))
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
