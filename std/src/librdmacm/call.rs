//! Calls `rdma_getaddrinfo`.
#![allow(unsafe_code)]

use super::guard::CallGuard;
use super::{Library, LibraryList};
use crate::c_text::with_c_text;
use crate::errno;
use crate::error::Error;
use rdma_addrinfo_core::abi::rdma_addrinfo;
use rdma_addrinfo_core::{self as core_crate, Flags, Hints, Location, ServiceText, Text, abi};
use std::ffi::{CStr, c_char, c_int, c_void};
use std::io::Write;
use std::ptr;

/// `rdma_getaddrinfo`
pub(super) type GetAddrInfo = unsafe extern "C" fn(
    *const c_char,
    *const c_char,
    *const rdma_addrinfo,
    *mut *mut rdma_addrinfo,
) -> c_int;

impl Library {
    /// Calls `rdma_getaddrinfo` of librdmacm. The results are in the library's memory.
    ///
    /// Node and service are `&str`, `&CStr`, or `None`; hints are `&Hints` or `None`. The call allocates nothing
    /// itself, unless a text has more than 255 bytes. `None` for hints is a null pointer: librdmacm then lets
    /// getaddrinfo(3) read the host's interfaces, which takes some ten microseconds longer and leaves out families of
    /// which the host has no address. `&Hints::new()` does not.
    ///
    /// The results of the library are not corrected. Requests for which it would read invalid memory are not passed on
    /// unchanged:
    /// - An AF_IB address ([`Flags::FAMILY`], [`Flags::NUMERIC_HOST`], AF_IB) is only made of IPv6 text, and no node
    ///   means `::1`, or `::` if passive. Other text is rejected.
    /// - [`Flags::ROUTE_ONLY`] is set, so that the library makes no AF_IB entry beside the IP one, if a source in the hints
    ///   may be of another family than the destination (as with a name when the hints leave the family open), or if
    ///   hints alone hold addresses of another family than their own, or no destination. The result does not show it.
    ///
    /// # Hazards of the library
    /// No argument can exclude these. The native [`Resolver`](crate::Resolver) has none of them:
    /// - It has no deadline. Calls wait for the name service, and with ibacm for the daemon and for each other: for ever
    ///   if the daemon does not answer.
    /// - It trusts ibacm. If the kernel accepts AF_IB addresses, a path without a source, or with one of another family,
    ///   crashes it or puts stray bytes of the heap into the connect data. A reply in pieces or too late becomes the
    ///   answer to a later call.
    /// - If ibacm exits, the process ends with `SIGPIPE`, unless that is ignored, as in Rust programs. The library never
    ///   reconnects, and forked children share the connection.
    ///
    /// # Errors
    /// Those of the library: `NoDevice` without an RDMA device, for any request. These are returned without a call:
    /// - [`ErrorKind::Invalid`](core_crate::ErrorKind::Invalid): a NUL byte inside a text;
    /// - [`ErrorKind::NotSupported`](core_crate::ErrorKind::NotSupported): [`Flags::SA`], which the library
    ///   does not [support](Library::has_sa);
    /// - [`ErrorKind::AddrFamily`](core_crate::ErrorKind::AddrFamily) and
    ///   [`ErrorKind::NoName`](core_crate::ErrorKind::NoName): an AF_IB address of text that is not an IPv6 address.
    ///
    /// ```no_run
    /// use rdma_addrinfo::{Hints, Library, PortSpace, QpType};
    ///
    /// let library = Library::load()?;
    /// let hints = Hints::new().with_qp_type(QpType::RC).with_port_space(PortSpace::TCP);
    /// let list = library.getaddrinfo("storage-7", "7471", &hints)?;
    /// for info in &list {
    ///     println!("{info}");
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[doc(alias = "rdma_getaddrinfo")]
    pub fn getaddrinfo<'q>(
        &self,
        node: impl Into<Text<'q>>,
        service: impl Into<ServiceText<'q>>,
        hints: impl Into<Option<&'q Hints<'q>>>,
    ) -> Result<LibraryList, Error> {
        let (node, service) = (node.into(), service.into());
        self.checked_call(node, service, hints.into())
            .map_err(|error| Error::new(error.into(), node, service))
    }

    fn checked_call(
        &self,
        node: Text<'_>,
        service: ServiceText<'_>,
        hints: Option<&Hints<'_>>,
    ) -> Result<LibraryList, core_crate::Error> {
        let digits;
        let service = match service.port() {
            None => service.text(),
            Some(port) => {
                digits = decimal(port);
                CStr::from_bytes_until_nul(&digits).map_or(Text::NONE, Text::from)
            }
        };
        let guard = match hints {
            Some(hints) => CallGuard::new(node, service, hints, self.has_sa())?,
            None => CallGuard::unchanged(node),
        };
        match (borrow_c_str(guard.node), borrow_c_str(service)) {
            (Some(node), Some(service)) => self.call(node, service, hints, guard.route_only),
            _ => self.copy_and_call(guard, service, hints),
        }
    }

    /// Calls with copies of the texts that are not C strings yet.
    #[inline(never)]
    fn copy_and_call(
        &self,
        guard: CallGuard<'_>,
        service: Text<'_>,
        hints: Option<&Hints<'_>>,
    ) -> Result<LibraryList, core_crate::Error> {
        with_c_text(guard.node, Location::Node, |node| {
            with_c_text(service, Location::Service, |service| {
                self.call(node, service, hints, guard.route_only)
            })
        })
    }

    // Inlined, so that the path without copies is one function.
    #[inline(always)]
    fn call(
        &self,
        node: Option<&CStr>,
        service: Option<&CStr>,
        hints: Option<&Hints<'_>>,
        route_only: bool,
    ) -> Result<LibraryList, core_crate::Error> {
        let node = node.map_or(ptr::null(), CStr::as_ptr);
        let service = service.map_or(ptr::null(), CStr::as_ptr);
        let mut buffer = None;
        let hints = hints.map(|hints| {
            let extra = if route_only { Flags::ROUTE_ONLY } else { Flags::empty() };
            rdma_addrinfo {
                ai_flags: hints.flags().union(extra).to_raw(),
                ai_route: align(hints.route(), &mut buffer),
                ..hints.to_c()
            }
        });
        let hints = hints.as_ref().map_or(ptr::null(), ptr::from_ref);
        let mut first = ptr::null_mut();

        errno::clear();
        // SAFETY: by the invariant `get` is rdma_getaddrinfo of a library that is never unloaded. Node and service are
        // null or end with a NUL; `hints` is null or a live structure whose pointers are null with length 0, or point
        // to as many live bytes as their lengths say, which are those of a sockaddr of the address's family; `first` is
        // a live pointer. All of them outlive the call, and the library keeps none and changes nothing but `first`.
        // `CallGuard` has excluded requests for which it reads invalid memory.
        let ret = unsafe { (self.get)(node, service, hints, &raw mut first) };
        if ret != 0 {
            return Err(core_crate::Error::from_librdmacm(ret, errno::last()));
        }
        if route_only && !first.is_null() {
            // SAFETY: a call that returned 0 stored null or a new list of its own, whose first structure is aligned
            // and initialized, and which nobody else knows.
            let flags = unsafe { &mut (*first).ai_flags };
            *flags = Flags::from_raw(*flags).difference(Flags::ROUTE_ONLY).to_raw();
        }
        // SAFETY: the list is null, or new and nobody else's, made by this library, which promises that each structure
        // is valid: pointers null or leading to as many bytes as their lengths say, names that end with a NUL (one
        // without a NUL could not be detected), the chain ended by null.
        Ok(unsafe { LibraryList::from_raw(self, first) })
    }
}

