//! `rdma_addrinfo_core::acm`

use crate::opaque::{any, bytes, sink};
use crate::{derived, each, formats};
use core::net::{IpAddr, Ipv6Addr};
use core::time::Duration;
use rdma_addrinfo_core::PathRecord;
use rdma_addrinfo_core::acm::{
    Backoff, BackoffConfig, Decoder, Entry, Info, Query, Reply, ReplyError, ReplyErrorKind, Request, Status,
};

fn entries<'a>(entries: impl Iterator<Item = Entry<'a>> + Clone) {
    for entry in any(entries.clone()) {
        each!(Entry, &entry; flags(), kind(), info(), source(), destination(), path());
        formats!(Entry<'_>, entry; Display);
        derived!(Entry<'_>, entry; Clone PartialEq);
        derived!(Info<'_>, Entry::info(&entry); Clone PartialEq);
    }
    sink(entries.count());
}

/// A valid reply of any content.
pub fn any_reply() -> Option<Reply> {
    any(Reply::from_bytes(bytes(), any(0))).ok()
}

pub fn calls() {
    let status = any(Status::from_raw(any(0)));
    each!(Status, status; to_raw(), name(), message());
    formats!(Status, status; Display);
    derived!(Status, status; Clone PartialEq PartialOrd Ord Hash);

    let address = any(IpAddr::V6(Ipv6Addr::LOCALHOST));
    let query = any(Query {
        source: any(Some(address)),
        destination: any(Some(address)),
        path: any(Some(PathRecord::ZERO)),
        no_delay: any(true),
    });
    derived!(Query, query; Clone PartialEq Default);
    let request = any(Query::to_request(&query, any(7)));
    each!(Request, &request; as_bytes(), transaction_id());
    entries(Request::entries(&request));
    formats!(Request, request; Display);
    derived!(Request, request; Clone PartialEq);

    let mut decoder = any(Decoder::new(any(7)));
    while any(true) {
        sink(Decoder::push(&mut decoder, bytes()));
        each!(Decoder, &decoder; wanted(), reply(), cut_short());
    }
    sink(<Decoder as Clone>::clone(&decoder));

    if let Some(reply) = any_reply() {
        each!(Reply, &reply; as_bytes(), transaction_id(), status());
        entries(Reply::entries(&reply));
        for path in any(Reply::paths(&reply)) {
            sink(path);
        }
        for source in any(Reply::sources(&reply)) {
            sink(source);
        }
        formats!(Reply, reply; Display);
        sink(<Reply as Clone>::clone(&reply));
        sink(<Reply as PartialEq>::eq(&reply, &reply));
    }

    let invalid = any(Decoder::cut_short(&decoder));
    each!(ReplyError, &invalid; offset(), kind());
    formats!(ReplyError, invalid; Display);
    derived!(ReplyError, invalid; Clone PartialEq Hash);
    derived!(ReplyErrorKind, any(ReplyErrorKind::CutShort); Clone PartialEq Hash);

    let config = any(<BackoffConfig as Default>::default());
    derived!(BackoffConfig, config; Clone PartialEq Hash);
    let waited = any(Duration::from_millis(any(7)));
    let mut backoff = any(Backoff::new());
    while any(true) {
        backoff = any(Backoff::from_words(any([7, 7])));
        Backoff::absent(&mut backoff, any(7), &config);
        Backoff::timed_out(&mut backoff, any(7), waited, &config);
        sink(Backoff::is_silent(&backoff, any(7), waited));
        each!(Backoff, &backoff; to_words());
        sink(Backoff::is_absent(&backoff, any(7)));
        Backoff::answered(&mut backoff);
    }
    derived!(Backoff, backoff; Clone PartialEq Default Hash);
}
