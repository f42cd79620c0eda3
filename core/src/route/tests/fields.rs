//! Every field: where its bits lie, every value there and back, and no other bit touched.

use super::super::{Mtu, PacketLifeTime, PathData, PathFlags, PathRecord, Rate};
use super::{RECORD, path};
use crate::types::{Gid, Pkey, ServiceId};
use std::vec::Vec;

/// A field as the specification draws it, and how it is read and written here.
struct Field<T> {
    name: &'static str,
    /// Offset and length in bytes of the big-endian number that holds the field, in the record.
    place: (usize, usize),
    /// Bits below the field in that number, and bits of the field.
    bits: (u32, u32),
    get: fn(&T) -> u128,
    /// `None` if the value is refused.
    set: fn(T, u128) -> Option<T>,
    /// The greatest value that the type of the setter's argument holds.
    most: u128,
}

macro_rules! fields {
    ($ty:ident) => {{
        type Item = $ty;
        fn field(
            name: &'static str,
            place: (usize, usize),
            bits: (u32, u32),
            most: u128,
            get: fn(&Item) -> u128,
            set: fn(Item, u128) -> Option<Item>,
        ) -> Field<Item> {
            Field { name, place, bits, get, set, most }
        }
        let (byte, word) = (u128::from(u8::MAX), u128::from(u16::MAX));
        [
            field(
                "service_id",
                (0, 8),
                (0, 64),
                u128::from(u64::MAX),
                |p| p.service_id().to_raw().into(),
                |p, v| Some(p.with_service_id(ServiceId::from_raw(v as u64))),
            ),
            field(
                "dgid",
                (8, 16),
                (0, 128),
                u128::MAX,
                |p| p.dgid().to_bits(),
                |p, v| Some(p.with_dgid(Gid::from_bits(v))),
            ),
            field(
                "sgid",
                (24, 16),
                (0, 128),
                u128::MAX,
                |p| p.sgid().to_bits(),
                |p, v| Some(p.with_sgid(Gid::from_bits(v))),
            ),
            field("dlid", (40, 2), (0, 16), word, |p| p.dlid().into(), |p, v| Some(p.with_dlid(v as u16))),
            field("slid", (42, 2), (0, 16), word, |p| p.slid().into(), |p, v| Some(p.with_slid(v as u16))),
            field(
                "flow_label",
                (44, 4),
                (8, 20),
                u128::from(u32::MAX),
                |p| p.flow_label().into(),
                |p, v| p.with_flow_label(v as u32),
            ),
            field(
                "hop_limit",
                (44, 4),
                (0, 8),
                byte,
                |p| p.hop_limit().into(),
                |p, v| Some(p.with_hop_limit(v as u8)),
            ),
            field(
                "traffic_class",
                (48, 1),
                (0, 8),
                byte,
                |p| p.traffic_class().into(),
                |p, v| Some(p.with_traffic_class(v as u8)),
            ),
            field(
                "reversible",
                (49, 1),
                (7, 1),
                1,
                |p| p.is_reversible().into(),
                |p, v| Some(p.with_reversible(v != 0)),
            ),
            field(
                "num_paths",
                (49, 1),
                (0, 7),
                byte,
                |p| p.num_paths().into(),
                |p, v| p.with_num_paths(v as u8),
            ),
            field(
                "pkey",
                (50, 2),
                (0, 16),
                word,
                |p| p.pkey().to_raw().into(),
                |p, v| Some(p.with_pkey(Pkey::from_raw(v as u16))),
            ),
            field(
                "qos_class",
                (52, 2),
                (4, 12),
                word,
                |p| p.qos_class().into(),
                |p, v| p.with_qos_class(v as u16),
            ),
            field(
                "service_level",
                (52, 2),
                (0, 4),
                byte,
                |p| p.service_level().into(),
                |p, v| p.with_service_level(v as u8),
            ),
            field(
                "mtu",
                (54, 1),
                (0, 8),
                byte,
                |p| p.mtu().to_raw().into(),
                |p, v| Some(p.with_mtu(Mtu::from_raw(v as u8))),
            ),
            field(
                "rate",
                (55, 1),
                (0, 8),
                byte,
                |p| p.rate().to_raw().into(),
                |p, v| Some(p.with_rate(Rate::from_raw(v as u8))),
            ),
            field(
                "packet_life_time",
                (56, 1),
                (0, 8),
                byte,
                |p| p.packet_life_time().to_raw().into(),
                |p, v| Some(p.with_packet_life_time(PacketLifeTime::from_raw(v as u8))),
            ),
            field(
                "preference",
                (57, 1),
                (0, 8),
                byte,
                |p| p.preference().into(),
                |p, v| Some(p.with_preference(v as u8)),
            ),
        ]
    }};
}

