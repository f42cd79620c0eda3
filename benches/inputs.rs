//! Inputs: a node and a service as Rust and as C have them, and random ones that are the same in each run.

#[path = "../std/tests/common/random.rs"]
mod random;

use random::Random;
use std::ffi::CString;
use std::net::{Ipv4Addr, Ipv6Addr};

/// How many inputs a random case has: more than a branch predictor learns by heart.
pub const RANDOM: usize = 4096;

/// A node and a service, each as `&str` and as `&CStr`, so that no engine pays for making its form.
#[derive(Clone, Debug)]
pub struct Literal {
    /// The node.
    pub node: String,
    /// The port.
    pub service: String,
    /// The node, for C.
    pub c_node: CString,
    /// The port, for C.
    pub c_service: CString,
}

impl Literal {
    /// A literal of a node and a port.
    ///
    /// # Panics
    /// When one of them holds a NUL.
    #[must_use]
    pub fn new(node: impl Into<String>, service: impl Into<String>) -> Self {
        let (node, service) = (node.into(), service.into());
        let c = |text: &str| CString::new(text).expect("a literal holds no NUL");
        Self { c_node: c(&node), c_service: c(&service), node, service }
    }
}

/// Random IPv4 addresses, so many, in dotted-decimal form.
#[must_use]
pub fn random_ipv4(many: usize) -> Vec<String> {
    let mut random = Random::new(4);
    (0..many).map(|_| Ipv4Addr::from_bits((random.next() >> 32) as u32).to_string()).collect()
}

/// Random IPv6 addresses, so many, in the form of RFC 5952: each group is zero, short or full with equal chance, so that gaps
/// of all lengths stand at all places.
#[must_use]
pub fn random_ipv6(many: usize) -> Vec<String> {
    let mut random = Random::new(6);
    let mut group = || match random.next() % 3 {
        0 => 0,
        1 => (random.next() >> 60) as u16,
        _ => (random.next() >> 48) as u16,
    };
    (0..many).map(|_| Ipv6Addr::from([(); 8].map(|()| group())).to_string()).collect()
}

/// Random ports, so many.
#[must_use]
pub fn random_ports(many: usize) -> Vec<String> {
    let mut random = Random::new(1);
    (0..many).map(|_| (random.next() >> 48).to_string()).collect()
}
