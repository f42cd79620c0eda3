//! Whole lists and whole errors as plain values, and the bytes that they should hold, made without the library.

use rdma_addrinfo_core::{
    AddrInfo, AddrInfoList, CCode, Error, ErrorKind, Family, Flags, Location, NoRoute, PortSpace, QpType,
    Reason, RouteStatus,
};
use std::ffi::CString;
use std::net::{Ipv6Addr, SocketAddr};

/// All that one entry tells.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Whole {
    pub(super) flags: Flags,
    pub(super) family: Family,
    pub(super) qp_type: QpType,
    pub(super) port_space: PortSpace,
    pub(super) src: Vec<u8>,
    pub(super) dst: Vec<u8>,
    pub(super) src_canonname: Option<CString>,
    pub(super) dst_canonname: Option<CString>,
    pub(super) route: Vec<u8>,
    pub(super) route_status: RouteStatus,
    pub(super) connect_data: Vec<u8>,
    pub(super) needs_scope: bool,
    pub(super) user_private_data: Option<usize>,
}

/// A whole list.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct List {
    pub(super) entries: Vec<Whole>,
    pub(super) truncated: bool,
}

/// All that an error tells.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Fault {
    kind: ErrorKind,
    reason: Reason,
    location: Location,
    c: CCode,
}

impl Whole {
    pub(super) fn of(info: AddrInfo<'_>) -> Self {
        let bytes = |address: Option<rdma_addrinfo_core::SockAddrRef<'_>>| {
            address.map_or(Vec::new(), |a| a.as_bytes().to_vec())
        };
        let route = info.route();
        let route: Vec<u8> = route.iter().flat_map(|path| *path.as_bytes()).collect();
        assert_eq!(route, info.route_bytes());
        assert_eq!(info.is_passive(), info.flags() == Flags::PASSIVE);
        assert!(info.as_raw().is_none());
        Self {
            flags: info.flags(),
            family: info.family(),
            qp_type: info.qp_type(),
            port_space: info.port_space(),
            src: bytes(info.src_addr()),
            dst: bytes(info.dst_addr()),
            src_canonname: info.src_canonname().map(CString::from),
            dst_canonname: info.dst_canonname().map(CString::from),
            route,
            route_status: info.route_status(),
            connect_data: info.connect_data().to_vec(),
            needs_scope: info.needs_scope(),
            user_private_data: info.user_private_data(),
        }
    }

    /// The same entry with QP type, port space and what the latter leaves of private data.
    pub(super) fn transport(self, qp_type: QpType, port_space: PortSpace, user_private_data: usize) -> Self {
        Self { qp_type, port_space, user_private_data: Some(user_private_data), ..self }
    }

    pub(super) fn from(self, src: Vec<u8>) -> Self {
        Self { src, ..self }
    }

    /// With a route, which is these paths.
    pub(super) fn along<const N: usize>(self, paths: [[u8; 72]; N]) -> Self {
        Self { route: paths.concat(), route_status: RouteStatus::Found, ..self }
    }

    /// With connect data, which leaves as much for the user as that of an IP entry.
    pub(super) fn connect_data(self, connect_data: Vec<u8>) -> Self {
        let user_private_data = self.user_private_data.map(|left| left - 36);
        Self { connect_data, user_private_data, ..self }
    }

    pub(super) fn route_status(self, route_status: RouteStatus) -> Self {
        Self { route_status, ..self }
    }
}

impl List {
    pub(super) fn of(list: AddrInfoList<'_>) -> Self {
        let entries: Vec<_> = list.iter().map(Whole::of).collect();
        assert_eq!(list.len(), entries.len());
        assert_eq!(list.is_empty(), entries.is_empty());
        assert_eq!(list.first().map(Whole::of).as_ref(), entries.first());
        Self { entries, truncated: list.is_truncated() }
    }
}

impl From<Error> for Fault {
    fn from(error: Error) -> Self {
        Self { kind: error.kind(), reason: error.reason(), location: error.location(), c: error.to_c() }
    }
}

/// An entry to connect by: RC and TCP, a route asked for and not had, no source.
pub(super) fn to(dst: Vec<u8>) -> Whole {
    let family = family_of(&dst);
    Whole {
        flags: Flags::empty(),
        family,
        qp_type: QpType::RC,
        port_space: PortSpace::TCP,
        src: Vec::new(),
        dst,
        src_canonname: None,
        dst_canonname: None,
        route: Vec::new(),
        route_status: RouteStatus::Missing(NoRoute::Unavailable),
        connect_data: Vec::new(),
        needs_scope: false,
        user_private_data: Some(if family == Family::IB { 92 } else { 56 }),
    }
}

