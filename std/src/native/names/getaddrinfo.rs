//! getaddrinfo(3), and the list that it makes.

use super::Query;
use crate::errno;
use crate::native::idle_socket;
use libc::{addrinfo, sockaddr_in, sockaddr_in6};
use rdma_addrinfo_core::{Error, ErrorKind, Found, Protocol, Reason};
use rustix::net::{AddressFamily, SocketFlags, SocketType};
use std::ffi::{CStr, c_int};
use std::marker::PhantomData;
use std::mem;
use std::net::{Ipv4Addr, Ipv6Addr, SocketAddr, SocketAddrV6};
use std::ptr;

/// Asks getaddrinfo(3) on this thread.
pub(super) fn call(query: &Query<&CStr>) -> Result<List, Error> {
    let mut list = List::get(query)?;
    // musl gives it unasked.
    list.is_named = asks_name(query);
    Ok(list)
}

/// Whether to ask for the canonical name: without a node, glibc calls that an error.
fn asks_name(query: &Query<&CStr>) -> bool {
    query.canonical && query.node.is_some()
}

/// The list that getaddrinfo(3) made, freed when dropped. It is read where it lies: an answer needs no memory beside it.
#[derive(Debug)]
pub(super) struct List {
    /// Invariant: null, or the first entry of such a list, not freed, which nobody else has.
    first: *mut addrinfo,
    /// Whether the canonical name was asked for.
    is_named: bool,
}

// SAFETY: the list is memory that belongs to this value alone, and that getaddrinfo and freeaddrinfo, which are MT-safe,
// do not tie to a thread.
unsafe impl Send for List {}

impl List {
    fn get(query: &Query<&CStr>) -> Result<Self, Error> {
        let mut flags = 0;
        if query.passive {
            flags |= libc::AI_PASSIVE;
        }
        if asks_name(query) {
            flags |= libc::AI_CANONNAME;
        }
        let (socktype, protocol) = match query.protocol {
            Protocol::Tcp => (libc::SOCK_STREAM, libc::IPPROTO_TCP),
            Protocol::Udp => (libc::SOCK_DGRAM, libc::IPPROTO_UDP),
            Protocol::Any => (0, 0),
        };
        let hints = addrinfo {
            ai_flags: flags,
            ai_family: query.family,
            ai_socktype: socktype,
            ai_protocol: protocol,
            ai_addrlen: 0,
            ai_addr: ptr::null_mut(),
            ai_canonname: ptr::null_mut(),
            ai_next: ptr::null_mut(),
        };
        let node = query.node.map_or(ptr::null(), CStr::as_ptr);
        let service = query.service.map_or(ptr::null(), CStr::as_ptr);
        let mut first = ptr::null_mut();
        errno::clear();
        // SAFETY: node and service are null or NUL-terminated strings that `query` borrows for longer than this
        // call; `hints` and `first` are live locals; the fields of `hints` that must be 0 or null are; getaddrinfo
        // is MT-safe and keeps none of the pointers.
        let ret = unsafe { libc::getaddrinfo(node, service, &raw const hints, &raw mut first) };
        match ret {
            0 => Ok(Self { first, is_named: false }),
            // Without memory to read hosts(5) or to ask DNS, glibc takes the name for one that does not exist.
            _ if errno::last() == libc::ENOMEM => Err(ErrorKind::Memory.into()),
            // Nor does it report that it had no descriptor for them.
            _ if matches!(errno::last(), libc::EMFILE | libc::ENFILE) => Err(Error::system(errno::last())),
            // Without one for a socket to a name server it leaves no error at all.
            libc::EAI_SYSTEM => {
                let last = errno::last();
                // So glibc reports that there is nowhere to look.
                if last == libc::EBUSY {
                    return Err(Error::from_getaddrinfo(libc::EAI_SYSTEM, last).because(Reason::NoNameSource));
                }
                Err(Error::from_getaddrinfo(libc::EAI_SYSTEM, no_descriptor(last).unwrap_or(last)))
            }
            code => Err(Error::from_getaddrinfo(code, errno::last())),
        }
    }

