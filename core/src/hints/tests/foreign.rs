//! Hints from C, hostile ones among them.
#![allow(unsafe_code, reason = "makes hints as C does")]

use crate::abi::rdma_addrinfo;
use crate::error::{CCode, Error, ErrorKind, Field, Location, Reason};
use crate::foreign::RawAddrInfo;
use crate::hints::Hints;
use crate::sockaddr::SockAddrBuf;
use crate::sockaddr::tests::{ROUNDS, Random, counts};
use crate::types::{Family, Flags, Gid, Pkey, PortSpace, QpType, ServiceId};
use core::ffi::c_void;
use core::ptr;

fn read(c: &rdma_addrinfo) -> Result<Hints<'_>, Error> {
    // SAFETY: a reference is aligned, initialized and unchanged while it lives; the tests below let each pointer
    // be null or lead to at least as many bytes as its length says, for longer than the hints are used, leave the
    // names null, and let `ai_next` be null or lead to the structure itself.
    let foreign = unsafe { RawAddrInfo::from_ptr(c) };
    Hints::from_raw(foreign.unwrap())
}

fn start(bytes: &[u8]) -> *mut c_void {
    bytes.as_ptr().cast_mut().cast()
}

fn invalid<T>(reason: Reason, field: Field) -> Result<T, Error> {
    Err(Error::new(ErrorKind::Invalid).because(reason).at(Location::Hints(field)))
}

fn addresses() -> [SockAddrBuf; 3] {
    let gid = Gid::from_bits(0xfe80 << 112 | 1);
    [
        SockAddrBuf::inet(0xc000_0209, 7471),
        SockAddrBuf::inet6(1, 7471, 3, 4),
        SockAddrBuf::ib(gid, Pkey::DEFAULT, 5, ServiceId::from_raw(6), 7, 8),
    ]
}

#[test]
fn zero_is_nothing() {
    assert_eq!(read(&rdma_addrinfo::ZERO), Ok(Hints::new()));
}

/// Every value as it is: whether it is one that can be resolved is for the policy to say.
#[test]
fn values_are_kept() {
    let route = [1, 2, 3];
    let [src, dst, _] = addresses();
    let c = rdma_addrinfo {
        ai_flags: i32::MIN | 0x41,
        ai_family: 99,
        ai_qp_type: -7,
        ai_port_space: i32::MAX,
        ai_src_len: 16,
        ai_src_addr: start(src.as_bytes()),
        ai_dst_len: 28,
        ai_dst_addr: start(dst.as_bytes()),
        ai_route_len: 3,
        ai_route: start(&route),
        ..rdma_addrinfo::ZERO
    };
    let expected = Hints::new()
        .with_flags(Flags::from_bits_retain(0x8000_0041))
        .with_family(Family::from_raw(99))
        .with_qp_type(QpType::from_raw(-7))
        .with_port_space(PortSpace::from_raw(i32::MAX))
        .with_src_addr(src)
        .with_dst_addr(dst)
        .with_route(&route);
    assert_eq!(read(&c), Ok(expected));
}

/// What no memory has is not looked at.
#[test]
fn a_route_longer_than_memory() {
    let bytes = [0; 72];
    for len in [isize::MAX.unsigned_abs() + 1, usize::MAX] {
        let c = rdma_addrinfo { ai_route_len: len, ai_route: start(&bytes), ..rdma_addrinfo::ZERO };
        assert_eq!(read(&c), invalid(Reason::RouteHintLength, Field::Route));
        // SAFETY: as in `read`; the length is above isize::MAX.
        let foreign = unsafe { RawAddrInfo::from_ptr(&raw const c) }.unwrap();
        assert_eq!(foreign.route_bytes(), &[]);
    }
}

/// Nor is an address, where a `u32` says more than memory has: it is wrong, and not as if there were none.
#[cfg(target_pointer_width = "32")]
#[test]
fn an_address_longer_than_memory() {
    let [inet, ..] = addresses();
    let start = start(inet.as_bytes());
    for len in [1 << 31, u32::MAX] {
        let src = rdma_addrinfo { ai_src_len: len, ai_src_addr: start, ..rdma_addrinfo::ZERO };
        assert_eq!(read(&src), invalid(Reason::SockAddrLength, Field::Source));
        let dst = rdma_addrinfo { ai_dst_len: len, ai_dst_addr: start, ..rdma_addrinfo::ZERO };
        assert_eq!(read(&dst), invalid(Reason::SockAddrLength, Field::Destination));
    }
}

