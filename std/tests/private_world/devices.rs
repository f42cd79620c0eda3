//! Results with device, port and GID: loopback plays a netdev of RoCE, in a sysfs of the world's own.

use crate::common::{World, interface, sysfs};
use crate::sysfs::Tree;
use rdma_addrinfo::devices::{Devices, LocalPort, NoGid, ProblemKind, Warning};
use rdma_addrinfo::{Backend, ErrorKind, Hints, Reason, Resolver, Results};
use std::net::Ipv4Addr;

const PORT: &str = "class/infiniband/rxe0/ports/1";

/// 127.0.0.1 and 127.0.0.2 are RoCE v2 addresses on loopback, ::1 is none. `lo:1` is a label, no netdev.
fn furnish() -> Tree {
    interface::add_address("lo:1", Ipv4Addr::new(127, 0, 0, 2)).unwrap();
    Tree::at(
        sysfs(),
        "class/infiniband/rxe0/node_type\t1: CA\n\
         class/infiniband/rxe0/ports/1/state\t4: ACTIVE\n\
         class/infiniband/rxe0/ports/1/link_layer\tEthernet\n\
         class/infiniband/rxe0/ports/1/gids/0-1\t0000:0000:0000:0000:0000:ffff:7f00:0001\n\
         class/infiniband/rxe0/ports/1/gids/2\t0000:0000:0000:0000:0000:ffff:7f00:0002\n\
         class/infiniband/rxe0/ports/1/gid_attrs/types/0\tIB/RoCE v1\n\
         class/infiniband/rxe0/ports/1/gid_attrs/types/1-2\tRoCE v2\n\
         class/infiniband/rxe0/ports/1/gid_attrs/ndevs/0-2\tlo\n\
         class/net/lo/mtu\t65536",
    )
}

fn ports(resolver: Resolver, node: Option<&str>, hints: &Hints<'_>) -> Vec<String> {
    let found = resolver.device(true).resolve(node, "7471", hints).unwrap();
    assert_eq!(found.len(), found.local_ports().len());
    found.local_ports().iter().map(LocalPort::to_string).collect()
}

#[test]
fn each_entry_has_the_port_of_its_source() {
    World::EMPTY.run(|| {
        let _tree = furnish();
        let resolver = Resolver::new();
        let of = |node, hints: &str| ports(resolver, node, &Hints::parse(hints).unwrap());
        assert_eq!(of(Some("127.0.0.1"), ""), ["rxe0 port 1 gid 1 (roce-v2, ::ffff:127.0.0.1, netdev lo)"]);
        assert_eq!(
            of(Some("127.0.0.9"), "src=127.0.0.2"),
            ["rxe0 port 1 gid 2 (roce-v2, ::ffff:127.0.0.2, netdev lo)"]
        );
        assert_eq!(of(Some("::1"), ""), ["no usable GID for ::1 on lo: it is not on an RDMA port"]);
        let none = "no usable GID for 127.0.0.3: it is not on an RDMA port";
        assert_eq!(of(Some("127.0.0.9"), "src=127.0.0.3"), [none]);
        // The passive side: the wildcards, and an address to listen at.
        assert_eq!(of(None, "passive"), ["any: no local address is known"; 2]);
        assert_eq!(
            of(Some("127.0.0.2"), "passive"),
            ["rxe0 port 1 gid 2 (roce-v2, ::ffff:127.0.0.2, netdev lo)"]
        );
        // Without a source, and as a GID.
        assert_eq!(
            ports(resolver.source(false), Some("127.0.0.1"), &Hints::new()),
            ["any: no local address is known"]
        );
        let ib = "src=ib:::ffff:127.0.0.2,dst=ib:::ffff:127.0.0.1";
        let found = resolver.device(true).resolve(None, None, &Hints::parse(ib).unwrap()).unwrap();
        assert_eq!(found.local_ports()[0].gid().unwrap().gid_index, 2);
        // A name has all its entries told.
        let both = ports(resolver, Some("localhost"), &Hints::new());
        assert_eq!(both.len(), 2);
        assert!(both.iter().any(|port| port.starts_with("rxe0 port 1 gid 1 ")), "{both:?}");
    });
}

#[test]
fn nothing_is_told_unless_asked_for() {
    World::EMPTY.run(|| {
        let _tree = furnish();
        let found = Resolver::new().resolve("127.9.9.9", "7471", None).unwrap();
        assert_eq!((found.local_ports(), found.warnings()), (&[][..], &[][..]));
    });
}

