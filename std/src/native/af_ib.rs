//! Whether the kernel takes AF_IB addresses.

use super::clock;
use super::idle_socket::above_standard_streams;
use super::lane::{Lane, Running};
use rdma_addrinfo_core::Error;
use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::FileTypeExt;
use std::path::Path;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering::Relaxed, Ordering::SeqCst};

/// The device of the kernel's connection manager.
const DEVICE: &str = "/dev/infiniband/rdma_cm";

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
    let device = OpenOptions::new().read(true).write(true).open(device)?;
    let mut device = File::from(above_standard_streams(device.into())?);
    // Nothing is written to a file.
    if !device.metadata()?.file_type().is_char_device() {
        return Err(io::ErrorKind::Unsupported.into());
    }
    // The kernel writes the identifier to the address in the command. A value that it cannot have shows whether it did.
    const NOT_WRITTEN: u32 = u32::MAX;
    let id = AtomicU32::new(NOT_WRITTEN);
    let asked = write_command(&mut device, &create_id(id.as_ptr().expose_provenance() as u64));
    let id = id.load(SeqCst);
    asked?;
    if id == NOT_WRITTEN {
        return Err(io::ErrorKind::Unsupported.into());
    }
    // The identifier ends with its file.
    Ok(write_command(&mut device, &bind(id)).is_ok())
}

/// Gives the device a command, which is one write(2).
fn write_command(device: &mut impl Write, command: &[u8]) -> io::Result<()> {
    if device.write(command)? == command.len() { Ok(()) } else { Err(io::ErrorKind::WriteZero.into()) }
}

/// `RDMA_USER_CM_CMD_CREATE_ID`: an `rdma_ucm_cmd_hdr`, with the lengths of what follows and of the response,
/// and an `rdma_ucm_create_id` for RDMA_PS_IB, with the address of the response.
fn create_id(response: u64) -> [u8; 32] {
    const PS_IB: u16 = 0x013f;
    const QPT_RC: u8 = 2;
    join(&[
        &0_u32.to_ne_bytes(),
        &24_u16.to_ne_bytes(),
        &4_u16.to_ne_bytes(),
        &0_u64.to_ne_bytes(),
        &response.to_ne_bytes(),
        &PS_IB.to_ne_bytes(),
        &[QPT_RC],
    ])
}

/// `RDMA_USER_CM_CMD_BIND`: an `rdma_ucm_cmd_hdr` and an `rdma_ucm_bind` of a `sockaddr_ib`: any GID and P_Key, any
/// port of the TCP port space.
fn bind(id: u32) -> [u8; 144] {
    const AF_IB: u16 = 27;
    join(&[
        &20_u32.to_ne_bytes(),
        &136_u16.to_ne_bytes(),
        &0_u16.to_ne_bytes(),
        &id.to_ne_bytes(),
        &48_u16.to_ne_bytes(),
        &[0; 2],
        &AF_IB.to_ne_bytes(),
        &[0; 2 + 4 + 16],
        &0x0106_0000_u64.to_be_bytes(),
        &0xffff_ffff_ffff_0000_u64.to_be_bytes(),
    ])
}

/// The parts one behind the other, and zeros up to the end.
fn join<const N: usize>(parts: &[&[u8]]) -> [u8; N] {
    let mut whole = [0; N];
    for (slot, byte) in whole.iter_mut().zip(parts.iter().copied().flatten()) {
        *slot = *byte;
    }
    whole
}

#[cfg(test)]
mod tests;
