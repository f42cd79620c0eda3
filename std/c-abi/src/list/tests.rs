//! A list and its copy.

use super::List;
use ::rdma_addrinfo::{
    AddrInfo, AddrInfoList, CList, Hints, Policy, RawAddrInfo, Request, Results, SockAddrBuf,
};
use std::ptr;

/// Where a part lies, and its bytes.
type Parts = [Option<(usize, Vec<u8>)>; 4];

/// Whole, and where each part lies.
fn parts(info: AddrInfo<'_>) -> (Parts, String) {
    let part = |bytes: &[u8]| (!bytes.is_empty()).then(|| (bytes.as_ptr().addr(), bytes.to_vec()));
    let address =
        |address: Option<::rdma_addrinfo::SockAddrRef<'_>>| part(address.map_or(&[], |it| it.as_bytes()));
    let bytes = [
        address(info.src_addr()),
        address(info.dst_addr()),
        part(info.route_bytes()),
        part(info.connect_data()),
    ];
    (bytes, format!("{info} {:?} {:?}", info.flags(), info.route_status()))
}

#[test]
fn a_copy_holds_the_same_in_other_places() {
    let hints = Hints::new()
        .with_src_addr(SockAddrBuf::inet(0x7f00_0001, 9))
        .with_dst_addr(SockAddrBuf::inet6(1, 7, 0x12345, 3))
        .with_route(&[7; 72]);
    let service = Hints::new().passive();
    let mut results = [Results::<4>::new(), Results::new()];
    let [one, two] = &mut results;
    let policy = Policy { rules: Policy::LIBRDMACM.rules, ..Policy::MAN_PAGE };
    let alone = Request::new(None, None, &hints).with_policy(policy).resolve_literal(one).unwrap();
    let both = Request::new(None, "7471", &service).resolve_literal(two).unwrap();
    for (list, entries) in [(alone, 1), (both, 2)] {
        let copy = List::copy(&list).unwrap();
        // SAFETY: null or the first of a list that `copy` has just made, and that lives to the end of this scope.
        let view = AddrInfoList::from_raw(unsafe { RawAddrInfo::from_ptr(copy.first) });
        assert_eq!((view.len(), list.len()), (entries, entries));
        for (theirs, ours) in list.iter().zip(view.iter()) {
            let ((theirs, their_line), (ours, our_line)) = (parts(theirs), parts(ours));
            assert_eq!(
                our_line.replace("Missing(Unavailable)", "NotAsked"),
                their_line.replace("Missing(Unavailable)", "NotAsked")
            );
            for (theirs, ours) in theirs.into_iter().zip(ours) {
                assert_eq!(theirs.is_some(), ours.is_some());
                let (Some((there, theirs)), Some((here, ours))) = (theirs, ours) else { continue };
                assert_ne!(there, here);
                assert_eq!(theirs, ours);
            }
        }
        // A copy of a copy, through C.
        let mut c_list = CList::<4>::new();
        assert_eq!(
            c_list.link(&view).as_raw().unwrap().dst_bytes(),
            list.first().unwrap().dst_addr().map(|it| it.as_bytes())
        );
    }
}

#[test]
fn no_result_is_no_list() {
    let copy = List::copy(&AddrInfoList::from_raw(None)).unwrap();
    assert!(copy.first.is_null());
    assert_eq!(copy.into_raw(), ptr::null_mut());
    // SAFETY: null is the empty list.
    drop(unsafe { List::from_raw(ptr::null_mut()) });
}
