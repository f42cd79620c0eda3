//! Whether the kernel takes AF_IB addresses.

use super::clock;
use super::lane::{Lane, Running};
use super::rdma_cm::{self, Commands, DEVICE, Device};
use rdma_addrinfo_core::{Error, Gid, Pkey, PortSpace, ServiceId, SockAddrBuf};
use std::io;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// How long it is remembered that the device does not open, in milliseconds: its module may be loaded any time.
const MISSING_FOR: u64 = 1000;

/// What is known: no, for good; yes, for good; or no until then. 0 is nothing.
static KNOWN: AtomicU64 = AtomicU64::new(0);

/// For who must not wait: to close the device waits for the kernel.
static LANE: Lane = Lane::new(1);

/// Forgets what was found.
pub(super) fn forget() {
    KNOWN.store(0, Relaxed);
    LANE.forget();
}

/// Whether the connection manager of the kernel takes AF_IB addresses: its device opens and takes a bind to one.
///
/// What the kernel says is found once a process; that it has no such device, or this process may not open it, is
/// remembered for a second.
pub(crate) fn kernel_takes_af_ib() -> bool {
    known().unwrap_or_else(|| {
        let (takes, known) = match takes_af_ib(Path::new(DEVICE)) {
            Ok(true) => (true, YES),
            Ok(false) => (false, NO),
            Err(_) => (false, clock::now().saturating_add(MISSING_FOR)),
        };
        KNOWN.store(known, Relaxed);
        takes
    })
}

const NO: u64 = u64::MAX;
const YES: u64 = u64::MAX - 1;

/// What is known of it, without a system call.
pub(crate) fn known() -> Option<bool> {
    match KNOWN.load(Relaxed) {
        YES => Some(true),
        until if until > clock::now() => Some(false),
        _ => None,
    }
}

/// The same for who must not wait: has a thread ask, with at most `queue` others before it.
///
/// # Errors
/// No thread could be started, or too many wait.
pub(crate) fn begin(queue: usize) -> Result<Running<bool>, Error> {
    LANE.submit(queue, kernel_takes_af_ib)
}

/// Asks a device.
///
/// # Errors
/// It does not open, or gives no identifier to bind.
fn takes_af_ib(device: &Path) -> io::Result<bool> {
    gives_and_takes(&mut Device::open(device)?)
}

fn gives_and_takes(device: &mut impl Commands) -> io::Result<bool> {
    let id = rdma_cm::create_id(device, 0)?;
    // The identifier ends with its file.
    Ok(rdma_cm::bind(device, id, any_address()).is_ok())
}

/// A `sockaddr_ib`: any GID and P_Key, any port of the TCP port space.
fn any_address() -> [u8; 48] {
    let (gid, sid) = (Gid::UNSPECIFIED, ServiceId::from_port(PortSpace::TCP, 0));
    let mask = ServiceId::mask_for(PortSpace::TCP, 0);
    let address = SockAddrBuf::ib(gid, Pkey::from_raw(0), 0, sid, mask, 0);
    address.as_bytes().try_into().unwrap_or([0; 48])
}

#[cfg(test)]
mod tests;
