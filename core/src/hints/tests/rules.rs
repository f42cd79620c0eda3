//! The builder, and what is refused.

use crate::error::{Error, ErrorKind, Field, Location, Reason};
use crate::hints::{Hints, Protocol, Transport};
use crate::route::RouteHint;
use crate::sockaddr::SockAddrBuf;
use crate::sockaddr::tests::counts;
use crate::types::{Family, Flags, PortSpace, QpType};

const SRC: SockAddrBuf = SockAddrBuf::inet(0xc000_0209, 0);
const DST: SockAddrBuf = SockAddrBuf::inet6(1, 7471, 2, 3);

/// Every method of the builder is const.
const HINTS: Hints<'_> = Hints::new()
    .with_flags(Flags::DNS)
    .passive()
    .numeric_host()
    .with_family(Family::IB)
    .with_qp_type(QpType::XRC_RECV)
    .with_port_space(PortSpace::IB)
    .with_src_addr(SRC)
    .with_dst_addr(DST)
    .with_route(&[7; 72]);

#[test]
fn builder() {
    assert_eq!(HINTS.flags(), Flags::DNS | Flags::PASSIVE | Flags::NUMERIC_HOST);
    assert_eq!(HINTS.family(), Family::IB);
    assert_eq!((HINTS.qp_type(), HINTS.port_space()), (QpType::XRC_RECV, PortSpace::IB));
    assert_eq!((*HINTS.src_addr(), *HINTS.dst_addr()), (SRC, DST));
    assert_eq!(HINTS.route(), [7; 72]);
    assert!(HINTS.is_passive());
    assert!(!HINTS.with_flags(Flags::NUMERIC_HOST).is_passive());
    assert_eq!(HINTS.with_flags(Flags::SA).flags(), Flags::SA, "all flags are set");
}

#[test]
fn empty_hints() {
    let new = Hints::new();
    assert_eq!(new, Hints::default());
    assert_eq!((new.flags(), new.family()), (Flags::empty(), Family::UNSPEC));
    assert_eq!((new.qp_type(), new.port_space()), (QpType::ANY, PortSpace::ANY));
    assert!(new.src_addr().is_none() && new.dst_addr().is_none() && new.route().is_empty());
    assert_eq!(new.validate(), Ok(()));
    assert_eq!(new.route_hint(), Ok(None));
}

fn refused(hints: Hints<'_>, kind: ErrorKind, reason: Reason, field: Field) {
    let expected = Error::new(kind).because(reason).at(Location::Hints(field));
    assert_eq!(hints.validate(), Err(expected), "{hints}");
}

#[test]
fn flags_are_those_of_the_manual_page() {
    for bit in 0..32 {
        let hints = Hints::new().with_flags(Flags::from_bits_retain(1 << bit));
        match bit {
            0..=5 => assert_eq!(hints.validate(), Ok(()), "bit {bit}"),
            _ => refused(hints, ErrorKind::BadFlags, Reason::UnknownFlag, Field::Flags),
        }
    }
    let both = Hints::new().with_flags(Flags::SA | Flags::DNS);
    refused(both, ErrorKind::NotSupported, Reason::SaWithDns, Field::Flags);
    // An unknown flag is found first.
    refused(both.with_flags(Flags::all()), ErrorKind::BadFlags, Reason::UnknownFlag, Field::Flags);
    // A question to the subnet administrator ignores the other hints.
    let others = Hints::new().with_family(Family::from_raw(5)).with_qp_type(QpType::from_raw(77));
    let others = others.with_route(&[1, 2, 3]);
    assert!(others.validate().is_err());
    assert_eq!(others.with_flags(Flags::SA).validate(), Ok(()));
}

#[test]
fn families_are_those_of_the_manual_page() {
    for family in [-1, 0, 1, 2, 3, 9, 10, 11, 26, 27, 28, i32::MAX, i32::MIN] {
        let hints = Hints::new().with_family(Family::from_raw(family));
        match family {
            0 | 2 | 10 | 27 => assert_eq!(hints.validate(), Ok(())),
            _ => refused(hints, ErrorKind::Family, Reason::Unspecified, Field::Family),
        }
    }
}

