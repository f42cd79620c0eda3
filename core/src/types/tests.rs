//! Names and numbers both ways.

use super::{Family, Flags, Gid, Pkey, PortSpace, QpType, ServiceId};
use crate::error::{Error, ErrorKind, Location, Reason};
use core::ffi::c_int;
use core::net::Ipv6Addr;
use std::format;
use std::string::{String, ToString};
use std::vec::Vec;

fn refused(reason: Reason) -> Error {
    Error::new(ErrorKind::Invalid).because(reason).at(Location::Text(0))
}

/// Numbers around the names, and the ends of a C `int`.
fn numbers() -> impl Iterator<Item = c_int> {
    let bits = (0..31).flat_map(|bit| [1 << bit, (1 << bit) - 1, -(1 << bit)]);
    let near = if cfg!(miri) { -2..12 } else { -300..1000 };
    near.chain(bits).chain([c_int::MIN, c_int::MIN + 1, c_int::MAX - 1, c_int::MAX])
}

macro_rules! word {
    ($test:ident, $ty:ident, $($value:literal $constant:ident $name:literal),+) => {
        #[test]
        fn $test() {
            let known: &[(c_int, $ty, &str)] = &[$(($value, $ty::$constant, $name)),+];
            for &(value, word, name) in known {
                assert_eq!((word.to_raw(), $ty::from_raw(value), word.name()), (value, word, Some(name)));
                assert_eq!((word.to_string(), format!("{word:?}")), (String::from(name), String::from(name)));
                let titled = format!("{}{}", name[..1].to_uppercase(), &name[1..]);
                let texts = [name.to_string(), name.to_uppercase(), titled, format!("{value}"), format!("0x{value:x}")];
                for text in texts {
                    assert_eq!(text.parse(), Ok(word), "{text}");
                }
            }
            assert_eq!($ty::NAMED.to_vec(), known.iter().map(|(_, word, _)| *word).collect::<Vec<_>>());
            assert_eq!($ty::default().to_raw(), 0);

            for value in numbers() {
                let word = $ty::from_raw(value);
                assert_eq!(word.to_raw(), value);
                assert_eq!(word.name(), known.iter().find(|known| known.0 == value).map(|known| known.2));
                assert_eq!(word.to_string(), word.name().map_or(format!("{value}"), String::from));
                assert_eq!(word.to_string().parse(), Ok(word));
                assert_eq!(format!("{value}").parse(), Ok(word));
            }

            for text in [
                "", "-", "--1", "+1", " 1", "1 ", "0x", "1x", "none", "2147483648", "-2147483649", "0x80000000",
                "9223372036854775808", "18446744073709551616", "rc\0", "inet\u{130}",
            ] {
                assert_eq!(text.parse::<$ty>(), Err(refused(Reason::UnknownWord)), "{text:?}");
            }
            for (_, _, name) in known {
                assert!(format!("{name}x").parse::<$ty>().is_err());
                assert!(name[1..].parse::<$ty>().is_err(), "{name}");
            }
        }
    };
}

word!(families, Family, 0 UNSPEC "unspec", 2 INET "inet", 10 INET6 "inet6", 27 IB "ib");
word!(qp_types, QpType, 0 ANY "any", 2 RC "rc", 3 UC "uc", 4 UD "ud", 8 RAW_PACKET "raw-packet",
    9 XRC_SEND "xrc-send", 10 XRC_RECV "xrc-recv", 255 DRIVER "driver");
word!(port_spaces, PortSpace, 0 ANY "any", 0x0002 IPOIB "ipoib", 0x0106 TCP "tcp", 0x0111 UDP "udp",
    0x013f IB "ib");

#[test]
fn a_negative_number_may_be_hex() {
    assert_eq!("-0x10".parse(), Ok(QpType::from_raw(-16)));
    assert_eq!("-2147483648".parse(), Ok(QpType::from_raw(c_int::MIN)));
    assert_eq!("-0x80000000".parse(), Ok(QpType::from_raw(c_int::MIN)));
}

