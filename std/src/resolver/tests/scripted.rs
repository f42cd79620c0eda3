//! One script of answers leads the steps by hand and the resolver's driver to equal lists.

use super::script::{Answer, Script, names, play, replied, route, scope, service_id, service_name, source};
use rdma_addrinfo_core::{
    Addresses, Error, ErrorKind, Family, Flags, Gid, Hints, Location, NoRoute, Pkey, Policy, Protocol,
    Protocol::Any, Protocol::Tcp, Protocol::Udp, Reason, Request, RouteStatus, ServiceId, ServiceRecord,
    Text, acm::Status,
};
use std::ffi::CStr;

/// A request, its script, and the lines of its list.
fn lists(request: Request<'_>, script: &Script, lines: &[&str]) {
    let (entries, truncated) = play(request, script).unwrap();
    let found: Vec<_> = entries.iter().map(|entry| entry.line.as_str()).collect();
    assert_eq!((found.as_slice(), truncated), (lines, false));
}

fn fails(request: Request<'_>, script: &Script, error: Error) {
    assert_eq!(play(request, script), Err(error));
}

fn hints(text: &str) -> Hints<'static> {
    Hints::parse(text).unwrap()
}

/// Asks for route and source of each of these.
fn walk(ends: &[(&str, Option<&str>)]) -> Script {
    ends.iter().flat_map(|(to, from)| [route(to), source(to, *from)]).collect()
}

fn then(first: impl IntoIterator<Item = (super::script::Question, Answer)>, rest: Script) -> Script {
    first.into_iter().chain(rest).collect()
}

#[test]
fn literals_ask_for_route_and_source() {
    lists(
        Request::new("192.0.2.7", "7471", None),
        &walk(&[("192.0.2.7:7471", Some("192.0.2.9:4711"))]),
        &["inet rc/tcp 192.0.2.9 -> 192.0.2.7:7471"],
    );
    lists(
        Request::new("2001:db8::7", None, None),
        &vec![route("2001:db8::7"), source("[2001:db8::7]:0", None)],
        &["inet6 rc/tcp * -> 2001:db8::7"],
    );
    // A source of the other family is none.
    lists(
        Request::new("2001:db8::7", "1", None),
        &vec![route("[2001:db8::7]:1"), source("[2001:db8::7]:1", Some("192.0.2.9:0"))],
        &["inet6 rc/tcp * -> [2001:db8::7]:1"],
    );
    lists(
        Request::new(None, "7471", None),
        &walk(&[("[::1]:7471", Some("[::1]:0")), ("127.0.0.1:7471", Some("127.0.0.1:0"))]),
        &["inet6 rc/tcp ::1 -> [::1]:7471", "inet rc/tcp 127.0.0.1 -> 127.0.0.1:7471"],
    );
}

#[test]
fn what_needs_no_answer_asks_nothing() {
    let passive = hints("passive");
    let request = Request::new(None, "7471", &passive);
    lists(
        request,
        &vec![],
        &["inet6 rc/tcp [::]:7471 -> * passive", "inet rc/tcp 0.0.0.0:7471 -> * passive"],
    );
    let no_source = Policy { discover_source: false, ..Policy::MAN_PAGE };
    let request = Request::new("192.0.2.7", "7471", None).with_policy(no_source).with_routes(false);
    lists(request, &vec![], &["inet rc/tcp * -> 192.0.2.7:7471"]);
    let error = Error::new(ErrorKind::NoName).because(Reason::ShortForm).at(Location::Node(5));
    fails(Request::new("127.1", "7471", None), &vec![], error);
    let error = Error::new(ErrorKind::NoName).because(Reason::NothingAsked);
    fails(Request::new(None, None, None), &vec![], error);
}

const BOTH: [(&str, Protocol); 3] =
    [("[2001:db8::1]:0", Tcp), ("192.0.2.1:0", Tcp), ("[2001:db8::2]:0", Tcp)];