/// An entry to listen on: RC and TCP.
pub(super) fn on(src: Vec<u8>) -> Whole {
    let listening = to(src);
    Whole {
        flags: Flags::PASSIVE,
        src: listening.dst,
        dst: Vec::new(),
        route_status: RouteStatus::NotAsked,
        ..listening
    }
}

/// A list with all there is.
pub(super) fn list<const N: usize>(entries: [Whole; N]) -> Result<List, Fault> {
    Ok(List { entries: entries.to_vec(), truncated: false })
}

/// A list in which something is missing.
pub(super) fn truncated<const N: usize>(entries: [Whole; N]) -> Result<List, Fault> {
    Ok(List { entries: entries.to_vec(), truncated: true })
}

/// A refusal, with the code of glibc or Linux for its kind.
pub(super) fn refused(kind: ErrorKind, reason: Reason, location: Location) -> Result<List, Fault> {
    let c = match kind {
        ErrorKind::BadFlags => CCode::Eai(-1),
        ErrorKind::NoName | ErrorKind::NotLiteral => CCode::Eai(-2),
        ErrorKind::Again => CCode::Eai(-3),
        ErrorKind::Fail => CCode::Eai(-4),
        ErrorKind::NoData => CCode::Eai(-5),
        ErrorKind::Family => CCode::Eai(-6),
        ErrorKind::QpType => CCode::Eai(-7),
        ErrorKind::Service => CCode::Eai(-8),
        ErrorKind::AddrFamily => CCode::Eai(-9),
        ErrorKind::Memory => CCode::Eai(-10),
        ErrorKind::Invalid => CCode::Errno(22),
        ErrorKind::NoDevice => CCode::Errno(19),
        ErrorKind::NotSupported => CCode::Errno(95),
        ErrorKind::TimedOut => CCode::Errno(110),
        other => panic!("no code for {other:?}"),
    };
    Err(Fault { kind, reason, location, c })
}

/// A refusal that sets `errno`.
pub(super) fn refused_with_errno(
    kind: ErrorKind,
    reason: Reason,
    location: Location,
    errno: i32,
) -> Result<List, Fault> {
    Err(Fault { kind, reason, location, c: CCode::Errno(errno) })
}

/// The `sockaddr_in` or `sockaddr_in6` of `192.0.2.7:7471` or `[fe80::1%3]:7471`.
pub(super) fn ip(text: &str) -> Vec<u8> {
    ip_bytes(text.parse().expect("an IP address and a port"))
}

pub(super) fn ip_bytes(address: SocketAddr) -> Vec<u8> {
    let mut bytes = Vec::new();
    match address {
        SocketAddr::V4(v4) => {
            bytes.extend(2_u16.to_ne_bytes());
            bytes.extend(v4.port().to_be_bytes());
            bytes.extend(v4.ip().octets());
            bytes.extend([0; 8]);
            assert_eq!(bytes.len(), 16);
        }
        SocketAddr::V6(v6) => {
            bytes.extend(10_u16.to_ne_bytes());
            bytes.extend(v6.port().to_be_bytes());
            bytes.extend(v6.flowinfo().to_be_bytes());
            bytes.extend(v6.ip().octets());
            bytes.extend(v6.scope_id().to_ne_bytes());
            assert_eq!(bytes.len(), 28);
        }
    }
    bytes
}

/// A `sockaddr_ib`.
pub(super) fn ib(gid: &str, pkey: u16, flow_label: u32, sid: u64, mask: u64, scope_id: u64) -> Vec<u8> {
    let gid: Ipv6Addr = gid.parse().expect("a GID");
    let mut bytes = Vec::new();
    bytes.extend(27_u16.to_ne_bytes());
    bytes.extend(pkey.to_be_bytes());
    bytes.extend(flow_label.to_be_bytes());
    bytes.extend(gid.octets());
    bytes.extend(sid.to_be_bytes());
    bytes.extend(mask.to_be_bytes());
    bytes.extend(scope_id.to_ne_bytes());
    assert_eq!(bytes.len(), 48);
    bytes
}

/// The `sockaddr_ib` of a GID literal with port 7471 in the TCP port space.
pub(super) fn gid(gid: &str) -> Vec<u8> {
    ib(gid, 0xffff, 0, 0x0106_1d2f, u64::MAX, 0)
}

fn family_of(bytes: &[u8]) -> Family {
    match bytes.len() {
        16 => Family::INET,
        28 => Family::INET6,
        48 => Family::IB,
        other => panic!("no address has {other} bytes"),
    }
}
