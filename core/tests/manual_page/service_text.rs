//! The service as text (rules, section 5).

use super::script::{Line, NONE, Names, run, then, walk};
use super::whole::{ip, list, refused, to};
use rdma_addrinfo_core::{ErrorKind, Hints, Location, QpType, Reason, Request, Text};

#[test]
fn decimal_ports() {
    for port in ["0", "1", "80", "7471", "65535"] {
        let address = format!("192.0.2.7:{port}");
        let request = Request::new("192.0.2.7", port, None);
        assert_eq!(run(request, &walk([&address])), list([to(ip(&address))]), "{port}");
    }
}

#[test]
fn every_port() {
    let hints = Hints::new().with_qp_type(QpType::RC);
    for port in 0..=65_535_u32 {
        let mut results = rdma_addrinfo_core::Results::<1>::new();
        let text = port.to_string();
        let list =
            Request::new("192.0.2.7", text.as_str(), &hints).resolve_literal(&mut results).expect(&text);
        assert_eq!(
            list.first().and_then(|info| info.dst_addr()).map(|dst| u32::from(dst.port())),
            Some(port)
        );
    }
}

#[test]
fn what_is_no_port_and_no_name() {
    let cases = [
        ("", Reason::Empty, 0),
        ("65536", Reason::PortRange, 0),
        ("70000", Reason::PortRange, 0),
        ("18446744073709559087", Reason::PortRange, 0),
        ("00", Reason::LeadingZero, 0),
        ("080", Reason::LeadingZero, 0),
        ("+80", Reason::Sign, 0),
        ("-1", Reason::Sign, 0),
        (" 80", Reason::WhiteSpace, 0),
        ("80 ", Reason::WhiteSpace, 2),
        ("80\n", Reason::WhiteSpace, 2),
        ("8_0", Reason::NoPort, 1),
        ("*", Reason::NoPort, 0),
        ("80.0", Reason::NoPort, 2),
        ("\u{664}\u{662}", Reason::NoPort, 0),
    ];
    for (service, reason, offset) in cases {
        let expected = refused(ErrorKind::Service, reason, Location::Service(offset));
        for node in ["192.0.2.7".into(), "storage-7".into(), NONE] {
            assert_eq!(run(Request::new(node, service, None), &[]), expected, "{service:?}");
        }
    }
}

#[test]
fn nul_in_the_service_is_invalid() {
    for (service, offset) in [(&b"\0"[..], 0), (b"7471\0", 4), (b"nf\0s", 2)] {
        let expected = refused(ErrorKind::Invalid, Reason::Nul, Location::Service(offset));
        assert_eq!(run(Request::new("192.0.2.7", Text::from_bytes(service), None), &[]), expected);
    }
}

#[test]
fn text_with_a_letter_is_looked_up() {
    for service in ["nfs", "NFS", "X", "0x50", "7471x", "-a", "nfs rdma"] {
        let script = then(Names::service(service).found(["0.0.0.0:2049"]), walk(["192.0.2.7:2049"]));
        let request = Request::new("192.0.2.7", service, None);
        assert_eq!(run(request, &script), list([to(ip("192.0.2.7:2049"))]), "{service}");
    }
}

#[test]
fn unknown_service_name() {
    let fails = [Names::service("nonesuch").fails(ErrorKind::Service)];
    let expected = refused(ErrorKind::Service, Reason::Unspecified, Location::Nowhere);
    assert_eq!(run(Request::new("192.0.2.7", "nonesuch", None), &fails), expected);
    assert_eq!(run(Request::new(NONE, "nonesuch", None), &fails), expected);
}

#[test]
fn service_name_with_a_zone_name() {
    let script = [
        vec![Names::service("nfs").found(["0.0.0.0:2049"]), Line::Scope("ib0", Some(3))],
        walk(["[fe80::7%3]:2049"]),
    ]
    .concat();
    assert_eq!(run(Request::new("fe80::7%ib0", "nfs", None), &script), list([to(ip("[fe80::7%3]:2049"))]));
}

#[test]
fn service_name_waits_for_a_node_that_can_be() {
    let expected = refused(ErrorKind::NoName, Reason::ShortForm, Location::Node(5));
    assert_eq!(run(Request::new("127.1", "nfs", None), &[]), expected);
}