#[test]
fn every_address_of_a_name_in_its_order() {
    let asked = || names(Some("storage-7"), None).found(&BOTH);
    let request = Request::new("storage-7", "7471", None);
    let ends = [
        ("[2001:db8::1]:7471", Some("[2001:db8::9]:0")),
        ("192.0.2.1:7471", None),
        ("[2001:db8::2]:7471", Some("[2001:db8::9]:0")),
    ];
    lists(
        request,
        &then([asked()], walk(&ends)),
        &[
            "inet6 rc/tcp 2001:db8::9 -> [2001:db8::1]:7471",
            "inet rc/tcp * -> 192.0.2.1:7471",
            "inet6 rc/tcp 2001:db8::9 -> [2001:db8::2]:7471",
        ],
    );
    let first = request.with_policy(Policy { addresses: Addresses::First, ..Policy::MAN_PAGE });
    lists(first, &then([asked()], walk(&ends[..1])), &["inet6 rc/tcp 2001:db8::9 -> [2001:db8::1]:7471"]);
    // The C library's rules: the first, no source.
    lists(
        request.with_policy(Policy::LIBRDMACM),
        &vec![asked(), route("[2001:db8::1]:7471")],
        &["inet6 rc/tcp * -> [2001:db8::1]:7471"],
    );
}

#[test]
fn a_family_asked_for_is_looked_up_and_kept() {
    let inet = hints("family=inet");
    let request = Request::new("storage-7", "7471", &inet);
    let asked = || names(Some("storage-7"), None).family(Family::INET);
    // Whatever else the name service answers does not count.
    lists(
        request,
        &then([asked().found(&BOTH)], walk(&[("192.0.2.1:7471", None)])),
        &["inet rc/tcp * -> 192.0.2.1:7471"],
    );
    let other = Error::new(ErrorKind::AddrFamily).because(Reason::NameOfOtherFamily).at(Location::Node(0));
    let again = || names(Some("storage-7"), None);
    for kind in [ErrorKind::NoName, ErrorKind::NoData, ErrorKind::AddrFamily] {
        // Nothing of the family: a second lookup tells whether there is anything else.
        fails(request, &vec![asked().fails(kind), again().found(&BOTH)], other);
        fails(request, &vec![asked().fails(kind), again().fails(ErrorKind::NoName)], kind.into());
        fails(request, &vec![asked().fails(kind), again().fails(ErrorKind::Again)], ErrorKind::Again.into());
        fails(request, &vec![asked().fails(kind), again().found(&[])], kind.into());
        fails(request.with_policy(Policy::LIBRDMACM), &vec![asked().fails(kind)], kind.into());
    }
    let none = Error::new(ErrorKind::NoData).because(Reason::NoAddress).at(Location::Node(0));
    fails(request, &vec![asked().found(&[]), again().found(&BOTH)], other);
    fails(request, &vec![asked().found(&[]), again().found(&[])], none);
    fails(request, &vec![asked().found(&[BOTH[0]]), again().found(&BOTH)], other);
}

#[test]
fn failures_are_handed_on() {
    let request = Request::new("storage-7", "7471", None);
    let asked = || names(Some("storage-7"), None);
    let errors = [
        Error::new(ErrorKind::NoName),
        Error::new(ErrorKind::Again),
        Error::new(ErrorKind::Fail),
        Error::new(ErrorKind::TimedOut),
        Error::new(ErrorKind::Memory),
        Error::system(5),
        Error::from_getaddrinfo(-12, 0),
    ];
    for error in errors {
        fails(request, &vec![asked().fails(error)], error);
        fails(request.with_policy(Policy::LIBRDMACM), &vec![asked().fails(error)], error);
        // With a family asked for, only a name that is not there is worth another question.
        if error.kind() != ErrorKind::NoName {
            let inet6 = hints("family=inet6");
            let request = Request::new("storage-7", "7471", &inet6);
            fails(request, &vec![asked().family(Family::INET6).fails(error)], error);
        }
    }
    let none = Error::new(ErrorKind::NoData).because(Reason::NoAddress).at(Location::Node(0));
    fails(request, &vec![asked().found(&[])], none);
}

