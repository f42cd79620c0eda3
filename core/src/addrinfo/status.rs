//! What became of the question for a route.

use core::fmt;

/// What became of the question for a route.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[non_exhaustive]
pub enum RouteStatus {
    /// None was asked for: routes are off, the entry is passive, or it has nothing to ask by.
    #[default]
    NotAsked,
    /// The entry has a route.
    Found,
    /// There is nobody to ask.
    Unavailable,
    /// The deadline passed before an answer came.
    TimedOut,
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
            Self::Unavailable => "unavailable",
            Self::TimedOut => "timed-out",
            Self::Malformed => "malformed",
        }
    }
}

impl fmt::Display for RouteStatus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