    fn iter(&self) -> Iter<'_> {
        Iter { next: self.first, list: PhantomData }
    }

    /// The IPv4 and IPv6 addresses.
    pub(super) fn addresses(&self) -> impl Iterator<Item = Found> + Clone {
        self.iter().filter_map(found)
    }

    /// The canonical name, if it was asked for. Only the first entry has it, whatever its family.
    pub(super) fn canonical_name(&self) -> Option<&CStr> {
        self.iter().next().filter(|_| self.is_named).and_then(canonical_name)
    }
}

impl Drop for List {
    fn drop(&mut self) {
        if !self.first.is_null() {
            // SAFETY: by the invariant the pointer came from getaddrinfo and was not freed; only drop frees it, and
            // every borrow of an entry borrows `self`, so none is left.
            unsafe { libc::freeaddrinfo(self.first) }
        }
    }
}

/// The entries of a [`List`].
///
/// Invariant: `next` is null or an entry of the list that `list` borrows.
#[derive(Clone)]
struct Iter<'l> {
    next: *const addrinfo,
    list: PhantomData<&'l List>,
}

impl<'l> Iterator for Iter<'l> {
    type Item = &'l addrinfo;

    fn next(&mut self) -> Option<&'l addrinfo> {
        // SAFETY: null, or by the invariant an entry that getaddrinfo made: aligned, initialised, and alive and
        // unchanged while the list is borrowed, which it is for 'l.
        let entry = unsafe { self.next.as_ref() }?;
        self.next = entry.ai_next;
        Some(entry)
    }
}

/// Why no descriptor is to be had, if that may be what is behind this `errno` of getaddrinfo(3).
fn no_descriptor(errno: c_int) -> Option<c_int> {
    if errno != 0 {
        return None;
    }
    let socket = idle_socket::open(AddressFamily::INET, SocketType::DGRAM, SocketFlags::empty());
    let errno = socket.err()?.raw_os_error();
    matches!(errno, libc::EMFILE | libc::ENFILE).then_some(errno)
}

/// The address of an entry of a [`List`]; none if it is neither IPv4 nor IPv6, or too short for what it says.
fn found(entry: &addrinfo) -> Option<Found> {
    let protocol = match entry.ai_protocol {
        libc::IPPROTO_TCP => Protocol::Tcp,
        libc::IPPROTO_UDP => Protocol::Udp,
        _ => Protocol::Any,
    };
    let address = match entry.ai_family {
        libc::AF_INET => {
            let ip: sockaddr_in = sockaddr(entry)?;
            SocketAddr::from((
                Ipv4Addr::from_bits(u32::from_be(ip.sin_addr.s_addr)),
                u16::from_be(ip.sin_port),
            ))
        }
        libc::AF_INET6 => {
            let ip: sockaddr_in6 = sockaddr(entry)?;
            let address = Ipv6Addr::from(ip.sin6_addr.s6_addr);
            let flow_info = u32::from_be(ip.sin6_flowinfo);
            SocketAddrV6::new(address, u16::from_be(ip.sin6_port), flow_info, ip.sin6_scope_id).into()
        }
        _ => return None,
    };
    Some(Found { address, protocol })
}

/// A C socket address without pointers or invalid bit patterns.
///
/// # Safety
///
/// Any bytes are a value of the type.
unsafe trait SockAddr: Copy {}

// SAFETY: integers and arrays of integers.
unsafe impl SockAddr for sockaddr_in {}

// SAFETY: integers and arrays of integers.
unsafe impl SockAddr for sockaddr_in6 {}

/// Reads the address of an entry of a [`List`], if it is at least as long as `T`.
fn sockaddr<T: SockAddr>(entry: &addrinfo) -> Option<T> {
    let length = usize::try_from(entry.ai_addrlen).ok()?;
    if entry.ai_addr.is_null() || length < mem::size_of::<T>() {
        return None;
    }
    // SAFETY: getaddrinfo says that `ai_addrlen` bytes can be read at `ai_addr`; these are at least the size of T, of
    // which any bytes are a value. No alignment is needed.
    Some(unsafe { entry.ai_addr.cast::<T>().read_unaligned() })
}

fn canonical_name(entry: &addrinfo) -> Option<&CStr> {
    if entry.ai_canonname.is_null() {
        return None;
    }
    // SAFETY: not null, so a NUL-terminated string of getaddrinfo that lives as long as the entry.
    Some(unsafe { CStr::from_ptr(entry.ai_canonname) })
}
