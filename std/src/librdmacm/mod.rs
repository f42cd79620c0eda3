//! The binding to librdmacm: loaded at run time or linked; its results are borrowed, not copied.

mod call;
mod guard;
mod list;
mod load;
#[cfg(feature = "rdma-sys")]
pub mod sys;

#[cfg(test)]
mod tests;

pub use list::LibraryList;

use call::GetAddrInfo;
use list::FreeAddrInfo;

/// librdmacm itself: its functions, loaded at run time or linked.
///
/// It holds a few function pointers, is cheap to copy, and is shared by all threads. A loaded library stays loaded for the
/// life of the process.
///
/// ```
/// use rdma_addrinfo::{ErrorKind, Hints, Library};
///
/// let library = match Library::load() {
///     Ok(library) => library,
///     Err(error) => {
///         eprintln!("{error}");
///         return;
///     }
/// };
/// match library.getaddrinfo("192.0.2.7", "7471", &Hints::new().numeric_host()) {
///     Ok(list) => {
///         let info = list.first().unwrap();
///         assert_eq!(info.dst_addr().unwrap().to_string(), "192.0.2.7:7471");
///     }
///     // librdmacm resolves nothing without an RDMA device.
///     Err(error) => assert_eq!(error.kind(), ErrorKind::NoDevice),
/// }
/// ```
#[derive(Clone, Copy, Debug)]
#[doc(alias = "librdmacm")]
pub struct Library {
    // Invariant: the functions of one librdmacm, which is never unloaded.
    get: GetAddrInfo,
    free: FreeAddrInfo,
    resolves_sa: bool,
}

impl Library {
    /// Whether this package was built with the feature `rdma-sys`, so that the program is linked with librdmacm. A program
    /// or library that exports `rdma_getaddrinfo` itself must not be.
    pub const IS_LINKED: bool = cfg!(feature = "rdma-sys");

    /// Whether the library asks the subnet administrator if [`Flags::SA`](rdma_addrinfo_core::Flags::SA) is set:
    /// rdma-core 60 and later, recognized by the symbol `rdma_resolve_addrinfo`.
    #[must_use]
    #[doc(alias = "RAI_SA")]
    #[doc(alias = "rdma_resolve_addrinfo")]
    pub const fn has_sa(&self) -> bool {
        self.resolves_sa
    }
}
