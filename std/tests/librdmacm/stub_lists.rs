//! What a librdmacm may answer and none does: every return value, lists that are null, hollow, endless.

use super::rows;
use super::stub::{Stub, counts, through_raw};
use rdma_addrinfo::{
    CCode, ErrorKind, Family, Flags, Hints, Library, Location, PortSpace, QpType, Reason, RouteStatus,
    SockAddrBuf,
};
use std::env;
use std::net::SocketAddr;
use std::thread;

fn fails(library: &Library, ret: i32, errno: i32) -> (ErrorKind, CCode) {
    let (node, service) = (format!("ret={ret}"), errno.to_string());
    let error = library.getaddrinfo(&*node, &*service, None).unwrap_err();
    assert_eq!((error.node(), error.service()), (Some(node), Some(service)));
    (error.kind(), error.to_core().to_c())
}

#[test]
fn every_return_value() {
    let Some(stub) = Stub::build("every_return_value", &[]) else { return };
    let library = stub.load().unwrap();
    // An EAI code has nothing to do with the errno that happens to be there.
    for errno in [0, 2, 22, 110] {
        for (ret, kind) in [
            (-2, ErrorKind::NoName),
            (-3, ErrorKind::Again),
            (-4, ErrorKind::Fail),
            (-5, ErrorKind::NoData),
            (-6, ErrorKind::Family),
            (-7, ErrorKind::QpType),
            (-8, ErrorKind::Service),
            (-9, ErrorKind::AddrFamily),
            (-10, ErrorKind::Memory),
            (-12, ErrorKind::Fail),
            (-13, ErrorKind::Fail),
            (-100, ErrorKind::Fail),
            (-105, ErrorKind::Fail),
            (i32::MIN, ErrorKind::Fail),
        ] {
            assert_eq!(fails(&library, ret, errno), (kind, CCode::Eai(ret)), "{ret}, errno {errno}");
        }
        // Not even a number of errors.
        for ret in [1, 2, 19, i32::MAX] {
            assert_eq!(
                fails(&library, ret, errno),
                (ErrorKind::Fail, CCode::Eai(-4)),
                "{ret}, errno {errno}"
            );
        }
    }
    // -1 and EAI_SYSTEM mean the errno.
    for ret in [-1, -11] {
        for errno in 1..=133 {
            let kind = match errno {
                libc::ENOMEM => ErrorKind::Memory,
                libc::ENODEV => ErrorKind::NoDevice,
                libc::EINVAL => ErrorKind::Invalid,
                libc::EOPNOTSUPP => ErrorKind::NotSupported,
                libc::ETIMEDOUT => ErrorKind::TimedOut,
                _ => ErrorKind::System,
            };
            assert_eq!(fails(&library, ret, errno), (kind, CCode::Errno(errno)), "{ret}");
        }
        assert_eq!(fails(&library, ret, 0).0, ErrorKind::System, "{ret}");
        // An errno of before is not this call's.
        let old = library.getaddrinfo("ret=-1", "19", None).unwrap_err();
        assert_eq!(old.kind(), ErrorKind::NoDevice);
        let node = format!("ret={ret}");
        assert_eq!(library.getaddrinfo(&*node, None, None).unwrap_err().kind(), ErrorKind::System, "{ret}");
    }
    assert_eq!(counts(&library), (0, 0), "what comes with an error is no list");
}

#[test]
fn no_list_at_all() {
    let Some(stub) = Stub::build("no_list_at_all", &[]) else { return };
    let library = stub.load().unwrap();
    let list = library.getaddrinfo("null", None, None).unwrap();
    assert!(list.as_raw().is_null() && list.is_empty() && list.list().is_empty());
    assert_eq!((list.len(), list.iter().count(), list.first().is_none()), (0, 0, true));
    let list = through_raw(&library, list);
    assert!(list.as_raw().is_null());
    drop(list);
    assert_eq!(counts(&library), (0, 0));
}

#[test]
fn hollow_entries() {
    let Some(stub) = Stub::build("hollow_entries", &[]) else { return };
    let library = stub.load().unwrap();
    for (kind, entries) in [("empty", 1), ("pointers", 1), ("lengths", 2)] {
        let list = library.getaddrinfo(kind, None, None).unwrap();
        assert_eq!((list.len(), list.is_empty()), (entries, false), "{kind}");
        for info in &list {
            assert_eq!((info.src_addr().is_none(), info.dst_addr().is_none()), (true, true), "{kind}");
            assert_eq!((info.route_bytes(), info.connect_data()), (&[][..], &[][..]), "{kind}");
            assert_eq!((info.route().len(), info.user_private_data()), (0, None), "{kind}");
            assert!(!info.needs_scope() && !info.is_passive(), "{kind}");
            let name = (kind == "pointers").then_some(c"");
            assert_eq!((info.src_canonname(), info.dst_canonname()), (name, name), "{kind}");
            assert!(!info.to_string().is_empty() && !format!("{info:?}").is_empty());
        }
    }
}

