//! The same requests, and the same valid replies of ibacm, to the C library and to our own resolution by its rules:
//! both ask the daemon the same, and answer the same.
//!
//! What the C library answers from stray memory is no model, and is not made: a source of another family than the
//! destination's, paths that are not adjacent, hints alone whose family is not their addresses', an address other than
//! IPv6 read as a GID, a reply in pieces. Nor are hints that tell neither an address nor a route: the library asks with
//! a request that names nothing and takes any path for an answer, we do not ask. A path without a source is made: it is
//! the AF_IB entry beside it that crashes the library, and where there is no rdma_cm device it makes none.
//!
//! A difference is told with the command that repeats it.

use super::rows::{Row, answer, hex, library};
use crate::common::random::Random;
use crate::common::{World, is_slow, note, say, seed};
use rdma_addrinfo::{IbEntries, Ibacm, Library, Policy, Resolver};
use std::env;
use std::io::{Read, Write};
use std::os::unix::net::{UnixListener, UnixStream};
use std::sync::{Arc, Mutex};
use std::thread;

const WORLD: World<'_> = World { device: true, ..World::EMPTY };

/// Where librdmacm looks for the daemon.
const SOCKET: &str = "/run/ibacm.sock";

/// How many cases of each seed; fewer where a test runs under something slow.
fn generated_cases() -> u64 {
    if is_slow() { 200 } else { 2_000 }
}

/// May be set: the one generated case to compare, as `seed:index`.
const ONE: &str = "RDMA_ADDRINFO_TEST_ROW";

const PASSIVE: i32 = 1;
const NUMERIC_HOST: i32 = 2;
const NO_ROUTE: i32 = 4;
const FAMILY: i32 = 8;
const DNS: i32 = 0x20;
const ROUTE_ONLY: i32 = 0x0100_0000;

const AF_INET: i32 = 2;
const AF_INET6: i32 = 10;
const AF_IB: i32 = 27;

/// The header of a message, and where the transaction id is in it.
const HEADER: usize = 16;
const ID: std::ops::Range<usize> = 8..16;

const NAME: u16 = 1;
const IP: u16 = 2;
const IP6: u16 = 3;
const PATH: u16 = 0x10;
const SOURCE: u32 = 1;

/// A request, and what the daemon replies if it is asked.
#[derive(Debug)]
struct Case {
    row: Row,
    /// The whole message, without a transaction id.
    reply: Vec<u8>,
}

/// A daemon that answers whoever asks, with the transaction id of the request; it ends with its process.
#[derive(Clone, Debug, Default)]
struct Daemon(Arc<Mutex<Script>>);

#[derive(Debug, Default)]
struct Script {
    reply: Vec<u8>,
    /// What was asked, without the transaction ids.
    requests: Vec<Vec<u8>>,
}

impl Daemon {
    fn start() -> Self {
        let daemon = Self::default();
        let listener = UnixListener::bind(SOCKET).unwrap();
        let this = daemon.clone();
        thread::spawn(move || {
            for caller in listener.incoming() {
                let (this, caller) = (this.clone(), caller.unwrap());
                thread::spawn(move || this.converse(caller));
            }
        });
        daemon
    }

    fn converse(&self, mut caller: UnixStream) {
        let mut room = [0; 1024];
        while let Ok(length @ 1..) = caller.read(&mut room) {
            let mut request = room[..length].to_vec();
            let mut script = self.0.lock().unwrap();
            let mut reply = script.reply.clone();
            reply[ID].copy_from_slice(&request[ID]);
            request[ID].fill(0);
            script.requests.push(request);
            caller.write_all(&reply).unwrap();
        }
    }

    /// What the daemon was asked, in hex, and what was answered.
    fn watch(&self, resolve: impl FnOnce() -> String) -> (Vec<String>, String) {
        let answer = resolve();
        let requests = std::mem::take(&mut self.0.lock().unwrap().requests);
        (requests.iter().map(|request| hex(request)).collect(), answer)
    }
}

