//! Names and indices against sysfs.

use super::*;
use std::collections::BTreeMap;
use std::fs;

/// The interfaces of this host, as sysfs has them.
fn interfaces() -> BTreeMap<String, u32> {
    let entries = fs::read_dir("/sys/class/net").unwrap().map(|entry| entry.unwrap());
    entries
        .filter_map(|entry| {
            let index = fs::read_to_string(entry.path().join("ifindex")).ok()?;
            Some((entry.file_name().into_string().unwrap(), index.trim().parse().unwrap()))
        })
        .collect()
}

#[test]
fn every_interface_has_its_index_and_name() {
    let interfaces = interfaces();
    assert!(interfaces.contains_key("lo"), "{interfaces:?}");
    for (name, &index) in &interfaces {
        assert_eq!(interface_index(name.as_bytes()), Some(index), "{name}");
        assert_eq!(interface_name(index).as_ref(), Some(name), "{index}");
    }
}

#[test]
fn what_is_no_interface_has_none() {
    let long = [b'l'; 4096];
    let names: [&[u8]; 10] = [
        b"",
        b"no-such-if",
        b"lo\0",
        b"\0lo",
        b"LO",
        b" lo",
        b"lo\xff",
        b"\xff\xfe",
        b"sixteen-letters-",
        &long,
    ];
    for name in names {
        assert_eq!(interface_index(name), None, "{}", name.escape_ascii());
    }
    for index in [0, 0x7fff_ffff, 0x8000_0000, u32::MAX] {
        assert_eq!(interface_name(index), None, "{index}");
    }
    // Nor does a failure spoil the next question.
    assert_eq!(interface_index(b"lo"), interfaces().get("lo").copied());
}
