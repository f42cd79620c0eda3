//! A whole resolution of a numeric node and port: ours without I/O, the C library on a simulated device,
//! getaddrinfo(3), std's `ToSocketAddrs`, the crate dns-lookup.

use criterion::Criterion;
use rdma_addrinfo_benches::{
    CLibrary, Case, HINTS, Literal, Numeric, RANDOM, by_dns_lookup, by_glibc, by_library, by_std, c_hints,
    into_results, random_ipv4, random_ipv6, random_ports, read, right, single_literals,
};
use rdma_addrinfo_core::{Flags, Policy, Request, Results, resolve_literal};
use std::hint::black_box;

pub(crate) fn measure(criterion: &mut Criterion, librdmacm: Option<&CLibrary>) {
    let numeric = c_hints(Flags::NUMERIC_HOST);
    let mut cases = single_literals();
    cases.extend([
        ("ipv4_random", literals(random_ipv4(RANDOM))),
        ("ipv6_dotted_port", vec![Literal::new("64:ff9b::192.0.2.33", "7471")]),
        ("ipv6_random", literals(random_ipv6(RANDOM))),
        ("ipv6_zone_port", vec![Literal::new("fe80::1%1", "7471")]),
    ]);
    for (case, inputs) in &cases {
        let case = &mut Case::new(criterion, &format!("resolve_literal/{case}"), inputs, right);
        into_results(case, "ours_man_page", |input, results| {
            resolve_literal(&*input.node, &*input.service, black_box(&HINTS), results)
        });
        fresh(case);
        into_results(case, "ours_no_hints", |input, results| {
            resolve_literal(&*input.node, &*input.service, black_box(None), results)
        });
        into_results(case, "ours_librdmacm", |input, results| {
            let request = Request::new(&*input.node, &*input.service, black_box(&HINTS));
            request.with_policy(Policy::LIBRDMACM).resolve_literal(results)
        });
        if let Some(library) = librdmacm {
            by_library(case, "librdmacm_numeric_host", library, Some(&numeric));
            by_library(case, "librdmacm_no_hints", library, None);
        }
        by_glibc(case, Numeric::Yes);
        by_std(case);
        by_dns_lookup(case, Numeric::Yes);
    }
}

fn literals(nodes: Vec<String>) -> Vec<Literal> {
    nodes.into_iter().zip(random_ports(RANDOM)).map(|(node, port)| Literal::new(node, port)).collect()
}

/// Ours into new results each time.
fn fresh(case: &mut Case<'_, Literal, Vec<std::net::SocketAddr>>) {
    case.engine_with(
        "ours_fresh",
        |input| {
            let mut results = Results::<4>::new();
            read(resolve_literal(&*input.node, &*input.service, &HINTS, &mut results).expect("an answer"))
        },
        |input| {
            let mut results = Results::<4>::new();
            black_box(&resolve_literal(&*input.node, &*input.service, black_box(&HINTS), &mut results));
        },
    );
}
