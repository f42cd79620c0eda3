//! `rdma_addrinfo_core::request`

use crate::hints::any_hints;
use crate::opaque::{any, bytes, c_str, sink, text};
use crate::{derived, each};
use core::ffi::CStr;
use rdma_addrinfo_core::{Addresses, Environment, IbEntryOrder, Policy, Request, Rules, ServiceText, Text};

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
    sink(Text::from_c_str(any(Some(c_str()))));
    derived!(Text<'_>, node; Clone PartialEq Hash Default);

    let service = any(ServiceText::from(any(7471)));
    each!(ServiceText, service; text(), port());
    sink(<ServiceText as From<&str>>::from(text()));
    sink(<ServiceText as From<Option<&str>>>::from(any(Some(text()))));
    sink(<ServiceText as From<&CStr>>::from(c_str()));
    sink(<ServiceText as From<Text>>::from(node));
    sink(<ServiceText as From<u16>>::from(any(7471)));
    derived!(ServiceText<'_>, service; Clone PartialEq Hash Default);

    let hints = any_hints();
    let request = any(Request::new(text(), c_str(), &hints));
    each!(Request, request; with_policy(any_policy()), with_environment(Environment::new()), with_routes(true),
        with_canonical_names(true), with_needed_source(true));
    each!(Request, &request; node(), service(), given_hints(), policy(), environment(), routes(), canonical_names(),
        needs_source());
    sink((Request::needs_ipv6_loopback(&request), Request::needs_af_ib(&request)));
    derived!(Request<'_>, request; Clone PartialEq Hash);
}
