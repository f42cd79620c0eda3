//! What an operator reads.

use super::super::{Mtu, PacketLifeTime, PathData, PathFlags, PathRecord, Rate};
use super::{RECORD, path};
use crate::types::ServiceId;
use std::format;
use std::string::ToString;

#[test]
fn a_path_is_one_line() {
    let record = PathRecord::from_bytes(RECORD);
    let line = "fe80::121 -> fe80::21 pkey 0xffff mtu 2048 rate 10 Gb/s sl 2 life 1.073 s lid 3 -> 38 \
                qos 1 flow 0x12345 hops 64 class 0x7 preference 1 paths 1 reversible";
    assert_eq!(record.to_string(), line);
    assert_eq!(format!("{record:?}"), line);
    let path = PathData::from_bytes(path());
    assert_eq!(path.to_string(), format!("{line} gmp|primary|outbound|inbound-reverse"));
    assert_eq!(format!("{path:?}"), path.to_string());
}

#[test]
fn zero_parts_are_left_out() {
    let zero = ":: -> :: pkey 0x0000 mtu 0x00 rate 0x00 sl 0";
    assert_eq!(PathRecord::ZERO.to_string(), zero);
    assert_eq!(PathData::ZERO.to_string(), zero);
    assert_eq!(PathData::ZERO.with_slid(7).to_string(), format!("{zero} lid 7 -> 0"));
    let service = PathData::ZERO.with_service_id(ServiceId::from_raw(0x0106_1d2f));
    assert_eq!(service.to_string(), format!("{zero} service 0x1061d2f"));
}

#[test]
fn any_bytes_have_a_line() {
    let line = "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff -> ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff pkey 0xffff \
                mtu best rate best sl 15 life best lid 65535 -> 65535 qos 4095 flow 0xfffff hops 255 class 0xff \
                service 0xffffffffffffffff preference 255 paths 127 reversible \
                gmp|primary|alternate|outbound|inbound|inbound-reverse|0xffffffc0";
    assert_eq!(PathData::from_bytes([0xff; 72]).to_string(), line);
}

#[test]
fn coded_values() {
    let mtus =
        [(0x81, "256"), (0x85, "4096"), (0x04, ">2048"), (0x44, "<2048"), (0xc4, "best"), (0xff, "best")];
    for (byte, text) in mtus.into_iter().chain([(0x00, "0x00"), (0x46, "0x46"), (0x86, "0x86")]) {
        assert_eq!(Mtu::from_raw(byte).to_string(), text);
        assert_eq!(format!("{:?}", Mtu::from_raw(byte)), text);
    }
    let rates = [(0x82, "2.5 Gb/s"), (0x98, "1200 Gb/s"), (0x10, ">100 Gb/s"), (0x42, "<2.5 Gb/s")];
    for (byte, text) in rates.into_iter().chain([(0xc0, "best"), (0x81, "0x81"), (0x99, "0x99")]) {
        assert_eq!(Rate::from_raw(byte).to_string(), text);
    }
    for (byte, text) in [
        (0x80, "4.096 us"),
        (0x87, "524.288 us"),
        (0x88, "1.048 ms"),
        (0x91, "536.870 ms"),
        (0x92, "1.073 s"),
        (0x00, ">4.096 us"),
        (0x50, "<268.435 ms"),
        (0xbf, "37778931862957.161 s"),
        (0xff, "best"),
    ] {
        assert_eq!(PacketLifeTime::from_raw(byte).to_string(), text);
    }
}

#[test]
fn flags_by_name_and_number() {
    let named = [
        (PathFlags::GMP, 1, "gmp"),
        (PathFlags::PRIMARY, 2, "primary"),
        (PathFlags::ALTERNATE, 4, "alternate"),
        (PathFlags::OUTBOUND, 8, "outbound"),
        (PathFlags::INBOUND, 16, "inbound"),
        (PathFlags::INBOUND_REVERSE, 32, "inbound-reverse"),
    ];
    for (flag, bits, name) in named {
        assert_eq!((flag.bits(), flag.to_string().as_str()), (bits, name));
    }
    assert_eq!(PathFlags::NAMED.to_vec(), named.map(|(flag, _, name)| (flag, name)));
    assert_eq!(PathFlags::BIDIRECTIONAL_PRIMARY.bits(), 0x2b);

    for (bits, text) in [
        (0, "-"),
        (0x0c, "alternate|outbound"),
        (0x40, "0x40"),
        (0x8000_0021, "gmp|inbound-reverse|0x80000000"),
    ] {
        let flags = PathFlags::from_bits_retain(bits);
        assert_eq!((flags.to_string().as_str(), format!("{flags:?}").as_str()), (text, text));
        assert_eq!(flags.unnamed(), bits & !0x3f);
        assert_eq!(PathFlags::from_bits(bits), Some(flags), "every bit is kept");
    }
}