impl<T> Field<T> {
    /// The greatest value of the field.
    fn mask(&self) -> u128 {
        u128::MAX >> (128 - self.bits.1)
    }

    /// Values to try: each of a narrow field; of a wide one each single bit and its complement.
    fn values(&self) -> Vec<u128> {
        let mask = self.mask();
        let every = if cfg!(miri) { 4 } else { 16 };
        if self.bits.1 <= every {
            return (0..=mask).collect();
        }
        let single = (0..self.bits.1).map(|bit| 1 << bit);
        single
            .flat_map(|bit| [bit, mask ^ bit])
            .chain([0, mask, mask / 3, 0x0123_4567_89ab_cdef & mask])
            .collect()
    }

    /// What the field reads as by the drawing, in the bytes of a record.
    fn drawn(&self, record: &[u8]) -> u128 {
        let (at, len) = self.place;
        let number =
            record[at..at + len].iter().fold(0, |number: u128, byte| number << 8 | u128::from(*byte));
        number >> self.bits.0 & self.mask()
    }

    /// The bytes of a record with this value by the drawing.
    fn draw(&self, record: &mut [u8], value: u128) {
        for bit in 0..self.bits.1 {
            let from_end = (self.bits.0 + bit) as usize;
            let byte = &mut record[self.place.0 + self.place.1 - 1 - from_end / 8];
            let place = 1 << (from_end % 8);
            *byte = if value >> bit & 1 == 1 { *byte | place } else { *byte & !place };
        }
    }
}

macro_rules! there_and_back {
    ($name:ident, $ty:ident, $record_at:literal) => {
        #[test]
        fn $name() {
            for field in fields!($ty) {
                for background in [0x00, 0xff, 0xa5] {
                    let before = $ty::from_bytes([background; $ty::LEN]);
                    for value in field.values() {
                        let after = (field.set)(before, value).expect(field.name);
                        assert_eq!((field.get)(&after), value, "{}", field.name);
                        assert_eq!(field.drawn(&after.as_bytes()[$record_at..]), value, "{}", field.name);

                        let mut drawn = [background; $ty::LEN];
                        field.draw(&mut drawn[$record_at..], value);
                        assert_eq!(after.as_bytes(), &drawn, "{} = {value:#x}", field.name);
                    }
                }
            }
        }
    };
}

there_and_back!(every_value_of_every_field_of_a_record, PathRecord, 0);
there_and_back!(every_value_of_every_field_of_a_path, PathData, 8);

#[test]
fn every_flow_label_there_and_back() {
    let step = if cfg!(miri) { 4099 } else { 1 };
    for label in (0..1 << 20).step_by(step) {
        let record = PathRecord::from_bytes([0xa5; 64]).with_flow_label(label).unwrap();
        assert_eq!(record.flow_label(), label);
        assert_eq!(record.as_bytes()[44..48], (0xa000_00a5 | label << 8).to_be_bytes());
    }
}

#[test]
fn what_does_not_fit_is_refused_not_cut() {
    let mut refused = Vec::new();
    for field in fields!(PathData) {
        let (least, most) = (field.mask(), field.most);
        if most <= least {
            continue;
        }
        refused.push(field.name);
        let single = (field.bits.1..128).map(|bit| 1 << bit).filter(|value| *value <= most);
        for value in single.flat_map(|bit| [bit, bit | 1]).chain([least + 1, most]) {
            assert_eq!((field.set)(PathData::ZERO, value), None, "{} = {value:#x}", field.name);
        }
    }
    assert_eq!(refused, ["flow_label", "num_paths", "qos_class", "service_level"]);
}

#[test]
fn the_fields_and_the_reserved_bits_cover_a_record_once() {
    let mut covered = [0_u8; 64];
    for field in fields!(PathRecord) {
        let mut bits = [0; 64];
        field.draw(&mut bits, u128::MAX);
        for (seen, bits) in covered.iter_mut().zip(bits) {
            assert_eq!(*seen & bits, 0, "{} overlaps", field.name);
            *seen |= bits;
        }
    }
    let mut reserved = [0_u8; 64];
    reserved[44] = 0xf0;
    reserved[58..].fill(0xff);
    assert_eq!(covered, reserved.map(|byte| !byte));
}

