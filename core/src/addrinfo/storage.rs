//! Memory for results.

use super::Entry;
use crate::route::PathData;
use core::ffi::CStr;

/// Memory for results: entries, the paths of their routes, one canonical name.
///
/// [`Results`](crate::Results) has room for a fixed number of each, without a heap; the crate `rdma-addrinfo`
/// has one that grows. A storage of your own works too: what it has no room for is left out, and the list
/// says so. It need not be trusted: whatever it does, nothing of this crate panics or reads out of bounds.
pub trait Storage: Send + Sync {
    /// Adds an entry, and tells whether there was room for it.
    fn push(&mut self, entry: Entry) -> bool;

    /// The entries, in the order in which they were added.
    fn entries(&self) -> &[Entry];

    /// The entries, to change.
    fn entries_mut(&mut self) -> &mut [Entry];

    /// Adds paths, all or none, and tells whether it did.
    fn push_paths(&mut self, paths: &mut dyn Iterator<Item = PathData>) -> bool;

    /// The paths, in the order in which they were added.
    fn paths(&self) -> &[PathData];

    /// Keeps a canonical name, and tells whether it did.
    fn set_name(&mut self, name: &CStr) -> bool;

    /// The canonical name.
    fn name(&self) -> Option<&CStr>;

    /// Forgets everything.
    fn clear(&mut self);
}

/// A borrowed storage is a storage, too: so a `&mut dyn Storage` can be given where a sized type is asked for.
impl<S: Storage + ?Sized> Storage for &mut S {
    #[inline]
    fn push(&mut self, entry: Entry) -> bool {
        (**self).push(entry)
    }

    #[inline]
    fn entries(&self) -> &[Entry] {
        (**self).entries()
    }

    #[inline]
    fn entries_mut(&mut self) -> &mut [Entry] {
        (**self).entries_mut()
    }

    #[inline]
    fn push_paths(&mut self, paths: &mut dyn Iterator<Item = PathData>) -> bool {
        (**self).push_paths(paths)
    }

    #[inline]
    fn paths(&self) -> &[PathData] {
        (**self).paths()
    }

    #[inline]
    fn set_name(&mut self, name: &CStr) -> bool {
        (**self).set_name(name)
    }

    #[inline]
    fn name(&self) -> Option<&CStr> {
        (**self).name()
    }

    #[inline]
    fn clear(&mut self) {
        (**self).clear();
    }
}
