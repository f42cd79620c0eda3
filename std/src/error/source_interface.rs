//! [`SourceInterfaceError`]: why an interface cannot be sent from.

use rdma_addrinfo_core::{Error as CoreError, ErrorKind, Field, Location};
use std::fmt;

/// Why the [source interface](crate::Resolver::source_interface) cannot be used.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum SourceInterfaceError {
    /// There is no interface of this name.
    NotFound(Box<str>),
    /// The hints hold a source address, too.
    SourceInHints,
    /// The request is for the passive side, which sends from nowhere.
    Passive,
    /// The interface has no address of a destination's family and scope.
    NoAddress,
}

impl SourceInterfaceError {
    /// The error of the core: its kind and its place in the hints.
    #[must_use]
    pub const fn to_core(&self) -> CoreError {
        let invalid = CoreError::new(ErrorKind::Invalid);
        match self {
            Self::NotFound(_) => invalid,
            Self::SourceInHints => invalid.at(Location::Hints(Field::Source)),
            Self::Passive => invalid.at(Location::Hints(Field::Flags)),
            Self::NoAddress => CoreError::new(ErrorKind::AddrFamily),
        }
    }
}

impl fmt::Display for SourceInterfaceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let core = self.to_core();
        f.write_str(core.kind().message())?;
        f.write_str(": ")?;
        f.write_str(match self {
            Self::NotFound(name) => {
                return write!(f, "there is no interface '{}' to send from", name.escape_debug());
            }
            Self::SourceInHints => "a source address and a source interface exclude each other",
            Self::Passive => "the passive side has no source interface: give its address as the node",
            Self::NoAddress => "the source interface has no address of a destination's family and scope",
        })?;
        match core.location() {
            Location::Hints(field) => write!(f, " (hints, {})", field.c_name()),
            _ => Ok(()),
        }
    }
}

impl std::error::Error for SourceInterfaceError {}
