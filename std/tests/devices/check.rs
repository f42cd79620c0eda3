//! What is found about results in trees of sysfs: the kernel is not asked.

use crate::sysfs::Tree;
use rdma_addrinfo::devices::{Checked, Devices, Finding, LocalGid, NoUsableGid};
use rdma_addrinfo::{Hints, Resolver};

fn check(devices: &Devices, hints: &str) -> Checked {
    let resolver = Resolver::new().with_source(false).with_routes(false);
    let found = resolver.resolve(None, None, &Hints::parse(hints).unwrap()).unwrap();
    devices.check().without_kernel().entry(&found.first().unwrap())
}

fn short(found: Result<LocalGid, NoUsableGid>) -> String {
    match found {
        Ok(gid) => format!("{} {} {}", gid.device, gid.port, gid.gid_index),
        Err(error) => error.reason().name().into(),
    }
}

#[test]
fn a_port_that_is_down() {
    let devices = Tree::named("constructed/port-down").read();
    let found = check(&devices, "src=192.0.2.3,dst=192.0.2.7");
    let [Finding::PortDown { port, state }, ..] = &found.findings[..] else { panic!("{found:?}") };
    assert_eq!((port.to_string(), state.to_string()), ("mlx5_0 port 1".into(), "down".into()));
    assert!(!found.may_work());
}

#[test]
fn the_partition_of_ipoib() {
    let devices = Tree::named("constructed/infiniband").read();
    let gid = devices.find([198, 51, 100, 1], None).unwrap();
    assert_eq!(
        gid.to_string(),
        "mlx5_0 port 1 gid 0 (ib, fe80::c42:a103:65:4a10, netdev ib0.8001, P_Key 0x8001)"
    );
    let gid = devices.find([192, 0, 2, 2], None).unwrap();
    assert_eq!((gid.netdev.as_deref(), gid.pkey.unwrap().to_raw()), (Some("ib1"), 0x7fff));
    let destination = |pkey: u16| {
        let hints = format!("src=ib:fe80::c42:a103:65:4a10/pkey=0xffff,dst=ib:fe80::9/pkey={pkey:#x}");
        check(&devices, &hints).findings
    };
    // The low 15 bits count: the top one is the membership.
    assert_eq!(destination(0xffff), []);
    assert_eq!(destination(0x7fff), []);
    let [Finding::OtherPartition { local, destination }] = destination(0x8001)[..] else { panic!() };
    assert_eq!((local.to_string(), destination.to_string()), ("0xffff".into(), "0x8001".into()));
}

#[test]
fn an_mtu_that_is_too_small() {
    let tree = Tree::named("constructed/vlan");
    let findings = |vlan: &str, base: &str| {
        tree.put("class/net/ens1.5/mtu", vlan);
        tree.put("class/net/ens1/mtu", base);
        check(&tree.read(), "src=198.51.100.1,dst=198.51.100.7").findings
    };
    assert_eq!(findings("1500", "1500"), []);
    // 4096 bytes and 96 of headers fit into 4192.
    assert_eq!(findings("4192", "9000"), []);
    let too_small = |mtu, active| Finding::MtuTooSmall { netdev: "ens1.5".into(), mtu, active };
    assert_eq!(findings("4191", "9000"), [too_small(4191, 4096)]);
    assert_eq!(findings("1500", "9000"), [too_small(1500, 4096)]);
    assert_eq!(findings("300", "1500"), [too_small(300, 1024)]);
}

#[test]
fn a_stale_gid_is_not_the_best() {
    let tree = |gids: &[&str], addresses: &str| {
        let port = "class/infiniband/rxe0/ports/1";
        let mut text = format!(
            "class/infiniband/rxe0/node_type\t1: CA\n{port}/state\t4: ACTIVE\n{port}/link_layer\tEthernet\n\
             class/net/va/mtu\t1500\nclass/net/va/ifindex\t2\n{addresses}"
        );
        for (index, gid) in gids.iter().enumerate() {
            text += &format!("{port}/gids/{index}\t{gid}\n{port}/gid_attrs/ndevs/{index}\tva\n");
            text += &format!("{port}/gid_attrs/types/{index}\tRoCE v{}\n", 1 + index % 2);
        }
        Tree::new(&text.replace("RoCE v1", "IB/RoCE v1")).read()
    };
    // That of an old hardware address at 0 and 1, the live one at 2 and 3.
    let (old, live) = ("fe80:0000:0000:0000:0000:00ff:fe00:0001", "fe80:0000:0000:0000:0000:00ff:fe00:0002");
    let devices = tree(&[old, old, live, live], "interfaces/va\tfe80::ff:fe00:2/64\n");
    assert_eq!(short(devices.best()), "rxe0 1 3");
    assert_eq!(short(devices.best_of("rxe0", 1)), "rxe0 1 3");
    let devices = tree(&[old, old], "interfaces/va\tfe80::ff:fe00:2/64\n");
    assert_eq!(short(devices.best()), "stale");
    assert_eq!(
        devices.best().unwrap_err().to_string(),
        "no usable GID: no netdev has the address of a GID of rxe0 port 1 now"
    );
    // A prefix alone is none.
    let prefix = "fe80:0000:0000:0000:0000:0000:0000:0000";
    let devices = tree(&[prefix, prefix], "interfaces/va\tfe80::/64\n");
    assert_eq!(short(devices.best()), "stale");
}

#[test]
fn the_best_of_a_device_and_of_a_port() {
    let devices = Tree::named("constructed/port-down").read();
    let of = |device: &str, port: Option<u8>| short(devices.best_of(device, port));
    assert_eq!(short(devices.best()), "mlx5_1 1 1");
    assert_eq!((of("mlx5_0", None), of("mlx5_0", Some(1))), ("mlx5_0 1 1".into(), "mlx5_0 1 1".into()));
    assert_eq!((of("mlx5_1", None), of("mlx5_1", Some(2))), ("mlx5_1 1 1".into(), "no-port".into()));
    assert_eq!(of("mlx5_7", None), "no-device");
    let two = Tree::named("constructed/two-ports").read();
    let two = |port| short(two.best_of("mlx4_0", port));
    assert_eq!((two(None), two(Some(2))), ("mlx4_0 1 3".into(), "mlx4_0 2 3".into()));
}

#[test]
fn a_device_that_verbs_cannot_open() {
    let tree = Tree::named("constructed/roce");
    assert_eq!(tree.read().iter().next().unwrap().has_character_device(), None);
    tree.put("class/infiniband_verbs/uverbs0/ibdev", "mlx5_0");
    let devices = tree.read();
    assert_eq!(devices.iter().next().unwrap().has_character_device(), Some(true));
    assert_eq!(short(devices.best()), "mlx5_0 1 3");
    // Verbs know another device alone.
    tree.put("class/infiniband_verbs/uverbs0/ibdev", "mlx5_9");
    let devices = tree.read();
    assert_eq!(devices.iter().next().unwrap().has_character_device(), Some(false));
    assert_eq!(short(devices.best()), "no-character-device");
    assert_eq!(
        devices.find([192, 0, 2, 1], None).unwrap_err().to_string(),
        "no usable GID for 192.0.2.1 on ens1: mlx5_0 has no character device in /dev/infiniband (is ib_uverbs loaded?)"
    );
}
