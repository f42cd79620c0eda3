//! Names against sysfs.

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

/// The same on either kind of socket.
fn index_of(name: &[u8]) -> Result<Option<u32>, Error> {
    interface_index(name)
}

#[test]
fn every_interface_has_its_index() {
    let interfaces = interfaces();
    assert!(interfaces.contains_key("lo"), "{interfaces:?}");
    for (name, &index) in &interfaces {
        assert_eq!(index_of(name.as_bytes()), Ok(Some(index)), "{name}");
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
        let expected = match str::from_utf8(name) {
            Ok(_) => Ok(None),
            Err(_) => Err(Error::new(ErrorKind::NotSupported).because(Reason::ZoneName)),
        };
        assert_eq!(index_of(name), expected, "{}", name.escape_ascii());
    }
    // Nor does a failure spoil the next question.
    assert_eq!(index_of(b"lo"), Ok(interfaces().get("lo").copied()));
}

#[test]
fn a_name_that_is_not_there_costs_no_socket() {
    let ask = |name: &'static str| {
        let ask = |fd: &OwnedFd| {
            let answer = name_to_index(fd, name);
            (answer, state_after(&answer))
        };
        (sockets::ask(Kind::V4, ask), sockets::ask(Kind::V4, |fd| (ask(fd).1, Ok(()))))
    };
    assert_eq!(ask("no-such-if"), (Ok(Err(Errno::NODEV)), Ok(Ok(()))));
    assert_eq!(state_after::<()>(&Err(Errno::NOTTY)), Err(Errno::NOTTY));
}
