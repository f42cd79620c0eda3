//! Bytes of socket addresses: views stay inside, owned copies are exact, text and core::net give them back.

use rdma_addrinfo_core::{Family, PortSpace, ServiceId, SockAddrBuf, SockAddrRef};
use std::net::SocketAddr;

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
