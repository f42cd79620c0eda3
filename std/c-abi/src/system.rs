//! What is asked of the C library beside memory: errno, cancellation, the environment, the next library in link order.

use ::rdma_addrinfo::abi::rdma_addrinfo;
use std::ffi::{CStr, c_char, c_int};
use std::mem;

/// The thread's `errno` as it was, put back when dropped.
pub(crate) struct Errno {
    /// Where it is. It stays with its thread, as a pointer does.
    place: *mut c_int,
    was: c_int,
}

impl Errno {
    pub(crate) fn keep() -> Self {
        let place = errno();
        // SAFETY: this thread's `errno`, which nobody else uses.
        Self { place, was: unsafe { place.read() } }
    }

    /// Sets it to this instead.
    pub(crate) fn set(mut self, errno: c_int) {
        self.was = errno;
    }

    /// Leaves it as it now is.
    pub(crate) fn let_go(self) {
        mem::forget(self);
    }
}

impl Drop for Errno {
    fn drop(&mut self) {
        // SAFETY: as in `keep`.
        unsafe { self.place.write(self.was) };
    }
}

/// Where this thread's `errno` is: aligned and initialized as long as the thread runs.
fn errno() -> *mut c_int {
    // SAFETY: takes nothing.
    unsafe { libc::__errno_location() }
}

/// While it lives the thread is not cancelled (pthread_cancel(3)): the unwinding that ends such a thread cannot pass
/// through Rust, and would end the process.
pub(crate) struct Uncancelled(c_int);

unsafe extern "C" {
    // As glibc and musl declare it.
    fn pthread_setcancelstate(state: c_int, before: *mut c_int) -> c_int;
}

impl Uncancelled {
    pub(crate) fn begin() -> Self {
        const PTHREAD_CANCEL_DISABLE: c_int = 1;
        let mut before = 0;
        // SAFETY: a state that there is, and a live local for the one before; it fails for no other state.
        unsafe { pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &raw mut before) };
        Self(before)
    }
}

impl Drop for Uncancelled {
    fn drop(&mut self) {
        let mut before = 0;
        // SAFETY: the state that was before, and a live local, since null is not for every C library.
        unsafe { pthread_setcancelstate(self.0, &raw mut before) };
    }
}

/// Calls `then` with the value of an environment variable, `None` if it is not set, or not to be trusted: in a program
/// that has more rights than its caller.
///
/// It is read by the C library, as everything else in the program reads it: what is written to the environment by
/// another thread meanwhile is no more and no less of a hazard than anywhere in C.
pub(crate) fn with_variable<R>(name: &CStr, then: impl FnOnce(Option<&CStr>) -> R) -> R {
    // SAFETY: takes a number.
    if unsafe { libc::getauxval(libc::AT_SECURE) } != 0 {
        return then(None);
    }
    // SAFETY: a name that ends with a NUL, which is not kept.
    let value = unsafe { libc::getenv(name.as_ptr()) };
    // SAFETY: not null, so a value that ends with a NUL and stays until the environment is changed.
    then((!value.is_null()).then(|| unsafe { CStr::from_ptr(value) }))
}

/// `rdma_getaddrinfo`
pub(crate) type GetAddrInfo = unsafe extern "C" fn(
    *const c_char,
    *const c_char,
    *const rdma_addrinfo,
    *mut *mut rdma_addrinfo,
) -> c_int;

/// The `rdma_getaddrinfo` of the next library behind this one in link order. That is never this one's: the search only
/// goes forward.
pub(crate) fn next_getaddrinfo() -> Option<GetAddrInfo> {
    // SAFETY: a name that ends with a NUL, which is not kept.
    let symbol = unsafe { libc::dlsym(libc::RTLD_NEXT, c"rdma_getaddrinfo".as_ptr()) };
    // SAFETY: null is `None`; else whoever puts a library with a function of this name in link order promises that it is
    // that of librdmacm, as for any library that a program is linked with. A function pointer has the size of an object
    // pointer here.
    unsafe { mem::transmute::<*mut libc::c_void, Option<GetAddrInfo>>(symbol) }
}