/// A case; the same for the same seed and index.
fn case(seed: u64, index: u64) -> Case {
    let random = &mut Random::new(seed ^ index.wrapping_mul(0xd134_2543_de82_ef95));
    let (mut row, destination) = if random.one_in(3) { hints_alone(random) } else { text_and_hints(random) };
    let nothing_else = [&row.src, &row.dst].iter().all(|bytes| bytes.is_empty())
        && row.node.is_none()
        && row.service.is_none();
    if row.hints.is_some() && (nothing_else || random.one_in(4)) {
        let length = random.pick(&[64, 64, 64, 72, 72, 72, 128, 144, 5]);
        row.route = random.bytes(length);
    }
    let source_known = !row.src.is_empty();
    Case { reply: reply(random, destination, source_known), row }
}

fn transport(random: &mut Random) -> [i32; 2] {
    let known = [
        [0, 0],
        [0, 0x106],
        [0, 0x111],
        [0, 0x13f],
        [0, 2],
        [2, 0x106],
        [2, 0],
        [2, 0x13f],
        [3, 0x106],
        [4, 0x111],
        [4, 2],
        [4, 0],
        [4, 0x13f],
        [9, 0x106],
        [10, 0x106],
        // Not answered with a node or service.
        [2, 0x111],
    ];
    random.pick(&known)
}

fn flags(random: &mut Random) -> i32 {
    let chances = [(PASSIVE, 12), (NUMERIC_HOST, 2), (NO_ROUTE, 4), (FAMILY, 3), (DNS, 8), (ROUTE_ONLY, 6)];
    chances.iter().filter(|(_, many)| random.one_in(*many)).fold(0, |flags, (flag, _)| flags | flag)
}

/// A literal, a service, or both; and the family of the destination that they give.
fn text_and_hints(random: &mut Random) -> (Row, i32) {
    let is_ipv6 = random.one_in(2);
    let node = (!random.one_in(8)).then(|| literal(random, is_ipv6));
    let service = (node.is_none() || !random.one_in(5)).then(|| random.below(0x1_0000).to_string());
    if random.one_in(16) {
        // Loopback is `::1`.
        let family = if is_ipv6 || node.is_none() { AF_INET6 } else { AF_INET };
        return (Row { node, service, ..Row::default() }, family);
    }
    let flags = flags(random);
    let mut family = random.pick(&[0, 0, 0, 0, AF_INET, AF_INET6, AF_IB, AF_IB]);
    let mut makes_gid = family == AF_IB && flags & (FAMILY | NUMERIC_HOST) == FAMILY | NUMERIC_HOST;
    if makes_gid && (node.is_none() || !is_ipv6) {
        (family, makes_gid) = (0, false);
    }
    let destination = match (makes_gid, node.is_some(), is_ipv6) {
        (true, ..) => AF_IB,
        (_, true, true) => AF_INET6,
        (_, false, _) if family != AF_INET => AF_INET6,
        _ => AF_INET,
    };
    let [qp_type, port_space] = transport(random);
    let src = if random.one_in(3) { sockaddr(random, destination) } else { Vec::new() };
    let hints = Some([flags, family, qp_type, port_space]);
    (Row { node, service, hints, src, ..Row::default() }, destination)
}

fn literal(random: &mut Random, is_ipv6: bool) -> String {
    let bits = u128::from(random.next()) << 64 | u128::from(random.next());
    if !is_ipv6 {
        return std::net::Ipv4Addr::from_bits(u32::try_from(bits >> 96).unwrap()).to_string();
    }
    // Never a mapped one, which may become IPv4.
    let address = std::net::Ipv6Addr::from_bits(bits >> 8 | 0x20 << 120);
    if random.one_in(6) { format!("{address}%{}", random.below(99)) } else { address.to_string() }
}

/// Hints alone, of one family; and that of the destination, 0 without one.
fn hints_alone(random: &mut Random) -> (Row, i32) {
    let family = random.pick(&[AF_INET, AF_INET6, AF_IB]);
    let dst = if random.one_in(6) { Vec::new() } else { sockaddr(random, family) };
    let src = if random.one_in(3) { Vec::new() } else { sockaddr(random, family) };
    let [qp_type, port_space] = transport(random);
    let hints = Some([flags(random), family, qp_type, port_space]);
    let destination = if dst.is_empty() { 0 } else { family };
    (Row { hints, src, dst, ..Row::default() }, destination)
}

