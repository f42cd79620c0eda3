//! Properties of the choice, on random tables.

use super::table::{Device, GidEntry, Netdev, Port};
use super::words::{GidType, LinkLayer, NodeType, PortState};
use super::{Devices, InterfaceAddress, LocalGid, NoUsableGid};
use crate::common::random::Random;
use rdma_addrinfo_core::Gid;
use std::hash::{BuildHasher, RandomState};
use std::net::IpAddr;

fn shuffle<T>(random: &mut Random, values: &mut [T]) {
    for at in (1..values.len()).rev() {
        values.swap(at, random.below(at + 1));
    }
}

const ADDRESSES: &[&str] = &["192.0.2.1", "169.254.1.1", "2001:db8::1", "fe80::1", "fd00::1", "127.0.0.1"];
const NETDEVS: &[&str] = &["va", "va.5", "bond0", "elsewhere"];
const NODE_TYPES: &[Option<NodeType>] = &[Some(NodeType::CA), Some(NodeType::CA), Some(NodeType::RNIC), None];
const STATES: &[PortState] = &[PortState::ACTIVE, PortState::DOWN, PortState::INIT];
const LINK_LAYERS: &[LinkLayer] =
    &[LinkLayer::Ethernet, LinkLayer::Ethernet, LinkLayer::InfiniBand, LinkLayer::Unknown];
const TYPES: &[GidType] = &[GidType::RoceV1, GidType::RoceV2, GidType::RoceV2, GidType::Ib, GidType::Unknown];

fn gid(random: &mut Random) -> Gid {
    // Sometimes one that is made of a hardware address.
    match random.below(6) {
        0 => Gid::from_octets([2, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]),
        1 => "fe80::c0:1".parse().unwrap(),
        _ => match random.pick(ADDRESSES).parse().unwrap() {
            IpAddr::V4(v4) => v4.to_ipv6_mapped().into(),
            IpAddr::V6(v6) => v6.into(),
        },
    }
}

fn port(random: &mut Random, number: u8, node_type: Option<NodeType>) -> Port {
    let link_layer = random.pick(LINK_LAYERS);
    let mut gids = Vec::new();
    for index in (0..12).chain([255, 256]) {
        if random.below(3) > 0 {
            let netdev = (random.below(3) > 0).then(|| random.pick(NETDEVS).into());
            gids.push(GidEntry { index, gid: gid(random), gid_type: random.pick(TYPES), netdev });
        }
    }
    Port {
        number,
        state: Some(random.pick(STATES)),
        link_layer,
        rate: None,
        lid: None,
        is_roce: link_layer == LinkLayer::Ethernet && matches!(node_type, None | Some(NodeType::CA)),
        gid_table_length: 257,
        gids,
    }
}

fn devices(random: &mut Random) -> Devices {
    let mut devices = Devices::default();
    for name in ["mlx5_0", "mlx5_2", "mlx5_10", "rxe0"] {
        if random.below(3) > 0 {
            let node_type = random.pick(NODE_TYPES);
            let ports = (1..=2).map(|number| port(random, number, node_type)).collect();
            devices.devices.push(Device {
                name: name.into(),
                node_type,
                node_guid: None,
                has_character_device: None,
                ports,
            });
        }
    }
    for name in NETDEVS {
        let is_ipoib = random.below(3) == 0;
        let hardware_address = match is_ipoib {
            true => [&[0, 0, 0, 1, 0xfe, 0x80][..], &[0; 11], &[0xc0, 0, 1]].concat(),
            false => vec![2, 0, 0, 0, 0, 1],
        };
        devices.netdevs.push(Netdev {
            name: (*name).into(),
            mtu: None,
            hardware_address: Some(hardware_address),
            is_ipoib,
            pkey: None,
            is_here: *name != "elsewhere",
        });
        for address in ADDRESSES.iter().filter(|_| random.below(3) == 0) {
            let address: IpAddr = address.parse().unwrap();
            devices.addresses.push(InterfaceAddress::new(*name, address, 24));
        }
    }
    devices
}

fn shuffled(devices: &Devices, random: &mut Random) -> Devices {
    let mut shuffled = devices.clone();
    for port in shuffled.devices.iter_mut().flat_map(|device| &mut device.ports) {
        shuffle(random, &mut port.gids);
    }
    for device in &mut shuffled.devices {
        shuffle(random, &mut device.ports);
    }
    shuffle(random, &mut shuffled.devices);
    shuffle(random, &mut shuffled.netdevs);
    shuffled
}

/// The result of every search.
fn answers(devices: &Devices) -> Vec<Result<LocalGid, NoUsableGid>> {
    let mut answers = vec![devices.best()];
    for netdev in NETDEVS.iter().copied().map(Some).chain([None]) {
        for address in ADDRESSES {
            let address: IpAddr = address.parse().unwrap();
            answers.push(devices.find(address, netdev));
            if let IpAddr::V6(v6) = address {
                answers.push(devices.find_gid(v6.into(), netdev));
            }
        }
    }
    answers
}

fn tables() -> impl Iterator<Item = (Devices, Random)> {
    let seed = RandomState::new().hash_one(0);
    (0..if cfg!(miri) { 3 } else { 500 }).map(move |number| {
        let mut random = Random::new(seed.wrapping_add(number));
        (devices(&mut random), random)
    })
}

#[test]
fn the_order_of_the_table_changes_no_choice() {
    let mut kinds = [0, 0];
    for (devices, mut random) in tables() {
        let expected = answers(&devices);
        for answer in &expected {
            kinds[usize::from(answer.is_ok())] += 1;
        }
        for _ in 0..4 {
            let shuffled = shuffled(&devices, &mut random);
            assert_eq!(answers(&shuffled), expected, "{devices:#?}\n{shuffled:#?}");
        }
    }
    // Neither is rare.
    assert!(cfg!(miri) || kinds.iter().all(|kind| *kind > 1000), "{kinds:?}");
}

