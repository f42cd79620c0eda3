//! Routes and sources, as the kernel chooses them, in a network of the test's own.

use crate::common::refused::without_family;
use crate::common::{World, random::Random, seed, skipped};
use rdma_addrinfo::{
    ErrorKind, Hints, InterfaceName, KernelRoute, NoKernelRoute, Reason, Resolver, RouteKind, RouteQuery,
    forget_kept,
};
use std::fmt::Write as _;
use std::io::Write as _;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, UdpSocket};
use std::process::{Command, Stdio};
use std::{env, fs, thread, time::Duration};

/// Runs ip(8) with a command a line, first those that are not for IPv6 alone. False if one of them failed.
pub(super) fn ip(commands: &str) -> bool {
    let lines = || commands.lines().map(str::trim).filter(|line| !line.is_empty());
    let v4: Vec<_> = lines().filter(|line| !line.starts_with("-6")).collect();
    let v6: Vec<_> = lines().filter_map(|line| line.strip_prefix("-6 ")).collect();
    let run = |version: &str, lines: &[&str]| {
        let arguments = [version, "-force", "-batch", "-"];
        let mut child = Command::new("ip").args(arguments).stdin(Stdio::piped()).spawn().unwrap();
        child.stdin.take().unwrap().write_all(lines.join("\n").as_bytes()).unwrap();
        child.wait().unwrap().success()
    };
    run("-4", &v4) & run("-6", &v6)
}

/// Why interfaces cannot be made.
const NO_VETH: &str = "ip(8) makes no virtual Ethernet: apt-get install iproute2, and a kernel with veth";

/// Two pairs of interfaces that are up: `va` and `vb`, `vc` and `vd`. False where the kernel has none of that kind.
pub(super) fn two_pairs(test: &str) -> bool {
    if !ip("link add va type veth peer name vb\nlink add vc type veth peer name vd\n") {
        skipped(test, NO_VETH);
        return false;
    }
    assert!(ip("link set va up\nlink set vb up\nlink set vc up\nlink set vd up\n"));
    // Their link-local addresses are tentative for a while.
    for _ in 0..100 {
        if !output("-6 addr show tentative").contains("inet6") {
            return true;
        }
        thread::sleep(Duration::from_millis(100));
    }
    panic!("{}", output("addr"));
}

/// What ip(8) prints.
fn output(arguments: &str) -> String {
    let output = Command::new("ip").args(arguments.split(' ')).output().unwrap();
    String::from_utf8(output.stdout).unwrap()
}

fn index(name: &str) -> u32 {
    name.parse::<InterfaceName>().unwrap().index().unwrap().unwrap_or_else(|| panic!("no {name}"))
}

fn lookup(query: RouteQuery) -> Result<KernelRoute, NoKernelRoute> {
    query.lookup(None)
}

fn address(text: &str) -> IpAddr {
    text.parse().unwrap()
}

/// The entry by a source interface.
fn by(interface: &str, node: &str) -> String {
    let resolver = Resolver::new().with_source_interface(Some(interface.parse().unwrap()));
    match resolver.resolve(node, 7471, None) {
        Ok(found) => found.first().unwrap().to_string(),
        Err(error) => error.to_string(),
    }
}

