//! `rdma_addrinfo_core::resolve`

use crate::acm::any_reply;
use crate::addrinfo::read;
use crate::hints::any_hints;
use crate::opaque::{any, bytes, c_str, sink, text};
use crate::request::any_policy;
use crate::{derived, each, formats};
use core::net::{Ipv6Addr, SocketAddr};
use rdma_addrinfo_core::{
    Environment, Error, FindRoute, FindScope, FindService, FindSource, Found, Gid, IbService, Lookup,
    NoRoute, Pkey, Protocol, Request, Results, ServiceId, ServiceRecord, SkippedPort, Step, Storage, Text,
    resolve_literal, start,
};

fn any_address() -> SocketAddr {
    any(SocketAddr::from((Ipv6Addr::LOCALHOST, 7471)))
}

fn any_request<'q>(hints: &'q rdma_addrinfo_core::Hints<'q>) -> Request<'q> {
    let (node, service) = any((Text::from_bytes(bytes()), Text::from_bytes(bytes())));
    each!(Text, node; bytes(), as_c_str(), as_str());
    let request = Request::new(node, service, any(Some(hints)));
    let request = Request::with_policy(request, any_policy());
    let request = Request::with_environment(request, any(Environment::new()));
    any(Request::with_canonical_names(Request::with_routes(request, any(true)), any(true)))
}

fn walk<'r>(request: Request<'_>, results: impl Into<Storage<'r>>) {
    let mut step = any(start(request, results));
    loop {
        step = match step {
            Step::Lookup(ask) => {
                each!(Lookup, &ask; node(), service(), family(), protocol(), is_passive(), wants_canonical_name(),
                    needs_ipv6_loopback());
                let ask = any(Lookup::with_canonical_name(ask, c_str()));
                let ask = any(Lookup::with_ipv6_loopback(ask, any(true)));
                if any(false) {
                    step = Lookup::fail(ask, any(Error::system(5)));
                    continue;
                }
                let found = [any(Found { address: any_address(), protocol: any(Protocol::Tcp) }); 3];
                Lookup::answer(ask, any(Ok::<_, Error>(found)))
            }
            Step::FindScope(ask) => {
                each!(FindScope, &ask; name());
                if any(false) {
                    step = FindScope::fail(ask, any(Error::system(5)));
                    continue;
                }
                FindScope::answer(ask, any(Some(1)))
            }
            Step::FindService(ask) => {
                sink(FindService::service(&ask));
                match any(FindService::port(any(true), any(true), any(Some(Gid::LOOPBACK)))) {
                    Ok(port) => {
                        let (gid, pkey, id) = (port, any(Pkey::DEFAULT), any(ServiceId::from_raw(7)));
                        FindService::answer(ask, port, any([ServiceRecord { gid, pkey, id }; 3]))
                    }
                    Err(skipped) => {
                        sink(SkippedPort::message(skipped));
                        formats!(SkippedPort, skipped; Display);
                        FindService::fail(ask, any(Error::system(5)))
                    }
                }
            }
            Step::FindRoute(ask) => {
                each!(FindRoute, &ask; destination(), source(), hint(), no_delay(), query(), request(7));
                match any_reply() {
                    Some(reply) => {
                        sink(FindRoute::needs_af_ib(&ask, &reply));
                        FindRoute::answer(FindRoute::with_af_ib(ask, any(true)), any(&reply))
                    }
                    None => FindRoute::no_route(ask, any(NoRoute::TimedOut)),
                }
            }
            Step::FindSource(ask) => {
                each!(FindSource, &ask; destination());
                if any(false) {
                    step = FindSource::fail(ask, any(Error::system(5)));
                    continue;
                }
                FindSource::answer(ask, any(Some(any_address())))
            }
            Step::Done(Ok(list)) => return read(list),
            Step::Done(Err(error)) => return sink(error),
        };
        step = any(step);
    }
}

pub fn calls() {
    let hints = any_hints();

    let mut results = any(Results::<4>::new());
    if let Ok(list) = resolve_literal(text(), text(), &hints, &mut results) {
        read(list);
    }
    if let Ok(list) = Request::resolve_literal(any_request(&hints), &mut results) {
        read(list);
    }
    walk(any_request(&hints), &mut results);

    // With one entry and no path, what does not fit is at every place.
    let mut little = any(Results::<1, 0>::new());
    walk(any_request(&hints), &mut little);

    let record = ServiceRecord { gid: Gid::LOOPBACK, pkey: Pkey::DEFAULT, id: ServiceId::from_raw(7) };
    derived!(ServiceRecord, record; Clone PartialEq Hash);
    derived!(IbService<'_>, IbService::Name(bytes()); Clone PartialEq Hash);
    derived!(SkippedPort, SkippedPort::NoGid; Clone PartialEq Hash);
    derived!(Found, Found { address: any_address(), protocol: Protocol::Udp }; Clone PartialEq Hash);
}
