//! Every port and every octet as text, and back.

use rdma_addrinfo_core::text::{self, Grammar, Node, Service};
use rdma_addrinfo_core::{Policy, Request, Results, SockAddrBuf};

fn step() -> usize {
    if cfg!(miri) { 4099 } else { 1 }
}

#[test]
fn ports() {
    for port in (0..=u16::MAX).step_by(step()) {
        let text = port.to_string();
        for grammar in [Grammar::Strict, Grammar::Glibc] {
            assert_eq!(text::service(grammar, text.as_bytes()), Ok(Service::Port(port)));
        }
        let mut results = Results::<1>::new();
        let list = Request::new("192.0.2.7", text.as_str(), None).resolve_literal(&mut results).unwrap();
        let address = list.first().unwrap().dst_addr().unwrap();
        assert_eq!(address.port(), port);
        assert_eq!(address.as_bytes()[2..4], port.to_be_bytes());
        let told = if port == 0 { "192.0.2.7".into() } else { format!("192.0.2.7:{port}") };
        assert_eq!(address.to_string(), told);
        assert_eq!(told.parse::<SockAddrBuf>().unwrap().as_bytes(), address.as_bytes());
    }
}

/// By glibc's grammar a number that does not fit keeps its low 16 bits.
#[test]
fn ports_above_16_bits() {
    for port in (0..=u16::MAX).step_by(step()) {
        let text = (u32::from(port) + 0x7fff_0000).to_string();
        assert_eq!(text::service(Grammar::Glibc, text.as_bytes()), Ok(Service::Port(port)), "{text}");
        assert!(text::service(Grammar::Strict, text.as_bytes()).is_err(), "{text}");
    }
}

/// Each octet in each place, in each form that inet_aton(3) knows; strictly only the plain decimal one is an address.
#[test]
fn octets() {
    for octet in (0..=255_u32).step_by(step().min(51)) {
        let decimal = octet.to_string();
        let others = [
            format!("0{octet:o}"),
            format!("000{octet:o}"),
            format!("0x{octet:x}"),
            format!("0X{octet:02X}"),
            format!("0x00{octet:x}"),
        ];
        for place in 0..4_u32 {
            let whole = |part: &str| {
                let mut parts = ["1", "2", "3", "4"];
                parts[place as usize] = part;
                parts.join(".")
            };
            let shift = 24 - 8 * place;
            let address = 0x0102_0304 & !(0xff << shift) | octet << shift;
            for grammar in [Grammar::Strict, Grammar::Glibc] {
                let node = whole(&decimal);
                assert_eq!(text::node(grammar, node.as_bytes()), Ok(Node::Ipv4(address)), "{node}");
            }
            for other in &others {
                let node = whole(other);
                assert_eq!(text::node(Grammar::Glibc, node.as_bytes()), Ok(Node::Ipv4(address)), "{node}");
                assert!(text::node(Grammar::Strict, node.as_bytes()).is_err(), "{node}");
            }
            // One too many: no address, and no name of a host.
            let node = whole(&(octet + 256).to_string());
            assert!(text::node(Grammar::Strict, node.as_bytes()).is_err(), "{node}");
            if place < 3 {
                assert_eq!(text::ipv4_glibc(node.as_bytes()), None, "{node}");
            }
        }
    }
}

/// The forms with fewer parts: the last fills what is left.
#[test]
fn octets_of_short_forms() {
    for octet in (0..=255_u32).step_by(step().min(51)) {
        for (text, address) in [
            (format!("{octet}"), octet),
            (format!("{}", octet << 24 | 7), octet << 24 | 7),
            (format!("10.{octet}"), 10 << 24 | octet),
            (format!("{octet}.1"), octet << 24 | 1),
            (format!("10.{}", octet << 16 | 7), 10 << 24 | octet << 16 | 7),
            (format!("10.{octet}.1"), 10 << 24 | octet << 16 | 1),
            (format!("10.1.{}", octet << 8 | 7), 0x0a01_0007 | octet << 8),
        ] {
            let mut results = Results::<1>::new();
            let request = Request::new(text.as_str(), "1", None);
            let list = request.with_policy(Policy::LIBRDMACM).resolve_literal(&mut results).unwrap();
            let told = list.first().unwrap().dst_addr().unwrap().ip().unwrap();
            assert_eq!(told, std::net::Ipv4Addr::from_bits(address), "{text}");
            assert!(Request::new(text.as_str(), "1", None).resolve_literal(&mut results).is_err(), "{text}");
        }
    }
}
