//! Reading all fields of lists: ours, and those of C through our view, against C-style walks.
#![allow(unsafe_code)]

use criterion::Criterion;
use rdma_addrinfo_benches::{Case, Many, Routes, Seen, fill, walk, walk_checked, walk_unchecked};
use rdma_addrinfo_core::{AddrInfoList, CList, RawAddrInfo};

/// One list in three forms.
struct Lists<'a> {
    ours: AddrInfoList<'a>,
    foreign: Option<RawAddrInfo<'a>>,
}

pub(crate) fn measure(criterion: &mut Criterion) {
    let cases = [1, 8, 64].map(|entries| [(entries, Routes::No, ""), (entries, Routes::Yes, "_with_routes")]);
    for (entries, routes, suffix) in cases.into_iter().flatten() {
        let mut results = Many::new();
        let ours = fill(&mut results, entries, routes);
        let mut c_list = CList::<64>::new();
        let linked = c_list.link(&ours);
        assert!(!linked.is_truncated());
        let inputs = [Lists { ours, foreign: linked.as_raw() }];
        // The reading that is nearest to C's text is right, if it has seen something.
        let right = |lists: &Lists<'_>| {
            let seen = walk_checked(lists.foreign);
            assert_ne!(seen, Seen::default());
            seen
        };
        Case::new(criterion, &format!("walking/{entries}{suffix}"), &inputs, right)
            .engine("ours", |lists| walk(lists.ours))
            .engine("ours_foreign", |lists| walk(AddrInfoList::from_raw(lists.foreign)))
            .engine("c_unchecked", |lists| unchecked(lists.foreign))
            .engine("c_checked", |lists| walk_checked(lists.foreign));
    }
}

#[inline]
fn unchecked(first: Option<RawAddrInfo<'_>>) -> Seen {
    // SAFETY: `CList` linked it, from entries whose addresses are IPv4 or IPv6 as their family is, with whole paths.
    unsafe { walk_unchecked(first) }
}
