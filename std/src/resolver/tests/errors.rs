//! Errors: their messages, what they tell, and what becomes of them as `io::Error`.

use super::super::Resolver;
use crate::{Cause, Error, Library, LoadErrorKind};
use rdma_addrinfo_core::{self as core_crate, ErrorKind, Field, Hints, Location, Reason, Text};
use std::error::Error as _;
use std::io;

fn error(core: impl Into<core_crate::Error>, node: Option<&str>, service: Option<&str>) -> Error {
    Error::new(Cause::Core(core.into()), node.into(), service.into())
}

#[test]
fn messages_say_what_was_asked_what_failed_and_what_to_do() {
    let storage = |core: core_crate::Error| error(core, Some("storage-7"), Some("7471"));
    let of = |kind: ErrorKind| storage(kind.into());
    let asked = "cannot resolve node 'storage-7' service '7471': ";
    let table = [
        (of(ErrorKind::NoName), "node or service not known; check the spelling, /etc/hosts and DNS"),
        (of(ErrorKind::NoData), "the node has no address; check the name's records in DNS"),
        (
            of(ErrorKind::AddrFamily),
            "no address of the requested family; ask for another family, or leave it open",
        ),
        (of(ErrorKind::BadFlags), "invalid flags"),
        (of(ErrorKind::QpType), "QP type and port space are not supported together"),
        (
            of(ErrorKind::Service),
            "no such service; check /etc/services and the QP type, or give the port by number",
        ),
        (of(ErrorKind::Again), "temporary failure, try again"),
        (of(ErrorKind::Fail), "permanent failure of the name service; check the name service"),
        (of(ErrorKind::Family), "address family not supported"),
        (of(ErrorKind::Memory), "out of memory"),
        (of(ErrorKind::NotLiteral), "not a literal: a lookup is needed; use a resolver that looks names up"),
        (of(ErrorKind::NoDevice), "no RDMA device; the native resolver needs neither library nor device"),
        (of(ErrorKind::TimedOut), "timed out; check the name service, or give it more time"),
        (
            storage(
                core_crate::Error::new(ErrorKind::NoName).because(Reason::NoSuchZone).at(Location::Node(8)),
            ),
            "node or service not known: no interface has the name of the zone (node, byte 8)",
        ),
        (
            storage(
                core_crate::Error::new(ErrorKind::Service)
                    .because(Reason::PortRange)
                    .at(Location::Service(4)),
            ),
            "no such service: a port is 65535 at most (service, byte 4)",
        ),
        (
            storage(core_crate::Error::new(ErrorKind::BadFlags).at(Location::Hints(Field::Flags))),
            "invalid flags (hints, ai_flags)",
        ),
        (storage(core_crate::Error::system(5)), "system error: Input/output error (os error 5)"),
    ];
    for (error, message) in table {
        assert_eq!(error.to_string(), format!("{asked}{message}"));
        assert!(error.source().is_none());
    }
}

#[test]
fn only_what_was_asked_is_named() {
    let kind = ErrorKind::Family;
    let message = |node, service| error(kind, node, service).to_string();
    assert_eq!(message(None, None), "cannot resolve the hints: address family not supported");
    let nothing = core_crate::Error::new(ErrorKind::NoName).because(Reason::NothingAsked);
    assert_eq!(
        error(nothing, None, None).to_string(),
        "cannot resolve: node or service not known: give a node, a service, or hints with an address or a route"
    );
    assert_eq!(message(Some("a"), None), "cannot resolve node 'a': address family not supported");
    assert_eq!(message(None, Some("b")), "cannot resolve service 'b': address family not supported");
    assert_eq!(
        message(Some(""), Some("")),
        "cannot resolve node '' service '': address family not supported"
    );
}

#[test]
fn hostile_text_cannot_write_to_a_terminal() {
    let node = "a\x1b[31m\r\n'\0\u{7f}\u{202e}b";
    let error = error(ErrorKind::Family, Some(node), None);
    assert_eq!(
        error.to_string(),
        "cannot resolve node 'a\\u{1b}[31m\\r\\n\\'\\0\\u{7f}\\u{202e}b': address family not supported"
    );
    assert_eq!(error.node().as_deref(), Some(node));
    let bytes = Text::from_bytes(b"a\xff\xfeb");
    let error = Error::new(Cause::Core(ErrorKind::Family.into()), bytes, bytes.into());
    assert_eq!(error.node().as_deref(), Some("a\u{fffd}\u{fffd}b"));
    assert_eq!(
        error.to_string(),
        "cannot resolve node 'a\u{fffd}\u{fffd}b' service 'a\u{fffd}\u{fffd}b': address family not supported"
    );
    for error in [error.to_string(), format!("{error:?}")] {
        assert!(!error.chars().any(char::is_control), "{error}");
    }
}

