//! The resolver about literals, by its options, against the C library on a simulated device.
//!
//! The engines of ours are named by backend, policy, source and route.

use criterion::Criterion;
use rdma_addrinfo::{Flags, Policy, Resolver};
use rdma_addrinfo_benches::{
    CLibrary, Case, HINTS, Literal, by_library, c_hints, into_results, owned, read, right, single_literals,
};

pub(crate) fn measure(criterion: &mut Criterion, librdmacm: Option<&CLibrary>) {
    let numeric = c_hints(Flags::NUMERIC_HOST);
    let mut cases = single_literals();
    // Sources of the loopback network, which is all that there is.
    cases.push(("ipv4_loopback", vec![Literal::new("127.0.0.1", "7471")]));
    cases.push(("zone_name", vec![Literal::new("fe80::1%lo", "7471")]));
    let bare = Resolver::new().with_source(false).with_routes(false);
    // No ibacm is there, and that is remembered.
    for (case, inputs) in &cases {
        let case = &mut Case::new(criterion, &format!("resolver/{case}"), inputs, right);
        into(case, "ours_native_man_page_no_source_no_route", bare);
        into(case, "ours_native_librdmacm_no_source_no_route", bare.with_policy(Policy::LIBRDMACM));
        into(case, "ours_native_man_page_no_source_route", Resolver::new().with_source(false));
        into(case, "ours_native_man_page_source_no_route", Resolver::new().with_routes(false));
        into(case, "ours_native_man_page_source_route", Resolver::new());
        let defaults = Resolver::new();
        let resolve = |input: &Literal| defaults.resolve(&*input.node, &*input.service, &HINTS);
        owned(case, "ours_defaults_on_heap", resolve, |found| read(found.list()));
        if let Some(library) = librdmacm {
            by_library(case, "librdmacm_numeric_host", library, Some(&numeric));
            by_library(case, "librdmacm_no_hints", library, None);
        }
    }
}

fn into(case: &mut Case<'_, Literal, Vec<std::net::SocketAddr>>, name: &str, resolver: Resolver) {
    into_results(case, name, |input, results| {
        resolver.resolve_into(&*input.node, &*input.service, &HINTS, results)
    });
}
