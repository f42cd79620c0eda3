//! [`RawAddrInfo`]: the one unsafe door to a C `rdma_addrinfo`, with safe, checked getters behind it.
#![allow(unsafe_code, reason = "the door to foreign memory")]

use crate::abi::rdma_addrinfo;
use crate::error::{Error, ErrorKind, Field, Location, Reason};
use crate::sockaddr::SockAddrRef;
use crate::types::{Family, Flags, PortSpace, QpType};
use core::ffi::{CStr, c_char, c_void};
use core::fmt;
use core::marker::PhantomData;
use core::ptr::NonNull;
use core::slice;

/// A C `rdma_addrinfo` in foreign memory: librdmacm's own list, or hints that a C caller gave.
///
/// Each getter reads the C field when asked and checks it: a null pointer is no value, whatever its length
/// says, and no slice is ever made of it. Nothing is copied.
#[doc(alias = "rdma_addrinfo")]
#[derive(Clone, Copy)]
pub struct RawAddrInfo<'a> {
    // Invariant: points to an rdma_addrinfo that keeps the contract of `from_ptr` for 'a.
    raw: NonNull<rdma_addrinfo>,
    memory: PhantomData<&'a rdma_addrinfo>,
}

impl<'a> RawAddrInfo<'a> {
    /// Views the structure at `raw`; `None` when it is null.
    ///
    /// # Safety
    /// For all of `'a`, unless null:
    /// - `raw` is aligned and points to an initialized `rdma_addrinfo` that nobody changes or frees;
    /// - each of `ai_src_addr`, `ai_dst_addr`, `ai_route` and `ai_connect` is null or points to as many
    ///   initialized bytes as its length field says, which nobody changes or frees. A length above `isize::MAX`, which
    ///   no memory has, counts as 0;
    /// - each canonical name is null or ends with a NUL, which nobody changes or frees. A name without an end
    ///   cannot be detected;
    /// - `ai_next` is null or keeps this same contract. A cycle is harmless: iteration over a list is bounded.
    #[must_use]
    pub const unsafe fn from_ptr(raw: *const rdma_addrinfo) -> Option<Self> {
        match NonNull::new(raw.cast_mut()) {
            Some(raw) => Some(Self { raw, memory: PhantomData }),
            None => None,
        }
    }

