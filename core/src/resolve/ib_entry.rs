//! The AF_IB entry that belongs to an IP entry: the same connection by GIDs, along a path that is known.

use crate::addrinfo::{CONNECT_DATA, Entry, IbEntry};
use crate::route::PathData;
use crate::sockaddr::SockAddrBuf;
use crate::types::{Gid, ServiceId};
use core::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// The AF_IB entry of an entry with a route that begins with `path`.
///
/// Its ends are those of the path, its service IDs those of the entry's ports. librdmacm takes four bits too many
/// for the flow label, which a policy that is not `strict` repeats.
pub(super) fn of(entry: &Entry, path: &PathData, strict: bool) -> IbEntry {
    let flow_label =
        if strict { path.flow_label() } else { path.as_abi().path.flowlabel_hoplimit.get() >> 8 };
    let end = |gid: Gid, address: &SockAddrBuf| {
        let port = address.get().map_or(0, |address| address.port());
        let sid = ServiceId::from_port(entry.port_space, port);
        let mask = ServiceId::mask_for(entry.port_space, port);
        SockAddrBuf::ib(gid, path.pkey(), flow_label, sid, mask, 0)
    };
    IbEntry {
        src: end(path.sgid(), &entry.src),
        dst: end(path.dgid(), &entry.dst),
        connect: connect_data(&entry.src, &entry.dst),
    }
}

/// What tells the peer the IP addresses, of one family both: the header that the kernel itself puts in front of private
/// data on IP entries (`struct cma_hdr`; RDMA IP CM service annex of the InfiniBand specification). Version 0,
/// IP version in the high half of a byte, no port, 16 bytes for each address, IPv4 in their last four.
fn connect_data(src: &SockAddrBuf, dst: &SockAddrBuf) -> Option<[u8; CONNECT_DATA]> {
    let (version, src, dst) = match (src.get()?.ip()?, dst.get()?.ip()?) {
        (IpAddr::V4(src), IpAddr::V4(dst)) => (0x40, last_four(src), last_four(dst)),
        (IpAddr::V6(src), IpAddr::V6(dst)) => (0x60, src, dst),
        _ => return None,
    };
    let mut data = [0; CONNECT_DATA];
    let bytes = [0, version, 0, 0].into_iter().chain(src.octets()).chain(dst.octets());
    for (to, byte) in data.iter_mut().zip(bytes) {
        *to = byte;
    }
    Some(data)
}

fn last_four(address: Ipv4Addr) -> Ipv6Addr {
    Ipv6Addr::from_bits(address.to_bits().into())
}
