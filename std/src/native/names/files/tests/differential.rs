//! The index against getaddrinfo(3) itself, in worlds with files drawn at random.
//!
//! The C library reads some of its configuration once a process: each configuration has a process of its own, which is
//! this program again.

use crate::common::{World, seed};
use crate::native::names::files::{self, hosts};
use crate::native::names::{Answer, Query, Source, getaddrinfo};
use rdma_addrinfo_core::{Error, Found, Protocol};
use std::env;
use std::ffi::{CStr, CString};
use std::fmt::Write;
use std::fs;
use std::path::Path;
use std::process::Command;
use std::thread;
use std::time::Duration;

/// Set in a process that is to ask: its seed.
const ASK: &str = "RDMA_ADDRINFO_TEST_ASK";

/// May be set: how many questions to ask.
const QUESTIONS: &str = "RDMA_ADDRINFO_TEST_NAMES";

/// How many are asked about a configuration.
const EACH: usize = 50;

/// Longer than a change of a file counts as recent.
const SETTLED: Duration = Duration::from_millis(60);

#[test]
fn the_index_answers_as_getaddrinfo_does() {
    // In the world of the one that started it.
    if let Ok(seed) = env::var(ASK) {
        return ask_all(seed.parse().unwrap());
    }
    World::EMPTY.run_within(Duration::from_secs(3600), || {
        let questions = env::var(QUESTIONS).map_or(2000, |all| all.parse().unwrap());
        let mut counts = Counts::default();
        for round in 0..questions / EACH as u64 {
            let seed = seed().wrapping_add(round.wrapping_mul(0x9e37_79b9_7f4a_7c15));
            let mut draw = Draw(seed | 1);
            furnish(&mut draw);
            thread::sleep(SETTLED);
            connect(&mut draw);
            let this = env::current_exe().unwrap();
            let name = thread::current().name().unwrap().to_owned();
            let mut child = Command::new(this);
            child.args(["--exact", &name, "--nocapture", "--test-threads=1"]).env(ASK, seed.to_string());
            if let Some(multi) =
                draw.one(&[None, None, None, None, None, None, Some("on"), Some("off"), Some("x")])
            {
                child.env("RESOLV_MULTI", multi);
            }
            let output = child.output().unwrap();
            let told = String::from_utf8_lossy(&output.stdout);
            assert!(output.status.success(), "{told}\n{}", String::from_utf8_lossy(&output.stderr));
            let line = told.lines().find_map(|line| line.split_once("counts: ")).expect("counts").1;
            let numbers: Vec<u64> = line.split(' ').map(|number| number.parse().unwrap()).collect();
            counts.add(&numbers);
        }
        crate::common::say(&format!("{counts:?}"));
        assert!(counts.answered * 10 >= counts.in_file * 8, "{counts:?}");
        // Some 200 of 2,000 are: many configurations are left to the C library.
        assert!(counts.in_file * 20 > questions, "{counts:?}");
    });
}

#[derive(Default, Debug)]
struct Counts {
    /// Questions for a name in the file, with a configuration that the index accepts.
    in_file: u64,
    /// Those of them that it answered.
    answered: u64,
    /// All that it answered.
    all_answered: u64,
}

impl Counts {
    fn add(&mut self, numbers: &[u64]) {
        let &[in_file, answered, all_answered] = numbers else { panic!("{numbers:?}") };
        self.in_file += in_file;
        self.answered += answered;
        self.all_answered += all_answered;
    }
}