    /// The C structure itself.
    #[must_use]
    #[inline]
    pub const fn as_raw(&self) -> &'a rdma_addrinfo {
        // SAFETY: by the invariant `raw` is non-null, aligned, initialized, and not written to during 'a.
        unsafe { self.raw.as_ref() }
    }

    /// `ai_flags`, every bit.
    #[must_use]
    #[inline]
    pub const fn flags(&self) -> Flags {
        Flags::from_raw(self.as_raw().ai_flags)
    }

    /// `ai_family`, as it is.
    #[must_use]
    #[inline]
    pub const fn family(&self) -> Family {
        Family::from_raw(self.as_raw().ai_family)
    }

    /// `ai_qp_type`, as it is.
    #[must_use]
    #[inline]
    pub const fn qp_type(&self) -> QpType {
        QpType::from_raw(self.as_raw().ai_qp_type)
    }

    /// `ai_port_space`, as it is.
    #[must_use]
    #[inline]
    pub const fn port_space(&self) -> PortSpace {
        PortSpace::from_raw(self.as_raw().ai_port_space)
    }

    /// The source address, `None` if null or of length 0.
    #[must_use]
    #[inline]
    pub fn src_addr(&self) -> Option<SockAddrRef<'a>> {
        address(self.src_room()?)
    }

    /// The destination address, `None` if null or of length 0.
    #[must_use]
    #[inline]
    pub fn dst_addr(&self) -> Option<SockAddrRef<'a>> {
        address(self.dst_room()?)
    }

    /// The bytes of the source address, `None` if null or of length 0.
    #[must_use]
    #[inline]
    pub fn src_bytes(&self) -> Option<&'a [u8]> {
        self.src_room().filter(|bytes| !bytes.is_empty())
    }

    /// The bytes of the source address, perhaps none; `None` if null.
    #[inline]
    pub(crate) fn src_room(&self) -> Option<&'a [u8]> {
        let raw = self.as_raw();
        // SAFETY: by the contract of `from_ptr`, pointer and length of the source address belong together.
        unsafe { bytes(raw.ai_src_addr, usize::try_from(raw.ai_src_len).ok()?) }
    }

    /// The bytes of the destination address, `None` if null or of length 0.
    #[must_use]
    #[inline]
    pub fn dst_bytes(&self) -> Option<&'a [u8]> {
        self.dst_room().filter(|bytes| !bytes.is_empty())
    }

    /// The bytes of the destination address, perhaps none; `None` if null.
    #[inline]
    pub(crate) fn dst_room(&self) -> Option<&'a [u8]> {
        let raw = self.as_raw();
        // SAFETY: by the contract of `from_ptr`, pointer and length of the destination address belong together.
        unsafe { bytes(raw.ai_dst_addr, usize::try_from(raw.ai_dst_len).ok()?) }
    }

    /// The canonical name of the source.
    #[must_use]
    #[inline]
    pub fn src_canonname(&self) -> Option<&'a CStr> {
        // SAFETY: by the contract of `from_ptr`, the name is null or ends with a NUL.
        unsafe { name(self.as_raw().ai_src_canonname) }
    }

    /// The canonical name of the destination.
    #[must_use]
    #[inline]
    pub fn dst_canonname(&self) -> Option<&'a CStr> {
        // SAFETY: by the contract of `from_ptr`, the name is null or ends with a NUL.
        unsafe { name(self.as_raw().ai_dst_canonname) }
    }

    /// The bytes of the route, empty if null or of length 0.
    #[must_use]
    #[inline]
    pub fn route_bytes(&self) -> &'a [u8] {
        let raw = self.as_raw();
        // SAFETY: by the contract of `from_ptr`, pointer and length of the route belong together.
        unsafe { bytes(raw.ai_route, raw.ai_route_len) }.unwrap_or(&[])
    }

    /// The connect data, empty if null or of length 0.
    #[must_use]
    #[inline]
    pub fn connect_data(&self) -> &'a [u8] {
        let raw = self.as_raw();
        // SAFETY: by the contract of `from_ptr`, pointer and length of the connect data belong together.
        unsafe { bytes(raw.ai_connect, raw.ai_connect_len) }.unwrap_or(&[])
    }

    /// The next structure of the list.
    #[must_use]
    #[inline]
    pub const fn next(&self) -> Option<Self> {
        // SAFETY: by the contract of `from_ptr`, `ai_next` is null or keeps that contract for 'a.
        unsafe { Self::from_ptr(self.as_raw().ai_next) }
    }

    /// Checks pointers against lengths as hints need it: a null pointer has length 0, and no length is above
    /// `isize::MAX`.
    ///
    /// # Errors
    /// [`ErrorKind::Invalid`] with the field.
    pub(crate) fn check_lengths(&self) -> Result<(), Error> {
        let raw = self.as_raw();
        // That of an address is checked against its family.
        if !raw.ai_route.is_null() && isize::try_from(raw.ai_route_len).is_err() {
            return Err(Error::new(ErrorKind::Invalid)
                .because(Reason::RouteHintLength)
                .at(Location::Hints(Field::Route)));
        }
        // One by one: a table of them would lie in memory.
        let is_wrong = |pointer: *mut c_void, has_length: bool| pointer.is_null() && has_length;
        let field = if is_wrong(raw.ai_src_addr, raw.ai_src_len != 0) {
            Field::Source
        } else if is_wrong(raw.ai_dst_addr, raw.ai_dst_len != 0) {
            Field::Destination
        } else if is_wrong(raw.ai_route, raw.ai_route_len != 0) {
            Field::Route
        } else {
            return Ok(());
        };
        Err(Error::new(ErrorKind::Invalid).because(Reason::NullWithLength).at(Location::Hints(field)))
    }
}

/// The address in these bytes, `None` if there are none.
#[inline]
fn address(bytes: &[u8]) -> Option<SockAddrRef<'_>> {
    match SockAddrRef::from_bytes(bytes) {
        SockAddrRef::Other([]) => None,
        address => Some(address),
    }
}

/// The bytes at `start`, perhaps none; `None` if null or more than memory has.
///
/// # Safety
/// `start` is null or points to `len` initialized bytes, which nobody changes or frees during `'a`; or `len` is above
/// `isize::MAX`.
#[inline]
unsafe fn bytes<'a>(start: *mut c_void, len: usize) -> Option<&'a [u8]> {
    if start.is_null() || isize::try_from(len).is_err() {
        return None;
    }
    // SAFETY: `start` is not null; bytes have alignment 1; `len` is at most isize::MAX, and the caller promises so many
    // initialized, unchanging bytes there.
    Some(unsafe { slice::from_raw_parts(start.cast::<u8>(), len) })
}

/// The C string at `start`, `None` if null.
///
/// # Safety
/// `start` is null or points to a string that ends with a NUL and that nobody changes or frees during `'a`.
#[inline]
unsafe fn name<'a>(start: *mut c_char) -> Option<&'a CStr> {
    if start.is_null() {
        return None;
    }
    // SAFETY: `start` is not null, and the caller promises a NUL-terminated, unchanging string there.
    Some(unsafe { CStr::from_ptr(start) })
}

// SAFETY: a `RawAddrInfo` only reads, and by the contract of `from_ptr` nobody writes to what it reads during 'a.
unsafe impl Send for RawAddrInfo<'_> {}

// SAFETY: as for Send: shared reads of memory that nobody writes to.
unsafe impl Sync for RawAddrInfo<'_> {}

impl fmt::Debug for RawAddrInfo<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.as_raw().fmt(f)
    }
}
