//! The client of ibacm, the daemon that knows routes.
//!
//! | file | what |
//! |---|---|
//! | `place` | where the daemon is, as an option says it |
//! | `endpoint` | where to connect to, as the files of the place say it |
//! | `connection` | one connection: opened, spoken on and closed by a deadline |
//! | `pool` | connections that nobody uses at the moment |
//! | `memory` | daemons that are not there, or silent |
//!
//! Callers do not wait for each other: each takes a connection that is idle or opens one, and has it to itself until
//! its reply has come. A connection about which there is any doubt is closed.

mod connection;
mod endpoint;
mod memory;
mod place;
mod pool;

pub use place::Ibacm;

use super::{clock, process};
use connection::Connection;
use memory::Memories;
use pool::Pool;
use rdma_addrinfo_core::NoRoute;
use rdma_addrinfo_core::acm::{Decoder, Reply, ReplyError, Request};
use std::hash::{BuildHasher, RandomState};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

static MEMORIES: Memories = Memories::new();
static POOL: Pool = Pool::new();

/// Why there is no reply.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Failure {
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
            Failure::Absent | Failure::NotAsked => Self::Unavailable,
            Failure::TimedOut => Self::TimedOut,
            Failure::Closed => Self::Disconnected,
            Failure::Invalid(invalid) => Self::InvalidReply(invalid),
        }
    }
}

/// Whether there is no daemon to ask, as far as is remembered. It makes no system call.
pub(crate) fn is_absent(ibacm: &Ibacm) -> bool {
    ibacm.is_off() || MEMORIES.find(ibacm.key).is_some_and(|memory| memory.is_absent(clock::now()))
}

/// Asks the daemon what `request` makes of a transaction id.
///
/// `deadline` is asked for only if the daemon is; if it is none, the place's own time limit holds.
///
/// # Errors
/// - [`NoRoute::Unavailable`]: there is no daemon, or no descriptor to ask it with;
/// - [`NoRoute::TimedOut`]: no reply before the deadline, or the daemon is remembered to be silent;
/// - [`NoRoute::Disconnected`], [`NoRoute::InvalidReply`]: it hung up, or sent something else.
pub(crate) fn ask(
    ibacm: &Ibacm,
    request: &dyn Fn(u64) -> Request,
    deadline: impl FnOnce() -> Option<Instant>,
) -> Result<Reply, NoRoute> {
    if is_absent(ibacm) {
        return Err(NoRoute::Unavailable);
    }
    let deadline = deadline();
    let start = Instant::now();
    // As good as never, where the limit is beyond what can be counted.
    let never = start + Duration::from_secs(1 << 30);
    let deadline = deadline.or_else(|| start.checked_add(ibacm.time_limit)).unwrap_or(never);
    let left = deadline.saturating_duration_since(start);
    // Who has no time left does not ask, and the daemon is not to blame.
    if left.is_zero() || is_silent(ibacm, left) {
        return Err(NoRoute::TimedOut);
    }
    let outcome = converse(ibacm, request, deadline);
    match outcome {
        Ok(_) | Err(Failure::Closed | Failure::Invalid(_)) => {
            if let Some(memory) = MEMORIES.find(ibacm.key) {
                memory.active();
            }
        }
        Err(Failure::Absent) => {
            if let Some(memory) = MEMORIES.find_or_make(ibacm.key) {
                memory.absent(clock::now(), ibacm.absence);
            }
        }
        Err(Failure::TimedOut) => {
            if let Some(memory) = MEMORIES.find_or_make(ibacm.key) {
                memory.timed_out(clock::now(), start.elapsed(), ibacm.silence);
            }
        }
        Err(Failure::NotAsked) => {}
    }
    Ok(outcome?)
}

/// Whether the daemon is remembered to be silent for those who have no more time than this. Three who had but a
/// millisecond shall not speak for one who has seconds.
fn is_silent(ibacm: &Ibacm, left: Duration) -> bool {
    let waited = MEMORIES.find(ibacm.key).and_then(|memory| memory.silent_for(clock::now()));
    waited.is_some_and(|waited| left <= waited.saturating_mul(2))
}

/// Asks on an idle connection, and on a new one if there is none or it turns out to be of no use.
fn converse(ibacm: &Ibacm, request: &dyn Fn(u64) -> Request, deadline: Instant) -> Result<Reply, Failure> {
    let process = process::identity();
    if let Some(connection) = POOL.take(process, ibacm) {
        match converse_on(connection, process, ibacm, request, deadline) {
            // What was asked on it before may be to blame, or the daemon hung up meanwhile, or spoke unasked.
            Err(Failure::Closed | Failure::Invalid(_)) => {}
            outcome => return outcome,
        }
    }
    let endpoint = endpoint::endpoint(ibacm).map_err(connection::cannot_connect)?;
    converse_on(Connection::open(&endpoint, deadline)?, process, ibacm, request, deadline)
}

fn converse_on(
    mut connection: Connection,
    process: u64,
    ibacm: &Ibacm,
    request: &dyn Fn(u64) -> Request,
    deadline: Instant,
) -> Result<Reply, Failure> {
    let request = request(transaction_id(process));
    let mut decoder = Decoder::new(request.transaction_id());
    match connection.converse(&request, &mut decoder, deadline) {
        Ok(true) => POOL.keep(process, ibacm, connection),
        Ok(false) => connection.hang_up(),
        Err(failure) => {
            connection.hang_up();
            return Err(failure);
        }
    }
    decoder.reply().cloned().ok_or(Failure::Closed)
}

/// A number that was not used before and cannot be guessed: a random function of process and count.
fn transaction_id(process: u64) -> u64 {
    static COUNT: AtomicU64 = AtomicU64::new(0);
    RandomState::new().hash_one((process, COUNT.fetch_add(1, Relaxed)))
}