#[test]
fn routes_are_arrays() {
    let bytes = [0; 600];
    for len in (0..=bytes.len()).filter(|len| counts(*len, &[0, 64, 72, 128, 144, 576])) {
        let hints = Hints::new().with_route(&bytes[..len]);
        if len % 72 == 0 || len % 64 == 0 {
            assert_eq!(hints.validate(), Ok(()), "{len} bytes");
            let paths = hints.route_hint().unwrap().map_or(0, |route: RouteHint<'_>| route.len());
            assert_eq!(paths, if len % 72 == 0 { len / 72 } else { len / 64 });
        } else {
            refused(hints, ErrorKind::Invalid, Reason::RouteHintLength, Field::Route);
        }
    }
}

/// What librdmacm answers for each pair, with the protocol that a service name is looked up for.
#[test]
fn qp_types_and_port_spaces() {
    use Protocol::{Any, Tcp, Udp};
    const NO: Option<(i32, i32, Protocol)> = None;
    let spaces = [PortSpace::ANY, PortSpace::IPOIB, PortSpace::TCP, PortSpace::UDP, PortSpace::IB];
    let connected = |qp| [Some((qp, 0x106, Tcp)), NO, Some((qp, 0x106, Tcp)), NO, Some((qp, 0x13f, Tcp))];
    let rows = [
        (
            0,
            [
                Some((2, 0x106, Any)),
                Some((4, 2, Udp)),
                Some((2, 0x106, Tcp)),
                Some((4, 0x111, Udp)),
                Some((2, 0x13f, Any)),
            ],
        ),
        (2, connected(2)),
        (3, connected(3)),
        (9, connected(9)),
        (10, connected(10)),
        (4, [Some((4, 0x111, Udp)), Some((4, 2, Udp)), NO, Some((4, 0x111, Udp)), Some((4, 0x13f, Udp))]),
    ];
    for (qp, answers) in rows {
        for (space, answer) in spaces.into_iter().zip(answers) {
            let hints = Hints::new().with_qp_type(QpType::from_raw(qp)).with_port_space(space);
            for strict in [true, false] {
                let transport = hints.transport();
                let pair = transport.check(strict).map(|()| {
                    let (qp_type, space) = transport.settle(transport.protocol());
                    (qp_type.to_raw(), space.to_raw(), transport.protocol())
                });
                assert_eq!(pair.ok(), answer, "{hints}, strict {strict}");
                assert_eq!(transport.is_sound(), answer.is_some());
            }
            match answer {
                Some(_) => assert_eq!(hints.validate(), Ok(())),
                None => refused(hints, ErrorKind::QpType, Reason::Inconsistent, Field::PortSpace),
            }
        }
    }
}

/// A service that one protocol only has decides what was left open.
#[test]
fn a_service_decides() {
    let settle = |qp_type, port_space, protocol| {
        let transport = Transport::new(qp_type, port_space);
        transport.check(true).map(|()| transport.settle(protocol))
    };
    let (any_qp, any_space) = (QpType::ANY, PortSpace::ANY);
    assert_eq!(settle(any_qp, any_space, Protocol::Tcp), Ok((QpType::RC, PortSpace::TCP)));
    assert_eq!(settle(any_qp, any_space, Protocol::Udp), Ok((QpType::UD, PortSpace::UDP)));
    assert_eq!(settle(any_qp, PortSpace::IB, Protocol::Tcp), Ok((QpType::RC, PortSpace::IB)));
    assert_eq!(settle(any_qp, PortSpace::IB, Protocol::Udp), Ok((QpType::UD, PortSpace::IB)));
}

#[test]
fn unknown_values_are_refused_or_repeated() {
    for qp in [-1, 1, 5, 6, 7, 8, 11, 254, 255, 256, i32::MAX] {
        let hints = Hints::new().with_qp_type(QpType::from_raw(qp));
        refused(hints, ErrorKind::QpType, Reason::UnknownQpType, Field::QpType);
        let repeated = hints.transport();
        assert_eq!(repeated.check(false), Ok(()));
        assert!(!repeated.is_sound());
        assert_eq!(repeated.protocol(), Protocol::Any);
        assert_eq!(repeated.settle(Protocol::Any), (QpType::from_raw(qp), PortSpace::TCP));
    }
    for space in [-1, 1, 3, 0x105, 0x107, 0x110, 0x112, 0x13e, 0x140, i32::MAX] {
        let hints = Hints::new().with_port_space(PortSpace::from_raw(space));
        refused(hints, ErrorKind::QpType, Reason::UnknownPortSpace, Field::PortSpace);
        let repeated = hints.transport();
        assert_eq!(repeated.check(false), Ok(()));
        assert!(!repeated.is_sound());
        assert_eq!(repeated.protocol(), Protocol::Any);
        assert_eq!(repeated.settle(Protocol::Udp), (QpType::UD, PortSpace::from_raw(space)));
    }
}
