//! [`Failure`]: why there is no reply.

use rdma_addrinfo_core::NoRoute;
use rdma_addrinfo_core::acm::ReplyError;
use rustix::io::Errno;
use std::time::{Duration, Instant};

/// Why there is no reply.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Failure {
    /// There is no daemon.
    Absent,
    /// The system had no descriptor or no memory to ask with.
    NotAsked,
    /// The daemon did not answer by the deadline.
    TimedOut,
    /// The daemon hung up without a reply.
    Closed,
    /// What came is no reply to the request.
    Invalid(ReplyError),
}

impl From<Failure> for NoRoute {
    fn from(failure: Failure) -> Self {
        match failure {
            Failure::Absent => Self::Unavailable,
            Failure::NotAsked => Self::CouldNotAsk,
            Failure::TimedOut => Self::TimedOut,
            Failure::Closed => Self::Disconnected,
            Failure::Invalid(invalid) => Self::InvalidReply(invalid),
        }
    }
}

/// The time that is left, which is not nothing.
pub(super) fn left(deadline: Instant) -> Result<Duration, Failure> {
    let left = deadline.checked_duration_since(Instant::now()).filter(|left| !left.is_zero());
    left.ok_or(Failure::TimedOut)
}

/// Whether a failure to connect means that there is no daemon.
pub(super) fn cannot_connect(errno: Errno) -> Failure {
    match errno {
        // This process or this machine has no more to give at the moment.
        Errno::MFILE | Errno::NFILE | Errno::NOBUFS | Errno::NOMEM | Errno::ADDRNOTAVAIL => Failure::NotAsked,
        // Nor does a file that cannot be read, or a call that was interrupted, say that there is no daemon.
        Errno::INTR | Errno::IO => Failure::NotAsked,
        // The kernel's own limit, which is longer than most deadlines.
        Errno::TIMEDOUT => Failure::TimedOut,
        _ => Failure::Absent,
    }
}
