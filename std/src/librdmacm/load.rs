//! Loads librdmacm at run time.
#![allow(unsafe_code)]

use super::Library;
use super::call::GetAddrInfo;
use super::list::FreeAddrInfo;
use crate::error::{LoadError, LoadErrorKind};
use libloading::os::unix::{self as dl, RTLD_LOCAL, RTLD_NOW};
use std::error::Error;
use std::mem::ManuallyDrop;
use std::path::Path;

/// The name that the dynamic linker looks up; the number is the version of the interface.
const SONAME: &str = "librdmacm.so.1";

impl Library {
    /// Loads the `librdmacm.so.1` that the dynamic linker finds. Programs need neither its headers nor a package
    /// to build, and start without it.
    ///
    /// The library stays loaded: it keeps locks and a connection to ibacm for the life of the process, and its results
    /// must remain valid. Loading it again costs a lookup, and no memory.
    ///
    /// # Errors
    /// Those of [`LoadErrorKind`], with the message of the dynamic linker.
    ///
    /// ```no_run
    /// use rdma_addrinfo::{Library, LoadErrorKind};
    ///
    /// match Library::load() {
    ///     Ok(library) => println!("RAI_SA: {}", library.has_sa()),
    ///     Err(error) if error.kind() == LoadErrorKind::NotFound => println!("install librdmacm"),
    ///     Err(error) => println!("{error}"),
    /// }
    /// ```
    #[doc(alias = "dlopen")]
    pub fn load() -> Result<Self, LoadError> {
        // SAFETY: whoever installs a library under this name, or puts it in the linker's search path, promises its
        // interface, as for any library that a program is linked with.
        unsafe { Self::load_from(SONAME) }
    }

    /// Loads another file: a path, or without a `/` a name that the dynamic linker looks up.
    ///
    /// Each different file that is loaded stays loaded, whether or not it turns out to be librdmacm.
    ///
    /// # Safety
    /// - The initializers of the library and of its dependencies can run here.
    /// - If it has functions named `rdma_getaddrinfo` and `rdma_freeaddrinfo`, they are those of librdmacm or
    ///   behave like them: they have the C signatures, can be called by all threads at once, keep no pointer to
    ///   their arguments, and return lists that keep the contract of
    ///   [`RawAddrInfo::from_ptr`](rdma_addrinfo_core::RawAddrInfo::from_ptr) until they are freed, which any thread may do.
    ///
    /// # Errors
    /// As [`load`](Self::load).
    pub unsafe fn load_from(path: impl AsRef<Path>) -> Result<Self, LoadError> {
        let path = path.as_ref();
        // dlopen(3) would open the program itself.
        if path.as_os_str().is_empty() {
            return Err(LoadError::new(LoadErrorKind::NotFound, path, "the path is empty".into()));
        }
        // SAFETY: the caller promises that the initializers can run.
        let library = unsafe { dl::Library::open(Some(path), RTLD_NOW | RTLD_LOCAL) };
        let library = library.map_err(|error| LoadError::from_linker(path, linker_message(&error)))?;
        // Never closed: the library has locks, connections and exit handlers, and does not document that it can be
        // unloaded while they exist.
        let library = ManuallyDrop::new(library);

        let lacks = |detail| LoadError::new(LoadErrorKind::MissingSymbol, path, detail);
        // SAFETY: the caller promises that a function of this name has this signature.
        let get = unsafe { function::<GetAddrInfo>(&library, "rdma_getaddrinfo") }.map_err(lacks)?;
        // SAFETY: the caller promises that a function of this name has this signature.
        let free = unsafe { function::<FreeAddrInfo>(&library, "rdma_freeaddrinfo") }.map_err(lacks)?;
        Ok(Self { get, free, resolves_sa: exports(&library, "rdma_resolve_addrinfo") })
    }
}

/// The function of this name, or the error of the dynamic linker.
///
/// # Safety
/// `F` is a function pointer, and if the library has a symbol of this name, the signature of that function.
unsafe fn function<F: Copy>(library: &dl::Library, name: &str) -> Result<F, String> {
    // SAFETY: a symbol is an address or null, which is `None`; the caller promises that the address is that of an F.
    let symbol = unsafe { library.get::<Option<F>>(name) };
    match symbol.as_deref() {
        Ok(Some(function)) => Ok(*function),
        Ok(None) => Err(format!("symbol {name} is null")),
        Err(error) => Err(linker_message(error)),
    }
}

/// The message of the dynamic linker.
fn linker_message(error: &libloading::Error) -> String {
    error.source().map_or_else(|| error.to_string(), ToString::to_string)
}

/// Whether the library has a symbol of this name.
pub(super) fn exports(library: &dl::Library, name: &str) -> bool {
    // SAFETY: the address is compared with null and not used, and any bits are a pointer.
    let symbol = unsafe { library.get::<*const ()>(name) };
    symbol.is_ok_and(|address| !address.is_null())
}
