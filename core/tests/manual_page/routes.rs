//! What is asked for a route (rules, section 8). Every script checks the request byte for byte.

use super::ibacm::{self, path_record};
use super::script::{NONE, Names, Route, hint, route, run, source, then};
use super::whole::{gid, ib, ip, list, on, to};
use rdma_addrinfo_core::{Flags, Hints, NoRoute, Request, RouteStatus};

/// The requests of this file by hand, so that the model that all scripts use is not alone.
#[test]
fn request_bytes_by_hand() {
    let header = |length: u16| {
        let mut bytes = vec![1, 1, 0, 0, 0, 0];
        bytes.extend(length.to_ne_bytes());
        bytes.extend(0x0123_4567_89ab_cdef_u64.to_ne_bytes());
        bytes
    };
    let words = |flags: u32, kind: u16| [&flags.to_ne_bytes()[..], &kind.to_ne_bytes(), &[0, 0]].concat();

    let question = Route::to(ip("192.0.2.7:7471")).no_delay();
    let expected = [header(88), words(0x4000_0002, 2), vec![192, 0, 2, 7], vec![0; 60]].concat();
    assert_eq!(ibacm::request(&question), expected);

    let question = Route::to(gid("fe80::7")).from(ip("192.0.2.9:1"));
    let mut expected = [header(160), words(1, 2), vec![192, 0, 2, 9], vec![0; 60], words(0, 16)].concat();
    expected.extend([0; 8]);
    expected.extend([0xfe, 0x80, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 7]);
    expected.extend([0; 40]);
    assert_eq!(ibacm::request(&question), expected);

    assert_eq!(ibacm::request(&Route::to(Vec::new())), header(16));
}

#[test]
fn each_address_is_asked_about() {
    let found = ["192.0.2.7:0", "[2001:db8::7]:0", "192.0.2.8:0"];
    let answered = ["192.0.2.7:7471", "[2001:db8::7]:7471", "192.0.2.8:7471"];
    let questions = answered.iter().flat_map(|at| [route(ip(at)), source(at, None)]).collect();
    let script = then(Names::node("storage-7").found(found), questions);
    let expected = list(answered.map(|address| to(ip(address))));
    assert_eq!(run(Request::new("storage-7", "7471", None), &script), expected);
}

#[test]
fn source_goes_before_the_destination() {
    for (src, dst) in [("192.0.2.9:5000", "192.0.2.7:7471"), ("[2001:db8::9]:5000", "[2001:db8::7]:7471")] {
        let hints = Hints::new().with_src_addr(hint(&ip(src))).with_dst_addr(hint(&ip(dst)));
        let script = [Route::to(ip(dst)).from(ip(src)).none()];
        assert_eq!(run(Request::new(NONE, NONE, &hints), &script), list([to(ip(dst)).from(ip(src))]));
    }
}

#[test]
fn scopes_are_not_sent() {
    let (src, dst) = ("[fe80::9%3]:0", "[fe80::7%3]:7471");
    let hints = Hints::new().with_src_addr(hint(&ip(src)));
    let asked = Route::to(ip(dst)).from(ip(src));
    let without = Route::to(ip("[fe80::7]:7471")).from(ip("[fe80::9]:0"));
    assert_eq!(ibacm::request(&asked), ibacm::request(&without));
    let expected = list([to(ip(dst)).from(ip(src))]);
    assert_eq!(run(Request::new("fe80::7%3", "7471", &hints), &[asked.none()]), expected);
}

#[test]
fn first_path_of_the_hint_goes_with_the_question() {
    let (one, two) = (path_record(1), path_record(2));
    let data = |record: &[u8; 64]| [vec![9; 8], record.to_vec()].concat();
    for bytes in [one.to_vec(), [one, two].concat(), data(&one), [data(&one), data(&two)].concat()] {
        let hints = Hints::new().with_route(&bytes);
        let dst = ip("192.0.2.7:7471");
        let asked = Route::to(dst.clone()).hint(&bytes);
        // The record itself, wherever it stands in the hint.
        assert_eq!(ibacm::request(&asked)[16 + 72 + 8..], one);
        let script = [asked.none(), source("192.0.2.7:7471", None)];
        assert_eq!(
            run(Request::new("192.0.2.7", "7471", &hints), &script),
            list([to(dst)]),
            "{}",
            bytes.len()
        );
    }
}