fn sockaddr(random: &mut Random, family: i32) -> Vec<u8> {
    let length = match family {
        AF_INET => 16,
        AF_INET6 => 28,
        _ => 48,
    };
    let start = u16::try_from(family).unwrap().to_ne_bytes();
    let mut bytes = [&start[..], &random.bytes(length - 2)].concat();
    if family == AF_INET {
        // sin_zero
        bytes[8..].fill(0);
    }
    bytes
}

/// A valid reply: paths side by side, and what else there may be before and behind them; or a status other than 0.
fn reply(random: &mut Random, destination: i32, source_known: bool) -> Vec<u8> {
    let status = if random.one_in(6) { random.pick(&[1, 2, 3, 5, 6, 7, 8, 9, 10, 0xff]) } else { 0 };
    let entries = if status != 0 && !random.one_in(4) { 0 } else { 1 + random.below(8) };
    let paths = if random.one_in(6) { 0 } else { random.below(entries + 1) };
    let before = random.below(entries - paths + 1);
    let mut message = vec![1, random.pick(&[1, 0x81]), status, 0, 0, 0, 0, 0];
    message.resize(HEADER, 0);
    for at in 0..entries {
        let (kind, flags) = if (before..before + paths).contains(&at) {
            (PATH, random.pick(&[0x2b, 0x2b, 0x26]))
        } else {
            beside_paths(random, destination, source_known)
        };
        message.extend(flags.to_ne_bytes());
        message.extend(kind.to_ne_bytes());
        message.extend([0, 0]);
        message.extend(random.bytes(64));
    }
    let length = u16::try_from(message.len()).unwrap();
    message[6..8].copy_from_slice(&length.to_ne_bytes());
    message
}

/// Type and flags of an entry that is no path.
fn beside_paths(random: &mut Random, destination: i32, source_known: bool) -> (u16, u32) {
    let other_flags = random.next().to_be_bytes()[0];
    let no_source = u32::from(other_flags) & !SOURCE;
    let source = match destination {
        // Nobody looks at it.
        _ if source_known => Some(random.pick(&[IP, IP6])),
        AF_INET => Some(IP),
        AF_INET6 => Some(IP6),
        _ => None,
    };
    match (random.below(4), source) {
        (0 | 1, Some(kind)) => (kind, random.pick(&[SOURCE, SOURCE, no_source | SOURCE])),
        (2, _) => (random.pick(&[IP, IP6]), no_source),
        (3, _) => (random.pick(&[0, 4, 5, 0xf, 0x11, 0x20, 0x110, 0x1000, 0xffff]), other_flags.into()),
        _ => (NAME, other_flags.into()),
    }
}

/// What came of a number of cases, as the C library answered them.
#[derive(Debug, Default)]
struct Tally {
    compared: usize,
    asked: usize,
    not_asked: usize,
    routes: usize,
    longest_route: usize,
    without_route: usize,
    /// Sources that the hints do not tell.
    sources: usize,
    errors: usize,
    /// Requests with one, two and three entries.
    entries: [usize; 3],
}

