//! What is resolved where links, addresses and names are those of the guest.

use rdma_addrinfo::{
    Backend, ErrorKind, Flags, Hints, Library, Location, Policy, Reason, Resolver, SockAddrBuf,
};
use std::fs;

fn resolve(resolver: Resolver, node: &str, hints: &str) -> Vec<String> {
    let hints = Hints::parse(hints).unwrap();
    let found = resolver.resolve(node, "7471", &hints).unwrap_or_else(|error| panic!("{node}: {error}"));
    assert!(!found.is_truncated());
    found.iter().map(|info| info.to_string()).collect()
}

fn index(link: &str) -> u32 {
    let index = fs::read_to_string(format!("/sys/class/net/{link}/ifindex")).unwrap();
    index.trim().parse().unwrap()
}

/// Two devices, two addresses of one subnet on each, a VLAN.
#[test]
fn the_source_is_that_of_the_link_that_leads_there() {
    for (node, source) in [
        ("192.0.2.2", "192.0.2.1"),
        ("192.0.2.12", "192.0.2.1"),
        ("192.0.2.1", "192.0.2.2"),
        ("192.0.2.11", "192.0.2.2"),
        ("192.0.2.9", "192.0.2.1"),
        ("198.51.100.2", "198.51.100.1"),
        ("198.51.100.1", "198.51.100.2"),
    ] {
        assert_eq!(resolve(Resolver::new(), node, ""), [format!("inet rc/tcp {source} -> {node}:7471")]);
        let unknown = [format!("inet rc/tcp * -> {node}:7471")];
        assert_eq!(resolve(Resolver::new().source(false), node, ""), unknown);
        assert_eq!(resolve(Resolver::new().backend(Backend::Librdmacm), node, ""), unknown);
    }
    for (node, source) in [
        ("2001:db8::2", "2001:db8::1"),
        ("2001:db8::1", "2001:db8::2"),
        ("2001:db8:7::2", "2001:db8:7::1"),
        ("2001:db8:7::1", "2001:db8:7::2"),
    ] {
        assert_eq!(resolve(Resolver::new(), node, ""), [format!("inet6 rc/tcp {source} -> [{node}]:7471")]);
        let unknown = [format!("inet6 rc/tcp * -> [{node}]:7471")];
        assert_eq!(resolve(Resolver::new().backend(Backend::Librdmacm), node, ""), unknown);
    }
}

#[test]
fn a_source_that_is_asked_for_stays() {
    let expected = ["inet rc/tcp 192.0.2.11 -> 192.0.2.2:7471"];
    for backend in [Backend::Native, Backend::Librdmacm] {
        assert_eq!(
            resolve(Resolver::new().backend(backend), "192.0.2.2", "src=192.0.2.11"),
            expected,
            "{backend:?}"
        );
    }
}

/// Nothing routes to it, and an address is all that is asked for.
#[test]
fn a_destination_that_no_route_leads_to_has_no_source() {
    assert_eq!(resolve(Resolver::new(), "198.18.0.1", ""), ["inet rc/tcp * -> 198.18.0.1:7471"]);
}

#[test]
fn link_local_zones_are_links() {
    // The same address on two links.
    for link in ["va", "va.7"] {
        let zone = index(link);
        let at = format!("%{zone}");
        let expected = [format!("inet6 rc/tcp fe80::ff:fe00:a{at} -> [fe80::ff:fe00:b{at}]:7471")];
        for node in [format!("fe80::ff:fe00:b%{link}"), format!("fe80::ff:fe00:b%{zone}")] {
            assert_eq!(resolve(Resolver::new(), &node, ""), expected);
            let unknown = [format!("inet6 rc/tcp * -> [fe80::ff:fe00:b{at}]:7471")];
            assert_eq!(resolve(Resolver::new().backend(Backend::Librdmacm), &node, ""), unknown);
        }
    }
    let found = Resolver::new().resolve("fe80::ff:fe00:b", "7471", None).unwrap();
    assert!(found.first().unwrap().needs_scope());
    let error = Resolver::new().resolve("fe80::ff:fe00:b%vx", "7471", None).unwrap_err();
    assert_eq!(
        (error.kind(), error.reason(), error.location()),
        (ErrorKind::NoName, Reason::NoSuchZone, Location::Node(16))
    );
}