#[test]
fn af_ib_addresses_are_the_ends_of_the_path() {
    let (src, dst) = (gid("fe80::9"), gid("fe80::7"));
    // One end, the other, both; with a hint, whose ends are overwritten, and without.
    let record = path_record(1);
    for bytes in [&[][..], &record] {
        let hints = Hints::new().with_route(bytes);
        for (src, dst) in [(None, Some(&dst)), (Some(&src), None), (Some(&src), Some(&dst))] {
            let mut hints = hints;
            let mut asked = Route::to(Vec::new()).hint(bytes);
            let mut entry = to(dst.or(src).expect("an end").clone());
            entry.dst.clear();
            if let Some(src) = src {
                (hints, asked, entry) =
                    (hints.with_src_addr(hint(src)), asked.from(src.clone()), entry.from(src.clone()));
            }
            if let Some(dst) = dst {
                hints = hints.with_dst_addr(hint(dst));
                asked.destination.clone_from(dst);
                entry.dst.clone_from(dst);
            }
            assert_eq!(run(Request::new(NONE, NONE, &hints), &[asked.none()]), list([entry]));
        }
    }
}

/// RAI_NOROUTE asks all the same: a path that is known costs nothing.
#[test]
fn no_delay_is_said_with_the_destination_only() {
    for flags in [Flags::NO_ROUTE, Flags::NUMERIC_HOST, Flags::NO_ROUTE | Flags::NUMERIC_HOST] {
        let src = ip("192.0.2.9:0");
        let hints = Hints::new().with_flags(flags).with_src_addr(hint(&src));
        let asked = Route::to(ip("192.0.2.7:7471")).from(src.clone()).no_delay();
        let (from, to_) = (16..20, 16 + 72..16 + 76);
        assert_eq!(ibacm::request(&asked)[from], 1_u32.to_ne_bytes());
        assert_eq!(ibacm::request(&asked)[to_], 0x4000_0002_u32.to_ne_bytes());
        let expected = list([to(ip("192.0.2.7:7471")).from(src)]);
        assert_eq!(run(Request::new("192.0.2.7", "7471", &hints), &[asked.none()]), expected);

        // The entry of a path has no place for it.
        let dst = ib("fe80::7", 0xffff, 0, 0x0106_0000, 0xffff_ffff_ffff_0000, 0);
        let hints = Hints::new().with_flags(flags).with_dst_addr(hint(&dst));
        let asked = Route::to(dst.clone()).no_delay();
        assert_eq!(ibacm::request(&asked), ibacm::request(&Route::to(dst.clone())));
        assert_eq!(run(Request::new(NONE, NONE, &hints), &[asked.none()]), list([to(dst)]));
    }
}

#[test]
fn passive_and_switched_off_ask_nothing() {
    let hints = Hints::new().passive();
    let record = path_record(1);
    let expected = list([on(ip("192.0.2.7:7471"))]);
    assert_eq!(run(Request::new("192.0.2.7", "7471", &hints), &[]), expected);
    let hints = hints.with_route(&record);
    assert_eq!(run(Request::new("192.0.2.7", "7471", &hints), &[]), expected);

    let hints = Hints::new().with_route(&record);
    let request = Request::new("192.0.2.7", "7471", &hints).with_routes(false);
    let expected = list([to(ip("192.0.2.7:7471")).route_status(RouteStatus::NotAsked)]);
    assert_eq!(run(request, &[source("192.0.2.7:7471", None)]), expected);
}

/// A route that the hints are made of is not asked about, but a source with a hint is.
#[test]
fn source_alone_is_asked_about() {
    let src = ip("192.0.2.9:5000");
    let record = path_record(1);
    for bytes in [&[][..], &record] {
        let hints = Hints::new().with_src_addr(hint(&src)).with_route(bytes);
        let asked = Route::to(Vec::new()).from(src.clone()).hint(bytes);
        let mut entry = to(src.clone()).from(src.clone());
        entry.dst.clear();
        let script = [super::script::Line::Route(asked, NoRoute::TimedOut)];
        let expected = list([entry.route_status(RouteStatus::Missing(NoRoute::TimedOut))]);
        assert_eq!(run(Request::new(NONE, NONE, &hints), &script), expected);
    }
}