#[test]
fn flags_by_name_and_number() {
    let named = [
        (Flags::PASSIVE, 0x1, "passive"),
        (Flags::NUMERIC_HOST, 0x2, "numeric-host"),
        (Flags::NO_ROUTE, 0x4, "no-route"),
        (Flags::FAMILY, 0x8, "family"),
        (Flags::SA, 0x10, "sa"),
        (Flags::DNS, 0x20, "dns"),
        (Flags::ROUTE_ONLY, 0x0100_0000, "route-only"),
    ];
    for (flag, raw, name) in named {
        assert_eq!((flag.to_raw(), Flags::from_raw(raw)), (raw, flag));
        assert_eq!((flag.to_string().as_str(), format!("{flag:?}").as_str()), (name, name));
        assert_eq!(flag.names().collect::<Vec<_>>(), [name]);
        assert_eq!(flag.unnamed(), 0);
    }
    assert_eq!(Flags::NAMED.to_vec(), named.map(|(flag, _, name)| (flag, name)));
    assert_eq!(Flags::PUBLIC.to_raw(), 0x3f);
    assert!(!Flags::PUBLIC.contains(Flags::ROUTE_ONLY));
    assert_eq!(Flags::default(), Flags::empty());
}

#[test]
fn flags_without_a_name_are_kept_and_shown() {
    let named = 0x0100_003f_u32;
    for bit in 0..32 {
        let flags = Flags::from_raw((1_u32 << bit).cast_signed());
        assert_eq!(flags.bits(), 1 << bit);
        assert_eq!(flags.unnamed(), (1 << bit) & !named);
    }
    for (raw, text) in [
        (0, "-"),
        (0x3, "passive|numeric-host"),
        (0x40, "0x40"),
        (0x0100_0048, "family|route-only|0x40"),
        (c_int::MIN, "0x80000000"),
        (-1, "passive|numeric-host|no-route|family|sa|dns|route-only|0xfeffffc0"),
    ] {
        let flags = Flags::from_raw(raw);
        assert_eq!((flags.to_raw(), flags.to_string().as_str()), (raw, text));
    }
}

#[test]
fn service_ids_of_ports() {
    // (uint64_t) ps << 16 + port, where ps is an unsigned 32-bit enum: a negative one is zero-extended.
    for (space, high) in [
        (PortSpace::ANY, 0),
        (PortSpace::IPOIB, 0x0002_0000),
        (PortSpace::TCP, 0x0106_0000),
        (PortSpace::UDP, 0x0111_0000),
        (PortSpace::IB, 0x013f_0000),
        (PortSpace::from_raw(0x1_0000), 0x0001_0000_0000),
        (PortSpace::from_raw(c_int::MAX), 0x7fff_ffff_0000),
        (PortSpace::from_raw(-1), 0xffff_ffff_0000),
        (PortSpace::from_raw(-2), 0xffff_fffe_0000),
        (PortSpace::from_raw(c_int::MIN), 0x8000_0000_0000),
    ] {
        for port in [0, 1, 0x00ff, 0x0100, 7471, 0x8000, u16::MAX] {
            let id = ServiceId::from_port(space, port);
            assert_eq!(id.to_raw(), high | u64::from(port), "{space} {port}");
            assert_eq!(id.port(), port);

            let space_bits = if high == 0 { 0 } else { 0xffff_ffff_ffff_0000 };
            let port_bits = if port == 0 { 0 } else { 0xffff };
            assert_eq!(ServiceId::mask_for(space, port), space_bits | port_bits, "{space} {port}");
        }
    }
}

