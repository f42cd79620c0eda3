//! Which GID is chosen, a row a question.

use crate::sysfs::Tree;
use rdma_addrinfo::devices::{Devices, LocalGid, NoGid, NoUsableGid, PortState};
use rdma_addrinfo::{Gid, Hints, Policy, Resolver};
use std::net::IpAddr;

/// Device, port and index; or the reason.
fn short(found: Result<LocalGid, NoUsableGid>) -> String {
    match found {
        Ok(gid) => format!("{} {} {}", gid.device, gid.port, gid.gid_index),
        Err(error) => error.reason().name().into(),
    }
}

/// The zone of a link-local address counts, as for the kernel, and of no other.
#[test]
fn the_netdev_of_a_zone() {
    let devices = Tree::named("constructed/roce").read();
    let resolver = Resolver::new().with_policy(Policy::LIBRDMACM).with_routes(false);
    for (node, expected) in [
        ("fe80::ff:fe00:1%3", "mlx5_0 port 1 gid 1 (roce-v2, fe80::ff:fe00:1, netdev ens1)"),
        ("fe80::ff:fe00:1", "mlx5_0 port 1 gid 1 (roce-v2, fe80::ff:fe00:1, netdev ens1)"),
        ("2001:db8::1%2", "mlx5_0 port 1 gid 5 (roce-v2, 2001:db8::1, netdev ens1)"),
        ("2001:db8::1%77", "mlx5_0 port 1 gid 5 (roce-v2, 2001:db8::1, netdev ens1)"),
        (
            "fe80::ff:fe00:1%2",
            "no usable GID for fe80::ff:fe00:1 on eno1: mlx5_0 port 1 has it on another netdev, ens1",
        ),
        (
            "fe80::ff:fe00:1%77",
            "no usable GID for fe80::ff:fe00:1 on interface 77: mlx5_0 port 1 has it on another netdev, ens1",
        ),
    ] {
        let found = resolver.resolve(node, "7471", &Hints::new().passive()).unwrap();
        assert_eq!(devices.local_port(&found.first().unwrap(), None).to_string(), expected, "{node}");
    }
    // Without the addresses zones are unknown.
    let tree = Tree::named("constructed/roce");
    let devices = Devices::read_from(tree.root(), Vec::new());
    let found = resolver.resolve("fe80::ff:fe00:1%3", "7471", &Hints::new().passive()).unwrap();
    assert_eq!(devices.local_port(&found.first().unwrap(), None).gid().unwrap().gid_index, 1);
}

