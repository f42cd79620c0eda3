mod coded;
mod fields;
mod text;
mod views;

use super::{PathData, PathFlags};

/// The record of a path that librdmacm answered, byte for byte.
const RECORD: [u8; 64] = [
    0, 0, 0, 0, 0, 0, 0, 0, // service ID
    0xfe, 0x80, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x21, // destination GID
    0xfe, 0x80, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x01, 0x21, // source GID
    0x00, 0x26, // destination LID
    0x00, 0x03, // source LID
    0x01, 0x23, 0x45, 0x40, // flow label, hop limit
    0x07, // traffic class
    0x81, // reversible, number of paths
    0xff, 0xff, // P_Key
    0x00, 0x12, // QoS class, service level
    0x84, 0x83, 0x92, // MTU, rate, packet life time
    0x01, // preference
    0, 0, 0, 0, 0, 0, // reserved
];

/// The same as a path with flags 0x2b and the reserved word that an ibacm entry leaves there.
fn path() -> [u8; 72] {
    let mut bytes = [0; 72];
    bytes[..4].copy_from_slice(&0x2b_u32.to_ne_bytes());
    bytes[4..8].copy_from_slice(&[0x10, 0, 0, 0]);
    bytes[8..].copy_from_slice(&RECORD);
    bytes
}

/// Paths whose LIDs and flags tell them apart.
fn numbered(count: u16) -> std::vec::Vec<PathData> {
    (0..count)
        .map(|index| {
            PathData::from_bytes(path())
                .with_dlid(index)
                .with_flags(PathFlags::from_bits_retain(u32::from(index) << 16 | 0x2b))
        })
        .collect()
}