/// What the process of one configuration does.
fn ask_all(seed: u64) {
    let mut draw = Draw(seed.rotate_left(17) | 1);
    let text = fs::read("/etc/hosts").unwrap_or_default();
    // A file with a line that is odd is not indexed.
    let Some(table) = hosts::index(text, || true) else { return println!("counts: 0 0 0") };
    let mut counts = Counts::default();
    for _ in 0..EACH {
        let node = draw.chance(30).then(|| draw.name());
        let node = if draw.chance(2) { None } else { Some(node.unwrap_or_else(|| draw.known(&table))) };
        let node = node.map(|node| CString::new(node.replace('\0', "")).unwrap());
        let service = draw.one(&SERVICES_ASKED).map(|service| CString::new(service).unwrap());
        let query = Query {
            node: node.as_deref(),
            service: service.as_deref(),
            family: draw.one(&[0, 0, libc::AF_INET, libc::AF_INET6]),
            protocol: draw.one(&[Protocol::Any, Protocol::Tcp, Protocol::Udp]),
            passive: draw.chance(30),
            canonical: draw.chance(50),
            names: Source::Index,
        };
        let by_index = files::lookup(&query, None);
        if let Some(answer) = &by_index {
            let right = getaddrinfo::call(&query).map(Into::into);
            assert!(
                right.as_ref() == Ok(answer),
                "{query:?}: {answer:?}, not {:?}: seed {seed}: {}",
                addresses(&right),
                configuration()
            );
            counts.all_answered += 1;
        }
        let accepted = files::config()
            .is_some_and(|config| config.hosts && config.multi.is_some() && config.services.has);
        if accepted && is_in(&table, &query) {
            counts.in_file += 1;
            counts.answered += u64::from(by_index.is_some());
        }
    }
    println!("counts: {} {} {}", counts.in_file, counts.answered, counts.all_answered);
}

/// Whether the file has an address of the name, and the service is one that it has, written as one writes it.
fn is_in(table: &files::Table, query: &Query<&CStr>) -> bool {
    let Some(node) = query.node.and_then(files::plain_name) else { return false };
    let wanted = match query.family {
        0 => hosts::Wanted::Both,
        libc::AF_INET => hosts::Wanted::V4,
        _ => hosts::Wanted::V6,
    };
    let is_odd =
        query.service.is_some_and(|service| matches!(service.to_bytes(), b"odd" | b"65536" | b"five"));
    let has_service = || getaddrinfo::call(&Query { node: None, family: libc::AF_INET, ..*query }).is_ok();
    let has_service = query.service.is_none() || !is_odd && has_service();
    has_service && hosts::find(table, node, wanted).next().is_some()
}

fn addresses(answer: &Result<Answer, Error>) -> Vec<Found> {
    answer.iter().flat_map(Answer::addresses).collect()
}

fn configuration() -> String {
    let listed = Command::new("sh").args(["-c", "ip addr; ip route; ip -6 route"]).output().unwrap();
    let mut all = String::from_utf8_lossy(&listed.stdout).into_owned();
    for file in ["hosts", "services", "nsswitch.conf", "host.conf", "gai.conf"] {
        let text = fs::read(Path::new("/etc").join(file)).unwrap_or_default();
        let _ = write!(all, "\n--- {file}\n{}", text.escape_ascii());
    }
    let _ = write!(all, "\nRESOLV_MULTI={:?}", env::var_os("RESOLV_MULTI"));
    all
}

const SERVICES_ASKED: [Option<&str>; 14] = [
    None,
    Some("7471"),
    Some("0"),
    Some("65535"),
    Some("both"),
    Some("both"),
    Some("onlytcp"),
    Some("onlyudp"),
    Some("five"),
    Some("alias"),
    Some("odd"),
    Some("65536"),
    Some("nowhere"),
    Some("1x"),
];

const SERVICE_LINES: [&str; 14] = [
    "both 1000/tcp\nboth 1001/udp",
    "both 2000/tcp alias # x",
    "both 2001/udp alias",
    "onlytcp 3000/tcp",
    "onlyudp\t3001/udp alias",
    "five 5/tcp\nfive 6/udp\nfive 7/dccp\nfive 8/udplite\nfive 9/sctp",
    "odd 0x10/tcp",
    "odd 70000/tcp",
    "odd 5//tcp",
    "odd 5 /tcp",
    "Both 9/tcp",
    "#both 7/tcp",
    "\t both 77/tcp\r",
    "five +5/udp x",
];

