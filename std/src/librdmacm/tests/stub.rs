//! A stub of librdmacm: it records its arguments and returns a scripted answer, per thread.
#![allow(unsafe_code)]

use super::super::Library;
use rdma_addrinfo_core::RawAddrInfo;
use rdma_addrinfo_core::abi::rdma_addrinfo;
use std::cell::{Cell, RefCell};
use std::ffi::{CStr, c_char, c_int};
use std::ptr;

/// The arguments of a call, copied while it ran.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Call {
    pub(super) node: Option<Vec<u8>>,
    pub(super) service: Option<Vec<u8>>,
    pub(super) hints: Option<CallHints>,
    pub(super) errno: c_int,
}

#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct CallHints {
    /// Flags, family, QP type, port space.
    pub(super) words: [c_int; 4],
    pub(super) src: Option<Vec<u8>>,
    pub(super) dst: Option<Vec<u8>>,
    pub(super) route: Vec<u8>,
    /// The remainder of the route's address by eight.
    pub(super) misaligned: usize,
    /// Whether every field that is no hint is zero, and every absent field null with length 0.
    pub(super) clean: bool,
}

/// The answer of the next call.
#[derive(Clone, Copy)]
pub(super) struct Answer {
    pub(super) ret: c_int,
    pub(super) errno: Option<c_int>,
    pub(super) list: *mut rdma_addrinfo,
}

impl Answer {
    pub(super) const fn list(list: *mut rdma_addrinfo) -> Self {
        Self { ret: 0, errno: None, list }
    }

    pub(super) const fn error(ret: c_int, errno: Option<c_int>) -> Self {
        Self { ret, errno, list: ptr::null_mut() }
    }
}

thread_local! {
    static LAST_CALL: RefCell<Option<Call>> = const { RefCell::new(None) };
    static ANSWER: Cell<Answer> = const { Cell::new(Answer::list(ptr::null_mut())) };
    static FREED: RefCell<Vec<usize>> = const { RefCell::new(Vec::new()) };
}

/// A library that gives this answer to every call on this thread.
pub(super) fn library(answer: Answer) -> Library {
    ANSWER.set(answer);
    LAST_CALL.take();
    FREED.take();
    Library { get, free, resolves_sa: false }
}

/// The same, of a release that knows RAI_SA.
pub(super) fn newer_library(answer: Answer) -> Library {
    Library { resolves_sa: true, ..library(answer) }
}

/// The arguments of the last call; `None` if there was none.
pub(super) fn last_call() -> Option<Call> {
    LAST_CALL.take()
}

/// The addresses of the lists that were freed on this thread.
pub(super) fn freed() -> Vec<usize> {
    FREED.take()
}

pub(super) fn set_errno(value: c_int) {
    // SAFETY: takes nothing, and gives the address of this thread's errno.
    let errno = unsafe { libc::__errno_location() };
    // SAFETY: the address is aligned and valid as long as the thread runs.
    unsafe { *errno = value }
}

unsafe extern "C" fn get(
    node: *const c_char,
    service: *const c_char,
    hints: *const rdma_addrinfo,
    res: *mut *mut rdma_addrinfo,
) -> c_int {
    let errno = std::io::Error::last_os_error().raw_os_error().unwrap();
    let call = Call {
        // SAFETY: null or a C string, as rdma_getaddrinfo demands.
        node: unsafe { text(node) },
        // SAFETY: null or a C string, as rdma_getaddrinfo demands.
        service: unsafe { text(service) },
        // SAFETY: null or hints, as rdma_getaddrinfo demands.
        hints: unsafe { RawAddrInfo::from_ptr(hints) }.map(read),
        errno,
    };
    LAST_CALL.set(Some(call));
    let answer = ANSWER.get();
    // SAFETY: a valid pointer, as rdma_getaddrinfo demands.
    unsafe { *res = answer.list }
    if let Some(errno) = answer.errno {
        set_errno(errno);
    }
    answer.ret
}

unsafe extern "C" fn free(list: *mut rdma_addrinfo) {
    FREED.with_borrow_mut(|freed| freed.push(list.addr()));
}

/// # Safety
/// `text` is null or a C string.
unsafe fn text(text: *const c_char) -> Option<Vec<u8>> {
    if text.is_null() {
        return None;
    }
    // SAFETY: not null, so a C string.
    Some(unsafe { CStr::from_ptr(text) }.to_bytes().to_vec())
}

fn read(hints: RawAddrInfo<'_>) -> CallHints {
    let raw = hints.as_raw();
    CallHints {
        words: [raw.ai_flags, raw.ai_family, raw.ai_qp_type, raw.ai_port_space],
        src: hints.src_bytes().map(<[u8]>::to_vec),
        dst: hints.dst_bytes().map(<[u8]>::to_vec),
        route: hints.route_bytes().to_vec(),
        misaligned: raw.ai_route.addr() % 8,
        clean: raw.ai_src_canonname.is_null()
            && raw.ai_dst_canonname.is_null()
            && raw.ai_connect.is_null()
            && raw.ai_next.is_null()
            && raw.ai_connect_len == 0
            && raw.ai_src_addr.is_null() == (raw.ai_src_len == 0)
            && raw.ai_dst_addr.is_null() == (raw.ai_dst_len == 0)
            && raw.ai_route.is_null() == (raw.ai_route_len == 0),
    }
}
