//! Memory that a device reads and writes.
#![allow(unsafe_code)]

use super::endpoint::Endpoint;
use std::io;
use std::marker::PhantomData;
use std::ops::Range;
use std::ptr;

/// Memory registered for an endpoint.
pub(crate) struct Memory<'e> {
    // Invariant: from `Box::into_raw`, freed by nobody else; the region covers it all.
    bytes: *mut [u8],
    region: *mut rdma_sys::ibv_mr,
    endpoint: PhantomData<&'e Endpoint>,
}

impl<'e> Memory<'e> {
    /// Zeros, to receive to, and for the other side to write to.
    pub(crate) fn zeros(endpoint: &'e Endpoint, length: usize) -> io::Result<Self> {
        Self::new(endpoint, vec![0; length].into())
    }

    /// Bytes to send or to write.
    pub(crate) fn new(endpoint: &'e Endpoint, bytes: Box<[u8]>) -> io::Result<Self> {
        use rdma_sys::ibv_access_flags as access;
        let bytes = Box::into_raw(bytes);
        let flags = (access::IBV_ACCESS_LOCAL_WRITE | access::IBV_ACCESS_REMOTE_WRITE).0;
        let flags = i32::try_from(flags).map_err(io::Error::other)?;
        // SAFETY: the domain is that of a live endpoint with a queue pair; the memory is as long as is said, and stays
        // where it is until `drop`.
        let region =
            unsafe { rdma_sys::ibv_reg_mr(endpoint.protection_domain(), bytes.cast(), bytes.len(), flags) };
        let memory = Self { bytes, region, endpoint: PhantomData };
        if region.is_null() { Err(io::Error::last_os_error()) } else { Ok(memory) }
    }

    pub(crate) fn len(&self) -> usize {
        self.bytes.len()
    }

    pub(super) fn region(&self) -> *mut rdma_sys::ibv_mr {
        self.region
    }

    /// The start and the length of a part.
    pub(super) fn part(&self, part: Range<usize>) -> io::Result<(*mut u8, usize)> {
        if part.start > part.end || part.end > self.len() {
            return Err(io::ErrorKind::InvalidInput.into());
        }
        Ok((self.bytes.cast::<u8>().wrapping_add(part.start), part.len()))
    }

    /// What is in a part now, copied: the device may write to it any time.
    pub(crate) fn read(&self, part: Range<usize>) -> io::Result<Vec<u8>> {
        let (start, length) = self.part(part)?;
        let mut copy = vec![0; length];
        // SAFETY: the part lies in memory that lives as long as `self`, and `copy`, which is new, is as long. No
        // reference to the memory exists; a byte that the device changes meanwhile is one or the other.
        unsafe { ptr::copy_nonoverlapping(start, copy.as_mut_ptr(), length) };
        Ok(copy)
    }

    /// Where the other side may write, and the key for it.
    pub(crate) fn window(&self) -> (u64, u32) {
        // SAFETY: a region that was registered lives until `drop`.
        let key = unsafe { (*self.region).rkey };
        (self.bytes.cast::<u8>().expose_provenance() as u64, key)
    }
}

impl Drop for Memory<'_> {
    fn drop(&mut self) {
        // SAFETY: by the invariant nobody else deregisters it.
        if !self.region.is_null() && unsafe { rdma_sys::ibv_dereg_mr(self.region) } != 0 {
            // The device may still write to it: better to lose the memory.
            return;
        }
        // SAFETY: by the invariant it comes from `Box::into_raw` and is freed here alone; the device is done with it.
        drop(unsafe { Box::from_raw(self.bytes) });
    }
}
