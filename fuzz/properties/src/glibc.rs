//! Texts in glibc's grammar against glibc: getaddrinfo(3) of numeric hosts and services.
#![allow(unsafe_code)]

use crate::models::strtoul::{self, Read};
use rdma_addrinfo_core::text::{self, Grammar, Node, Service, Zone};
use std::ffi::{CStr, CString};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::ptr;

/// Checks one input: a letter for the family, a node up to the end of the line, a service.
pub fn check(bytes: &[u8]) {
    let (family, rest) = bytes.split_first().unwrap_or((&b'0', &[]));
    let family = match family {
        b'4' => libc::AF_INET,
        b'6' => libc::AF_INET6,
        _ => libc::AF_UNSPEC,
    };
    let mut lines = rest.splitn(2, |byte| *byte == b'\n');
    let mut text = || CString::new(lines.next().unwrap_or_default());
    if let Ok(text) = text() {
        node(family, &text);
    }
    if let Ok(text) = text() {
        service(&text);
    }
}

/// An address, its scope and its port, or the error.
type Answer = Result<(IpAddr, u32, u16), i32>;

fn node(family: i32, node: &CStr) {
    // No node at all.
    if node == c"*" {
        return;
    }
    let read = text::node(Grammar::Glibc, node.to_bytes());
    assert_eq!(
        ask(node, c"0", family),
        expected(family, read.ok()),
        "family {family}, {node:?} read as {read:?}"
    );
}

fn expected(family: i32, node: Option<Node<'_>>) -> Answer {
    match node {
        None | Some(Node::Name(_)) => Err(libc::EAI_NONAME),
        Some(Node::Ipv4(_)) if family == libc::AF_INET6 => Err(EAI_ADDRFAMILY),
        Some(Node::Ipv4(address)) => Ok((Ipv4Addr::from_bits(address).into(), 0, 0)),
        Some(Node::Ipv6 { address, zone }) => {
            let address = Ipv6Addr::from_bits(address);
            let mapped = if family == libc::AF_INET {
                // The family is compared before the zone is looked at.
                Some(address.to_ipv4_mapped().ok_or(EAI_ADDRFAMILY)?)
            } else {
                None
            };
            let scope = match zone {
                Zone::None => 0,
                Zone::Index(index) => index,
                Zone::Name(name) => index(name).ok_or(libc::EAI_NONAME)?,
                Zone::Invalid(_) => return Err(libc::EAI_NONAME),
            };
            Ok(mapped.map_or((address.into(), scope, 0), |mapped| (mapped.into(), 0, 0)))
        }
    }
}

/// libc has no such constant for Linux.
const EAI_ADDRFAMILY: i32 = -9;

fn service(service: &CStr) {
    if service == c"*" {
        return;
    }
    let model = strtoul::service(service.to_bytes());
    let right = match text::service(Grammar::Glibc, service.to_bytes()).expect("no NUL") {
        Service::Port(port) => Ok((Ipv4Addr::LOCALHOST.into(), 0, port)),
        // A number below zero is looked up in the services database, a name is refused at once.
        Service::Name(_) if model == (Read::Name { is_number: true }) => Err(libc::EAI_SERVICE),
        Service::Name(_) => Err(libc::EAI_NONAME),
    };
    assert_eq!(ask(c"127.0.0.1", service, libc::AF_INET), right, "{service:?}");
}

/// The index of an interface.
fn index(name: &[u8]) -> Option<u32> {
    let name = CString::new(name).ok()?;
    // SAFETY: the name is a C string.
    let index = unsafe { libc::if_nametoindex(name.as_ptr()) };
    (index != 0).then_some(index)
}

/// Asks getaddrinfo(3); nothing is looked up by the network.
fn ask(node: &CStr, service: &CStr, family: i32) -> Answer {
    let hints = libc::addrinfo {
        ai_flags: libc::AI_NUMERICHOST | libc::AI_NUMERICSERV,
        ai_family: family,
        ai_socktype: libc::SOCK_STREAM,
        ai_protocol: 0,
        ai_addrlen: 0,
        ai_addr: ptr::null_mut(),
        ai_canonname: ptr::null_mut(),
        ai_next: ptr::null_mut(),
    };
    let mut first = ptr::null_mut();
    // SAFETY: both texts are C strings, the hints are those of a numeric address, and there is room for the list.
    let ret = unsafe { libc::getaddrinfo(node.as_ptr(), service.as_ptr(), &raw const hints, &raw mut first) };
    if ret != 0 {
        return Err(ret);
    }
    // SAFETY: on success there is a list of at least one entry, which stays until it is freed.
    let entry = unsafe { *first };
    let length = usize::try_from(entry.ai_addrlen).expect("a few bytes");
    // SAFETY: each entry has an address of `ai_addrlen` bytes.
    let bytes = unsafe { std::slice::from_raw_parts(entry.ai_addr.cast::<u8>(), length) }.to_vec();
    // SAFETY: the list is getaddrinfo's own, and is not used any more.
    unsafe { libc::freeaddrinfo(first) };

    let address = rdma_addrinfo_core::SockAddrRef::from_bytes(&bytes);
    Ok((address.ip().expect("an IP address"), scope(&bytes), address.port()))
}

fn scope(bytes: &[u8]) -> u32 {
    bytes.get(24..28).map_or(0, |scope| u32::from_ne_bytes(scope.try_into().expect("four bytes")))
}
