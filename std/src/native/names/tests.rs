//! Tests of name lookups.

mod answers;
mod fork;
mod workers;

use super::{Query, Source};
use rdma_addrinfo_core::{Found, Protocol};
use std::ffi::CStr;
use std::net::{Ipv4Addr, Ipv6Addr, SocketAddr};
use std::time::{Duration, Instant};

/// How many may wait.
const QUEUE: usize = 1000;

/// Any node and service, nothing else asked.
fn query<'a>(node: &'a CStr, service: &'a CStr) -> Query<&'a CStr> {
    Query {
        node: Some(node),
        service: Some(service),
        family: 0,
        protocol: Protocol::Any,
        passive: false,
        canonical: false,
        names: Source::System,
    }
}

/// An IP address as a number, first octet most significant.
#[derive(Clone, Copy)]
enum Address {
    V4(u32),
    V6(u128),
}

fn found(address: Address, port: u16, protocol: Protocol) -> Found {
    let address: SocketAddr = match address {
        Address::V4(bits) => (Ipv4Addr::from_bits(bits), port).into(),
        Address::V6(bits) => (Ipv6Addr::from_bits(bits), port).into(),
    };
    Found { address, protocol }
}

fn within(milliseconds: u64) -> Instant {
    Instant::now() + Duration::from_millis(milliseconds)
}

/// Waits until `done`, which must come true sooner or later.
#[track_caller]
fn wait_until(mut done: impl FnMut() -> bool) {
    let deadline = within(20_000);
    while !done() {
        assert!(Instant::now() < deadline, "waited in vain");
        std::thread::sleep(Duration::from_millis(1));
    }
}