#[test]
fn services_are_looked_up_for_the_protocol_of_the_transport() {
    let any = || names(None, Some("storage")).protocol(Any);
    lists(
        Request::new("192.0.2.7", "storage", None),
        &then([any().found(&[("[::1]:4000", Udp)])], walk(&[("192.0.2.7:4000", None)])),
        &["inet ud/udp * -> 192.0.2.7:4000"],
    );
    lists(
        Request::new("192.0.2.7", "storage", None),
        &then([any().found(&[("[::1]:4001", Tcp), ("[::1]:4000", Udp)])], walk(&[("192.0.2.7:4001", None)])),
        &["inet rc/tcp * -> 192.0.2.7:4001"],
    );
    let ud = hints("qp=ud");
    let udp = || names(None, Some("storage")).protocol(Udp);
    lists(
        Request::new("192.0.2.7", "storage", &ud),
        &then([udp().found(&[("[::1]:4001", Tcp), ("[::1]:4000", Udp)])], walk(&[("192.0.2.7:4000", None)])),
        &["inet ud/udp * -> 192.0.2.7:4000"],
    );
    let error = Error::new(ErrorKind::Service).at(Location::Service(0));
    fails(Request::new("192.0.2.7", "storage", &ud), &vec![udp().found(&[("[::1]:4001", Tcp)])], error);
    fails(
        Request::new("192.0.2.7", "storage", &ud),
        &vec![udp().fails(ErrorKind::Service)],
        ErrorKind::Service.into(),
    );
    // With a name, both in one question; one protocol holds for all: TCP if any address is known for it.
    let both = || names(Some("storage-7"), Some("storage")).protocol(Any);
    lists(
        Request::new("storage-7", "storage", None),
        &then(
            [both().found(&[("192.0.2.1:4000", Udp), ("192.0.2.1:4001", Tcp), ("192.0.2.2:4000", Udp)])],
            walk(&[("192.0.2.1:4001", None)]),
        ),
        &["inet rc/tcp * -> 192.0.2.1:4001"],
    );
    lists(
        Request::new("storage-7", "storage", None),
        &then(
            [both().found(&[("192.0.2.1:4000", Udp), ("192.0.2.2:4000", Udp)])],
            walk(&[("192.0.2.1:4000", None), ("192.0.2.2:4000", None)]),
        ),
        &["inet ud/udp * -> 192.0.2.1:4000", "inet ud/udp * -> 192.0.2.2:4000"],
    );
}

#[test]
fn zones_are_found_before_route_and_source() {
    let request = Request::new("fe80::1%ib0", "7471", None);
    lists(
        request,
        &then([scope("ib0", Some(5))], walk(&[("[fe80::1%5]:7471", Some("[fe80::2%5]:0"))])),
        &["inet6 rc/tcp fe80::2%5 -> [fe80::1%5]:7471"],
    );
    let error = Error::new(ErrorKind::NoName).because(Reason::NoSuchZone).at(Location::Node(8));
    fails(request, &vec![scope("ib0", None)], error);
    fails(request, &vec![scope("ib0", Some(0))], error);
    // The service first, then the zone.
    let service = names(None, Some("storage")).protocol(Any).found(&[("[::1]:4000", Udp)]);
    lists(
        Request::new("fe80::1%ib0", "storage", None),
        &then([service, scope("ib0", Some(5))], walk(&[("[fe80::1%5]:4000", None)])),
        &["inet6 ud/udp * -> [fe80::1%5]:4000"],
    );
}

#[test]
fn canonical_names_go_to_the_side_that_was_asked_for() {
    fn named(request: Request<'_>, script: &Script) -> Vec<[Option<String>; 2]> {
        let text = |name: Option<std::ffi::CString>| name.map(|name| name.into_string().unwrap());
        let (entries, _) = play(request.with_canonical_names(true), script).unwrap();
        entries.into_iter().map(|entry| [text(entry.names.0), text(entry.names.1)]).collect()
    }
    const CANONICAL: &CStr = c"storage-7.example";
    let canonical = || Some(CANONICAL.to_str().unwrap().to_owned());
    let two = [("192.0.2.1:0", Tcp), ("192.0.2.2:0", Tcp)];
    let ends = walk(&[("192.0.2.1:1", None), ("192.0.2.2:1", None)]);
    let asked = || names(Some("storage-7"), None).canonical();
    assert_eq!(
        named(Request::new("storage-7", "1", None), &then([asked().found_as(CANONICAL, &two)], ends.clone())),
        [[None, canonical()], [None, canonical()]]
    );
    assert_eq!(
        named(Request::new("storage-7", "1", None), &then([asked().found(&two)], ends)),
        [[None, None], [None, None]]
    );
    let passive = hints("passive");
    assert_eq!(
        named(
            Request::new("storage-7", "1", &passive),
            &vec![asked().passive().found_as(CANONICAL, &two[..1])]
        ),
        [[canonical(), None]]
    );
    // Not asked for, not kept, whoever answers with one.
    let script =
        then([names(Some("storage-7"), None).found_as(CANONICAL, &two[..1])], walk(&[("192.0.2.1:1", None)]));
    let (entries, _) = play(Request::new("storage-7", "1", None), &script).unwrap();
    assert_eq!(entries[0].names, (None, None));
}

