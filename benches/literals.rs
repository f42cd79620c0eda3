//! The literals that several benchmarks resolve, and what is right about them.

use crate::{CHints, Literal, random_ipv4, random_ipv6, random_ports};
use rdma_addrinfo_core::{Flags, Hints, PortSpace, QpType};
use std::net::{IpAddr, SocketAddr, SocketAddrV4, SocketAddrV6};

/// A reliable connection by TCP ports: what most programs ask for.
pub const HINTS: Hints<'_> = Hints::new().with_qp_type(QpType::RC).with_port_space(PortSpace::TCP);

/// The same for C, with flags.
#[must_use]
pub const fn c_hints(flags: Flags) -> CHints {
    CHints::new(flags, QpType::RC, PortSpace::TCP)
}

/// Cases of one literal each.
#[must_use]
pub fn single_literals() -> Vec<(&'static str, Vec<Literal>)> {
    [
        ("ipv4_port", "192.0.2.7"),
        ("ipv6_short_port", "2001:db8::7"),
        ("ipv6_full_port", "2001:db8:85a3:8d3:1319:8a2e:370:7348"),
    ]
    .map(|(case, node)| (case, vec![Literal::new(node, "7471")]))
    .into()
}

/// Random literals with random ports, IPv4 and IPv6 in turn.
#[must_use]
pub fn mixed(many: usize) -> Vec<Literal> {
    let nodes = random_ipv4(many).into_iter().zip(random_ipv6(many)).flat_map(|(v4, v6)| [v4, v6]);
    nodes.zip(random_ports(many)).map(|(node, port)| Literal::new(node, port)).collect()
}

/// The right answer, by the parsers of core::net; these literals have no zone but `lo` and its index.
///
/// # Panics
/// When the input is none.
#[must_use]
pub fn right(input: &Literal) -> Vec<SocketAddr> {
    let port = input.service.parse().expect("a port");
    let (address, zone) = input.node.split_once('%').unwrap_or((&input.node, "0"));
    let scope = if zone == "lo" { 1 } else { zone.parse().expect("an index") };
    vec![match address.parse().expect("a literal") {
        IpAddr::V4(v4) => SocketAddrV4::new(v4, port).into(),
        IpAddr::V6(v6) => SocketAddrV6::new(v6, port, 0, scope).into(),
    }]
}
