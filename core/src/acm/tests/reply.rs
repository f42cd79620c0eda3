//! What a valid reply tells.

use super::{ID, entry, reply};
use crate::acm::{Info, Reply, Status};
use crate::route::{PathData, PathFlags, PathRecord};
use core::net::IpAddr;
use std::format;
use std::string::{String, ToString};
use std::vec::Vec;

fn read(status: u8, entries: &[[u8; 72]]) -> Reply {
    let bytes = reply(status, entries);
    let reply = Reply::from_bytes(&bytes, ID).unwrap();
    assert_eq!((reply.as_bytes(), reply.transaction_id()), (&bytes[..], ID));
    assert_eq!(reply.status().to_raw(), status);
    reply
}

#[test]
fn statuses_by_name() {
    let names = ["OK", "ENOMEM", "EINVAL", "ENODATA", "4", "ENOTCONN", "ETIMEDOUT", "ESRCADDR", "ESRCTYPE"];
    let names: Vec<_> = names.into_iter().chain(["EDESTADDR", "EDESTTYPE", "11"]).collect();
    for (status, name) in (0..).zip(names) {
        let status = read(status, &[]).status();
        assert_eq!(status.to_string(), name);
        assert_eq!(status.name(), name.parse::<u8>().is_err().then_some(name));
        assert_eq!(status.message() == "unknown status", status.name().is_none());
    }
    assert_eq!((Status::from_raw(255).name(), Status::from_raw(255).to_string()), (None, "255".into()));
    assert_eq!((Status::OK.to_raw(), Status::ENODATA.to_raw(), Status::EDESTTYPE.to_raw()), (0, 3, 10));
}

#[test]
fn entries_of_each_type() {
    let record: [u8; 64] = core::array::from_fn(|at| u8::try_from(at).unwrap());
    let mut path = entry(0x2b, 16, &record);
    path[6..8].copy_from_slice(&[0xaa, 0xbb]); // reserved
    let v6: [u8; 16] = [0xfe, 0x80, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 7];
    let entries = [
        entry(1, 1, b"host-a"),
        entry(1, 2, &[192, 0, 2, 9]),
        entry(2 | 1 << 31, 3, &v6),
        path,
        entry(3, 0x20, &[7; 64]),
        entry(0, 0, &[]),
    ];
    let reply = read(0, &entries);

    let ip = |text: &str| text.parse::<IpAddr>().unwrap();
    let expected_path =
        PathData::from_record(PathRecord::from_bytes(record), PathFlags::from_bits_retain(0x2b));
    let infos: Vec<_> = reply.entries().map(|entry| (entry.flags(), entry.kind(), entry.info())).collect();
    assert_eq!(
        infos,
        [
            (1, 1, Info::Name(b"host-a")),
            (1, 2, Info::Address(ip("192.0.2.9"))),
            (0x8000_0002, 3, Info::Address(ip("fe80::7"))),
            (0x2b, 16, Info::Path(expected_path)),
            (3, 0x20, Info::Unknown(&[7; 64])),
            (0, 0, Info::Unknown(&[0; 64])),
        ]
    );
    // As a C `ibv_path_data`: nothing of type and reserved is left.
    assert_eq!(expected_path.as_bytes()[..8], [0x2b_u32.to_ne_bytes(), [0; 4]].concat());

    let sides: Vec<_> = reply.entries().map(|entry| (entry.source(), entry.destination())).collect();
    let none = (None, None);
    let expected = [none, (Some(ip("192.0.2.9")), None), (None, Some(ip("fe80::7"))), none, none, none];
    assert_eq!(sides, expected);
    assert!(reply.paths().eq([expected_path]) && reply.sources().eq([ip("192.0.2.9")]));
    assert_eq!(reply.entries().filter_map(|entry| entry.path()).count(), 1);

    let text = format!(
        "OK: source name host-a, source 192.0.2.9, destination query-sa fe80::7, path {expected_path}, type 0x0020, type 0x0000"
    );
    assert_eq!((reply.to_string(), format!("{reply:?}")), (text.clone(), text));
    assert_eq!(read(3, &[]).to_string(), "ENODATA");
}

#[test]
fn names_end_at_their_nul_or_with_the_entry() {
    let names: [(&[u8], &[u8], &str); 5] = [
        (b"", b"", "name "),
        (b"a\0b", b"a", "name a"),
        (&[b'x'; 63], &[b'x'; 63], &format!("name {}", "x".repeat(63))),
        (&[b'x'; 64], &[b'x'; 64], &format!("name {}", "x".repeat(64))),
        (b"a b\n\xff", b"a b\n\xff", "name a\\x20b\\x0a\\xff"),
    ];
    for (info, name, text) in names {
        let reply = read(0, &[entry(0, 1, info)]);
        let entry = reply.entries().next().unwrap();
        assert_eq!((entry.info(), entry.to_string().as_str()), (Info::Name(name), text));
    }
}

/// The flags of a path are no flags of an address: GMP is 1, as SOURCE is.
#[test]
fn only_addresses_are_sources() {
    let entries: Vec<_> = [1, 16, 0x20].map(|kind| entry(3, kind, &[1; 64])).into();
    let reply = read(0, &entries);
    assert_eq!((reply.sources().count(), reply.paths().count()), (0, 1));
    assert!(reply.entries().all(|entry| entry.source().is_none() && entry.destination().is_none()));
}

/// All entries of the longest reply, and of each shorter one.
#[test]
fn any_number_of_entries() {
    let addresses: Vec<_> = (0..8).map(|last| entry(1, 2, &[10, 0, 0, last])).collect();
    for count in 0..=8 {
        let reply = read(0, &addresses[..count]);
        let told: Vec<String> = reply.sources().map(|source| format!("{source}")).collect();
        let expected: Vec<String> = (0..count).map(|last| format!("10.0.0.{last}")).collect();
        assert_eq!(told, expected);
        assert_eq!(reply.as_bytes().len(), 16 + 72 * count);
    }
}
