//! What is found about results before they are used: the routes are those of interfaces of the test's own, which play the
//! netdevs of RoCE in a sysfs of its own.

use super::routes::{ip, two_pairs};
use crate::common::refused::without_family;
use crate::common::{World, sysfs};
use crate::sysfs::Tree;
use rdma_addrinfo::devices::{Checked, Devices, Finding};
use rdma_addrinfo::{Flags, Hints, InterfaceName, NoKernelRoute, Resolver};
use std::net::IpAddr;
use std::time::Instant;

/// A port with these GIDs: each an IPv4 address, and its netdev.
fn device(name: &str, gids: &[(u32, &str, &str)]) -> String {
    let mut tree = format!(
        "class/infiniband/{name}/node_type\t1: CA\nclass/infiniband/{name}/ports/1/state\t4: ACTIVE\n\
         class/infiniband/{name}/ports/1/link_layer\tEthernet\n"
    );
    let port = format!("class/infiniband/{name}/ports/1");
    for (index, address, netdev) in gids {
        let bits = address.parse::<std::net::Ipv4Addr>().unwrap().to_bits();
        let gid = format!("0000:0000:0000:0000:0000:ffff:{:04x}:{:04x}", bits >> 16, bits & 0xffff);
        tree += &format!("{port}/gids/{index}\t{gid}\n{port}/gid_attrs/types/{index}\tRoCE v2\n");
        tree += &format!("{port}/gid_attrs/ndevs/{index}\t{netdev}\n");
    }
    tree
}

/// A sysfs with these devices, and the netdevs of the test.
fn furnish(devices: &[String]) -> Tree {
    let netdevs = ["va", "vb", "vc", "vd"].map(|name| format!("class/net/{name}/mtu\t1500\n"));
    Tree::at(sysfs(), &[devices.concat(), netdevs.concat()].concat())
}

fn hints(src: &str) -> Hints<'static> {
    if src.is_empty() { Hints::new() } else { Hints::parse(&format!("src={src}")).unwrap() }
}

/// What is found about the first entry.
fn checked(node: &str, hints: &Hints<'_>) -> Checked {
    let found = Resolver::new().resolve(node, 7471, hints).unwrap();
    Devices::read().check().entry(&found.first().unwrap())
}

/// The kinds of the findings.
fn kinds(checked: &Checked) -> Vec<&'static str> {
    checked.findings.iter().map(Finding::name).collect()
}

fn address(text: &str) -> IpAddr {
    text.parse().unwrap()
}

#[test]
fn the_netdev_of_the_route_goes_to_the_choice_of_gid() {
    World::EMPTY.run(|| {
        if !two_pairs("the_netdev_of_the_route_goes_to_the_choice_of_gid") {
            return;
        }
        assert!(ip("addr add 192.0.2.1/32 dev va\naddr add 192.0.2.1/24 dev vc\n"));
        let _tree = furnish(&[device("rxe0", &[(5, "192.0.2.1", "va"), (7, "192.0.2.1", "vc")])]);
        let found = checked("192.0.2.7", &Hints::new());
        assert_eq!(found.netdev.as_deref(), Some("vc"));
        assert_eq!(found.port.gid().unwrap().gid_index, 7);
        // The connection manager goes by the address, which is on both.
        let [Finding::SeveralInterfaces { netdevs, .. }] = &found.findings[..] else { panic!("{found:?}") };
        assert_eq!(netdevs, &["va", "vc"]);
        assert!(found.may_work());
        // Without a route the first by index.
        let found = Resolver::new().resolve("192.0.2.7", 7471, None).unwrap();
        let devices = Devices::read();
        assert_eq!(devices.local_port(&found.first().unwrap(), None).gid().unwrap().gid_index, 5);
        // To itself, where packets go by loopback.
        let own = checked("192.0.2.1", &Hints::new());
        assert_eq!((own.netdev.as_deref(), own.port.gid().unwrap().gid_index), (Some("lo"), 5));
    });
}

#[test]
fn a_netdev_is_known_by_each_of_its_names() {
    World::EMPTY.run(|| {
        if !two_pairs("a_netdev_is_known_by_each_of_its_names") {
            return;
        }
        assert!(ip("addr add 192.0.2.1/24 dev va\nlink property add dev va altname an-alternative-name\n"));
        let _tree = furnish(&[device("rxe0", &[(5, "192.0.2.1", "va")])]);
        let devices = Devices::read();
        for name in ["va", "an-alternative-name"] {
            assert_eq!(devices.find(address("192.0.2.1"), Some(name)).unwrap().gid_index, 5, "{name}");
        }
        let error = devices.find(address("192.0.2.1"), Some("no-such-name")).unwrap_err();
        assert_eq!(error.reason().name(), "other-netdev");
    });
}

