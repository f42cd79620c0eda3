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
    /// Asks librdmacm. Its results come in its own memory.
    ///
    /// Node and service are `&str`, `&CStr`, or `None`; hints are `&Hints` or `None`. The call allocates nothing
    /// beside what the library does, unless a text has more than 255 bytes. `None` for hints is a null pointer:
    /// librdmacm then lets getaddrinfo(3) look at the host's interfaces, which takes some ten microseconds longer and
    /// leaves out families that the host has no address of. `&Hints::new()` does not.
    ///
    /// What the library answers is not corrected. It is never asked what makes it read memory that is not there:
    /// - An AF_IB address ([`Flags::FAMILY`], [`Flags::NUMERIC_HOST`], AF_IB) is only made of IPv6 text, and no node
    ///   means `::1`, or `::` if passive. Other text is refused.
    /// - Where a source in the hints may be of another family than the destination (as with a name when the hints
    ///   leave the family open), or hints alone hold addresses of another family than their own, or no destination,
    ///   it is told to make no AF_IB entry beside the IP one ([`Flags::ROUTE_ONLY`]); the result does not show the flag.
    ///
    /// # Hazards of the library
    /// No argument can exclude these, and the native backend has none of them:
    /// - It has no deadline. Calls wait for the name service, and where there is an ibacm for it and for each other, for
    ///   ever if it is silent.
    /// - It believes what ibacm says. A path without a source, or with one of another family, crashes it or puts
    ///   stray bytes of the heap into the connect data where the kernel takes AF_IB addresses; a reply in pieces or too
    ///   late becomes the answer to a later call.
    /// - An ibacm that went away ends the process with `SIGPIPE`, unless that is ignored, as programs in Rust do.
    ///   The connection is never made again, and forked children share it.
    ///
    /// # Errors
    /// What the library says. `NoDevice` without an RDMA device, whatever is asked. Beside these, without a call:
    /// - [`ErrorKind::Invalid`](core_crate::ErrorKind::Invalid): a NUL byte inside a text;
    /// - [`ErrorKind::NotSupported`](core_crate::ErrorKind::NotSupported): [`Flags::SA`], and the library has it
    ///   [not](Library::has_sa);
    /// - [`ErrorKind::AddrFamily`](core_crate::ErrorKind::AddrFamily) and
    ///   [`ErrorKind::NoName`](core_crate::ErrorKind::NoName): an AF_IB address of text that is no IPv6 address.
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
        self.ask(node, service, hints.into()).map_err(|error| Error::new(error.into(), node, service))
    }

    fn ask(
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
            None => CallGuard::as_asked(node),
        };
        match (in_place(guard.node), in_place(service)) {
            (Some(node), Some(service)) => self.call(node, service, hints, guard.route_only),
            _ => self.copy_and_call(guard, service, hints),
        }
    }

    /// Calls with copies of what is no C string yet.
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

    // Inlined, so that the way without copies is one function.
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
        let mut room = None;
        let hints = hints.map(|hints| {
            let extra = if route_only { Flags::ROUTE_ONLY } else { Flags::empty() };
            rdma_addrinfo {
                ai_flags: hints.flags().union(extra).to_raw(),
                ai_route: align(hints.route(), &mut room),
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
        // What it must not be asked, `CallGuard` has excluded.
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
        // is whole: pointers null or leading to as many bytes as their lengths say, names that end with a NUL (one
        // without an end could not be told), the chain closed by null.
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

/// Room for a path of a route hint. The library copies it as the structure that it is, which C aligns to eight bytes.
#[repr(align(8))]
struct Route([u8; size_of::<abi::ibv_path_data>()]);

/// Where the same bytes lie, aligned where they have a length that the library looks at: that of one path, with flags or
/// without. Null for none.
fn align(route: &[u8], room: &mut Option<Route>) -> *mut c_void {
    const RECORD: usize = size_of::<abi::ibv_path_record>();
    const DATA: usize = size_of::<abi::ibv_path_data>();
    match route.len() {
        len @ (RECORD | DATA) => {
            let Route(room) = room.insert(Route([0; DATA]));
            let aligned = &mut room[..len];
            aligned.copy_from_slice(route);
            aligned.as_mut_ptr().cast()
        }
        0 => ptr::null_mut(),
        _ => route.as_ptr().cast_mut().cast(),
    }
}

/// What C gets for the text, itself or null; `None` if it has to be copied first.
#[inline]
fn in_place(text: Text<'_>) -> Option<Option<&CStr>> {
    match text.as_c_str() {
        None if text != Text::NONE => None,
        c => Some(c),
    }
}
