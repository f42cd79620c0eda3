//! Literals to numbers and back: IPv4, IPv6 with a zone, GID, port, service ID; and lists of hosts.
//!
//! Parsers take bytes, make one pass and return [`Option`]; addresses come out as [`u32`] and [`u128`] with the
//! first octet most significant, so nothing here has a byte order. [`node`] and [`service`] decide what a text
//! is, in one of two [`Grammar`]s, and only when they refuse it does a second pass find out where and why.
//! [`hostlist`] expands what clusters write for many nodes, such as `node[01-64]`.
//!
//! ```
//! use rdma_addrinfo_core::text::{self, Grammar, Node, Service, Zone};
//!
//! assert_eq!(text::node(Grammar::Strict, b"192.0.2.7"), Ok(Node::Ipv4(0xc000_0207)));
//! assert_eq!(
//!     text::node(Grammar::Strict, b"fe80::1%ib0"),
//!     Ok(Node::Ipv6 { address: 0xfe80 << 112 | 1, zone: Zone::Name(b"ib0") })
//! );
//! assert_eq!(text::service(Grammar::Strict, b"7471"), Ok(Service::Port(7471)));
//!
//! // `127.1` is an address to inet_aton(3); the strict grammar takes it for a mistake.
//! assert_eq!(text::node(Grammar::Glibc, b"127.1"), Ok(Node::Ipv4(0x7f00_0001)));
//! assert!(text::node(Grammar::Strict, b"127.1").is_err());
//! ```

mod display;
mod host_name;
pub mod hostlist;
mod ib_service;
mod ipv4;
mod ipv6;
mod line;
mod node;
mod number;
mod refusal;
mod service;
mod zone;

#[cfg(test)]
mod tests;

pub use display::{Ipv4Text, Ipv6Text};
pub(crate) use ib_service::{IbServiceText, ib_service};
pub use ipv4::{ipv4, ipv4_glibc};
pub use ipv6::{gid, ipv6};
pub(crate) use line::Line;
pub use node::{Node, node};
pub(crate) use node::{PlainNode, node_of, plain_node};
pub use number::{number, port, service_id};
pub(crate) use service::other_service;
pub use service::{Service, service};
pub use zone::Zone;
pub(crate) use zone::{is_link_local, takes_name as zone_takes_name};

/// How texts are read.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Grammar {
    /// What the manual page of rdma_getaddrinfo(3) promises: dotted-decimal IPv4 in four parts, RFC 4291 text,
    /// zones where they mean something, decimal ports up to 65535. What merely looks like a number is refused.
    Strict,
    /// What getaddrinfo(3) of glibc takes: every form of inet_aton(3), strtoul(3) for ports.
    Glibc,
}

/// The longest name that the strict grammar lets look up, in bytes.
const NAME_MAX: usize = 255;