#[test]
fn service_ids_as_text() {
    let id = ServiceId::from_port(PortSpace::TCP, 7471);
    assert_eq!(
        (id.to_string(), format!("{id:?}")),
        ("0x0000000001061d2f".into(), "0x0000000001061d2f".into())
    );
    for (text, raw) in [("0", 0), ("17177903", 0x0106_1d2f), ("0xFFFFffffFFFFffff", u64::MAX)] {
        assert_eq!(text.parse(), Ok(ServiceId::from_raw(raw)), "{text}");
    }
    for bit in 0..64 {
        let id = ServiceId::from_raw(1 << bit);
        assert_eq!(id.to_string().parse(), Ok(id));
        assert_eq!(u64::from(id.port()), id.to_raw() & 0xffff);
    }
    for text in ["", "0x", "-1", "18446744073709551616", "0x10000000000000000", "tcp", "1 "] {
        assert_eq!(text.parse::<ServiceId>(), Err(refused(Reason::NotNumber)), "{text:?}");
    }
}

#[test]
fn partition_keys() {
    let step = if cfg!(miri) { 255 } else { 1 };
    for key in (0..=u16::MAX).step_by(step) {
        let pkey = Pkey::from_raw(key);
        assert_eq!(pkey.to_raw(), key);
        assert_eq!(pkey.is_full_member(), key >= 0x8000);
        if key.is_power_of_two() || key == 0x7fff {
            assert_eq!(pkey.to_string(), format!("0x{key:04x}"));
            assert_eq!((pkey.to_string().parse(), key.to_string().parse()), (Ok(pkey), Ok(pkey)));
        }
    }
    assert_eq!((Pkey::DEFAULT.to_raw(), Pkey::default().to_raw()), (0xffff, 0));
    assert_eq!(format!("{:?}", Pkey::from_raw(0x12)), "0x0012");
    for text in ["", "65536", "0x10000", "-1", "0xffffffffffff0001", "full"] {
        assert_eq!(text.parse::<Pkey>(), Err(refused(Reason::NotNumber)), "{text:?}");
    }
}

#[test]
fn gids_as_text() {
    for (bits, text) in [
        (0, "::"),
        (1, "::1"),
        (0xfe80_0000_0000_0000_0000_0000_0000_0021, "fe80::21"),
        (0x2001_0db8_0000_0000_0001_0000_0000_0001, "2001:db8::1:0:0:1"),
        (0x2001_0db8_0000_0001_0001_0001_0001_0001, "2001:db8:0:1:1:1:1:1"),
        (0x0000_0000_0000_0000_0000_ffff_c000_0207, "::ffff:192.0.2.7"),
        (u128::MAX, "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"),
    ] {
        let gid = Gid::from_bits(bits);
        assert_eq!((gid.to_string().as_str(), format!("{gid:?}").as_str()), (text, text));
        assert_eq!(text.parse(), Ok(gid));
        assert_eq!(Ipv6Addr::from(gid).to_string(), text);
    }
    for text in
        ["", ":", "fe80::1%2", "fe80::1%ib0", "[::1]", "192.0.2.7", "::1 ", "1:2:3:4:5:6:7:8:9", "0x1"]
    {
        assert_eq!(text.parse::<Gid>(), Err(refused(Reason::NotGid)), "{text:?}");
    }
}

#[test]
fn gids_as_bits_octets_and_addresses() {
    let octets = [0xfe, 0x80, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15];
    let gid = Gid::from_octets(octets);
    assert_eq!(gid.to_bits(), 0xfe80_0203_0405_0607_0809_0a0b_0c0d_0e0f);
    assert_eq!((gid.octets(), Gid::from_bits(gid.to_bits())), (octets, gid));
    assert_eq!(Ipv6Addr::from(gid).octets(), octets);
    assert_eq!(Gid::from(Ipv6Addr::from(octets)), gid);
    assert_eq!((Gid::UNSPECIFIED, Gid::LOOPBACK), (Ipv6Addr::UNSPECIFIED.into(), Ipv6Addr::LOCALHOST.into()));
    assert_eq!(Gid::default(), Gid::UNSPECIFIED);
}
