//! Lists as C has them.

use ::rdma_addrinfo::abi::rdma_addrinfo;
use ::rdma_addrinfo::{AddrInfo, AddrInfoList};
use std::ffi::{CStr, c_void};
use std::{mem, ptr};

/// A list of which every pointer is null or a block of malloc(3) of its own, as librdmacm makes them, so that its
/// `rdma_freeaddrinfo` can free ours, and ours its.
///
/// Dropping frees it.
pub(crate) struct List {
    /// Invariant: null, or the first of a chain of such structures, ended by null, which nobody else uses.
    first: *mut rdma_addrinfo,
}

impl List {
    /// A copy of a list; `None` where memory runs out.
    pub(crate) fn copy(list: &AddrInfoList<'_>) -> Option<Self> {
        let mut copy = Self { first: ptr::null_mut() };
        let mut last = &raw mut copy.first;
        for info in list {
            let entry = entry(info)?;
            // SAFETY: `last` leads to `first`, or to `ai_next` of the structure that was added last: both are alive, and
            // nobody borrows them.
            unsafe { last.write(entry) };
            // SAFETY: a structure that was just made, alive as long as the list.
            last = unsafe { &raw mut (*entry).ai_next };
        }
        Some(copy)
    }

    /// Takes a list over.
    ///
    /// # Safety
    /// `first` is null, or the first structure of a list whose pointers are each null or a block of malloc, and that
    /// nobody uses from now on.
    pub(crate) unsafe fn from_raw(first: *mut rdma_addrinfo) -> Self {
        Self { first }
    }

    /// Gives the list up.
    pub(crate) fn into_raw(self) -> *mut rdma_addrinfo {
        mem::ManuallyDrop::new(self).first
    }
}

impl Drop for List {
    fn drop(&mut self) {
        while !self.first.is_null() {
            // SAFETY: by the invariant a live structure that nobody else uses.
            let entry = unsafe { self.first.read() };
            // By the invariant each is null or a block of its own; what is read of the structure is a copy.
            drop([
                Block(entry.ai_src_addr),
                Block(entry.ai_dst_addr),
                Block(entry.ai_src_canonname.cast()),
                Block(entry.ai_dst_canonname.cast()),
                Block(entry.ai_route),
                Block(entry.ai_connect),
                Block(self.first.cast()),
            ]);
            self.first = entry.ai_next;
        }
    }
}

/// The C structure of a result, in a block of its own; `None` where memory runs out.
fn entry(info: AddrInfo<'_>) -> Option<*mut rdma_addrinfo> {
    let (src, dst) = (info.src_bytes(), info.dst_bytes());
    let (route, connect) = (info.route_bytes(), info.connect_data());
    let name = |name: Option<&CStr>| Block::copy(name.map_or(&[], CStr::to_bytes_with_nul));
    // A socket address has at most 48 bytes.
    let [src_len, dst_len] = [src, dst].map(|bytes| u32::try_from(bytes.len()).unwrap_or(0));

    let [src_block, dst_block] = [Block::copy(src)?, Block::copy(dst)?];
    let [route_block, connect_block] = [Block::copy(route)?, Block::copy(connect)?];
    let [src_name, dst_name] = [name(info.src_canonname())?, name(info.dst_canonname())?];
    let entry = Block::new(size_of::<rdma_addrinfo>())?.into_raw().cast::<rdma_addrinfo>();
    let structure = rdma_addrinfo {
        ai_flags: info.flags().to_raw(),
        ai_family: info.family().to_raw(),
        ai_qp_type: info.qp_type().to_raw(),
        ai_port_space: info.port_space().to_raw(),
        ai_src_len: src_len,
        ai_dst_len: dst_len,
        ai_src_addr: src_block.into_raw(),
        ai_dst_addr: dst_block.into_raw(),
        ai_src_canonname: src_name.into_raw().cast(),
        ai_dst_canonname: dst_name.into_raw().cast(),
        ai_route_len: route.len(),
        ai_route: route_block.into_raw(),
        ai_connect_len: connect.len(),
        ai_connect: connect_block.into_raw(),
        ai_next: ptr::null_mut(),
    };
    // SAFETY: a new block of the size of the structure, which malloc aligns for every type, and nobody else's.
    unsafe { entry.write(structure) };
    Some(entry)
}

/// A block of malloc(3), freed when dropped.
///
/// Invariant: null, or such a block that nobody else has.
struct Block(*mut c_void);

impl Block {
    /// A block of this size, which is not 0; `None` where memory runs out.
    fn new(size: usize) -> Option<Self> {
        // SAFETY: any size may be asked for.
        let start = unsafe { libc::malloc(size) };
        (!start.is_null()).then_some(Self(start))
    }

    /// A copy of these bytes, null for none; `None` where memory runs out.
    fn copy(bytes: &[u8]) -> Option<Self> {
        if bytes.is_empty() {
            return Some(Self(ptr::null_mut()));
        }
        let block = Self::new(bytes.len())?;
        // SAFETY: as many bytes as the slice has, from it to a new block of that size, which it cannot overlap.
        unsafe { ptr::copy_nonoverlapping(bytes.as_ptr(), block.0.cast(), bytes.len()) };
        Some(block)
    }

    /// Gives the block up.
    fn into_raw(self) -> *mut c_void {
        mem::ManuallyDrop::new(self).0
    }
}

impl Drop for Block {
    fn drop(&mut self) {
        // Most are null: a look is less than a call.
        if !self.0.is_null() {
            // SAFETY: by the invariant a block of malloc that nobody else has.
            unsafe { libc::free(self.0) };
        }
    }
}

#[cfg(test)]
mod tests;
