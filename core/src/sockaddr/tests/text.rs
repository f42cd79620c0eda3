//! Text out and in.

use super::{ROUNDS, Random};
use crate::error::{Error, ErrorKind, Location, Reason};
use crate::sockaddr::{SockAddrBuf, SockAddrRef, cut};
use crate::types::{Gid, Pkey, ServiceId};
use std::format;
use std::string::ToString;
use std::vec::Vec;

const LINK_LOCAL: u128 = 0xfe80 << 112 | 1;

fn ib(pkey: u16, flow: u32, sid: u64, mask: u64, scope: u64) -> SockAddrBuf {
    let (gid, pkey) = (Gid::from_bits(LINK_LOCAL), Pkey::from_raw(pkey));
    SockAddrBuf::ib(gid, pkey, flow, ServiceId::from_raw(sid), mask, scope)
}

#[test]
fn forms() {
    let forms = [
        ("192.0.2.9", SockAddrBuf::inet(0xc000_0209, 0)),
        ("192.0.2.9:7471", SockAddrBuf::inet(0xc000_0209, 7471)),
        ("0.0.0.0", SockAddrBuf::inet(0, 0)),
        ("255.255.255.255:65535", SockAddrBuf::inet(u32::MAX, 65535)),
        ("fe80::1", SockAddrBuf::inet6(LINK_LOCAL, 0, 0, 0)),
        ("fe80::1%2", SockAddrBuf::inet6(LINK_LOCAL, 0, 0, 2)),
        ("[fe80::1]:7471", SockAddrBuf::inet6(LINK_LOCAL, 7471, 0, 0)),
        ("[fe80::1%4294967295]:1", SockAddrBuf::inet6(LINK_LOCAL, 1, 0, u32::MAX)),
        ("fe80::1/flow=0x12", SockAddrBuf::inet6(LINK_LOCAL, 0, 0x12, 0)),
        ("[fe80::1%2]:7471/flow=0xffffffff", SockAddrBuf::inet6(LINK_LOCAL, 7471, u32::MAX, 2)),
        ("::", SockAddrBuf::inet6(0, 0, 0, 0)),
        ("::ffff:192.0.2.9", SockAddrBuf::inet6(0xffff_c000_0209, 0, 0, 0)),
        ("ib:fe80::1", ib(0, 0, 0, 0, 0)),
        ("ib:fe80::1%18446744073709551615", ib(0, 0, 0, 0, u64::MAX)),
        ("ib:fe80::1/pkey=0xffff", ib(0xffff, 0, 0, 0, 0)),
        (
            "ib:fe80::1%3/pkey=0x8001/flow=0x5/sid=0x1061d2f/mask=0xffffffffffffffff",
            ib(0x8001, 5, 0x0106_1d2f, u64::MAX, 3),
        ),
    ];
    for (text, address) in forms {
        assert_eq!(address.to_string(), text);
        assert_eq!(format!("{address:?}"), text);
        assert_eq!(text.parse(), Ok(address), "{text}");
    }
    assert_eq!(SockAddrBuf::NONE.to_string(), "*");
    assert_eq!(SockAddrRef::from_bytes(&[0xff, 0xfe, 0x0a]).to_string(), "?fffe0a");
    assert_eq!(SockAddrRef::from_bytes(&[]).to_string(), "?");
}

/// What is taken beyond what is written.
#[test]
fn other_forms() {
    for (text, address) in [
        ("192.0.2.9:0", SockAddrBuf::inet(0xc000_0209, 0)),
        ("[fe80::1]", SockAddrBuf::inet6(LINK_LOCAL, 0, 0, 0)),
        ("[FE80:0::1%0]:0/flow=0", SockAddrBuf::inet6(LINK_LOCAL, 0, 0, 0)),
        ("IB:FE80::1", ib(0, 0, 0, 0, 0)),
        ("ib:fe80::1/mask=1/sid=2/flow=3/pkey=4", ib(4, 3, 2, 1, 0)),
        ("ib:fe80::1/pkey=65535/sid=0X10", ib(0xffff, 0, 16, 0, 0)),
    ] {
        assert_eq!(text.parse(), Ok(address), "{text}");
    }
}

