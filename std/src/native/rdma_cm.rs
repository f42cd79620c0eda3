//! The device of the kernel's connection manager, `rdma_cm`: commands, each of which is one write(2).

use super::idle_socket::above_standard_streams;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use std::fs::{File, OpenOptions};
use std::io;
use std::os::fd::AsRawFd;
use std::os::unix::fs::{FileTypeExt, OpenOptionsExt};
use std::path::Path;
use std::time::Instant;
use zerocopy::native_endian::{U16, U32, U64};
use zerocopy::{Immutable, IntoBytes, KnownLayout, Unaligned};

/// Where the device is.
pub(super) const DEVICE: &str = "/dev/infiniband/rdma_cm";

/// The commands that are used here, `RDMA_USER_CM_CMD_…`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Command {
    CreateId = 0,
    GetEvent = 12,
    Query = 19,
    Bind = 20,
    ResolveIbService = 23,
}

impl Command {
    /// Where in its body the address of the answer stands, if the kernel answers it.
    const fn answer_address(self) -> Option<usize> {
        match self {
            Self::CreateId => Some(8),
            Self::GetEvent | Self::Query => Some(0),
            Self::Bind | Self::ResolveIbService => None,
        }
    }
}

/// Who takes commands: the device, or what plays it.
pub(super) trait Commands {
    /// Sends a command, and has the answer written to `answer`; bytes that the kernel does not write stay as they are. The
    /// body's address of the answer is filled in.
    ///
    /// # Errors
    /// The kernel's; [`InvalidInput`](io::ErrorKind::InvalidInput) if the command or the answer is too long for it.
    fn send(&mut self, command: Command, body: &[u8], answer: &mut [u8]) -> io::Result<()>;

    /// Waits until there is an event, or until the deadline, and returns whether there may be one.
    ///
    /// # Errors
    /// The kernel's.
    fn wait(&mut self, deadline: Instant) -> io::Result<bool>;
}

/// `rdma_ucm_cmd_hdr`: the command, and the lengths of what follows and of the answer.
#[derive(IntoBytes, KnownLayout, Immutable, Unaligned)]
#[repr(C)]
struct Header {
    cmd: U32,
    input: U16,
    output: U16,
}

const HEADER: usize = 8;
const _: () = assert!(size_of::<Header>() == HEADER);

/// The longest body, that of a bind.
const LONGEST: usize = 136;

/// The device, opened. What was created on it ends with it: closing waits for a query that runs.
#[derive(Debug)]
pub(super) struct Device(File);

impl Device {
    /// Opens a device, whose commands do not wait for events.
    ///
    /// # Errors
    /// It does not open; [`Unsupported`](io::ErrorKind::Unsupported) if it is no character device.
    pub(super) fn open(path: &Path) -> io::Result<Self> {
        let flags = rustix::fs::OFlags::NONBLOCK.bits().cast_signed();
        let device = OpenOptions::new().read(true).write(true).custom_flags(flags).open(path)?;
        let device = File::from(above_standard_streams(device.into())?);
        // Nothing is written to a file.
        if !device.metadata()?.file_type().is_char_device() {
            return Err(io::ErrorKind::Unsupported.into());
        }
        Ok(Self(device))
    }
}

