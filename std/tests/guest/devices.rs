//! Device, port and GID of local addresses: those that the kernel's connection manager takes for the same ones.
//!
//! `picks` asks it, and `bond` lays a third cable, whose one end is below a bond.

use rdma_addrinfo::devices::{Devices, Finding, LocalGid, NoGid};
use rdma_addrinfo::{Hints, InterfaceName, Resolver};
use std::env;
use std::net::IpAddr;
use std::process::Command;

/// What the connection manager takes: device, port, GID and source; GID index and port of the queue pair, if it
/// connects.
fn picks(arguments: &[&str]) -> Vec<String> {
    let program = env::current_exe().unwrap().with_file_name("picks");
    let output = Command::new(program).args(arguments).output().unwrap();
    let (told, failed) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "picks {arguments:?}: {told} {failed}");
    told.split_whitespace().map(str::to_owned).collect()
}

/// The same, as the resolver tells it: without the zone of the source.
fn told(resolver: Resolver, node: &str, hints: &str) -> (LocalGid, IpAddr) {
    let hints = Hints::parse(hints).unwrap();
    let found = resolver.resolve(node, "7471", &hints).unwrap();
    let info = found.first().unwrap();
    let port = Devices::read().local_port(&info, None);
    let gid = port.gid().unwrap_or_else(|| panic!("{node}: {port}"));
    (gid.clone(), info.src_addr().unwrap().ip().unwrap())
}

#[track_caller]
fn same(gid: &LocalGid, source: IpAddr, picked: &[String]) {
    let [device, port, its_gid, its_source, ..] = picked else { panic!("{picked:?}") };
    assert_eq!((&gid.device, &gid.port.to_string()), (device, port), "{gid} {picked:?}");
    assert_eq!(gid.gid, its_gid.parse().unwrap(), "{gid} {picked:?}");
    let its_source = its_source.split('%').next().unwrap();
    assert_eq!(source, its_source.parse::<IpAddr>().unwrap(), "{gid} {picked:?}");
}

/// With no source said the kernel's choice is the resolver's, with one it is that. The connected queue pair has the
/// index that was told.
fn connects_with_what_was_told(rows: &[(&str, Option<&str>)]) {
    for (destination, source) in rows {
        let hints = source.map_or(String::new(), |source| format!("src={source}"));
        let (gid, from) = told(Resolver::new(), destination, &hints);
        let arguments: Vec<&str> = [*destination].into_iter().chain(*source).collect();
        let picked = picks(&arguments);
        same(&gid, from, &picked);
        assert_eq!(picked[4..], [gid.gid_index.to_string(), gid.port.to_string()], "{destination} {gid}");
    }
}

#[test]
fn a_connection_has_the_gid_that_was_told() {
    connects_with_what_was_told(&[
        ("192.0.2.2", None),
        ("192.0.2.1", None),
        ("192.0.2.2", Some("192.0.2.11")),
        ("192.0.2.11", Some("192.0.2.12")),
        ("2001:db8::2", None),
    ]);
}

#[test]
fn a_connection_by_vlan_has_the_gid_that_was_told() {
    connects_with_what_was_told(&[
        ("198.51.100.2", None),
        ("198.51.100.1", None),
        ("2001:db8:7::2", None),
        ("2001:db8:7::1", None),
    ]);
}

/// The same GID is on a link and on its VLAN.
#[test]
fn a_connection_from_a_link_local_address_has_the_gid_that_was_told() {
    connects_with_what_was_told(&[
        ("fe80::ff:fe00:b%va", None),
        ("fe80::ff:fe00:b%va.7", None),
        ("fe80::ff:fe00:a%vb", None),
        ("fe80::ff:fe00:a%vb.7", None),
    ]);
}

/// Soft-RoCE resolves over a bond, and connects nothing.
#[test]
fn a_bond_has_the_gid_that_was_told() {
    for destination in [
        "203.0.113.2",
        "203.0.113.1",
        "2001:db8:9::2",
        "2001:db8:9::1",
        "fe80::ff:fe00:d%bond1",
        "fe80::ff:fe00:c%vd",
    ] {
        let (gid, from) = told(Resolver::new(), destination, "");
        same(&gid, from, &picks(&["-n", destination]));
    }
    let (gid, _) = told(Resolver::new(), "203.0.113.2", "");
    assert_eq!((gid.device.as_str(), gid.netdev.as_deref()), ("rxe2", Some("bond1")));
}

#[test]
fn the_source_interface_leads_to_its_device() {
    for (interface, destination, source) in [
        ("vb", "192.0.2.1", "192.0.2.2"),
        ("va", "192.0.2.2", "192.0.2.1"),
        ("va.7", "198.51.100.2", "198.51.100.1"),
        ("va", "2001:db8::2", "2001:db8::1"),
        ("vb.7", "2001:db8:7::1", "2001:db8:7::2"),
    ] {
        let name: InterfaceName = interface.parse().unwrap();
        let (gid, from) = told(Resolver::new().with_source_interface(Some(name)), destination, "");
        assert_eq!((from.to_string().as_str(), gid.netdev.as_deref()), (source, Some(interface)));
        same(&gid, from, &picks(&["-n", destination, source]));
    }
    // Nobody has that address, and the kernel would send from va.
    let name = Some("vb".parse().unwrap());
    let (gid, from) = told(Resolver::new().with_source_interface(name), "192.0.2.9", "");
    assert_eq!((gid.device.as_str(), from.to_string().as_str()), ("rxe1", "192.0.2.2"));
}

#[test]
fn two_devices_on_a_subnet_are_a_warning() {
    let several = |destination: [u8; 4]| {
        let found = Resolver::new().resolve_addr((destination, 7471).into(), None).unwrap();
        let entry = Devices::read().check().entry(&found.first().unwrap());
        let sources = entry.findings.into_iter().find_map(|finding| match finding {
            Finding::SeveralSources { sources } => Some(sources),
            _ => None,
        });
        sources.unwrap_or_default()
    };
    let sources = several([192, 0, 2, 9]);
    let mut told: Vec<_> = sources.iter().map(|it| format!("{} {}", it.address, it.gid.device)).collect();
    told.sort();
    assert_eq!(told, ["192.0.2.1 rxe0", "192.0.2.11 rxe0", "192.0.2.12 rxe1", "192.0.2.2 rxe1"]);
    // Of its own address a machine has one source; on the bond's subnet there are two ends.
    assert_eq!(several([192, 0, 2, 2]), []);
}

#[test]
fn loopback_is_on_no_rdma_port() {
    let devices = Devices::read();
    assert_eq!(devices.problems(), []);
    for address in [IpAddr::from([127, 0, 0, 1]), "::1".parse().unwrap()] {
        assert_eq!(devices.find(address, None).unwrap_err().reason(), &NoGid::NotRdma);
    }
    // The first by name, of those that are routable.
    assert_eq!(
        devices.best().unwrap().to_string(),
        "rxe0 port 1 gid 1 (roce-v2, ::ffff:192.0.2.1, netdev va)"
    );
}
