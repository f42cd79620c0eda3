//! Answers of the kernel, as bytes. The memory for one is filled with ones before, so that what the kernel did not write
//! shows.

use rdma_addrinfo_core::{Gid, Pkey, ServiceId, ServiceRecord};
use zerocopy::native_endian::U32;
use zerocopy::{FromBytes, Immutable, KnownLayout, Unaligned, big_endian};

/// What memory for answers is filled with.
pub(crate) const UNWRITTEN: u8 = 0xff;

/// The most records that an answer has room for, whose length is 16 bits.
pub(crate) const MOST: usize = 372;

/// The length of an answer with the most records.
pub(crate) const ROOM: usize = size_of::<Count>() + MOST * size_of::<Record>();

/// The start of `rdma_ucm_query_ib_service_resp`.
#[derive(FromBytes, KnownLayout, Immutable, Unaligned)]
#[repr(C)]
struct Count {
    num_service_recs: U32,
    reserved: U32,
}

/// `ib_user_service_rec`
#[derive(FromBytes, KnownLayout, Immutable, Unaligned)]
#[repr(C)]
struct Record {
    id: big_endian::U64,
    gid: [u8; 16],
    pkey: big_endian::U16,
    reserved: [u8; 2],
    lease: big_endian::U32,
    key: [u8; 16],
    name: [u8; 64],
    data: [u8; 64],
}

const _: () = assert!(size_of::<Record>() == 176 && ROOM == 65_480 && ROOM <= 0xffff);

/// Why an answer is not taken.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Unusable {
    /// There are so many records, more than an answer holds.
    TooMany(u32),
    /// It is shorter than it says, or says nothing.
    Short,
    /// There is no memory for the records.
    NoMemory,
}

/// The records of an answer to a query for them.
///
/// # Errors
/// The answer does not hold all of them.
pub(crate) fn records(answer: &[u8]) -> Result<Vec<ServiceRecord>, Unusable> {
    let (count, rest) = Count::ref_from_prefix(answer).map_err(|_| Unusable::Short)?;
    let number = count.num_service_recs.get();
    let count = match usize::try_from(number) {
        _ if number == u32::from_ne_bytes([UNWRITTEN; 4]) => return Err(Unusable::Short),
        Ok(count) if count <= MOST => count,
        _ => return Err(Unusable::TooMany(number)),
    };
    let (written, _) = <[Record]>::ref_from_prefix_with_elems(rest, count).map_err(|_| Unusable::Short)?;
    let mut records = Vec::new();
    records.try_reserve_exact(count).map_err(|_| Unusable::NoMemory)?;
    for record in written {
        // No GID is all ones, and no service is at none.
        if record.gid == [UNWRITTEN; 16] {
            return Err(Unusable::Short);
        }
        records.push(ServiceRecord {
            gid: Gid::from_octets(record.gid),
            pkey: Pkey::from_raw(record.pkey.get()),
            id: ServiceId::from_raw(record.id.get()),
        });
    }
    Ok(records)
}

/// The length of `rdma_ucm_event_resp`.
pub(crate) const EVENT: usize = size_of::<RawEvent>();

#[derive(FromBytes, KnownLayout, Immutable, Unaligned)]
#[repr(C)]
struct RawEvent {
    uid: zerocopy::native_endian::U64,
    id: U32,
    event: U32,
    status: U32,
    rest: [u8; 316],
}

const _: () = assert!(EVENT == 336);

/// What an event says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Event {
    /// The records can be queried.
    Resolved,
    /// There are none, by this errno; 0 for none that makes sense.
    Failed(i32),
    /// The device is being removed.
    Removed,
    /// It is not about what was asked.
    Foreign,
}

/// Reads an event of the identifier with this number.
#[must_use]
pub(crate) fn event(bytes: &[u8; EVENT], uid: u64, id: u32) -> Event {
    const DEVICE_REMOVAL: u32 = 11;
    const ADDRINFO_RESOLVED: u32 = 16;
    const ADDRINFO_ERROR: u32 = 17;
    // An errno is below this.
    const MAX_ERRNO: i32 = 4096;
    let Ok(raw) = RawEvent::ref_from_bytes(bytes) else { return Event::Foreign };
    if (raw.uid.get(), raw.id.get()) != (uid, id) {
        return Event::Foreign;
    }
    match (raw.event.get(), raw.status.get().cast_signed()) {
        (ADDRINFO_RESOLVED, 0) => Event::Resolved,
        (ADDRINFO_RESOLVED | ADDRINFO_ERROR, status) => {
            Event::Failed(status.checked_neg().filter(|errno| (1..MAX_ERRNO).contains(errno)).unwrap_or(0))
        }
        (DEVICE_REMOVAL, _) => Event::Removed,
        _ => Event::Foreign,
    }
}
