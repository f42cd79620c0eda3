//! What the kernel says of this machine's addresses and interfaces, asked anew for each name with several addresses, as the
//! C library does.

use crate::native::netlink::{self, attributes};
use crate::native::sockets::{self, Kind};
use netlink_packet_core::NetlinkBuffer;
use netlink_packet_route::RouteNetlinkMessage;
use netlink_packet_route::link::{LinkHeader, LinkMessage};
use rustix::io::Errno;
use rustix::net::netlink::SocketAddrNetlink;
use rustix::net::{RecvFlags, SendFlags, recvfrom, sendto};
use std::net::{IpAddr, Ipv6Addr};
use std::os::fd::OwnedFd;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

const RTM_NEWADDR: u16 = 20;
const RTM_GETADDR: u16 = 22;
const NLMSG_DONE: u16 = 3;
const NLM_F_REQUEST: u16 = 1;
const NLM_F_DUMP: u16 = 0x300;
/// What was listed changed meanwhile.
const NLM_F_DUMP_INTR: u16 = 0x10;
const IFA_ADDRESS: u16 = 1;
const IFA_LOCAL: u16 = 2;
const IFA_F_OPTIMISTIC: u8 = 0x04;
const IFA_F_HOMEADDRESS: u8 = 0x10;
const IFA_F_DEPRECATED: u8 = 0x20;

/// The length of an address message's header, `struct ifaddrmsg`, in bytes.
const ADDRESS_HEADER: usize = 8;
/// The length of an interface message's header, `struct ifinfomsg`, in bytes.
const LINK_HEADER: usize = 16;

/// Messages of a listing come in pieces of this many bytes at most.
const PIECE: usize = 32 * 1024;

/// How many addresses a machine may have here.
const MOST: usize = 4096;

/// The state of an address of this machine.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct State {
    /// Of its interface; `None` if the address is no interface's.
    pub(super) index: Option<u32>,
    pub(super) prefix_length: u8,
    pub(super) is_deprecated: bool,
    pub(super) is_home: bool,
}

impl State {
    pub(super) const UNKNOWN: Self =
        Self { index: None, prefix_length: 0, is_deprecated: false, is_home: false };
}

/// The addresses of all interfaces, IPv4 addresses mapped; none where there is no IPv6 address but the loopback's, since
/// the C library then takes all for unknown.
#[derive(Debug)]
pub(super) struct Interfaces(Vec<(Ipv6Addr, State)>);

impl Interfaces {
    /// As the kernel has them now; `None` if it cannot be asked.
    pub(super) fn read() -> Option<Self> {
        static SEQUENCE: AtomicU32 = AtomicU32::new(1 << 31);

        let sequence = SEQUENCE.fetch_add(1, Relaxed) | 1 << 31;
        let exchange = |fd: &OwnedFd| match list(fd, sequence) {
            Ok(all) => (Some(all), Ok(())),
            Err(errno) => (None, Err(errno)),
        };
        let mut all = sockets::ask(Kind::Netlink, exchange).ok()??;
        if all.iter().all(|(address, _)| address.is_loopback() || address.to_ipv4_mapped().is_some()) {
            all.clear();
        }
        Some(Self(all))
    }

    /// The state of an address, unknown if it is none of these; `None` if interfaces differ about it.
    pub(super) fn state_of(&self, source: IpAddr) -> Option<State> {
        let source = match source {
            IpAddr::V4(v4) => v4.to_ipv6_mapped(),
            IpAddr::V6(v6) => v6,
        };
        let mut all = self.0.iter().filter(|(address, _)| *address == source).map(|(_, state)| *state);
        let first = all.next().unwrap_or(State::UNKNOWN);
        all.all(|other| other == first).then_some(first)
    }
}

