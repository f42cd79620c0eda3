//! What a reply to the question for a route adds to an entry (rules, section 8).

use super::ibacm::{self, path};
use super::script::{Line, NONE, Names, Route, hint, run, run_in, source};
use super::whole::{gid, ip, list, to, truncated};
use rdma_addrinfo_core::acm::{Reply, ReplyError, Status};
use rdma_addrinfo_core::{Hints, NoRoute, Request, Results, RouteStatus, Step, start};

const V4: &str = "192.0.2.7:7471";
const V6: &str = "[2001:db8::7]:7471";

fn v4() -> Request<'static> {
    Request::new("192.0.2.7", "7471", None)
}

#[test]
fn all_paths_in_their_order_are_the_route() {
    let paths: Vec<_> = (1..=7).map(path).collect();
    let src = ibacm::source("192.0.2.9");
    let unknown = ibacm::entry(1, 0x77, &[7; 64]);
    let from = ip("192.0.2.9:0");
    let [(one, first), (two, second), (three, third), ..] = paths[..] else { panic!("seven paths") };
    // Wherever they stand, and whatever stands between.
    for entries in [
        [one, two, three, src, unknown],
        [src, one, unknown, two, three],
        [one, src, two, unknown, three],
        [unknown, one, two, src, three],
    ] {
        let expected = list([to(ip(V4)).from(from.clone()).along([first, second, third])]);
        assert_eq!(run(v4(), &[Route::to(ip(V4)).finds(entries)]), expected);
    }
    let mut entries = [src; 8];
    let mut data = [[0; 72]; 7];
    for (at, (entry, path)) in paths.iter().enumerate() {
        (entries[at + 1], data[at]) = (*entry, *path);
    }
    let expected = list([to(ip(V4)).from(from).along(data)]);
    assert_eq!(run(v4(), &[Route::to(ip(V4)).finds(entries)]), expected);
}

/// What a real daemon answers for an IP address.
#[test]
fn source_of_the_reply_has_port_0() {
    let (entry, data) = path(1);
    for (literal, dst, src, from) in [
        ("192.0.2.7", V4, "192.0.2.9", "192.0.2.9:0"),
        ("2001:db8::7", V6, "[2001:db8::9]", "[2001:db8::9]:0"),
    ] {
        let script = [Route::to(ip(dst)).finds([entry, ibacm::source(src)])];
        let expected = list([to(ip(dst)).from(ip(from)).along([data])]);
        assert_eq!(run(Request::new(literal, "7471", None), &script), expected);
    }
}

#[test]
fn source_is_the_first_of_the_destinations_family() {
    let (entry, data) = path(1);
    let [a, b, other] = ["192.0.2.9", "192.0.2.10", "[2001:db8::9]"].map(ibacm::source);
    for entries in [[other, a, entry, b], [entry, other, a, b], [a, b, other, entry]] {
        let expected = list([to(ip(V4)).from(ip("192.0.2.9:0")).along([data])]);
        assert_eq!(run(v4(), &[Route::to(ip(V4)).finds(entries)]), expected);
    }
}

/// Another family, an address that is not said to be the source, a name: then the kernel is asked.
#[test]
fn what_is_no_source_of_that_family_leaves_the_kernel_to_be_asked() {
    let (entry, data) = path(1);
    for no_source in [
        ibacm::source("[2001:db8::9]"),
        ibacm::entry(2, 2, &[192, 0, 2, 9]),
        ibacm::entry(1, 1, b"host-a"),
        ibacm::entry(1, 1, &[b'x'; 64]),
        ibacm::entry(1, 0, &[192, 0, 2, 9]),
    ] {
        let script = [Route::to(ip(V4)).finds([no_source, entry]), source(V4, Some("192.0.2.8:9"))];
        let expected = list([to(ip(V4)).from(ip("192.0.2.8:0")).along([data])]);
        assert_eq!(run(v4(), &script), expected);
    }
}

#[test]
fn source_hint_stays() {
    let src = ip("192.0.2.9:5000");
    let hints = Hints::new().with_src_addr(hint(&src));
    let (entry, data) = path(1);
    let script = [Route::to(ip(V4)).from(src.clone()).finds([ibacm::source("192.0.2.10"), entry])];
    let expected = list([to(ip(V4)).from(src).along([data])]);
    assert_eq!(run(Request::new("192.0.2.7", "7471", &hints), &script), expected);
}

#[test]
fn af_ib_destination_takes_no_ip_source() {
    let (entry, data) = path(1);
    let dst = gid("fe80::7");
    let hints = Hints::new().with_dst_addr(hint(&dst));
    let script = [Route::to(dst.clone()).finds([ibacm::source("192.0.2.9"), entry])];
    assert_eq!(run(Request::new(NONE, NONE, &hints), &script), list([to(dst).along([data])]));
}

