//! Bytes in and out, and `core::net`.

use super::{ROUNDS, Random, c_address, counts};
use crate::error::{Error, ErrorKind, Reason};
use crate::sockaddr::{SockAddrBuf, SockAddrRef};
use crate::types::{Family, Gid, Pkey, PortSpace, ServiceId};
use core::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, SocketAddrV4, SocketAddrV6};
use std::vec;
use std::vec::Vec;

fn malformed<T>() -> Result<T, Error> {
    Err(Error::new(ErrorKind::Invalid).because(Reason::SockAddrLength))
}

fn inet() -> SockAddrBuf {
    SockAddrBuf::inet(0xc000_0207, 7471)
}

fn inet6() -> SockAddrBuf {
    SockAddrBuf::inet6(0xfe80 << 112 | 0xab, 7471, 0x0012_3456, 0x0102_0304)
}

fn ib() -> SockAddrBuf {
    let gid = Gid::from_bits(0xfe80 << 112 | 0x21);
    let sid = ServiceId::from_raw(0x0000_0000_0106_1d2f);
    SockAddrBuf::ib(
        gid,
        Pkey::from_raw(0x8001),
        0x000a_bcde,
        sid,
        0xffff_ffff_ffff_0000,
        0x0102_0304_0506_0708,
    )
}

#[test]
fn inet_is_a_sockaddr_in() {
    let address = inet();
    assert_eq!(address.as_bytes(), c_address(2, "1d2f c0000207 0000000000000000"));
    assert_eq!((address.len(), address.family()), (16, Family::INET));
    let view = address.get().unwrap();
    assert!(matches!(view, SockAddrRef::Inet(_)));
    assert_eq!((view.port(), view.flow_info(), view.scope_id()), (7471, 0, 0));
    assert_eq!(view.ip(), Some(IpAddr::V4(Ipv4Addr::new(192, 0, 2, 7))));
    assert_eq!(
        (view.gid(), view.pkey(), view.service_id(), view.service_id_mask()),
        (None, None, None, None)
    );
}

#[test]
fn inet6_is_a_sockaddr_in6() {
    let address = inet6();
    let mut expected = c_address(10, "1d2f 00123456 fe8000000000000000000000000000ab");
    expected.extend(0x0102_0304_u32.to_ne_bytes());
    assert_eq!(address.as_bytes(), expected);
    assert_eq!((address.len(), address.family()), (28, Family::INET6));
    let view = address.get().unwrap();
    assert!(matches!(view, SockAddrRef::Inet6(_)));
    assert_eq!((view.port(), view.flow_info(), view.scope_id()), (7471, 0x0012_3456, 0x0102_0304));
    assert_eq!(view.ip(), Some(IpAddr::V6(Ipv6Addr::new(0xfe80, 0, 0, 0, 0, 0, 0, 0xab))));
    assert_eq!(
        (view.gid(), view.pkey(), view.service_id(), view.service_id_mask()),
        (None, None, None, None)
    );
}

#[test]
fn ib_is_a_sockaddr_ib() {
    let address = ib();
    let mut expected =
        c_address(27, "8001 000abcde fe800000000000000000000000000021 0000000001061d2f ffffffffffff0000");
    expected.extend(0x0102_0304_0506_0708_u64.to_ne_bytes());
    assert_eq!(address.as_bytes(), expected);
    assert_eq!((address.len(), address.family()), (48, Family::IB));
    let view = address.get().unwrap();
    assert!(matches!(view, SockAddrRef::Ib(_)));
    assert_eq!(
        (view.port(), view.flow_info(), view.scope_id()),
        (0x1d2f, 0x000a_bcde, 0x0102_0304_0506_0708)
    );
    assert_eq!(view.ip(), None);
    assert_eq!(view.gid(), Some(Gid::from_bits(0xfe80 << 112 | 0x21)));
    assert_eq!(view.pkey(), Some(Pkey::from_raw(0x8001)));
    assert_eq!(view.service_id(), Some(ServiceId::from_raw(0x0106_1d2f)));
    assert_eq!(view.service_id_mask(), Some(0xffff_ffff_ffff_0000));
}

