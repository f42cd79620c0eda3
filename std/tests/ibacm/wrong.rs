//! Replies that are wrong, and daemons that hang up: the call has no route and says why, and the next has its own.

use super::daemon::{Act, Daemon, ENTRY, HEADER, KINDS, Kind, address, ask, set_length};
use rdma_addrinfo::NoRoute;
use rdma_addrinfo::acm::{ReplyErrorKind, Status};
use std::thread;
use std::time::Duration;

/// What a call with this act is told.
fn cases() -> Vec<(&'static str, Act, Result<(), NoRoute>)> {
    vec![
        ("right", Act::Right, Ok(())),
        ("later", Act::Late(Duration::from_millis(100)), Ok(())),
        ("a byte at a time", Act::Dribble, Ok(())),
        ("twice at once", Act::Twice, Ok(())),
        ("and hangs up", Act::LastWords, Ok(())),
        ("with a byte behind it", Act::Changed(|reply| reply.push(0)), Ok(())),
        ("of the provider", Act::Changed(|reply| reply[1] = 0x81), Ok(())),
        ("status", Act::Changed(|reply| reply[2] = 8), Err(NoRoute::Refused(Status::ESRCTYPE))),
        ("a header alone", Act::Changed(|reply| shorten(reply, HEADER)), Err(NoRoute::NoPath)),
        ("unknown types", Act::Changed(|reply| reply[HEADER + 4..][..2].fill(0xee)), Err(NoRoute::NoPath)),
        ("eight entries", Act::Changed(|reply| unknown_behind(reply, 7)), Ok(())),
        ("a name that does not end", Act::Changed(name_behind), Ok(())),
        ("hangs up", Act::Cut(0), Err(NoRoute::Disconnected)),
    ]
}

/// What a call with this act is told, where a reply is invalid: its offset and what is wrong.
fn invalid() -> Vec<(&'static str, Act, usize, ReplyErrorKind)> {
    vec![
        ("version", Act::Changed(|reply| reply[0] = 2), 0, ReplyErrorKind::Version(2)),
        ("opcode", Act::Changed(|reply| reply[1] = 3), 1, ReplyErrorKind::Opcode(3)),
        ("id", Act::Changed(|reply| reply[15] ^= 1), 8, ReplyErrorKind::TransactionId),
        ("no id", Act::Changed(|reply| reply[8..16].fill(0)), 8, ReplyErrorKind::TransactionId),
        ("previous", Act::Previous, 8, ReplyErrorKind::TransactionId),
        ("too small", Act::Changed(|reply| tell(reply, 15)), 6, ReplyErrorKind::Length(15)),
        ("no length", Act::Changed(|reply| tell(reply, 0)), 6, ReplyErrorKind::Length(0)),
        ("too large", Act::Changed(|reply| tell(reply, u16::MAX)), 6, ReplyErrorKind::Length(u16::MAX)),
        ("no multiple", Act::Changed(|reply| tell(reply, 89)), 6, ReplyErrorKind::Length(89)),
        ("nine entries", Act::Changed(|reply| unknown_behind(reply, 8)), 6, ReplyErrorKind::Length(664)),
        ("cut in the header", Act::Cut(1), 1, ReplyErrorKind::CutShort),
        ("cut behind the header", Act::Cut(16), 16, ReplyErrorKind::CutShort),
        ("cut before the end", Act::Cut(87), 87, ReplyErrorKind::CutShort),
    ]
}

fn tell(reply: &mut [u8], length: u16) {
    reply[6..8].copy_from_slice(&length.to_ne_bytes());
}

fn shorten(reply: &mut Vec<u8>, len: usize) {
    reply.truncate(len);
    set_length(reply);
}

fn unknown_behind(reply: &mut Vec<u8>, entries: usize) {
    reply.extend(vec![0xee; entries * ENTRY]);
    set_length(reply);
}

fn name_behind(reply: &mut Vec<u8>) {
    let mut entry = [b'x'; ENTRY];
    entry[..8].copy_from_slice(&[1, 0, 0, 0, 0, 0, 0, 0]);
    entry[4..6].copy_from_slice(&1_u16.to_ne_bytes());
    reply.extend(entry);
    set_length(reply);
}

