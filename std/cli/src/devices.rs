//! The table of RDMA devices: a line a GID for people, one JSON object for programs.

use crate::human::{Columns, hex};
use crate::json::{self, Gid};
use crate::output::Output;
use crate::print::Page;
use rdma_addrinfo::devices::{Device, Devices, GidEntry, LocalGid, Netdev, Port};
use serde::Serialize;
use std::net::{Ipv4Addr, Ipv6Addr};

/// The table; the exit status is 0 if there are devices, 1 if there is none.
pub(crate) fn report(json: bool) -> Output {
    let devices = Devices::read();
    let status = u8::from(devices.is_empty());
    if json {
        return Output { out: Page::json(&Table::new(&devices)), err: Page::default(), status };
    }
    let mut err = Page::default();
    for problem in devices.problems() {
        err.line(format_args!("rdma-getaddrinfo: {problem}"));
    }
    if devices.is_empty() {
        err.line("rdma-getaddrinfo: this machine has no RDMA device");
    }
    Output { out: text(&devices), err, status }
}

const COLUMNS: usize = 11;

const HEAD: [&str; COLUMNS] =
    ["", "DEVICE", "PORT", "STATE", "LINK", "RATE", "GID", "TYPE", "ADDRESS", "NETDEV", "MTU"];

const GAPS: [&str; COLUMNS] = [" ", "   ", "   ", "   ", "   ", "   ", "   ", "   ", "   ", "   ", ""];

fn text(devices: &Devices) -> Page {
    let mut rows = Vec::new();
    if !devices.is_empty() {
        rows.push(HEAD.map(String::from));
    }
    let best = devices.best().ok();
    for device in devices {
        if device.ports().is_empty() {
            rows.push(row(devices, device, None, None, false));
        }
        for port in device.ports() {
            if port.gids().is_empty() {
                rows.push(row(devices, device, Some(port), None, false));
            }
            for gid in port.gids() {
                let is_best = best.as_ref().is_some_and(|best| is(best, device, port, gid));
                rows.push(row(devices, device, Some(port), Some(gid), is_best));
            }
        }
    }
    let mut page = Page::default();
    Columns::new(rows, GAPS).lines().for_each(|line| page.line(line));
    page
}

/// Whether the entry is the one that was chosen.
fn is(chosen: &LocalGid, device: &Device, port: &Port, gid: &GidEntry) -> bool {
    chosen.device == device.name()
        && chosen.port == port.number()
        && u32::from(chosen.gid_index) == gid.index()
}

fn row(
    devices: &Devices,
    device: &Device,
    port: Option<&Port>,
    gid: Option<&GidEntry>,
    is_best: bool,
) -> [String; COLUMNS] {
    let of_port = |cell: &dyn Fn(&Port) -> String| port.map(cell).unwrap_or_default();
    let of_gid = |cell: &dyn Fn(&GidEntry) -> String| gid.map(cell).unwrap_or_default();
    let netdevs = port.zip(gid).map_or_else(Vec::new, |(port, gid)| devices.netdevs_of(port, gid));
    let of_netdevs = |cell: &dyn Fn(&Netdev) -> String| -> String {
        netdevs.iter().map(|netdev| cell(netdev)).collect::<Vec<_>>().join(",")
    };
    [
        if is_best { "*" } else { " " }.into(),
        device.name().into(),
        of_port(&|port| port.number().to_string()),
        of_port(&|port| port.state().to_string()),
        of_port(&|port| port.link_layer().to_string()),
        of_port(&|port| port.rate().unwrap_or_default().into()),
        of_gid(&|gid| gid.index().to_string()),
        of_gid(&|gid| gid.gid_type().to_string()),
        of_gid(&|gid| ipv4(gid).map_or_else(|| gid.gid().to_string(), |ipv4| ipv4.to_string())),
        of_netdevs(&|netdev| netdev.name().into()),
        of_netdevs(&|netdev| netdev.mtu().map_or_else(|| "?".into(), |mtu| mtu.to_string())),
    ]
}

/// The IPv4 address that is mapped into the GID.
fn ipv4(gid: &GidEntry) -> Option<Ipv4Addr> {
    Ipv6Addr::from(gid.gid()).to_ipv4_mapped()
}

#[derive(Serialize)]
struct Table<'a> {
    devices: Vec<OneDevice<'a>>,
    /// The GID to use where no address says which; null if there is none.
    best: Option<Gid>,
    /// What could not be read.
    problems: Vec<String>,
}

#[derive(Serialize)]
struct OneDevice<'a> {
    device: &'a str,
    node_type: Option<String>,
    node_guid: Option<&'a str>,
    ports: Vec<OnePort<'a>>,
}

#[derive(Serialize)]
struct OnePort<'a> {
    port: u8,
    state: String,
    link_layer: &'static str,
    rate: Option<&'a str>,
    lid: Option<u16>,
    gid_table_length: u32,
    gids: Vec<OneGid<'a>>,
}

#[derive(Serialize)]
struct OneGid<'a> {
    gid_index: u32,
    gid: String,
    gid_type: &'static str,
    /// The IPv4 address that is mapped into the GID.
    ipv4: Option<String>,
    netdevs: Vec<OneNetdev<'a>>,
}

#[derive(Serialize)]
struct OneNetdev<'a> {
    netdev: &'a str,
    mtu: Option<u32>,
    /// In hex.
    hardware_address: Option<String>,
}

impl<'a> Table<'a> {
    fn new(devices: &'a Devices) -> Self {
        Self {
            devices: devices.iter().map(|device| one_device(devices, device)).collect(),
            best: devices.best().ok().map(|best| json::gid(&best)),
            problems: devices.problems().iter().map(ToString::to_string).collect(),
        }
    }
}

fn one_device<'a>(devices: &'a Devices, device: &'a Device) -> OneDevice<'a> {
    OneDevice {
        device: device.name(),
        node_type: device.node_type().map(|node_type| node_type.to_string()),
        node_guid: device.node_guid(),
        ports: device.ports().iter().map(|port| one_port(devices, port)).collect(),
    }
}

fn one_port<'a>(devices: &'a Devices, port: &'a Port) -> OnePort<'a> {
    OnePort {
        port: port.number(),
        state: port.state().to_string(),
        link_layer: port.link_layer().name(),
        rate: port.rate(),
        lid: port.lid(),
        gid_table_length: port.gid_table_length(),
        gids: port.gids().iter().map(|gid| one_gid(devices, port, gid)).collect(),
    }
}

fn one_gid<'a>(devices: &'a Devices, port: &Port, gid: &'a GidEntry) -> OneGid<'a> {
    let netdevs = devices.netdevs_of(port, gid).into_iter().map(|netdev| OneNetdev {
        netdev: netdev.name(),
        mtu: netdev.mtu(),
        hardware_address: netdev.hardware_address().map(hex),
    });
    OneGid {
        gid_index: gid.index(),
        gid: gid.gid().to_string(),
        gid_type: gid.gid_type().name(),
        ipv4: ipv4(gid).map(|ipv4| ipv4.to_string()),
        netdevs: netdevs.collect(),
    }
}
