//! librdmacm through our binding, against the calls themselves and a checked C walk: all fields are read.

use criterion::Criterion;
use rdma_addrinfo::{Flags, Hints, Library};
use rdma_addrinfo_benches::{CLibrary, Case, HINTS, c_hints, single_literals, walk, walk_checked};
use std::hint::black_box;

const NUMERIC: Hints<'_> = HINTS.numeric_host();

pub(crate) fn measure(criterion: &mut Criterion, ours: &Library, theirs: &CLibrary) {
    let c_numeric = c_hints(Flags::NUMERIC_HOST);
    for (case, inputs) in single_literals() {
        let seen = |input: &rdma_addrinfo_benches::Literal| {
            let list = theirs.getaddrinfo(&input.c_node, &input.c_service, Some(&c_numeric));
            walk_checked(list.expect("an answer").first())
        };
        Case::new(criterion, &format!("binding/{case}"), &inputs, seen)
            .engine("ours_librdmacm", |input| {
                let list = ours.getaddrinfo(&*input.c_node, &*input.c_service, black_box(&NUMERIC));
                walk(list.expect("an answer").list())
            })
            .engine("c_checked", seen);
    }
}
