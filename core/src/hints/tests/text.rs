//! Text out and in.

use crate::error::{Error, ErrorKind, Location, Reason};
use crate::hints::Hints;
use crate::sockaddr::SockAddrBuf;
use crate::sockaddr::tests::{ROUNDS, Random};
use crate::types::{Family, Flags, PortSpace, QpType};
use std::string::ToString;
use std::vec;
use std::vec::Vec;

#[test]
fn forms() {
    let v4 = SockAddrBuf::inet(0xc000_0209, 0);
    let v6 = SockAddrBuf::inet6(0xfe80 << 112 | 1, 7471, 0, 2);
    for (text, hints) in [
        ("", Hints::new()),
        ("passive", Hints::new().passive()),
        (
            "passive,numeric-host,no-route,family,sa,dns,route-only",
            Hints::new().with_flags(Flags::PUBLIC | Flags::ROUTE_ONLY),
        ),
        ("flags=0x40", Hints::new().with_flags(Flags::from_bits_retain(0x40))),
        ("passive,flags=0x80000040", Hints::new().with_flags(Flags::from_bits_retain(0x8000_0041))),
        (
            "passive,family=inet6,qp=rc,ps=tcp,src=192.0.2.9",
            Hints::new()
                .passive()
                .with_family(Family::INET6)
                .with_qp_type(QpType::RC)
                .with_port_space(PortSpace::TCP)
                .with_src_addr(v4),
        ),
        (
            "family=99,qp=-2147483648,ps=2147483647",
            Hints::new()
                .with_family(Family::from_raw(99))
                .with_qp_type(QpType::from_raw(i32::MIN))
                .with_port_space(PortSpace::from_raw(i32::MAX)),
        ),
        ("src=[fe80::1%2]:7471,dst=192.0.2.9", Hints::new().with_src_addr(v6).with_dst_addr(v4)),
        ("route=00ff10", Hints::new().with_route(&[0, 0xff, 0x10])),
    ] {
        assert_eq!(hints.to_string(), text);
        assert_eq!(Hints::parse_with(text, &mut [0; 3]), Ok(hints), "{text}");
    }
}

/// What is taken beyond what is written.
#[test]
fn other_forms() {
    for (text, hints) in [
        ("dns,passive", Hints::new().with_flags(Flags::DNS | Flags::PASSIVE)),
        ("ps=0x106,qp=RC", Hints::new().with_port_space(PortSpace::TCP).with_qp_type(QpType::RC)),
        ("family=unspec,qp=any,ps=any", Hints::new()),
        ("family=0", Hints::new()),
        // The word and the key are two things.
        ("family,family=ib", Hints::new().with_flags(Flags::FAMILY).with_family(Family::IB)),
        ("flags=1,passive", Hints::new().passive()),
        ("route=", Hints::new()),
    ] {
        assert_eq!(Hints::parse(text), Ok(hints), "{text}");
    }
    assert_eq!(Hints::parse_with("route=AbCd", &mut [0; 72]), Ok(Hints::new().with_route(&[0xab, 0xcd])));
}

#[test]
fn refusals() {
    for (text, offset, reason) in [
        (" passive", 0, Reason::UnknownKey),
        ("Passive", 0, Reason::UnknownKey),
        ("passive=1", 0, Reason::UnknownKey),
        ("passive,", 8, Reason::UnknownKey),
        (",passive", 0, Reason::UnknownKey),
        ("passive,,dns", 8, Reason::UnknownKey),
        ("passive,qp", 8, Reason::UnknownKey),
        ("passive,colour=red", 8, Reason::UnknownKey),
        ("passive,=1", 8, Reason::UnknownKey),
        ("passive,dns,passive", 12, Reason::DuplicateKey),
        ("qp=rc,qp=rc", 6, Reason::DuplicateKey),
        ("flags=1,flags=2", 8, Reason::DuplicateKey),
        ("family=inet,dns,family=inet", 16, Reason::DuplicateKey),
        ("ps=tcp,ps=", 7, Reason::DuplicateKey),
        ("src=::1,src=::1", 8, Reason::DuplicateKey),
        ("dst=::1,dst=::1", 8, Reason::DuplicateKey),
        ("route=,route=", 7, Reason::DuplicateKey),
        ("flags=", 6, Reason::NotNumber),
        ("dns,flags=4294967296", 10, Reason::NotNumber),
        ("dns,flags=passive", 10, Reason::NotNumber),
        ("dns,flags=-1", 10, Reason::NotNumber),
        ("dns,family=inet4", 11, Reason::UnknownWord),
        ("dns,family=", 11, Reason::UnknownWord),
        ("dns,qp=2147483648", 7, Reason::UnknownWord),
        ("dns,qp=\u{e9}", 7, Reason::UnknownWord),
        ("dns,ps=tcp ", 7, Reason::UnknownWord),
        ("dns,src=192.0.2", 8, Reason::NotAddress),
        ("dns,src=192.0.2.9:x", 18, Reason::NotPort),
        ("dns,dst=ib:fe80::1/pkey=65536", 24, Reason::NotNumber),
        ("dns,dst=ib:fe80::1/mtu=1", 19, Reason::UnknownPart),
        ("dns,dst=", 8, Reason::NotAddress),
        ("dns,route=0", 10, Reason::NotHex),
        ("dns,route=0g", 10, Reason::NotHex),
        ("dns,route=0x00", 10, Reason::NotHex),
        ("dns,route=+1", 10, Reason::NotHex),
        // More than there is memory for.
        ("dns,route=0011223344", 10, Reason::NotHex),
    ] {
        let expected = Error::new(ErrorKind::Invalid).because(reason).at(Location::Text(offset));
        assert_eq!(Hints::parse_with(text, &mut [0; 4]), Err(expected), "{text}");
    }
    let without_memory = Hints::parse("route=00").map_err(|error| error.reason());
    assert_eq!(without_memory, Err(Reason::NotHex));
}

