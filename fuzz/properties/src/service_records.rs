//! Answers of the kernel about service records, against a reader of their bytes one by one.

#[path = "../../../std/src/native/service_records/answer.rs"]
mod answer;

use answer::{EVENT, Event, MOST, ROOM, UNWRITTEN, Unusable, event, records};
use rdma_addrinfo_core::{Gid, Pkey, ServiceId, ServiceRecord};

/// What our only identifier is in the kernel's events, as the input's first bytes may be, too.
const UID: u64 = 1;
const ID: u32 = 7;

/// Checks one input: what the kernel wrote, into memory that is as long as an event or as the longest answer.
pub fn check(bytes: &[u8]) {
    let mut room = [UNWRITTEN; EVENT];
    write(&mut room, bytes);
    let [uid, event_and_status] = [0, 8].map(|at| number(&room, at));
    let [id, kind] = [event_and_status & u64::from(u32::MAX), event_and_status >> 32];
    let status = (number(&room, 16) & u64::from(u32::MAX)) as u32 as i32;
    let errno = if (-4095..0).contains(&status) { -status } else { 0 };
    let expected = match (uid == UID && id == u64::from(ID), kind, status) {
        (false, ..) => Event::Foreign,
        (true, 16, 0) => Event::Resolved,
        (true, 16 | 17, _) => Event::Failed(errno),
        (true, 11, _) => Event::Removed,
        (true, ..) => Event::Foreign,
    };
    assert_eq!(event(&room, UID, ID), expected);

    // As our own memory, and shorter than it should be.
    let mut room = vec![UNWRITTEN; ROOM];
    write(&mut room, bytes);
    for answer in [&room, bytes] {
        assert_eq!(records(answer), model(answer));
    }
}

fn model(answer: &[u8]) -> Result<Vec<ServiceRecord>, Unusable> {
    if answer.len() < 8 {
        return Err(Unusable::Short);
    }
    let count = (number(answer, 0) & u64::from(u32::MAX)) as u32;
    if count == u32::MAX {
        return Err(Unusable::Short);
    }
    if count as usize > MOST {
        return Err(Unusable::TooMany(count));
    }
    if answer.len() < 8 + count as usize * 176 {
        return Err(Unusable::Short);
    }
    let mut found = Vec::new();
    for record in answer[8..].chunks(176).take(count as usize) {
        let gid: [u8; 16] = record[8..24].try_into().unwrap();
        if gid == [UNWRITTEN; 16] {
            return Err(Unusable::Short);
        }
        found.push(ServiceRecord {
            gid: Gid::from_bits(u128::from_be_bytes(gid)),
            pkey: Pkey::from_raw(u16::from(record[24]) << 8 | u16::from(record[25])),
            id: ServiceId::from_raw(record[..8].iter().fold(0, |id, byte| id << 8 | u64::from(*byte))),
        });
    }
    Ok(found)
}

fn write(room: &mut [u8], bytes: &[u8]) {
    let length = bytes.len().min(room.len());
    room[..length].copy_from_slice(&bytes[..length]);
}

fn number(bytes: &[u8], at: usize) -> u64 {
    u64::from_ne_bytes(bytes[at..at + 8].try_into().unwrap())
}
