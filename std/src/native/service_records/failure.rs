//! Why the subnet administrator's records were not had.

use super::answer::Unusable;
use rdma_addrinfo_core::{Error, ErrorKind, Reason};
use std::io;

/// Why there are no records.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Failure {
    /// The kernel's connection manager has no device: its module is not loaded.
    NoConnectionManager,
    /// The kernel knows no service records.
    OldKernel,
    /// The port has no subnet administrator.
    NoAdministrator,
    /// It rejected the query, which is what some do where they know no such service.
    Rejected,
    /// It did not answer in time: that of the kernel, or the caller's.
    Silent,
    /// The process has other credentials than it opened the device with.
    Credentials,
    /// The device of the port went away.
    Removed,
    /// So many records do not fit into an answer.
    TooMany(u32),
    /// The kernel said what makes no sense.
    Malformed,
    /// An event of something else.
    ForeignEvent,
    /// There is no memory.
    NoMemory,
    /// Another error of the system; 0 if its number is not known.
    System(i32),
}

impl Failure {
    /// That of a command or of waiting for its event.
    pub(super) fn of(error: &io::Error) -> Self {
        match (error.raw_os_error(), error.kind()) {
            (Some(libc::EACCES), _) => Self::Credentials,
            (Some(libc::ENODEV | libc::ENXIO | libc::EIO), _) => Self::Removed,
            (Some(libc::ENOMEM), _) => Self::NoMemory,
            (Some(errno), _) => Self::System(errno),
            (None, io::ErrorKind::TimedOut) => Self::Silent,
            (None, io::ErrorKind::InvalidData | io::ErrorKind::WriteZero) => Self::Malformed,
            (None, _) => Self::System(0),
        }
    }

    /// That of opening the device.
    pub(super) fn of_open(error: &io::Error) -> Self {
        match (error.raw_os_error(), error.kind()) {
            (Some(libc::ENOENT | libc::ENOTDIR | libc::ENODEV | libc::ENXIO), _)
            | (None, io::ErrorKind::Unsupported) => Self::NoConnectionManager,
            (Some(libc::ENOMEM), _) => Self::NoMemory,
            (None, io::ErrorKind::TimedOut) => Self::Silent,
            (errno, _) => Self::System(errno.unwrap_or(0)),
        }
    }
}

impl From<Unusable> for Failure {
    fn from(unusable: Unusable) -> Self {
        match unusable {
            Unusable::TooMany(count) => Self::TooMany(count),
            Unusable::Short => Self::Malformed,
            Unusable::NoMemory => Self::NoMemory,
        }
    }
}

impl From<Failure> for Error {
    fn from(failure: Failure) -> Self {
        let error = |kind, reason| Self::new(kind).because(reason);
        let system = |errno, reason| Self::system(errno).because(reason);
        match failure {
            Failure::NoConnectionManager => error(ErrorKind::NoDevice, Reason::NoConnectionManager),
            Failure::OldKernel => error(ErrorKind::NotSupported, Reason::SaNeedsKernel),
            Failure::NoAdministrator => error(ErrorKind::NotSupported, Reason::NoSubnetAdministrator),
            Failure::Rejected => error(ErrorKind::Service, Reason::SaRejected),
            Failure::Silent => error(ErrorKind::TimedOut, Reason::SaSilent),
            Failure::Credentials => system(libc::EACCES, Reason::SaCredentials),
            Failure::Removed => error(ErrorKind::NoDevice, Reason::SaDeviceGone),
            Failure::TooMany(_) => system(libc::EOVERFLOW, Reason::TooManyRecords),
            Failure::Malformed => system(libc::EPROTO, Reason::SaReply),
            Failure::ForeignEvent => system(libc::EPROTO, Reason::SaForeignEvent),
            Failure::NoMemory => Self::new(ErrorKind::Memory),
            Failure::System(errno) => system(errno, Reason::SaNotAsked),
        }
    }
}