#[test]
fn refusals() {
    for (text, offset, reason) in [
        ("", 0, Reason::NotAddress),
        ("-", 0, Reason::NotAddress),
        ("192.0.2", 0, Reason::NotAddress),
        ("192.0.2.9%1", 0, Reason::NotAddress),
        ("storage-7", 0, Reason::NotAddress),
        ("fe80::1::2", 0, Reason::NotAddress),
        ("192.0.2.9:", 10, Reason::NotPort),
        ("192.0.2.9:65536", 10, Reason::NotPort),
        ("192.0.2.9:080", 10, Reason::NotPort),
        ("192.0.2.9:1:2", 10, Reason::NotPort),
        ("192.0.2.9:+1", 10, Reason::NotPort),
        ("192.0.2.9/flow=1", 10, Reason::UnknownPart),
        ("192.0.2.9:7471/", 15, Reason::UnknownPart),
        ("[", 0, Reason::NotAddress),
        ("[fe80::1", 0, Reason::NotAddress),
        ("[]", 1, Reason::NotAddress),
        ("[192.0.2.9]:80", 1, Reason::NotAddress),
        ("[fe80::1]:", 10, Reason::NotPort),
        ("[fe80::1]:70000", 10, Reason::NotPort),
        ("[fe80::1]80", 9, Reason::NotPort),
        ("[fe80::1%]:80", 9, Reason::NotNumber),
        ("[fe80::1%x]:80", 9, Reason::NotNumber),
        ("fe80::1%lo", 8, Reason::NotNumber),
        ("fe80::1%4294967296", 8, Reason::NotNumber),
        ("fe80::1%01", 8, Reason::NotNumber),
        ("fe80::1/", 8, Reason::UnknownPart),
        ("fe80::1/flow", 8, Reason::UnknownPart),
        ("fe80::1/flow=", 13, Reason::NotNumber),
        ("fe80::1/flow=4294967296", 13, Reason::NotNumber),
        ("fe80::1/flow=1/flow=1", 15, Reason::UnknownPart),
        ("fe80::1/pkey=1", 8, Reason::UnknownPart),
        ("ib:", 3, Reason::NotGid),
        ("ib:192.0.2.9", 3, Reason::NotGid),
        ("ib:[fe80::1]", 3, Reason::NotGid),
        ("ib:fe80::1%18446744073709551616", 11, Reason::NotNumber),
        ("ib:fe80::1/pkey=65536", 16, Reason::NotNumber),
        ("ib:fe80::1/pkey=1/sid=-1", 22, Reason::NotNumber),
        ("ib:fe80::1/pkey=1/mask=", 23, Reason::NotNumber),
        ("ib:fe80::1/pkey=1/pkey=1", 18, Reason::UnknownPart),
        ("ib:fe80::1/PKEY=1", 11, Reason::UnknownPart),
        ("ib:fe80::1//pkey=1", 11, Reason::UnknownPart),
        ("ib:fe80::1/flow=1/", 18, Reason::UnknownPart),
    ] {
        let expected = Error::new(ErrorKind::Invalid).because(reason).at(Location::Text(offset));
        assert_eq!(text.parse::<SockAddrBuf>(), Err(expected), "{text}");
    }
}

#[test]
fn text_round_trip() {
    let mut random = Random(3);
    for _ in 0..ROUNDS {
        let address = random.address();
        if !address.is_none() {
            let text = address.to_string();
            assert_eq!(text.parse(), Ok(address), "{text}");
        }
    }
}

/// Whatever the text, an error lies within it or at its end, and an address is written as text that means the same.
#[test]
fn hostile_text() {
    let seeds =
        ["192.0.2.9:7471", "[fe80::1%2]:7471/flow=0x12", "ib:fe80::1%3/pkey=0x8001/sid=0x10/mask=0xff"];
    let alphabet = b"0123456789abcdefx.:%/[]=-ib \0";
    let mut random = Random(4);
    let mut taken = 0;
    for round in 0..ROUNDS {
        let mut text = seeds[round % seeds.len()].as_bytes().to_vec();
        for _ in 0..random.below(4) {
            let at = random.below(text.len() as u64) as usize;
            let byte = alphabet[random.below(alphabet.len() as u64) as usize];
            match random.below(4) {
                0 => text.insert(at, byte),
                1 if text.len() > 1 => drop(text.remove(at)),
                2 => text.truncate(at + 1),
                _ => text[at] = byte,
            }
        }
        let text = core::str::from_utf8(&text).unwrap();
        match text.parse::<SockAddrBuf>() {
            Ok(address) => {
                taken += 1;
                assert_eq!(address.to_string().parse(), Ok(address), "{text}");
            }
            Err(error) => match error.location() {
                Location::Text(offset) => assert!(offset <= text.len(), "{text}: {error}"),
                _ => panic!("{text}: {error}"),
            },
        }
    }
    assert!(taken > ROUNDS / 10, "{taken}");
}

/// Text is cut at the first of these bytes, however long it is and whatever is in it.
#[test]
fn the_first_of_a_byte() {
    let mut random = Random(6);
    // Bytes that differ from one another by a bit, or by a borrow.
    let bytes = [b',', b',' ^ 1, b',' ^ 0x80, b',' + 1, b',' - 1, 0, 0xff];
    for _ in 0..ROUNDS {
        let text: Vec<u8> =
            (0..random.below(40)).map(|_| bytes[random.below(bytes.len() as u64) as usize]).collect();
        for at in bytes {
            let mut parts = text.splitn(2, |byte| *byte == at);
            assert_eq!(cut(&text, at), (parts.next().unwrap(), parts.next()), "{text:?} at {at}");
        }
    }
}
