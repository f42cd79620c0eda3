//! What is read of a tree.

use crate::sysfs::Tree;
use rdma_addrinfo::devices::{Device, Devices, GidType, LinkLayer, NodeType, Port, PortState};

/// A line for each GID: device, port, index, GID, type and netdev.
pub(super) fn gids(devices: &Devices) -> Vec<String> {
    let mut lines = Vec::new();
    for device in devices {
        for port in device.ports() {
            for entry in port.gids() {
                let netdev = entry.netdev().unwrap_or("-");
                lines.push(format!(
                    "{} {} {} {} {} {netdev}",
                    device.name(),
                    port.number(),
                    entry.index(),
                    entry.gid(),
                    entry.gid_type()
                ));
            }
        }
    }
    lines
}

#[test]
fn a_roce_port() {
    let devices = Tree::named("constructed/roce").read();
    assert_eq!(devices.problems(), []);
    let [device] = devices.iter().as_slice() else { panic!("{devices:?}") };
    assert_eq!((device.name(), device.node_type()), ("mlx5_0", Some(NodeType::CA)));
    assert_eq!(device.node_guid(), Some("0c42:a103:0065:4a10"));
    let [port] = device.ports() else { panic!("{device:?}") };
    assert_eq!((port.number(), port.state(), port.link_layer()), (1, PortState::ACTIVE, LinkLayer::Ethernet));
    assert_eq!((port.rate(), port.lid()), (Some("100 Gb/sec (4X EDR)"), Some(0)));
    assert!(port.is_roce());
    assert_eq!(port.gid_table_length(), 256);
    assert_eq!(
        gids(&devices),
        [
            "mlx5_0 1 0 fe80::ff:fe00:1 roce-v1 ens1",
            "mlx5_0 1 1 fe80::ff:fe00:1 roce-v2 ens1",
            "mlx5_0 1 2 ::ffff:192.0.2.1 roce-v1 ens1",
            "mlx5_0 1 3 ::ffff:192.0.2.1 roce-v2 ens1",
            "mlx5_0 1 4 2001:db8::1 roce-v1 ens1",
            "mlx5_0 1 5 2001:db8::1 roce-v2 ens1",
        ]
    );
    let netdev = devices.netdev("ens1").unwrap();
    assert_eq!((netdev.mtu(), netdev.hardware_address()), (Some(9000), Some(&[2, 0, 0, 0, 0, 1][..])));
    assert!(netdev.is_here() && !netdev.is_ipoib());
    let port = &devices.iter().next().unwrap().ports()[0];
    assert_eq!(devices.netdevs_of(port, &port.gids()[3]), [netdev]);
    // An interface that no GID comes from.
    assert_eq!(devices.netdev("eno1"), None);
    assert_eq!(devices.addresses().len(), 7);
}

/// Between two reads an entry may go: it has a GID, and no type any more.
#[test]
fn an_entry_that_has_just_gone_is_none() {
    let tree = Tree::named("constructed/roce");
    tree.put("class/infiniband/mlx5_0/ports/1/gid_attrs/types/3", "!EINVAL");
    let devices = tree.read();
    let indices: Vec<_> =
        devices.iter().next().unwrap().ports()[0].gids().iter().map(|gid| gid.index()).collect();
    assert_eq!(indices, [0, 1, 2, 4, 5]);
    assert_eq!(devices.problems(), []);
}

#[test]
fn an_infiniband_port() {
    let devices = Tree::named("constructed/infiniband").read();
    assert_eq!(devices.problems(), []);
    assert_eq!(
        gids(&devices),
        [
            "mlx5_0 1 0 fe80::c42:a103:65:4a10 ib -",
            "mlx5_0 1 1 fec0::c42:a103:65:4a10 ib -",
            "mlx5_1 1 0 fe80::c42:a103:65:4a11 ib -",
        ]
    );
    let port = &devices.iter().next().unwrap().ports()[0];
    assert_eq!((port.link_layer(), port.lid(), port.is_roce()), (LinkLayer::InfiniBand, Some(0x11), false));
    assert_eq!(port.gid_table_length(), 8);
    let ib0 = devices.netdev("ib0").unwrap();
    assert!(ib0.is_ipoib());
    let address = ib0.hardware_address().unwrap();
    assert_eq!(
        (address.len(), &address[..4], &address[18..]),
        (20, &[0, 0, 0x10, 0x29][..], &[0x4a, 0x10][..])
    );
    assert_eq!(devices.netdev("lo"), None);
    let device = devices.iter().next().unwrap();
    let netdevs =
        |at: usize| devices.netdevs_of(port, &port.gids()[at]).iter().map(|it| it.name()).collect::<Vec<_>>();
    assert_eq!((device.name(), netdevs(0)), ("mlx5_0", vec!["ib0", "ib0.8001"]));
    // The second GID is of a prefix that IPoIB does not use.
    assert_eq!(netdevs(1), [""; 0]);
}

