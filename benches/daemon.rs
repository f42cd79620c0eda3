//! An ibacm that answers every request with one path, at once or later.

use std::fmt::{self, Debug};
use std::io::{self, Read, Write};
use std::net::Ipv4Addr;
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::thread;
use std::time::Duration;

const HEADER: usize = 16;
const ENTRY: usize = 72;
/// ACM_OP_RESOLVE
const RESOLVE: u8 = 1;
/// ACM_EP_INFO_PATH
const PATH: u16 = 0x10;
/// What ibacm says of a path: GMP, primary, bidirectional, alternate.
const FLAGS: u32 = 0x2b;

/// The daemon: it serves each connection by a thread of its own, and ends with its process.
pub struct Daemon {
    /// In microseconds.
    delay: Arc<AtomicU64>,
}

impl Daemon {
    /// Starts one on a Unix socket, which must not exist. It answers at once.
    ///
    /// # Errors
    /// When there can be no such socket.
    pub fn start(socket: &Path) -> io::Result<Self> {
        let listener = UnixListener::bind(socket)?;
        let delay = Arc::new(AtomicU64::new(0));
        let shared = Arc::clone(&delay);
        thread::spawn(move || {
            for caller in listener.incoming().flatten() {
                let delay = Arc::clone(&shared);
                thread::spawn(move || converse(caller, &delay));
            }
        });
        Ok(Self { delay })
    }

    /// Sets how long each answer takes from now on, in microseconds; they do not wait for each other.
    pub fn set_delay(&self, delay: Duration) {
        self.delay.store(u64::try_from(delay.as_micros()).unwrap_or(u64::MAX), Relaxed);
    }
}

impl Debug for Daemon {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Daemon").field("delay_us", &self.delay.load(Relaxed)).finish()
    }
}

/// Until the caller hangs up, or says what no request is.
fn converse(mut caller: UnixStream, delay: &AtomicU64) {
    let mut room = [0; 592];
    // As ibacm: one read is one request.
    while let Ok(len @ 1..) = caller.read(&mut room) {
        let Some(reply) = room.get(..len).and_then(reply) else { return };
        match delay.load(Relaxed) {
            0 => {}
            delay => thread::sleep(Duration::from_micros(delay)),
        }
        if caller.write_all(&reply).is_err() {
            return;
        }
    }
}

/// A path to the IPv4 destination of the request, which is its last entry.
fn reply(request: &[u8]) -> Option<[u8; HEADER + ENTRY]> {
    let (header, _) = request.split_first_chunk::<HEADER>()?;
    let entry = request.last_chunk::<ENTRY>()?;
    let destination = Ipv4Addr::from(*entry.get(8..)?.first_chunk::<4>()?);
    let id = u64::from_ne_bytes(*header.last_chunk()?);
    Some(message(id, path(destination)))
}

/// A message of one entry, a request or a reply of success.
#[must_use]
pub fn message(transaction_id: u64, entry: [u8; ENTRY]) -> [u8; HEADER + ENTRY] {
    let mut message = [0; HEADER + ENTRY];
    // The version, and the operation.
    message[..2].copy_from_slice(&[1, RESOLVE]);
    message[6..8].copy_from_slice(&88_u16.to_ne_bytes());
    message[8..16].copy_from_slice(&transaction_id.to_ne_bytes());
    message[16..].copy_from_slice(&entry);
    message
}

/// The entry of a reply with a path to [`dgid`].
#[must_use]
pub fn path(destination: Ipv4Addr) -> [u8; ENTRY] {
    let mut entry = [0; ENTRY];
    entry[..4].copy_from_slice(&FLAGS.to_ne_bytes());
    entry[4..6].copy_from_slice(&PATH.to_ne_bytes());
    // The record: service ID, destination GID, source GID.
    entry[16..32].copy_from_slice(&dgid(destination).to_be_bytes());
    entry[32..48].copy_from_slice(&dgid(Ipv4Addr::LOCALHOST).to_be_bytes());
    entry
}

/// The GID that the daemon gives to an address: `fe80::` and the address.
#[must_use]
pub fn dgid(address: Ipv4Addr) -> u128 {
    (0xfe80 << 112) | u128::from(address.to_bits())
}
