//! QP type and port space (rules, section 4).

use super::script::{NONE, Names, hint, run, then, walk};
use super::whole::{ip, list, refused, to};
use rdma_addrinfo_core::{
    ErrorKind, Family, Field, Hints, Location, PortSpace, Protocol, QpType, Reason, Request,
};

const RC: QpType = QpType::RC;
const UD: QpType = QpType::UD;
const PORT_SPACES: [PortSpace; 5] =
    [PortSpace::ANY, PortSpace::IPOIB, PortSpace::TCP, PortSpace::UDP, PortSpace::IB];

/// What is answered, what is left of private data, and the protocol of a service name.
type Answered = Option<(QpType, PortSpace, usize, Protocol)>;

/// The rows of the matrix, a column for each of [`PORT_SPACES`].
fn matrix() -> Vec<(QpType, [Answered; 5])> {
    use PortSpace as Ps;
    use Protocol::{Any, Tcp, Udp};
    let connected = |qp| {
        (
            qp,
            [
                Some((qp, Ps::TCP, 56, Tcp)),
                None,
                Some((qp, Ps::TCP, 56, Tcp)),
                None,
                Some((qp, Ps::IB, 56, Tcp)),
            ],
        )
    };
    vec![
        (
            QpType::ANY,
            [
                Some((RC, Ps::TCP, 56, Any)),
                Some((UD, Ps::IPOIB, 180, Udp)),
                Some((RC, Ps::TCP, 56, Tcp)),
                Some((UD, Ps::UDP, 180, Udp)),
                Some((RC, Ps::IB, 56, Any)),
            ],
        ),
        connected(RC),
        connected(QpType::UC),
        connected(QpType::XRC_SEND),
        connected(QpType::XRC_RECV),
        (
            UD,
            [
                Some((UD, Ps::UDP, 180, Udp)),
                Some((UD, Ps::IPOIB, 180, Udp)),
                None,
                Some((UD, Ps::UDP, 180, Udp)),
                Some((UD, Ps::IB, 56, Udp)),
            ],
        ),
    ]
}

