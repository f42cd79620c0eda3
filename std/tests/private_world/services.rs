//! Names of services, from services(5).

use crate::common::World;
use rdma_addrinfo::{ErrorKind, Hints, Policy, Resolver};

const WORLD: World<'_> = World {
    hosts: "127.0.0.1 localhost\n192.0.2.7 storage-7\n2001:db8::7 storage-7\n",
    services: "\
connected 7001/tcp
datagram 7002/udp
either 7003/tcp
either 7003/udp
apart 7004/tcp
apart 7005/udp
",
    ..World::EMPTY
};

fn resolve(node: Option<&str>, service: &str, hints: &str) -> Result<Vec<String>, ErrorKind> {
    let hints = Hints::parse(hints).unwrap();
    let mut outcomes = [Resolver::new(), Resolver::new().without_deadline()].map(|resolver| {
        let found = resolver.with_source(false).resolve(node, service, &hints);
        found
            .map(|found| found.iter().map(|info| info.to_string()).collect::<Vec<_>>())
            .map_err(|error| error.kind())
    });
    let [worker, own] = &mut outcomes;
    assert_eq!(worker, own);
    worker.clone()
}

/// One IPv4 literal, and its line for each service and hints.
fn one(service: &str, hints: &str, expected: Result<&str, ErrorKind>) {
    let found = resolve(Some("192.0.2.7"), service, hints);
    let expected = expected.map(|line| vec![format!("inet {line}")]);
    assert_eq!(found, expected, "{service} {hints}");
}

#[test]
fn the_transport_chooses_the_protocol_of_a_service() {
    WORLD.run(|| {
        let to = "* -> 192.0.2.7";
        for hints in ["qp=rc", "qp=uc", "ps=tcp", "qp=rc,ps=tcp"] {
            let qp = if hints == "qp=uc" { "uc" } else { "rc" };
            one("connected", hints, Ok(&format!("{qp}/tcp {to}:7001")));
            one("either", hints, Ok(&format!("{qp}/tcp {to}:7003")));
            one("apart", hints, Ok(&format!("{qp}/tcp {to}:7004")));
            one("datagram", hints, Err(ErrorKind::Service));
            one("nothing", hints, Err(ErrorKind::Service));
        }
        for hints in ["qp=ud", "ps=udp", "qp=ud,ps=udp"] {
            one("datagram", hints, Ok(&format!("ud/udp {to}:7002")));
            one("either", hints, Ok(&format!("ud/udp {to}:7003")));
            one("apart", hints, Ok(&format!("ud/udp {to}:7005")));
            one("connected", hints, Err(ErrorKind::Service));
            one("nothing", hints, Err(ErrorKind::Service));
        }
        one("apart", "ps=ipoib", Ok(&format!("ud/ipoib {to}:7005")));
        one("apart", "qp=rc,ps=ib", Ok(&format!("rc/ib {to}:7004")));
    });
}

#[test]
fn a_service_of_one_protocol_chooses_the_transport() {
    WORLD.run(|| {
        let to = "* -> 192.0.2.7";
        one("connected", "", Ok(&format!("rc/tcp {to}:7001")));
        one("datagram", "", Ok(&format!("ud/udp {to}:7002")));
        one("either", "", Ok(&format!("rc/tcp {to}:7003")));
        one("apart", "", Ok(&format!("rc/tcp {to}:7004")));
        one("datagram", "ps=ib", Ok(&format!("ud/ib {to}:7002")));
        one("connected", "ps=ib", Ok(&format!("rc/ib {to}:7001")));
        one("nothing", "", Err(ErrorKind::Service));
    });
}

#[test]
fn names_and_services_together() {
    WORLD.run(|| {
        let both = |transport: &str, port: u16| {
            Ok(vec![
                format!("inet6 {transport} * -> [2001:db8::7]:{port}"),
                format!("inet {transport} * -> 192.0.2.7:{port}"),
            ])
        };
        assert_eq!(resolve(Some("storage-7"), "connected", ""), both("rc/tcp", 7001));
        assert_eq!(resolve(Some("storage-7"), "datagram", ""), both("ud/udp", 7002));
        assert_eq!(resolve(Some("storage-7"), "apart", ""), both("rc/tcp", 7004));
        assert_eq!(resolve(Some("storage-7"), "apart", "qp=ud"), both("ud/udp", 7005));
        assert_eq!(resolve(Some("storage-7"), "datagram", "qp=rc"), Err(ErrorKind::Service));
        assert_eq!(resolve(Some("storage-7"), "nothing", ""), Err(ErrorKind::Service));
        assert_eq!(resolve(Some("nobody"), "apart", ""), Err(ErrorKind::NoName));
        assert_eq!(
            resolve(None, "datagram", "passive,family=inet"),
            Ok(vec!["inet ud/udp 0.0.0.0:7002 -> * passive".into()])
        );
    });
}

#[test]
fn a_service_of_the_c_library() {
    WORLD.run(|| {
        let resolver = Resolver::new().with_policy(Policy::LIBRDMACM);
        let of = |node, service| {
            let found = resolver.resolve(node, service, None);
            found.map(|found| found.first().unwrap().to_string()).map_err(|error| error.kind())
        };
        assert_eq!(of("storage-7", "datagram"), Ok("inet6 ud/udp * -> [2001:db8::7]:7002".into()));
        assert_eq!(of("127.1", "apart"), Ok("inet rc/tcp * -> 127.0.0.1:7004".into()));
        assert_eq!(of("127.1", "nothing"), Err(ErrorKind::Service));
    });
}