/// Makes interfaces with addresses and routes.
fn connect(draw: &mut Draw) {
    let mut script =
        String::from("ip link del d0; ip link del t0; ip addr flush dev lo; ip link set lo up\n");
    script += "ip addr add 127.0.0.1/8 dev lo; ip addr add ::1/128 dev lo\n";
    for device in ["d0", "lo"] {
        if draw.chance(40) {
            continue;
        }
        // Kernels without one sort of device may have the other.
        let _ = writeln!(
            script,
            "ip link add {device} type dummy || ip link add {device} type veth peer name {device}p; ip link set {device}p up; ip link set {device} up"
        );
        for _ in 0..draw.below(4) {
            let address = draw.one(&[
                "192.0.2.7/24",
                "192.0.2.130/25",
                "192.0.2.9/32",
                "10.0.0.1/8",
                "2001:db8::77/64",
                "2001:db8::2/32",
                "fd00::1/8",
                "2002::1/16",
                "192.0.2.66/26 preferred_lft 0",
                "2001:db8::3/64 preferred_lft 0",
                "169.254.1.1/16",
                "fec0::1/64",
            ]);
            let _ = writeln!(script, "ip addr add {address} dev {device} nodad");
        }
        if draw.chance(30) {
            let _ =
                writeln!(script, "ip route add default dev {device}; ip -6 route add default dev {device}");
        }
    }
    if draw.chance(15) {
        script += "ip tunnel add t0 mode ipip local 127.0.0.1 remote 127.0.0.2 && ip link set t0 up && ip addr add 192.0.2.200/29 dev t0\n";
    }
    if draw.chance(20) {
        script += "ip route add unreachable 192.0.2.0/28; ip -6 route add prohibit 2001:db8::/121\n";
    }
    // Some of it fails, which is as random as the rest.
    Command::new("sh").args(["-c", &script]).output().unwrap();
}

/// Writes the files of a configuration.
fn furnish(draw: &mut Draw) {
    let write = |file: &str, text: &[u8]| fs::write(Path::new("/etc").join(file), text).unwrap();
    let mut hosts = Vec::new();
    for _ in 0..draw.below(60) {
        draw.host_line(&mut hosts);
    }
    if draw.chance(20) {
        hosts.pop();
    }
    write("hosts", &hosts);
    let mut services = String::new();
    for _ in 0..draw.below(12) {
        services += draw.one(&SERVICE_LINES);
        services += "\n";
    }
    write("services", services.as_bytes());
    // Mostly what is accepted, and each part by itself what is not.
    let odd = draw.below(12);
    let hosts = draw.one(if odd != 0 {
        &["hosts: files", "hosts:files dns", "hosts:\tfiles [UNAVAIL=continue tryagain=RETURN] dns # x"]
    } else {
        &[
            "hosts: files [NOTFOUND=return] dns",
            "hosts: files [SUCCESS=continue] dns",
            "hosts: files [SUCCESS=merge] files",
            "hosts: dns files",
            "hosts: db files",
            "#hosts: dns",
            "hosts: files\nhosts: dns",
        ]
    });
    let services = draw.one(if odd != 1 {
        &["services: files", "services: db files"]
    } else {
        &["services: files db", "services: files [NOTFOUND=continue] db", "services: db", ""]
    });
    write("nsswitch.conf", format!("{hosts}\n{services}\nprotocols: files\n").as_bytes());
    let host_conf = draw.one(if odd != 2 {
        &[
            "multi on",
            "multi on\n",
            "multi off\n",
            "",
            "# x\norder hosts,bind\n  multi on # y\n",
            "order bind\n",
        ]
    } else {
        &[
            "multi on\nreorder on\n",
            "trim .x\n",
            "multi\n",
            "Multi On\n",
            "multi on x\n",
            "multi on\nmulti off\n",
        ]
    });
    write("host.conf", host_conf.as_bytes());
    let gai_conf = draw.one(&[
        "",
        "# x\n",
        "precedence ::ffff:0:0/96 100\n",
        "label ::1/128 0\n",
        "scopev4 ::ffff:0.0.0.0/96 14\n",
    ]);
    write("gai.conf", gai_conf.as_bytes());
}

