//! Results with device, port and GID: loopback plays a netdev of RoCE, in a sysfs of the world's own.

use crate::common::{World, interface, sysfs};
use crate::sysfs::Tree;
use rdma_addrinfo::devices::{Devices, LocalPort, NoGid, ProblemKind};
use rdma_addrinfo::{Hints, Resolved, Resolver};
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

fn local_ports(found: &Resolved) -> Vec<LocalPort> {
    let devices = Devices::read();
    found.iter().map(|info| devices.local_port(&info, None)).collect()
}

fn ports(resolver: Resolver, node: Option<&str>, hints: &Hints<'_>) -> Vec<String> {
    let found = resolver.resolve(node, "7471", hints).unwrap();
    local_ports(&found).iter().map(LocalPort::to_string).collect()
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
            ports(resolver.with_source(false), Some("127.0.0.1"), &Hints::new()),
            ["any: no local address is known"]
        );
        let ib = "src=ib:::ffff:127.0.0.2,dst=ib:::ffff:127.0.0.1";
        let found = resolver.resolve(None, None, &Hints::parse(ib).unwrap()).unwrap();
        assert_eq!(local_ports(&found)[0].gid().unwrap().gid_index, 2);
        // A name has all its entries told.
        let both = ports(resolver, Some("localhost"), &Hints::new());
        assert_eq!(both.len(), 2);
        assert!(both.iter().any(|port| port.starts_with("rxe0 port 1 gid 1 ")), "{both:?}");
    });
}

#[test]
fn the_netdev_of_the_route_is_taken_for_the_address_s_own() {
    World::EMPTY.run(|| {
        let _tree = furnish();
        let found = Resolver::new().resolve("127.0.0.1", "7471", None).unwrap();
        let port = |netdev| Devices::read().local_port(&found.first().unwrap(), netdev).to_string();
        assert_eq!(port(Some("lo")), "rxe0 port 1 gid 1 (roce-v2, ::ffff:127.0.0.1, netdev lo)");
        assert_eq!(
            port(Some("eth9")),
            "no usable GID for 127.0.0.1 on eth9: rxe0 port 1 has it on another netdev, lo"
        );
    });
}

#[test]
fn what_cannot_be_read_is_a_problem() {
    World::EMPTY.run(|| {
        let tree = furnish();
        tree.put(&format!("{PORT}/gids/1"), "nonsense");
        let devices = Devices::read();
        let [problem] = devices.problems() else { panic!("{:?}", devices.problems()) };
        assert_eq!(
            (problem.path.as_str(), problem.kind),
            ("class/infiniband/rxe0/ports/1/gids/1", ProblemKind::Meaningless)
        );
        let found = Resolver::new().resolve("127.0.0.1", "7471", None).unwrap();
        assert_eq!(local_ports(&found)[0].gid().unwrap().gid_index, 0);
    });
}

#[test]
fn without_devices_that_is_said() {
    World::EMPTY.run(|| {
        let found = Resolver::new().resolve("127.0.0.1", "7471", None).unwrap();
        let [LocalPort::NotUsable(why)] = &local_ports(&found)[..] else { panic!("{found:?}") };
        assert_eq!(why.reason(), &NoGid::NoDevice);
        assert!(Devices::read().is_empty());
    });
}