/// What is told of an act; of the fields of an invalid reply, those that are public.
#[track_caller]
fn check(
    what: &str,
    told: Result<(), NoRoute>,
    expected: Result<(), NoRoute>,
    fault: Option<(usize, ReplyErrorKind)>,
) {
    match (told, fault) {
        (Err(NoRoute::InvalidReply(invalid)), Some(fault)) => {
            assert_eq!((invalid.offset(), invalid.kind()), fault, "{what}");
        }
        _ => assert_eq!((told, None), (expected, fault), "{what}"),
    }
}

fn each_case(kind: Kind, name: &str) {
    let daemon = Daemon::start(name, kind);
    let resolver = daemon.resolver();
    let valid = cases().into_iter().map(|(what, act, expected)| (what, act, expected, None));
    let invalid =
        invalid().into_iter().map(|(what, act, offset, fault)| (what, act, Ok(()), Some((offset, fault))));
    let mut number = 0;
    let mut next = || {
        number += 1;
        address(number)
    };
    for (what, act, expected, fault) in valid.chain(invalid) {
        // On a connection that is kept, if any is: a wrong reply may be its fault, so a new one is asked too.
        let found = fault.is_none() && expected != Err(NoRoute::Disconnected);
        assert_eq!(ask(&resolver, next()), Ok(()), "before {what}");
        daemon.script(&[act.clone(), Act::Right, Act::Right]);
        let requests = daemon.requests();
        check(what, ask(&resolver, next()), if found { expected } else { Ok(()) }, None);
        assert_eq!(daemon.requests() - requests, if found { 1 } else { 2 }, "{what}");
        assert_eq!(ask(&resolver, next()), Ok(()), "after {what}");

        // The new one too.
        daemon.script(&[act.clone(), act.clone(), Act::Right]);
        check(what, ask(&resolver, next()), expected, fault);
        // Whatever is left of the script.
        daemon.script(&[]);
        for _ in 0..3 {
            assert_eq!(ask(&resolver, next()), Ok(()), "after {what}, twice");
        }
    }
}

#[test]
fn on_unix_sockets() {
    each_case(Kind::Unix, "wrong");
}

#[test]
fn over_tcp() {
    each_case(Kind::Tcp, "wrong");
}

#[test]
fn a_reply_that_comes_after_its_call_is_nobodys() {
    for kind in KINDS {
        let daemon = Daemon::start("late", kind);
        let hasty = daemon.resolver().with_deadline(Duration::from_millis(100));
        for round in 0..3 {
            daemon.script(&[Act::Late(Duration::from_millis(200))]);
            assert_eq!(ask(&hasty, address(2 * round)), Err(NoRoute::TimedOut));
            daemon.script(&[]);
            assert_eq!(ask(&daemon.resolver(), address(2 * round + 1)), Ok(()));
            thread::sleep(Duration::from_millis(200));
            assert_eq!(ask(&daemon.resolver(), address(100 + round)), Ok(()));
        }
    }
}

#[test]
fn what_comes_unasked_is_no_reply() {
    for kind in KINDS {
        let daemon = Daemon::start("unasked", kind);
        let resolver = daemon.resolver();
        // While the connection is kept: the next call is told by it, and asks on a new one.
        for round in 0..5 {
            daemon.script(&[Act::Again]);
            assert_eq!(ask(&resolver, address(2 * round)), Ok(()));
            thread::sleep(Duration::from_millis(60));
            assert_eq!(ask(&resolver, address(2 * round + 1)), Ok(()));
        }
        // Of those that were hung up, some had more to hear.
        assert!(daemon.requests() >= 10 && daemon.connections() > 1, "{kind:?}");
    }
}

#[test]
fn who_says_too_much_is_not_asked_again_on_that_connection() {
    let daemon = Daemon::start("too-much", Kind::Unix);
    daemon.otherwise(|_| Act::Twice);
    for number in 0..20 {
        assert_eq!(ask(&daemon.resolver(), address(number)), Ok(()));
    }
    assert_eq!((daemon.connections(), daemon.requests()), (20, 20));
}