#[test]
fn what_the_kernel_says_is_told() {
    World::EMPTY.run(|| {
        if !two_pairs("what_the_kernel_says_is_told") {
            return;
        }
        assert!(ip("addr add 192.0.2.1/24 dev va
            addr add 198.51.100.1/24 dev vc
            -6 addr add 2001:db8::1/64 dev va nodad
            route add 203.0.113.0/26 via 192.0.2.9 mtu 1400
            route add unreachable 203.0.113.64/26
            route add prohibit 203.0.113.128/26
            route add blackhole 203.0.113.192/26
            -6 route add unreachable 2001:db8:1::/48
            -6 route add prohibit 2001:db8:2::/48
            -6 route add blackhole 2001:db8:3::/48
            -6 route add 2001:db8:4::/48 via 2001:db8::9\n"));
        assert!(ip("route add 10.9.0.0/16 via inet6 2001:db8::9\n"));
        let (va, vc) = (index("va"), index("vc"));
        let to = |text: &str| RouteQuery::new(address(text));
        let known = |query: RouteQuery| {
            let route = lookup(query).unwrap();
            let shown =
                |address: Option<IpAddr>| address.map_or("-".to_owned(), |address| address.to_string());
            let KernelRoute { interface, source, gateway, kind, mtu, is_assumed, .. } = route;
            (interface, shown(source), shown(gateway), kind, mtu, is_assumed)
        };
        let unicast = |interface, source: &str, gateway: &str, mtu, is_assumed| {
            (interface, source.to_owned(), gateway.to_owned(), RouteKind::Unicast, mtu, is_assumed)
        };
        assert_eq!(known(to("192.0.2.7")), unicast(va, "192.0.2.1", "-", None, false));
        assert_eq!(known(to("203.0.113.7")), unicast(va, "192.0.2.1", "192.0.2.9", Some(1400), false));
        assert_eq!(known(to("10.9.0.1")), unicast(va, "192.0.2.1", "2001:db8::9", None, false));
        assert_eq!(known(to("2001:db8:4::7")), unicast(va, "2001:db8::1", "2001:db8::9", None, false));
        let local = known(to("192.0.2.1"));
        assert_eq!((local.1.as_str(), local.3), ("192.0.2.1", RouteKind::Local));
        assert_eq!(known(to("192.0.2.255")).3, RouteKind::Broadcast);
        assert_eq!(known(to("ff02::1").with_interface(va)).3, RouteKind::Multicast);
        // By an interface without a route every IPv4 destination is on the link.
        assert_eq!(known(to("203.0.113.7").with_interface(vc)), unicast(vc, "198.51.100.1", "-", None, true));
        assert_eq!(
            known(to("203.0.113.7").with_interface(va)),
            unicast(va, "192.0.2.1", "192.0.2.9", Some(1400), false)
        );
        // Also from the address of another interface.
        let from = to("203.0.113.7").with_source(address("192.0.2.1")).with_interface(vc);
        assert_eq!(known(from), unicast(vc, "192.0.2.1", "-", None, true));
        for (text, why) in [
            ("203.0.113.65", NoKernelRoute::Unreachable),
            ("203.0.113.129", NoKernelRoute::Prohibited),
            ("203.0.113.193", NoKernelRoute::Blackhole),
            ("2001:db8:1::7", NoKernelRoute::Unreachable),
            ("2001:db8:2::7", NoKernelRoute::Prohibited),
            ("2001:db8:3::7", NoKernelRoute::Blackhole),
            ("9.9.9.9", NoKernelRoute::NoRoute),
            ("2001:db9::7", NoKernelRoute::NoRoute),
        ] {
            assert_eq!(lookup(to(text)), Err(why), "{text}");
            assert!(lookup(to(text).with_source(address("192.0.2.1"))).is_err(), "{text}");
        }
        for (from, dst) in [("192.0.2.2", "203.0.113.7"), ("2001:db8::2", "2001:db8:4::7")] {
            let query = to(dst).with_source(address(from));
            assert_eq!(lookup(query), Err(NoKernelRoute::SourceNotLocal), "{from}");
            assert_eq!(lookup(query.with_interface(va)), Err(NoKernelRoute::SourceNotLocal), "{from}");
        }
        assert_eq!(lookup(to("192.0.2.7").with_interface(999)), Err(NoKernelRoute::NoInterface));
        // Many times by many threads: the answers are each one's own.
        thread::scope(|scope| {
            for thread in 0..16_u8 {
                scope.spawn(move || {
                    for round in 0..200_u8 {
                        let last = 1 + (thread ^ round) % 60;
                        let route = lookup(RouteQuery::new(Ipv4Addr::new(203, 0, 113, last))).unwrap();
                        assert_eq!(route.gateway, Some(address("192.0.2.9")));
                        let none = RouteQuery::new(Ipv4Addr::new(203, 0, 113, 128 + last));
                        assert_eq!(lookup(none), Err(NoKernelRoute::Prohibited));
                    }
                });
            }
        });
    });
}

#[test]
fn the_kernel_chooses_among_the_addresses_of_an_interface() {
    World::EMPTY.run(|| {
        if !two_pairs("the_kernel_chooses_among_the_addresses_of_an_interface") {
            return;
        }
        // Addresses stay tentative: the kernel looks for duplicates for ever.
        fs::write("/proc/sys/net/ipv6/conf/va/dad_transmits", "100000").unwrap();
        assert!(ip("-6 addr add 2001:db8::7e/64 dev va
            -6 addr add 2001:db8::10/64 dev va nodad
            -6 addr add 2001:db8:1::1/64 dev va nodad valid_lft forever preferred_lft 0
            -6 addr add 2001:db8:1::2/64 dev va nodad
            -6 addr add fd00:1::1/64 dev va nodad
            -6 route add fd00:9::/64 via 2001:db8::9 dev va
            -6 route add 2001:db8:9::/48 via 2001:db8::9 dev va
            addr add 10.0.0.1/8 dev va
            addr add 10.1.0.1/16 dev va
            addr add 192.0.2.1/24 dev va
            addr add 192.0.2.9/24 dev va
            route add 203.0.113.0/24 via 192.0.2.7 src 192.0.2.9
            addr add 198.51.100.1/24 dev vc
            route add 203.0.114.0/24 via 192.0.2.7 src 198.51.100.1\n"));
        for (node, entry) in [
            ("2001:db8::7", "inet6 rc/tcp 2001:db8::10 -> [2001:db8::7]:7471"),
            ("2001:db8:1::7", "inet6 rc/tcp 2001:db8:1::2 -> [2001:db8:1::7]:7471"),
            ("fd00:9::7", "inet6 rc/tcp fd00:1::1 -> [fd00:9::7]:7471"),
            ("10.1.0.7", "inet rc/tcp 10.1.0.1 -> 10.1.0.7:7471"),
            ("10.2.0.7", "inet rc/tcp 10.0.0.1 -> 10.2.0.7:7471"),
            ("203.0.113.7", "inet rc/tcp 192.0.2.9 -> 203.0.113.7:7471"),
            ("192.0.2.7", "inet rc/tcp 192.0.2.1 -> 192.0.2.7:7471"),
        ] {
            assert_eq!(by("va", node), entry);
        }
        // The address of another interface is none of this one, whatever the route says.
        assert!(by("va", "203.0.114.7").contains("has no address of a destination's family and scope"));
        assert!(by("vb", "2001:db8::7").contains("has no address of a destination's family and scope"));
    });
}

#[test]
fn a_sandbox_without_netlink_is_asked_by_a_bound_socket() {
    World::EMPTY.run(|| {
        if !two_pairs("a_sandbox_without_netlink_is_asked_by_a_bound_socket") {
            return;
        }
        assert!(ip("addr add 192.0.2.1/24 dev va
            addr add 192.0.2.9/24 dev va
            route add 203.0.113.0/24 via 192.0.2.7 src 192.0.2.9
            -6 addr add 2001:db8::1/64 dev va nodad\n"));
        let scope = index("va");
        without_family(libc::AF_NETLINK, libc::EAFNOSUPPORT, || {
            let not_asked = RouteQuery::new(address("192.0.2.7")).lookup(None);
            assert_eq!(not_asked, Err(NoKernelRoute::NotAsked(libc::EAFNOSUPPORT)));
            assert_eq!(by("va", "203.0.113.7"), "inet rc/tcp 192.0.2.9 -> 203.0.113.7:7471");
            assert_eq!(by("va", "2001:db8::7"), "inet6 rc/tcp 2001:db8::1 -> [2001:db8::7]:7471");
            assert!(by("vb", "2001:db8::7").contains("has no address of a destination's family and scope"));
            assert!(by("va", "fe80::7").ends_with(&format!("%{scope} -> [fe80::7%{scope}]:7471")));
        });
    });
}

#[test]
fn every_name_of_an_interface_is_one() {
    World::EMPTY.run(|| {
        if !two_pairs("every_name_of_an_interface_is_one") {
            return;
        }
        let long = "x".repeat(127);
        assert!(ip(&format!(
            "addr add 192.0.2.1/24 dev va
            link property add dev va altname enp51s0f0v0 altname {long}
            link property add dev va altname an-alternative-name\n"
        )));
        let scope = index("va");
        for name in ["va", "enp51s0f0v0", "an-alternative-name", &long] {
            assert_eq!(index(name), scope, "{name}");
            assert_eq!(by(name, "192.0.2.7"), "inet rc/tcp 192.0.2.1 -> 192.0.2.7:7471", "{name}");
            let found =
                Resolver::new().with_source(false).resolve(format!("fe80::7%{name}").as_str(), 7471, None);
            let entry = found.unwrap().first().unwrap().to_string();
            assert_eq!(entry, format!("inet6 rc/tcp * -> [fe80::7%{scope}]:7471"));
        }
        let error = Resolver::new().resolve("fe80::7%an-alternative-name-2", 7471, None).unwrap_err();
        assert_eq!((error.kind(), error.reason()), (ErrorKind::NoName, Reason::NoSuchZone));
    });
}

#[test]
fn a_zone_of_digits_is_the_name_of_an_interface_first() {
    World::EMPTY.run(|| {
        if !ip("link add 77 type veth peer name 9\n") {
            return skipped("a_zone_of_digits_is_the_name_of_an_interface_first", NO_VETH);
        }
        let scope = |zone: &str| {
            let resolver = Resolver::new().with_source(false).with_routes(false);
            let node = format!("fe80::7%{zone}");
            let found = resolver.resolve(node.as_str(), 7471, None).unwrap();
            found.first().unwrap().dst_addr().unwrap().scope_id()
        };
        assert_eq!(scope("77"), index("77").into());
        assert_eq!(scope("9"), index("9").into());
        assert_eq!(scope("1"), 1);
        assert_eq!(scope("4000000000"), 4_000_000_000);
    });
}

#[test]
fn the_zone_of_the_source_interface_is_the_destinations() {
    World::EMPTY.run(|| {
        if !two_pairs("the_zone_of_the_source_interface_is_the_destinations") {
            return;
        }
        let (va, vc) = (index("va"), index("vc"));
        let resolver = |name: &str| Resolver::new().with_source_interface(Some(name.parse().unwrap()));
        for (node, name, scope) in
            [("fe80::7", "va", va), ("fe80::7", "vc", vc), ("fe80::7%vc", "vc", vc), ("ff02::1", "va", va)]
        {
            let found = resolver(name).resolve(node, 7471, None).unwrap();
            let info = found.first().unwrap();
            let (src, dst) = (info.src_addr().unwrap(), info.dst_addr().unwrap());
            assert_eq!((src.scope_id(), dst.scope_id()), (scope.into(), scope.into()), "{node} by {name}");
            assert!(!info.needs_scope());
        }
        let error = resolver("va").resolve("fe80::7%vc", 7471, None).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::AddrFamily, "{error}");
        let hints = Hints::parse(&format!("src=fe80::2%{va}")).unwrap();
        let error = Resolver::new().resolve("fe80::7%vc", 7471, &hints).unwrap_err();
        assert_eq!((error.kind(), error.reason()), (ErrorKind::Invalid, Reason::ContraryZones), "{error}");
    });
}

#[test]
fn families_that_cannot_be_used_come_last() {
    World { hosts: "2001:db8::7 both\n192.0.2.7 both\n", ..World::EMPTY }.run(|| {
        if !two_pairs("families_that_cannot_be_used_come_last") {
            return;
        }
        assert!(ip("addr add 192.0.2.1/24 dev va\n-6 addr add 2001:db8::1/64 dev va nodad\n"));
        let families = |node: Option<&str>, hints: &Hints<'_>| {
            let found = Resolver::new().resolve(node, 7471, hints).unwrap();
            found.iter().map(|info| info.family().to_string()).collect::<Vec<_>>()
        };
        let none = Hints::new();
        assert_eq!(families(None, &none), ["inet6", "inet"]);
        assert_eq!(families(Some("both"), &none), ["inet6", "inet"]);
        without_family(libc::AF_INET6, libc::EAFNOSUPPORT, || {
            // Sockets and threads from before the sandbox.
            forget_kept();
            assert_eq!(families(None, &none), ["inet", "inet6"]);
            assert_eq!(families(Some("both"), &none), ["inet", "inet6"]);
        });
        for interface in ["all", "default", "lo"] {
            fs::write(format!("/proc/sys/net/ipv6/conf/{interface}/disable_ipv6"), "1").unwrap();
        }
        assert_eq!(families(None, &none), ["inet", "inet6"]);
        assert_eq!(families(Some("both"), &none), ["inet", "inet6"]);
        // The wildcard stays as it is: a server asks for what it wants.
        assert_eq!(families(None, &Hints::new().passive()), ["inet6", "inet"]);
    });
}

#[test]
fn mapped_addresses_of_both_sides_are_ipv4() {
    World { hosts: "::ffff:127.0.0.7 mapped\n", ..World::EMPTY }.run(|| {
        let hints = Hints::parse("src=::ffff:127.0.0.1").unwrap();
        for node in ["::ffff:127.0.0.7", "127.0.0.7", "mapped"] {
            let found = Resolver::new().resolve(node, 7471, &hints).unwrap();
            assert_eq!(
                found.first().unwrap().to_string(),
                "inet rc/tcp 127.0.0.1 -> 127.0.0.7:7471",
                "{node}"
            );
        }
    });
}

#[test]
fn no_source_of_names_is_reported() {
    World { names: "", ..World::EMPTY }.run(|| {
        let error = Resolver::new().resolve("storage-7", 7471, None).unwrap_err();
        assert_eq!(error.reason(), Reason::NoNameSource, "{error}");
        assert!(error.to_string().contains("nsswitch.conf(5) names no source for 'hosts'"), "{error}");
    });
}

/// The source by a new UDP socket, which is what the resolver asks by.
fn by_socket(destination: IpAddr) -> Option<IpAddr> {
    let any: IpAddr =
        if destination.is_ipv4() { Ipv4Addr::UNSPECIFIED.into() } else { Ipv6Addr::UNSPECIFIED.into() };
    let socket = UdpSocket::bind((any, 0)).unwrap();
    socket.connect((destination, 9)).ok()?;
    Some(socket.local_addr().unwrap().ip())
}

/// Takes back what [`random_table`] makes.
const CLEAR: &str = "addr flush dev va
    addr flush dev vc
    rule flush
    rule add pref 32766 table main
    rule add pref 0 table local
    route flush table 100
    route flush table main
    -6 addr flush dev va
    -6 addr flush dev vc
    -6 rule flush
    -6 rule add pref 32766 table main
    -6 rule add pref 0 table local
    -6 route flush table 100
    -6 route flush table main";

/// A random table: addresses, routes of several tables, rules.
fn random_table(random: &mut Random) -> String {
    let mut commands = String::new();
    let mut own = Vec::new();
    for dev in ["va", "vc"] {
        for _ in 0..1 + random.below(3) {
            let (a, b, length) = (random.below(4), 1 + random.below(6), [8, 16, 24, 32][random.below(4)]);
            own.push((dev, format!("10.{a}.0.{b}"), format!("fd00:{a}::{b}")));
            writeln!(commands, "addr add 10.{a}.0.{b}/{length} dev {dev}").unwrap();
            let lifetime = if random.below(4) == 0 { " valid_lft forever preferred_lft 0" } else { "" };
            writeln!(commands, "-6 addr add fd00:{a}::{b}/{} dev {dev} nodad{lifetime}", 32 + length)
                .unwrap();
        }
    }
    for _ in 0..random.below(8) {
        let (dev, v4, v6) = &own[random.below(own.len())];
        let (a, b) = (random.below(4), random.below(8));
        let table = ["main", "main", "100"][random.below(3)];
        let kind = ["unreachable", "prohibit", "blackhole"].get(random.below(9));
        let (v4_net, v6_net) = (format!("10.{a}.{b}.0/24"), format!("fd00:{a}:{b}::/48"));
        match kind {
            Some(kind) => {
                writeln!(commands, "route add {kind} {v4_net} table {table}").unwrap();
                writeln!(commands, "-6 route add {kind} {v6_net} table {table}").unwrap();
            }
            None => {
                let src = random.below(2) == 0;
                let [src4, src6] =
                    [v4, v6].map(|own| if src { format!(" src {own}") } else { String::new() });
                let scope = ["", " scope link", " onlink via 10.9.9.9"][random.below(3)];
                writeln!(commands, "route add {v4_net} dev {dev}{scope} table {table}{src4}").unwrap();
                writeln!(commands, "-6 route add {v6_net} dev {dev} table {table}{src6}").unwrap();
            }
        }
    }
    for _ in 0..random.below(4) {
        let (dev, v4, v6) = &own[random.below(own.len())];
        let (a, pref) = (random.below(4), 100 + random.below(50));
        let (by4, by6) = match random.below(4) {
            0 => (format!("to 10.{a}.0.0/16"), format!("to fd00:{a}::/32")),
            1 => (format!("from {v4}"), format!("from {v6}")),
            2 => (format!("oif {dev}"), format!("oif {dev}")),
            _ => ("fwmark 7".to_owned(), "fwmark 7".to_owned()),
        };
        let what = ["table 100", "table 100", "unreachable", "prohibit", "blackhole"][random.below(5)];
        writeln!(commands, "rule add pref {pref} {by4} {what}\n-6 rule add pref {pref} {by6} {what}")
            .unwrap();
    }
    commands
}

/// What ip(8) says, which asks the same kernel by its own messages: interface, source and router, or that there is none.
fn by_ip(query: &str) -> Option<String> {
    let line = output(&format!("-o route get {query}"));
    let words: Vec<_> = line.split_whitespace().collect();
    let after = |word: &str| words.iter().position(|it| *it == word).and_then(|at| words.get(at + 1));
    let dev = after("dev")?;
    // `src` is the source that would be chosen, `from` the one that was asked for.
    let source = after("src").or_else(|| after("from").filter(|from| **from != "::"));
    Some(format!("{dev} {source:?} {:?}", after("via").filter(|via| **via != "inet6")))
}

#[test]
fn random_tables_are_read_as_ip_and_the_socket_read_them() {
    World::EMPTY.run_within(Duration::from_secs(1200), || {
        if !two_pairs("random_tables_are_read_as_ip_and_the_socket_read_them") {
            return;
        }
        let tables = env::var("RDMA_ADDRINFO_TEST_TABLES").map_or(12, |tables| tables.parse().unwrap());
        let seed = seed();
        let mut random = Random::new(seed);
        let [va, vc, lo] = ["va", "vc", "lo"].map(index);
        let name = |index: u32| {
            if index == va {
                "va"
            } else if index == vc {
                "vc"
            } else {
                "lo"
            }
        };
        let (mut asked, mut found) = (0, 0);
        for table in 0..tables {
            ip(CLEAR);
            // Some commands contradict each other, and fail.
            let commands = random_table(&mut random);
            ip(&commands);
            for _ in 0..24 {
                let (a, b, c) = (random.below(5), random.below(9), 1 + random.below(7));
                let text = if random.below(2) == 0 {
                    format!("10.{a}.{b}.{c}")
                } else {
                    format!("fd00:{a}:{b}::{c}")
                };
                let destination = address(&text);
                let dev = [None, None, Some(("va", va)), Some(("vc", vc)), Some(("lo", lo))][random.below(5)];
                let query = RouteQuery::new(destination).with_interface(dev.map(|(_, index)| index));
                let ours = lookup(query);
                let theirs =
                    by_ip(&format!("{text}{}", dev.map_or(String::new(), |(dev, _)| format!(" oif {dev}"))));
                let shown = ours.as_ref().ok().map(|route| {
                    let [source, gateway] =
                        [route.source, route.gateway].map(|it| it.map(|it| it.to_string()));
                    format!(
                        "{} {:?} {:?}",
                        name(route.interface),
                        source.as_deref().as_ref(),
                        gateway.as_deref().as_ref()
                    )
                });
                let about = || format!("table {table}: {text} by {dev:?}: {ours:?}\n{commands}\nseed {seed}");
                assert_eq!(shown, theirs, "{}", about());
                asked += 1;
                found += usize::from(shown.is_some());
                if dev.is_some() {
                    continue;
                }
                // Without an interface the connected socket, by which the resolver asks, finds the same; but it looks the
                // route up again with the source that it found, and for IPv6 also if it found no route without one.
                let socket = by_socket(destination);
                let chosen = ours.ok().and_then(|route| route.source);
                let with = |source: IpAddr| Some(source).filter(|it| lookup(query.with_source(*it)).is_ok());
                let expected = match (chosen, socket) {
                    (Some(chosen), _) if destination.is_ipv4() => with(chosen),
                    (Some(chosen), _) => Some(chosen),
                    (None, Some(socket)) if destination.is_ipv6() => with(socket),
                    (None, _) => None,
                };
                assert_eq!(socket, expected, "table {table}: {text}\n{commands}\nseed {seed}");
                let resolved = Resolver::new().resolve(text.as_str(), 7471, None).unwrap();
                let source = resolved.first().unwrap().src_addr().and_then(|source| source.ip());
                assert_eq!(source, socket, "table {table}: {text}\n{commands}\nseed {seed}");
            }
        }
        // Neither all nor none of them lead anywhere.
        assert!(found * 10 > asked && found * 10 < asked * 9, "{found} of {asked}");
    });
}
