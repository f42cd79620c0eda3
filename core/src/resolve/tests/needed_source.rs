//! Requests whose entries must have a source: it is asked for first, and entries without one are left out.

use super::{Driver, entry, found, lines, tcp};
use crate::error::{ErrorKind, Reason};
use crate::hints::{Hints, Protocol};
use crate::request::{Addresses, Environment, Policy, Request};
use crate::resolve::{Found, start};
use crate::results::Results;
use crate::types::{Family, Flags};
use std::string::String;
use std::vec::Vec;

const NAMES: &[&str] = &["[2001:db8::7]:0", "192.0.2.7:0", "[2001:db8::8]:0", "192.0.2.8:0"];

fn driver(source: &str) -> Driver {
    let names: Vec<Found> = NAMES.iter().map(|address| found(address, Protocol::Tcp)).collect();
    Driver { source: Some(source.parse().unwrap()), ..Driver::new(Ok(names)) }
}

fn resolve(request: Request<'_>, driver: &mut Driver) -> Result<(Vec<String>, bool), (ErrorKind, Reason)> {
    let mut results = Results::<8>::new();
    let outcome = driver.drive(start(request.with_needed_source(true), &mut results));
    outcome.map(lines).map_err(|error| (error.kind(), error.reason()))
}

#[test]
fn destinations_without_a_source_are_left_out() {
    let request = Request::new("storage-7", "1", None);
    let mut v4 = driver("192.0.2.9:0");
    let expected =
        ["inet rc/tcp 192.0.2.9 -> 192.0.2.7:1", "inet rc/tcp 192.0.2.9 -> 192.0.2.8:1"].map(String::from);
    assert_eq!(resolve(request, &mut v4), Ok((expected.to_vec(), false)));
    // The route is asked for behind the source, and for what stays only.
    assert_eq!(
        v4.asked[1..],
        [
            "source [2001:db8::7]:1",
            "source 192.0.2.7:1",
            "route 192.0.2.9 192.0.2.7:1",
            "source [2001:db8::8]:1",
            "source 192.0.2.8:1",
            "route 192.0.2.9 192.0.2.8:1",
        ]
    );

    let mut v6 = driver("[2001:db8::9]:0");
    let (list, _) = resolve(request, &mut v6).unwrap();
    assert_eq!(list[0], "inet6 rc/tcp 2001:db8::9 -> [2001:db8::7]:1");
    assert_eq!(list[1], "inet6 rc/tcp 2001:db8::9 -> [2001:db8::8]:1");
    assert_eq!(list.len(), 2);
}

#[test]
fn none_left_is_of_other_family() {
    let refused = Err((ErrorKind::AddrFamily, Reason::SourceOfOtherFamily));
    let mut none = Driver { source: None, ..driver("192.0.2.9:0") };
    assert_eq!(resolve(Request::new("storage-7", "1", None), &mut none), refused);
    assert_eq!(resolve(Request::new("192.0.2.7", "1", None), &mut none), refused);
    assert_eq!(resolve(Request::new("2001:db8::7", "1", None), &mut driver("192.0.2.9:0")), refused);
    // Of an AF_IB address nobody can be asked.
    let gid = Hints::new().with_family(Family::IB).with_flags(Flags::FAMILY);
    let mut driver = driver("[2001:db8::9]:0");
    assert_eq!(resolve(Request::new("fe80::7", "1", &gid), &mut driver), refused);
    assert_eq!(driver.asked, [""; 0]);
}

#[test]
fn it_is_asked_for_whatever_the_policy_says() {
    for policy in [Policy::LIBRDMACM, Policy { discover_source: false, ..Policy::MAN_PAGE }] {
        let request = Request::new("192.0.2.7", "1", None).with_policy(policy).with_routes(false);
        let (list, _) = resolve(request, &mut driver("192.0.2.9:0")).unwrap();
        assert_eq!(list, ["inet rc/tcp 192.0.2.9 -> 192.0.2.7:1"]);
    }
}

#[test]
fn the_first_address_is_the_first_with_a_source() {
    let policy = Policy { addresses: Addresses::First, ..Policy::MAN_PAGE };
    let first =
        |request: Request<'_>, source: &str| resolve(request.with_policy(policy), &mut driver(source));
    let named = Request::new("storage-7", "1", None);
    let one = |line: &str| Ok((Vec::from([String::from(line)]), false));
    assert_eq!(first(named, "192.0.2.9:0"), one("inet rc/tcp 192.0.2.9 -> 192.0.2.7:1"));
    assert_eq!(first(named, "[2001:db8::9]:0"), one("inet6 rc/tcp 2001:db8::9 -> [2001:db8::7]:1"));
    let loopback = Request::new(None, "1", None);
    assert_eq!(first(loopback, "127.0.0.1:0"), one("inet rc/tcp 127.0.0.1 -> 127.0.0.1:1"));
    assert_eq!(first(loopback, "[::1]:0"), one("inet6 rc/tcp ::1 -> [::1]:1"));
}

#[test]
fn who_has_a_source_or_may_have_none_is_not_asked() {
    let source = "192.0.2.5".parse().unwrap();
    let hints = Hints::new().with_src_addr(source);
    let mut driver = driver("192.0.2.9:0");
    let (list, _) = resolve(Request::new("192.0.2.7", "1", &hints), &mut driver).unwrap();
    assert_eq!(list, ["inet rc/tcp 192.0.2.5 -> 192.0.2.7:1"]);
    let passive = Hints::new().passive();
    let (list, _) = resolve(Request::new("192.0.2.7", "1", &passive), &mut driver).unwrap();
    assert_eq!(list, ["inet rc/tcp 192.0.2.7:1 -> * passive"]);
    assert_eq!(driver.asked, ["route 192.0.2.5 192.0.2.7:1"]);
}

/// An entry that is left out behind an AF_IB entry takes the AF_IB entry out of no list.
#[test]
fn ib_entries_stay_beside_their_entries() {
    let environment = Environment { af_ib: true, ..Environment::new() };
    let names = tcp(&["192.0.2.7:0", "[2001:db8::7]:0", "192.0.2.8:0"]);
    for policy in [Policy::MAN_PAGE, Policy { addresses: Addresses::All, ..Policy::LIBRDMACM }] {
        let mut driver = Driver {
            names: names.clone(),
            route: Vec::from([entry(0x2b, 16, [0; 64])]),
            ..driver("192.0.2.9:0")
        };
        let request = Request::new("storage-7", "1", None).with_policy(policy).with_environment(environment);
        let (list, _) = resolve(request, &mut driver).unwrap();
        let kinds: Vec<_> = list.iter().map(|line| line.split(' ').next().unwrap()).collect();
        let expected = if policy == Policy::MAN_PAGE { ["inet", "ib"] } else { ["ib", "inet"] };
        assert_eq!(kinds, [expected, expected].concat());
    }
}
