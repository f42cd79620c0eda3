//! A whole resolution of a numeric node and port, against getaddrinfo(3) and std's `ToSocketAddrs`.

use criterion::Criterion;
use rdma_addrinfo_benches::{AddrInfos, Case, Literal, getaddrinfo, random_ipv4, random_ipv6, random_ports};
use rdma_addrinfo_core::{
    AddrInfoList, Error, Hints, Policy, PortSpace, QpType, Request, Results, resolve_literal,
};
use std::ffi::c_int;
use std::hint::black_box;
use std::net::{SocketAddr, SocketAddrV4, SocketAddrV6, ToSocketAddrs};
use std::{io, vec};

const HINTS: Hints<'_> = Hints::new().qp_type(QpType::RC).port_space(PortSpace::TCP);

fn main() {
    let mut criterion = Criterion::default().configure_from_args();
    let cases: [(&str, Vec<Literal>); 7] = [
        ("ipv4_port", vec![Literal::new("192.0.2.7", "7471")]),
        ("ipv4_random", literals(random_ipv4())),
        ("ipv6_short_port", vec![Literal::new("2001:db8::7", "7471")]),
        ("ipv6_full_port", vec![Literal::new("2001:db8:85a3:8d3:1319:8a2e:370:7348", "7471")]),
        ("ipv6_dotted_port", vec![Literal::new("64:ff9b::192.0.2.33", "7471")]),
        ("ipv6_random", literals(random_ipv6())),
        ("ipv6_zone_port", vec![Literal::new("fe80::1%1", "7471")]),
    ];
    for (case, inputs) in &cases {
        let case = &mut Case::new(&mut criterion, &format!("resolve_literal/{case}"), inputs, right);
        compare::<ManPage>(case);
        compare::<Fresh>(case);
        compare::<NoHints>(case);
        compare::<Librdmacm>(case);
        compare::<GetAddrInfo>(case);
        compare::<ToSocketAddrsOfStd>(case);
    }
    criterion.final_summary();
}

fn literals(nodes: Vec<String>) -> Vec<Literal> {
    nodes.into_iter().zip(random_ports()).map(|(node, port)| Literal::new(node, port)).collect()
}

/// The right answer, by the parsers of core::net; these literals have no index but 1.
fn right(input: &Literal) -> Vec<SocketAddr> {
    let port = input.service.parse().expect("a port");
    let (address, scope) = input.node.split_once('%').unwrap_or((&input.node, "0"));
    let scope = scope.parse().expect("an index");
    vec![match address.parse().expect("a literal") {
        std::net::IpAddr::V4(v4) => SocketAddrV4::new(v4, port).into(),
        std::net::IpAddr::V6(v6) => SocketAddrV6::new(v6, port, 0, scope).into(),
    }]
}

fn compare<E: Engine>(case: &mut Case<'_, Literal, Vec<SocketAddr>>) {
    let (mut checked, mut timed) = (E::default(), E::default());
    case.engine_with(
        E::NAME,
        |input| checked.resolve(input, E::read),
        |input| {
            timed.resolve(input, |answer| {
                black_box(&answer);
            });
        },
    );
}

/// One way to resolve. The answer may borrow what the engine keeps, so it is handed on, not returned.
trait Engine: Default {
    const NAME: &'static str;
    type Answer<'a>;