#[test]
fn the_gid_of_an_address() {
    for (tree, questions) in [
        (
            "roce",
            &[
                ("192.0.2.1", None, "mlx5_0 1 3"),
                ("192.0.2.1", Some("ens1"), "mlx5_0 1 3"),
                ("::ffff:192.0.2.1", None, "mlx5_0 1 3"),
                ("2001:db8::1", None, "mlx5_0 1 5"),
                ("fe80::ff:fe00:1", Some("ens1"), "mlx5_0 1 1"),
                ("192.0.2.1", Some("eno1"), "other-netdev"),
                // Loopback, management, somebody else's, the wildcard.
                ("127.0.0.1", None, "not-rdma"),
                ("198.51.100.1", None, "not-rdma"),
                ("192.0.2.7", None, "not-rdma"),
                ("0.0.0.0", None, "not-rdma"),
                ("::", None, "not-rdma"),
            ][..],
        ),
        (
            "two-ports",
            &[
                ("192.0.2.1", None, "mlx4_0 1 3"),
                ("192.0.2.2", None, "mlx4_0 2 3"),
                ("169.254.7.7", None, "mlx5_10 1 3"),
                ("fd00:db8::3", None, "mlx5_2 1 3"),
            ],
        ),
        (
            "vlan",
            &[
                ("192.0.2.1", Some("ens1"), "mlx5_0 1 9"),
                ("192.0.2.1", Some("ens1.5"), "mlx5_0 1 7"),
                ("fe80::ff:fe00:1", Some("ens1.5"), "mlx5_0 1 1"),
                ("fe80::ff:fe00:1", Some("vxlan9"), "mlx5_0 1 3"),
                ("fe80::ff:fe00:1", Some("ens1"), "mlx5_0 1 5"),
                ("198.51.100.1", None, "mlx5_0 1 11"),
                ("198.51.100.1", Some("ens1"), "other-netdev"),
                // On both, and nobody says on which: any, always the same.
                ("192.0.2.1", None, "mlx5_0 1 7"),
                ("fe80::ff:fe00:1", None, "mlx5_0 1 1"),
            ],
        ),
        (
            "bond",
            &[
                ("192.0.2.1", None, "mlx5_1 1 3"),
                ("192.0.2.1", Some("bond0"), "mlx5_1 1 3"),
                ("192.0.2.1", Some("ens1f0"), "mlx5_0 1 3"),
                ("fe80::ff:fe00:1", None, "mlx5_1 1 1"),
            ],
        ),
        (
            "infiniband",
            &[
                ("192.0.2.1", None, "mlx5_0 1 0"),
                ("192.0.2.1", Some("ib0"), "mlx5_0 1 0"),
                ("198.51.100.1", None, "mlx5_0 1 0"),
                ("192.0.2.2", None, "mlx5_1 1 0"),
                ("fe80::c42:a103:65:4a10", Some("ib0"), "mlx5_0 1 0"),
                ("192.0.2.1", Some("ib1"), "mlx5_1 1 0"),
                ("192.0.2.3", None, "not-rdma"),
                ("127.0.0.1", None, "not-rdma"),
            ],
        ),
        (
            "macvlan-container",
            &[
                ("10.0.0.5", None, "mlx5_0 1 7"),
                ("10.0.0.5", Some("eth0"), "mlx5_0 1 7"),
                // Only without a netdev.
                ("fe80::ff:fe00:1", None, "mlx5_0 1 1"),
            ],
        ),
        (
            "port-down",
            &[
                ("192.0.2.1", None, "mlx5_1 1 0"),
                // The only one, though it is down.
                ("192.0.2.3", None, "mlx5_0 1 1"),
            ],
        ),
        ("no-netdev", &[("192.0.2.1", None, "mlx5_0 1 3"), ("192.0.2.1", Some("eth0"), "mlx5_0 1 3")]),
        ("iwarp", &[("192.0.2.1", None, "cxgb4_0 1 0"), ("192.0.2.2", None, "not-rdma")]),
        ("old-kernel", &[("192.0.2.1", None, "mlx4_0 1 1"), ("192.0.2.9", None, "index-too-large")]),
    ] {
        let devices = Tree::named(&format!("constructed/{tree}")).read();
        for (address, netdev, expected) in questions {
            let address: IpAddr = address.parse().unwrap();
            assert_eq!(short(devices.find(address, *netdev)), *expected, "{tree} {address} {netdev:?}");
        }
    }
}

