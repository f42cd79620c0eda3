//! A C library with rdma_getaddrinfo(3), called as a C program does: librdmacm, or the one of this project.
//!
//! Nothing of the project's is between: no lock, no copy, no check.
#![allow(unsafe_code)]

use crate::glibc::socket_address;
use libloading::os::unix::{Library, RTLD_LOCAL, RTLD_NOW};
use rdma_addrinfo_core::abi::rdma_addrinfo;
use rdma_addrinfo_core::{Flags, PortSpace, QpType, RawAddrInfo};
use std::ffi::{CStr, OsStr, c_char, c_int};
use std::marker::PhantomData;
use std::mem::ManuallyDrop;
use std::net::SocketAddr;
use std::ptr;

type Get = unsafe extern "C" fn(
    *const c_char,
    *const c_char,
    *const rdma_addrinfo,
    *mut *mut rdma_addrinfo,
) -> c_int;
type Free = unsafe extern "C" fn(*mut rdma_addrinfo);

/// The two functions of such a library.
#[derive(Clone, Copy, Debug)]
pub struct CLibrary {
    // Invariant: functions of one library, which is never unloaded, with the meaning of rdma_getaddrinfo(3).
    get: Get,
    free: Free,
}

impl CLibrary {
    /// librdmacm, as the dynamic linker finds it.
    ///
    /// # Errors
    /// The words of the dynamic linker.
    pub fn librdmacm() -> Result<Self, String> {
        Self::open("librdmacm.so.1".as_ref())
    }

    /// A library of that name or path, which must be librdmacm or do as it does.
    ///
    /// # Errors
    /// The words of the dynamic linker.
    pub fn open(path: &OsStr) -> Result<Self, String> {
        let say = |error: libloading::Error| format!("{}: {error:?}", path.to_string_lossy());
        // SAFETY: the libraries that are measured have no initializer that is not made for this.
        let library = unsafe { Library::open(Some(path), RTLD_NOW | RTLD_LOCAL) }.map_err(say)?;
        // Never closed: what it keeps, such as a connection to ibacm, is its own affair.
        let library = ManuallyDrop::new(library);
        // SAFETY: rdma/rdma_cma.h declares it so.
        let get = unsafe { library.get::<Get>("rdma_getaddrinfo") }.map_err(say)?;
        // SAFETY: rdma/rdma_cma.h declares it so.
        let free = unsafe { library.get::<Free>("rdma_freeaddrinfo") }.map_err(say)?;
        Ok(Self { get: *get, free: *free })
    }

    /// rdma_getaddrinfo(3). No hints are a null pointer.
    ///
    /// # Errors
    /// What it returns.
    #[inline]
    pub fn getaddrinfo(
        &self,
        node: &CStr,
        service: &CStr,
        hints: Option<&CHints>,
    ) -> Result<CInfos<'_>, c_int> {
        let hints = hints.map_or(ptr::null(), |hints| &raw const hints.0);
        let mut first = ptr::null_mut();
        // SAFETY: by the invariant this is rdma_getaddrinfo; both texts end with a NUL, the hints are null or have no
        // pointers, `first` can be written, and all live longer than the call.
        match unsafe { (self.get)(node.as_ptr(), service.as_ptr(), hints, &raw mut first) } {
            0 => Ok(CInfos { first, free: self.free, library: PhantomData }),
            error => Err(error),
        }
    }
}

/// Hints without addresses and route.
#[derive(Clone, Copy, Debug)]
pub struct CHints(rdma_addrinfo);

impl CHints {
    /// Hints as a C program fills them in.
    #[must_use]
    pub const fn new(flags: Flags, qp_type: QpType, port_space: PortSpace) -> Self {
        Self(rdma_addrinfo {
            ai_flags: flags.to_raw(),
            ai_qp_type: qp_type.to_raw(),
            ai_port_space: port_space.to_raw(),
            ..rdma_addrinfo::ZERO
        })
    }
}

/// The list of rdma_getaddrinfo(3), freed when dropped.
#[derive(Debug)]
pub struct CInfos<'l> {
    // Invariant: from a rdma_getaddrinfo that succeeded, and not freed; `free` is of the same library.
    first: *mut rdma_addrinfo,
    free: Free,
    library: PhantomData<&'l CLibrary>,
}

impl CInfos<'_> {
    /// The first structure.
    #[must_use]
    #[inline]
    pub const fn first(&self) -> Option<RawAddrInfo<'_>> {
        // SAFETY: by the invariant the list is whole, and nobody changes it; it lives as long as self.
        unsafe { RawAddrInfo::from_ptr(self.first) }
    }

    /// The destinations.
    #[must_use]
    pub fn destinations(&self) -> Vec<SocketAddr> {
        let mut found = Vec::new();
        let mut next = self.first;
        while !next.is_null() {
            // SAFETY: by the invariant, `first` and what follows are structures of a list that lives as long as self.
            let info = unsafe { &*next };
            // SAFETY: the destination of an IP entry is a whole structure of its family.
            found.push(unsafe { socket_address(info.ai_family, info.ai_dst_addr.cast()) });
            next = info.ai_next;
        }
        found
    }
}

impl Drop for CInfos<'_> {
    #[inline]
    fn drop(&mut self) {
        // SAFETY: by the invariant, the list is this library's, and this is the one place that frees it.
        unsafe { (self.free)(self.first) }
    }
}
