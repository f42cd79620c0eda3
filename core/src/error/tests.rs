//! Tests of the room: every code of C in and out, and the messages.

use super::{CCode, Error, ErrorKind, Field, Location, Reason};
use std::collections::BTreeSet;
use std::format;
use std::string::{String, ToString};

/// Every EAI code with a kind of its own.
const EAI: [(i32, ErrorKind); 10] = [
    (-1, ErrorKind::BadFlags),
    (-2, ErrorKind::NoName),
    (-3, ErrorKind::Again),
    (-4, ErrorKind::Fail),
    (-5, ErrorKind::NoData),
    (-6, ErrorKind::Family),
    (-7, ErrorKind::QpType),
    (-8, ErrorKind::Service),
    (-9, ErrorKind::AddrFamily),
    (-10, ErrorKind::Memory),
];

/// Every `errno` with a kind of its own.
const ERRNO: [(i32, ErrorKind); 5] = [
    (12, ErrorKind::Memory),
    (19, ErrorKind::NoDevice),
    (22, ErrorKind::Invalid),
    (95, ErrorKind::NotSupported),
    (110, ErrorKind::TimedOut),
];

/// Errors decoded from C say a kind and nothing else, and give the code back.
fn check(error: Error, kind: ErrorKind, code: CCode) {
    assert_eq!((error.kind(), error.to_c()), (kind, code));
    assert_eq!((error.reason(), error.location()), (Reason::Unspecified, Location::Nowhere));
    match code {
        CCode::Eai(eai) => assert_eq!((error.code(), error.errno()), (eai, None)),
        CCode::Errno(errno) => assert_eq!((error.code(), error.errno()), (-1, Some(errno))),
    }
}

/// A stale `errno` beside an EAI code says nothing.
#[test]
fn eai_codes() {
    for (code, kind) in EAI {
        for stale in [0, 2, 19, 22, i32::MAX, -1] {
            check(Error::from_getaddrinfo(code, stale), kind, CCode::Eai(code));
            if code != -1 {
                check(Error::from_librdmacm(code, stale), kind, CCode::Eai(code));
            }
        }
    }
}

/// -1 from librdmacm means `errno`, from getaddrinfo `EAI_BADFLAGS`; `EAI_SYSTEM` means `errno` from both.
#[test]
fn minus_one_is_two_things() {
    for errno in 1..200 {
        let known = ERRNO.iter().find(|(known, _)| *known == errno);
        let kind = known.map_or(ErrorKind::System, |(_, kind)| *kind);
        for error in [
            Error::from_librdmacm(-1, errno),
            Error::from_librdmacm(-11, errno),
            Error::from_getaddrinfo(-11, errno),
        ] {
            check(error, kind, CCode::Errno(errno));
        }
        check(Error::from_getaddrinfo(-1, errno), ErrorKind::BadFlags, CCode::Eai(-1));
    }
    // Nothing was set: there is still something to say.
    check(Error::from_librdmacm(-1, 0), ErrorKind::System, CCode::Errno(22));
}

/// Codes that no header defines keep their number when it is one of EAI codes, which are negative.
#[test]
fn unknown_codes() {
    for code in [-12, -13, -100, -101, i32::MIN] {
        for error in [Error::from_librdmacm(code, 22), Error::from_getaddrinfo(code, 22)] {
            check(error, ErrorKind::Fail, CCode::Eai(code));
            let text = format!("permanent failure of the name service (EAI code {code})");
            assert_eq!(error.to_string(), text);
        }
    }
    for code in [0, 1, 22, i32::MAX] {
        for error in [Error::from_librdmacm(code, 19), Error::from_getaddrinfo(code, 19)] {
            check(error, ErrorKind::Fail, CCode::Eai(-4));
        }
    }
}

