//! Storages that lie: nothing panics, and every list ends.

use super::{Driver, lines, tcp};
use crate::addrinfo::{Entry, Storage};
use crate::error::{ErrorKind, Reason};
use crate::hints::Hints;
use crate::request::{Policy, Request};
use crate::resolve::{Step, resolve_literal, start};
use crate::route::PathData;
use core::ffi::CStr;
use core::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::string::String;
use std::vec;
use std::vec::Vec;

/// How a storage lies.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Lie {
    /// Not at all.
    None,
    /// It takes entries and shows none.
    Hides,
    /// It takes entries and shows the newest only.
    Forgets,
    /// It shows the entries backwards.
    Reverses,
    /// It shows other entries than it lets change.
    Splits,
    /// It shows entries at every second look only.
    Blinks,
    /// It has more entries after each push.
    Doubles,
    /// It says that it has no room, and keeps the entry.
    Refuses,
    /// It never forgets.
    Clears,
    /// It makes all entries the first one, so that the second leads to itself.
    Circles,
}

const LIES: [Lie; 10] = [
    Lie::None,
    Lie::Hides,
    Lie::Forgets,
    Lie::Reverses,
    Lie::Splits,
    Lie::Blinks,
    Lie::Doubles,
    Lie::Refuses,
    Lie::Clears,
    Lie::Circles,
];

struct Liar {
    lie: Lie,
    entries: Vec<Entry>,
    shown: Vec<Entry>,
    looks: AtomicUsize,
}

impl Liar {
    fn new(lie: Lie) -> Self {
        Self { lie, entries: Vec::new(), shown: Vec::new(), looks: AtomicUsize::new(0) }
    }
}

impl Storage for Liar {
    fn push(&mut self, entry: Entry) -> bool {
        match self.lie {
            Lie::Forgets => self.entries.clear(),
            Lie::Doubles => self.entries.push(entry),
            Lie::Splits => self.shown.insert(0, entry),
            _ => {}
        }
        if self.lie == Lie::Reverses {
            self.entries.insert(0, entry);
        } else {
            self.entries.push(entry);
        }
        self.lie != Lie::Refuses
    }

    fn entries(&self) -> &[Entry] {
        match self.lie {
            Lie::Hides => &[],
            Lie::Splits => &self.shown,
            Lie::Blinks if self.looks.fetch_add(1, Relaxed).is_multiple_of(2) => &[],
            _ => &self.entries,
        }
    }

    fn entries_mut(&mut self) -> &mut [Entry] {
        match (self.lie, self.entries.first().copied()) {
            (Lie::Hides, _) => return &mut [],
            (Lie::Circles, Some(first)) => self.entries.fill(first),
            _ => {}
        }
        &mut self.entries
    }

    fn push_paths(&mut self, paths: &mut dyn Iterator<Item = PathData>) -> bool {
        paths.for_each(drop);
        true
    }

    fn paths(&self) -> &[PathData] {
        &[]
    }

    fn set_name(&mut self, _: &CStr) -> bool {
        true
    }

    fn name(&self) -> Option<&CStr> {
        None
    }

    fn clear(&mut self) {
        if self.lie != Lie::Clears {
            self.entries.clear();
            self.shown.clear();
        }
    }
}

/// An honest storage without an end gives what one with an end gives.
#[test]
fn an_honest_storage() {
    let hints = Hints::new();
    let mut storage = Liar::new(Lie::None);
    let mut driver = Driver::new(tcp(&["192.0.2.7:0", "[2001:db8::1]:0"]));
    let step = start(Request::new("storage-7", "7471", &hints), &mut storage);
    let (results, truncated) = driver.drive(step).map(lines).unwrap();
    assert_eq!(results, ["inet rc/tcp * -> 192.0.2.7:7471", "inet6 rc/tcp * -> [2001:db8::1]:7471"]);
    assert!(!truncated);
    let routes: Vec<&String> = driver.asked.iter().filter(|asked| asked.starts_with("route")).collect();
    assert_eq!(routes, ["route - 192.0.2.7:7471", "route - [2001:db8::1]:7471"]);
}

/// Whatever the storage does, a resolution ends, after no more questions than it has places for entries, and so does
/// its list.
#[test]
fn every_lie_ends() {
    let hints = Hints::new();
    for lie in LIES {
        for policy in [Policy::MAN_PAGE, Policy::LIBRDMACM] {
            let mut storage = Liar::new(lie);
            for round in 0..3 {
                let mut driver = Driver::new(tcp(&["192.0.2.7:0", "[2001:db8::1]:0", "192.0.2.8:0"]));
                driver.source = "192.0.2.9:0".parse().ok();
                let request = Request::new("storage-7", "7471", &hints).policy(policy);
                let outcome = driver.drive(start(request, &mut storage)).map(lines);
                match (lie, outcome) {
                    (Lie::Refuses, Err(error)) => {
                        assert_eq!((error.kind(), error.reason()), (ErrorKind::Memory, Reason::NoRoom));
                    }
                    (_, outcome) => {
                        let (results, truncated) = outcome.unwrap();
                        assert!(results.len() <= 18 && !truncated, "{lie:?}: {results:?}");
                        assert!(results.iter().all(|result| result.contains(":7471")), "{results:?}");
                    }
                }
                assert!(driver.asked.len() <= 64, "{lie:?}, round {round}: {:?}", driver.asked);
            }
        }
    }
}

