//! Routing tables drawn at random: what is told of source, device, port and GID is what the kernel's connection manager
//! takes, and where it finds no way, that is said before.

use crate::common::random::Random;
use rdma_addrinfo::devices::{Checked, Devices, Finding};
use rdma_addrinfo::{Hints, NoKernelRoute, Resolver};
use std::env;
use std::fmt::Write as _;
use std::io::Write as _;
use std::net::IpAddr;
use std::process::{Command, Stdio};

/// What the connection manager takes: device, port, GID and source; `None` if it finds no way.
fn picks(destination: &str, source: Option<&str>) -> Option<Vec<String>> {
    let program = env::current_exe().unwrap().with_file_name("picks");
    let output = Command::new(program).args(["-n", destination]).args(source).output().unwrap();
    let told = String::from_utf8_lossy(&output.stdout);
    output.status.success().then(|| told.split_whitespace().map(str::to_owned).collect())
}

/// Runs ip(8) with a command a line; what fails is left out.
fn ip(version: &str, commands: &str) {
    let program =
        ["/usr/sbin/ip", "/usr/bin/ip"].into_iter().find(|path| std::path::Path::new(path).exists());
    let mut child = Command::new(program.unwrap())
        .args([version, "-force", "-batch", "-"])
        .stdin(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(commands.as_bytes()).unwrap();
    child.wait().unwrap();
}

fn checked(node: &str, source: Option<&str>) -> Checked {
    let hints = source.map_or(Hints::new(), |source| Hints::parse(&format!("src={source}")).unwrap());
    let found = Resolver::new().resolve(node, 7471, &hints).unwrap();
    let devices = Devices::read();
    devices.check().with_given_source(true).entry(&found.first().unwrap())
}

/// The source that the resolver tells, and the device, port and GID.
fn told(node: &str, source: Option<&str>, checked: &Checked) -> Option<Vec<String>> {
    let hints = source.map_or(Hints::new(), |source| Hints::parse(&format!("src={source}")).unwrap());
    let found = Resolver::new().resolve(node, 7471, &hints).unwrap();
    let source = found.first().unwrap().src_addr()?.ip()?;
    let gid = checked.port.gid()?;
    Some(vec![gid.device.clone(), gid.port.to_string(), gid.gid.to_string(), source.to_string()])
}

const SOURCES: [&str; 6] =
    ["192.0.2.1", "192.0.2.11", "198.51.100.1", "192.0.2.2", "192.0.2.12", "198.51.100.2"];

/// The interface of a source, and the other end of its cable, which is the router.
fn link(source: &str) -> (&'static str, &'static str) {
    match source {
        "192.0.2.1" | "192.0.2.11" => ("va", "192.0.2.77"),
        "192.0.2.2" | "192.0.2.12" => ("vb", "192.0.2.78"),
        "198.51.100.1" => ("va.7", "198.51.100.77"),
        _ => ("vb.7", "198.51.100.78"),
    }
}

#[test]
fn a_route_drawn_at_random_leads_where_the_connection_manager_goes() {
    // The routers are never asked who they are.
    let mut neighbours = String::new();
    for source in SOURCES {
        let (dev, router) = link(source);
        writeln!(neighbours, "neigh replace {router} lladdr 02:00:00:00:00:77 dev {dev} nud permanent")
            .unwrap();
    }
    ip("-4", &neighbours);
    let mut random = Random::new(0x726f_7574);
    let (mut ways, mut none) = (0, 0);
    for table in 0..6 {
        let (mut commands, mut undo) = (String::new(), String::new());
        for net in 0..6 {
            let source = random.pick(&SOURCES);
            let (dev, router) = link(source);
            let network = format!("10.{table}.{net}.0/24");
            let kind = random.pick(&["unreachable", "prohibit", "blackhole", "way", "way", "way", "way"]);
            let src = if random.one_in(2) { format!(" src {source}") } else { String::new() };
            match kind {
                "way" => {
                    writeln!(commands, "route add {network} via {router} dev {dev} onlink{src}").unwrap()
                }
                kind => writeln!(commands, "route add {kind} {network}").unwrap(),
            }
            writeln!(undo, "route del {network}").unwrap();
        }
        ip("-4", &commands);
        for net in 0..7 {
            let node = format!("10.{table}.{net}.9");
            let checked = checked(&node, None);
            let picked = picks(&node, None);
            let about = format!("{node}: {checked:?}\n{commands}");
            match &picked {
                Some(picked) => {
                    ways += 1;
                    assert_eq!(told(&node, None, &checked).as_ref(), Some(picked), "{about}");
                    assert!(checked.may_work(), "{about}");
                }
                None => {
                    none += 1;
                    let is_no_route = |finding: &Finding| matches!(finding, Finding::NoRoute { .. });
                    assert!(checked.findings.iter().any(is_no_route), "{about}");
                }
            }
        }
        ip("-4", &undo);
    }
    // Neither all nor none.
    assert!(ways >= 10 && none >= 6, "{ways} {none}");
}

/// The same address is on two netdevs: the connection manager goes by the address alone, and where that is another netdev
/// than the route's, it is said that the address cannot tell.
#[test]
fn an_address_on_two_netdevs_is_told() {
    ip("-4", "address add 10.77.0.77/32 dev va\naddress add 10.77.0.77/24 dev va.7\n");
    ip("-4", "neigh replace 10.77.0.9 lladdr 02:00:00:00:00:77 dev va.7 nud permanent\n");
    let checked = checked("10.77.0.9", Some("10.77.0.77"));
    let picked = picks("10.77.0.9", Some("10.77.0.77"));
    ip("-4", "address del 10.77.0.77/32 dev va\naddress del 10.77.0.77/24 dev va.7\n");
    assert_eq!(checked.netdev.as_deref(), Some("va.7"), "{checked:?}");
    assert_eq!(checked.port.gid().unwrap().netdev.as_deref(), Some("va.7"), "{checked:?}");
    let several = |finding: &Finding| matches!(finding, Finding::SeveralInterfaces { .. });
    assert!(checked.findings.iter().any(several), "{checked:?}");
    // Both have the same GID on the same device and port; the connection manager finds one of them.
    let picked = picked.unwrap();
    assert_eq!(picked[..3], ["rxe0", "1", "::ffff:10.77.0.77"], "{picked:?}");
}

/// Rules that select by what only a connection has: the question carries user 0 and no protocol, as the connection
/// manager's does. The socket of the resolver is of a user, and speaks UDP.
#[test]
fn rules_by_protocol_and_port_are_not_the_connection_managers() {
    let node = "10.9.9.9";
    ip("-4", "route add 10.9.9.0/24 via 192.0.2.77 dev va onlink\n");
    ip("-4", "neigh replace 192.0.2.77 lladdr 02:00:00:00:00:77 dev va nud permanent\n");
    let mut seen = Vec::new();
    for rule in ["ipproto udp", "ipproto tcp", "dport 7471", "uidrange 0-0", "uidrange 1000-1000"] {
        ip("-4", &format!("rule add pref 5 to 10.9.9.0/24 {rule} prohibit\n"));
        let checked = checked(node, None);
        let prohibited = checked
            .findings
            .iter()
            .any(|finding| matches!(finding, Finding::NoRoute { why: NoKernelRoute::Prohibited, .. }));
        let found = Resolver::new().resolve(node, 7471, None).unwrap();
        let source: Option<IpAddr> = found.first().unwrap().src_addr().and_then(|source| source.ip());
        seen.push((rule, picks(node, None).is_some(), !prohibited, source.is_some()));
        ip("-4", "rule del pref 5\n");
    }
    ip("-4", "route del 10.9.9.0/24\n");
    for (rule, picked, ours, _) in &seen {
        assert_eq!(picked, ours, "{rule}: {seen:?}");
    }
    // The documented difference: a source is asked for by UDP.
    assert_eq!(seen[0], ("ipproto udp", true, true, false), "{seen:?}");
    assert_eq!(seen[3], ("uidrange 0-0", false, false, false), "{seen:?}");
}
