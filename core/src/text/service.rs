//! What a service is: a port, or a name to be looked up.

use super::number::{digit, port};
use super::refusal;
use super::{Grammar, NAME_MAX};
use crate::error::Error;

/// A service that has been read.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Service<'a> {
    /// A port; host order.
    Port(u16),
    /// The name of a service, to be looked up.
    Name(&'a [u8]),
}

/// Reads a service.
///
/// [`Strict`](Grammar::Strict): text with an ASCII letter is a name (up to 255 bytes), all else a
/// [`port`](super::port).
///
/// [`Glibc`](Grammar::Glibc): what strtoul(3) makes of it, with an `unsigned long` of 64 bits on every target:
/// leading white space and one sign are skipped, overflow is the largest value; as an `int`, a negative value is
/// looked up as a name, and of any other the low 16 bits are the port. Text that is no number is a name, no text
/// is port 0.
///
/// ```
/// use rdma_addrinfo_core::text::{Grammar, Service, service};
///
/// assert_eq!(service(Grammar::Strict, b"7471"), Ok(Service::Port(7471)));
/// assert_eq!(service(Grammar::Strict, b"nfsrdma"), Ok(Service::Name(b"nfsrdma")));
/// assert!(service(Grammar::Strict, b"70000").is_err());
/// assert_eq!(service(Grammar::Glibc, b"70000"), Ok(Service::Port(4464)));
/// ```
///
/// # Errors
/// `Service` where the text is neither, `Invalid` where a NUL is inside; with the byte offset.
#[inline]
pub fn service(grammar: Grammar, text: &[u8]) -> Result<Service<'_>, Error> {
    // Almost every service is a port, which means the same in both grammars.
    match port(text) {
        Some(port) => Ok(Service::Port(port)),
        None => other_service(grammar, text),
    }
}

/// A service that is no [`port`].
///
/// # Errors
/// As [`service`].
pub(crate) fn other_service(grammar: Grammar, text: &[u8]) -> Result<Service<'_>, Error> {
    let other = match grammar {
        Grammar::Strict => strict(text),
        Grammar::Glibc => glibc(text),
    };
    other.ok_or_else(|| refusal::service(text))
}

fn strict(text: &[u8]) -> Option<Service<'_>> {
    let named = text.iter().any(u8::is_ascii_alphabetic) && text.len() <= NAME_MAX && !text.contains(&0);
    named.then_some(Service::Name(text))
}

fn glibc(text: &[u8]) -> Option<Service<'_>> {
    if text.is_empty() {
        return Some(Service::Port(0));
    }
    if text.contains(&0) {
        return None;
    }
    // The conversion to int keeps the low 32 bits; from 2^31 on they are negative.
    let int = strtoul(text).map(|value| value & 0xffff_ffff).filter(|value| value >> 31 == 0);
    let port = int.and_then(|int| u16::try_from(int & 0xffff).ok());
    Some(port.map_or(Service::Name(text), Service::Port))
}

/// strtoul(3) with base 10 over all of the text; `None` where it would leave a byte.
fn strtoul(text: &[u8]) -> Option<u64> {
    let white = text.iter().take_while(|byte| matches!(byte, b' ' | b'\t'..=b'\r')).count();
    let (_, text) = text.split_at_checked(white)?;
    let (negative, text) = match text {
        [b'-', rest @ ..] => (true, rest),
        [b'+', rest @ ..] => (false, rest),
        _ => (false, text),
    };
    if text.is_empty() {
        return None;
    }
    let mut value = Some(0_u64);
    for byte in text {
        let digit = u64::from(digit(*byte)?);
        value = value.and_then(|value| value.checked_mul(10)?.checked_add(digit));
    }
    Some(match value {
        Some(value) if negative => value.wrapping_neg(),
        Some(value) => value,
        None => u64::MAX,
    })
}