/// Trees of two kernels, which chose the same: std/tests/guest/devices.rs compares with theirs.
#[test]
fn the_gid_of_an_address_on_real_kernels() {
    for kernel in ["6.1", "7.2"] {
        for (tree, questions) in [
            (
                "vlan-bond",
                &[
                    ("192.0.2.1", None, "rxe0 1 1"),
                    ("192.0.2.11", None, "rxe0 1 2"),
                    ("2001:db8::1", None, "rxe0 1 3"),
                    ("198.51.100.1", None, "rxe0 1 4"),
                    ("2001:db8:7::1", Some("va.7"), "rxe0 1 5"),
                    ("fe80::ff:fe00:a", Some("va"), "rxe0 1 0"),
                    ("fe80::ff:fe00:a", Some("va.7"), "rxe0 1 6"),
                    ("192.0.2.12", None, "rxe1 1 2"),
                    ("fe80::ff:fe00:b", Some("vb.7"), "rxe1 1 6"),
                    ("203.0.113.1", None, "rxe2 1 1"),
                    ("203.0.113.1", Some("bond1"), "rxe2 1 1"),
                    ("fe80::ff:fe00:c", Some("bond1"), "rxe2 1 0"),
                    ("203.0.113.2", None, "rxe3 1 1"),
                    ("198.51.100.1", Some("va"), "other-netdev"),
                    ("203.0.113.1", Some("vc"), "other-netdev"),
                    ("127.0.0.1", None, "not-rdma"),
                ][..],
            ),
            (
                "macvlan-container",
                &[
                    ("192.0.2.21", None, "rxe0 1 7"),
                    ("192.0.2.21", Some("eth0"), "rxe0 1 7"),
                    // The host's, whose names are all visible: a GID without a netdev here.
                    ("192.0.2.1", None, "rxe0 1 1"),
                ],
            ),
            ("port-down", &[("203.0.113.2", None, "rxe3 1 1"), ("192.0.2.1", None, "rxe0 1 1")]),
        ] {
            let devices = Tree::named(&format!("recorded/{tree}-{kernel}")).read();
            assert_eq!(devices.problems(), []);
            assert_eq!(devices.iter().next().unwrap().ports()[0].gid_table_length(), 1024);
            for (address, netdev, expected) in questions {
                let address: IpAddr = address.parse().unwrap();
                assert_eq!(
                    short(devices.find(address, *netdev)),
                    *expected,
                    "{tree} {kernel} {address} {netdev:?}"
                );
            }
        }
        let best = |tree: &str| Tree::named(&format!("recorded/{tree}-{kernel}")).read().best().unwrap();
        assert_eq!(short(Ok(best("vlan-bond"))), "rxe0 1 1");
        assert_eq!(short(Ok(best("macvlan-container"))), "rxe0 1 7");
        let down = Tree::named(&format!("recorded/port-down-{kernel}")).read();
        assert_eq!(down.find([203, 0, 113, 2], None).unwrap().state, PortState::DOWN);
    }
}

/// The netdev of another network namespace has the name of one here, and the GID's address is not here.
#[test]
fn a_netdev_elsewhere_may_have_the_name_of_one_here() {
    let tree = Tree::named("recorded/macvlan-container-7.2");
    tree.put("class/net/va/mtu", "1500");
    tree.put("class/net/va/address", "02:00:00:00:00:77");
    let devices = tree.read();
    assert!(devices.netdev("va").unwrap().is_here());
    assert_eq!(short(devices.best()), "rxe0 1 7");
}

#[test]
fn the_best_gid() {
    for (tree, expected) in [
        ("roce", "mlx5_0 1 3"),
        ("two-ports", "mlx4_0 1 3"),
        // The lower of two routable ones that are alike.
        ("vlan", "mlx5_0 1 7"),
        // The slave has not the address.
        ("bond", "mlx5_1 1 3"),
        ("infiniband", "mlx5_0 1 0"),
        ("macvlan-container", "mlx5_0 1 7"),
        // An active port goes before one that is down.
        ("port-down", "mlx5_1 1 1"),
        ("no-netdev", "mlx5_0 1 3"),
        ("iwarp", "cxgb4_0 1 0"),
        ("old-kernel", "mlx4_0 1 1"),
    ] {
        let devices = Tree::named(&format!("constructed/{tree}")).read();
        assert_eq!(short(devices.best()), expected, "{tree}");
    }
    assert_eq!(short(Tree::new("").read().best()), "no-device");
    assert_eq!(short(Tree::new("class/infiniband/x/ports/1/state\t4: ACTIVE").read().best()), "empty-table");
}

/// `fe80::` is the prefix of an InfiniBand fabric that was given no other: no reason to take a port that is down.
#[test]
fn the_prefix_of_an_infiniband_gid_says_nothing() {
    let tree = Tree::named("constructed/infiniband");
    tree.put("class/infiniband/mlx5_0/ports/1/state", "1: DOWN");
    for netdev in ["ib0", "ib0.8001", "ib1"] {
        tree.put(&format!("class/net/{netdev}/address"), "");
    }
    assert_eq!(short(tree.read().best()), "mlx5_1 1 0");
}

