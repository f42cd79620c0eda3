//! `rdma_addrinfo_core::addrinfo`

use crate::foreign::any_foreign;
use crate::opaque::{any, sink};
use crate::{derived, each, formats};
use rdma_addrinfo_core::{AddrInfo, AddrInfoIter, AddrInfoList, NoRoute, RouteStatus};

/// Reads all that a list has to tell.
pub fn read(list: AddrInfoList<'_>) {
    let list = any(list);
    each!(AddrInfoList, &list; is_truncated(), first(), is_empty(), len());
    derived!(AddrInfoList<'_>, list; Clone);
    let mut iter = any(AddrInfoList::iter(&list));
    sink(<AddrInfoIter<'_> as Clone>::clone(&iter));
    sink(<AddrInfoIter<'_> as Iterator>::size_hint(&iter));
    while let Some(info) = <AddrInfoIter<'_> as Iterator>::next(&mut iter) {
        read_one(any(info));
    }
    sink(<&AddrInfoList<'_> as IntoIterator>::into_iter(&list));
    sink(<AddrInfoList<'_> as IntoIterator>::into_iter(list));
}

fn read_one(info: AddrInfo<'_>) {
    each!(AddrInfo, &info; as_raw(), flags(), family(), qp_type(), port_space(), src_addr(), dst_addr());
    each!(AddrInfo, &info; src_canonname(), dst_canonname(), src_bytes(), dst_bytes(), route(), route_bytes(), route_status(), connect_data());
    each!(AddrInfo, &info; is_passive(), needs_scope(), user_private_data(), to_c());
    formats!(AddrInfo<'_>, info; Display);
    derived!(AddrInfo<'_>, info; Clone);
}

pub fn calls() {
    read(AddrInfoList::from_raw(any_foreign()));
    if let Some(foreign) = any_foreign() {
        sink(AddrInfo::from_raw(foreign));
    }
    let status = any(RouteStatus::Found);
    each!(RouteStatus, status; name());
    formats!(RouteStatus, status; Display);
    derived!(RouteStatus, status; Clone PartialEq Hash);
    sink(any(NoRoute::Refused(any(rdma_addrinfo_core::acm::Status::OK))));
    let reason = any(NoRoute::Unavailable);
    each!(NoRoute, reason; name());
    formats!(NoRoute, reason; Display);
    derived!(NoRoute, reason; Clone PartialEq Hash);
}