#[test]
fn the_steps_tell_the_devices() {
    World::EMPTY.run(|| {
        let _tree = furnish();
        let mut steps = Vec::new();
        let resolver = Resolver::new().device(true);
        resolver.resolve_traced("127.0.0.1", "7471", None, &mut |step| steps.push(step)).unwrap();
        let told: Vec<_> = steps.iter().map(|step| (step.question.as_str(), step.answer.as_str())).collect();
        assert_eq!(
            told[1..],
            [
                ("source for 127.0.0.1:7471", "127.0.0.1"),
                ("RDMA devices of this machine", "1 devices, 1 ports, 3 GIDs"),
                ("device of 127.0.0.1", "rxe0 port 1 gid 1 (roce-v2, ::ffff:127.0.0.1, netdev lo)"),
            ]
        );
    });
}

#[test]
fn several_rdma_addresses_on_the_subnet_are_a_warning() {
    World::EMPTY.run(|| {
        let _tree = furnish();
        let resolver = Resolver::new().device(true);
        let warnings = |resolver: Resolver, node: &str, hints: &str| {
            let found = resolver.resolve(node, "7471", &Hints::parse(hints).unwrap()).unwrap();
            found.warnings().to_vec()
        };
        let [warning] = &warnings(resolver, "127.9.9.9", "")[..] else { panic!() };
        assert_eq!(warning.name(), "several-sources");
        assert_eq!(
            warning.to_string(),
            "several RDMA addresses share the subnet of 127.9.9.9, and no source was given: 127.0.0.1 (lo, rxe0 port 1), \
             127.0.0.2 (lo, rxe0 port 1)"
        );
        let Warning::SeveralSources { destination, sources } = warning else { panic!("{warning:?}") };
        assert_eq!(destination.to_string(), "127.9.9.9");
        let told: Vec<_> = sources.iter().map(|it| (it.address.to_string(), it.gid.gid_index)).collect();
        assert_eq!(told, [("127.0.0.1".into(), 1), ("127.0.0.2".into(), 2)]);
        // Somebody says the source; the destination is its own; nobody is connected to.
        assert_eq!(warnings(resolver, "127.9.9.9", "src=127.0.0.2"), []);
        let lo = Some("lo".parse().unwrap());
        assert_eq!(warnings(resolver.source_interface(lo), "127.9.9.9", ""), []);
        assert_eq!(warnings(resolver, "127.0.0.2", ""), []);
        assert_eq!(warnings(resolver, "127.9.9.9", "passive"), []);
        // Another subnet, another family.
        assert_eq!(warnings(resolver, "192.0.2.7", ""), []);
        assert_eq!(warnings(resolver, "::1", ""), []);
    });
}

#[test]
fn what_cannot_be_read_is_a_warning() {
    World::EMPTY.run(|| {
        let tree = furnish();
        tree.put(&format!("{PORT}/gids/1"), "nonsense");
        let found = Resolver::new().device(true).resolve("127.0.0.1", "7471", None).unwrap();
        let [Warning::Unreadable(problem)] = found.warnings() else { panic!("{:?}", found.warnings()) };
        assert_eq!(
            (problem.path.as_str(), problem.kind),
            ("class/infiniband/rxe0/ports/1/gids/1", ProblemKind::Meaningless)
        );
        assert_eq!(found.local_ports()[0].gid().unwrap().gid_index, 0);
    });
}

#[test]
fn without_devices_that_is_said() {
    World::EMPTY.run(|| {
        let found = Resolver::new().device(true).resolve("127.0.0.1", "7471", None).unwrap();
        let [LocalPort::NotUsable(why)] = found.local_ports() else { panic!("{:?}", found.local_ports()) };
        assert_eq!(why.reason(), &NoGid::NoDevice);
        assert_eq!(found.warnings(), []);
        assert!(Devices::read().is_empty());
    });
}

#[test]
fn memory_of_the_callers_has_no_place_for_them() {
    let mut results = Results::<1>::new();
    let resolver = Resolver::new().device(true);
    let error = resolver.resolve_into("127.0.0.1", "7471", None, &mut results).unwrap_err();
    assert_eq!((error.kind(), error.reason()), (ErrorKind::NotSupported, Reason::DeviceNeedsHeap));
    assert_eq!(error.backend(), Some(Backend::Native));
}
