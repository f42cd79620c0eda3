//! A question to the kernel over rtnetlink(7), and its answer.
//!
//! Requests and attributes are written and read by netlink-packet-route. An answer is read attribute by attribute: one
//! that the package does not understand is skipped, and the others still count.

use super::sockets::{self, Kind};
use netlink_packet_core::{
    NLM_F_REQUEST, NetlinkBuffer, NetlinkHeader, NetlinkMessage, NetlinkPayload, NlaBuffer, NlasIterator,
};
use netlink_packet_route::RouteNetlinkMessage;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use rustix::net::netlink::SocketAddrNetlink;
use rustix::net::{RecvFlags, SendFlags, recvfrom, sendto};
use std::os::fd::OwnedFd;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

/// How long an answer is waited for where the caller has no deadline. The kernel answers before the request returns.
const LIMIT: Duration = Duration::from_secs(1);

/// The longest answer that is read, in bytes: the attributes of an interface with many other names come to some thousand.
const LONGEST: usize = 16 * 1024;

/// How many messages of others, signals and false alarms there may be before the answer.
const RETRIES: u32 = 100;

/// The type of a message that reports an error.
const NLMSG_ERROR: u16 = 2;

/// Why there is no answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Failure {
    /// The kernel answered with this error.
    Answer(Errno),
    /// The kernel could not be asked.
    NotAsked(Errno),
    /// No answer came before the deadline.
    TimedOut,
}

/// Asks, and reads the answer's payload by `read`, which returns `None` for what is no answer to this.
///
/// # Errors
/// See [`Failure`].
pub(super) fn ask<T>(
    question: RouteNetlinkMessage,
    deadline: Option<Instant>,
    read: impl Fn(&[u8]) -> Option<T>,
) -> Result<T, Failure> {
    static SEQUENCE: AtomicU32 = AtomicU32::new(0);

    let sequence = SEQUENCE.fetch_add(1, Ordering::Relaxed);
    let mut header = NetlinkHeader::default();
    (header.flags, header.sequence_number) = (NLM_F_REQUEST, sequence);
    let mut message = NetlinkMessage::new(header, NetlinkPayload::from(question));
    message.finalize();
    let mut request = vec![0; message.buffer_len()];
    message.serialize(&mut request);

    let deadline = deadline.or_else(|| Instant::now().checked_add(LIMIT));
    let exchange = |fd: &OwnedFd| {
        let answer = exchange(fd, &request, sequence, deadline);
        let state = match answer {
            Ok(_) => Ok(()),
            Err(Failure::NotAsked(errno)) => Err(errno),
            // The answer may still come: the socket must not be asked again.
            Err(Failure::TimedOut | Failure::Answer(_)) => Err(Errno::TIMEDOUT),
        };
        (answer, state)
    };
    let (kind, payload) = sockets::ask(Kind::Netlink, exchange).map_err(Failure::NotAsked)??;
    if kind == NLMSG_ERROR {
        return Err(Failure::Answer(error_of(&payload)));
    }
    read(&payload).ok_or(Failure::NotAsked(Errno::BADMSG))
}

/// The error in the payload of an error message. No error is none of our questions' answers.
fn error_of(payload: &[u8]) -> Errno {
    let code = payload.first_chunk().map_or(0, |code| i32::from_ne_bytes(*code));
    match code.checked_neg() {
        Some(errno @ 1..=4095) => Errno::from_raw_os_error(errno),
        _ => Errno::BADMSG,
    }
}

/// Sends a request and receives its answer: type and payload.
fn exchange(
    fd: &OwnedFd,
    request: &[u8],
    sequence: u32,
    deadline: Option<Instant>,
) -> Result<(u16, Vec<u8>), Failure> {
    let kernel = SocketAddrNetlink::new(0, 0);
    retry(deadline, || sendto(fd, request, SendFlags::DONTWAIT | SendFlags::NOSIGNAL, &kernel))?;
    let mut buffer = vec![0; LONGEST];
    for _ in 0..RETRIES {
        let received = recvfrom(fd, &mut *buffer, RecvFlags::DONTWAIT | RecvFlags::TRUNC);
        let (_, len, from) = match received {
            Ok((got, len, from)) => (got, len, from),
            Err(Errno::AGAIN | Errno::INTR) => {
                wait(fd, deadline)?;
                continue;
            }
            Err(errno) => return Err(Failure::NotAsked(errno)),
        };
        // Anybody may send to a netlink socket; the kernel's own port is 0.
        let from = from.and_then(|from| SocketAddrNetlink::try_from(from).ok());
        if from.is_none_or(|from| from.pid() != 0) {
            is_not_over(deadline)?;
            continue;
        }
        let bytes = buffer.get(..len).ok_or(Failure::NotAsked(Errno::MSGSIZE))?;
        let answer = NetlinkBuffer::new_checked(bytes).map_err(|_| Failure::NotAsked(Errno::BADMSG))?;
        if answer.sequence_number() != sequence {
            is_not_over(deadline)?;
            continue;
        }
        return Ok((answer.message_type(), answer.payload().to_vec()));
    }
    Err(Failure::NotAsked(Errno::AGAIN))
}

/// Begins a call again that a signal interrupted, but not for ever.
fn retry<T>(deadline: Option<Instant>, call: impl Fn() -> rustix::io::Result<T>) -> Result<T, Failure> {
    for _ in 0..RETRIES {
        match call() {
            Err(Errno::INTR) => is_not_over(deadline)?,
            answer => return answer.map_err(Failure::NotAsked),
        }
    }
    Err(Failure::NotAsked(Errno::INTR))
}

fn is_not_over(deadline: Option<Instant>) -> Result<(), Failure> {
    match deadline {
        Some(deadline) if deadline <= Instant::now() => Err(Failure::TimedOut),
        _ => Ok(()),
    }
}

/// Waits until there is something to receive.
fn wait(fd: &OwnedFd, deadline: Option<Instant>) -> Result<(), Failure> {
    is_not_over(deadline)?;
    let left = deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()));
    // Beyond what the kernel can count there is no limit.
    let left = left.and_then(|left| Timespec::try_from(left).ok());
    match poll(&mut [PollFd::new(fd, PollFlags::IN)], left.as_ref()) {
        Ok(_) | Err(Errno::INTR) => Ok(()),
        Err(errno) => Err(Failure::NotAsked(errno)),
    }
}

/// The attributes behind a header of `header` bytes. Those behind a wrong length are not there.
pub(super) fn attributes(payload: &[u8], header: usize) -> impl Iterator<Item = NlaBuffer<&[u8]>> {
    NlasIterator::new(payload.get(header..).unwrap_or_default()).map_while(Result::ok)
}
