//! What could not be read.

use std::{fmt, io};

/// A part of sysfs or of the interfaces that could not be read or parsed.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub struct Problem {
    /// The path below the root of sysfs; `interfaces` for the addresses of the interfaces.
    pub path: String,
    /// What is wrong.
    pub kind: ProblemKind,
}

/// What is wrong.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum ProblemKind {
    /// The system could not read it: its `errno`.
    System(i32),
    /// It is not a regular file.
    NotFile,
    /// It has more than 4096 bytes.
    TooLong,
    /// It is not one line of UTF-8 text.
    NotText,
    /// Its text or its name could not be parsed.
    Meaningless,
    /// A directory has more than 4096 names: the others are missing.
    TooManyNames,
    /// More than 262,144 files were read: all others are missing.
    TooManyFiles,
    /// There are more than 32 problems; the others are left out.
    TooManyProblems,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // A path contains arbitrary names of files.
        write!(f, "{}: {}", self.path.escape_debug(), self.kind)
    }
}

impl fmt::Display for ProblemKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::System(errno) => return fmt::Display::fmt(&io::Error::from_raw_os_error(*errno), f),
            Self::NotFile => "it is not a regular file",
            Self::TooLong => "it is longer than 4096 bytes",
            Self::NotText => "it is not one line of text",
            Self::Meaningless => "it cannot be parsed",
            Self::TooManyNames => "it holds more than 4096 names; the others are missing",
            Self::TooManyFiles => "more than 262144 files were read; the others are missing",
            Self::TooManyProblems => "there are more than 32 problems; the others are left out",
        })
    }
}