#[test]
fn the_addresses_that_a_destination_may_be_sent_to_from() {
    let sources = |tree: &str, destination: &str, scope: u32| -> Vec<String> {
        let devices = Tree::named(&format!("constructed/{tree}")).read();
        let found = devices.sources_for(destination.parse().unwrap(), scope);
        found
            .iter()
            .map(|it| format!("{} {} {} {}", it.address, it.netdev, it.gid.device, it.gid.port))
            .collect()
    };
    let (one, two) = ("192.0.2.1 ens1 mlx4_0 1", "192.0.2.2 ens1d1 mlx4_0 2");
    assert_eq!(sources("two-ports", "192.0.2.77", 0), [one, two]);
    assert_eq!(sources("two-ports", "169.254.9.9", 0), ["169.254.7.7 ens10 mlx5_10 1"]);
    // On the zone's link, or on each.
    assert_eq!(sources("two-ports", "fe80::77", 2), ["fe80::ff:fe00:1 ens1 mlx4_0 1"]);
    assert_eq!(sources("two-ports", "fe80::77", 0).len(), 4);
    assert_eq!(sources("two-ports", "fe80::77", 77), [""; 0]);
    // No other address has a zone, whatever it says.
    assert_eq!(sources("roce", "2001:db8::77", 77), ["2001:db8::1 ens1 mlx5_0 1"]);
    assert_eq!(sources("roce", "::ffff:192.0.2.77", 0), ["192.0.2.1 ens1 mlx5_0 1"]);
    // Elsewhere, by an interface without RDMA, and to itself.
    assert_eq!(sources("two-ports", "203.0.113.7", 0), [""; 0]);
    assert_eq!(sources("roce", "198.51.100.7", 0), [""; 0]);
    assert_eq!(sources("two-ports", "192.0.2.2", 0), [""; 0]);
}

#[test]
fn the_port_of_a_gid() {
    let devices = Tree::named("constructed/infiniband").read();
    let find = |gid: &str| short(devices.find_gid(gid.parse().unwrap(), None));
    assert_eq!(find("fec0::c42:a103:65:4a10"), "mlx5_0 1 1");
    assert_eq!(find("fe80::c42:a103:65:4a11"), "mlx5_1 1 0");
    assert_eq!(find("fe80::1"), "not-rdma");
    let vlan = Tree::named("constructed/vlan").read();
    let gid: Gid = "fe80::ff:fe00:1".parse().unwrap();
    assert_eq!(short(vlan.find_gid(gid, Some("vxlan9"))), "mlx5_0 1 3");
    assert_eq!(short(vlan.find_gid(gid, Some("eth0"))), "other-netdev");
}

#[test]
fn a_choice_says_all_of_it() {
    let devices = Tree::named("constructed/vlan").read();
    let found = devices.find([192, 0, 2, 1], Some("ens1.5")).unwrap();
    assert_eq!(found.to_string(), "mlx5_0 port 1 gid 7 (roce-v2, ::ffff:192.0.2.1, netdev ens1.5)");
    let devices = Tree::named("constructed/port-down").read();
    let found = devices.find([192, 0, 2, 3], None).unwrap();
    let expected = "mlx5_0 port 1 gid 1 (roce-v2, ::ffff:192.0.2.3, netdev ens1, port down)";
    assert_eq!(found.to_string(), expected);
    let devices = Tree::named("constructed/infiniband").read();
    let found = devices.find([192, 0, 2, 1], None).unwrap();
    assert_eq!(
        found.to_string(),
        "mlx5_0 port 1 gid 0 (ib, fe80::c42:a103:65:4a10, netdev ib0, P_Key 0xffff)"
    );
}