#[test]
fn source_without_a_path_is_taken() {
    let script = [Route::to(ip(V4)).finds([ibacm::source("192.0.2.9")])];
    let expected = to(ip(V4)).from(ip("192.0.2.9:0")).route_status(RouteStatus::Missing(NoRoute::NoPath));
    assert_eq!(run(v4(), &script), list([expected]));

    let script = [Route::to(ip(V4)).finds([]), source(V4, None)];
    let expected = to(ip(V4)).route_status(RouteStatus::Missing(NoRoute::NoPath));
    assert_eq!(run(v4(), &script), list([expected]));
}

/// Nothing of a refusal is taken but the status.
#[test]
fn error_status_is_no_route() {
    let entries = vec![path(1).0, ibacm::source("192.0.2.9")];
    for status in 1..=255 {
        for entries in [vec![], entries.clone()] {
            let script = [Line::Reply(Route::to(ip(V4)), status, entries), source(V4, None)];
            let reason = NoRoute::Refused(Status::from_raw(status));
            let expected = to(ip(V4)).route_status(RouteStatus::Missing(reason));
            assert_eq!(run(v4(), &script), list([expected]));
        }
    }
    assert_eq!(RouteStatus::Missing(NoRoute::Refused(Status::ENODATA)).to_string(), "refused: ENODATA");
}

#[test]
fn reason_without_a_reply_is_kept() {
    let invalid: ReplyError = Reply::from_bytes(&[1, 1, 0], ibacm::ID).expect_err("cut short");
    let reasons = [
        (NoRoute::Unavailable, "no ibacm"),
        (NoRoute::CouldNotAsk, "could-not-ask: no descriptor or memory, or an unreadable port file"),
        (NoRoute::TimedOut, "timed-out"),
        (NoRoute::Disconnected, "disconnected"),
        (NoRoute::InvalidReply(invalid), "invalid-reply: it is cut short (byte 3)"),
    ];
    for (reason, text) in reasons {
        let status = RouteStatus::Missing(reason);
        let script = [Line::Route(Route::to(ip(V4)), reason), source(V4, None)];
        assert_eq!(run(v4(), &script), list([to(ip(V4)).route_status(status)]));
        assert_eq!((status.to_string(), reason.to_string()), (text.into(), text.into()));
        assert!(text.starts_with(status.name()) || reason == NoRoute::Unavailable);
    }
}

/// Each address gets the answer to its own question.
#[test]
fn each_address_has_its_own_route() {
    let names = Names::node("storage-7").found(["192.0.2.7:0", "[2001:db8::7]:0", "192.0.2.8:0"]);
    let ((one, first), (two, second)) = (path(1), path(2));
    let script = [
        names,
        Route::to(ip(V4)).finds([one, ibacm::source("192.0.2.9")]),
        Line::Reply(Route::to(ip(V6)), 9, vec![]),
        source(V6, None),
        Route::to(ip("192.0.2.8:7471")).finds([ibacm::source("192.0.2.10"), two, one]),
    ];
    let refused = RouteStatus::Missing(NoRoute::Refused(Status::EDESTADDR));
    let expected = list([
        to(ip(V4)).from(ip("192.0.2.9:0")).along([first]),
        to(ip(V6)).route_status(refused),
        to(ip("192.0.2.8:7471")).from(ip("192.0.2.10:0")).along([second, first]),
    ]);
    assert_eq!(run(Request::new("storage-7", "7471", None), &script), expected);
}

/// Eight paths fit; of the next address not one, so that all are left out, and the list says so.
#[test]
fn paths_that_do_not_fit_truncate() {
    let names = Names::node("storage-7").found(["192.0.2.7:0", "192.0.2.8:0"]);
    let ((one, first), (two, _)) = (path(1), path(2));
    let src = ibacm::source("192.0.2.9");
    let script = [
        names,
        Route::to(ip(V4)).finds([src, one, one, one, one, one, one, one]),
        Route::to(ip("192.0.2.8:7471")).finds([src, two, two]),
    ];
    let from = ip("192.0.2.9:0");
    let expected = truncated([
        to(ip(V4)).from(from.clone()).along([first; 7]),
        to(ip("192.0.2.8:7471")).from(from).route_status(RouteStatus::Missing(NoRoute::NoRoom)),
    ]);
    assert_eq!(run_in::<8>(Request::new("storage-7", "7471", None), &script), expected);
}

/// The reply itself is not needed any more when the step is answered.
#[test]
fn reply_is_not_borrowed() {
    let mut results = Results::<1>::new();
    let Step::FindRoute(ask) = start(v4(), &mut results) else { panic!("a route is asked for") };
    let step = {
        let reply = ibacm::reply(0, &[path(1).0, ibacm::source("192.0.2.9")]);
        ask.answer(&reply)
    };
    let Step::Done(Ok(list)) = step else { panic!("nothing is left to ask") };
    assert_eq!(list.first().map(|info| info.route().len()), Some(1));
}
