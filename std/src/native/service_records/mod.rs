//! Service records of the InfiniBand subnet administrator, whom the kernel asks (Linux 6.18 and later).
//!
//! ```text
//!   ServiceKey, GID ─▶ create, bind ─▶ resolve ─▶ event ─▶ query ─▶ records
//!                         rdma_cm        │ EINVAL: does the kernel know it at all?
//! ```
//!
//! The kernel sends its query up to ten times, 200 ms apart, and whoever closes the device meanwhile waits for it: all of
//! this runs on threads of its own.

mod answer;
mod failure;

#[cfg(test)]
mod tests;

pub(crate) use failure::Failure;

use super::lane::{Lane, Running};
use super::rdma_cm::{self, Command, Commands, Device};
use answer::{EVENT, Event, ROOM, UNWRITTEN, event, records};
use rdma_addrinfo_core::{Error, Gid, IbService, Pkey, ServiceId, ServiceRecord, SockAddrBuf};
use std::fmt::{self, Debug, Formatter};
use std::io;
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};
use zerocopy::native_endian::{U32, U64};
use zerocopy::{Immutable, IntoBytes, KnownLayout, Unaligned};

/// How many calls ask at once.
const AT_ONCE: usize = 4;

static LANE: Lane = Lane::new(AT_ONCE);

/// How long to wait before the kernel is asked again for an event that it announced and did not have.
const PAUSE: Duration = Duration::from_millis(1);

/// What the kernel names our only identifier by in its events.
const UID: u64 = 1;

/// Has idle threads end.
pub(super) fn forget() {
    LANE.forget();
}

/// Has a thread do this, which may ask the subnet administrator, with at most `queue` others before it.
///
/// # Errors
/// No thread could be started, or too many wait.
pub(crate) fn begin<T: Send + 'static>(
    queue: usize,
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<Running<T>, Error> {
    LANE.submit(queue, work)
}

/// A service as the kernel is asked for it: `rdma_ucm_ib_service`.
#[derive(Clone, Copy, PartialEq, Eq, IntoBytes, KnownLayout, Immutable, Unaligned)]
#[repr(C)]
pub(crate) struct ServiceKey {
    service_id: U64,
    /// Ends with a NUL.
    service_name: [u8; 64],
    flags: U32,
    reserved: U32,
}

const _: () = assert!(size_of::<ServiceKey>() == 80);

impl ServiceKey {
    const BY_ID: u32 = 1;
    const BY_NAME: u32 = 2;

    /// The name, if it is one.
    pub(crate) fn name(&self) -> Option<&[u8]> {
        (self.flags.get() == Self::BY_NAME).then(|| self.service_name.split(|byte| *byte == 0).next())?
    }

    /// The ID, if it is none.
    pub(crate) fn id(&self) -> Option<ServiceId> {
        (self.flags.get() == Self::BY_ID).then(|| ServiceId::from_raw(self.service_id.get()))
    }
}

impl From<IbService<'_>> for ServiceKey {
    fn from(service: IbService<'_>) -> Self {
        let reserved = U32::ZERO;
        let mut service_name = [0; 64];
        match service {
            IbService::Id(id) => {
                let (service_id, flags) = (U64::new(id.to_raw()), U32::new(Self::BY_ID));
                Self { service_id, service_name, flags, reserved }
            }
            IbService::Name(name) => {
                // A name has at most 63 bytes.
                for (to, from) in service_name.iter_mut().take(63).zip(name) {
                    *to = *from;
                }
                Self { service_id: U64::ZERO, service_name, flags: U32::new(Self::BY_NAME), reserved }
            }
        }
    }
}

impl Debug for ServiceKey {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.debug_struct("ServiceKey").field("id", &self.id()).field("name", &self.name()).finish()
    }
}

/// Asks for the records of a service through the port that has this GID. None is an answer, too.
///
/// It may take longer than until the deadline to close the device: the kernel waits for its own query, about two seconds.
///
/// # Errors
/// There is no answer, and why.
pub(crate) fn service_records(
    service: &ServiceKey,
    port: Gid,
    deadline: Instant,
) -> Result<Vec<ServiceRecord>, Failure> {
    let path = Path::new(rdma_cm::DEVICE);
    let mut device = patiently(deadline, || Device::open(path)).map_err(|error| Failure::of_open(&error))?;
    ask(&mut device, service, port, deadline)
}

/// `rdma_ucm_resolve_ib_service`
#[derive(IntoBytes, KnownLayout, Immutable, Unaligned)]
#[repr(C)]
struct Resolve {
    id: U32,
    reserved: U32,
    ibs: ServiceKey,
}

const _: () = assert!(size_of::<Resolve>() == 88);

