//! What the devices tell of results.

use super::driver::Trace;
use super::resolved::Resolved;
use crate::devices::{Devices, LocalPort, Port};
use rdma_addrinfo_core::AddrInfo;
use std::net::IpAddr;

/// Adds device, port and GID of each entry's local address to the results. `no_source` is whether nobody said from
/// where to send.
pub(super) fn tell(found: Resolved, no_source: bool, mut trace: Trace<'_>) -> Resolved {
    let devices = trace.step(|| "RDMA devices of this machine".into(), Devices::read, summary);
    let mut local_ports: Vec<LocalPort> = Vec::new();
    let mut destinations: Vec<(IpAddr, u64)> = Vec::new();
    for info in &found {
        let port = match info.src_addr() {
            None => LocalPort::NoAddress,
            Some(address) => trace.step(
                || format!("device of {address}"),
                || devices.local_port(&info),
                |port| port.to_string(),
            ),
        };
        local_ports.push(port);
        if let Some(destination) = destination(&info).filter(|_| no_source)
            && !destinations.contains(&destination)
        {
            destinations.push(destination);
        }
    }
    let warnings = devices.warnings(&destinations);
    found.with_devices(local_ports, warnings)
}

/// The IP address and zone to connect to.
fn destination(info: &AddrInfo<'_>) -> Option<(IpAddr, u64)> {
    let destination = info.dst_addr().filter(|_| !info.is_passive())?;
    Some((destination.ip()?, destination.scope_id()))
}

fn summary(devices: &Devices) -> String {
    let ports = || devices.iter().flat_map(|device| device.ports());
    let gids: usize = ports().map(|port: &Port| port.gids().len()).sum();
    let mut text = format!("{} devices, {} ports, {gids} GIDs", devices.len(), ports().count());
    for problem in devices.problems() {
        text.push_str("; ");
        text.push_str(&problem.to_string());
    }
    text
}
