//! The thread's `errno`, for C functions that report their error only by it.
#![allow(unsafe_code)]

use std::ffi::c_int;
use std::io;

/// Clears the last error of this thread, so that a call that sets none does not appear to fail with an old one.
pub(crate) fn clear() {
    // SAFETY: takes nothing, and gives the address of this thread's errno.
    let errno = unsafe { libc::__errno_location() };
    // SAFETY: the address is aligned and valid as long as the thread runs, and no other thread uses it.
    unsafe { *errno = 0 }
}

/// The last error of this thread, 0 for none since it was [cleared](clear).
pub(crate) fn last() -> c_int {
    io::Error::last_os_error().raw_os_error().unwrap_or(0)
}