#[test]
fn null_with_a_length() {
    for len in [1, 16, 28, 48, u32::MAX] {
        let src = rdma_addrinfo { ai_src_len: len, ..rdma_addrinfo::ZERO };
        assert_eq!(read(&src), invalid(Reason::NullWithLength, Field::Source));
        let dst = rdma_addrinfo { ai_dst_len: len, ..rdma_addrinfo::ZERO };
        assert_eq!(read(&dst), invalid(Reason::NullWithLength, Field::Destination));
        assert_eq!(read(&dst).unwrap_err().to_c(), CCode::Errno(22));
    }
    for len in [1, 64, 72, usize::MAX] {
        let route = rdma_addrinfo { ai_route_len: len, ..rdma_addrinfo::ZERO };
        assert_eq!(read(&route), invalid(Reason::NullWithLength, Field::Route));
    }
}

#[test]
fn a_pointer_without_a_length_is_nothing() {
    // One past the end: nothing may be read there.
    let bytes = [0xee_u8; 1];
    let end = bytes.as_ptr_range().end.cast_mut().cast();
    let c = rdma_addrinfo { ai_src_addr: end, ai_dst_addr: end, ai_route: end, ..rdma_addrinfo::ZERO };
    assert_eq!(read(&c), Ok(Hints::new()));
}

/// A length is that of the family to the byte, for each family, other families and no family at all.
#[test]
fn lengths_are_exact() {
    for family in [0, 1, 2, 10, 27, 99, 0xffff_u16] {
        let mut bytes = [0x5a_u8; 300];
        for (byte, value) in bytes.iter_mut().zip(family.to_ne_bytes()) {
            *byte = value;
        }
        for len in (1..=300).filter(|len| counts(*len, &[2, 16, 28, 48, 128, 300])) {
            let (start, ai_len) = (start(&bytes), u32::try_from(len).unwrap());
            let src = rdma_addrinfo { ai_src_addr: start, ai_src_len: ai_len, ..rdma_addrinfo::ZERO };
            let dst = rdma_addrinfo { ai_dst_addr: start, ai_dst_len: ai_len, ..rdma_addrinfo::ZERO };
            if matches!((family, len), (2, 16) | (10, 28) | (27, 48)) {
                let address = SockAddrBuf::from_bytes(&bytes[..len]).unwrap();
                assert_eq!(address.as_bytes(), &bytes[..len]);
                assert_eq!(read(&src), Ok(Hints::new().with_src_addr(address)));
                assert_eq!(read(&dst), Ok(Hints::new().with_dst_addr(address)));
            } else {
                assert_eq!(read(&src), invalid(Reason::SockAddrLength, Field::Source), "{family}, {len}");
                assert_eq!(
                    read(&dst),
                    invalid(Reason::SockAddrLength, Field::Destination),
                    "{family}, {len}"
                );
            }
        }
    }
}

/// The rest of the structure is not about hints: it may say anything that C can read.
#[test]
fn other_fields_are_ignored() {
    let mut c = rdma_addrinfo { ai_connect_len: 36, ai_connect: ptr::null_mut(), ..rdma_addrinfo::ZERO };
    let itself: *mut rdma_addrinfo = &raw mut c;
    c.ai_next = itself;
    assert_eq!(read(&c), Ok(Hints::new()));
}

/// The addresses are copied, the route is borrowed in place.
#[test]
fn copies_and_borrows() {
    let route = [9; 64];
    let [_, _, src] = addresses();
    let c = rdma_addrinfo {
        ai_src_len: 48,
        ai_src_addr: start(src.as_bytes()),
        ai_route_len: route.len(),
        ai_route: start(&route),
        ..rdma_addrinfo::ZERO
    };
    let hints = read(&c).unwrap();
    assert_eq!(*hints.src_addr(), src);
    assert!(!ptr::eq(hints.src_addr().as_bytes(), src.as_bytes()));
    assert!(ptr::eq(hints.route(), &route[..]));
}

/// What the builder makes and what C says are the same, at any alignment of the addresses.
#[test]
fn as_the_builder() {
    let mut random = Random(7);
    for _ in 0..ROUNDS {
        let (src, dst) = (random.address(), random.address());
        let (flags, family, qp_type, port_space) =
            (random.number() as i32, random.number() as i32, random.number() as i32, random.number() as i32);
        let mut memory = [0; 128];
        let at = random.below(8) as usize;
        memory[at..at + src.len()].copy_from_slice(src.as_bytes());
        memory[64 + at..64 + at + dst.len()].copy_from_slice(dst.as_bytes());
        let c = rdma_addrinfo {
            ai_flags: flags,
            ai_family: family,
            ai_qp_type: qp_type,
            ai_port_space: port_space,
            ai_src_len: src.len() as u32,
            ai_src_addr: start(&memory[at..]),
            ai_dst_len: dst.len() as u32,
            ai_dst_addr: start(&memory[64 + at..]),
            ..rdma_addrinfo::ZERO
        };
        let built = Hints::new()
            .with_flags(Flags::from_raw(flags))
            .with_family(Family::from_raw(family))
            .with_qp_type(QpType::from_raw(qp_type))
            .with_port_space(PortSpace::from_raw(port_space))
            .with_src_addr(src)
            .with_dst_addr(dst);
        assert_eq!(read(&c), Ok(built));
    }
}