    fn resolve<T>(&mut self, input: &Literal, then: impl FnOnce(Self::Answer<'_>) -> T) -> T;

    /// The destinations.
    fn read(answer: Self::Answer<'_>) -> Vec<SocketAddr>;
}

type Ours<'a> = Result<AddrInfoList<'a>, Error>;

fn read_ours(answer: Ours<'_>) -> Vec<SocketAddr> {
    let list = answer.expect("a literal");
    list.iter()
        .map(|info| info.dst_addr().expect("a destination").try_into().expect("an IP address"))
        .collect()
}

/// Ours with hints, into results that are used again and again.
#[derive(Default)]
struct ManPage(Results<4>);

impl Engine for ManPage {
    const NAME: &'static str = "ours_man_page";
    type Answer<'a> = Ours<'a>;

    #[inline]
    fn resolve<T>(&mut self, input: &Literal, then: impl FnOnce(Ours<'_>) -> T) -> T {
        then(resolve_literal(&*input.node, &*input.service, black_box(&HINTS), &mut self.0))
    }

    fn read(answer: Ours<'_>) -> Vec<SocketAddr> {
        read_ours(answer)
    }
}

/// The same, into new results each time.
#[derive(Default)]
struct Fresh;

impl Engine for Fresh {
    const NAME: &'static str = "ours_fresh";
    type Answer<'a> = Ours<'a>;

    #[inline]
    fn resolve<T>(&mut self, input: &Literal, then: impl FnOnce(Ours<'_>) -> T) -> T {
        let mut results = Results::<4>::new();
        then(resolve_literal(&*input.node, &*input.service, black_box(&HINTS), &mut results))
    }

    fn read(answer: Ours<'_>) -> Vec<SocketAddr> {
        read_ours(answer)
    }
}

/// The same as the first, without hints.
#[derive(Default)]
struct NoHints(Results<4>);

impl Engine for NoHints {
    const NAME: &'static str = "ours_no_hints";
    type Answer<'a> = Ours<'a>;

    #[inline]
    fn resolve<T>(&mut self, input: &Literal, then: impl FnOnce(Ours<'_>) -> T) -> T {
        then(resolve_literal(&*input.node, &*input.service, black_box(None), &mut self.0))
    }

    fn read(answer: Ours<'_>) -> Vec<SocketAddr> {
        read_ours(answer)
    }
}

/// The same as the first, by the rules of the C library.
#[derive(Default)]
struct Librdmacm(Results<4>);

impl Engine for Librdmacm {
    const NAME: &'static str = "ours_librdmacm";
    type Answer<'a> = Ours<'a>;

    #[inline]
    fn resolve<T>(&mut self, input: &Literal, then: impl FnOnce(Ours<'_>) -> T) -> T {
        let request = Request::new(&*input.node, &*input.service, black_box(&HINTS));
        then(request.policy(Policy::LIBRDMACM).resolve_literal(&mut self.0))
    }

    fn read(answer: Ours<'_>) -> Vec<SocketAddr> {
        read_ours(answer)
    }
}

/// getaddrinfo(3) and freeaddrinfo(3).
#[derive(Default)]
struct GetAddrInfo;

impl Engine for GetAddrInfo {
    const NAME: &'static str = "glibc_getaddrinfo";
    type Answer<'a> = Result<AddrInfos, c_int>;

    #[inline]
    fn resolve<T>(&mut self, input: &Literal, then: impl FnOnce(Self::Answer<'_>) -> T) -> T {
        then(getaddrinfo(&input.c_node, &input.c_service))
    }

    fn read(answer: Self::Answer<'_>) -> Vec<SocketAddr> {
        answer.expect("a literal").addresses()
    }
}

/// std: parsers of its own, and getaddrinfo(3) for an address with a zone.
#[derive(Default)]
struct ToSocketAddrsOfStd;

impl Engine for ToSocketAddrsOfStd {
    const NAME: &'static str = "std_to_socket_addrs";
    type Answer<'a> = io::Result<vec::IntoIter<SocketAddr>>;

    #[inline]
    fn resolve<T>(&mut self, input: &Literal, then: impl FnOnce(Self::Answer<'_>) -> T) -> T {
        let port = input.service.parse().map_err(io::Error::other);
        then(port.and_then(|port: u16| (&*input.node, port).to_socket_addrs()))
    }

    fn read(answer: Self::Answer<'_>) -> Vec<SocketAddr> {
        answer.expect("a literal").collect()
    }
}