/// Random things, the same for the same seed.
struct Draw(u64);

impl Draw {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 11
    }

    fn below(&mut self, end: usize) -> usize {
        (self.next() % end as u64) as usize
    }

    fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    fn one<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.below(all.len())]
    }

    /// A name, which may or may not be in a file.
    fn name(&mut self) -> String {
        if self.chance(15) {
            return self
                .one(&[
                    "a_b", "-", ".", "h\u{e9}", "10g", "1a", "0x7f", "127.1", "a..b", "x.", "*", "",
                    "1.2.3.4", "::1", "fe80::1",
                ])
                .to_owned();
        }
        let mut name = format!("node{}", self.below(60));
        if self.chance(20) {
            name += ".example";
        }
        if self.chance(20) {
            name.make_ascii_uppercase();
        }
        name
    }

    /// A name that is in the file, if one that is drawn from there is.
    fn known(&mut self, table: &files::Table) -> String {
        for _ in 0..50 {
            let name = self.name();
            if hosts::find(table, name.as_bytes(), hosts::Wanted::Both).next().is_some() {
                return name;
            }
        }
        self.name()
    }

    fn address(&mut self) -> String {
        if self.chance(12) {
            return self
                .one(&[
                    "1.2.3",
                    "01.2.3.4",
                    "256.1.1.1",
                    "1.2.3.4.5",
                    "::1%lo",
                    "x",
                    ":::",
                    "1:2:3:4:5:6:7:8:9",
                    "0x7f.1",
                    "1.2.3.4x",
                    "::ffff:1.2.3",
                    "1::2::3",
                    "00001::",
                    "::1.2.3.4",
                    "1:2:3:4:5:6:7::",
                    "1:2:3:4:5:6:7:8",
                    "::2:3:4:5:6:7:8",
                    "1:2:3:4:5:6:1.2.3.4",
                    "::ffff:01.2.3.4",
                    "127.0.0.1\u{a0}",
                    "+1.2.3.4",
                    "1.2.3.",
                    "1:",
                    ":1",
                    "::FFFF:192.0.2.1",
                    "::ffff:c000:201",
                    "ABCD::Ef",
                    "0::1",
                    "0:0:0:0:0:0:0:1",
                    "255.255.255.255",
                    "0.0.0.0",
                    "::",
                    "ff02::1",
                    "fe80::7",
                ])
                .to_owned();
        }
        let number = self.below(250);
        match self.below(11) {
            7 => format!("10.0.{number}.1"),
            8 => self.one(&["2002::5", "fd00::9", "fec0::9", "2001::9", "169.254.1.9", "64:ff9b::1"]).into(),
            9 | 10 => format!("2001:db8::{:x}", number * 7),
            0 => format!("127.0.0.{number}"),
            1 => format!("2001:db8::{number:x}"),
            2 => "::1".into(),
            3 => format!("::ffff:192.0.2.{number}"),
            _ => format!("192.0.2.{number}"),
        }
    }

    fn host_line(&mut self, to: &mut Vec<u8>) {
        const BLANKS: [&str; 9] = [" ", " ", " ", "\t", "  ", "\x0b", "\x0c ", "\r", " \t "];
        if self.chance(4) {
            let length = self.below(40);
            to.extend((0..length).map(|_| self.next() as u8));
        } else {
            if self.chance(10) {
                to.extend_from_slice(self.one(&BLANKS).as_bytes());
            }
            if self.chance(4) {
                to.push(b'#');
            }
            to.extend_from_slice(self.address().as_bytes());
            let names = if self.chance(2) { 400 } else { self.below(4) };
            for _ in 0..names {
                to.extend_from_slice(self.one(&BLANKS).as_bytes());
                to.extend_from_slice(self.name().as_bytes());
                if self.chance(3) {
                    to.extend_from_slice(
                        self.one(&["#", " # ", "\0", "\r", " \0 ", "\u{85}", "\u{ff}"]).as_bytes(),
                    );
                }
            }
        }
        to.push(b'\n');
    }
}
