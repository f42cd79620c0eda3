//! From one literal to a million of them, in memory: the time for one stays what it is.

use criterion::Criterion;
use rdma_addrinfo_benches::{Case, HINTS, random_ipv4, random_ipv6};
use rdma_addrinfo_core::{Results, resolve_literal};
use std::cell::RefCell;
use std::net::IpAddr;

const MOST: usize = 1_000_000;

pub(crate) fn measure(criterion: &mut Criterion) {
    let half = MOST / 2;
    let nodes = random_ipv4(half).into_iter().zip(random_ipv6(half)).flat_map(|(v4, v6)| [v4, v6]);
    let nodes: Vec<String> = nodes.collect();
    let results = RefCell::new(Results::<4>::new());
    for many in [1, 10, 100, 1_000, 10_000, 100_000, MOST] {
        let right = |node: &String| node.parse::<IpAddr>().ok();
        Case::new(criterion, &format!("growth/{many}"), &nodes[..many], right)
            .engine("ours", |node| {
                let mut results = results.borrow_mut();
                let list = resolve_literal(&**node, "7471", &HINTS, &mut *results).ok()?;
                list.first()?.dst_addr()?.ip()
            })
            .engine("core_net", |node| node.parse().ok());
    }
}
