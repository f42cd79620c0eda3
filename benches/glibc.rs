//! The C library's parsers, as thinly wrapped as can be.
#![allow(unsafe_code)]

use std::ffi::{CStr, c_int};
use std::marker::PhantomData;
use std::net::{Ipv4Addr, Ipv6Addr, SocketAddr, SocketAddrV4, SocketAddrV6};
use std::{mem, ptr};

/// inet_pton(3): an IPv4 address (`N` = 4) or an IPv6 address (`N` = 16), in network order.
#[must_use]
#[inline]
pub fn inet_pton<const N: usize>(text: &CStr) -> Option<[u8; N]> {
    let family = const {
        match N {
            4 => libc::AF_INET,
            16 => libc::AF_INET6,
            _ => panic!("an address has 4 or 16 bytes"),
        }
    };
    let mut address = [0_u8; N];
    // SAFETY: `text` ends with a NUL; inet_pton writes 4 bytes for AF_INET and 16 for AF_INET6, which is `N`.
    let ret = unsafe { sys::inet_pton(family, text.as_ptr(), address.as_mut_ptr().cast()) };
    (ret == 1).then_some(address)
}

mod sys {
    use std::ffi::{c_char, c_int, c_void};

    // The crate libc leaves it out.
    unsafe extern "C" {
        pub(super) fn inet_pton(family: c_int, text: *const c_char, address: *mut c_void) -> c_int;
    }
}

/// Whether a node and a service are numbers, or are to be looked up.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Numeric {
    /// `AI_NUMERICHOST` and `AI_NUMERICSERV`.
    Yes,
    /// No flag.
    No,
}

/// getaddrinfo(3), for TCP.
///
/// # Errors
/// The EAI code.
#[inline]
pub fn getaddrinfo(node: &CStr, service: &CStr, numeric: Numeric) -> Result<AddrInfos, c_int> {
    // SAFETY: `addrinfo` is made of integers and raw pointers, for all of which zero is valid.
    let mut hints: libc::addrinfo = unsafe { mem::zeroed() };
    if numeric == Numeric::Yes {
        hints.ai_flags = libc::AI_NUMERICHOST | libc::AI_NUMERICSERV;
    }
    hints.ai_socktype = libc::SOCK_STREAM;
    hints.ai_protocol = libc::IPPROTO_TCP;
    let mut first = ptr::null_mut();
    // SAFETY: both texts end with a NUL; the hints are those of the manual page, their pointers null; `first` can be
    // written.
    match unsafe { libc::getaddrinfo(node.as_ptr(), service.as_ptr(), &hints, &mut first) } {
        0 => Ok(AddrInfos { first, owned: PhantomData }),
        error => Err(error),
    }
}

/// The list of getaddrinfo(3), freed when dropped.
#[derive(Debug)]
pub struct AddrInfos {
    // Invariant: from a getaddrinfo that succeeded, and not freed.
    first: *mut libc::addrinfo,
    owned: PhantomData<libc::addrinfo>,
}

impl AddrInfos {
    /// The addresses.
    #[must_use]
    pub fn addresses(&self) -> Vec<SocketAddr> {
        let mut addresses = Vec::new();
        let mut next = self.first;
        while !next.is_null() {
            // SAFETY: by the invariant, `first` and what follows are structures of a list that lives as long as self.
            let info = unsafe { &*next };
            // SAFETY: getaddrinfo's ai_addr points to the aligned structure of ai_family.
            addresses.push(unsafe { socket_address(info.ai_family, info.ai_addr) });
            next = info.ai_next;
        }
        addresses
    }
}

impl Drop for AddrInfos {
    #[inline]
    fn drop(&mut self) {
        // SAFETY: by the invariant, the list is getaddrinfo's, and this is the one place that frees it.
        unsafe { libc::freeaddrinfo(self.first) }
    }
}

/// A C socket address.
///
/// # Safety
/// `address` points to a whole, aligned structure of that family.
pub(crate) unsafe fn socket_address(family: c_int, address: *const libc::sockaddr) -> SocketAddr {
    match family {
        libc::AF_INET => {
            // SAFETY: the caller promises a `sockaddr_in`, which is borrowed no longer than this call.
            let v4 = unsafe { &*address.cast::<libc::sockaddr_in>() };
            let ip = Ipv4Addr::from_bits(u32::from_be(v4.sin_addr.s_addr));
            SocketAddrV4::new(ip, u16::from_be(v4.sin_port)).into()
        }
        libc::AF_INET6 => {
            // SAFETY: the caller promises a `sockaddr_in6`, which is borrowed no longer than this call.
            let v6 = unsafe { &*address.cast::<libc::sockaddr_in6>() };
            let ip = Ipv6Addr::from(v6.sin6_addr.s6_addr);
            let port = u16::from_be(v6.sin6_port);
            SocketAddrV6::new(ip, port, u32::from_be(v6.sin6_flowinfo), v6.sin6_scope_id).into()
        }
        family => panic!("an answer of family {family}"),
    }
}
