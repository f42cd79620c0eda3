//! librdmacm through our binding, against the calls themselves and a checked C walk: all fields are read.

use rdma_addrinfo::{Flags, Hints};
use rdma_addrinfo_benches::{
    Case, HINTS, World, c_hints, criterion, left_out, single_literals, walk, walk_checked,
};
use std::hint::black_box;

const NUMERIC: Hints<'_> = HINTS.numeric_host();

fn main() {
    let world = World::enter().expect("the benchmark starts");
    let (ours, theirs) = match (world.binding(), world.librdmacm()) {
        (Ok(ours), Ok(theirs)) => (ours, theirs),
        (Err(why), _) | (_, Err(why)) => return left_out("binding, which is one of librdmacm", &why),
    };
    let c_numeric = c_hints(Flags::NUMERIC_HOST);
    let mut criterion = criterion();
    for (case, inputs) in single_literals() {
        let seen = |input: &rdma_addrinfo_benches::Literal| {
            let list = theirs.getaddrinfo(&input.c_node, &input.c_service, Some(&c_numeric));
            walk_checked(list.expect("an answer").first())
        };
        Case::new(&mut criterion, &format!("binding/{case}"), &inputs, seen)
            .engine("ours_librdmacm", |input| {
                let list = ours.getaddrinfo(&*input.c_node, &*input.c_service, black_box(&NUMERIC));
                walk(list.expect("an answer").list())
            })
            .engine("c_checked", seen);
    }
    criterion.final_summary();
}