#[test]
fn family_and_length_that_disagree() {
    let Some(stub) = Stub::build("family_and_length", &[]) else { return };
    let library = stub.load().unwrap();
    for length in 1..=300_usize {
        let list = library.getaddrinfo(&*format!("lengths={length}"), None, None).unwrap();
        assert_eq!(list.len(), 7);
        for (info, family) in list.iter().zip([0_u16, 1, 2, 10, 27, 99, u16::MAX]) {
            let (src, dst) = (info.src_addr().unwrap(), info.dst_addr().unwrap());
            let whole = match family {
                2 => 16,
                10 => 28,
                27 => 48,
                _ => usize::MAX,
            };
            // The bytes count, not what the structure says; those beyond an address are not its own.
            let (bytes, route) = (src.as_bytes(), info.route_bytes());
            assert_eq!((bytes, route.len()), (&route[..length.min(whole)], length));
            assert_eq!(dst.as_bytes(), bytes);
            let read = if length < 2 { 0 } else { family };
            assert_eq!(src.family(), Family::from_raw(read.into()), "{length}");
            assert_ne!(info.family(), src.family());
            // No field of an address that is cut.
            let fits = length >= whole;
            assert_eq!(SocketAddr::try_from(src).is_ok(), fits && family != 27, "{family}, {length}");
            assert_eq!(SockAddrBuf::from_bytes(bytes).is_ok(), fits, "{family}, {length}");
            assert!(!info.to_string().is_empty());
            assert_eq!(info.connect_data(), route);
            let (paths, status) = match length % 72 {
                0 => (length / 72, RouteStatus::Found),
                _ => (0, RouteStatus::Malformed),
            };
            assert_eq!((info.route().len(), info.route_status()), (paths, status), "{length}");
        }
    }
}

#[test]
fn a_thousand_entries() {
    let Some(stub) = Stub::build("a_thousand_entries", &[]) else { return };
    let library = stub.load().unwrap();
    let list = library.getaddrinfo("many=1000", None, None).unwrap();
    assert_eq!(list.len(), 1000);
    assert!(list.iter().map(|info| info.qp_type().to_raw()).eq(0..1000));
    assert!(!list.list().is_truncated());
    drop(list);
    assert_eq!(counts(&library), (1, 1));
}

#[test]
fn a_cycle_ends() {
    let Some(stub) = Stub::build("a_cycle_ends", &[]) else { return };
    let library = stub.load().unwrap();
    for length in [1, 2, 3, 1000] {
        let list = library.getaddrinfo(&*format!("cycle={length}"), None, None).unwrap();
        assert_eq!(list.iter().count(), 65_536);
        assert!(list.iter().zip(0..65_536).all(|(info, at)| info.qp_type().to_raw() == at % length));
        let list = through_raw(&library, list);
        assert_eq!(list.first().unwrap().qp_type().to_raw(), 0);
    }
    assert_eq!(counts(&library), (4, 4));
}

#[test]
fn each_list_is_freed_once_wherever_it_is_dropped() {
    let Some(stub) = Stub::build("each_list_is_freed_once", &[]) else { return };
    let library = stub.load().unwrap();
    let new = || library.getaddrinfo("many=3", None, None).unwrap();
    drop(new());
    assert_eq!(counts(&library), (1, 1));
    // Counting makes a list, too.
    let list = new();
    assert_eq!(counts(&library), (3, 2));
    let moved = [list, new()];
    thread::spawn(move || assert!(moved.iter().all(|list| list.len() == 3))).join().unwrap();
    assert_eq!(counts(&library), (5, 5));
    let list = through_raw(&library, through_raw(&library, new()));
    assert_eq!(counts(&library), (7, 6));
    drop(list);
    assert_eq!(counts(&library), (8, 8));
    // A panic drops it as well.
    let panicked = thread::spawn({
        let list = new();
        move || {
            assert_eq!(list.len(), 4, "meant to fail");
        }
    });
    assert!(panicked.join().is_err());
    assert_eq!(counts(&library), (10, 10));
    // Many threads share one.
    let list = new();
    thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| assert!((0..1000).all(|_| list.iter().count() == 3)));
        }
    });
    drop(list);
    assert_eq!(counts(&library), (12, 12));
    // So do copies of the library, and what is loaded again from the same file.
    let again = stub.load().unwrap();
    drop(again.getaddrinfo("many=1", None, None).unwrap());
    assert_eq!(counts(&library), (14, 14));
}