#[test]
fn none_is_nothing() {
    let none = SockAddrBuf::NONE;
    assert_eq!((none.len(), none.family(), none.as_bytes()), (0, Family::UNSPEC, &[][..]));
    assert!(none.is_none() && none.is_empty() && none.get().is_none());
    assert_eq!(none, SockAddrBuf::default());
    for address in [inet(), inet6(), ib()] {
        assert!(!address.is_none() && !address.is_empty());
        assert_ne!(address, none);
    }
}

/// Every family at every length up to beyond `sockaddr_ib`: taken when the length is that of the family, and
/// then byte for byte.
#[test]
fn lengths_are_exact() {
    let families: Vec<u16> = if cfg!(miri) { vec![0, 1, 2, 3, 10, 27, 0xffff] } else { (0..512).collect() };
    let mut taken = 0;
    for family in families {
        for len in (0..=64).filter(|len| counts(*len, &[0, 2, 16, 28, 48])) {
            let mut bytes: Vec<u8> = (0..len).map(|at| at as u8 ^ 0xa5).collect();
            for (byte, value) in bytes.iter_mut().zip(family.to_ne_bytes()) {
                *byte = value;
            }
            let fits = matches!((family, len), (2, 16) | (10, 28) | (27, 48));
            match SockAddrBuf::from_bytes(&bytes) {
                Ok(address) => {
                    assert!(fits, "family {family}, {len} bytes");
                    assert_eq!(address.as_bytes(), bytes);
                    assert_eq!(address.get(), Some(SockAddrRef::from_bytes(&bytes)));
                    taken += 1;
                }
                error => {
                    assert!(!fits, "family {family}, {len} bytes");
                    assert_eq!(error, malformed());
                }
            }

            // A view takes longer bytes, which it does not look at, and gives shorter ones back as they are.
            let view = SockAddrRef::from_bytes(&bytes);
            let needed = match family {
                2 => 16,
                10 => 28,
                27 => 48,
                _ => usize::MAX,
            };
            if len >= needed {
                assert_eq!(view.as_bytes(), &bytes[..needed]);
                assert_eq!(view.to_buf().unwrap().as_bytes(), &bytes[..needed]);
            } else {
                assert_eq!(view, SockAddrRef::Other(&bytes));
                assert_eq!(view.as_bytes(), bytes);
                assert_eq!(view.to_buf(), malformed());
                assert_eq!((view.port(), view.scope_id(), view.flow_info(), view.ip()), (0, 0, 0, None));
            }
            let said = if len < 2 { Family::UNSPEC } else { Family::from_raw(i32::from(family)) };
            assert_eq!(view.family(), said);
        }
    }
    assert_eq!(taken, 3);
}

#[test]
fn a_view_needs_no_alignment() {
    for address in [inet(), inet6(), ib()] {
        for shift in 0..8 {
            let mut memory = [0xee_u8; 64];
            memory[shift..shift + address.len()].copy_from_slice(address.as_bytes());
            let bytes = &memory[shift..shift + address.len()];
            assert_eq!(SockAddrBuf::from_bytes(bytes), Ok(address));
            assert_eq!(Some(SockAddrRef::from_bytes(bytes)), address.get());
        }
    }
}

#[test]
fn bytes_round_trip() {
    let mut random = Random(1);
    for _ in 0..ROUNDS {
        let address = random.address();
        match address.get() {
            None => assert_eq!(SockAddrBuf::from_bytes(address.as_bytes()), malformed()),
            Some(view) => {
                assert_eq!(view.to_buf(), Ok(address));
                assert_eq!(SockAddrBuf::from_bytes(view.as_bytes()), Ok(address));
            }
        }
    }
}

/// Bytes that differ are addresses that differ, padding included: they are what C is handed.
#[test]
fn equality_is_of_bytes() {
    for address in [inet(), inet6(), ib()] {
        for at in 2..address.len() {
            let mut bytes = address.as_bytes().to_vec();
            bytes[at] ^= 1;
            assert_ne!(SockAddrBuf::from_bytes(&bytes), Ok(address), "byte {at}");
        }
    }
}

