//! The short way of a literal comes to what the long way comes to.

use crate::addrinfo::Storage;
use crate::hints::Hints;
use crate::request::{Policy, Request, Text};
use crate::resolve::entries::{Entries, Parsed, entries_for_text};
use crate::resolve::literal::parse_literal;
use crate::results::Results;
use crate::sockaddr::SockAddrBuf;
use crate::text;
use crate::types::{Family, Flags, Gid, Pkey, PortSpace, QpType, ServiceId};
use std::format;
use std::string::String;
use std::vec::Vec;

/// The entries with all their fields, and what is missing among them. `None` where there is more to ask or an error.
fn long_way<const N: usize>(request: &Request<'_>) -> Option<String> {
    let mut results = Results::<N>::new();
    let mut storage = Storage::from(&mut results);
    let (node, service) = (request.node.bytes(), request.service.text().bytes());
    let parsed = Parsed { node: node.map(text::plain_node), port: Some(service.map_or(Some(0), text::port)) };
    match entries_for_text(request, parsed, &mut storage) {
        Ok(Entries::Made(summary, _)) => Some(format!("{summary:?} {storage:?}")),
        _ => None,
    }
}

fn short_way<const N: usize>(request: &Request<'_>) -> Option<String> {
    let mut results = Results::<N>::new();
    let mut storage = Storage::from(&mut results);
    let summary = parse_literal(request, &mut storage).ok()?;
    Some(format!("{summary:?} {storage:?}"))
}

fn sources() -> [SockAddrBuf; 4] {
    let gid = SockAddrBuf::ib(Gid::from_bits(1), Pkey::DEFAULT, 0, ServiceId::from_raw(0), 0, 0);
    [SockAddrBuf::NONE, SockAddrBuf::inet(0xc000_0209, 9), SockAddrBuf::inet6(7, 9, 0, 0), gid]
}

fn all_hints() -> Vec<Hints<'static>> {
    let mut all = Vec::new();
    let families = [Family::UNSPEC, Family::INET, Family::INET6, Family::IB, Family::from_raw(1)];
    let pairs = [(0, 0), (2, 0x106), (4, 0), (0, 0x13f), (4, 0x106), (8, 0), (0, 1), (8, 1)];
    let routes: [&[u8]; 3] = [&[], &[0; 72], &[0; 7]];
    for family in families {
        for (qp, space) in pairs {
            for route in routes {
                for source in sources() {
                    let pair = (QpType::from_raw(qp), PortSpace::from_raw(space));
                    let hints = Hints::new().with_family(family).with_qp_type(pair.0).with_port_space(pair.1);
                    all.push(hints.with_route(route).with_src_addr(source));
                }
            }
        }
    }
    all
}

#[test]
fn the_short_way_is_the_long_way() {
    let nodes = [
        Some("192.0.2.7"),
        Some("::1"),
        Some("2001:db8:1:2:3:4:5:6"),
        Some("::ffff:192.0.2.7"),
        Some("fe80::1%2"),
        Some("127.1"),
        Some("*"),
        Some("storage-7"),
        Some(""),
        None,
    ];
    let services =
        [None, Some("0"), Some("7471"), Some("65535"), Some("65536"), Some("07"), Some("nfs"), Some("*")];
    let flags = [0, 1, 2, 4, 8, 0x3f, 0x10, 0x20, 0x40, 0x0100_0000];
    let (mut short, mut long) = (0, 0);
    let (step_of_hints, least) = if cfg!(miri) { (97, 5) } else { (1, 800) };
    for (at, hints) in all_hints().iter().enumerate().step_by(step_of_hints) {
        for (step, flags) in flags.into_iter().enumerate() {
            let hints = hints.with_flags(Flags::from_raw(flags));
            for (turn, node) in nodes.into_iter().enumerate() {
                // Every pair of node and service, over the turns.
                let service = services[(at + step + turn) % services.len()];
                for policy in [Policy::MAN_PAGE, Policy::LIBRDMACM] {
                    let request =
                        Request::new(Text::from(node), Text::from(service), &hints).with_policy(policy);
                    let request = request.with_canonical_names(at % 2 == 1);
                    long += u32::from(long_way::<2>(&request).is_some());
                    let Some(answer) = short_way::<2>(&request) else { continue };
                    short += 1;
                    assert_eq!(Some(answer), long_way::<2>(&request), "{request:?}");
                    assert_eq!(short_way::<0>(&request), long_way::<0>(&request), "{request:?}");
                }
            }
        }
    }
    // Neither is empty, and the short way is not all.
    assert!(least < short && short < long, "{short} of {long}");
}

/// What most requests are goes the short way.
#[test]
fn plain_literals_go_the_short_way() {
    let plain = Hints::new().with_qp_type(QpType::RC).with_port_space(PortSpace::TCP);
    let source = plain.with_src_addr(SockAddrBuf::inet(0xc000_0209, 0));
    for hints in [None, Some(&Hints::new()), Some(&plain), Some(&plain.passive()), Some(&source)] {
        for node in ["192.0.2.7", "2001:db8::7"] {
            for service in [None, Some("7471")] {
                for policy in [Policy::MAN_PAGE, Policy::LIBRDMACM] {
                    let request = Request::new(node, Text::from(service), hints).with_policy(policy);
                    assert!(short_way::<1>(&request).is_some(), "{request:?}");
                }
            }
        }
    }
}
