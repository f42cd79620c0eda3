//! Hints of a row, and an entry of a recorded answer; for each test program that has Rust read and write these.

use super::hex::hex;
use rdma_addrinfo_core::{AddrInfo, Family, Flags, Hints, PortSpace, QpType, SockAddrBuf, SockAddrRef};

/// Hints of flags, family, QP type and port space, and the bytes of two addresses and a route.
pub(crate) fn hints<'a>(words: [i32; 4], src: &[u8], dst: &[u8], route: &'a [u8]) -> Hints<'a> {
    let [flags, family, qp_type, port_space] = words;
    let address = |bytes: &[u8]| match bytes {
        [] => SockAddrBuf::NONE,
        bytes => SockAddrBuf::from_bytes(bytes).unwrap(),
    };
    Hints::new()
        .with_flags(Flags::from_raw(flags))
        .with_family(Family::from_raw(family))
        .with_qp_type(QpType::from_raw(qp_type))
        .with_port_space(PortSpace::from_raw(port_space))
        .with_src_addr(address(src))
        .with_dst_addr(address(dst))
        .with_route(route)
}

/// An entry as the recorded lines have it.
pub(crate) fn entry(info: AddrInfo<'_>) -> String {
    let address =
        |address: Option<SockAddrRef<'_>>| address.map_or(String::new(), |address| hex(address.as_bytes()));
    let names = [info.src_canonname(), info.dst_canonname()];
    format!(
        r#"{{"flags":{},"family":{},"qp_type":{},"port_space":{},"src":"{}","dst":"{}","route":"{}","connect":"{}","canonnames":{}}}"#,
        info.flags().to_raw(),
        info.family().to_raw(),
        info.qp_type().to_raw(),
        info.port_space().to_raw(),
        address(info.src_addr()),
        address(info.dst_addr()),
        hex(info.route_bytes()),
        hex(info.connect_data()),
        names.iter().flatten().count(),
    )
}
