//! `rdma_addrinfo_core::sockaddr`

use crate::opaque::{any, bytes, sink, text};
use crate::{derived, each, formats};
use core::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, SocketAddrV4, SocketAddrV6};
use core::str::FromStr;
use rdma_addrinfo_core::{Gid, Pkey, PortSpace, ServiceId, SockAddrBuf, SockAddrRef};

pub fn calls() {
    let v4 = any(SocketAddrV4::new(Ipv4Addr::LOCALHOST, 0));
    let v6 = any(SocketAddrV6::new(Ipv6Addr::LOCALHOST, 0, 0, 0));
    sink(SockAddrBuf::inet(any(0), any(0)));
    sink(SockAddrBuf::inet6(any(0), any(0), any(0), any(0)));
    sink(SockAddrBuf::ib(
        any(Gid::LOOPBACK),
        any(Pkey::DEFAULT),
        any(0),
        any(ServiceId::from_raw(0)),
        any(0),
        any(0),
    ));
    sink(SockAddrBuf::from_bytes(bytes()));
    sink(SockAddrBuf::from_ip(any(IpAddr::V4(Ipv4Addr::LOCALHOST)), any(0), any(0)));
    sink(<SockAddrBuf as From<SocketAddr>>::from(any(SocketAddr::V4(v4))));
    sink(<SockAddrBuf as From<SocketAddrV4>>::from(v4));
    sink(<SockAddrBuf as From<SocketAddrV6>>::from(v6));
    sink(<SockAddrBuf as FromStr>::from_str(text()));
    let buf = any(SockAddrBuf::NONE);
    each!(SockAddrBuf, &buf; family(), is_none(), len(), is_empty(), as_bytes(), get());
    each!(SockAddrBuf, buf; with_port(0, PortSpace::TCP));
    formats!(SockAddrBuf, buf; Display);
    derived!(SockAddrBuf, buf; Clone PartialEq Hash Default);

    let view = any(SockAddrRef::from_bytes(bytes()));
    each!(SockAddrRef, &view; as_bytes(), family(), port(), ip(), gid(), pkey(), service_id(), service_id_mask());
    each!(SockAddrRef, &view; flow_info(), scope_id(), needs_scope(), to_buf());
    sink(<SocketAddr as TryFrom<SockAddrRef<'_>>>::try_from(view));
    formats!(SockAddrRef<'_>, view; Display);
    derived!(SockAddrRef<'_>, view; Clone PartialEq Hash);
}