/// `rdma_ucm_query`
#[derive(IntoBytes, KnownLayout, Immutable, Unaligned)]
#[repr(C)]
struct Query {
    response: U64,
    id: U32,
    option: U32,
}

const _: () = assert!(size_of::<Query>() == 16);

/// `rdma_ucm_get_event`
const GET_EVENT: [u8; 8] = [0; 8];

/// Asks a device that was just opened.
fn ask(
    device: &mut impl Commands,
    service: &ServiceKey,
    port: Gid,
    deadline: Instant,
) -> Result<Vec<ServiceRecord>, Failure> {
    let failure = |error: io::Error| Failure::of(&error);
    let id = patiently(deadline, || rdma_cm::create_id(device, UID)).map_err(failure)?;
    let address = address(port)?;
    patiently(deadline, || rdma_cm::bind(device, id, address)).map_err(failure)?;
    let resolve = Resolve { id: U32::new(id), reserved: U32::ZERO, ibs: *service };
    let command = resolve.as_bytes();
    match patiently(deadline, || device.send(Command::ResolveIbService, command, &mut [])) {
        Ok(()) => {}
        Err(error) => {
            return Err(match error.raw_os_error() {
                Some(libc::EOPNOTSUPP) => Failure::NoAdministrator,
                // A kernel says so of a command that it does not know, and of one that it does not like.
                Some(libc::EINVAL) if !knows_records(device, id) => Failure::OldKernel,
                _ => failure(error),
            });
        }
    }
    await_event(device, id, deadline)?;
    query(device, id)
}

/// A GID alone, as librdmacm binds to it.
fn address(port: Gid) -> Result<[u8; 48], Failure> {
    let address = SockAddrBuf::ib(port, Pkey::from_raw(0), 0, ServiceId::from_raw(0), 0, 0);
    address.as_bytes().try_into().map_err(|_| Failure::Malformed)
}

/// Whether the kernel has the query for records, without which it has no command for them either.
fn knows_records(device: &mut impl Commands, id: u32) -> bool {
    let mut answer = [0; 8];
    let asked = device.send(Command::Query, query_command(id).as_bytes(), &mut answer);
    !asked.is_err_and(|error| error.raw_os_error() == Some(libc::ENOSYS))
}

/// `RDMA_USER_CM_QUERY_IB_SERVICE`
fn query_command(id: u32) -> Query {
    Query { response: U64::ZERO, id: U32::new(id), option: U32::new(3) }
}

/// Waits for the event that ends the kernel's query.
fn await_event(device: &mut impl Commands, id: u32, deadline: Instant) -> Result<(), Failure> {
    let failure = |error: io::Error| Failure::of(&error);
    loop {
        if !device.wait(deadline).map_err(failure)? {
            return Err(Failure::Silent);
        }
        let mut bytes = [UNWRITTEN; EVENT];
        match device.send(Command::GetEvent, &GET_EVENT, &mut bytes) {
            Ok(()) => {}
            Err(error) if matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::Interrupted) => {
                if Instant::now() >= deadline {
                    return Err(Failure::Silent);
                }
                thread::sleep(PAUSE);
                continue;
            }
            Err(error) => return Err(failure(error)),
        }
        return match event(&bytes, UID, id) {
            Event::Resolved => Ok(()),
            Event::Failed(libc::ETIMEDOUT) => Err(Failure::Silent),
            Event::Failed(libc::EINVAL) => Err(Failure::Rejected),
            Event::Failed(libc::ENODEV) | Event::Removed => Err(Failure::Removed),
            Event::Failed(errno) => Err(Failure::System(errno)),
            Event::Foreign => Err(Failure::ForeignEvent),
        };
    }
}

/// The records that the kernel has.
fn query(device: &mut impl Commands, id: u32) -> Result<Vec<ServiceRecord>, Failure> {
    let mut answer = Vec::new();
    answer.try_reserve_exact(ROOM).map_err(|_| Failure::NoMemory)?;
    answer.resize(ROOM, UNWRITTEN);
    match device.send(Command::Query, query_command(id).as_bytes(), &mut answer) {
        Ok(()) => Ok(records(&answer)?),
        Err(error) if error.raw_os_error() == Some(libc::ENODATA) => Ok(Vec::new()),
        Err(error) => Err(Failure::of(&error)),
    }
}

/// Tries, and again if a signal interrupts it, until the deadline.
fn patiently<T>(deadline: Instant, mut attempt: impl FnMut() -> io::Result<T>) -> io::Result<T> {
    while Instant::now() < deadline {
        match attempt() {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            outcome => return outcome,
        }
    }
    Err(io::ErrorKind::TimedOut.into())
}
