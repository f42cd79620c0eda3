//! An allocator that counts.
#![allow(unsafe_code)]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

thread_local! {
    /// Allocations of this thread.
    static COUNT: Cell<u64> = const { Cell::new(0) };
}

/// The system's allocator, counting. What C allocates does not pass through it.
#[derive(Debug)]
pub struct Counting;

impl Counting {
    /// How many allocations, again and anew, `work` makes on this thread.
    pub fn count<T>(work: impl FnOnce() -> T) -> (u64, T) {
        let before = COUNT.get();
        let done = work();
        (COUNT.get() - before, done)
    }
}

fn counted() {
    // A thread that is ending may have no counter.
    let _ = COUNT.try_with(|count| count.set(count.get() + 1));
}

// SAFETY: all is left to the system's allocator, whose contract is the same; a counter of the thread, which needs no
// destructor and no allocation, is all that is added.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        counted();
        // SAFETY: the caller keeps the contract of this method.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, start: *mut u8, layout: Layout) {
        // SAFETY: the caller keeps the contract of this method, and the memory came from the system's allocator.
        unsafe { System.dealloc(start, layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        counted();
        // SAFETY: the caller keeps the contract of this method.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn realloc(&self, start: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        counted();
        // SAFETY: the caller keeps the contract of this method, and the memory came from the system's allocator.
        unsafe { System.realloc(start, layout, size) }
    }
}
