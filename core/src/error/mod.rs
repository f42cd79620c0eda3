//! [`Error`]: what failed, where in the input, and the C code it stands for.
//!
//! [`Error::from_librdmacm`] and [`Error::from_getaddrinfo`] are the one place that decodes `(ret, errno)`
//! pairs; [`Error::to_c`] is the one that makes them.

mod c_codes;
mod kind;
mod reason;

#[cfg(test)]
mod tests;

pub use c_codes::CCode;
pub use kind::ErrorKind;
pub use reason::Reason;

use core::ffi::c_int;
use core::fmt;

/// A field of hints that is at fault.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub enum Field {
    /// `ai_flags`
    Flags,
    /// `ai_family`
    Family,
    /// `ai_qp_type`
    QpType,
    /// `ai_port_space`
    PortSpace,
    /// `ai_src_addr` or `ai_src_len`
    Source,
    /// `ai_dst_addr` or `ai_dst_len`
    Destination,
    /// `ai_route` or `ai_route_len`
    Route,
}

impl Field {
    /// The name of the C field.
    #[must_use]
    pub const fn c_name(self) -> &'static str {
        match self {
            Self::Flags => "ai_flags",
            Self::Family => "ai_family",
            Self::QpType => "ai_qp_type",
            Self::PortSpace => "ai_port_space",
            Self::Source => "ai_src_addr",
            Self::Destination => "ai_dst_addr",
            Self::Route => "ai_route",
        }
    }
}

/// Where in the input an error lies.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub enum Location {
    /// No single place.
    Nowhere,
    /// Byte offset in the node.
    Node(usize),
    /// Byte offset in the service.
    Service(usize),
    /// Byte offset in the text that was parsed: of hints, an address, a number, a name of a value.
    Text(usize),
    /// A field of the hints.
    Hints(Field),
}

/// Why an address was not resolved. Small and [`Copy`].
///
/// Its message says what failed, where and why; `rdma-addrinfo` adds what was asked.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Error {
    kind: ErrorKind,
    reason: Reason,
    /// What C shows of it, where the kind alone does not tell.
    code: Option<CCode>,
    location: Location,
}

impl Error {
    /// An error of this kind and nothing else known.
    #[must_use]
    pub const fn new(kind: ErrorKind) -> Self {
        Self { kind, reason: Reason::Unspecified, code: None, location: Location::Nowhere }
    }

    /// A system error with its `errno` (positive).
    #[must_use]
    pub const fn system(errno: c_int) -> Self {
        Self::new(ErrorKind::System).with_errno(errno)
    }

    /// The same error with its reason.
    #[must_use]
    pub const fn because(self, reason: Reason) -> Self {
        Self { reason, ..self }
    }

    /// The same error, placed.
    #[must_use]
    pub const fn at(self, location: Location) -> Self {
        Self { location, ..self }
    }

    /// The same error with the `errno` that a C caller should see; 0 for that of its kind.
    #[must_use]
    pub const fn with_errno(self, errno: c_int) -> Self {
        Self { code: if errno == 0 { None } else { Some(CCode::Errno(errno)) }, ..self }
    }

    /// What kind of failure this is.
    #[must_use]
    pub const fn kind(&self) -> ErrorKind {
        self.kind
    }

    /// Why, in detail.
    #[must_use]
    pub const fn reason(&self) -> Reason {
        self.reason
    }

    /// Where in the input.
    #[must_use]
    pub const fn location(&self) -> Location {
        self.location
    }
}

impl From<ErrorKind> for Error {
    fn from(kind: ErrorKind) -> Self {
        Self::new(kind)
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.kind.message())?;
        if self.reason != Reason::Unspecified {
            f.write_str(": ")?;
            f.write_str(self.reason.message())?;
        }
        match self.location {
            Location::Nowhere => {}
            Location::Node(offset) => write!(f, " (node, byte {offset})")?,
            Location::Service(offset) => write!(f, " (service, byte {offset})")?,
            Location::Text(offset) => write!(f, " (byte {offset})")?,
            Location::Hints(field) => {
                f.write_str(" (hints, ")?;
                f.write_str(field.c_name())?;
                f.write_str(")")?;
            }
        }
        match self.code {
            None => Ok(()),
            Some(CCode::Eai(code)) => write!(f, " (EAI code {code})"),
            Some(CCode::Errno(errno)) => write!(f, " (errno {errno})"),
        }
    }
}

impl core::error::Error for Error {}