#[test]
fn core_net_round_trip() {
    let v4 = SocketAddrV4::new(Ipv4Addr::new(192, 0, 2, 7), 7471);
    assert_eq!(SockAddrBuf::from(v4), inet());
    let v6 = SocketAddrV6::new("fe80::ab".parse().unwrap(), 7471, 0x0012_3456, 0x0102_0304);
    assert_eq!(SockAddrBuf::from(v6), inet6());

    let mut random = Random(2);
    for _ in 0..ROUNDS {
        let address = random.address();
        let Some(view) = address.get() else { continue };
        match SocketAddr::try_from(view) {
            Ok(socket) => {
                assert_eq!(SockAddrBuf::from(socket), address);
                assert_eq!((Some(socket.ip()), socket.port()), (view.ip(), view.port()));
            }
            Err(error) => {
                assert_eq!((view.family(), error.kind()), (Family::IB, ErrorKind::Family));
            }
        }
    }
    let other = SocketAddr::try_from(SockAddrRef::from_bytes(&[2, 0, 0]));
    assert_eq!(other, Err(Error::new(ErrorKind::Family)));
}

#[test]
fn from_ip() {
    let v4 = SockAddrBuf::from_ip(IpAddr::V4(Ipv4Addr::new(192, 0, 2, 7)), 7471, 9);
    assert_eq!(v4, inet(), "IPv4 has no scope");
    let v6 = SockAddrBuf::from_ip(IpAddr::V6("fe80::ab".parse().unwrap()), 80, 9);
    assert_eq!(v6, SockAddrBuf::inet6(0xfe80 << 112 | 0xab, 80, 0, 9));
}

#[test]
fn with_port() {
    assert_eq!(inet().with_port(80, PortSpace::UDP), SockAddrBuf::inet(0xc000_0207, 80));
    let expected = SockAddrBuf::inet6(0xfe80 << 112 | 0xab, 80, 0x0012_3456, 0x0102_0304);
    assert_eq!(inet6().with_port(80, PortSpace::UDP), expected);
    assert_eq!(SockAddrBuf::NONE.with_port(80, PortSpace::UDP), SockAddrBuf::NONE);

    for (space, port, sid, mask) in [
        (PortSpace::UDP, 80, 0x0111_0050, u64::MAX),
        (PortSpace::UDP, 0, 0x0111_0000, 0xffff_ffff_ffff_0000),
        (PortSpace::ANY, 80, 0x50, 0xffff),
        (PortSpace::ANY, 0, 0, 0),
    ] {
        let address = ib().with_port(port, space);
        let view = address.get().unwrap();
        assert_eq!(view.service_id(), Some(ServiceId::from_raw(sid)));
        assert_eq!(view.service_id_mask(), Some(mask));
        let kept = |view: SockAddrRef<'_>| (view.gid(), view.pkey(), view.flow_info(), view.scope_id());
        assert_eq!(kept(view), kept(ib().get().unwrap()));
    }
}

#[test]
fn link_local_addresses_need_a_scope() {
    let needs = |address: SockAddrBuf| address.get().unwrap().needs_scope();
    for (high, needed) in [
        (0xfe80_u128, true),
        (0xfebf, true),
        (0xfec0, false),
        (0xfe7f, false),
        (0xff02, true),
        (0xff12, true),
        (0xff01, false),
        (0xff05, false),
        (0x2001, false),
        (0, false),
    ] {
        assert_eq!(needs(SockAddrBuf::inet6(high << 112 | 1, 7471, 0, 0)), needed, "{high:x}::1");
        assert!(!needs(SockAddrBuf::inet6(high << 112 | 1, 7471, 0, 1)), "{high:x}::1%1");
    }
    assert!(!needs(inet()) && !needs(ib()));
    let gid = Gid::from_bits(0xfe80 << 112 | 1);
    assert!(!needs(SockAddrBuf::ib(gid, Pkey::DEFAULT, 0, ServiceId::from_raw(0), 0, 0)));
}