#[test]
fn the_library_gets_what_was_asked() {
    let Some(stub) = Stub::build("the_library_gets_what_was_asked", &[]) else { return };
    let library = stub.load().unwrap();
    // On both sides of the room for short texts.
    for length in [0, 1, 2, 253, 254, 255, 256, 257, 1000, 100_000] {
        let (node, service) = ("n".repeat(length), "s".repeat(length));
        let list = library.getaddrinfo(&*node, &*service, None).unwrap();
        let info = list.first().unwrap();
        let text = |name: Option<&std::ffi::CStr>| name.unwrap().to_str().unwrap().to_owned();
        assert_eq!((text(info.src_canonname()), text(info.dst_canonname())), (node, service));
        assert_eq!(info.family().to_raw(), -1, "no hints are a null pointer");
    }
    let none = library.getaddrinfo(None, None, &Hints::new()).unwrap();
    let none = none.first().unwrap();
    assert_eq!((none.src_canonname(), none.dst_canonname()), (None, None));
    let nothing = r#"{"flags":0,"family":0,"qp_type":0,"port_space":0,"src":"","dst":"","route":"","connect":"","canonnames":2}"#;
    let list = library.getaddrinfo("n", c"s", &Hints::new()).unwrap();
    assert_eq!(rows::entries(list.list()), [nothing], "hints that leave all open are zero");

    let route: Vec<u8> = (0..=255).collect();
    for (src, dst, route) in [
        (SockAddrBuf::inet(0xc000_0201, 1), SockAddrBuf::inet(0xc000_0202, 2), &route[..72]),
        (SockAddrBuf::inet6(1, 1, 2, 3), SockAddrBuf::inet6(2, 1, 2, 3), &route[1..65]),
        (SockAddrBuf::NONE, SockAddrBuf::inet6(2, 1, 2, 3), &route[..5]),
        (SockAddrBuf::inet(7, 7), SockAddrBuf::NONE, &route[..0]),
    ] {
        let hints = Hints::new()
            .with_flags(Flags::PASSIVE.union(Flags::from_raw(0x4000_0040)))
            .with_family(Family::from_raw(99))
            .with_qp_type(QpType::from_raw(-7))
            .with_port_space(PortSpace::from_raw(0x1234_5678))
            .with_src_addr(src)
            .with_dst_addr(dst)
            .with_route(route);
        let list = library.getaddrinfo("node", None, &hints).unwrap();
        let info = list.first().unwrap();
        assert_eq!((info.flags().to_raw(), info.family().to_raw()), (0x4000_0041, 99));
        assert_eq!((info.qp_type().to_raw(), info.port_space().to_raw()), (-7, 0x1234_5678));
        let bytes = |address: Option<rdma_addrinfo::SockAddrRef<'_>>| {
            address.map(|address| address.as_bytes().to_vec()).unwrap_or_default()
        };
        assert_eq!(
            (bytes(info.src_addr()), bytes(info.dst_addr())),
            (src.as_bytes().into(), dst.as_bytes().into())
        );
        assert_eq!(info.route_bytes(), route);
    }
}

#[test]
fn a_nul_inside_a_text_never_reaches_the_library() {
    let Some(stub) = Stub::build("a_nul_inside", &[]) else { return };
    let library = stub.load().unwrap();
    for length in [0_usize, 5, 254, 255, 1000] {
        let text = format!("{}\0rest", "n".repeat(length));
        for (node, service, at) in [
            (Some(&*text), Some("7471"), Location::Node(length)),
            (Some("node"), Some(&*text), Location::Service(length)),
            (None, Some(&*text), Location::Service(length)),
        ] {
            let error = library.getaddrinfo(node, service, None).unwrap_err();
            assert_eq!(
                (error.kind(), error.reason(), error.location()),
                (ErrorKind::Invalid, Reason::Nul, at)
            );
        }
    }
    assert_eq!(counts(&library), (0, 0));
}

#[test]
fn the_subnet_administrator_is_for_libraries_that_know_it() {
    let Some(old) = Stub::build("old", &[]) else { return };
    let Some(new) = Stub::build("new", &["-DWITH_SA"]) else { return };
    let (old, new) = (old.load().unwrap(), new.load().unwrap());
    assert_eq!((old.has_sa(), new.has_sa()), (false, true));
    let hints = Hints::new().with_flags(Flags::SA);
    let error = old.getaddrinfo(None, "service", &hints).unwrap_err();
    assert_eq!(
        (error.kind(), error.to_core().to_c()),
        (ErrorKind::NotSupported, CCode::Errno(libc::EOPNOTSUPP))
    );
    assert_eq!(counts(&old), (0, 0));
    let list = new.getaddrinfo(None, "service", &hints).unwrap();
    assert_eq!(list.first().unwrap().flags(), Flags::SA);
}

/// May be set: the test of lists that are given up then leaks one, which a check of leaks must see.
const LEAK: &str = "RDMA_ADDRINFO_TEST_LEAK";

#[test]
fn a_list_that_is_given_up_is_freed_by_whom_it_is_given_to() {
    let Some(stub) = Stub::build("given_up", &[]) else { return };
    let library = stub.load().unwrap();
    let leaks = env::var_os(LEAK).is_some();
    // On a thread of its own, so that no stack still holds the pointer.
    let user = move || {
        let list = library.getaddrinfo("many=3", None, None).unwrap();
        if leaks {
            assert!(!list.into_raw().is_null());
        } else {
            assert_eq!(through_raw(&library, list).len(), 3);
        }
    };
    thread::spawn(user).join().unwrap();
    assert_eq!(counts(&library), (1, i32::from(!leaks)));
}
