//! The short way of a literal: what most requests are, without a look at anything rare.

use super::place::Placer;
use super::placed::Placed;
use super::plan::Plan;
use crate::addrinfo::Storage;
use crate::request::Request;
use crate::text;

/// Places the address of a numeric node without a zone, for a numeric service or none, if nothing is wrong and no GID
/// asked for. `None` leaves everything to [`place`](super::place::place), which would come to the same.
///
/// It has no rule of its own and makes no error, so that all of it stays in registers.
// Inlined whatever its size: results that go through memory cost as much as the parsing.
#[inline(always)]
pub(super) fn place(request: &Request<'_>, results: &mut Storage<'_>) -> Option<Placed> {
    // Both grammars agree on what is tried here.
    let node = request.node.bytes()?;
    let (ipv4, ipv6) = match text::ipv4(node) {
        Some(address) => (Some(address), 0),
        None => (None, text::ipv6(node)?),
    };
    let port = match (request.service.port(), request.service.text().bytes()) {
        (Some(port), _) => port,
        (None, None) => 0,
        (None, Some(service)) => text::port(service)?,
    };
    let plan = Plan::of_plain(request.hints())?;
    let placer = Placer::new(request, &plan, port, plan.transport.protocol());
    results.clear();
    // Each arm pushes by itself: an address that both arms give would go through memory.
    Some(match ipv4 {
        Some(address) => placer.push(placer.ipv4(address).ok()?, Placed::EMPTY, results),
        None => placer.push(placer.ipv6(ipv6, 0, 0).ok()?, Placed::EMPTY, results),
    })
}