impl Commands for Device {
    fn send(&mut self, command: Command, body: &[u8], answer: &mut [u8]) -> io::Result<()> {
        let mut whole = [0; HEADER + LONGEST];
        let too_long = || io::Error::from(io::ErrorKind::InvalidInput);
        let whole = whole.get_mut(..HEADER + body.len()).ok_or_else(too_long)?;
        let input = u16::try_from(body.len()).map_err(|_| too_long())?;
        // The kernel writes no more than this.
        let output = u16::try_from(answer.len()).map_err(|_| too_long())?;
        let header =
            Header { cmd: U32::new(command as u32), input: U16::new(input), output: U16::new(output) };
        whole.get_mut(..HEADER).ok_or_else(too_long)?.copy_from_slice(header.as_bytes());
        whole.get_mut(HEADER..).ok_or_else(too_long)?.copy_from_slice(body);
        if let Some(at) = command.answer_address() {
            let address = U64::new(answer.as_mut_ptr().expose_provenance() as u64);
            let place = whole.get_mut(HEADER + at..HEADER + at + 8).ok_or_else(too_long)?;
            place.copy_from_slice(address.as_bytes());
        } else if !answer.is_empty() {
            return Err(too_long());
        }
        // SAFETY: write(2) reads `whole.len()` bytes from `whole`, which are initialized and borrowed until it returns. A
        // command whose body holds an address is one that the kernel answers there, before write(2) returns and never
        // later, with no more bytes than the header says: these are the bytes of `answer`, which lives and which nobody
        // else uses meanwhile, since it is borrowed exclusively. Any bytes are valid for it, and its address was exposed,
        // so that what is written through it counts. All other commands have no address.
        let written = unsafe { libc::write(self.0.as_raw_fd(), whole.as_ptr().cast(), whole.len()) };
        match usize::try_from(written) {
            Err(_) => Err(io::Error::last_os_error()),
            Ok(written) if written == whole.len() => Ok(()),
            Ok(_) => Err(io::ErrorKind::WriteZero.into()),
        }
    }

    fn wait(&mut self, deadline: Instant) -> io::Result<bool> {
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            let left = Timespec::try_from(left).ok();
            match poll(&mut [PollFd::new(&self.0, PollFlags::IN)], left.as_ref()) {
                Ok(ready) => return Ok(ready > 0),
                Err(Errno::INTR) if Instant::now() < deadline => {}
                Err(Errno::INTR) => return Ok(false),
                Err(errno) => return Err(errno.into()),
            }
        }
    }
}

/// `rdma_ucm_create_id`
#[derive(IntoBytes, KnownLayout, Immutable, Unaligned)]
#[repr(C)]
struct CreateId {
    uid: U64,
    response: U64,
    ps: U16,
    qp_type: u8,
    reserved: [u8; 5],
}

const _: () = assert!(size_of::<CreateId>() == 24);

/// Creates an identifier for RDMA_PS_IB and reliable connections. `uid` comes back with its events; the kernel drops those
/// of 0.
///
/// # Errors
/// The kernel's; [`InvalidData`](io::ErrorKind::InvalidData) if it gives no identifier.
pub(super) fn create_id(device: &mut impl Commands, uid: u64) -> io::Result<u32> {
    const PS_IB: u16 = 0x013f;
    const QPT_RC: u8 = 2;
    // A value that an identifier cannot have shows whether the kernel wrote one.
    const NOT_WRITTEN: [u8; 4] = [0xff; 4];
    let (uid, response, ps) = (U64::new(uid), U64::ZERO, U16::new(PS_IB));
    let body = CreateId { uid, response, ps, qp_type: QPT_RC, reserved: [0; 5] };
    let mut id = NOT_WRITTEN;
    device.send(Command::CreateId, body.as_bytes(), &mut id)?;
    if id == NOT_WRITTEN { Err(io::ErrorKind::InvalidData.into()) } else { Ok(u32::from_ne_bytes(id)) }
}

/// `rdma_ucm_bind` of a `sockaddr_ib`
#[derive(IntoBytes, KnownLayout, Immutable, Unaligned)]
#[repr(C)]
struct Bind {
    id: U32,
    addr_size: U16,
    reserved: U16,
    addr: [u8; 48],
    unused: [u8; 80],
}

const _: () = assert!(size_of::<Bind>() == LONGEST);

/// Binds an identifier to an AF_IB address: the 48 bytes of a `sockaddr_ib`.
///
/// # Errors
/// The kernel's.
pub(super) fn bind(device: &mut impl Commands, id: u32, addr: [u8; 48]) -> io::Result<()> {
    let (id, addr_size, reserved) = (U32::new(id), U16::new(48), U16::ZERO);
    let body = Bind { id, addr_size, reserved, addr, unused: [0; 80] };
    device.send(Command::Bind, body.as_bytes(), &mut [])
}

#[cfg(test)]
mod tests;
