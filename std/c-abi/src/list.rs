//! Lists as C has them.

use ::rdma_addrinfo::abi::rdma_addrinfo;
use ::rdma_addrinfo::{AddrInfo, AddrInfoList};
use std::ffi::{CStr, c_void};
use std::{mem, ptr};

/// A list in which every pointer is null or a separate block of malloc(3), as in librdmacm, so that each library's
/// `rdma_freeaddrinfo` can free lists of the other.
///
/// Dropping frees it.
pub(crate) struct List {
    /// Invariant: null, or the first of a null-terminated chain of such structures, which nobody else uses.
    first: *mut rdma_addrinfo,
}

impl List {
    /// A copy of a list; `None` if memory runs out.
    #[inline(always)]
    pub(crate) fn copy(list: &AddrInfoList<'_>) -> Option<Self> {
        let mut copy = Self { first: ptr::null_mut() };
        let mut last = &raw mut copy.first;
        for info in list {
            let entry = block(size_of::<rdma_addrinfo>())?.cast::<rdma_addrinfo>();
            // SAFETY: a new block of the size of the structure, aligned by malloc for every type, and not shared.
            unsafe { entry.write(without_blocks(info)) };
            // SAFETY: `last` points to `first`, or to `ai_next` of the last structure: both are alive and not borrowed.
            unsafe { last.write(entry) };
            // SAFETY: a live structure, now owned by the list and not borrowed elsewhere.
            let entry = unsafe { &mut *entry };
            fill(entry, info)?;
            last = &raw mut entry.ai_next;
        }
        Some(copy)
    }

    /// Takes ownership of a list.
    ///
    /// # Safety
    /// `first` is null, or the first structure of a list whose pointers are each null or a block of malloc, and that
    /// nobody uses from now on.
    pub(crate) unsafe fn from_raw(first: *mut rdma_addrinfo) -> Self {
        Self { first }
    }

    /// Releases ownership of the list.
    pub(crate) fn into_raw(self) -> *mut rdma_addrinfo {
        mem::ManuallyDrop::new(self).first
    }
}

impl Drop for List {
    fn drop(&mut self) {
        // Most are null: a comparison is cheaper than a call.
        let free = |block: *mut c_void| {
            if !block.is_null() {
                // SAFETY: by the invariant a block of malloc that nobody else uses.
                unsafe { libc::free(block) };
            }
        };
        // SAFETY: by the invariant null, or a live structure that nobody else uses.
        while let Some(entry) = unsafe { self.first.as_ref() } {
            free(entry.ai_src_addr);
            free(entry.ai_dst_addr);
            free(entry.ai_src_canonname.cast());
            free(entry.ai_dst_canonname.cast());
            free(entry.ai_route);
            free(entry.ai_connect);
            let next = entry.ai_next;
            free(self.first.cast());
            self.first = next;
        }
    }
}

/// The structure with its numbers, and all pointers null.
#[inline]
fn without_blocks(info: AddrInfo<'_>) -> rdma_addrinfo {
    rdma_addrinfo {
        ai_flags: info.flags().to_raw(),
        ai_family: info.family().to_raw(),
        ai_qp_type: info.qp_type().to_raw(),
        ai_port_space: info.port_space().to_raw(),
        ..rdma_addrinfo::ZERO
    }
}

/// Allocates the blocks of a structure, and sets their lengths; `None` if memory runs out, and it then owns those
/// allocated so far.
// Inlined, so that where the list lies is known.
#[inline(always)]
fn fill(entry: &mut rdma_addrinfo, info: AddrInfo<'_>) -> Option<()> {
    // A socket address has at most 48 bytes.
    let length = |bytes: &[u8]| u32::try_from(bytes.len()).unwrap_or(0);
    let name = |name: Option<&CStr>| copy(name.map_or(&[], CStr::to_bytes_with_nul));
    let (src, dst) = (info.src_bytes(), info.dst_bytes());
    [entry.ai_src_len, entry.ai_dst_len] = [src, dst].map(length);
    entry.ai_src_addr = copy(src)?;
    entry.ai_dst_addr = copy(dst)?;
    let route = info.route_bytes();
    entry.ai_route_len = route.len();
    entry.ai_route = copy(route)?;
    let connect = info.connect_data();
    entry.ai_connect_len = connect.len();
    entry.ai_connect = copy(connect)?;
    entry.ai_src_canonname = name(info.src_canonname())?.cast();
    entry.ai_dst_canonname = name(info.dst_canonname())?.cast();
    Some(())
}

/// A block of malloc(3) of this size, which is not 0; `None` if memory runs out.
#[inline]
fn block(size: usize) -> Option<*mut c_void> {
    // SAFETY: any size is valid.
    let start = unsafe { libc::malloc(size) };
    (!start.is_null()).then_some(start)
}

/// A block with these bytes, null for none; `None` if memory runs out.
#[inline]
fn copy(bytes: &[u8]) -> Option<*mut c_void> {
    if bytes.is_empty() {
        return Some(ptr::null_mut());
    }
    let start = block(bytes.len())?;
    // SAFETY: the length of the slice, from it to a new block of that size, which cannot overlap it.
    unsafe { ptr::copy_nonoverlapping(bytes.as_ptr(), start.cast(), bytes.len()) };
    Some(start)
}

#[cfg(test)]
mod tests;
