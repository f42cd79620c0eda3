//! Routes by the rules of librdmacm where the manual page's differ, and replies at random.

use super::{Driver, ID, entry, lines, reply};
use crate::abi;
use crate::addrinfo::{AddrInfo, AddrInfoList, NoRoute, RouteStatus};
use crate::hints::Hints;
use crate::request::{Environment, Policy, Request};
use crate::resolve::{Step, start};
use crate::results::Results;
use crate::sockaddr::SockAddrBuf;
use crate::types::{Family, Flags};
use std::format;
use std::string::String;
use std::vec;
use std::vec::Vec;

fn with_af_ib() -> Environment {
    Environment { af_ib: true, ..Environment::new() }
}

/// A path record whose flow label has its reserved bits and all its own set.
fn record() -> [u8; 64] {
    let mut record = [0; 64];
    record[23] = 2;
    record[39] = 1;
    record[44..48].copy_from_slice(&[0xfa, 0xbc, 0xde, 64]);
    record
}

fn address(text: &str) -> SockAddrBuf {
    text.parse().unwrap()
}

/// Resolves with the reply to every question, and reads each entry.
fn resolve<T>(request: Request<'_>, route: Vec<[u8; 72]>, read: impl Fn(AddrInfo<'_>) -> T) -> Vec<T> {
    let mut results = Results::<4>::new();
    let mut driver = Driver { route, ..Driver::new(Ok(vec![])) };
    let list = driver.drive(start(request.with_environment(with_af_ib()), &mut results)).unwrap();
    assert!(!list.is_truncated());
    list.iter().map(read).collect()
}

/// librdmacm takes the four reserved bits for the flow label.
#[test]
fn flow_label_of_20_or_24_bits() {
    for (policy, flow) in [(Policy::MAN_PAGE, 0x000a_bcde), (Policy::LIBRDMACM, 0x00fa_bcde)] {
        let request = Request::new("192.0.2.7", "1", None).with_policy(policy);
        let mut flows =
            resolve(request, vec![entry(0x2b, 16, record())], |info| info.dst_addr().unwrap().flow_info());
        flows.sort();
        assert_eq!(flows, [0, flow]);
    }
}

/// Hints that librdmacm repeats unchecked: the AF_IB entry has connect data when the addresses themselves are of one
/// IP family, whatever the hints call it.
#[test]
fn connect_data_by_the_addresses_own_families() {
    let (v4, other_v4) = (address("192.0.2.9:1"), address("192.0.2.7:2"));
    let (v6, other_v6) = (address("[2001:db8::9]:1"), address("[2001:db8::7]:2"));
    let ib = address("ib:fe80::1/sid=0x1060003");
    let cases = [
        (v4, other_v4, Some(0x40)),
        (v6, other_v6, Some(0x60)),
        (v4, other_v6, None),
        (v6, other_v4, None),
        (ib, other_v4, None),
        (v6, ib, None),
        (ib, ib, None),
        (v4, SockAddrBuf::NONE, None),
        (SockAddrBuf::NONE, other_v6, None),
    ];
    for (src, dst, version) in cases {
        let families = if cfg!(miri) { &[0][..] } else { &[0, 2, 10, 27, 99] };
        for family in families.iter().map(|family| Family::from_raw(*family)) {
            let hints = Hints::new().with_family(family).with_src_addr(src).with_dst_addr(dst);
            let request = Request::new(None, None, &hints).with_policy(Policy::LIBRDMACM);
            let told = resolve(request, vec![entry(0x2b, 16, record())], |info| {
                (info.family(), info.connect_data().get(1).copied(), info.connect_data().len())
            });
            let len = if version.is_some() { 36 } else { 0 };
            assert_eq!(told, [(Family::IB, version, len), (family, None, 0)], "{src} {dst} {family}");
        }
    }
}

/// A hint of one path is sent; of any other length, an empty path is.
#[test]
fn route_hint_of_one_path_or_an_empty_one() {
    let bytes: Vec<u8> = (0..144).collect();
    let step = if cfg!(miri) { 8 } else { 1 };
    for len in (0..=144).step_by(step) {
        let hints = Hints::new().with_route(&bytes[..len]);
        let request = Request::new("192.0.2.7", "1", &hints).with_policy(Policy::LIBRDMACM);
        let mut results = Results::<1>::new();
        let Step::FindRoute(ask) = start(request, &mut results) else { panic!("a route is asked for") };
        let expected: Option<Vec<u8>> = match len {
            0 => None,
            64 => Some(bytes[..64].into()),
            72 => Some(bytes[8..72].into()),
            _ => Some(vec![0; 64]),
        };
        let sent = ask.request(ID);
        let path = sent.entries().find_map(|entry| entry.path()).map(|path| path.path_record());
        assert_eq!(path.map(|path| path.as_bytes().to_vec()), expected, "{len}");
        assert_eq!(sent.as_bytes().len(), if len == 0 { 88 } else { 160 });
    }
}

/// Only librdmacm's policy takes its private flag: the route, no AF_IB entry.
#[test]
fn route_only_has_no_ib_entry() {
    for (flags, expected) in [(0, vec![Family::IB, Family::INET]), (abi::RAI_ROUTEONLY, vec![Family::INET])] {
        let hints = Hints::new().with_flags(Flags::from_bits_retain(flags));
        let request = Request::new("192.0.2.7", "1", &hints).with_policy(Policy::LIBRDMACM);
        assert_eq!(resolve(request, vec![entry(0x2b, 16, record())], |info| info.family()), expected);
    }
}

