//! [`Query`] and [`Request`]: what is asked.

use super::Entry;
use super::message::Message;
use crate::abi::{
    ACM_EP_FLAG_DEST, ACM_EP_FLAG_SOURCE, ACM_EP_INFO_ADDRESS_IP, ACM_EP_INFO_ADDRESS_IP6, ACM_EP_INFO_PATH,
    ACM_FLAGS_NODELAY, ACM_MSG_EP_LENGTH, ACM_MSG_HDR_LENGTH, ACM_OP_RESOLVE, ACM_VERSION, acm_ep_addr_data,
};
use crate::route::PathRecord;
use core::fmt;
use core::net::IpAddr;

/// A question for a route: what it may hold, so that no request has more than three entries.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Query {
    /// The address to connect from.
    pub source: Option<IpAddr>,
    /// The address to connect to.
    pub destination: Option<IpAddr>,
    /// What is known of the path: GIDs, or a whole path to take.
    pub path: Option<PathRecord>,
    /// Take a path that the daemon knows already, and start nothing lengthy. Said with the destination only.
    pub no_delay: bool,
}

impl Query {
    /// The request in bytes: source, destination, path, as far as they are known.
    ///
    /// The transaction id is repeated by the reply. Choose another for each request, and one that is hard to
    /// guess.
    #[must_use]
    pub fn to_request(&self, transaction_id: u64) -> Request {
        let no_delay = if self.no_delay { ACM_FLAGS_NODELAY } else { 0 };
        let entries = [
            self.source.map(|source| address(source, ACM_EP_FLAG_SOURCE)),
            self.destination.map(|destination| address(destination, ACM_EP_FLAG_DEST | no_delay)),
            self.path.map(|path| entry(0, ACM_EP_INFO_PATH, *path.as_bytes())),
        ];
        let mut message = Message::<3>::zero();
        let mut length = HEADER;
        for (room, entry) in message.entries.iter_mut().zip(entries.into_iter().flatten()) {
            *room = entry;
            length = length.saturating_add(ENTRY);
        }
        message.hdr.version = ACM_VERSION;
        message.hdr.opcode = ACM_OP_RESOLVE;
        message.hdr.length.set(length);
        message.hdr.tid.set(transaction_id);
        Request(message)
    }
}

#[expect(clippy::as_conversions, clippy::cast_possible_truncation, reason = "16 and 72")]
const HEADER: u16 = ACM_MSG_HDR_LENGTH as u16;
#[expect(clippy::as_conversions, clippy::cast_possible_truncation, reason = "16 and 72")]
const ENTRY: u16 = ACM_MSG_EP_LENGTH as u16;

fn address(address: IpAddr, flags: u32) -> acm_ep_addr_data {
    let mut info = [0; 64];
    let (kind, bits) = match address {
        IpAddr::V4(address) => (ACM_EP_INFO_ADDRESS_IP, u128::from(address.to_bits()) << 96),
        IpAddr::V6(address) => (ACM_EP_INFO_ADDRESS_IP6, address.to_bits()),
    };
    for (room, octet) in info.iter_mut().zip(bits.to_be_bytes()) {
        *room = octet;
    }
    entry(flags, kind, info)
}

fn entry(flags: u32, kind: u16, info: [u8; 64]) -> acm_ep_addr_data {
    acm_ep_addr_data { flags: flags.into(), r#type: kind.into(), reserved: 0.into(), info }
}

/// A request in bytes, 16 to 232 of them. The daemon reads it at once and hangs up on a part of it: send it whole.
#[derive(Clone, Copy, PartialEq, Eq)]
#[doc(alias = "acm_msg")]
pub struct Request(Message<3>);

impl Request {
    /// The bytes to send.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        self.0.bytes()
    }

    /// The transaction id that the reply must have.
    #[must_use]
    pub const fn transaction_id(&self) -> u64 {
        self.0.hdr.tid.get()
    }

    /// The entries in order.
    pub fn entries(&self) -> impl Iterator<Item = Entry<'_>> + Clone {
        self.0.entries()
    }
}

impl fmt::Display for Request {
    /// Writes the entries: `source 192.0.2.9, destination 192.0.2.1`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.write_entries(f)
    }
}

impl fmt::Debug for Request {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
