//! Every code of C through the error type and back; every status, operation and version of ibacm.

use rdma_addrinfo_core::acm::{Reply, ReplyErrorKind, Status};
use rdma_addrinfo_core::{CCode, Error, ErrorKind, abi};

/// The greatest `errno` that Linux returns.
const MAX_ERRNO: i32 = 4095;

/// What C sees of an error is what it was made of, and makes the same error again.
fn there_and_back(error: Error, code: CCode) {
    assert_eq!(error.to_c(), code);
    let again = match code {
        CCode::Errno(errno) => {
            assert_eq!((error.code(), error.errno()), (-1, Some(errno)));
            [Error::from_librdmacm(-1, errno), Error::from_getaddrinfo(-11, errno)]
        }
        CCode::Eai(code) => {
            assert_eq!((error.code(), error.errno()), (code, None));
            // EAI_BADFLAGS cannot be told from "see errno": librdmacm never means it.
            let from_librdmacm = if code == -1 { error } else { Error::from_librdmacm(code, 5) };
            [from_librdmacm, Error::from_getaddrinfo(code, 5)]
        }
    };
    assert_eq!(again, [error, error]);
    assert!(!error.to_string().is_empty());
}

#[test]
fn errnos() {
    for errno in 1..=MAX_ERRNO {
        let kind = match errno {
            12 => ErrorKind::Memory,
            19 => ErrorKind::NoDevice,
            22 => ErrorKind::Invalid,
            95 => ErrorKind::NotSupported,
            110 => ErrorKind::TimedOut,
            _ => ErrorKind::System,
        };
        for error in [
            Error::from_librdmacm(-1, errno),
            Error::from_librdmacm(-11, errno),
            Error::from_getaddrinfo(-11, errno),
        ] {
            assert_eq!(error.kind(), kind, "errno {errno}");
            there_and_back(error, CCode::Errno(errno));
        }
        assert_eq!(Error::from_getaddrinfo(-1, errno).kind(), ErrorKind::BadFlags);
    }
}

#[test]
fn eai_codes() {
    for code in (-1024..=-1).filter(|code| *code != -11) {
        let kind = match code {
            -1 => ErrorKind::BadFlags,
            -2 => ErrorKind::NoName,
            -3 => ErrorKind::Again,
            -5 => ErrorKind::NoData,
            -6 => ErrorKind::Family,
            -7 => ErrorKind::QpType,
            -8 => ErrorKind::Service,
            -9 => ErrorKind::AddrFamily,
            -10 => ErrorKind::Memory,
            _ => ErrorKind::Fail,
        };
        let error = Error::from_getaddrinfo(code, 19);
        assert_eq!(error.kind(), kind, "code {code}");
        there_and_back(error, CCode::Eai(code));
    }
}

/// A kind has one code, which leads back to the kind, or to the one that C has for it.
#[test]
fn kinds() {
    for kind in ErrorKind::ALL {
        let error = Error::new(*kind);
        let back = match error.to_c() {
            CCode::Eai(code) => Error::from_getaddrinfo(code, 0),
            CCode::Errno(errno) => Error::from_librdmacm(-1, errno),
        };
        let right = match kind {
            ErrorKind::NotLiteral => ErrorKind::NoName,
            ErrorKind::NoLibrary => ErrorKind::NoDevice,
            ErrorKind::System => ErrorKind::Invalid,
            kind => *kind,
        };
        assert_eq!(back, Error::new(right), "{kind}");
    }
}

/// A header alone.
fn reply(version: u8, opcode: u8, status: u8) -> Vec<u8> {
    let mut bytes = vec![version, opcode, status, 0, 0, 0];
    bytes.extend(16_u16.to_ne_bytes());
    bytes.extend(7_u64.to_ne_bytes());
    bytes
}

#[test]
fn statuses_of_ibacm() {
    let names = [
        (0, "OK"),
        (1, "ENOMEM"),
        (2, "EINVAL"),
        (3, "ENODATA"),
        (5, "ENOTCONN"),
        (6, "ETIMEDOUT"),
        (7, "ESRCADDR"),
        (8, "ESRCTYPE"),
        (9, "EDESTADDR"),
        (10, "EDESTTYPE"),
    ];
    let mut messages = std::collections::BTreeSet::new();
    for status in 0..=255 {
        let bytes = reply(1, 1, status);
        let read = Reply::from_bytes(&bytes, 7).unwrap().status();
        assert_eq!((read, read.to_raw()), (Status::from_raw(status), status));
        let name = names.iter().find(|(known, _)| *known == status).map(|(_, name)| *name);
        assert_eq!(read.name(), name);
        assert_eq!(read.to_string(), name.map_or(status.to_string(), str::to_owned));
        assert_eq!(messages.insert(read.message()), name.is_some() || status == 4, "{}", read.message());
    }
}

#[test]
fn versions_and_operations_of_ibacm() {
    let step = if cfg!(miri) { 17 } else { 1 };
    for version in (0..=255).step_by(step) {
        for opcode in (0..=255).step_by(step) {
            let bytes = reply(version, opcode, 0);
            let right = match (version, opcode & 0x0f) {
                (1, 1) => None,
                (1, _) => Some((1, ReplyErrorKind::Opcode(opcode))),
                _ => Some((0, ReplyErrorKind::Version(version))),
            };
            let read = Reply::from_bytes(&bytes, 7).err().map(|fault| (fault.offset(), fault.kind()));
            assert_eq!(read, right, "version {version}, operation {opcode}");
        }
    }
}

#[test]
fn numbers_of_the_eai_codes() {
    let codes = [
        abi::EAI_BADFLAGS,
        abi::EAI_NONAME,
        abi::EAI_AGAIN,
        abi::EAI_FAIL,
        abi::EAI_NODATA,
        abi::EAI_FAMILY,
        abi::EAI_SOCKTYPE,
        abi::EAI_SERVICE,
        abi::EAI_ADDRFAMILY,
        abi::EAI_MEMORY,
        abi::EAI_SYSTEM,
        abi::EAI_OVERFLOW,
    ];
    assert!(codes.into_iter().eq((-12..=-1).rev()));
    assert_eq!(abi::EAI_QPTYPE, -7);
}
