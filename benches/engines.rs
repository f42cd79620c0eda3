//! Engines that resolve a node and a service to destinations.

use crate::{CHints, CLibrary, Case, Literal, Numeric, getaddrinfo};
use dns_lookup::AddrInfoHints;
use rdma_addrinfo_core::{AddrInfoList, Results};
use std::fmt::Debug;
use std::hint::black_box;
use std::net::{SocketAddr, ToSocketAddrs};

/// A case whose answer is destinations.
type Resolving<'c> = Case<'c, Literal, Vec<SocketAddr>>;

/// The destinations of a list.
///
/// # Panics
/// When one is none, or no IP address.
#[must_use]
pub fn read(list: AddrInfoList<'_>) -> Vec<SocketAddr> {
    list.iter()
        .map(|info| info.dst_addr().expect("a destination").try_into().expect("an IP address"))
        .collect()
}

/// Ours into results that are used again and again.
///
/// # Panics
/// When it fails, as all engines here.
#[inline]
pub fn into_results<E: Debug>(
    case: &mut Resolving<'_>,
    name: &str,
    resolve: impl for<'r> Fn(&Literal, &'r mut Results<4>) -> Result<AddrInfoList<'r>, E>,
) {
    let (mut checked, mut timed) = (Results::new(), Results::new());
    case.engine_with(
        name,
        |input| read(resolve(input, &mut checked).expect("an answer")),
        |input| {
            black_box(&resolve(input, &mut timed));
        },
    );
}

/// An engine whose answer is a value, dropped in the time that is measured.
#[inline]
pub fn owned<T, E: Debug>(
    case: &mut Resolving<'_>,
    name: &str,
    resolve: impl Fn(&Literal) -> Result<T, E>,
    read: impl Fn(T) -> Vec<SocketAddr>,
) {
    case.engine_with(
        name,
        |input| read(resolve(input).expect("an answer")),
        |input| {
            black_box(&resolve(input));
        },
    );
}

/// rdma_getaddrinfo(3) and rdma_freeaddrinfo(3) of a C library.
#[inline]
pub fn by_library(case: &mut Resolving<'_>, name: &str, library: &CLibrary, hints: Option<&CHints>) {
    let resolve = |input: &Literal| library.getaddrinfo(&input.c_node, &input.c_service, black_box(hints));
    owned(case, name, resolve, |list| list.destinations());
}

/// getaddrinfo(3) and freeaddrinfo(3).
#[inline]
pub fn by_glibc(case: &mut Resolving<'_>, numeric: Numeric) {
    let resolve = |input: &Literal| getaddrinfo(&input.c_node, &input.c_service, numeric);
    owned(case, "glibc_getaddrinfo", resolve, |list| list.addresses());
}

/// std: parsers of its own, and getaddrinfo(3) for a name or an address with a zone.
#[inline]
pub fn by_std(case: &mut Resolving<'_>) {
    let resolve = |input: &Literal| {
        let port = input.service.parse().map_err(std::io::Error::other);
        port.and_then(|port: u16| (&*input.node, port).to_socket_addrs())
    };
    owned(case, "std_to_socket_addrs", resolve, Iterator::collect);
}

/// The crate dns-lookup: getaddrinfo(3), its list copied as it is walked.
#[inline]
pub fn by_dns_lookup(case: &mut Resolving<'_>, numeric: Numeric) {
    let flags = match numeric {
        Numeric::Yes => libc::AI_NUMERICHOST | libc::AI_NUMERICSERV,
        Numeric::No => 0,
    };
    let hints = AddrInfoHints {
        flags,
        socktype: libc::SOCK_STREAM,
        protocol: libc::IPPROTO_TCP,
        ..AddrInfoHints::default()
    };
    let resolve = |input: &Literal| {
        let found = dns_lookup::getaddrinfo(Some(&input.node), Some(&input.service), Some(hints));
        let found = found.map_err(std::io::Error::from)?;
        found.map(|info| Ok(info?.sockaddr)).collect::<std::io::Result<Vec<_>>>()
    };
    owned(case, "dns_lookup", resolve, |addresses| addresses);
}