#[test]
fn devices_and_ports_are_in_natural_order() {
    let devices = Tree::named("constructed/two-ports").read();
    let names: Vec<_> = devices.iter().map(Device::name).collect();
    assert_eq!(names, ["mlx4_0", "mlx5_2", "mlx5_10"]);
    let ports: Vec<_> = devices.iter().next().unwrap().ports().iter().map(Port::number).collect();
    assert_eq!(ports, [1, 2]);
    assert_eq!(devices.problems(), []);
}

#[test]
fn a_port_without_gids_is_there() {
    let devices = Tree::named("constructed/no-netdev").read();
    let port = &devices.iter().nth(1).unwrap().ports()[0];
    assert_eq!((port.state(), port.gids(), port.gid_table_length()), (PortState::DOWN, &[][..], 256));
    assert_eq!(gids(&devices)[3], "mlx5_0 1 3 ::ffff:192.0.2.1 roce-v2 -");
    assert_eq!(devices.problems(), []);
}

#[test]
fn an_iwarp_port() {
    let devices = Tree::named("constructed/iwarp").read();
    let device = devices.iter().next().unwrap();
    assert_eq!(device.node_type(), Some(NodeType::RNIC));
    assert!(!device.ports()[0].is_roce());
    assert_eq!(device.ports()[0].gids()[0].gid_type(), GidType::Ib);
    assert_eq!(gids(&devices), ["cxgb4_0 1 0 200:0:1:: ib -"]);
}

#[test]
fn kernels_without_types_know_version_1() {
    let devices = Tree::named("constructed/old-kernel").read();
    assert_eq!(
        gids(&devices),
        [
            "mlx4_0 1 0 fe80::ff:fe00:1 roce-v1 -",
            "mlx4_0 1 1 ::ffff:192.0.2.1 roce-v1 -",
            "mlx4_0 1 300 ::ffff:192.0.2.9 roce-v1 -",
        ]
    );
    assert_eq!(devices.problems(), []);
}

#[test]
fn without_devices_nothing_is_wrong() {
    for tree in [Tree::new(""), Tree::new("class/net/lo/ifindex\t1\ninterfaces/lo\t127.0.0.1/8")] {
        let devices = tree.read();
        assert!(devices.is_empty());
        assert_eq!((devices.len(), devices.problems()), (0, &[][..]));
    }
    let nowhere = Devices::read_from("/nonexistent".as_ref(), Vec::new());
    assert_eq!(nowhere, Devices::default());
}

/// This machine's own, whatever it has.
#[test]
fn this_machine_can_be_read() {
    let devices = Devices::read();
    assert_eq!(devices.is_empty(), devices.iter().next().is_none());
    assert!(devices.addresses().iter().any(|own| own.netdev == "lo"), "{devices:?}");
}

/// Numbers and words that newer kernels may have.
#[test]
fn unknown_words_are_kept_or_told() {
    let tree = Tree::named("constructed/roce");
    let port = "class/infiniband/mlx5_0/ports/1";
    for (path, value) in [
        ("class/infiniband/mlx5_0/node_type", "9: <unknown>"),
        (&format!("{port}/state"), "6: UNKNOWN"),
        (&format!("{port}/link_layer"), "Token Ring"),
        (&format!("{port}/gid_attrs/types/5"), "RoCE v3"),
    ] {
        tree.put(path, value);
    }
    let devices = tree.read();
    let device = devices.iter().next().unwrap();
    assert_eq!(device.node_type().map(NodeType::to_raw), Some(9));
    assert_eq!(device.node_type().unwrap().to_string(), "9");
    let port = &device.ports()[0];
    assert_eq!((port.state().to_raw(), port.state().to_string()), (6, "6".into()));
    assert_eq!(port.link_layer(), LinkLayer::Unknown);
    assert_eq!(port.gids()[5].gid_type(), GidType::Unknown);
    assert_eq!(devices.problems(), []);
}
