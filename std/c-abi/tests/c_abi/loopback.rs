//! No node, where loopback is not as usual: the order of addresses is that of the C library.

use super::build::{With, program};
use super::rows::feed;
use crate::common::{World, interface};
use std::fs;
use std::net::Ipv4Addr;
use std::path::Path;

/// What is wrong with loopback.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Loopback {
    Usual,
    /// As in a new network namespace: nothing can be reached.
    NeverUp,
    /// The address of IPv6 is gone, and that of IPv4 still answers.
    DownAgain,
    WithoutIpv4,
    WithoutIpv6,
    /// No descriptor is left to find it out with.
    NotAsked,
}

impl Loopback {
    fn furnish(self) {
        match self {
            Self::Usual | Self::NotAsked | Self::NeverUp => {}
            Self::DownAgain => interface::lower_loopback().unwrap(),
            Self::WithoutIpv4 => interface::add_address("lo", Ipv4Addr::UNSPECIFIED).unwrap(),
            Self::WithoutIpv6 => {
                fs::write("/proc/sys/net/ipv6/conf/lo/disable_ipv6", "1").unwrap();
            }
        }
    }
}

/// First a literal, after which there may be no descriptor.
const FIRST: &str = "first\t192.0.2.7\t7471\t0,0,0,0\t-\t-\t-\n";

/// Node, service, hints.
type Request = (&'static str, &'static str, &'static str);

/// What the active side is answered first depends on the order alone.
const ACTIVE: [Request; 6] = [
    ("NULL", "7471", "0,0,0,0"),
    ("NULL", "7471", "0,0,4,273"),
    ("*", "7471", "2,0,0,262"),
    ("NULL", "http", "0,0,0,0"),
    ("NULL", "7471", "0,2,0,0"),
    ("NULL", "7471", "0,10,0,0"),
];

/// The answer is the wildcard of IPv4 whatever the machine is like.
const PASSIVE: [Request; 2] = [("NULL", "7471", "1,0,0,0"), ("NULL", "http", "1,0,2,262")];

fn row((node, service, hints): &Request) -> String {
    format!("x\t{node}\t{service}\t{hints}\t-\t-\t-\n")
}

/// The families of each answer but the first.
fn families(told: &str) -> Vec<Vec<i32>> {
    let family = |rest: &str| rest[..rest.find(',').unwrap()].parse().unwrap();
    let of_line = |line: &str| line.split(r#""family":"#).skip(1).map(family).collect();
    told.lines().skip(1).map(of_line).collect()
}

/// What a program answers.
fn ask(program: &Path, loopback: Loopback, rows: &str, policy: &str) -> String {
    let program = program.to_str().unwrap();
    let variables = [("RDMA_ADDRINFO_POLICY", policy)];
    match loopback {
        Loopback::NeverUp => feed(Path::new("unshare"), &["-n", program], rows, &variables),
        Loopback::NotAsked => feed(Path::new(program), &["limit"], rows, &variables),
        _ => feed(Path::new(program), &[], rows, &variables),
    }
}

fn without_a_node(ours: &Path, real: &Path, loopback: Loopback, first: i32) {
    loopback.furnish();
    let is_asked = loopback != Loopback::NotAsked;
    // Without a descriptor the file of services cannot be read, which librdmacm takes for a service that is not known.
    let without_names = |rows: &[Request]| -> String {
        let rows = rows.iter().filter(|(_, service, _)| is_asked || *service != "http");
        FIRST.to_owned() + &rows.map(row).collect::<String>()
    };
    let active = without_names(&ACTIVE);
    let answered = ask(ours, loopback, &active, "librdmacm");
    assert_eq!(answered, ask(real, loopback, &active, ""), "{loopback:?}");
    let expected =
        if is_asked { &[first, first, first, first, 2, 10][..] } else { &[first, first, first, 2, 10] };
    assert_eq!(families(&answered), expected.iter().map(|it| [*it]).collect::<Vec<_>>(), "{loopback:?}");

    let passive = without_names(&PASSIVE);
    let answered = families(&ask(ours, loopback, &passive, "librdmacm"));
    let expected = if is_asked { &[[2], [2]][..] } else { &[[2]] };
    assert_eq!(answered, expected, "{loopback:?}");
    // Where 127.0.0.1 cannot be reached, librdmacm has the other wildcard first.
    let reached = matches!(loopback, Loopback::Usual | Loopback::DownAgain | Loopback::WithoutIpv6);
    assert_eq!(answered == families(&ask(real, loopback, &passive, "")), reached, "{loopback:?}");

    // By the manual page an address without a source comes behind one that has one; sources must be asked for.
    let all = families(&ask(ours, loopback, &active, "man-page"));
    let expected: &[i32] = match loopback {
        Loopback::NotAsked => &[],
        Loopback::DownAgain | Loopback::WithoutIpv6 => &[2, 10],
        _ => &[10, 2],
    };
    assert_eq!(all[0], expected, "{loopback:?}");
}

macro_rules! tests {
    ($($name:ident: $loopback:ident, $first:literal;)+) => {
        $(
            #[test]
            fn $name() {
                let [Some(ours), Some(real)] =
                    [With::Ours, With::Real].map(|with| program(stringify!($name), "answers", with))
                else {
                    return;
                };
                let world = World { services: "http 80/tcp\n", device: true, ..World::EMPTY };
                world.run(|| without_a_node(&ours, &real, Loopback::$loopback, $first));
            }
        )+
    };
}

tests! {
    usual: Usual, 10;
    never_up: NeverUp, 10;
    down_again: DownAgain, 2;
    without_ipv4: WithoutIpv4, 10;
    without_ipv6: WithoutIpv6, 2;
    not_asked: NotAsked, 10;
}