/// Hints of any values, and the bytes of their route.
fn generated(random: &mut Random) -> (Hints<'static>, Vec<u8>) {
    let word = |random: &mut Random, named: &[i32]| match random.below(3) {
        0 => 0,
        1 => named[random.below(named.len() as u64) as usize],
        _ => random.number() as i32,
    };
    let flags = random.next() & random.next() & if random.below(2) == 0 { 0x3f } else { u64::MAX };
    let hints = Hints::new()
        .with_flags(Flags::from_bits_retain(flags as u32))
        .with_family(Family::from_raw(word(random, &[2, 10, 27])))
        .with_qp_type(QpType::from_raw(word(random, &[2, 3, 4, 8, 9, 10, 255])))
        .with_port_space(PortSpace::from_raw(word(random, &[2, 0x106, 0x111, 0x13f])))
        .with_src_addr(random.address())
        .with_dst_addr(random.address());
    let route = (0..random.below(150)).map(|_| random.next() as u8).collect();
    (hints, route)
}

#[test]
fn text_round_trip() {
    let mut random = Random(5);
    for _ in 0..ROUNDS {
        let (hints, route) = generated(&mut random);
        let hints = hints.with_route(&route);
        let text = hints.to_string();
        let mut memory = vec![0xee; route.len()];
        assert_eq!(Hints::parse_with(&text, &mut memory), Ok(hints), "{text}");
        assert_eq!(Hints::parse_with(&text, &mut [0; 200]), Ok(hints), "{text}");
    }
}

/// Whatever the text, an error lies within it or at its end, and hints are written as text that means the same.
#[test]
fn hostile_text() {
    let mut random = Random(6);
    let mut taken = 0;
    for _ in 0..ROUNDS {
        let (hints, route) = generated(&mut random);
        let mut text = hints.with_route(&route[..route.len().min(4)]).to_string().into_bytes();
        for _ in 0..random.below(3) {
            let at = random.below(text.len() as u64 + 1) as usize;
            let byte = b"0123456789abcdef,=/:%.- \0"[random.below(25) as usize];
            match random.below(3) {
                0 => text.insert(at, byte),
                1 if at < text.len() => text[at] = byte,
                _ => text.truncate(at),
            }
        }
        let text = core::str::from_utf8(&text).unwrap();
        match Hints::parse_with(text, &mut [0; 8]) {
            Ok(hints) => {
                taken += 1;
                assert_eq!(Hints::parse_with(&hints.to_string(), &mut [0; 8]), Ok(hints), "{text}");
            }
            Err(error) => match error.location() {
                Location::Text(offset) => assert!(offset <= text.len(), "{text}: {error}"),
                _ => panic!("{text}: {error}"),
            },
        }
    }
    assert!(taken > ROUNDS / 4, "{taken}");
}

#[test]
fn from_str_is_parse() {
    for text in ["", "passive,qp=rc", "family=ib,ps=ib", "nonsense", "route=00"] {
        assert_eq!(text.parse::<Hints<'_>>(), Hints::parse(text), "{text}");
    }
    assert_eq!("passive".parse(), Ok(Hints::new().passive()));
}

/// No word is taken for another that came before: all of them at once, and then one of them again.
#[test]
fn every_word_once() {
    let words = [
        "passive",
        "numeric-host",
        "no-route",
        "family",
        "sa",
        "dns",
        "route-only",
        "flags=0x40",
        "family=inet",
        "qp=rc",
        "ps=tcp",
        "src=192.0.2.9",
        "dst=192.0.2.7",
        "route=",
    ];
    let all = words.join(",");
    let flags = Flags::PUBLIC | Flags::ROUTE_ONLY | Flags::from_bits_retain(0x40);
    assert_eq!(Hints::parse(&all).map(|hints| hints.flags()), Ok(flags));
    let again =
        Error::new(ErrorKind::Invalid).because(Reason::DuplicateKey).at(Location::Text(all.len() + 1));
    for word in words {
        assert_eq!(Hints::parse(&std::format!("{all},{word}")), Err(again), "{word}");
    }
}
