//! Literals to numbers, against core::net and inet_pton(3).

use criterion::Criterion;
use rdma_addrinfo_benches::{Case, Literal, RANDOM, inet_pton, random_ipv4, random_ipv6, random_ports};
use rdma_addrinfo_core::text::{self, Grammar, Node, Zone};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

pub(crate) fn measure(criterion: &mut Criterion) {
    ipv4(criterion);
    ipv6(criterion);
    gid(criterion);
    node(criterion);
    zone(criterion);
    port(criterion);
}

fn ipv4(criterion: &mut Criterion) {
    for (case, texts) in [
        ("ipv4_short", vec!["1.2.3.4".to_owned()]),
        ("ipv4_long", vec!["192.168.100.200".to_owned()]),
        ("ipv4_random", random_ipv4(RANDOM)),
    ] {
        let inputs = literals(texts);
        let right = |input: &Literal| Some(input.node.parse::<Ipv4Addr>().expect("a literal").to_bits());
        Case::new(criterion, &format!("literal_parse/{case}"), &inputs, right)
            .engine("ours", |input| text::ipv4(input.node.as_bytes()))
            .engine("ours_glibc", |input| text::ipv4_glibc(input.node.as_bytes()))
            .engine("core_net", |input| input.node.parse().ok().map(Ipv4Addr::to_bits))
            .engine("inet_pton", |input| inet_pton(&input.c_node).map(u32::from_be_bytes));
    }
}

fn ipv6(criterion: &mut Criterion) {
    for (case, texts) in [
        ("ipv6_short", vec!["2001:db8::7".to_owned()]),
        ("ipv6_full", vec!["2001:db8:85a3:8d3:1319:8a2e:370:7348".to_owned()]),
        ("ipv6_dotted", vec!["64:ff9b::192.0.2.33".to_owned()]),
        ("ipv6_random", random_ipv6(RANDOM)),
    ] {
        let inputs = literals(texts);
        Case::new(criterion, &format!("literal_parse/{case}"), &inputs, right_ipv6)
            .engine("ours", |input| text::ipv6(input.node.as_bytes()))
            .engine("core_net", |input| input.node.parse().ok().map(Ipv6Addr::to_bits))
            .engine("inet_pton", |input| inet_pton(&input.c_node).map(u128::from_be_bytes));
    }
}

fn gid(criterion: &mut Criterion) {
    let inputs = literals(vec!["fe80::ba59:9fff:fe1a:2b3c".to_owned()]);
    Case::new(criterion, "literal_parse/gid", &inputs, right_ipv6)
        .engine("ours", |input| text::gid(input.node.as_bytes()))
        .engine("core_net", |input| input.node.parse().ok().map(Ipv6Addr::to_bits))
        .engine("inet_pton", |input| inet_pton(&input.c_node).map(u128::from_be_bytes));
}

/// A text that can be an address of either family.
fn node(criterion: &mut Criterion) {
    let mixed = random_ipv4(RANDOM).into_iter().zip(random_ipv6(RANDOM)).flat_map(|(v4, v6)| [v4, v6]);
    let inputs = literals(mixed.collect());
    let right = |input: &Literal| input.node.parse::<IpAddr>().ok();
    Case::new(criterion, "literal_parse/node_random", &inputs, right)
        .engine("ours", |input| match text::node(Grammar::Strict, input.node.as_bytes()) {
            Ok(Node::Ipv4(address)) => Some(Ipv4Addr::from_bits(address).into()),
            Ok(Node::Ipv6 { address, zone: Zone::None }) => Some(Ipv6Addr::from_bits(address).into()),
            _ => None,
        })
        .engine("core_net", |input| input.node.parse().ok());
}

/// core::net reads no address with a zone, so there is no peer here.
fn zone(criterion: &mut Criterion) {
    let link_local = 0xfe80 << 112 | 1;
    for (case, text, zone) in [
        ("ipv6_zone_index", "fe80::1%2", Zone::Index(2)),
        ("ipv6_zone_name", "fe80::1%ib0", Zone::Name(b"ib0")),
    ] {
        let right = |_: &&'static str| Ok(Node::Ipv6 { address: link_local, zone });
        Case::new(criterion, &format!("literal_parse/{case}"), &[text], right)
            .engine("ours", |text| text::node(Grammar::Strict, text.as_bytes()));
    }
}

fn port(criterion: &mut Criterion) {
    for (case, texts) in [("port", vec!["7471".to_owned()]), ("port_random", random_ports(RANDOM))] {
        let right = |text: &String| Some(text.parse::<u16>().expect("a port"));
        Case::new(criterion, &format!("literal_parse/{case}"), &texts, right)
            .engine("ours", |text| text::port(text.as_bytes()))
            .engine("core_num", |text| text.parse().ok());
    }
}

fn literals(texts: Vec<String>) -> Vec<Literal> {
    texts.into_iter().map(|text| Literal::new(text, "")).collect()
}

fn right_ipv6(input: &Literal) -> Option<u128> {
    Some(input.node.parse::<Ipv6Addr>().expect("a literal").to_bits())
}
