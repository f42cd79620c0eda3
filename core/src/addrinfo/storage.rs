//! Memory for results.

use super::{AddrInfoList, Entry};
use crate::route::PathData;
#[cfg(any(feature = "alloc", test))]
use alloc::vec::Vec;
use core::ffi::CStr;
use core::fmt;
use heapless::VecView;

/// The longest canonical name of a fixed capacity with its NUL: 255 bytes, as long as a DNS name can be, and one.
const NAME: usize = 256;

/// Memory for results, borrowed: entries, the paths of their routes, one canonical name.
///
/// Made from a `&mut` of [`Results`](crate::Results), which have a fixed capacity, or of
/// [`HeapResults`](crate::HeapResults), which grow (feature `alloc`). What does not fit is left out, and the list
/// [says so](AddrInfoList::is_truncated).
pub struct Storage<'r> {
    pub(crate) entries: Buffer<'r, Entry>,
    pub(crate) shared: &'r mut (dyn Lent + 'static),
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

/// What all entries share: the canonical name with its NUL, empty for none, and the paths of all routes.
#[derive(Clone, Default)]
pub(crate) struct Shared<N, P: ?Sized> {
    pub(crate) outcome: Outcome,
    pub(crate) name: N,
    pub(crate) paths: P,
}

// The name is an option, because the compiler clears all the memory of a structure that holds several empty vectors.
pub(crate) type Fixed<P> = Shared<Option<heapless::Vec<u8, NAME>>, P>;
#[cfg(any(feature = "alloc", test))]
pub(crate) type Heap = Shared<Vec<u8>, Vec<PathData>>;

/// The same, of a fixed capacity or on the heap.
// An object: what it leads to is rarely looked at, and where it is known the compiler sees through it.
pub(crate) trait Lent: Send + Sync {
    fn outcome(&self) -> Outcome;
    fn outcome_mut(&mut self) -> &mut Outcome;
    fn name(&self) -> Option<&CStr>;
    fn name_mut(&mut self) -> Buffer<'_, u8>;
    fn paths(&self) -> &[PathData];
    fn paths_mut(&mut self) -> Buffer<'_, PathData>;
    fn clear(&mut self);
}

impl<const P: usize> Lent for Fixed<heapless::Vec<PathData, P>> {
    #[inline]
    fn outcome(&self) -> Outcome {
        self.outcome
    }

    #[inline]
    fn outcome_mut(&mut self) -> &mut Outcome {
        &mut self.outcome
    }

    fn name(&self) -> Option<&CStr> {
        CStr::from_bytes_with_nul(self.name.as_deref()?).ok()
    }

    fn name_mut(&mut self) -> Buffer<'_, u8> {
        Buffer::Fixed(self.name.get_or_insert_default().as_mut_view())
    }

    fn paths(&self) -> &[PathData] {
        &self.paths
    }

    fn paths_mut(&mut self) -> Buffer<'_, PathData> {
        Buffer::Fixed(&mut self.paths)
    }

    #[inline]
    fn clear(&mut self) {
        (self.outcome, self.name) = (Outcome::NONE, None);
        self.paths.clear();
    }
}

#[cfg(any(feature = "alloc", test))]
impl Lent for Heap {
    #[inline]
    fn outcome(&self) -> Outcome {
        self.outcome
    }

    #[inline]
    fn outcome_mut(&mut self) -> &mut Outcome {
        &mut self.outcome
    }

    fn name(&self) -> Option<&CStr> {
        CStr::from_bytes_with_nul(&self.name).ok()
    }

    fn name_mut(&mut self) -> Buffer<'_, u8> {
        Buffer::Heap(&mut self.name)
    }

    fn paths(&self) -> &[PathData] {
        &self.paths
    }

    fn paths_mut(&mut self) -> Buffer<'_, PathData> {
        Buffer::Heap(&mut self.paths)
    }

    #[inline]
    fn clear(&mut self) {
        self.outcome = Outcome::NONE;
        self.name.clear();
        self.paths.clear();
    }
}

impl<'r> Storage<'r> {
    /// The same memory, for a shorter time.
    #[must_use]
    #[inline]
    pub const fn reborrow(&mut self) -> Storage<'_> {
        Storage { entries: self.entries.reborrow(), shared: self.shared }
    }

    /// The results of the last resolution, as it returned them; none if it failed or was not finished.
    #[must_use]
    #[inline]
    pub fn into_list(self) -> AddrInfoList<'r> {
        AddrInfoList::own(self.entries.into_slice(), self.shared)
    }

    /// Forgets everything.
    #[inline]
    pub(crate) fn clear(&mut self) {
        self.entries.truncate(0);
        self.shared.clear();
    }

    /// Adds paths, all or none, and returns where they lie: the first and how many. `None` where they do not fit.
    pub(crate) fn push_paths(&mut self, paths: &mut dyn Iterator<Item = PathData>) -> Option<(usize, usize)> {
        let mut kept = self.shared.paths_mut();
        let before = kept.as_slice().len();
        for path in paths {
            if !kept.push(path) {
                kept.truncate(before);
                return None;
            }
        }
        Some((before, kept.as_slice().len().saturating_sub(before)))
    }

    /// Keeps the canonical name, or none where it does not fit, and returns whether it does.
    pub(crate) fn set_name(&mut self, name: &CStr) -> bool {
        let mut kept = self.shared.name_mut();
        kept.truncate(0);
        let fits = name.to_bytes_with_nul().iter().all(|byte| kept.push(*byte));
        if !fits {
            kept.truncate(0);
        }
        fits
    }
}

impl fmt::Debug for Storage<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (entries, paths) = (self.entries.as_slice(), self.shared.paths());
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