#[test]
fn names_have_the_addresses_of_both_families_each_with_its_source() {
    let both = [
        "inet6 rc/tcp 2001:db8::1 -> [2001:db8::2]:7471",
        "inet rc/tcp 192.0.2.1 -> 192.0.2.2:7471",
        "inet rc/tcp 192.0.2.1 -> 192.0.2.12:7471",
    ];
    for resolver in [Resolver::new(), Resolver::new().no_deadline()] {
        assert_eq!(resolve(resolver, "storage-7", ""), both);
        assert_eq!(resolve(resolver, "storage-7", "family=inet"), both[1..]);
        assert_eq!(resolve(resolver, "storage-7", "family=inet6"), both[..1]);
        // What is left out is what the source cannot reach.
        let from = ["inet rc/tcp 192.0.2.11 -> 192.0.2.2:7471", "inet rc/tcp 192.0.2.11 -> 192.0.2.12:7471"];
        assert_eq!(resolve(resolver, "storage-7", "src=192.0.2.11"), from);
    }
    assert_eq!(
        resolve(Resolver::new().backend(Backend::Librdmacm), "storage-7", ""),
        ["inet6 rc/tcp * -> [2001:db8::2]:7471"]
    );
    assert_eq!(resolve(Resolver::new().policy(Policy::LIBRDMACM), "storage-7", "").len(), 1);
}

/// librdmacm finds the guest's devices; RAI_SA finds no InfiniBand port among them, by releases that know it.
#[test]
fn the_subnet_administrator_is_asked_on_infiniband_ports_only() {
    let library = Library::load().unwrap();
    let ask = |node: Option<&str>, service: Option<&str>, flags: Flags| {
        let hints = Hints::new().flags(flags);
        let resolver = Resolver::new().library(library);
        let of_library = library.getaddrinfo(node, service, &hints).unwrap_err();
        let automatic = resolver.resolve(node, service, &hints).unwrap_err();
        let errno = |error: &rdma_addrinfo::Error| error.io_error().and_then(|error| error.raw_os_error());
        (errno(&of_library), errno(&automatic))
    };
    if library.has_sa() {
        let known = |errno| (Some(errno), Some(errno));
        assert_eq!(ask(None, Some("service"), Flags::SA), known(libc::ENOENT));
        assert_eq!(ask(None, Some("7471"), Flags::SA), known(libc::ENOENT));
    } else {
        // What such a release does not know it would ignore.
        let hints = Hints::new().flags(Flags::SA);
        let error = library.getaddrinfo(None, "service", &hints).unwrap_err();
        assert_eq!((error.kind(), error.reason()), (ErrorKind::NotSupported, Reason::SaNeedsRelease));
    }
    // Both releases, and without a library: SA goes with neither a node nor DNS.
    for (node, flags) in [(Some("192.0.2.2"), Flags::SA), (None, Flags::SA | Flags::DNS)] {
        let error = Resolver::new().resolve(node, "7471", &Hints::new().flags(flags)).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::NotSupported, "{error}");
    }
}

#[test]
fn hints_alone_resolve_as_anywhere() {
    let hints = Hints::new()
        .src_addr(SockAddrBuf::inet(0xc000_020b, 0))
        .dst_addr(SockAddrBuf::inet(0xc000_0202, 7471));
    for backend in [Backend::Native, Backend::Librdmacm] {
        let found = Resolver::new().backend(backend).resolve(None, None, &hints).unwrap();
        let info = found.first().unwrap();
        assert_eq!(info.dst_addr().unwrap().to_string(), "192.0.2.2:7471", "{backend:?}");
        assert_eq!(info.src_addr().unwrap().to_string(), "192.0.2.11", "{backend:?}");
    }
}
