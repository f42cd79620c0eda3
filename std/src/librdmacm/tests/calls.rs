//! The arguments of the library, and the handling of its return values.

use super::stub::{self, Answer, Call, CallHints};
use rdma_addrinfo_core::{
    CCode, ErrorKind, Family, Flags, Hints, Location, PortSpace, QpType, Reason, SockAddrBuf, Text,
};
use std::ffi::c_int;
use std::ptr;

const NOTHING: Answer = Answer::list(ptr::null_mut());

fn some(text: &[u8]) -> Option<Vec<u8>> {
    Some(text.to_vec())
}

#[test]
fn texts_arrive_whole() {
    for len in [0, 1, 7, 254, 255, 256, 257, 4096, 1 << 20] {
        let text = "x".repeat(len);
        let list = stub::library(NOTHING).getaddrinfo(text.as_str(), None, None).unwrap();
        assert!(list.is_empty());
        assert_eq!(stub::last_call().unwrap(), Call { node: some(text.as_bytes()), ..Call::default() });

        stub::library(NOTHING).getaddrinfo(None, text.as_str(), None).unwrap();
        assert_eq!(stub::last_call().unwrap(), Call { service: some(text.as_bytes()), ..Call::default() });
    }
    // A buffer for each, and no need of UTF-8.
    stub::library(NOTHING).getaddrinfo(c"\xff node", Text::from_bytes(b"\xfe service"), None).unwrap();
    let expected = Call { node: some(b"\xff node"), service: some(b"\xfe service"), ..Call::default() };
    assert_eq!(stub::last_call().unwrap(), expected);
}

#[test]
fn a_nul_inside_is_refused() {
    for len in [1, 10, 255, 256, 5000] {
        for at in [0, len / 2, len - 1] {
            let mut text = vec![b'x'; len];
            text[at] = 0;
            let text = Text::from_bytes(&text);
            let library = stub::library(NOTHING);
            let node = library.getaddrinfo(text, "7471", None).unwrap_err();
            let service = library.getaddrinfo("192.0.2.7", text, None).unwrap_err();
            assert_eq!((node.kind(), node.reason()), (ErrorKind::Invalid, Reason::Nul));
            assert_eq!((service.kind(), service.reason()), (ErrorKind::Invalid, Reason::Nul));
            assert_eq!((node.location(), service.location()), (Location::Node(at), Location::Service(at)));
            assert_eq!(stub::last_call(), None);
        }
    }
}

#[test]
fn hints_arrive_whole() {
    let src = SockAddrBuf::inet(0xc000_0209, 5000);
    let dst = SockAddrBuf::inet6(0x2001_0db8 << 96 | 1, 7471, 7, 3);
    let hints = Hints::new()
        .with_flags(Flags::NO_ROUTE | Flags::NUMERIC_HOST | Flags::from_raw(0x40))
        .with_family(Family::INET)
        .with_qp_type(QpType::UD)
        .with_port_space(PortSpace::UDP)
        .with_src_addr(src)
        .with_dst_addr(dst);
    stub::library(NOTHING).getaddrinfo("192.0.2.1", "7471", &hints).unwrap();
    let call = stub::last_call().unwrap();
    assert_eq!((call.node, call.service), (some(b"192.0.2.1"), some(b"7471")));
    let expected = CallHints {
        words: [0x46, 2, 4, 0x111],
        src: some(src.as_bytes()),
        dst: some(dst.as_bytes()),
        clean: true,
        ..CallHints::default()
    };
    assert_eq!(call.hints, Some(expected));

    stub::library(NOTHING).getaddrinfo("192.0.2.1", None, &Hints::new()).unwrap();
    let zero = CallHints { clean: true, ..CallHints::default() };
    assert_eq!(stub::last_call().unwrap().hints, Some(zero));
    stub::library(NOTHING).getaddrinfo("192.0.2.1", None, None).unwrap();
    assert_eq!(stub::last_call().unwrap().hints, None);
}

/// The library copies 64 and 72 bytes as structures that C aligns to eight.
#[test]
fn routes_are_aligned() {
    let bytes: Vec<u8> = (0..=255).cycle().take(600).collect();
    for len in [0, 1, 63, 64, 65, 71, 72, 73, 128, 144, 576] {
        for start in 0..9 {
            let route = &bytes[start..start + len];
            let hints = Hints::new().with_family(Family::IB).with_route(route);
            stub::library(NOTHING).getaddrinfo(None, None, &hints).unwrap();
            let call = stub::last_call().unwrap().hints.unwrap();
            assert_eq!((call.route.as_slice(), call.clean), (route, true));
            if len == 64 || len == 72 {
                assert_eq!(call.misaligned, 0);
            }
        }
    }
}

/// `errno` is cleared before the call; its value after it counts for -1 and EAI_SYSTEM only.
#[test]
fn errno_is_that_of_the_call() {
    for (ret, errno, kind, code) in [
        (-1, Some(19), ErrorKind::NoDevice, CCode::Errno(19)),
        (-1, Some(22), ErrorKind::Invalid, CCode::Errno(22)),
        (-1, Some(95), ErrorKind::NotSupported, CCode::Errno(95)),
        (-1, Some(2), ErrorKind::System, CCode::Errno(2)),
        (-11, Some(5), ErrorKind::System, CCode::Errno(5)),
        (-1, None, ErrorKind::System, CCode::Errno(22)),
        (-11, None, ErrorKind::System, CCode::Errno(22)),
        (-2, Some(2), ErrorKind::NoName, CCode::Eai(-2)),
        (-7, None, ErrorKind::QpType, CCode::Eai(-7)),
        (-9, Some(19), ErrorKind::AddrFamily, CCode::Eai(-9)),
        (-101, Some(19), ErrorKind::Fail, CCode::Eai(-101)),
        (c_int::MIN, Some(19), ErrorKind::Fail, CCode::Eai(c_int::MIN)),
    ] {
        let library = stub::library(Answer::error(ret, errno));
        stub::set_errno(7);
        let error = library.getaddrinfo("storage-7", "7471", None).unwrap_err();
        assert_eq!(stub::last_call().unwrap().errno, 0);
        assert_eq!((error.kind(), error.to_core().to_c()), (kind, code), "{ret} {errno:?}");
        assert_eq!((error.node().as_deref(), error.service().as_deref()), (Some("storage-7"), Some("7471")));
    }
    for ret in [1, 19, c_int::MAX] {
        let error = stub::library(Answer::error(ret, Some(19))).getaddrinfo("x", None, None).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Fail);
    }
}

#[test]
fn unsafe_requests_are_not_passed_on() {
    let hints = Hints::new().with_family(Family::IB).with_flags(Flags::FAMILY | Flags::NUMERIC_HOST);
    let error = stub::library(NOTHING).getaddrinfo("192.0.2.1", "7471", &hints).unwrap_err();
    assert_eq!((error.kind(), stub::last_call()), (ErrorKind::AddrFamily, None));
    assert_eq!(error.node().as_deref(), Some("192.0.2.1"));

    stub::library(NOTHING).getaddrinfo(None, "7471", &hints).unwrap();
    assert_eq!(stub::last_call().unwrap().node, some(b"::1"));

    let sa = Hints::new().with_flags(Flags::SA);
    let error = stub::library(NOTHING).getaddrinfo(None, "7471", &sa).unwrap_err();
    assert_eq!((error.kind(), stub::last_call()), (ErrorKind::NotSupported, None));
    stub::newer_library(NOTHING).getaddrinfo(None, "7471", &sa).unwrap();
    assert_eq!(stub::last_call().unwrap().hints.unwrap().words, [0x10, 0, 0, 0]);
}
