//! Texts of services: ports against core's integers, and the two grammars against models of them.

use crate::models::strtoul::{self, Read};
use rdma_addrinfo_core::text::{self, Grammar, Service};
use rdma_addrinfo_core::{ErrorKind, Location};

/// Checks one input.
pub fn check(bytes: &[u8]) {
    let port = port(bytes);
    assert_eq!(text::port(bytes), port);
    assert_eq!(text::number(bytes), number(bytes));
    assert_eq!(text::service_id(bytes), number(bytes));
    for grammar in [Grammar::Strict, Grammar::Glibc] {
        let right = match grammar {
            Grammar::Strict => strict(bytes, port),
            Grammar::Glibc => glibc(bytes),
        };
        match text::service(grammar, bytes) {
            Ok(service) => assert_eq!(Some(service), right),
            Err(error) => {
                assert_eq!(right, None);
                let Location::Service(offset) = error.location() else { panic!("{error:?}") };
                assert!(offset <= bytes.len(), "{error:?}");
                let kind = if bytes.contains(&0) { ErrorKind::Invalid } else { ErrorKind::Service };
                assert_eq!(error.kind(), kind, "{error:?}");
            }
        }
    }
}

/// What is written as the integer is written.
fn port(bytes: &[u8]) -> Option<u16> {
    let port: u16 = str::from_utf8(bytes).ok()?.parse().ok()?;
    (port.to_string().as_bytes() == bytes).then_some(port)
}

/// The same for 64 bits, or hexadecimal after `0x`.
fn number(bytes: &[u8]) -> Option<u64> {
    let text = str::from_utf8(bytes).ok()?;
    if let Some(hex) = text.strip_prefix("0x").or(text.strip_prefix("0X")) {
        return u64::from_str_radix(hex, 16).ok().filter(|_| !hex.starts_with('+'));
    }
    let number: u64 = text.parse().ok()?;
    (number.to_string() == text).then_some(number)
}

fn strict(bytes: &[u8], port: Option<u16>) -> Option<Service<'_>> {
    let has_letter = bytes.iter().any(u8::is_ascii_alphabetic);
    let is_name = has_letter && bytes.len() <= 255 && !bytes.contains(&0);
    port.map(Service::Port).or(is_name.then_some(Service::Name(bytes)))
}

fn glibc(bytes: &[u8]) -> Option<Service<'_>> {
    if bytes.contains(&0) {
        return None;
    }
    Some(match strtoul::service(bytes) {
        Read::Port(port) => Service::Port(port),
        Read::Name { .. } => Service::Name(bytes),
    })
}