#[test]
fn what_became_of_the_route_is_kept() {
    for status in [NoRoute::Unavailable, NoRoute::TimedOut] {
        let (question, _) = route("192.0.2.7:1");
        let script = vec![(question, Answer::NoRoute(status)), source("192.0.2.7:1", None)];
        let (entries, _) = play(Request::new("192.0.2.7", "1", None), &script).unwrap();
        assert_eq!(entries[0].route_status, RouteStatus::Missing(status));
    }
    let script = vec![source("192.0.2.7:1", None)];
    let (entries, _) = play(Request::new("192.0.2.7", "1", None).with_routes(false), &script).unwrap();
    assert_eq!(entries[0].route_status, RouteStatus::NotAsked);
}

#[test]
fn replies_of_ibacm_are_handed_on() {
    let script = vec![replied("192.0.2.7:1", Status::OK, Some(7)), source("192.0.2.7:1", None)];
    lists(Request::new("192.0.2.7", "1", None), &script, &["inet rc/tcp * -> 192.0.2.7:1 (1 path)"]);
    for (status, path, reason) in [
        (Status::EDESTADDR, None, NoRoute::Refused(Status::EDESTADDR)),
        (Status::ENODATA, Some(7), NoRoute::Refused(Status::ENODATA)),
        (Status::OK, None, NoRoute::NoPath),
    ] {
        let script = vec![replied("192.0.2.7:1", status, path), source("192.0.2.7:1", None)];
        let (entries, _) = play(Request::new("192.0.2.7", "1", None), &script).unwrap();
        assert_eq!(entries[0].route_status, RouteStatus::Missing(reason));
    }
}

#[test]
fn forms_of_the_c_library() {
    let request = Request::new("127.1", "70000", None).with_policy(Policy::LIBRDMACM);
    lists(request, &vec![route("127.0.0.1:4464")], &["inet rc/tcp * -> 127.0.0.1:4464"]);
    let request = Request::new("*", "-1", None).with_policy(Policy::LIBRDMACM);
    let asked = names(None, Some("-1")).protocol(Any);
    fails(request, &vec![asked.fails(ErrorKind::Service)], ErrorKind::Service.into());
    let request = Request::new(Text::NONE, "1", None).with_policy(Policy::LIBRDMACM);
    lists(request, &vec![route("[::1]:1")], &["inet6 rc/tcp * -> [::1]:1"]);
}

#[test]
fn records_of_a_service_are_the_whole_list() {
    let hints = Hints::new().with_flags(Flags::SA);
    let port = Gid::from_bits(0xfe80 << 112 | 1);
    let record = |last: u8| ServiceRecord {
        gid: Gid::from_bits(0xfe80 << 112 | u128::from(last)),
        pkey: Pkey::from_raw(0x8001),
        id: ServiceId::from_raw(0x1000_0000_0000_0000 | u64::from(last)),
    };
    for (service, asked) in [("0x7", service_id(7)), ("storage", service_name("storage"))] {
        let request = Request::new(None, service, &hints);
        let script = vec![(asked.clone(), Answer::Records(port, vec![record(2), record(3)]))];
        let (entries, truncated) = play(request, &script).unwrap();
        let line = |last: u8| {
            let own = "ib:fe80::1/pkey=0x8001/sid=0x13f0000/mask=0xffffffffffff0000";
            let sid = format!("sid=0x100000000000000{last}/mask=0xffffffffffffffff");
            format!("ib any/ib {own} -> ib:fe80::{last}/pkey=0x8001/{sid} sa")
        };
        let found: Vec<_> = entries.iter().map(|entry| entry.line.clone()).collect();
        assert_eq!((found, truncated), (vec![line(2), line(3)], false));
        let none = Error::new(ErrorKind::Service).because(Reason::NoServiceRecord).at(Location::Service(0));
        fails(request, &vec![(asked.clone(), Answer::Records(port, Vec::new()))], none);
        let silent = Error::new(ErrorKind::TimedOut).because(Reason::SaSilent);
        fails(request, &vec![asked.fails(silent)], silent);
    }
}
