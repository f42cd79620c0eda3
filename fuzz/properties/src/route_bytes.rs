//! Bytes of routes: their paths are the bytes, every field is the bits of its place, and a setter changes no others.

use crate::draw::Draw;
use rdma_addrinfo_core::{
    ErrorKind, Field, Gid, Location, Mtu, PacketLifeTime, PathData, PathFlags, PathRecord, Pkey, Rate,
    Reason, RouteHint, ServiceId, paths_from_bytes,
};

/// Checks one input.
pub fn check(bytes: &[u8]) {
    let whole = bytes.len() / 72 * 72;
    match paths_from_bytes(bytes) {
        Ok(paths) => {
            assert_eq!(whole, bytes.len());
            assert!(paths.iter().map(PathData::as_bytes).eq(bytes.chunks(72)));
            for path in paths.iter().take(4) {
                let record = path.path_record();
                assert_eq!(record.as_bytes()[..], path.as_bytes()[8..]);
                assert_eq!(path.flags().bits().to_ne_bytes(), path.as_bytes()[..4]);
                assert_eq!(PathData::from_bytes(*path.as_bytes()), *path);
                assert!(path.to_string().starts_with(&record.to_string()));
                fields(record, bytes);
            }
        }
        Err(error) => {
            assert_ne!(whole, bytes.len());
            let told = (error.kind(), error.reason(), error.location());
            assert_eq!(told, (ErrorKind::Invalid, Reason::RouteLength, Location::Text(whole)));
        }
    }
    hint(bytes);
}

fn hint(bytes: &[u8]) {
    match RouteHint::from_bytes(bytes) {
        Ok(hint) => {
            assert_eq!(hint.as_bytes(), bytes);
            assert_eq!((hint.len(), hint.is_empty()), (hint.paths().count(), bytes.is_empty()));
            assert_eq!(hint.first(), hint.paths().next().map(|path| path.path_record()));
            match hint {
                RouteHint::Data(paths) => assert_eq!(paths_from_bytes(bytes), Ok(paths)),
                RouteHint::Records(records) => {
                    assert!(!bytes.len().is_multiple_of(72));
                    assert!(records.iter().map(PathRecord::as_bytes).eq(bytes.chunks(64)));
                    let both = PathFlags::BIDIRECTIONAL_PRIMARY;
                    let paths = records.iter().map(|record| PathData::from_record(*record, both));
                    assert!(hint.paths().eq(paths));
                    fields(records[0], bytes);
                }
            }
        }
        Err(error) => {
            assert!(!bytes.len().is_multiple_of(64) && !bytes.len().is_multiple_of(72));
            let told = (error.kind(), error.reason(), error.location());
            let place = Location::Hints(Field::Route);
            assert_eq!(told, (ErrorKind::Invalid, Reason::RouteHintLength, place));
        }
    }
}

/// The bits from `start` on, the first most significant.
fn bits(record: PathRecord, start: usize, count: usize) -> u128 {
    (start..start + count).fold(0, |value, at| {
        let bit = record.as_bytes()[at / 8] >> (7 - at % 8) & 1;
        value << 1 | u128::from(bit)
    })
}

/// The record with these bits instead.
fn with_bits(record: PathRecord, start: usize, count: usize, value: u128) -> PathRecord {
    let mut bytes = *record.as_bytes();
    for (place, at) in (start..start + count).rev().enumerate() {
        let mask = 0x80 >> (at % 8);
        bytes[at / 8] &= !mask;
        if value >> place & 1 == 1 {
            bytes[at / 8] |= mask;
        }
    }
    PathRecord::from_bytes(bytes)
}

/// `$get` is the bits from `$start`, `$set` changes them and nothing else.
macro_rules! field {
    ($record:ident, $values:ident, $start:literal, $count:literal, $get:expr, $set:expr) => {{
        assert_eq!(u128::from($get($record)), bits($record, $start, $count), "bits from {}", $start);
        let value = u128::from_be_bytes($values.bytes()) >> (128 - $count);
        let right = with_bits($record, $start, $count, value);
        assert_eq!($set($record, value), Some(right), "bits from {}", $start);
    }};
}

/// An argument of a setter, which has room for every value that was drawn.
fn narrow<T: TryFrom<u128>>(value: u128) -> T {
    T::try_from(value).ok().expect("a value of the field's width")
}

fn fields(record: PathRecord, bytes: &[u8]) {
    // What is set is drawn from the end, so that it is not what is there already.
    let turned: Vec<u8> = bytes.iter().rev().copied().collect();
    let mut values = Draw::new(&turned);
    let values = &mut values;
    type R = PathRecord;
    field!(record, values, 0, 64, |r: R| r.service_id().to_raw(), |r: R, v| {
        Some(r.with_service_id(ServiceId::from_raw(narrow(v))))
    });
    field!(record, values, 64, 128, |r: R| r.dgid().to_bits(), |r: R, v| {
        Some(r.with_dgid(Gid::from_bits(v)))
    });
    field!(record, values, 192, 128, |r: R| r.sgid().to_bits(), |r: R, v| {
        Some(r.with_sgid(Gid::from_bits(v)))
    });
    field!(record, values, 320, 16, |r: R| r.dlid(), |r: R, v| Some(r.with_dlid(narrow(v))));
    field!(record, values, 336, 16, |r: R| r.slid(), |r: R, v| Some(r.with_slid(narrow(v))));
    field!(record, values, 356, 20, |r: R| r.flow_label(), |r: R, v| r.with_flow_label(narrow(v)));
    field!(record, values, 376, 8, |r: R| r.hop_limit(), |r: R, v| Some(r.with_hop_limit(narrow(v))));
    field!(record, values, 384, 8, |r: R| r.traffic_class(), |r: R, v| {
        Some(r.with_traffic_class(narrow(v)))
    });
    field!(record, values, 392, 1, |r: R| r.is_reversible(), |r: R, v| Some(r.with_reversible(v == 1)));
    field!(record, values, 393, 7, |r: R| r.num_paths(), |r: R, v| r.with_num_paths(narrow(v)));
    field!(record, values, 400, 16, |r: R| r.pkey().to_raw(), |r: R, v| {
        Some(r.with_pkey(Pkey::from_raw(narrow(v))))
    });
    field!(record, values, 416, 12, |r: R| r.qos_class(), |r: R, v| r.with_qos_class(narrow(v)));
    field!(record, values, 428, 4, |r: R| r.service_level(), |r: R, v| r.with_service_level(narrow(v)));
    field!(record, values, 432, 8, |r: R| r.mtu().to_raw(), |r: R, v| {
        Some(r.with_mtu(Mtu::from_raw(narrow(v))))
    });
    field!(record, values, 440, 8, |r: R| r.rate().to_raw(), |r: R, v| {
        Some(r.with_rate(Rate::from_raw(narrow(v))))
    });
    field!(record, values, 448, 8, |r: R| r.packet_life_time().to_raw(), |r: R, v| {
        Some(r.with_packet_life_time(PacketLifeTime::from_raw(narrow(v))))
    });
    field!(record, values, 456, 8, |r: R| r.preference(), |r: R, v| Some(r.with_preference(narrow(v))));
    // What is coded in six bits has its own reader.
    let codes = [record.mtu().code(), record.rate().code(), record.packet_life_time().code()];
    assert_eq!(codes.map(u128::from), [434, 442, 450].map(|start| bits(record, start, 6)));
    let text = record.to_string();
    assert!(text.starts_with(&format!("{} -> {} pkey {}", record.sgid(), record.dgid(), record.pkey())));
}