/// Replies at random: route and source are what a reading of the bytes, entry by entry, gives.
#[test]
fn replies_at_random() {
    let mut state = 0x2545_f491_4f6c_dd1d_u64;
    let mut random = move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state
    };
    for _ in 0..if cfg!(miri) { 4 } else { 5_000 } {
        let count = random() % 9;
        let entries: Vec<[u8; 72]> = (0..count)
            .map(|_| {
                let kind = [0, 1, 2, 3, 16, 16, 0x20, 0x1000][usize::try_from(random() % 8).unwrap()];
                let byte = u8::try_from(random() % 256).unwrap();
                entry(u32::try_from(random() % 8).unwrap(), kind, core::array::from_fn(|_| byte))
            })
            .collect();
        let route: Vec<u8> = entries
            .iter()
            .filter(|entry| entry[4..6] == 16_u16.to_ne_bytes())
            .flat_map(|entry| [&entry[..4], &[0; 4], &entry[8..]].concat())
            .collect();
        let source = entries
            .iter()
            .find(|entry| {
                let flags = u32::from_ne_bytes(entry[..4].try_into().unwrap());
                flags & 1 == 1 && entry[4..6] == 2_u16.to_ne_bytes()
            })
            .map(|entry| format!("{}.{}.{}.{}", entry[8], entry[9], entry[10], entry[11]));

        let mut results = Results::<1>::new();
        let request = Request::new("192.0.2.7", "1", None);
        let Step::FindRoute(ask) = start(request, &mut results) else { panic!("a route is asked for") };
        let list = match (ask.answer(&reply(&entries)), &source) {
            (Step::Done(outcome), Some(_)) => outcome.unwrap(),
            (Step::FindSource(ask), None) => match ask.answer(None) {
                Step::Done(outcome) => outcome.unwrap(),
                step => panic!("{step:?}"),
            },
            (step, source) => panic!("{step:?} with {source:?}"),
        };
        let info = list.first().unwrap();
        assert_eq!(info.route_bytes(), route);
        assert_eq!(info.src_addr().map(|source| format!("{}", source.ip().unwrap())), source);
        let (told, truncated) = lines(list);
        let paths = match route.len() / 72 {
            0 => String::new(),
            1 => " (1 path)".into(),
            count => format!(" ({count} paths)"),
        };
        assert_eq!((told.len(), truncated), (1, false));
        assert!(told[0].ends_with(&format!("-> 192.0.2.7:1{paths}")), "{told:?}");
    }
}

/// Where nobody answers questions for routes, the entry says so without one, by either way.
#[test]
fn nobody_to_ask() {
    let nobody = Environment { route_service: false, ..Environment::new() };
    let unavailable = RouteStatus::Missing(NoRoute::Unavailable);
    let passive = Hints::new().passive();
    // The long way takes a zone.
    for node in ["192.0.2.7", "2001:db8::7", "fe80::1%3"] {
        for (routes, hints, status) in [
            (true, None, unavailable),
            (false, None, RouteStatus::NotAsked),
            (true, Some(&passive), RouteStatus::NotAsked),
        ] {
            let request = Request::new(node, "7471", hints).with_environment(nobody).with_routes(routes);
            let mut results = Results::<1>::new();
            let told = |list: AddrInfoList<'_>| list.first().map(|info| info.route_status());
            assert_eq!(request.resolve_literal(&mut results).map(told), Ok(Some(status)), "{node}");
            let Step::Done(list) = start(Request { policy: NO_SOURCE, ..request }, &mut results) else {
                panic!("a question for {node}")
            };
            assert_eq!(list.map(told), Ok(Some(status)), "{node}");
        }
    }
}

const NO_SOURCE: Policy = Policy { discover_source: false, ..Policy::MAN_PAGE };

/// Who asks whether the kernel takes AF_IB asks for nothing in vain, and never leaves it out.
#[test]
fn af_ib_is_needed_where_it_changes_the_answer_and_nowhere_else() {
    let path = entry(0x2b, 0x10, [7; 64]);
    let mut needed_in = 0;
    for (replies, has_route) in [(vec![], false), (vec![path], true)] {
        for policy in [Policy::LIBRDMACM, Policy::MAN_PAGE] {
            for family in [Family::UNSPEC, Family::INET, Family::IB] {
                for flags in [0, 1, 8, 10, 0x0100_0000] {
                    if policy == Policy::MAN_PAGE && flags == 0x0100_0000 {
                        continue;
                    }
                    let hints = Hints::new().with_flags(Flags::from_raw(flags)).with_family(family);
                    let answer = |af_ib: bool| {
                        let environment = Environment { af_ib, ..Environment::new() };
                        let node = if flags & 8 != 0 && family == Family::IB { "::7" } else { "192.0.2.7" };
                        let request =
                            Request::new(node, "1", &hints).with_policy(policy).with_environment(environment);
                        let mut results = Results::<4, 8>::new();
                        let mut needed = false;
                        let step = match start(request, &mut results) {
                            Step::FindRoute(ask) => {
                                needed = has_route && ask.needs_af_ib(&reply(&[path]));
                                Step::FindRoute(ask)
                            }
                            step => step,
                        };
                        let mut driver = Driver::new(Ok(Vec::new()));
                        driver.route = replies.clone();
                        (driver.drive(step).map(lines), needed)
                    };
                    let ((with, known), (without, needed)) = (answer(true), answer(false));
                    assert!(!known, "it is set");
                    assert_eq!(needed, with != without, "{policy:?} {hints:?}: {with:?} {without:?}");
                    needed_in += usize::from(needed);
                }
            }
        }
    }
    // With a route, on the active side, of what is not AF_IB already, unless the route alone is wanted.
    assert_eq!(needed_in, 3 * 3 + (2 * 3 + 1));
}
