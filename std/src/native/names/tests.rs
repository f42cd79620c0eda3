//! Tests of name look-ups.

mod answers;
#[allow(unsafe_code)]
mod fork;
mod workers;

use super::{Address, Found, Protocol, Query};
use std::ffi::CStr;
use std::time::{Duration, Instant};

/// Any node and service, nothing else asked.
fn query<'a>(node: &'a CStr, service: &'a CStr) -> Query<'a> {
    Query {
        node: Some(node),
        service: Some(service),
        family: 0,
        protocol: None,
        passive: false,
        canonical: false,
    }
}

fn found(address: Address, port: u16, protocol: Protocol) -> Found {
    Found { address, flowinfo: 0, scope_id: 0, port, protocol: Some(protocol) }
}

fn within(milliseconds: u64) -> Instant {
    Instant::now() + Duration::from_millis(milliseconds)
}

/// Waits until `done`, which must come true sooner or later.
#[track_caller]
fn wait_until(done: impl Fn() -> bool) {
    let deadline = within(20_000);
    while !done() {
        assert!(Instant::now() < deadline, "waited in vain");
        std::thread::sleep(Duration::from_millis(1));
    }
}
