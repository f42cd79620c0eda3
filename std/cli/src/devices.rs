//! The table of RDMA devices: a line a GID for people, one JSON object for programs.

use crate::human::Columns;
use crate::json;
use crate::output::Output;
use crate::print::Page;
use rdma_addrinfo::devices::{Device, Devices, GidEntry, LocalGid, Netdev, NoUsableGid, Port};
use std::env;
use std::net::{Ipv4Addr, Ipv6Addr};
use std::path::Path;

/// The table, of one device if a name is given; the exit status is 0 if there is any, 1 if not.
pub(crate) fn report(name: Option<&str>, json: bool) -> Output {
    let devices = Devices::read();
    let is_shown = |device: &Device| name.is_none_or(|name| device.name() == name);
    let status = u8::from(!devices.iter().any(is_shown));
    if json {
        return Output { out: json::devices(&devices, name), err: Page::default(), status };
    }
    let mut err = Page::default();
    if let Some(path) = nowhere() {
        err.line(format_args!("rdma-getaddrinfo: SYSFS_PATH is '{path}', which is not there"));
    }
    for problem in devices.problems() {
        err.line(format_args!("rdma-getaddrinfo: {problem}"));
    }
    match name {
        _ if devices.is_empty() => err.line("rdma-getaddrinfo: this machine has no RDMA device"),
        Some(name) if status != 0 => {
            let names: Vec<_> = devices.iter().map(Device::name).collect();
            err.line(format_args!(
                "rdma-getaddrinfo: there is no RDMA device '{name}', but {}",
                names.join(", ")
            ));
        }
        _ => {}
    }
    Output { out: text(&devices, is_shown), err, status }
}

/// What `SYSFS_PATH` names, if that is not there.
fn nowhere() -> Option<String> {
    let path = env::var_os("SYSFS_PATH").filter(|path| !path.is_empty())?;
    let path = Path::new(&path);
    (!path.exists()).then(|| path.display().to_string())
}

const COLUMNS: usize = 12;

const HEAD: [&str; COLUMNS] =
    ["", "DEVICE", "PORT", "STATE", "LINK", "RATE", "GID", "TYPE", "ADDRESS", "NETDEV", "MTU", ""];

/// Above the last column, where it is not empty.
const NOTE: &str = "NOTE";

const GAPS: [&str; COLUMNS] = [" ", "   ", "   ", "   ", "   ", "   ", "   ", "   ", "   ", "   ", "   ", ""];

fn text(devices: &Devices, is_shown: impl Fn(&Device) -> bool) -> Page {
    let mut rows = Vec::new();
    if devices.iter().any(&is_shown) {
        rows.push(HEAD.map(String::from));
    }
    let best = devices.best().ok();
    for device in devices.iter().filter(|device| is_shown(device)) {
        if device.ports().is_empty() {
            rows.push(row(devices, device, None, None, &note(devices.best_of(device.name(), None))));
        }
        for port in device.ports() {
            // In the first row of the port.
            let mut note = note(devices.best_of(device.name(), port.number()));
            if port.gids().is_empty() {
                rows.push(row(devices, device, Some(port), None, &note));
            }
            for gid in port.gids() {
                let mut row = row(devices, device, Some(port), Some(gid), &std::mem::take(&mut note));
                if best.as_ref().is_some_and(|best| is_chosen(best, device, port, gid)) {
                    row[0] = "*".into();
                }
                rows.push(row);
            }
        }
    }
    if let Some(((head, others), last)) = rows.split_first_mut().zip(COLUMNS.checked_sub(1))
        && others.iter().any(|row| !row[last].is_empty())
    {
        head[last] = NOTE.into();
    }
    let mut page = Page::default();
    Columns::new(rows, GAPS).lines().for_each(|line| page.line(line));
    page
}

/// Why there is no GID to use.
fn note(best: Result<LocalGid, NoUsableGid>) -> String {
    best.err().map_or_else(String::new, |why| why.reason().name().into())
}

/// Whether the entry is the chosen one.
fn is_chosen(chosen: &LocalGid, device: &Device, port: &Port, gid: &GidEntry) -> bool {
    chosen.device == device.name()
        && chosen.port == port.number()
        && u32::from(chosen.gid_index) == gid.index()
}

fn row(
    devices: &Devices,
    device: &Device,
    port: Option<&Port>,
    gid: Option<&GidEntry>,
    note: &str,
) -> [String; COLUMNS] {
    let of_port = |cell: &dyn Fn(&Port) -> String| port.map(cell).unwrap_or_default();
    let of_gid = |cell: &dyn Fn(&GidEntry) -> String| gid.map(cell).unwrap_or_default();
    let netdevs = port.zip(gid).map_or_else(Vec::new, |(port, gid)| devices.netdevs_of(port, gid));
    let of_netdevs = |cell: &dyn Fn(&Netdev) -> String| -> String {
        netdevs.iter().map(|netdev| cell(netdev)).collect::<Vec<_>>().join(",")
    };
    [
        " ".into(),
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
        note.into(),
    ]
}

/// The IPv4 address that is mapped into the GID.
fn ipv4(gid: &GidEntry) -> Option<Ipv4Addr> {
    Ipv6Addr::from(gid.gid()).to_ipv4_mapped()
}
