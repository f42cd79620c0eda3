//! Results that own their memory.

use crate::backend::Backend;
use crate::devices::{LocalPort, Warning};
use crate::librdmacm::LibraryList;
use rdma_addrinfo_core::{AddrInfo, AddrInfoIter, AddrInfoList, HeapResults};
use std::fmt;

/// The results of a resolution, with their memory. Borrow them as a list, or iterate over `&resolved`.
///
/// It can be sent to another thread and outlives the resolver; dropping it frees everything.
#[doc(alias = "rdma_freeaddrinfo")]
pub struct Resolved {
    memory: Memory,
    local_ports: Vec<LocalPort>,
    warnings: Vec<Warning>,
}

/// Whose memory the results lie in.
enum Memory {
    Own(HeapResults),
    Library(LibraryList),
}

impl Resolved {
    pub(super) const fn own(results: HeapResults) -> Self {
        Self::new(Memory::Own(results))
    }

    pub(super) const fn library(list: LibraryList) -> Self {
        Self::new(Memory::Library(list))
    }

    const fn new(memory: Memory) -> Self {
        Self { memory, local_ports: Vec::new(), warnings: Vec::new() }
    }

    /// The same results with what the devices tell of them.
    pub(super) fn with_devices(self, local_ports: Vec<LocalPort>, warnings: Vec<Warning>) -> Self {
        Self { local_ports, warnings, ..self }
    }

    /// The results as a borrowed list.
    #[must_use]
    pub fn list(&self) -> AddrInfoList<'_> {
        match &self.memory {
            Memory::Own(results) => results.list(),
            Memory::Library(list) => list.list(),
        }
    }

    /// The results in their order.
    #[must_use]
    pub fn iter(&self) -> AddrInfoIter<'_> {
        self.list().iter()
    }

    /// The first result.
    #[must_use]
    pub fn first(&self) -> Option<AddrInfo<'_>> {
        self.list().first()
    }

    /// How many results there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.list().len()
    }

    /// Whether there is no result; a resolution that succeeds has at least one.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.list().is_empty()
    }

    /// Whether results are missing because memory ran out.
    #[must_use]
    pub fn is_truncated(&self) -> bool {
        self.list().is_truncated()
    }

    /// The RDMA port of each entry's local address, in the order of the entries; empty unless
    /// [`Resolver::device`](super::Resolver::device) asks for them.
    #[must_use]
    pub fn local_ports(&self) -> &[LocalPort] {
        &self.local_ports
    }

    /// What the caller should know about the devices; empty unless [`Resolver::device`](super::Resolver::device) asks
    /// for them.
    #[must_use]
    pub fn warnings(&self) -> &[Warning] {
        &self.warnings
    }

    /// Who resolved.
    #[must_use]
    pub const fn backend(&self) -> Backend {
        match self.memory {
            Memory::Own(_) => Backend::Native,
            Memory::Library(_) => Backend::Librdmacm,
        }
    }

    /// The list of librdmacm, where it resolved: in its own memory, to hand to `rdma_create_ep`.
    #[must_use]
    pub const fn as_library_list(&self) -> Option<&LibraryList> {
        match &self.memory {
            Memory::Own(_) => None,
            Memory::Library(list) => Some(list),
        }
    }
}

impl<'a> IntoIterator for &'a Resolved {
    type Item = AddrInfo<'a>;
    type IntoIter = AddrInfoIter<'a>;

    fn into_iter(self) -> AddrInfoIter<'a> {
        self.iter()
    }
}

impl fmt::Debug for Resolved {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}
