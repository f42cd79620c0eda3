//! Results that are looked over: many addresses of a name against many GIDs.
//!
//! The GIDs are those of a sysfs of its own. With the kernel, each destination takes a question to it; the routes are those
//! of the benchmark's network, which is loopback alone.

use criterion::Criterion;
use rdma_addrinfo::HeapResults;
use rdma_addrinfo::devices::{Checked, Devices, InterfaceAddress};
use rdma_addrinfo_benches::{Case, HINTS};
use rdma_addrinfo_core::{Error, Found, Protocol, Request, Step, start};
use std::fmt::Write as _;
use std::net::{IpAddr, Ipv4Addr};
use std::path::Path;
use std::{env, fs, process};

const PORTS: u32 = 8;
const GIDS: u32 = 2_000;

/// The address of a GID: each is on a subnet of its own.
fn own(number: u32) -> Ipv4Addr {
    Ipv4Addr::from_bits(0x0a00_0001 + (number << 8))
}

fn devices() -> Devices {
    let root = env::temp_dir().join(format!("rdma-addrinfo-findings-{}", process::id()));
    let put = |path: &str, text: &str| {
        let path = root.join(path);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        fs::write(path, text).expect("a file");
    };
    put("class/net/lo/mtu", "65536");
    for port in 0..PORTS {
        let device = format!("class/infiniband/mlx5_{port}");
        put(&format!("{device}/node_type"), "1: CA");
        put(&format!("{device}/ports/1/state"), "4: ACTIVE");
        put(&format!("{device}/ports/1/link_layer"), "Ethernet");
        for (index, number) in (0..GIDS).filter(|number| number % PORTS == port).enumerate() {
            let mut gid = String::from("0000:0000:0000:0000:0000:ffff");
            let bits = own(number).to_bits();
            write!(gid, ":{:04x}:{:04x}", bits >> 16, bits & 0xffff).expect("text");
            put(&format!("{device}/ports/1/gids/{index}"), &gid);
            put(&format!("{device}/ports/1/gid_attrs/types/{index}"), "RoCE v2");
            put(&format!("{device}/ports/1/gid_attrs/ndevs/{index}"), "lo");
        }
    }
    let addresses = (0..GIDS).map(|number| InterfaceAddress::new("lo", own(number), 24)).collect();
    let devices = Devices::read_from(Path::new(&root), addresses);
    let _ = fs::remove_dir_all(&root);
    let gids: usize = devices.iter().flat_map(|device| device.ports()).map(|port| port.gids().len()).sum();
    assert_eq!(u32::try_from(gids), Ok(GIDS));
    devices
}

/// A name of so many addresses, each in the subnet of a GID, which is its source.
fn results(addresses: u32) -> HeapResults {
    let mut results = HeapResults::new();
    let address = |number: u32, host| {
        (IpAddr::from(Ipv4Addr::from_bits(own(number % GIDS).to_bits() + host)), 0).into()
    };
    let mut asked = 0;
    let mut step = start(Request::new("many.example", "7471", &HINTS).with_routes(false), &mut results);
    let list = loop {
        step = match step {
            Step::Lookup(ask) => ask.answer(Ok::<_, Error>((0..addresses).map(|number| Found {
                address: address(number, 1 + number / GIDS),
                protocol: Protocol::Tcp,
            }))),
            Step::FindSource(ask) => {
                asked += 1;
                ask.answer(Some(address(asked - 1, 0)))
            }
            Step::FindRoute(_) | Step::FindScope(_) | Step::FindService(_) => {
                unreachable!("nothing else is asked")
            }
            Step::Done(list) => break list.expect("an answer"),
        }
    };
    assert_eq!(u32::try_from(list.len()), Ok(addresses));
    results
}

/// How many have a GID, and how many nothing is wrong with.
fn summary(checked: &[Checked]) -> (usize, usize) {
    let with_gid = checked.iter().filter(|entry| entry.port.gid().is_some()).count();
    (with_gid, checked.iter().filter(|entry| entry.may_work()).count())
}

pub(crate) fn measure(criterion: &mut Criterion) {
    let devices = devices();
    for addresses in [1_000, 10_000] {
        let inputs = [results(addresses)];
        let count: usize = addresses.try_into().expect("few");
        let right = |_: &HeapResults| (count, count);
        Case::new(criterion, &format!("findings/{addresses}"), &inputs, right)
            .engine("ours_without_kernel", |results| {
                summary(&devices.check().without_kernel().entries(results.list()))
            });
        // Nothing leads there but loopback.
        let right = |_: &HeapResults| (count, 0);
        Case::new(criterion, &format!("findings_with_kernel/{addresses}"), &inputs, right)
            .engine("ours", |results| summary(&devices.check().entries(results.list())));
    }
}
