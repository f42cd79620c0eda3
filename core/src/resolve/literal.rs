//! The fork of a literal: what most requests are, without a look at anything rare.

use super::entries::{EntryBuilder, Parsed};
use super::plan::Plan;
use super::summary::Summary;
use crate::addrinfo::Storage;
use crate::request::Request;
use crate::sockaddr::SockAddrBuf;
use crate::text::{self, PlainNode};

/// Reads node and service, and makes the entry of a numeric node without a zone, for a numeric service or none, if nothing
/// is wrong and no GID asked for. Else the error is what was read, for
/// [`entries_for_text`](super::entries::entries_for_text) to go on with, which would come to the same.
///
/// It has no rule of its own and makes no error, so that all of it stays in registers.
// Inlined whatever its size: results that go through memory cost as much as the parsing.
#[inline(always)]
pub(super) fn parse_literal<'q>(
    request: &Request<'q>,
    results: &mut Storage<'_>,
) -> Result<Summary, Parsed<'q>> {
    let node = request.node.bytes().map(text::plain_node);
    let (ipv4, ipv6) = match node {
        Some(PlainNode::Ipv4(address)) => (Some(address), 0),
        Some(PlainNode::Ipv6(address, [])) => (None, address),
        _ => return Err(Parsed { node, port: None }),
    };
    let read = match (request.service.port(), request.service.text().bytes()) {
        (Some(port), _) => Some(port),
        (None, None) => Some(0),
        (None, Some(service)) => text::port(service),
    };
    let parsed = Parsed { node, port: Some(read) };
    let Some(port) = read else { return Err(parsed) };
    let Some(plan) = Plan::of_plain(request.hints()) else { return Err(parsed) };
    let builder = EntryBuilder::new(request, &plan, port, plan.transport.protocol());
    // Each arm adds by itself: an address that both arms give would go through memory.
    match ipv4 {
        Some(address) => match builder.ipv4(address) {
            Ok(address) => Ok(only(builder, address, results)),
            Err(_) => Err(parsed),
        },
        None => match builder.ipv6(ipv6, 0, 0) {
            Ok(address) => Ok(only(builder, address, results)),
            Err(_) => Err(parsed),
        },
    }
}

/// The entry of the address, and nothing else.
#[inline(always)]
fn only(builder: EntryBuilder<'_, '_>, address: SockAddrBuf, results: &mut Storage<'_>) -> Summary {
    // Only now, so that what is cleared and written again is written once.
    results.clear();
    builder.push(address, Summary::EMPTY, results)
}