/// Has the kernel list the addresses. It answers before the request returns.
fn list(fd: &OwnedFd, sequence: u32) -> rustix::io::Result<Vec<(Ipv6Addr, State)>> {
    let kernel = SocketAddrNetlink::new(0, 0);
    let mut request = [0; 20];
    let parts = [
        (0, &20_u32.to_ne_bytes()[..]),
        (4, &RTM_GETADDR.to_ne_bytes()),
        (6, &(NLM_F_REQUEST | NLM_F_DUMP).to_ne_bytes()),
        (8, &sequence.to_ne_bytes()),
    ];
    for (at, bytes) in parts {
        if let Some(place) = request.get_mut(at..at + bytes.len()) {
            place.copy_from_slice(bytes);
        }
    }
    sendto(fd, &request, SendFlags::DONTWAIT | SendFlags::NOSIGNAL, &kernel)?;
    let mut buffer = Vec::new();
    buffer.try_reserve_exact(PIECE).map_err(|_| Errno::NOMEM)?;
    buffer.resize(PIECE, 0);
    let mut all = Vec::new();
    loop {
        let (_, len, from) = recvfrom(fd, &mut *buffer, RecvFlags::DONTWAIT | RecvFlags::TRUNC)?;
        let from = from.and_then(|from| SocketAddrNetlink::try_from(from).ok());
        if from.is_none_or(|from| from.pid() != 0) {
            continue;
        }
        let mut rest = buffer.get(..len).ok_or(Errno::MSGSIZE)?;
        while !rest.is_empty() {
            let message = NetlinkBuffer::new_checked(rest).map_err(|_| Errno::BADMSG)?;
            if message.sequence_number() != sequence || message.flags() & NLM_F_DUMP_INTR != 0 {
                return Err(Errno::BADMSG);
            }
            match message.message_type() {
                NLMSG_DONE => return Ok(all),
                RTM_NEWADDR if all.len() < MOST => {
                    all.try_reserve(1).map_err(|_| Errno::NOMEM)?;
                    all.extend(read(message.payload()));
                }
                _ => return Err(Errno::BADMSG),
            }
            let length =
                usize::try_from(message.length()).map_or(rest.len(), |length| length.next_multiple_of(4));
            rest = rest.get(length..).unwrap_or_default();
        }
    }
}

/// An address of the kernel's, if it has one.
fn read(message: &[u8]) -> Option<(Ipv6Addr, State)> {
    let &[family, prefix_length, flags, _, a, b, c, d] = message.first_chunk::<ADDRESS_HEADER>()?;
    let (mut local, mut address) = (None, None);
    for attribute in attributes(message, ADDRESS_HEADER) {
        match attribute.kind() {
            IFA_LOCAL => local = ip(family, attribute.value()),
            IFA_ADDRESS => address = ip(family, attribute.value()),
            _ => {}
        }
    }
    let state = State {
        index: Some(u32::from_ne_bytes([a, b, c, d])),
        prefix_length,
        is_deprecated: flags & (IFA_F_DEPRECATED | IFA_F_OPTIMISTIC) != 0,
        is_home: flags & IFA_F_HOMEADDRESS != 0,
    };
    Some((local.or(address)?, state))
}

fn ip(family: u8, bytes: &[u8]) -> Option<Ipv6Addr> {
    match i32::from(family) {
        libc::AF_INET => Some(std::net::Ipv4Addr::from(<[u8; 4]>::try_from(bytes).ok()?).to_ipv6_mapped()),
        libc::AF_INET6 => Some(<[u8; 16]>::try_from(bytes).ok()?.into()),
        _ => None,
    }
}

/// Whether an interface is no tunnel; `None` if the kernel does not say.
pub(super) fn is_native(index: u32) -> Option<bool> {
    const TUNNELS: [u16; 3] = [libc::ARPHRD_TUNNEL, libc::ARPHRD_TUNNEL6, libc::ARPHRD_SIT];

    let mut question = LinkMessage::default();
    question.header.index = index;
    let kind = |answer: &[u8]| {
        let header = LinkHeader::parse(answer.get(..LINK_HEADER)?).ok()?;
        (header.index == index).then(|| u16::from(header.link_layer_type))
    };
    let kind = netlink::ask(RouteNetlinkMessage::GetLink(question), None, kind).ok()?;
    Some(!TUNNELS.contains(&kind))
}
