//! `rdma_addrinfo_core::text`

use crate::opaque::{any, bytes, sink};
use crate::{derived, formats};
use rdma_addrinfo_core::text::{self, Grammar, Ipv4Text, Ipv6Text, Node, Service, Zone};

pub fn calls() {
    let grammar = any(Grammar::Strict);
    sink(text::ipv4(bytes()));
    sink(text::ipv4_glibc(bytes()));
    sink(text::ipv6(bytes()));
    sink(text::gid(bytes()));
    sink(text::port(bytes()));
    sink(text::number(bytes()));
    sink(text::service_id(bytes()));
    sink(text::node(grammar, bytes()));
    sink(text::service(grammar, bytes()));
    formats!(Ipv4Text, Ipv4Text(any(0)); Display);
    formats!(Ipv6Text, Ipv6Text(any(0)); Display);

    derived!(Grammar, grammar; Clone PartialEq Hash);
    derived!(Node, Node::Name(bytes()); Clone PartialEq Hash);
    derived!(Service, Service::Name(bytes()); Clone PartialEq Hash);
    derived!(Zone, Zone::Name(bytes()); Clone PartialEq Hash);
    derived!(Ipv4Text, Ipv4Text(0); Clone PartialEq Hash);
    derived!(Ipv6Text, Ipv6Text(0); Clone PartialEq Hash);
}
