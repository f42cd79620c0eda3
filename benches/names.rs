//! Names in `/etc/hosts`, with one address and with eight, against bare getaddrinfo(3) and the C library.

use criterion::Criterion;
use rdma_addrinfo::{Flags, Resolver};
use rdma_addrinfo_benches::{
    CLibrary, Case, HINTS, Literal, Numeric, by_dns_lookup, by_glibc, by_library, by_std, c_hints,
    getaddrinfo, owned, read,
};
use std::net::SocketAddr;

/// In a world, whose `/etc/hosts` has the names.
pub(crate) fn measure(criterion: &mut Criterion, librdmacm: Option<&CLibrary>) {
    // What each row of the resolver adds.
    let bare = Resolver::new().with_source(false).with_routes(false).without_deadline();
    let deadline = Resolver::new().with_source(false).with_routes(false);
    for (name, addresses) in [("one", 1), ("eight", 8)] {
        let inputs = [Literal::new(name, "7471")];
        let all = |input: &Literal| {
            let found = getaddrinfo(&input.c_node, &input.c_service, Numeric::No).expect("a name");
            let found = found.addresses();
            assert_eq!(found.len(), addresses);
            assert!(found.iter().all(|address| address.ip().is_loopback() && address.port() == 7471));
            found
        };
        let mut group = Case::new(criterion, &format!("names/{name}"), &inputs, all);
        let case = &mut group;
        by_glibc(case, Numeric::No);
        resolver(case, "ours_native_man_page_no_source_no_route_no_deadline", bare);
        resolver(case, "ours_native_man_page_no_source_no_route_deadline", deadline);
        resolver(case, "ours_defaults", Resolver::new());
        by_std(case);
        by_dns_lookup(case, Numeric::No);
        drop(group);
        if let Some(library) = librdmacm {
            // It answers the first address only.
            let first = |input: &Literal| all(input).into_iter().take(1).collect();
            let case = format!("names/{name}_answering_the_first");
            let mut case = Case::new(criterion, &case, &inputs, first);
            by_library(&mut case, "librdmacm_hints", library, Some(&c_hints(Flags::empty())));
        }
    }
}

fn resolver(case: &mut Case<'_, Literal, Vec<SocketAddr>>, name: &str, resolver: Resolver) {
    let resolve = |input: &Literal| resolver.resolve(&*input.node, &*input.service, &HINTS);
    owned(case, name, resolve, |found| read(found.list()));
}