/// No other GID is better in the first rank in which they differ: written from the documented table, not the code's tuple.
#[test]
fn no_other_gid_of_the_address_is_better() {
    for (devices, _) in tables() {
        for address in ADDRESSES {
            let address: IpAddr = address.parse().unwrap();
            let gid: Gid = match address {
                IpAddr::V4(v4) => v4.to_ipv6_mapped().into(),
                IpAddr::V6(v6) => v6.into(),
            };
            for netdev in ["va", "va.5", "bond0"] {
                let on_roce = |port: &&Port| port.is_roce;
                let mut usable = Vec::new();
                for device in &devices.devices {
                    for port in device.ports.iter().filter(on_roce) {
                        for entry in port.gids.iter().filter(|entry| entry.gid == gid && entry.index < 256) {
                            let there = entry.netdev().filter(|name| *name != "elsewhere");
                            if there.is_none_or(|name| name == netdev) && entry.gid_type != GidType::Unknown {
                                usable.push((device, port, entry, there.is_some()));
                            }
                        }
                    }
                }
                let Ok(chosen) = devices.find(address, Some(netdev)) else {
                    assert_eq!(usable.len(), 0, "{address} {netdev} {devices:#?}");
                    continue;
                };
                // Found by its hardware address: another rule.
                let device = devices.devices.iter().find(|device| device.name == chosen.device).unwrap();
                if !device.ports.iter().any(|port| port.number == chosen.port && port.is_roce) {
                    continue;
                }
                let own = chosen.netdev.as_deref() == Some(netdev);
                for (device, port, entry, there) in usable {
                    let context = format!("{address} {netdev}: {chosen}, not {} {entry:?}", device.name);
                    assert!(own || !there, "another is on the own netdev: {context}");
                    if own != there {
                        continue;
                    }
                    let active = |state| state == PortState::ACTIVE;
                    let (chosen_active, other_active) = (active(chosen.state), active(port.state()));
                    assert!(chosen_active || !other_active, "another port is active: {context}");
                    if chosen_active == other_active {
                        let chosen_v1 = chosen.gid_type == GidType::RoceV1;
                        assert!(!chosen_v1 || entry.gid_type == GidType::RoceV1, "another is v2: {context}");
                    }
                }
            }
        }
    }
}

/// Each rank decides only if all ranks above are equal.
#[test]
fn ranks_of_the_best() {
    let entry = |index, address: &str, gid_type, netdev: Option<&str>| GidEntry {
        index,
        gid: match address.parse().unwrap() {
            IpAddr::V4(v4) => v4.to_ipv6_mapped().into(),
            IpAddr::V6(v6) => v6.into(),
        },
        gid_type,
        netdev: netdev.map(str::to_owned),
    };
    let port = |number, state, gids| Port {
        number,
        state: Some(state),
        link_layer: LinkLayer::Ethernet,
        rate: None,
        lid: None,
        is_roce: true,
        gid_table_length: 256,
        gids,
    };
    use GidType::{RoceV1, RoceV2};
    let (up, down) = (PortState::ACTIVE, PortState::DOWN);
    // Each is better than all below it.
    let ranked = [
        (2, up, entry(8, "192.0.2.1", RoceV2, Some("va"))),
        (2, up, entry(0, "169.254.1.1", RoceV2, Some("va"))),
        (2, up, entry(1, "fe80::1", RoceV2, Some("va"))),
        (2, up, entry(2, "10.0.0.1", RoceV1, Some("va"))),
        (1, down, entry(9, "192.0.2.1", RoceV2, Some("va"))),
        (3, down, entry(0, "fe80::2", RoceV2, Some("va"))),
        (2, up, entry(3, "fd00::1", RoceV2, None)),
        (2, up, entry(4, "febf::1", RoceV2, Some("elsewhere"))),
        (2, up, entry(5, "::1", RoceV2, None)),
        (2, up, entry(6, "127.0.0.1", RoceV2, None)),
        (2, up, entry(7, "2001:db8::2", RoceV1, None)),
        (3, down, entry(1, "2001:db8::1", RoceV2, None)),
    ];
    for from in 0..ranked.len() {
        let mut devices = Devices::default();
        let ports = [(1, down), (2, up), (3, down)].map(|(number, state)| {
            let gids = ranked[from..].iter().filter(|(port, ..)| *port == number);
            port(number, state, gids.map(|(.., entry)| entry.clone()).collect())
        });
        devices.devices.push(Device {
            name: "mlx5_0".into(),
            node_type: Some(NodeType::CA),
            node_guid: None,
            has_character_device: None,
            ports: ports.into(),
        });
        devices.netdevs = ["va", "elsewhere"]
            .map(|name| Netdev {
                name: name.into(),
                mtu: None,
                hardware_address: None,
                is_ipoib: false,
                pkey: None,
                is_here: name == "va",
            })
            .into();
        let best = devices.best().unwrap();
        let (number, _, entry) = &ranked[from];
        assert_eq!((best.port, u32::from(best.gid_index)), (*number, entry.index), "{best}");
    }
}

/// The index finds the netdevs that a look at all of them finds.
#[test]
fn the_index_finds_the_netdevs_of_an_entry() {
    for (devices, _) in tables() {
        let index = super::index::Index::new(&devices);
        for row in index.rows() {
            assert_eq!(index.netdevs_of(row.port, row.entry), devices.netdevs_of(row.port, row.entry));
        }
    }
}
