//! Bytes of socket addresses: views stay inside, owned copies are exact, text and core::net give them back.

use rdma_addrinfo_core::{Family, PortSpace, ServiceId, SockAddrBuf, SockAddrRef};
use std::net::{IpAddr, SocketAddr};

/// Checks one input.
pub fn check(bytes: &[u8]) {
    let view = SockAddrRef::from_bytes(bytes);
    let seen = view.as_bytes();
    assert!(bytes.starts_with(seen));
    let known = match view.family() {
        Family::INET => 16,
        Family::INET6 => 28,
        Family::IB => 48,
        _ => usize::MAX,
    };
    let fits = bytes.len() >= known;
    assert_eq!(seen.len(), if fits { known } else { bytes.len() });
    assert_eq!(matches!(view, SockAddrRef::Other(_)), !fits);
    assert_eq!(view.to_buf().is_ok(), fits);
    assert_eq!(view.gid().is_some(), fits && view.family() == Family::IB);
    assert_eq!(view.ip().is_some(), fits && view.family() != Family::IB);
    assert!(!view.to_string().is_empty());
    if fits {
        fields(view);
    }

    let exact = bytes.len() == known;
    let Ok(address) = SockAddrBuf::from_bytes(bytes) else {
        assert!(!exact);
        return;
    };
    assert!(exact);
    assert_eq!(address.as_bytes(), bytes);
    assert_eq!(address.get(), Some(view));
    assert_eq!(address.to_string(), view.to_string());

    // sin_zero has no text; everything else has.
    let mut told = [0; 48];
    let meaning = if view.family() == Family::INET { 8 } else { known };
    told[..meaning].copy_from_slice(&bytes[..meaning]);
    let read: SockAddrBuf = view.to_string().parse().expect("what was written can be read");
    assert_eq!(read.as_bytes(), &told[..known], "{view}");
    if let Ok(ip) = SocketAddr::try_from(view) {
        assert_eq!(SockAddrBuf::from(ip), read);
        assert_eq!((Some(ip.ip()), ip.port()), (view.ip(), view.port()));
    }

    let moved = address.with_port(7471, PortSpace::TCP);
    let moved = moved.get().expect("it still is an address");
    assert_eq!((moved.port(), moved.family()), (7471, view.family()));
    assert_eq!((moved.ip(), moved.gid(), moved.pkey()), (view.ip(), view.gid(), view.pkey()));
    assert_eq!((moved.flow_info(), moved.scope_id()), (view.flow_info(), view.scope_id()));
    if view.family() == Family::IB {
        assert_eq!(moved.service_id(), Some(ServiceId::from_port(PortSpace::TCP, 7471)));
    }
}

/// Each field as its bytes say: addresses, ports and the like in network byte order, scopes in the machine's.
fn fields(view: SockAddrRef<'_>) {
    fn be<const N: usize>(view: SockAddrRef<'_>, at: usize) -> u128 {
        view.as_bytes()[at..at + N].iter().fold(0, |value, byte| value << 8 | u128::from(*byte))
    }
    fn own<const N: usize>(view: SockAddrRef<'_>, at: usize) -> [u8; N] {
        view.as_bytes()[at..].first_chunk().copied().expect("within the address")
    }
    let ip = view.ip().map(|ip| match ip {
        IpAddr::V4(ip) => u128::from(ip.to_bits()),
        IpAddr::V6(ip) => ip.to_bits(),
    });
    let ib = (view.gid().map(|gid| gid.to_bits()), view.pkey().map(|pkey| u128::from(pkey.to_raw())));
    let service =
        (view.service_id().map(|id| u128::from(id.to_raw())), view.service_id_mask().map(u128::from));
    let (port, flow) = (u128::from(view.port()), u128::from(view.flow_info()));
    let none = ((None, None), (None, None));
    match view.family() {
        Family::INET => {
            assert_eq!((ip, port, flow), (Some(be::<4>(view, 4)), be::<2>(view, 2), 0));
            assert_eq!((view.scope_id(), (ib, service)), (0, none));
        }
        Family::INET6 => {
            assert_eq!((ip, port, flow), (Some(be::<16>(view, 8)), be::<2>(view, 2), be::<4>(view, 4)));
            assert_eq!((view.scope_id(), (ib, service)), (u32::from_ne_bytes(own(view, 24)).into(), none));
        }
        _ => {
            assert_eq!((ip, port, flow), (None, be::<2>(view, 30), be::<4>(view, 4)));
            assert_eq!(ib, (Some(be::<16>(view, 8)), Some(be::<2>(view, 2))));
            assert_eq!(service, (Some(be::<8>(view, 24)), Some(be::<8>(view, 32))));
            assert_eq!(view.scope_id(), u64::from_ne_bytes(own(view, 40)));
        }
    }
}