/// A port in decimal, for C.
fn decimal(port: u16) -> [u8; 6] {
    let mut digits = [0; 6];
    // Five digits and a NUL fit.
    let _ = write!(&mut digits[..5], "{port}");
    digits
}

/// A buffer for one path of a route hint. The library copies it as a structure, which C aligns to eight bytes.
#[repr(align(8))]
struct Route([u8; size_of::<abi::ibv_path_data>()]);

/// A pointer to these bytes, copied to the aligned `buffer` if they have a length that the library reads: that of one
/// path, with flags or without. Null for none.
fn align(route: &[u8], buffer: &mut Option<Route>) -> *mut c_void {
    const RECORD: usize = size_of::<abi::ibv_path_record>();
    const DATA: usize = size_of::<abi::ibv_path_data>();
    match route.len() {
        len @ (RECORD | DATA) => {
            let Route(buffer) = buffer.insert(Route([0; DATA]));
            let aligned = &mut buffer[..len];
            aligned.copy_from_slice(route);
            aligned.as_mut_ptr().cast()
        }
        0 => ptr::null_mut(),
        _ => route.as_ptr().cast_mut().cast(),
    }
}

/// The text as a C string, null for none; `None` if it has to be copied first.
#[inline]
fn borrow_c_str(text: Text<'_>) -> Option<Option<&CStr>> {
    match text.as_c_str() {
        None if text != Text::NONE => None,
        c => Some(c),
    }
}
