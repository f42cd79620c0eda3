//! What a node is: an address, or a name to be looked up.

use super::host_name::is_host_name;
use super::ipv4::{ipv4, ipv4_loose};
use super::ipv6::ipv6_prefix;
use super::zone::{self, Zone};
use super::{Grammar, refusal};
use crate::error::Error;

/// A node that has been read.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Node<'a> {
    /// An IPv4 address, the first octet most significant.
    Ipv4(u32),
    /// An IPv6 address.
    Ipv6 {
        /// The address, the first octet most significant.
        address: u128,
        /// What follows the `%`.
        zone: Zone<'a>,
    },
    /// A host name, to be looked up.
    Name(&'a [u8]),
}

/// Reads a node.
///
/// [`Strict`](Grammar::Strict): an [`ipv4`] or [`ipv6`](super::ipv6) literal, the latter with a zone where it is
/// link-local (unicast or multicast): the name of an interface, or its index, from 1 and without leading zeros. All
/// else is a host name of up to 255 bytes, unless no host can have it: text with a `:` or `%`, with brackets, white
/// space or control characters, `*`, and text whose last label (one final dot ignored) is a number, such as `127.1`.
///
/// [`Glibc`](Grammar::Glibc): an [`ipv4_glibc`](super::ipv4_glibc) or [`ipv6`](super::ipv6) literal, the latter with any
/// index as zone, or with a name where it is link-local. All else is a host name, of any length; `*`, too, which
/// getaddrinfo(3) takes for no node at all, before it looks at the text.
///
/// ```
/// use rdma_addrinfo_core::text::{Grammar, Node, Zone, node};
///
/// let address = 0xfe80 << 112 | 1;
/// assert_eq!(node(Grammar::Strict, b"fe80::1%3"), Ok(Node::Ipv6 { address, zone: Zone::Index(3) }));
/// assert_eq!(node(Grammar::Strict, b"storage-7"), Ok(Node::Name(b"storage-7")));
///
/// let refused = node(Grammar::Strict, b"192.0.2.256").unwrap_err();
/// assert_eq!(
///     refused.to_string(),
///     "node or service not known: a part of the IPv4 address is above 255 (node, byte 8)"
/// );
/// ```
///
/// # Errors
/// `NoName` where the text is neither, `Invalid` where a NUL is inside; with the reason and the byte offset. An
/// offset at the end of the text means that something is missing there.
// Inlined whatever its size: a result that goes through memory costs as much as the parsing.
#[inline(always)]
pub fn node(grammar: Grammar, text: &[u8]) -> Result<Node<'_>, Error> {
    node_of(grammar, text, plain_node(text))
}

/// What both grammars agree on.
#[derive(Clone, Copy, Debug)]
pub(crate) enum PlainNode<'a> {
    Ipv4(u32),
    /// An IPv6 address, and what follows it.
    Ipv6(u128, &'a [u8]),
    Other,
}

#[inline(always)]
pub(crate) fn plain_node(text: &[u8]) -> PlainNode<'_> {
    match ipv4(text) {
        Some(address) => PlainNode::Ipv4(address),
        None => match ipv6_prefix(text) {
            Some((address, rest)) => PlainNode::Ipv6(address, rest),
            None => PlainNode::Other,
        },
    }
}

/// The node, of which this much has been read.
///
/// # Errors
/// As [`node`].
#[inline(always)]
pub(crate) fn node_of<'a>(grammar: Grammar, text: &'a [u8], plain: PlainNode<'a>) -> Result<Node<'a>, Error> {
    match plain {
        PlainNode::Ipv4(address) => Ok(Node::Ipv4(address)),
        PlainNode::Ipv6(address, []) => Ok(Node::Ipv6 { address, zone: Zone::None }),
        PlainNode::Ipv6(address, [b'%', zone @ ..]) => zoned(grammar, text, address, zone),
        _ => other(grammar, text),
    }
}

#[inline(never)]
fn zoned<'a>(grammar: Grammar, text: &'a [u8], address: u128, zone: &'a [u8]) -> Result<Node<'a>, Error> {
    match grammar {
        Grammar::Strict => {
            let zone = zone::strict(address, zone).ok_or_else(|| refusal::node(text))?;
            Ok(Node::Ipv6 { address, zone })
        }
        Grammar::Glibc if zone.contains(&0) => Err(refusal::node_glibc(text)),
        Grammar::Glibc => {
            let offset = text.len().wrapping_sub(zone.len());
            Ok(Node::Ipv6 { address, zone: zone::glibc(address, zone).unwrap_or(Zone::Invalid(offset)) })
        }
    }
}

#[inline(never)]
fn other(grammar: Grammar, text: &[u8]) -> Result<Node<'_>, Error> {
    match grammar {
        Grammar::Strict if is_host_name(text) => Ok(Node::Name(text)),
        Grammar::Strict => Err(refusal::node(text)),
        Grammar::Glibc => match ipv4_loose(text) {
            Some(address) => Ok(Node::Ipv4(address)),
            None if text.is_empty() || text.contains(&0) => Err(refusal::node_glibc(text)),
            None => Ok(Node::Name(text)),
        },
    }
}
