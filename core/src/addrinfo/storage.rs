//! Memory for results.

use super::{AddrInfoList, Entry};
use crate::route::PathData;
#[cfg(any(feature = "alloc", test))]
use alloc::vec::Vec;
use core::ffi::CStr;
use core::fmt;
use heapless::VecView;

/// Memory for results, borrowed: entries, the paths of their routes, one canonical name.
///
/// Made from a `&mut` of [`Results`](crate::Results), which have a fixed capacity, or of
/// [`HeapResults`](crate::HeapResults), which grow (feature `alloc`). What does not fit is left out, and the list
/// [says so](AddrInfoList::is_truncated).
pub struct Storage<'r> {
    pub(crate) entries: Buffer<'r, Entry>,
    pub(crate) paths: Buffer<'r, PathData>,
    /// The canonical name with its NUL; empty for none.
    pub(crate) name: Buffer<'r, u8>,
    pub(crate) outcome: &'r mut Outcome,
}

/// What a resolution came to, beside its entries.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Outcome {
    /// How many results the list has.
    pub(crate) listed: usize,
    pub(crate) truncated: bool,
}

impl Outcome {
    pub(crate) const NONE: Self = Self { listed: 0, truncated: false };
}

impl<'r> Storage<'r> {
    /// The same memory, for a shorter time.
    #[must_use]
    #[inline]
    pub const fn reborrow(&mut self) -> Storage<'_> {
        Storage {
            entries: self.entries.reborrow(),
            paths: self.paths.reborrow(),
            name: self.name.reborrow(),
            outcome: self.outcome,
        }
    }

    /// The results of the last resolution, as it returned them; none if it failed or was not finished.
    #[must_use]
    #[inline]
    pub fn into_list(self) -> AddrInfoList<'r> {
        let outcome = *self.outcome;
        AddrInfoList::own(self.entries.into_slice(), self.paths.into_slice(), self.name.into_slice(), outcome)
    }

    /// Forgets everything.
    #[inline]
    pub(crate) fn clear(&mut self) {
        self.entries.truncate(0);
        self.paths.truncate(0);
        self.name.truncate(0);
        *self.outcome = Outcome::NONE;
    }

    /// Adds paths, all or none, and returns where they lie: the first and how many. `None` where they do not fit.
    pub(crate) fn push_paths(&mut self, paths: &mut dyn Iterator<Item = PathData>) -> Option<(usize, usize)> {
        let before = self.paths.as_slice().len();
        for path in paths {
            if !self.paths.push(path) {
                self.paths.truncate(before);
                return None;
            }
        }
        Some((before, self.paths.as_slice().len().saturating_sub(before)))
    }

    /// Keeps the canonical name, or none where it does not fit, and returns whether it does.
    pub(crate) fn set_name(&mut self, name: &CStr) -> bool {
        self.name.truncate(0);
        let fits = name.to_bytes_with_nul().iter().all(|byte| self.name.push(*byte));
        if !fits {
            self.name.truncate(0);
        }
        fits
    }
}

impl fmt::Debug for Storage<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (entries, paths) = (self.entries.as_slice(), self.paths.as_slice());
        f.debug_struct("Storage").field("entries", &entries).field("paths", &paths).finish_non_exhaustive()
    }
}

/// A vector that is lent: of fixed capacity, or on the heap.
pub(crate) enum Buffer<'r, T> {
    Fixed(&'r mut VecView<T>),
    #[cfg(any(feature = "alloc", test))]
    Heap(&'r mut Vec<T>),
}

impl<'r, T: Copy> Buffer<'r, T> {
    #[inline]
    const fn reborrow(&mut self) -> Buffer<'_, T> {
        match self {
            Self::Fixed(vector) => Buffer::Fixed(vector),
            #[cfg(any(feature = "alloc", test))]
            Self::Heap(vector) => Buffer::Heap(vector),
        }
    }

    /// Adds an item, and returns whether there was room for it: where memory runs out there is none.
    // Inlined, so that the item is made where it stays.
    #[inline(always)]
    pub(crate) fn push(&mut self, item: T) -> bool {
        match self {
            Self::Fixed(vector) => vector.push(item).is_ok(),
            #[cfg(any(feature = "alloc", test))]
            Self::Heap(vector) => {
                let fits = vector.try_reserve(1).is_ok();
                if fits {
                    vector.push(item);
                }
                fits
            }
        }
    }

    #[inline]
    pub(crate) fn truncate(&mut self, len: usize) {
        match self {
            Self::Fixed(vector) => vector.truncate(len),
            #[cfg(any(feature = "alloc", test))]
            Self::Heap(vector) => vector.truncate(len),
        }
    }

    #[inline]
    pub(crate) fn as_slice(&self) -> &[T] {
        match self {
            Self::Fixed(vector) => vector.as_slice(),
            #[cfg(any(feature = "alloc", test))]
            Self::Heap(vector) => vector,
        }
    }

    #[inline]
    pub(crate) fn as_mut_slice(&mut self) -> &mut [T] {
        match self {
            Self::Fixed(vector) => vector.as_mut_slice(),
            #[cfg(any(feature = "alloc", test))]
            Self::Heap(vector) => vector,
        }
    }

    #[inline]
    pub(crate) fn into_slice(self) -> &'r [T] {
        match self {
            Self::Fixed(vector) => vector.as_slice(),
            #[cfg(any(feature = "alloc", test))]
            Self::Heap(vector) => vector,
        }
    }
}