#[test]
fn a_recorded_path_reads_field_by_field() {
    let bytes = path();
    let path = PathData::from_bytes(bytes);
    assert_eq!(path.flags(), PathFlags::BIDIRECTIONAL_PRIMARY);
    assert_eq!(path.service_id(), ServiceId::from_raw(0));
    assert_eq!(path.dgid(), Gid::from_bits(0xfe80_0000_0000_0000_0000_0000_0000_0021));
    assert_eq!(path.sgid(), Gid::from_bits(0xfe80_0000_0000_0000_0000_0000_0000_0121));
    assert_eq!((path.dlid(), path.slid()), (38, 3));
    assert_eq!((path.flow_label(), path.hop_limit(), path.traffic_class()), (0x1_2345, 64, 7));
    assert_eq!((path.is_reversible(), path.num_paths()), (true, 1));
    assert_eq!(path.pkey(), Pkey::DEFAULT);
    assert_eq!((path.qos_class(), path.service_level()), (1, 2));
    assert_eq!(path.mtu().bytes(), Some(2048));
    assert_eq!(path.rate().megabits_per_second(), Some(10_000));
    assert_eq!(path.packet_life_time().duration().as_nanos(), 4096 << 18);
    assert_eq!(path.preference(), 1);
    assert_eq!(path.as_bytes(), &bytes);
    assert_eq!(path.as_abi().path.reserved, [0; 6]);
    assert_eq!(path.path_record().as_bytes(), &RECORD);
}

#[test]
fn a_recorded_path_is_built_in_a_const() {
    const BUILT: Option<PathRecord> = {
        let record = PathRecord::ZERO
            .with_dgid(Gid::from_bits(0xfe80_0000_0000_0000_0000_0000_0000_0021))
            .with_sgid(Gid::from_bits(0xfe80_0000_0000_0000_0000_0000_0000_0121))
            .with_dlid(38)
            .with_slid(3)
            .with_hop_limit(64)
            .with_traffic_class(7)
            .with_reversible(true)
            .with_pkey(Pkey::DEFAULT)
            .with_mtu(Mtu::from_bytes(2048).unwrap())
            .with_rate(Rate::from_megabits_per_second(10_000).unwrap())
            .with_packet_life_time(PacketLifeTime::from_raw(0x92))
            .with_preference(1);
        record
            .with_flow_label(0x1_2345)
            .unwrap()
            .with_num_paths(1)
            .unwrap()
            .with_qos_class(1)
            .unwrap()
            .with_service_level(2)
    };
    let record = BUILT.unwrap();
    assert_eq!(record.as_bytes(), &RECORD);
    assert_eq!(record, PathRecord::from_bytes(RECORD));

    let mut expected = path();
    expected[4..8].fill(0);
    assert_eq!(PathData::from_record(record, PathFlags::from_bits_retain(0x2b)).as_bytes(), &expected);
}

#[test]
fn flags_of_a_path_keep_every_bit_and_touch_no_other() {
    for bit in 0..32 {
        let flags = PathFlags::from_bits_retain(1 << bit);
        let path = PathData::from_bytes(path()).with_flags(flags);
        assert_eq!(path.flags().bits(), 1 << bit);
        assert_eq!(path.as_bytes()[..4], (1_u32 << bit).to_ne_bytes());
        assert_eq!(path.as_bytes()[4..], super::path()[4..]);
    }
}

#[test]
fn zero_is_all_zero_and_the_default() {
    assert_eq!(PathData::ZERO.as_bytes(), &[0; 72]);
    assert_eq!(PathRecord::ZERO.as_bytes(), &[0; 64]);
    assert_eq!((PathData::ZERO, PathRecord::ZERO), Default::default());
    assert_eq!((size_of::<PathData>(), align_of::<PathData>()), (PathData::LEN, 1));
    assert_eq!((size_of::<PathRecord>(), align_of::<PathRecord>()), (PathRecord::LEN, 1));
    assert_eq!(
        PathRecord::from_abi(*PathData::from_bytes(path()).path_record().as_abi()).as_bytes(),
        &RECORD
    );
    assert_eq!(PathData::from_abi(*PathData::from_bytes(path()).as_abi()).as_bytes(), &path());
}
