//! What is resolved where links, addresses and names are those of the guest.

use rdma_addrinfo::{
    AddrInfoList, ErrorKind, Flags, Hints, Library, Location, Policy, Reason, Resolver, SockAddrBuf,
};
use std::fs;

fn resolve(resolver: Resolver, node: &str, hints: &str) -> Vec<String> {
    let hints = Hints::parse(hints).unwrap();
    let found = resolver.resolve(node, "7471", &hints).unwrap_or_else(|error| panic!("{node}: {error}"));
    lines(found.list())
}

/// The same by librdmacm.
fn by_library(node: &str, hints: &str) -> Vec<String> {
    let hints = Hints::parse(hints).unwrap();
    let found = Library::load().unwrap().getaddrinfo(node, "7471", &hints);
    lines(found.unwrap_or_else(|error| panic!("{node}: {error}")).list())
}

fn lines(list: AddrInfoList<'_>) -> Vec<String> {
    assert!(!list.is_truncated());
    list.iter().map(|info| info.to_string()).collect()
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
        assert_eq!(resolve(Resolver::new().with_source(false), node, ""), unknown);
        assert_eq!(by_library(node, ""), unknown);
    }
    for (node, source) in [
        ("2001:db8::2", "2001:db8::1"),
        ("2001:db8::1", "2001:db8::2"),
        ("2001:db8:7::2", "2001:db8:7::1"),
        ("2001:db8:7::1", "2001:db8:7::2"),
    ] {
        assert_eq!(resolve(Resolver::new(), node, ""), [format!("inet6 rc/tcp {source} -> [{node}]:7471")]);
        let unknown = [format!("inet6 rc/tcp * -> [{node}]:7471")];
        assert_eq!(by_library(node, ""), unknown);
    }
}

#[test]
fn a_source_that_is_asked_for_stays() {
    let expected = ["inet rc/tcp 192.0.2.11 -> 192.0.2.2:7471"];
    assert_eq!(resolve(Resolver::new(), "192.0.2.2", "src=192.0.2.11"), expected);
    assert_eq!(by_library("192.0.2.2", "src=192.0.2.11"), expected);
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
            assert_eq!(by_library(&node, ""), unknown);
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
    for resolver in [Resolver::new(), Resolver::new().without_deadline()] {
        assert_eq!(resolve(resolver, "storage-7", ""), both);
        assert_eq!(resolve(resolver, "storage-7", "family=inet"), both[1..]);
        assert_eq!(resolve(resolver, "storage-7", "family=inet6"), both[..1]);
        // What is left out is what the source cannot reach.
        let from = ["inet rc/tcp 192.0.2.11 -> 192.0.2.2:7471", "inet rc/tcp 192.0.2.11 -> 192.0.2.12:7471"];
        assert_eq!(resolve(resolver, "storage-7", "src=192.0.2.11"), from);
    }
    assert_eq!(by_library("storage-7", ""), ["inet6 rc/tcp * -> [2001:db8::2]:7471"]);
    assert_eq!(resolve(Resolver::new().with_policy(Policy::LIBRDMACM), "storage-7", "").len(), 1);
}

/// librdmacm finds the guest's devices; RAI_SA finds no InfiniBand port among them, by releases that know it.
#[test]
fn the_subnet_administrator_is_asked_on_infiniband_ports_only() {
    let library = Library::load().unwrap();
    let sa = Hints::new().with_flags(Flags::SA);
    for service in ["service", "7471"] {
        let error = library.getaddrinfo(None, service, &sa).unwrap_err();
        if library.has_sa() {
            assert_eq!(error.io_error().unwrap().raw_os_error(), Some(libc::ENOENT), "{error}");
        } else {
            // What such a release does not know it would ignore.
            assert_eq!((error.kind(), error.reason()), (ErrorKind::NotSupported, Reason::SaNeedsRelease));
        }
        // The kernel is not even asked.
        let none = (ErrorKind::NoDevice, Reason::NoInfinibandPort);
        let error = Resolver::new().resolve(None, service, &sa).unwrap_err();
        assert_eq!((error.kind(), error.reason()), none);
        let resolver = Resolver::new().with_policy(Policy::LIBRDMACM);
        let error = resolver.resolve(None, service, &sa).unwrap_err();
        assert_eq!((error.kind(), error.reason()), none);
        assert_eq!(error.io_error().unwrap().raw_os_error(), Some(libc::ENOENT));
    }
    // Both releases, and without a library: SA goes with neither a node nor DNS.
    for (node, flags) in [(Some("192.0.2.2"), Flags::SA), (None, Flags::SA | Flags::DNS)] {
        let error = Resolver::new().resolve(node, "7471", &Hints::new().with_flags(flags)).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::NotSupported, "{error}");
    }
}

#[test]
fn hints_alone_resolve_as_anywhere() {
    let hints = Hints::new()
        .with_src_addr(SockAddrBuf::inet(0xc000_020b, 0))
        .with_dst_addr(SockAddrBuf::inet(0xc000_0202, 7471));
    let native = Resolver::new().resolve(None, None, &hints).unwrap();
    let library = Library::load().unwrap().getaddrinfo(None, None, &hints).unwrap();
    for list in [native.list(), library.list()] {
        let info = list.first().unwrap();
        assert_eq!(info.dst_addr().unwrap().to_string(), "192.0.2.2:7471");
        assert_eq!(info.src_addr().unwrap().to_string(), "192.0.2.11");
    }
}
