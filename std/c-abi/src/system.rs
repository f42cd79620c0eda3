//! What is asked of the C library beside memory: errno, cancellation, signals, the environment, the next library in link
//! order.

use ::rdma_addrinfo::abi::rdma_addrinfo;
use std::ffi::{CStr, c_char, c_int};
use std::io;
use std::mem::{self, MaybeUninit};
use std::ptr;

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

/// Writes without a signal to the program, which may not expect one and so end: of a pipe that nobody reads (SIGPIPE), a
/// file that may not grow (SIGXFSZ), a terminal of which this process is in the background (SIGTTOU, which stops it).
///
/// They are held back from this thread, and one that the failed write has raised is taken away, unless one like it was
/// held back before. No handler runs meanwhile that would not have run before the write or will not run after it.
pub(crate) fn unsignalled(write: impl FnOnce() -> io::Result<()>) -> io::Result<()> {
    let before = pending();
    let mask = Mask::block(&set(&[libc::SIGPIPE, libc::SIGXFSZ, libc::SIGTTOU]));
    let outcome = write();
    let raised = match outcome.as_ref().err().and_then(io::Error::raw_os_error) {
        Some(libc::EPIPE) => libc::SIGPIPE,
        Some(libc::EFBIG) => libc::SIGXFSZ,
        _ => return outcome,
    };
    // SAFETY: an initialized set, and the number of a signal.
    if mask.is_some() && unsafe { libc::sigismember(&raw const before, raised) } == 0 {
        let now = libc::timespec { tv_sec: 0, tv_nsec: 0 };
        let raised = set(&[raised]);
        // It is this thread's own, and so taken before one that was sent to the process.
        // SAFETY: an initialized set and a live local; null asks for no more than the number.
        unsafe { libc::sigtimedwait(&raw const raised, ptr::null_mut(), &raw const now) };
    }
    outcome
}

/// A set of these signals.
fn set(signals: &[c_int]) -> libc::sigset_t {
    let mut set = MaybeUninit::uninit();
    // SAFETY: memory of a set, which the call initializes; it does not fail.
    unsafe { libc::sigemptyset(set.as_mut_ptr()) };
    // SAFETY: initialized by the call.
    let mut set = unsafe { set.assume_init() };
    for signal in signals {
        // SAFETY: an initialized set, borrowed for the call; a number that is no signal changes nothing.
        unsafe { libc::sigaddset(&raw mut set, *signal) };
    }
    set
}

/// The signals that are held back from this thread and have come.
fn pending() -> libc::sigset_t {
    let mut pending = set(&[]);
    // SAFETY: memory of a set, to write to.
    unsafe { libc::sigpending(&raw mut pending) };
    pending
}

/// What signals were held back from this thread, put back when dropped.
struct Mask(libc::sigset_t);

impl Mask {
    /// Holds these back, too; `None` if that cannot be.
    fn block(signals: &libc::sigset_t) -> Option<Self> {
        let mut before = set(&[]);
        // SAFETY: an initialized set, borrowed for the call, and memory of another to write to.
        let ret = unsafe { libc::pthread_sigmask(libc::SIG_BLOCK, signals, &raw mut before) };
        (ret == 0).then_some(Self(before))
    }
}

impl Drop for Mask {
    fn drop(&mut self) {
        // SAFETY: an initialized set, borrowed for the call; null asks for no old one.
        unsafe { libc::pthread_sigmask(libc::SIG_SETMASK, &raw const self.0, ptr::null_mut()) };
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
