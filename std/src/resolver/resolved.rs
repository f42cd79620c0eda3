//! Results that own their memory.

use rdma_addrinfo_core::{AddrInfo, AddrInfoIter, AddrInfoList, HeapResults};
use std::fmt;

/// The results of a resolution, with their memory. Borrow them as a list, or iterate over `&resolved`.
///
/// It can be sent to another thread and outlives the resolver; dropping it frees everything.
#[derive(Clone, Default)]
#[doc(alias = "rdma_freeaddrinfo")]
pub struct Resolved(HeapResults);

impl Resolved {
    pub(super) const fn new(results: HeapResults) -> Self {
        Self(results)
    }

    /// The results as a borrowed list.
    #[must_use]
    pub fn list(&self) -> AddrInfoList<'_> {
        self.0.list()
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