#[test]
fn literals_in_lying_storages() {
    let hints = Hints::new();
    for lie in LIES {
        let mut storage = Liar::new(lie);
        for (node, service, honest) in [
            (Some("192.0.2.7"), Some("7471"), vec!["inet rc/tcp * -> 192.0.2.7:7471"]),
            (None, Some("80"), vec!["inet6 rc/tcp * -> [::1]:80", "inet rc/tcp * -> 127.0.0.1:80"]),
        ] {
            match resolve_literal(node, service, &hints, &mut storage).map(lines) {
                Ok((results, truncated)) => {
                    assert!(!truncated);
                    match lie {
                        Lie::None => assert_eq!(results, honest),
                        Lie::Hides => assert_eq!(results, Vec::<String>::new()),
                        _ => assert!(results.len() <= 8, "{lie:?}: {results:?}"),
                    }
                }
                Err(error) => {
                    assert_eq!(
                        (lie, error.kind(), error.reason()),
                        (Lie::Refuses, ErrorKind::Memory, Reason::NoRoom)
                    );
                }
            }
        }
    }
}

/// Routes and twins in storages that lie: no panic, no list without an end, and not more than twice the entries.
#[test]
fn routes_in_lying_storages() {
    let mut source = [0; 64];
    source[..4].copy_from_slice(&[192, 0, 2, 9]);
    let route = vec![super::entry(0x2b, 16, [1; 64]), super::entry(1, 2, source)];
    let mut environment = crate::request::Environment::new();
    environment.af_ib = true;
    for (family, policy) in [
        (crate::types::Family::UNSPEC, Policy::MAN_PAGE),
        (crate::types::Family::IB, Policy::MAN_PAGE),
        (crate::types::Family::UNSPEC, Policy { addresses: crate::Addresses::All, ..Policy::LIBRDMACM }),
    ] {
        let hints = Hints::new().family(family);
        for lie in LIES {
            let mut storage = Liar::new(lie);
            for round in 0..2 {
                let mut driver = Driver::new(tcp(&["192.0.2.7:0", "[2001:db8::1]:0", "192.0.2.8:0"]));
                driver.route = route.clone();
                let request =
                    Request::new("storage-7", "7471", &hints).policy(policy).environment(environment);
                let outcome = driver.drive(start(request, &mut storage)).map(lines);
                assert!(driver.asked.len() <= 64, "{lie:?}, round {round}: {:?}", driver.asked);
                if let Ok((results, _)) = outcome {
                    assert!(results.len() <= 36, "{lie:?}: {results:?}");
                }
            }
        }
    }
}

/// A route hint that the storage says to keep, and does not, is no route.
#[test]
fn paths_that_are_not_there() {
    let route = [1; 144];
    let hints = Hints::new().route(&route);
    for lie in LIES {
        let mut storage = Liar::new(lie);
        let Step::Done(outcome) = start(Request::new(None, None, &hints).routes(false), &mut storage) else {
            panic!("nothing to ask");
        };
        for info in outcome.iter().flatten() {
            assert_eq!(info.route(), &[][..]);
        }
    }
}

/// A name with very many addresses about which there is nothing to ask takes no more stack than one with few.
#[test]
fn many_addresses_take_no_stack() {
    let count = if cfg!(miri) { 300 } else { 100_000 };
    let hints = Hints::new().passive();
    let mut storage = Liar::new(Lie::None);
    let address = super::found("192.0.2.7:0", crate::hints::Protocol::Tcp);
    let mut driver = Driver::new(Ok(vec![address; count]));
    let list = driver.drive(start(Request::new("storage-7", "7471", &hints), &mut storage)).unwrap();
    assert_eq!((list.len(), driver.asked.len()), (count, 1));
}

/// Sorting AF_IB entries out ends as well; there is none.
#[test]
fn only_af_ib_in_lying_storages() {
    let hints = Hints::new().family(crate::types::Family::IB);
    for lie in LIES {
        let mut storage = Liar::new(lie);
        let mut driver = Driver::new(tcp(&["192.0.2.7:0", "[2001:db8::1]:0", "192.0.2.8:0"]));
        let error = driver.drive(start(Request::new("storage-7", "7471", &hints), &mut storage)).unwrap_err();
        // Not that there was no room: with more there would be no AF_IB address either.
        let expected = (ErrorKind::AddrFamily, Reason::NoIbAddress);
        assert_eq!((error.kind(), error.reason()), expected, "{lie:?}");
    }
}
