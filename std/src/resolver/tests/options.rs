//! Options: what they come to.

use crate::error::Cause;
use crate::{Resolver, SourceInterfaceError};
use rdma_addrinfo_core::{Addresses, ErrorKind, Flags, Hints, NoRoute, Policy, Reason, Results, RouteStatus};

#[test]
fn routes_and_sources_are_asked_for_unless_switched_off() {
    let resolver = Resolver::new();
    let status = |resolver: Resolver| {
        let found = resolver.resolve("127.0.0.1", "7471", None).unwrap();
        let info = found.first().unwrap();
        (info.route_status(), info.src_addr().is_some())
    };
    let unavailable = RouteStatus::Missing(NoRoute::Unavailable);
    assert_eq!(status(resolver), (unavailable, true));
    assert_eq!(status(resolver.with_source(false)), (unavailable, false));
    assert_eq!(status(resolver.with_routes(false)), (RouteStatus::NotAsked, true));
    assert_eq!(status(resolver.with_policy(Policy::LIBRDMACM)), (unavailable, false));
    assert_eq!(status(resolver.with_policy(Policy::LIBRDMACM).with_source(true)), (unavailable, true));
}

#[test]
fn a_policy_replaces_the_switches_that_were_set_before() {
    let new = Resolver::new();
    let expected = Policy { addresses: Addresses::All, discover_source: true, ..Policy::LIBRDMACM };
    assert_eq!(
        new.with_policy(Policy::LIBRDMACM).with_addresses(Addresses::All).with_source(true).policy,
        expected
    );
    assert_eq!(new.with_source(true).with_policy(Policy::LIBRDMACM).policy, Policy::LIBRDMACM);
    assert_eq!((new.policy, Resolver::default()), (Policy::MAN_PAGE, new));
}

/// What is wrong with a request for the subnet administrator is said before anybody is asked.
#[test]
fn the_subnet_administrator_is_asked_for_services_alone() {
    let hints = Hints::new().with_flags(Flags::SA);
    for policy in [Policy::MAN_PAGE, Policy::LIBRDMACM] {
        let resolver = Resolver::new().with_policy(policy);
        let error = resolver.resolve("127.0.0.1", "nfs", &hints).unwrap_err();
        assert_eq!((error.kind(), error.reason()), (ErrorKind::NotSupported, Reason::SaWithNode));
        let error = resolver.resolve(None, None, &hints).unwrap_err();
        assert_eq!((error.kind(), error.reason()), (ErrorKind::Invalid, Reason::SaWithoutService));
    }
}

#[test]
fn every_way_says_what_is_wrong_with_the_source_interface() {
    let resolver = Resolver::new().with_source_interface(Some("no-such-if".parse().unwrap()));
    let expected = SourceInterfaceError::NotFound("no-such-if".into());
    let (node, service) = ("192.0.2.7", "7471");
    let mut results = Results::<1>::new();
    for error in [
        resolver.resolve(node, service, None).unwrap_err(),
        resolver.resolve_into(node, service, None, &mut results).unwrap_err(),
        resolver.resolve_traced(node, service, None, &mut ()).unwrap_err(),
    ] {
        assert_eq!(error.cause(), &Cause::SourceInterface(expected.clone()));
        assert_eq!(
            error.to_string(),
            "cannot resolve node '192.0.2.7' service '7471': invalid argument: there is no interface 'no-such-if' to send \
             from"
        );
    }
    let error = resolver.resolve_request(resolver.request(node, service, None), &mut results).unwrap_err();
    assert_eq!(error, ErrorKind::Invalid.into());
}
