//! Requests that are rejected, or changed before the call.

use super::super::guard::CallGuard;
use rdma_addrinfo_core::{
    Error, ErrorKind, Family, Field, Flags, Gid, Hints, Location, Pkey, Reason, ServiceId, SockAddrBuf, Text,
};

const V4: SockAddrBuf = SockAddrBuf::inet(0xc000_0209, 0);
const V6: SockAddrBuf = SockAddrBuf::inet6(0x2001_0db8 << 96 | 9, 0, 0, 0);
const IB: SockAddrBuf =
    SockAddrBuf::ib(Gid::from_bits(0xfe80 << 112 | 9), Pkey::DEFAULT, 0, ServiceId::from_raw(0), 0, 0);
const NONE: SockAddrBuf = SockAddrBuf::NONE;

fn guard<'q>(
    node: impl Into<Text<'q>>,
    service: impl Into<Text<'q>>,
    hints: Hints<'_>,
) -> Result<CallGuard<'q>, Error> {
    CallGuard::new(node.into(), service.into(), &hints, false)
}

fn as_ib(flags: Flags) -> Hints<'static> {
    Hints::new().with_family(Family::IB).with_flags(flags | Flags::FAMILY | Flags::NUMERIC_HOST)
}

#[test]
fn a_gid_is_made_of_ipv6_text_only() {
    for flags in [Flags::empty(), Flags::PASSIVE, Flags::NO_ROUTE, Flags::ROUTE_ONLY, Flags::DNS] {
        for service in [Text::NONE, Text::from("7471")] {
            for node in ["::1", "2001:db8::1", "::ffff:192.0.2.1", "fe80::1%1", "fe80::1%none", "1::"] {
                assert_eq!(
                    guard(node, service, as_ib(flags)),
                    Ok(CallGuard::unchanged(node.into())),
                    "{node}"
                );
            }
            for node in ["192.0.2.1", "127.1", "1", "0x7f.1", "010.0.0.1", "4294967295"] {
                let error = guard(node, service, as_ib(flags)).unwrap_err();
                assert_eq!(
                    (error.kind(), error.reason(), error.location()),
                    (ErrorKind::AddrFamily, Reason::OtherFamily, Location::Node(0)),
                    "{node}"
                );
            }
            for node in [
                "storage-7",
                "localhost",
                "192.0.2.1 x",
                "192.0.2.256",
                "1.2.3.4.5",
                "4host",
                " ::1",
                "::1 ",
                "[::1]",
            ] {
                let error = guard(node, service, as_ib(flags)).unwrap_err();
                assert_eq!((error.kind(), error.reason()), (ErrorKind::NoName, Reason::NotGid), "{node}");
            }
            assert_eq!(guard("", service, as_ib(flags)).unwrap_err().kind(), ErrorKind::NoName);
        }
    }
}

#[test]
fn no_node_is_a_gid_too() {
    for node in [Text::NONE, Text::from("*")] {
        assert_eq!(guard(node, "7471", as_ib(Flags::empty())), Ok(CallGuard::unchanged("::1".into())));
        assert_eq!(guard(node, "7471", as_ib(Flags::PASSIVE)), Ok(CallGuard::unchanged("::".into())));
        assert_eq!(guard(node, "", as_ib(Flags::PASSIVE)), Ok(CallGuard::unchanged("::".into())));
    }
    // Hints alone: nothing is made of a node.
    assert_eq!(guard(None, None, as_ib(Flags::PASSIVE)), Ok(CallGuard::unchanged(Text::NONE)));
    assert_eq!(guard("*", None, as_ib(Flags::PASSIVE)).unwrap_err().kind(), ErrorKind::NoName);
}

/// Without all three of family and flags, the library makes no GID of what it finds.
#[test]
fn other_hints_ask_for_no_gid() {
    let all = Flags::FAMILY | Flags::NUMERIC_HOST;
    for (family, flags) in [
        (Family::IB, Flags::FAMILY),
        (Family::IB, Flags::NUMERIC_HOST),
        (Family::IB, Flags::empty()),
        (Family::INET, all),
        (Family::INET6, all),
        (Family::UNSPEC, all),
        (Family::from_raw(99), all),
    ] {
        for node in [Text::NONE, Text::from("192.0.2.1"), Text::from("*"), Text::from("storage-7")] {
            let hints = Hints::new().with_family(family).with_flags(flags);
            assert_eq!(guard(node, "7471", hints), Ok(CallGuard::unchanged(node)), "{hints:?}");
        }
    }
}