/// An error of our own has a code for C, whichever its kind.
#[test]
fn kinds_to_c() {
    let codes = [
        ("NoName", CCode::Eai(-2)),
        ("AddrFamily", CCode::Eai(-9)),
        ("BadFlags", CCode::Eai(-1)),
        ("QpType", CCode::Eai(-7)),
        ("Service", CCode::Eai(-8)),
        ("Again", CCode::Eai(-3)),
        ("Fail", CCode::Eai(-4)),
        ("NoData", CCode::Eai(-5)),
        ("Family", CCode::Eai(-6)),
        ("Memory", CCode::Eai(-10)),
        ("NotLiteral", CCode::Eai(-2)),
        ("NoDevice", CCode::Errno(19)),
        ("NoLibrary", CCode::Errno(19)),
        ("TimedOut", CCode::Errno(110)),
        ("NotSupported", CCode::Errno(95)),
        ("Invalid", CCode::Errno(22)),
        ("System", CCode::Errno(22)),
    ];
    assert_eq!(codes.len(), ErrorKind::ALL.len());
    for (kind, (name, code)) in ErrorKind::ALL.iter().zip(codes) {
        assert_eq!(kind.name(), name);
        check(Error::new(*kind), *kind, code);
        assert_eq!(Error::from(*kind), Error::new(*kind));
        // What is known of the error changes nothing, but a number does.
        let placed = Error::new(*kind).because(Reason::Empty).at(Location::Node(3));
        assert_eq!(placed.to_c(), code);
        assert_eq!(placed.with_errno(5).to_c(), CCode::Errno(5));
    }
    check(Error::system(5), ErrorKind::System, CCode::Errno(5));
}

#[test]
fn messages_are_distinct() {
    let kinds = ErrorKind::ALL.iter().map(|kind| kind.message());
    let reasons = Reason::ALL.iter().map(|reason| reason.message());
    let mut seen = BTreeSet::new();
    for message in kinds.chain(reasons) {
        assert!(message.len() > 5 && message == message.trim(), "{message}");
        assert!(!message.ends_with('.') && !message.contains('\n'), "{message}");
        assert!(seen.insert(message), "twice: {message}");
    }
    let names: BTreeSet<_> = ErrorKind::ALL.iter().map(|kind| kind.name()).collect();
    assert_eq!(names.len(), ErrorKind::ALL.len());
    for kind in ErrorKind::ALL {
        assert_eq!(kind.to_string(), kind.message());
    }
}

#[test]
fn messages_say_what_where_and_why() {
    let no_name = Error::new(ErrorKind::NoName);
    for (error, text) in [
        (no_name, "node or service not known"),
        (
            no_name.because(Reason::Octet),
            "node or service not known: a part of the IPv4 address is above 255",
        ),
        (no_name.at(Location::Node(8)), "node or service not known (node, byte 8)"),
        (no_name.at(Location::Service(0)), "node or service not known (service, byte 0)"),
        (no_name.at(Location::Text(usize::MAX)), &format!("node or service not known (byte {})", usize::MAX)),
        (
            Error::new(ErrorKind::Invalid).because(Reason::NullWithLength).at(Location::Hints(Field::Source)),
            "invalid argument: the pointer is null, the length is not (hints, ai_src_addr)",
        ),
        (Error::system(5), "system error (errno 5)"),
        (
            Error::new(ErrorKind::NoDevice).because(Reason::NoInfinibandPort).with_errno(2),
            "no RDMA device: there is no active InfiniBand port to ask the subnet administrator through (errno 2)",
        ),
    ] {
        assert_eq!(error.to_string(), text);
        let error: &dyn core::error::Error = &error;
        assert!(error.source().is_none());
    }
}

#[test]
fn fields_have_their_c_names() {
    let fields = [
        (Field::Flags, "ai_flags"),
        (Field::Family, "ai_family"),
        (Field::QpType, "ai_qp_type"),
        (Field::PortSpace, "ai_port_space"),
        (Field::Source, "ai_src_addr"),
        (Field::Destination, "ai_dst_addr"),
        (Field::Route, "ai_route"),
    ];
    for (field, name) in fields {
        assert_eq!(field.c_name(), name);
        let text: String = Error::new(ErrorKind::Family).at(Location::Hints(field)).to_string();
        assert_eq!(text, format!("address family not supported (hints, {name})"));
    }
}
