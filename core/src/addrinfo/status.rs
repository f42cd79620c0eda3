//! What became of the question for a route.

use crate::acm::{ReplyError, Status};
use core::fmt;

/// Why an entry has no route although one was asked for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum NoRoute {
    /// There is nobody to ask.
    Unavailable,
    /// The daemon could not be asked: the system had no descriptor, memory or port for it, or the file that says where
    /// the daemon is could not be read.
    CouldNotAsk,
    /// The deadline passed before an answer came.
    TimedOut,
    /// The daemon refused, with this status.
    Refused(Status),
    /// What the daemon sent is no reply to the question.
    InvalidReply(ReplyError),
    /// The daemon answered without a path.
    NoPath,
    /// The daemon was found, and the connection to it failed.
    Disconnected,
    /// There is a route, and the results have no room for its paths.
    NoRoom,
}

impl NoRoute {
    /// The reason in a word or two, as the output shows it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Unavailable => "unavailable",
            Self::CouldNotAsk => "could-not-ask",
            Self::TimedOut => "timed-out",
            Self::Refused(_) => "refused",
            Self::InvalidReply(_) => "invalid-reply",
            Self::NoPath => "no-path",
            Self::Disconnected => "disconnected",
            Self::NoRoom => "no-room",
        }
    }
}

impl fmt::Display for NoRoute {
    /// Writes the name, and what is known beyond it: `refused: ENODATA`. Nobody to ask is `no ibacm`, since `unavailable`
    /// sounds as if there were no way to the destination.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if matches!(self, Self::Unavailable) { "no ibacm" } else { self.name() })?;
        match self {
            Self::CouldNotAsk => f.write_str(": no descriptor or memory, or an unreadable port file"),
            Self::Refused(status) => write!(f, ": {status}"),
            Self::InvalidReply(invalid) => write!(f, ": {invalid}"),
            _ => Ok(()),
        }
    }
}

/// Whether an entry has a route, and if not, why.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum RouteStatus {
    /// None was asked for: routes are off, the entry is passive, or it has nothing to ask by.
    NotAsked,
    /// The entry has a route.
    Found,
    /// One was asked for, in vain.
    Missing(NoRoute),
    /// librdmacm gave a route whose bytes are no array of path records.
    Malformed,
}

impl RouteStatus {
    /// The status in a word or two, as the output shows it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::NotAsked => "not-asked",
            Self::Found => "found",
            Self::Missing(reason) => reason.name(),
            Self::Malformed => "malformed",
        }
    }
}

impl fmt::Display for RouteStatus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Missing(reason) => fmt::Display::fmt(reason, f),
            status => f.write_str(status.name()),
        }
    }
}
