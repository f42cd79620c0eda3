//! Options: what they come to; what librdmacm as the backend cannot keep is refused before it is asked.

use crate::backend::Backend;
use crate::native::Ibacm;
use crate::resolver::{IbEntries, Resolver};
use rdma_addrinfo_core::{Addresses, ErrorKind, Flags, Hints, NoRoute, Policy, Reason, Results, RouteStatus};
use std::time::Duration;

#[test]
fn options_that_it_cannot_keep_are_refused() {
    let library = Resolver::new().backend(Backend::Librdmacm);
    for (resolver, reason) in [
        (library.deadline(Duration::from_secs(1)), Reason::LibraryDeadline),
        (library.policy(Policy::MAN_PAGE), Reason::LibraryPolicy),
        (library.policy(Policy { discover_source: true, ..Policy::LIBRDMACM }), Reason::LibraryPolicy),
        (library.addresses(Addresses::All), Reason::LibraryAddresses),
        (library.source(true), Reason::LibrarySource),
        (library.canonical_names(true), Reason::LibraryNames),
        (library.routes(false), Reason::LibraryRoutes),
        (library.ibacm(Ibacm::OFF), Reason::LibraryIbacm),
        (library.ibacm(Ibacm::AUTO.remember_absence(Duration::ZERO)), Reason::LibraryIbacm),
        (library.ib_entries(IbEntries::Always), Reason::LibraryIbEntries),
        (library.ib_entries(IbEntries::Never), Reason::LibraryIbEntries),
        (library.source_interface(Some("lo".parse().unwrap())), Reason::LibraryInterface),
        (library.device(true), Reason::LibraryDevice),
    ] {
        let error = resolver.resolve("127.0.0.1", "7471", None).unwrap_err();
        assert_eq!((error.kind(), error.reason()), (ErrorKind::NotSupported, reason));
        assert_eq!(error.backend(), Some(Backend::Librdmacm));
    }
}

#[test]
fn options_that_it_keeps_anyhow_are_none() {
    let library = Resolver::new().backend(Backend::Librdmacm);
    for resolver in [
        library,
        library.no_deadline(),
        library.policy(Policy::LIBRDMACM),
        library.addresses(Addresses::First),
        library.source(false),
        library.canonical_names(false),
        library.routes(true),
        library.ibacm(Ibacm::AUTO),
        library.ib_entries(IbEntries::Auto),
        library.source_interface(None),
        library.device(false),
    ] {
        assert_eq!(resolver.library_lacks(), None);
    }
}

#[test]
fn its_results_do_not_go_into_memory_of_the_callers() {
    let mut results = Results::<1>::new();
    let resolver = Resolver::new().backend(Backend::Librdmacm);
    let error = resolver.resolve_into("127.0.0.1", "7471", None, &mut results).unwrap_err();
    assert_eq!((error.kind(), error.reason()), (ErrorKind::NotSupported, Reason::LibraryMemory));
}

#[test]
fn what_only_it_can_do_is_left_to_it() {
    let hints = Hints::new().flags(Flags::SA);
    let ask = |resolver: Resolver| resolver.resolve(None, "nfs", &hints).unwrap_err();
    let native = ask(Resolver::new().backend(Backend::Native));
    assert_eq!((native.kind(), native.reason()), (ErrorKind::NoDevice, Reason::NoInfinibandPort));
    assert_eq!(ask(Resolver::new()).backend(), Some(Backend::Librdmacm));
    // A deadline is kept by nobody then.
    let refused = ask(Resolver::new().deadline(Duration::from_secs(1)));
    assert_eq!((refused.kind(), refused.reason()), (ErrorKind::NotSupported, Reason::LibraryDeadline));
    // What is wrong with the request is said without it.
    let error = Resolver::new().resolve("127.0.0.1", "nfs", &hints).unwrap_err();
    assert_eq!((error.backend(), error.reason()), (Some(Backend::Native), Reason::SaWithNode));
}

#[test]
fn routes_and_sources_are_asked_for_unless_switched_off() {
    let resolver = Resolver::new().backend(Backend::Native);
    let status = |resolver: Resolver| {
        let found = resolver.resolve("127.0.0.1", "7471", None).unwrap();
        let info = found.first().unwrap();
        (info.route_status(), info.src_addr().is_some())
    };
    let unavailable = RouteStatus::Missing(NoRoute::Unavailable);
    assert_eq!(status(resolver), (unavailable, true));
    assert_eq!(status(resolver.source(false)), (unavailable, false));
    assert_eq!(status(resolver.routes(false)), (RouteStatus::NotAsked, true));
    // The switches hold whatever policy is set behind them.
    assert_eq!(status(resolver.source(true).policy(Policy::LIBRDMACM)), (unavailable, true));
}

#[test]
fn switches_take_the_place_of_the_policys_own_whichever_is_set_first() {
    let new = Resolver::new();
    let expected = Policy { addresses: Addresses::All, discover_source: true, ..Policy::LIBRDMACM };
    for resolver in [
        new.policy(Policy::LIBRDMACM).addresses(Addresses::All).source(true),
        new.addresses(Addresses::All).source(true).policy(Policy::LIBRDMACM),
    ] {
        assert_eq!(resolver.effective, expected);
    }
    assert_eq!(new.policy(Policy::LIBRDMACM).effective, Policy::LIBRDMACM);
    assert_eq!((new.effective, Resolver::default().effective), (Policy::MAN_PAGE, Policy::MAN_PAGE));
}
