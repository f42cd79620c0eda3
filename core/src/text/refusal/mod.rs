//! The second pass over a text that was refused: why, and at which byte. Never on the way of a text that is taken.

mod ipv4;
mod ipv6;

use super::host_name::is_host_byte;
use super::ipv6::ipv6_prefix;
use super::{NAME_MAX, zone};
use crate::error::{Error, ErrorKind, Location, Reason};

/// Why a text is refused, and the byte offset; one at the end of the text means that something is missing.
type Fault = (Reason, usize);

/// Why the strict grammar refuses a node.
#[cold]
#[inline(never)]
pub(super) fn node(text: &[u8]) -> Error {
    node_error(node_fault(text))
}

/// Why the grammar of glibc refuses a node.
#[cold]
#[inline(never)]
pub(super) fn node_glibc(text: &[u8]) -> Error {
    node_error(find(text, |byte| byte == 0).map_or((Reason::Empty, 0), |offset| (Reason::Nul, offset)))
}

/// Why a service is refused, in either grammar.
#[cold]
#[inline(never)]
pub(super) fn service(text: &[u8]) -> Error {
    let (reason, offset) = service_fault(text);
    error(ErrorKind::Service, reason).at(Location::Service(offset))
}

/// Why a service of the subnet administrator is refused.
#[cold]
#[inline(never)]
pub(super) fn ib_service(reason: Reason, offset: usize) -> Error {
    error(ErrorKind::Service, reason).at(Location::Service(offset))
}

fn node_error((reason, offset): Fault) -> Error {
    error(ErrorKind::NoName, reason).at(Location::Node(offset))
}

fn error(kind: ErrorKind, reason: Reason) -> Error {
    // No C string can hold a NUL: the text itself is malformed, whatever it was to be.
    let kind = if reason == Reason::Nul { ErrorKind::Invalid } else { kind };
    Error::new(kind).because(reason)
}

fn find(text: &[u8], is: impl Fn(u8) -> bool) -> Option<usize> {
    text.iter().position(|byte| is(*byte))
}

fn node_fault(text: &[u8]) -> Fault {
    if let Some(offset) = find(text, |byte| byte == 0) {
        return (Reason::Nul, offset);
    }
    if text.len() > NAME_MAX {
        return (Reason::TooLong, NAME_MAX);
    }
    match text {
        [] => return (Reason::Empty, 0),
        b"*" => return (Reason::Wildcard, 0),
        _ => {}
    }
    if let Some((address, [b'%', zone @ ..])) = ipv6_prefix(text) {
        let (reason, offset) = zone_fault(address, zone);
        return (reason, text.len().wrapping_sub(zone.len()).wrapping_add(offset));
    }
    if text.contains(&b':') {
        return ipv6::fault(text);
    }
    match text.iter().enumerate().find(|(_, byte)| !is_host_byte(**byte)) {
        Some((offset, byte)) => (byte_fault(*byte, Reason::ZoneWithoutIpv6), offset),
        None => ipv4::fault(text),
    }
}

/// Names a byte that is wrong wherever it stands; any other gets the given reason.
fn byte_fault(byte: u8, other: Reason) -> Reason {
    match byte {
        b' ' | b'\t'..=b'\r' => Reason::WhiteSpace,
        0..=0x1f | 0x7f => Reason::Control,
        b'[' | b']' => Reason::Brackets,
        _ => other,
    }
}

fn zone_fault(address: u128, text: &[u8]) -> Fault {
    if !zone::is_link_local(address) {
        return (Reason::ZoneNotLinkLocal, 0);
    }
    if text.is_empty() {
        return (Reason::ZoneEmpty, 0);
    }
    if text.iter().all(u8::is_ascii_digit) {
        return (Reason::ZoneIndex, 0);
    }
    match text.iter().enumerate().find(|(_, byte)| !zone::is_name_byte(**byte)) {
        Some((offset, byte)) => (byte_fault(*byte, Reason::ZoneName), offset),
        None => (Reason::ZoneTooLong, zone::NAME_MAX),
    }
}

fn service_fault(text: &[u8]) -> Fault {
    if let Some(offset) = find(text, |byte| byte == 0) {
        return (Reason::Nul, offset);
    }
    if text.iter().any(u8::is_ascii_alphabetic) {
        return (Reason::TooLong, NAME_MAX);
    }
    match text.iter().enumerate().find(|(_, byte)| !byte.is_ascii_digit()) {
        Some((0, b'+' | b'-')) => (Reason::Sign, 0),
        Some((offset, byte)) => (byte_fault(*byte, Reason::NoPort), offset),
        None => match text {
            [] => (Reason::Empty, 0),
            [b'0', ..] => (Reason::LeadingZero, 0),
            _ => (Reason::PortRange, 0),
        },
    }
}
