//! The client of ibacm, the daemon that knows routes.
//!
//! | file | what |
//! |---|---|
//! | `config` | where the daemon is, as an option says it |
//! | `endpoint` | where to connect to, as files say it |
//! | `connection` | one connection: opened, spoken on and closed by a deadline |
//! | `failure` | why there is no reply |
//! | `health` | daemons that are not there, or silent |
//!
//! Callers do not wait for each other: each takes a connection that is idle or opens one, and has it to itself until
//! its reply has come. A connection about which there is any doubt is closed.

mod config;
mod connection;
mod endpoint;
mod failure;
mod health;

pub use config::Ibacm;

use super::lane::{Lane, Running};
use super::socket_pool::SocketPool;
use super::{clock, namespace, random};
use config::DaemonAddress;
use connection::{Connection, IdleConnection};
use failure::Failure;
use health::DaemonHealth;
use rdma_addrinfo_core::NoRoute;
use rdma_addrinfo_core::acm::{Backoff, Decoder, Query, Reply, Request};
use std::time::{Duration, Instant};

static HEALTH: DaemonHealth = DaemonHealth::new();
static POOL: SocketPool<DaemonAddress, IdleConnection> = SocketPool::new();

/// For who must not wait. ibacm answers one request of a connection at a time, and fails at some 1,000 connections.
static LANE: Lane = Lane::new(AT_ONCE);

/// How many routes may be awaited at once; others wait for their turn.
const AT_ONCE: usize = 8;

/// Closes the connections that nobody uses, and forgets which daemons are absent or silent.
pub(super) fn forget() {
    POOL.clear();
    HEALTH.forget();
    LANE.forget();
}

/// Whether there is no daemon to ask, as far as is remembered. It makes no system call.
pub(crate) fn is_absent(ibacm: &Ibacm) -> bool {
    ibacm.is_off() || HEALTH.find(ibacm.key).is_some_and(|health| health.get().is_absent(clock::now()))
}

/// Asks the daemon what `request` makes of a transaction id.
///
/// `deadline` is asked for only if the daemon is; if it is none, the configuration's time limit holds.
///
/// # Errors
/// - [`NoRoute::Unavailable`]: there is no daemon;
/// - [`NoRoute::CouldNotAsk`]: no descriptor or no memory to ask it with, or its port file cannot be read;
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
    let limit = || start.checked_add(ibacm.time_limit);
    // As good as never, where the limit is beyond what can be counted.
    let never = || start.checked_add(Duration::from_secs(1 << 30)).unwrap_or(start);
    let deadline = deadline.or_else(limit).unwrap_or_else(never);
    let left = deadline.saturating_duration_since(start);
    // Who has no time left does not ask, and the daemon is not to blame.
    if left.is_zero() || is_silent(ibacm, left) {
        return Err(NoRoute::TimedOut);
    }
    let outcome = converse(ibacm, request, deadline);
    match outcome {
        Ok(_) | Err(Failure::Closed | Failure::Invalid(_)) => {
            if let Some(health) = HEALTH.find(ibacm.key) {
                health.update(Backoff::answered);
            }
        }
        Err(Failure::Absent) => note_absent(ibacm),
        Err(Failure::TimedOut) => {
            if let Some(health) = HEALTH.find_or_make(ibacm.key) {
                let (now, waited) = (clock::now(), start.elapsed());
                health.update(|backoff| backoff.timed_out(now, waited, &ibacm.backoff));
            }
        }
        Err(Failure::NotAsked) => {}
    }
    Ok(outcome?)
}

/// The same for who must not wait: has a thread ask, with at most `queue` others before it.
///
/// # Errors
/// - [`NoRoute::Unavailable`]: there is no daemon, as two looks at file names show;
/// - [`NoRoute::CouldNotAsk`]: no thread could be started, or too many wait.
pub(crate) fn begin(
    ibacm: Ibacm,
    query: Query,
    deadline: Option<Instant>,
    queue: usize,
) -> Result<Running<Result<Reply, NoRoute>>, NoRoute> {
    if is_absent(&ibacm) {
        return Err(NoRoute::Unavailable);
    }
    if endpoint::is_nowhere(&ibacm) {
        note_absent(&ibacm);
        return Err(NoRoute::Unavailable);
    }
    LANE.submit(queue, move || ask(&ibacm, &|transaction_id| query.to_request(transaction_id), || deadline))
        .map_err(|_| NoRoute::CouldNotAsk)
}

fn note_absent(ibacm: &Ibacm) {
    if let Some(health) = HEALTH.find_or_make(ibacm.key) {
        health.update(|backoff| backoff.absent(clock::now(), &ibacm.backoff));
    }
}

/// Whether the daemon is remembered to be silent for those who have no more time than this.
fn is_silent(ibacm: &Ibacm, left: Duration) -> bool {
    HEALTH.find(ibacm.key).is_some_and(|health| health.get().is_silent(clock::now(), left))
}

/// Asks on an idle connection, and on a new one if there is none or it turns out to be of no use.
fn converse(ibacm: &Ibacm, request: &dyn Fn(u64) -> Request, deadline: Instant) -> Result<Reply, Failure> {
    if let Some(connection) = POOL.take(ibacm.address).and_then(IdleConnection::into_connection) {
        match converse_on(connection, ibacm, request, deadline) {
            // What was asked on it before may be to blame, or the daemon hung up meanwhile, or spoke unasked.
            Err(Failure::Closed | Failure::Invalid(_)) => {}
            outcome => return outcome,
        }
    }
    let endpoint = endpoint::endpoint(ibacm, deadline)?;
    let connection = Connection::open(&endpoint, deadline)?;
    // A new connection costs many times as much as this look; where there is none, there is nothing to keep either.
    if namespace::has_changed() {
        super::forget_network();
    }
    converse_on(connection, ibacm, request, deadline)
}

fn converse_on(
    mut connection: Connection,
    ibacm: &Ibacm,
    request: &dyn Fn(u64) -> Request,
    deadline: Instant,
) -> Result<Reply, Failure> {
    // The number of the transaction: none is used twice, so that no late reply is taken for another's.
    let request = request(random::unused());
    let mut decoder = Decoder::new(request.transaction_id());
    match connection.converse(&request, &mut decoder, deadline) {
        Ok(true) => {
            if let Some(idle) = connection.into_idle() {
                POOL.keep(ibacm.address, idle);
            }
        }
        Ok(false) => connection.hang_up(),
        Err(failure) => {
            connection.hang_up();
            return Err(failure);
        }
    }
    decoder.reply().cloned().ok_or(Failure::Closed)
}