fn each(mut check: impl FnMut(Hints<'static>, Answered)) {
    let mut checked = 0;
    for (qp_type, row) in matrix() {
        for (port_space, answered) in PORT_SPACES.into_iter().zip(row) {
            check(Hints::new().with_qp_type(qp_type).with_port_space(port_space), answered);
            checked += 1;
        }
    }
    assert_eq!(checked, 30);
}

const INCONSISTENT: (ErrorKind, Reason, Location) =
    (ErrorKind::QpType, Reason::Inconsistent, Location::Hints(Field::PortSpace));

#[test]
fn matrix_with_a_literal() {
    each(|hints, answered| {
        let request = Request::new("192.0.2.7", "7471", &hints);
        match answered {
            Some((qp_type, port_space, left, _)) => {
                let expected = to(ip("192.0.2.7:7471")).transport(qp_type, port_space, left);
                assert_eq!(run(request, &walk(["192.0.2.7:7471"])), list([expected]), "{hints}");
            }
            None => {
                let (kind, reason, at) = INCONSISTENT;
                assert_eq!(run(request, &[]), refused(kind, reason, at), "{hints}");
            }
        }
    });
}

#[test]
fn matrix_with_a_host_name() {
    each(|hints, answered| {
        let request = Request::new("storage-7", "7471", &hints);
        match answered {
            Some((qp_type, port_space, left, protocol)) => {
                // Without a service name one protocol is enough.
                let protocol = if protocol == Protocol::Any { Protocol::Tcp } else { protocol };
                let names = Names::node("storage-7").protocol(protocol).found(["192.0.2.7:0"]);
                let expected = to(ip("192.0.2.7:7471")).transport(qp_type, port_space, left);
                assert_eq!(run(request, &then(names, walk(["192.0.2.7:7471"]))), list([expected]), "{hints}");
            }
            None => {
                let (kind, reason, at) = INCONSISTENT;
                assert_eq!(run(request, &[]), refused(kind, reason, at), "{hints}");
            }
        }
    });
}

#[test]
fn matrix_with_a_service_name() {
    each(|hints, answered| {
        let alone = Request::new("192.0.2.7", "nfs", &hints);
        let both = Request::new("storage-7", "nfs", &hints);
        match answered {
            Some((qp_type, port_space, left, protocol)) => {
                let expected = list([to(ip("192.0.2.7:2049")).transport(qp_type, port_space, left)]);
                let service = Names::service("nfs").protocol(protocol);
                let script = then(service.found(["0.0.0.0:2049"]), walk(["192.0.2.7:2049"]));
                assert_eq!(run(alone, &script), expected, "{hints}");
                let names = Names { node: Some("storage-7"), ..service };
                let script = then(names.found(["192.0.2.7:2049"]), walk(["192.0.2.7:2049"]));
                assert_eq!(run(both, &script), expected, "{hints}");
            }
            None => {
                let (kind, reason, at) = INCONSISTENT;
                assert_eq!(run(alone, &[]), refused(kind, reason, at), "{hints}");
                assert_eq!(run(both, &[]), refused(kind, reason, at), "{hints}");
            }
        }
    });
}

#[test]
fn matrix_with_hints_alone() {
    each(|hints, answered| {
        let hints = hints.with_dst_addr(hint(&ip("192.0.2.7:7471")));
        let request = Request::new(NONE, NONE, &hints);
        match answered {
            Some((qp_type, port_space, left, _)) => {
                let expected = to(ip("192.0.2.7:7471")).transport(qp_type, port_space, left);
                assert_eq!(run(request, &walk(["192.0.2.7:7471"])), list([expected]), "{hints}");
            }
            None => {
                let (kind, reason, at) = INCONSISTENT;
                assert_eq!(run(request, &[]), refused(kind, reason, at), "{hints}");
            }
        }
    });
}

#[test]
fn other_qp_types_are_refused() {
    let expected = refused(ErrorKind::QpType, Reason::UnknownQpType, Location::Hints(Field::QpType));
    for qp_type in [8, 255, 1, 5, 6, 7, 11, -1, i32::MAX, i32::MIN] {
        for port_space in PORT_SPACES {
            let hints = Hints::new().with_qp_type(QpType::from_raw(qp_type)).with_port_space(port_space);
            assert_eq!(run(Request::new("192.0.2.7", "7471", &hints), &[]), expected, "{hints}");
            assert_eq!(run(Request::new("storage-7", NONE, &hints), &[]), expected, "{hints}");
            let hints = hints.with_dst_addr(hint(&ip("192.0.2.7:7471")));
            assert_eq!(run(Request::new(NONE, NONE, &hints), &[]), expected, "{hints}");
        }
    }
}

#[test]
fn other_port_spaces_are_refused() {
    let expected = refused(ErrorKind::QpType, Reason::UnknownPortSpace, Location::Hints(Field::PortSpace));
    for port_space in [1, 3, 0x0105, 0x0107, 0x0110, 0x013e, 0x0140, 0x0001_0106, -1, i32::MAX, i32::MIN] {
        for qp_type in [QpType::ANY, RC, UD] {
            let hints = Hints::new().with_qp_type(qp_type).with_port_space(PortSpace::from_raw(port_space));
            assert_eq!(run(Request::new("192.0.2.7", "7471", &hints), &[]), expected, "{hints}");
            assert_eq!(run(Request::new(NONE, "nfs", &hints), &[]), expected, "{hints}");
            let hints = hints.with_dst_addr(hint(&ip("192.0.2.7:7471")));
            assert_eq!(run(Request::new(NONE, NONE, &hints), &[]), expected, "{hints}");
        }
    }
}

#[test]
fn service_of_one_protocol_settles_the_transport() {
    let cases = [
        (PortSpace::ANY, Protocol::Udp, UD, PortSpace::UDP, 180),
        (PortSpace::IB, Protocol::Udp, UD, PortSpace::IB, 56),
        (PortSpace::ANY, Protocol::Tcp, RC, PortSpace::TCP, 56),
        (PortSpace::IB, Protocol::Tcp, RC, PortSpace::IB, 56),
    ];
    for (port_space, known, qp_type, answered, left) in cases {
        let hints = Hints::new().with_port_space(port_space);
        let expected = list([to(ip("192.0.2.7:69")).transport(qp_type, answered, left)]);
        let service = Names::service("tftp");
        let script = then(service.gives([("0.0.0.0:69", known)]), walk(["192.0.2.7:69"]));
        assert_eq!(run(Request::new("192.0.2.7", "tftp", &hints), &script), expected, "{hints}");

        let names = Names { node: Some("storage-7"), ..service };
        let script = then(names.gives([("192.0.2.7:69", known)]), walk(["192.0.2.7:69"]));
        assert_eq!(run(Request::new("storage-7", "tftp", &hints), &script), expected, "{hints}");

        let hints = hints.with_family(Family::INET);
        let script = then(service.gives([("0.0.0.0:69", known)]), walk(["127.0.0.1:69"]));
        let expected = list([to(ip("127.0.0.1:69")).transport(qp_type, answered, left)]);
        assert_eq!(run(Request::new(NONE, "tftp", &hints), &script), expected, "{hints}");
    }
}

#[test]
fn service_of_both_protocols_is_taken_once() {
    let names = Names { node: Some("storage-7"), ..Names::service("nfs") };
    let script = then(
        names.gives([
            ("192.0.2.7:2049", Protocol::Tcp),
            ("192.0.2.7:2050", Protocol::Udp),
            ("192.0.2.8:2049", Protocol::Tcp),
            ("192.0.2.8:2050", Protocol::Udp),
        ]),
        walk(["192.0.2.7:2049", "192.0.2.8:2049"]),
    );
    let expected = list([to(ip("192.0.2.7:2049")), to(ip("192.0.2.8:2049"))]);
    assert_eq!(run(Request::new("storage-7", "nfs", None), &script), expected);

    let service =
        Names::service("nfs").gives([("0.0.0.0:2049", Protocol::Tcp), ("0.0.0.0:2050", Protocol::Udp)]);
    let script = then(service, walk(["192.0.2.7:2049"]));
    assert_eq!(run(Request::new("192.0.2.7", "nfs", None), &script), list([to(ip("192.0.2.7:2049"))]));
}

#[test]
fn service_that_the_protocol_lacks() {
    let hints = Hints::new().with_qp_type(RC);
    let service = Names::service("tftp").protocol(Protocol::Tcp);
    let expected = refused(ErrorKind::Service, Reason::Unspecified, Location::Nowhere);
    let fails = [service.fails(ErrorKind::Service)];
    assert_eq!(run(Request::new("192.0.2.7", "tftp", &hints), &fails), expected);
    assert_eq!(run(Request::new(NONE, "tftp", &hints), &fails), expected);
    let fails = [Names { node: Some("storage-7"), ..service }.fails(ErrorKind::Service)];
    assert_eq!(run(Request::new("storage-7", "tftp", &hints), &fails), expected);

    // An answer for the other protocol is none.
    let expected = refused(ErrorKind::Service, Reason::Unspecified, Location::Service(0));
    for answer in [service.gives([("0.0.0.0:69", Protocol::Udp)]), service.found([])] {
        assert_eq!(run(Request::new("192.0.2.7", "tftp", &hints), std::slice::from_ref(&answer)), expected);
        assert_eq!(run(Request::new(NONE, "tftp", &hints), &[answer]), expected);
    }
}

#[test]
fn service_that_the_protocol_lacks_at_a_name() {
    let hints = Hints::new().with_qp_type(RC);
    let names = Names { node: Some("storage-7"), ..Names::service("tftp") }.protocol(Protocol::Tcp);
    let expected = refused(ErrorKind::Service, Reason::Unspecified, Location::Service(0));
    let script = [names.gives([("192.0.2.7:69", Protocol::Udp)])];
    assert_eq!(run(Request::new("storage-7", "tftp", &hints), &script), expected);
}
