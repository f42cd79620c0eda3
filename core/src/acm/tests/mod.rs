//! Tests of the room. The replies here are made byte by byte; recorded ones are in `core/tests/oracle`.

mod backoff;
mod decoder;
mod hostile;
mod query;
mod reply;

use std::vec::Vec;

/// The transaction id of these tests: no two bytes are alike.
const ID: u64 = 0x0123_4567_89ab_cdef;

/// A message from its fields, whatever they are.
fn message(version: u8, opcode: u8, status: u8, length: usize, id: u64, body: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::from([version, opcode, status, 0, 0, 0]);
    bytes.extend(u16::try_from(length).unwrap().to_ne_bytes());
    bytes.extend(id.to_ne_bytes());
    bytes.extend(body);
    bytes
}

/// A valid reply with these entries.
fn reply(status: u8, entries: &[[u8; 72]]) -> Vec<u8> {
    message(1, 0x01, status, 16 + 72 * entries.len(), ID, &entries.concat())
}

/// An entry; what `info` does not fill is zero.
fn entry(flags: u32, kind: u16, info: &[u8]) -> [u8; 72] {
    let mut bytes = [0; 72];
    bytes[..4].copy_from_slice(&flags.to_ne_bytes());
    bytes[4..6].copy_from_slice(&kind.to_ne_bytes());
    bytes[8..8 + info.len()].copy_from_slice(info);
    bytes
}
