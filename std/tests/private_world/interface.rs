//! The interface to send from.

use crate::common::{World, interface};
use rdma_addrinfo::{Addresses, ErrorKind, Hints, InterfaceName, Reason, Resolver, Results};
use std::net::Ipv4Addr;

const NAMES: World<'_> =
    World { hosts: "2001:db8::7 both\n127.9.9.9 both\n2001:db8::7 six\n", ..World::EMPTY };

fn from(name: &str) -> Resolver {
    Resolver::new().source_interface(Some(name.parse::<InterfaceName>().unwrap()))
}

fn entries(resolver: Resolver, node: &str, hints: &str) -> Result<Vec<String>, (ErrorKind, Reason)> {
    match resolver.resolve(node, "7471", &Hints::parse(hints).unwrap()) {
        Ok(found) => Ok(found.iter().map(|info| info.to_string()).collect()),
        Err(error) => Err((error.kind(), error.reason())),
    }
}

#[test]
fn its_address_is_the_source() {
    NAMES.run(|| {
        // To 2001:db8::7 the kernel has no way, and so no source.
        interface::add_address("lo:1", Ipv4Addr::new(10, 0, 0, 9)).unwrap();
        let lo = from("lo");
        let entry = |text: &str| Ok(vec![text.to_owned()]);
        assert_eq!(entries(lo, "127.9.9.9", ""), entry("inet rc/tcp 127.0.0.1 -> 127.9.9.9:7471"));
        assert_eq!(entries(lo, "10.0.0.7", ""), entry("inet rc/tcp 10.0.0.9 -> 10.0.0.7:7471"));
        assert_eq!(entries(lo, "2001:db8::7", ""), entry("inet6 rc/tcp ::1 -> [2001:db8::7]:7471"));
        // Also where nothing else would be asked about a literal.
        assert_eq!(entries(lo.source(false).routes(false), "10.0.0.7", ""), entries(lo, "10.0.0.7", ""));
        // In memory of the caller's, too.
        let mut results = Results::<2>::new();
        let list = lo.resolve_into("127.9.9.9", "7471", None, &mut results).unwrap();
        assert_eq!(list.first().unwrap().src_addr().unwrap().to_string(), "127.0.0.1");
    });
}

#[test]
fn destinations_that_it_does_not_reach_are_left_out() {
    NAMES.run(|| {
        let both = entries(from("lo").addresses(Addresses::All), "both", "").unwrap();
        assert_eq!(both.len(), 2, "{both:?}");
        // It has no link-local address, and none that is a GID.
        let link_local = entries(from("lo"), "fe80::7%lo", "");
        assert_eq!(link_local, Err((ErrorKind::AddrFamily, Reason::InterfaceFamily)));
        let gid = entries(from("lo"), "fe80::7", "family,family=ib");
        assert_eq!(gid, Err((ErrorKind::AddrFamily, Reason::InterfaceFamily)));
    });
}

#[test]
fn the_source_is_known_before_the_route() {
    NAMES.run(|| {
        let mut steps = Vec::new();
        let resolver = from("lo");
        resolver.resolve_traced("127.9.9.9", "7471", None, &mut |step| steps.push(step)).unwrap();
        let questions: Vec<_> = steps.iter().map(|step| step.question.as_str()).collect();
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
    let refused = |resolver: Resolver, hints: &str| entries(resolver, "127.0.0.1", hints).unwrap_err();
    assert_eq!(refused(from("no-such-if"), ""), (ErrorKind::Invalid, Reason::NoSuchInterface));
    assert_eq!(refused(from("lo"), "src=127.0.0.1"), (ErrorKind::Invalid, Reason::TwoSources));
    assert_eq!(refused(from("lo"), "passive"), (ErrorKind::Invalid, Reason::PassiveInterface));
    let error = from("no-such-if").resolve("127.0.0.1", "7471", None).unwrap_err();
    assert_eq!(
        error.to_string(),
        "cannot resolve node '127.0.0.1' service '7471': invalid argument: there is no such interface to send from \
         (no-such-if)"
    );
    // It can be taken back.
    let back = from("no-such-if").source_interface(None);
    assert_eq!(entries(back, "127.0.0.1", "").unwrap(), ["inet rc/tcp 127.0.0.1 -> 127.0.0.1:7471"]);
}