impl Tally {
    fn count(&mut self, row: &Row, requests: &[String], answer: &str) {
        self.compared += 1;
        let Some((_, entry)) = answer.split_once(r#""ret":0,"entries":["#) else {
            self.errors += 1;
            return;
        };
        assert!(!entry.contains("},{"), "one entry: {answer}");
        let [request] = requests else {
            self.not_asked += 1;
            return;
        };
        self.asked += 1;
        let asked_of = (request.len() / 2 - HEADER) / 72;
        if let Some(count) = asked_of.checked_sub(1).and_then(|at| self.entries.get_mut(at)) {
            *count += 1;
        }
        let route = entry.split_once(r#""route":""#).unwrap().1.split('"').next().unwrap();
        self.longest_route = self.longest_route.max(route.len() / 2 / 72);
        *(if route.is_empty() { &mut self.without_route } else { &mut self.routes }) += 1;
        self.sources += usize::from(row.src.is_empty() && !entry.contains(r#""src":"""#));
    }

    /// What a seed gives is not all of one kind.
    fn assert_covers(&self) {
        let Self {
            compared,
            asked,
            not_asked,
            routes,
            longest_route,
            without_route,
            sources,
            errors,
            entries,
        } = self;
        assert_eq!((*compared, *longest_route), (2_000, 8), "{self:#?}");
        assert!(*asked > 1_400, "{self:#?}");
        let [one, two, three] = entries;
        for count in [not_asked, routes, without_route, sources, errors, one, two, three] {
            assert!(*count > 50, "{self:#?}");
        }
    }
}

/// Asks both. The difference, if there is one.
fn compare(library: &Library, daemon: &Daemon, case: &Case, tally: &mut Tally) -> Result<(), String> {
    let Case { row, reply } = case;
    daemon.0.lock().unwrap().reply.clone_from(reply);
    let theirs = daemon.watch(|| row.ask(library));
    let ours = daemon.watch(|| {
        let resolver = Resolver::new().with_policy(Policy::LIBRDMACM).without_deadline();
        let resolver = resolver.with_ibacm(Ibacm::socket(SOCKET).unwrap()).with_ib_entries(IbEntries::Never);
        let hints = row.hints();
        let found = resolver.resolve(row.node.as_deref(), row.service.as_deref(), hints.as_ref());
        answer(found.as_ref().map(|found| found.list()))
    });
    let (requests, answer) = &theirs;
    tally.count(row, requests, answer);
    if ours == theirs {
        return Ok(());
    }
    let tell = |(requests, answer): &(Vec<String>, String)| format!("asked {requests:?}, {answer}");
    let (ours, theirs, reply) = (tell(&ours), tell(&theirs), hex(reply));
    Err(format!("{row}\t{reply}\n    ours {ours}\n  theirs {theirs}"))
}

/// Compares the generated cases of a seed, or the one that is asked for.
fn generated(library: &Library, test: &str, seed: u64) {
    let daemon = Daemon::start();
    let one = env::var(ONE).ok().map(|one| {
        let (seed, index) = one.split_once(':').expect("seed:index");
        let seed = u64::from_str_radix(seed.trim_start_matches("0x"), 16).expect("a seed in hex");
        (seed, index.parse::<u64>().expect("an index"))
    });
    let (seed, cases) = one.map_or((seed, 0..generated_cases()), |(seed, index)| (seed, index..index + 1));
    let (mut tally, mut wrong) = (Tally::default(), Vec::new());
    for index in cases {
        let case = case(seed, index);
        let repeat = format!(
            "{ONE}={seed:#x}:{index} cargo test -p rdma-addrinfo --test librdmacm -- --exact librdmacm::ibacm_parity::{test} --nocapture"
        );
        note(&format!("{}\t{}\n{repeat}", case.row, hex(&case.reply)));
        if let Err(difference) = compare(library, &daemon, &case, &mut tally) {
            wrong.push(format!("{difference}\n  {repeat}"));
        }
    }
    let shown = wrong.iter().take(20).map(String::as_str).collect::<Vec<_>>().join("\n");
    assert!(wrong.is_empty(), "{} of {} differ:\n{shown}", wrong.len(), tally.compared);
    if one.is_none() && !is_slow() {
        tally.assert_covers();
    }
}

#[test]
fn replies_with_a_fixed_seed() {
    WORLD.run(|| {
        let Some(library) = library("replies_with_a_fixed_seed") else { return };
        generated(&library, "replies_with_a_fixed_seed", 0x6962_6163_6d21);
    });
}

#[test]
fn replies_with_a_fresh_seed() {
    say(&format!("the fresh seed is {:#x}", seed()));
    WORLD.run(|| {
        let Some(library) = library("replies_with_a_fresh_seed") else { return };
        generated(&library, "replies_with_a_fresh_seed", seed());
    });
}
