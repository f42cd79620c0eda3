//! Texts of nodes: literals against core::net and a model of inet_aton(3), and what `node` says about them.

use crate::models::inet_aton::inet_aton;
use rdma_addrinfo_core::text::{self, Grammar, Ipv4Text, Ipv6Text, Node, Zone};
use rdma_addrinfo_core::{ErrorKind, Location};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::str::{self, FromStr};

/// Checks one input.
pub fn check(bytes: &[u8]) {
    let v4 = parsed::<Ipv4Addr>(bytes);
    let v6 = parsed::<Ipv6Addr>(bytes);
    assert_eq!(text::ipv4(bytes), v4.map(Ipv4Addr::to_bits));
    assert_eq!(text::ipv6(bytes), v6.map(Ipv6Addr::to_bits));
    assert_eq!(text::gid(bytes), text::ipv6(bytes));
    assert_eq!(text::ipv4_glibc(bytes), inet_aton(bytes));
    if let Some(v4) = v4 {
        assert_eq!(Ipv4Text(v4.to_bits()).to_string(), v4.to_string());
    }
    if let Some(v6) = v6 {
        assert_eq!(Ipv6Text(v6.to_bits()).to_string(), v6.to_string());
    }
    for grammar in [Grammar::Strict, Grammar::Glibc] {
        node(grammar, bytes, v4.map(IpAddr::V4).or(v6.map(IpAddr::V6)));
    }
}

fn parsed<T: FromStr>(bytes: &[u8]) -> Option<T> {
    str::from_utf8(bytes).ok()?.parse().ok()
}

fn node(grammar: Grammar, bytes: &[u8], literal: Option<IpAddr>) {
    let strict = grammar == Grammar::Strict;
    let node = text::node(grammar, bytes);
    if let Some(literal) = literal {
        let right = match literal {
            IpAddr::V4(v4) => Node::Ipv4(v4.to_bits()),
            IpAddr::V6(v6) => Node::Ipv6 { address: v6.to_bits(), zone: Zone::None },
        };
        assert_eq!(node, Ok(right));
        return;
    }
    match node {
        Ok(Node::Ipv4(address)) => assert!(!strict && inet_aton(bytes) == Some(address)),
        Ok(Node::Ipv6 { address, zone }) => with_zone(strict, bytes, address, zone),
        Ok(Node::Name(name)) => {
            assert_eq!(name, bytes);
            assert!(!name.is_empty() && !name.contains(&0));
            if strict {
                assert!(name.len() <= 255 && name != b"*" && inet_aton(name).is_none());
            }
        }
        Err(error) => {
            let Location::Node(offset) = error.location() else { panic!("{error:?}") };
            assert!(offset <= bytes.len(), "{error:?}");
            let kind = if bytes.contains(&0) { ErrorKind::Invalid } else { ErrorKind::NoName };
            assert_eq!(error.kind(), kind, "{error:?}");
        }
    }
}

fn with_zone(strict: bool, bytes: &[u8], address: u128, zone: Zone<'_>) {
    let percent =
        bytes.iter().position(|byte| *byte == b'%').expect("only a zone hides a literal from core::net");
    let (head, tail) = (&bytes[..percent], &bytes[percent + 1..]);
    assert_eq!(parsed::<Ipv6Addr>(head).map(Ipv6Addr::to_bits), Some(address));
    let v6 = Ipv6Addr::from_bits(address);
    let link_local = v6.is_unicast_link_local() || (v6.is_multicast() && v6.segments()[0] & 0xf == 2);
    match zone {
        Zone::None => panic!("a zone was given"),
        Zone::Index(index) => {
            assert_eq!(parsed::<u32>(tail), Some(index));
            assert!(tail.iter().all(u8::is_ascii_digit));
            assert!(!strict || (link_local && tail[0] != b'0'));
        }
        Zone::Name(name) => {
            assert_eq!(name, tail);
            // glibc takes a name on interface-local multicast, too.
            let interface_local = v6.is_multicast() && v6.segments()[0] & 0xf == 1;
            assert!(link_local || (!strict && interface_local));
            assert!((1..=127).contains(&name.len()) && !name.contains(&0));
        }
        Zone::Invalid(offset) => assert!(!strict && offset == percent + 1),
    }
}
