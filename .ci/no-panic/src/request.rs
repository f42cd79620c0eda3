//! `rdma_addrinfo_core::request`

use crate::hints::any_hints;
use crate::opaque::{any, bytes, c_str, sink, text};
use crate::{derived, each};
use core::ffi::CStr;
use rdma_addrinfo_core::{Addresses, Environment, Policy, Request, Rules, Text, IbEntryOrder};

/// A policy of any content.
pub fn any_policy() -> Policy {
    any(Policy::MAN_PAGE)
}

pub fn calls() {
    derived!(Policy, any_policy(); Clone PartialEq Hash Default);
    derived!(Rules, Rules::ManPage; Clone PartialEq Hash);
    derived!(Addresses, Addresses::All; Clone PartialEq Hash);
    derived!(IbEntryOrder, IbEntryOrder::AfterIp; Clone PartialEq Hash);
    derived!(Environment, any(Environment::new()); Clone PartialEq Hash Default);

    let node = any(Text::from_bytes(bytes()));
    each!(Text, node; bytes());
    sink(<Text as From<&str>>::from(text()));
    sink(<Text as From<Option<&str>>>::from(any(Some(text()))));
    sink(<Text as From<&CStr>>::from(c_str()));
    derived!(Text<'_>, node; Clone PartialEq Default);

    let hints = any_hints();
    let request = any(Request::new(text(), c_str(), &hints));
    each!(Request, request; policy(any_policy()), environment(Environment::new()), routes(true), canonical_names(true),
        needs_source(any(true)));
    derived!(Request<'_>, request; Clone);
}
