//! Requests and answers as lines of text, in the form of the recorded ones.

#[path = "../../../core/tests/oracle/hex.rs"]
mod hex;
#[path = "../../../core/tests/oracle/parts.rs"]
mod parts;

use crate::common;
pub(super) use hex::{hex, unhex};
use parts::entry;
#[cfg(feature = "rdma-sys")]
use rdma_addrinfo::LoadError;
use rdma_addrinfo::{AddrInfo, AddrInfoList, CCode, Error, Hints, Library, SockAddrRef};
use std::fmt;

/// A request: what rdma_getaddrinfo(3) is given.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Row {
    pub(super) node: Option<String>,
    pub(super) service: Option<String>,
    /// Flags, family, QP type, port space; `None` for no hints.
    pub(super) hints: Option<[i32; 4]>,
    pub(super) src: Vec<u8>,
    pub(super) dst: Vec<u8>,
    pub(super) route: Vec<u8>,
}

impl Row {
    /// Reads node, service, hints, source, destination and route.
    pub(super) fn read(columns: &[&str]) -> Self {
        let [node, service, hints, src, dst, route] = columns else { panic!("six columns: {columns:?}") };
        let text = |text: &str| (text != "NULL").then(|| text.to_owned());
        let words = |words: &str| -> [i32; 4] {
            let words: Vec<i32> = words.split(',').map(|word| word.parse().unwrap()).collect();
            words.try_into().unwrap()
        };
        Self {
            node: text(node),
            service: text(service),
            hints: (*hints != "none").then(|| words(hints)),
            src: unhex(src),
            dst: unhex(dst),
            route: unhex(route),
        }
    }

    pub(super) fn hints(&self) -> Option<Hints<'_>> {
        Some(parts::hints(self.hints?, &self.src, &self.dst, &self.route))
    }

    /// The answer of the C library.
    pub(super) fn ask(&self, library: &Library) -> String {
        let hints = self.hints();
        let found = library.getaddrinfo(self.node.as_deref(), self.service.as_deref(), hints.as_ref());
        if let Ok(list) = &found {
            let mut expected = list.as_raw().cast_const();
            for info in list {
                expected = assert_in_place(info, expected);
            }
            assert!(expected.is_null(), "the view ends before the library's list");
        }
        answer(found.as_ref().map(|list| list.list()))
    }
}

impl fmt::Display for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = |text: &Option<String>| text.clone().unwrap_or("NULL".into());
        let bytes = |bytes: &[u8]| if bytes.is_empty() { "-".into() } else { hex(bytes) };
        let hints = match self.hints {
            None => "none".into(),
            Some(hints) => hints.map(|word| word.to_string()).join(","),
        };
        let (node, service) = (text(&self.node), text(&self.service));
        let (src, dst, route) = (bytes(&self.src), bytes(&self.dst), bytes(&self.route));
        write!(f, "{node}\t{service}\t{hints}\t{src}\t{dst}\t{route}")
    }
}

/// Asserts that a view reads the C structure at `expected`, and what that one points to, where they lie; the next
/// structure.
fn assert_in_place(
    info: AddrInfo<'_>,
    expected: *const rdma_addrinfo::abi::rdma_addrinfo,
) -> *const rdma_addrinfo::abi::rdma_addrinfo {
    let raw = info.as_raw().expect("a view of C memory").as_raw();
    assert!(std::ptr::eq(raw, expected), "a structure of the library's list");
    let bytes = |address: Option<SockAddrRef<'_>>| address.map(|address| address.as_bytes().as_ptr_range());
    let some = |bytes: &[u8]| (!bytes.is_empty()).then_some(bytes.as_ptr_range());
    for (bytes, pointer, len) in [
        (bytes(info.src_addr()), raw.ai_src_addr, raw.ai_src_len as usize),
        (bytes(info.dst_addr()), raw.ai_dst_addr, raw.ai_dst_len as usize),
        (some(info.route_bytes()), raw.ai_route, raw.ai_route_len),
        (some(info.connect_data()), raw.ai_connect, raw.ai_connect_len),
    ] {
        let start = pointer.cast_const().cast::<u8>();
        assert_eq!(bytes, (len != 0).then(|| start..start.wrapping_add(len)), "{info}");
    }
    assert_eq!((info.src_canonname(), info.dst_canonname()), (None, None), "never filled");
    raw.ai_next
}

/// An outcome as the recorded lines have it, without the id.
pub(super) fn answer(outcome: Result<AddrInfoList<'_>, &Error>) -> String {
    match outcome.map_err(|error| error.to_core().to_c()) {
        Ok(list) => format!(r#""ret":0,"entries":[{}]"#, entries(list).join(",")),
        Err(CCode::Eai(ret)) => format!(r#""ret":{ret}"#),
        Err(CCode::Errno(errno)) => format!(r#""ret":-1,"errno":{errno}"#),
    }
}

pub(super) fn entries(list: AddrInfoList<'_>) -> Vec<String> {
    assert!(!list.is_truncated());
    list.iter().map(entry).collect()
}

/// The library that is tested; `None` where it is missing and need not be there.
pub(super) fn library(test: &str) -> Option<Library> {
    #[cfg(feature = "rdma-sys")]
    let library: Result<Library, LoadError> = Ok(Library::linked());
    #[cfg(not(feature = "rdma-sys"))]
    let library = Library::load();
    match library {
        Err(_) if !common::in_ci() => {
            common::skipped(test, "librdmacm.so.1 is missing: apt-get install librdmacm1");
            None
        }
        library => Some(library.unwrap()),
    }
}
