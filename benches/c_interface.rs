//! The same program, two libraries: rdma_getaddrinfo(3) of librdmacm, and of this project's library for C.
//!
//! Both are loaded as files and called as C calls them, on the simulated device.

use criterion::Criterion;
use rdma_addrinfo_benches::{
    CLibrary, Case, Literal, Numeric, by_glibc, by_library, c_hints, right, single_literals,
};
use rdma_addrinfo_core::Flags;

pub(crate) fn measure(criterion: &mut Criterion, ours: &CLibrary, theirs: &CLibrary) {
    let mut cases = single_literals();
    cases.push(("zone_name", vec![Literal::new("fe80::1%lo", "7471")]));
    let numeric = c_hints(Flags::NUMERIC_HOST);
    for (case, inputs) in &cases {
        for (form, hints) in [("numeric_host", Some(&numeric)), ("no_hints", None)] {
            let case = &mut Case::new(criterion, &format!("c_interface/{case}_{form}"), inputs, right);
            by_library(case, "ours_c", ours, hints);
            by_library(case, "librdmacm", theirs, hints);
            by_glibc(case, Numeric::Yes);
        }
    }
}