#[test]
fn what_will_fail_is_said() {
    World::EMPTY.run(|| {
        if !two_pairs("what_will_fail_is_said") {
            return;
        }
        assert!(ip("addr add 192.0.2.1/24 dev va
            addr add 198.51.100.1/24 dev vc
            -6 addr add 2001:db8::1/64 dev va nodad
            route add unreachable 203.0.113.64/26
            route add prohibit 203.0.113.128/26
            route add blackhole 203.0.113.192/26\n"));
        let gids = [(1, "192.0.2.1", "va"), (2, "198.51.100.1", "vc")];
        let _tree = furnish(&[device("rxe0", &gids)]);
        // Nothing is wrong, and nothing is said.
        assert_eq!(checked("192.0.2.7", &Hints::new()).findings, []);
        assert_eq!(checked("192.0.2.7", &hints("192.0.2.1")).findings, []);
        for (node, why) in [
            ("203.0.113.65", NoKernelRoute::Unreachable),
            ("203.0.113.129", NoKernelRoute::Prohibited),
            ("203.0.113.193", NoKernelRoute::Blackhole),
            ("9.9.9.9", NoKernelRoute::NoRoute),
        ] {
            let found = checked(node, &Hints::new());
            let expected = Finding::NoRoute { destination: address(node), source: None, why };
            assert_eq!((&found.findings[..], found.may_work()), (&[expected][..], false), "{node}");
        }
        // The source is another host's, or leaves by the other interface.
        let found = checked("192.0.2.7", &hints("192.0.2.99"));
        let [Finding::NotLocal { address: source }, Finding::NotRdma { .. }] = &found.findings[..] else {
            panic!("{found:?}")
        };
        assert_eq!((*source, found.may_work()), (address("192.0.2.99"), false));
        let found = checked("192.0.2.7", &hints("198.51.100.1"));
        let expected = Finding::OtherInterface {
            destination: address("192.0.2.7"),
            source: address("198.51.100.1"),
            netdev: "va".into(),
            own: vec!["vc".into()],
        };
        assert_eq!((&found.findings[..], found.may_work()), (&[expected][..], true));
        assert_eq!(
            found.findings[0].to_string(),
            "the route to 192.0.2.7 leaves by va, and 198.51.100.1 is on vc"
        );
        assert_eq!(found.findings[0].command().unwrap(), "ip route get 192.0.2.7 from 198.51.100.1");
        // By an interface without a route it is taken to be on the link.
        let resolver = Resolver::new().with_source_interface(Some("vc".parse().unwrap()));
        let by_interface = resolver.resolve("192.0.2.7", 7471, None).unwrap();
        let index = "vc".parse::<InterfaceName>().unwrap().index().unwrap();
        let devices = Devices::read();
        let found = devices.check().with_interface(index).entry(&by_interface.first().unwrap());
        assert_eq!(kinds(&found), ["assumed-on-link", "other-interface"]);
        // Another address here is on an RDMA port and reaches it.
        let found = checked("2001:db8::7", &Hints::new());
        let [Finding::NotRdma { why, others }] = &found.findings[..] else { panic!("{found:?}") };
        assert_eq!((why.reason().name(), others.len()), ("not-rdma", 0));
        let found = checked("198.51.100.7", &hints("127.0.0.1"));
        let Some(Finding::NotRdma { others, .. }) = found.findings.last() else { panic!("{found:?}") };
        let told: Vec<_> = others.iter().map(|it| (it.address, it.netdev.as_str())).collect();
        assert_eq!(told, [(address("198.51.100.1"), "vc")]);
    });
}

#[test]
fn the_passive_side_is_looked_over() {
    World::EMPTY.run(|| {
        if !two_pairs("the_passive_side_is_looked_over") {
            return;
        }
        assert!(ip("addr add 192.0.2.1/24 dev va\n"));
        let _tree = furnish(&[device("rxe0", &[(1, "192.0.2.1", "va")])]);
        let passive = Hints::new().with_flags(Flags::PASSIVE);
        assert_eq!(checked("192.0.2.1", &passive).findings, []);
        assert_eq!(kinds(&checked("192.0.2.9", &passive)), ["not-local", "not-rdma"]);
        assert_eq!(kinds(&checked("fe80::1", &passive))[0], "no-zone");
        // The wildcard is on every port.
        let all = Resolver::new().resolve(None, 7471, &passive).unwrap();
        for entry in Devices::read().check().entries(all.list()) {
            assert_eq!(entry.findings, []);
        }
    });
}

#[test]
fn several_ports_on_a_subnet_are_a_warning_where_the_port_may_be_wrong() {
    World::EMPTY.run(|| {
        if !two_pairs("several_ports_on_a_subnet_are_a_warning_where_the_port_may_be_wrong") {
            return;
        }
        assert!(ip("addr add 192.0.2.1/24 dev va\naddr add 192.0.2.2/24 dev vc\n"));
        let (one, two) = ((1, "192.0.2.1", "va"), (2, "192.0.2.2", "vc"));
        let tree = furnish(&[device("rxe0", &[one]), device("rxe1", &[two])]);
        let found = checked("192.0.2.7", &Hints::new());
        let [Finding::SeveralSources { sources }] = &found.findings[..] else { panic!("{found:?}") };
        let told: Vec<_> = sources.iter().map(|it| (it.address, it.gid.device.as_str())).collect();
        assert_eq!(told, [(address("192.0.2.1"), "rxe0"), (address("192.0.2.2"), "rxe1")]);
        // Where the source was chosen, for itself, and elsewhere.
        let found = Resolver::new().resolve("192.0.2.7", 7471, None).unwrap();
        let devices = Devices::read();
        let given = devices.check().with_given_source(true).entry(&found.first().unwrap());
        assert_eq!(given.findings, []);
        assert_eq!(checked("192.0.2.2", &Hints::new()).findings, []);
        drop(tree);
        // Two addresses of one port are none.
        let _tree = furnish(&[device("rxe0", &[one, two])]);
        assert_eq!(checked("192.0.2.7", &Hints::new()).findings, []);
    });
}

#[test]
fn two_devices_on_a_netdev_are_a_tie() {
    World::EMPTY.run(|| {
        if !two_pairs("two_devices_on_a_netdev_are_a_tie") {
            return;
        }
        assert!(ip("addr add 192.0.2.1/24 dev va\n"));
        let gids = [(1, "192.0.2.1", "va")];
        let _tree = furnish(&[device("rxe0", &gids), device("siw0", &gids)]);
        let found = checked("192.0.2.7", &Hints::new());
        let [Finding::Tie { chosen, others }] = &found.findings[..] else { panic!("{found:?}") };
        assert_eq!((chosen.to_string(), others.len()), ("rxe0 port 1".into(), 1));
        assert_eq!(others[0].to_string(), "siw0 port 1");
        assert_eq!(Devices::read().best().unwrap().ties, *others);
    });
}

#[test]
fn a_name_of_this_host_on_loopback() {
    World::EMPTY.run(|| {
        let own = rustix::system::uname().nodename().to_str().unwrap().to_owned();
        let found = Resolver::new().resolve("127.0.1.1", 7471, None).unwrap();
        let devices = Devices::read();
        let kinds = |node: &str| {
            let entry = devices.check().with_node(node).entry(&found.first().unwrap());
            entry.findings.iter().map(Finding::name).collect::<Vec<_>>()
        };
        assert_eq!(kinds(&own), ["not-rdma", "own-name"]);
        assert_eq!(kinds(&format!("{}.example.org", own.to_ascii_uppercase())), ["not-rdma", "own-name"]);
        for other in ["localhost", "storage-7", "127.0.1.1", ""] {
            assert_eq!(kinds(other), ["not-rdma"], "{other}");
        }
    });
}

#[test]
fn the_deadline_holds_and_a_sandbox_is_told() {
    World::EMPTY.run(|| {
        let found = Resolver::new().resolve("127.0.0.1", 7471, None).unwrap();
        let devices = Devices::read();
        let late = devices.check().with_deadline(Instant::now()).entries(found.list());
        assert_eq!(late.len(), 1);
        assert_eq!(late[0].findings, [Finding::TimedOut]);
        without_family(libc::AF_NETLINK, libc::EPERM, || {
            let found = devices.check().entry(&found.first().unwrap());
            let why = NoKernelRoute::NotAsked(libc::EPERM);
            assert_eq!(found.findings[0], Finding::RouteNotAsked { why });
        });
    });
}