/// With a source in the hints, an AF_IB entry is made only if the node's address is surely of the same family.
#[test]
fn sources_of_another_family() {
    const ANY: Family = Family::UNSPEC;
    for (node, family, source, route_only) in [
        ("192.0.2.1", ANY, NONE, false),
        ("192.0.2.1", ANY, V4, false),
        ("127.1", ANY, V4, false),
        ("192.0.2.1", ANY, V6, true),
        ("192.0.2.1", ANY, IB, true),
        ("2001:db8::1", ANY, V6, false),
        ("::ffff:192.0.2.1", ANY, V6, false),
        ("fe80::1%lo", ANY, V6, false),
        ("2001:db8::1", ANY, V4, true),
        ("2001:db8::1", Family::INET6, V6, false),
        ("2001:db8::1", Family::INET6, V4, true),
        ("::ffff:192.0.2.1", Family::INET, V4, false),
        ("192.0.2.1", Family::IB, V4, false),
        ("192.0.2.1", Family::IB, IB, true),
        ("storage-7", ANY, NONE, false),
        ("storage-7", ANY, V4, true),
        ("storage-7", ANY, V6, true),
        ("storage-7", Family::INET, V4, false),
        ("storage-7", Family::INET6, V6, false),
        ("storage-7", Family::INET, V6, true),
        ("storage-7", Family::IB, V4, true),
        ("*", ANY, V4, true),
    ] {
        let hints = Hints::new().with_family(family).with_src_addr(source);
        let expected = CallGuard { node: node.into(), route_only };
        assert_eq!(guard(node, "7471", hints), Ok(expected), "{node} {hints:?}");
        for flags in [Flags::PASSIVE, Flags::ROUTE_ONLY] {
            assert_eq!(guard(node, "7471", hints.with_flags(flags)), Ok(CallGuard::unchanged(node.into())));
        }
        // The destination in the hints is not read.
        assert_eq!(
            guard(node, None, hints.with_dst_addr(IB)),
            Ok(CallGuard { node: node.into(), route_only })
        );
    }
    let hints = Hints::new().with_src_addr(V6);
    assert_eq!(guard(None, "7471", hints), Ok(CallGuard { node: Text::NONE, route_only: true }));
    assert_eq!(guard(None, "7471", hints.with_family(Family::INET6)), Ok(CallGuard::unchanged(Text::NONE)));
}

#[test]
fn hints_alone() {
    const ANY: Family = Family::UNSPEC;
    for (family, source, destination, route_only) in [
        (ANY, NONE, NONE, true),
        (ANY, V4, V4, true),
        (ANY, NONE, V6, true),
        (Family::INET, V4, V4, false),
        (Family::INET, NONE, V4, false),
        (Family::INET, V4, NONE, true),
        (Family::INET, V6, V4, true),
        (Family::INET, V4, V6, true),
        (Family::INET6, V6, V6, false),
        (Family::INET6, NONE, V6, false),
        (Family::INET6, V4, V6, true),
        (Family::INET6, IB, IB, true),
        (Family::IB, IB, IB, false),
        (Family::IB, V4, V6, false),
        (Family::IB, NONE, NONE, false),
        (Family::from_raw(99), V4, V4, true),
    ] {
        let hints = Hints::new().with_family(family).with_src_addr(source).with_dst_addr(destination);
        assert_eq!(guard(None, None, hints), Ok(CallGuard { node: Text::NONE, route_only }), "{hints:?}");
        for flags in [Flags::PASSIVE, Flags::ROUTE_ONLY] {
            assert_eq!(guard(None, None, hints.with_flags(flags)), Ok(CallGuard::unchanged(Text::NONE)));
        }
    }
}

#[test]
fn the_subnet_administrator_needs_a_newer_library() {
    let sa = Hints::new().with_flags(Flags::SA);
    for hints in [sa, as_ib(Flags::SA), sa.with_src_addr(V6), sa.with_flags(Flags::SA | Flags::DNS)] {
        for node in [Text::NONE, Text::from("192.0.2.1")] {
            let error = guard(node, "7471", hints).unwrap_err();
            assert_eq!(
                (error.kind(), error.reason(), error.location()),
                (ErrorKind::NotSupported, Reason::SaNeedsRelease, Location::Hints(Field::Flags))
            );
            assert_eq!(CallGuard::new(node, "7471".into(), &hints, true), Ok(CallGuard::unchanged(node)));
        }
    }
}
