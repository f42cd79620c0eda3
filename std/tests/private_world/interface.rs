//! The interface to send from.

use crate::common::{World, interface};
use rdma_addrinfo::{
    Addresses, Cause, Error, ErrorKind, Hints, InterfaceName, Resolver, Results, SourceInterfaceError,
    TracedStep,
};
use std::net::Ipv4Addr;

const NAMES: World<'_> =
    World { hosts: "::1 both\n127.9.9.9 both\n2001:db8::7 part\n127.9.9.9 part\n", ..World::EMPTY };

fn from(name: &str) -> Resolver {
    Resolver::new().with_source_interface(Some(name.parse::<InterfaceName>().unwrap()))
}

fn entries(resolver: Resolver, node: &str, hints: &str) -> Result<Vec<String>, Error> {
    let found = resolver.resolve(node, "7471", &Hints::parse(hints).unwrap())?;
    Ok(found.iter().map(|info| info.to_string()).collect())
}

#[track_caller]
fn refused(resolver: Resolver, node: &str, hints: &str, kind: ErrorKind, cause: SourceInterfaceError) {
    let error = entries(resolver, node, hints).unwrap_err();
    assert_eq!((error.kind(), error.cause()), (kind, &Cause::SourceInterface(cause)), "{error}");
}

#[test]
fn its_address_is_the_source() {
    NAMES.run(|| {
        interface::add_address("lo:1", Ipv4Addr::new(10, 0, 0, 9)).unwrap();
        let lo = from("lo");
        let entry = |text: &str| Ok(vec![text.to_owned()]);
        assert_eq!(entries(lo, "127.9.9.9", ""), entry("inet rc/tcp 127.0.0.1 -> 127.9.9.9:7471"));
        assert_eq!(entries(lo, "10.0.0.7", ""), entry("inet rc/tcp 10.0.0.9 -> 10.0.0.7:7471"));
        assert_eq!(entries(lo, "::1", ""), entry("inet6 rc/tcp ::1 -> [::1]:7471"));
        // Also where nothing else would be asked about a literal.
        assert_eq!(
            entries(lo.with_source(false).with_routes(false), "10.0.0.7", ""),
            entries(lo, "10.0.0.7", "")
        );
        // In memory of the caller's, too.
        let mut results = Results::<2>::new();
        let list = lo.resolve_into("127.9.9.9", "7471", None, &mut results).unwrap();
        assert_eq!(list.first().unwrap().src_addr().unwrap().to_string(), "127.0.0.1");
    });
}

#[test]
fn destinations_that_it_does_not_reach_are_left_out() {
    NAMES.run(|| {
        let both = entries(from("lo").with_addresses(Addresses::All), "both", "").unwrap();
        assert_eq!(both.len(), 2, "{both:?}");
        let part = entries(from("lo").with_addresses(Addresses::All), "part", "").unwrap();
        assert_eq!(part, ["inet rc/tcp 127.0.0.1 -> 127.9.9.9:7471"]);
        // No route leads there by any interface.
        refused(from("lo"), "2001:db8::7", "", ErrorKind::AddrFamily, SourceInterfaceError::NoAddress);
        // It has no link-local address, and none that is a GID.
        for (node, hints) in [("fe80::7%lo", ""), ("fe80::7", "family,family=ib")] {
            refused(from("lo"), node, hints, ErrorKind::AddrFamily, SourceInterfaceError::NoAddress);
        }
    });
}

#[test]
fn the_source_is_known_before_the_route() {
    NAMES.run(|| {
        let mut steps: Vec<TracedStep> = Vec::new();
        from("lo").resolve_traced("127.9.9.9", "7471", None, &mut steps).unwrap();
        let questions: Vec<_> = steps.iter().map(|step| step.event.question()).collect();
        assert_eq!(
            questions,
            [
                "source for 127.9.9.9:7471",
                "route to 127.9.9.9:7471 (request: source 127.0.0.1, destination 127.9.9.9)",
            ]
        );
    });
}

#[test]
fn what_cannot_be_is_refused() {
    let none = SourceInterfaceError::NotFound("no-such-if".into());
    for (name, hints, cause) in [
        ("no-such-if", "", none),
        ("lo", "src=127.0.0.1", SourceInterfaceError::SourceInHints),
        ("lo", "passive", SourceInterfaceError::Passive),
    ] {
        refused(from(name), "127.0.0.1", hints, ErrorKind::Invalid, cause);
    }
    // It can be taken back.
    let back = from("no-such-if").with_source_interface(None);
    assert_eq!(entries(back, "127.0.0.1", "").unwrap(), ["inet rc/tcp 127.0.0.1 -> 127.0.0.1:7471"]);
}
