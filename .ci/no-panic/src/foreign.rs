//! `rdma_addrinfo_core::foreign`

use crate::opaque::any;
use crate::{derived, each};
use rdma_addrinfo_core::{RawAddrInfo, abi::rdma_addrinfo};

/// A C result of any content, for code that is never run.
pub fn any_foreign() -> Option<RawAddrInfo<'static>> {
    const ZERO: &rdma_addrinfo = &rdma_addrinfo::ZERO;
    let raw: *const rdma_addrinfo = any(ZERO);
    // SAFETY: what `raw` really points to is aligned, initialized, never changed, and all its pointers are null.
    any(unsafe { RawAddrInfo::from_ptr(raw) })
}

pub fn calls() {
    let Some(foreign) = any_foreign() else { return };
    each!(RawAddrInfo, &foreign; as_raw(), flags(), family(), qp_type(), port_space(), src_addr(), dst_addr());
    each!(RawAddrInfo, &foreign; src_bytes(), dst_bytes(), src_canonname(), dst_canonname(), route_bytes());
    each!(RawAddrInfo, &foreign; connect_data(), next());
    derived!(RawAddrInfo<'_>, foreign; Clone);
}