#[test]
fn an_error_of_the_core_is_kept_whole() {
    let core = core_crate::Error::new(ErrorKind::NoName).because(Reason::Octet).at(Location::Node(8));
    let error = error(core, Some("192.0.2.256"), None);
    assert_eq!((error.to_core(), error.cause()), (core, &Cause::Core(core)));
    assert_eq!(error.kind(), ErrorKind::NoName);
    assert_eq!(error.reason(), Reason::Octet);
    assert_eq!(error.location(), Location::Node(8));
    assert_eq!(error.node().as_deref(), Some("192.0.2.256"));
    assert_eq!(error.service(), None);
    // The reason says what to write; no more advice.
    assert_eq!(error.advice(), None);
    assert_eq!(error.clone(), error);
    assert_eq!(
        format!("{error:?}"),
        format!("Error {{ cause: Core({core:?}), node: Some(\"192.0.2.256\"), service: None }}")
    );
}

#[test]
fn every_kind_as_an_io_error() {
    let expected = |kind| match kind {
        ErrorKind::NoName | ErrorKind::NoData | ErrorKind::AddrFamily | ErrorKind::Service => {
            io::ErrorKind::NotFound
        }
        ErrorKind::TimedOut => io::ErrorKind::TimedOut,
        ErrorKind::Invalid | ErrorKind::BadFlags => io::ErrorKind::InvalidInput,
        ErrorKind::NotSupported => io::ErrorKind::Unsupported,
        ErrorKind::Memory => io::ErrorKind::OutOfMemory,
        // ENODEV and EINVAL, as the C library has them.
        ErrorKind::NoDevice | ErrorKind::NoLibrary => io::Error::from_raw_os_error(19).kind(),
        ErrorKind::System => io::ErrorKind::InvalidInput,
        _ => io::ErrorKind::Other,
    };
    for kind in ErrorKind::ALL {
        let error = error(*kind, Some("storage-7"), None);
        let io = io::Error::from(error.clone());
        assert_eq!(io.kind(), expected(*kind), "{kind:?}");
        // The error itself is inside.
        assert_eq!(io.to_string(), error.to_string());
        let inner = io.into_inner().unwrap().downcast::<Error>().unwrap();
        assert_eq!(*inner, error);
    }
    let io = |errno| io::Error::from(error(core_crate::Error::system(errno), None, None));
    assert_eq!(io(13).kind(), io::ErrorKind::PermissionDenied);
    assert_eq!(io(4).kind(), io::ErrorKind::Interrupted);
}

#[test]
fn the_system_error_is_the_one_that_c_sees() {
    let errno = |core: core_crate::Error| error(core, None, None).io_error().and_then(|io| io.raw_os_error());
    assert_eq!(errno(core_crate::Error::system(5)), Some(5));
    assert_eq!(errno(ErrorKind::TimedOut.into()), Some(110));
    assert_eq!(errno(ErrorKind::NotSupported.into()), Some(95));
    assert_eq!(errno(ErrorKind::Invalid.into()), Some(22));
    for kind in [ErrorKind::NoName, ErrorKind::Again, ErrorKind::Memory] {
        assert_eq!(errno(kind.into()), None);
    }
    assert_eq!(errno(core_crate::Error::from_getaddrinfo(-12, 5)), None);
    assert_eq!(errno(core_crate::Error::from_getaddrinfo(-11, 24)), Some(24));
}

#[test]
fn the_resolver_says_what_it_was_asked() {
    let message = |node: Option<&str>, service: Option<&str>, hints: &str| {
        let hints = Hints::parse(hints).unwrap();
        Resolver::new().resolve(node, service, &hints).unwrap_err().to_string()
    };
    assert_eq!(
        message(Some("192.0.2.256"), Some("7471"), ""),
        "cannot resolve node '192.0.2.256' service '7471': node or service not known: a part of the IPv4 \
         address is above 255 (node, byte 8)"
    );
    assert_eq!(
        message(Some("::1"), Some("65536"), ""),
        "cannot resolve node '::1' service '65536': no such service: a port is 65535 \
         at most (service, byte 0)"
    );
    assert_eq!(
        message(Some("storage-7"), None, "numeric-host"),
        "cannot resolve node 'storage-7': node or service not known: it is no numeric address, and \
         RAI_NUMERICHOST excludes a lookup (node, byte 0)"
    );
    assert_eq!(
        message(None, None, "qp=ud,ps=tcp"),
        "cannot resolve the hints: QP type and port space are not supported together: QP type and port space \
         exclude each other (hints, ai_port_space)"
    );
}

#[test]
fn what_comes_before_a_request_says_nothing_of_one() {
    let error = Error::from(Hints::parse("qp=best").unwrap_err());
    assert_eq!(error.to_string(), error.to_core().to_string());
    assert_eq!((error.node(), error.service()), (None, None));
    let load = match Library::load() {
        // Nothing to see where librdmacm is installed.
        Ok(_) => return,
        Err(error) => error,
    };
    let error = Error::from(load.clone());
    assert_eq!(error.cause(), &Cause::Load(load.clone()));
    assert_eq!((error.kind(), load.kind()), (ErrorKind::NoLibrary, LoadErrorKind::NotFound));
    assert_eq!(error.to_string(), format!("{load}; the native resolver needs neither library nor device"));
}
