//! Which process this is: a child made by fork(2) differs from its parent, and finds that out without a system call.
//!
//! A page of memory that the kernel empties in every child (`MADV_WIPEONFORK`, since Linux 4.14) holds the identity. A
//! child finds it empty and writes its own. Process IDs are not enough: they cost a system call each time, and are
//! the same where parent and child are each the first process of a PID namespace.
//!
//! A child that shares the memory of its parent (vfork(2)) shares its identity too.

use libc::{MADV_WIPEONFORK, MAP_ANONYMOUS, MAP_FAILED, MAP_PRIVATE, PROT_READ, PROT_WRITE};
use std::process;
use std::ptr;
use std::sync::atomic::Ordering::{AcqRel, Acquire, Relaxed};
use std::sync::atomic::{AtomicPtr, AtomicU64};

/// The identity of this process: none that it inherited what is kept from had the same. Never 0.
///
/// The low half is the process ID, the high half the [`GENERATION`] of the process; 0, and so no other's, where the
/// kernel empties no page, and the process ID is all there is.
pub(crate) fn identity() -> u64 {
    static IDENTITY: Identity = Identity::new();
    IDENTITY.get(map)
}

/// The step from a process to its child: the count of processes that followed each other by fork(2).
const GENERATION: u64 = 1 << 32;

/// Without a lock, which a fork could leave locked: whoever is first decides for all threads.
#[derive(Debug)]
struct Identity {
    /// Null before it is known whether there is such a page. Then never changed: `MAP_FAILED` if there is none, else
    /// the first word of one that is never unmapped.
    page: AtomicPtr<AtomicU64>,
    /// The next generation. A child has its parent's, which is above that of all whose memory it inherited.
    next: AtomicU64,
}

impl Identity {
    const fn new() -> Self {
        Self { page: AtomicPtr::new(ptr::null_mut()), next: AtomicU64::new(GENERATION) }
    }

    fn get(&self, map: fn() -> *mut AtomicU64) -> u64 {
        let Some(word) = self.word(map) else { return process::id().into() };
        match word.load(Relaxed) {
            0 => {
                let new = self.next.fetch_add(GENERATION, Relaxed) | u64::from(process::id());
                word.compare_exchange(0, new, Relaxed, Relaxed).map_or_else(|others| others, |_| new)
            }
            known => known,
        }
    }

    /// The word that is 0 in a child until it is written there.
    fn word(&self, map: fn() -> *mut AtomicU64) -> Option<&AtomicU64> {
        let mut page = self.page.load(Acquire);
        if page.is_null() {
            let new = map();
            page = match self.page.compare_exchange(page, new, AcqRel, Acquire) {
                Ok(_) => new,
                Err(others) => {
                    unmap(new);
                    others
                }
            };
        }
        if page == MAP_FAILED.cast() {
            return None;
        }
        // SAFETY: neither null nor MAP_FAILED, so the start of a page of `map`, which is aligned for it, can be read and
        // written, is zero bytes or what was stored, and stays mapped: only a page that did not get here is unmapped.
        // The kernel empties it in a new process alone.
        unsafe { page.as_ref() }
    }
}

/// As much as is used: the kernel rounds it up to a whole page.
const LENGTH: usize = size_of::<AtomicU64>();

/// A new page that is empty in a child, or `MAP_FAILED`.
fn map() -> *mut AtomicU64 {
    let access = PROT_READ | PROT_WRITE;
    // SAFETY: a new private mapping, of the kernel's choice of address, replaces none.
    let page = unsafe { libc::mmap(ptr::null_mut(), LENGTH, access, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) };
    if page == MAP_FAILED {
        return page.cast();
    }
    // Some emulators take any advice and follow none.
    // SAFETY: an advice that does not exist changes nothing; the page is this function's own.
    let heeds = unsafe { libc::madvise(page, LENGTH, -1) } != 0;
    // SAFETY: the page is this function's own, and holds nothing that a child could miss.
    if heeds && unsafe { libc::madvise(page, LENGTH, MADV_WIPEONFORK) } == 0 {
        return page.cast();
    }
    unmap(page.cast());
    MAP_FAILED.cast()
}

/// Gives a page of [`map`] back, which nobody else has seen.
fn unmap(page: *mut AtomicU64) {
    if page != MAP_FAILED.cast() {
        // SAFETY: the page came from `map`, was not unmapped, and there is no reference to it.
        unsafe { libc::munmap(page.cast(), LENGTH) };
    }
}

#[cfg(test)]
pub(super) mod tests;