#[test]
fn a_refusal_says_what_was_seen() {
    let refusal = |tree: &str, address: &str, netdev: Option<&str>| {
        let address: IpAddr = address.parse().unwrap();
        Tree::named(&format!("constructed/{tree}")).read().find(address, netdev).unwrap_err()
    };
    let other = refusal("vlan", "198.51.100.1", Some("ens1"));
    assert_eq!(
        other.reason(),
        &NoGid::OtherNetdev { device: "mlx5_0".into(), port: 1, netdev: "ens1.5".into() }
    );
    assert_eq!(
        other.to_string(),
        "no usable GID for 198.51.100.1 on ens1: mlx5_0 port 1 has it on another netdev, ens1.5"
    );
    assert_eq!(
        refusal("roce", "127.0.0.1", None).to_string(),
        "no usable GID for 127.0.0.1 on lo: it is not on an RDMA port"
    );
    assert_eq!(
        refusal("roce", "::ffff:127.0.0.1", None).to_string(),
        "no usable GID for 127.0.0.1 on lo: it is not on an RDMA port"
    );
    assert_eq!(
        refusal("old-kernel", "192.0.2.9", None).to_string(),
        "no usable GID for 192.0.2.9 on ens1: mlx4_0 port 1 has it at index 300, and verbs take no index above 255"
    );
    assert_eq!(
        Tree::new("").read().find([192, 0, 2, 1], None).unwrap_err().to_string(),
        "no usable GID for 192.0.2.1: this machine has no RDMA device"
    );
    let empty = Tree::new("class/infiniband/x/ports/1/state\t4: ACTIVE").read().best().unwrap_err();
    assert_eq!(empty.to_string(), "no usable GID: the GID table of x port 1 is empty");
}

/// A type or link layer that is not known is never chosen.
#[test]
fn what_is_not_known_is_not_chosen() {
    let tree = Tree::named("constructed/roce");
    tree.put("class/infiniband/mlx5_0/ports/1/gid_attrs/types/3", "RoCE v3");
    let find = |tree: &Tree| short(tree.read().find([192, 0, 2, 1], None));
    assert_eq!(find(&tree), "mlx5_0 1 2");
    tree.put("class/infiniband/mlx5_0/ports/1/gid_attrs/types/2", "RoCE v4");
    assert_eq!(find(&tree), "unknown-type");

    let tree = Tree::named("constructed/roce");
    tree.put("class/infiniband/mlx5_0/ports/1/link_layer", "Unknown");
    assert_eq!(find(&tree), "unknown-type");
    assert_eq!(short(tree.read().best()), "unknown-type");
}

/// Newer kernels name the netdev of an iWARP port; the GID does not depend on the address.
#[test]
fn the_netdev_of_an_iwarp_port_is_enough() {
    let tree = Tree::named("constructed/iwarp");
    tree.put("class/infiniband/cxgb4_0/ports/1/gid_attrs/ndevs/0", "ens3");
    tree.put("class/net/ens3/address", "02:00:00:00:00:77");
    assert_eq!(short(tree.read().find([192, 0, 2, 1], None)), "cxgb4_0 1 0");
    assert_eq!(short(tree.read().find([192, 0, 2, 2], None)), "not-rdma");
}

/// A netdev of which only the name is known is in another network namespace.
#[test]
fn a_netdev_elsewhere_counts_as_none() {
    let tree = Tree::named("constructed/macvlan-container");
    tree.put("class/infiniband/mlx5_0/ports/1/gid_attrs/ndevs/8", "host-eth0");
    tree.put("class/infiniband/mlx5_0/ports/1/gid_attrs/types/8", "RoCE v2");
    tree.put("class/infiniband/mlx5_0/ports/1/gids/8", "2001:0db8:0000:0000:0000:0000:0000:0008");
    let devices = tree.read();
    assert!(!devices.netdev("host-eth0").unwrap().is_here());
    assert_eq!(short(devices.find("2001:db8::8".parse::<IpAddr>().unwrap(), Some("eth0"))), "mlx5_0 1 8");
    assert_eq!(short(devices.best()), "mlx5_0 1 7");
}
