//! The parts of the C library that are used beside memory: errno, cancellation, signals, the environment.

use std::ffi::{CStr, c_int};
use std::io;
use std::mem::MaybeUninit;
use std::ptr;

/// The saved `errno` of the thread, restored on drop.
pub(crate) struct Errno {
    /// Its address, valid on this thread only; the raw pointer makes this type not `Send`.
    location: *mut c_int,
    saved: c_int,
}

impl Errno {
    pub(crate) fn save() -> Self {
        let location = errno();
        // SAFETY: this thread's `errno`, which no other thread uses.
        Self { location, saved: unsafe { location.read() } }
    }

    /// Restores this value instead.
    pub(crate) fn set(mut self, errno: c_int) {
        self.saved = errno;
    }
}

impl Drop for Errno {
    fn drop(&mut self) {
        // SAFETY: as in `save`.
        unsafe { self.location.write(self.saved) };
    }
}

/// The address of this thread's `errno`: aligned and initialized as long as the thread runs.
fn errno() -> *mut c_int {
    // SAFETY: takes nothing.
    unsafe { libc::__errno_location() }
}

/// The thread is not cancelled (pthread_cancel(3)) until this is dropped: the unwinding of a cancelled thread cannot pass
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
        // SAFETY: a valid state, and a live local for the previous one; it fails only for invalid states.
        unsafe { pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &raw mut before) };
        Self(before)
    }
}

impl Drop for Uncancelled {
    fn drop(&mut self) {
        let mut before = 0;
        // SAFETY: the previous state, and a live local, since not every C library accepts null.
        unsafe { pthread_setcancelstate(self.0, &raw mut before) };
    }
}

/// Writes without raising a signal, which could end a program that does not handle it: for a pipe that nobody reads
/// (SIGPIPE), a file that may not grow (SIGXFSZ), or a terminal for which this process is in the background (SIGTTOU,
/// which stops it).
///
/// These signals are blocked in this thread. One that the failed write has raised is consumed, unless one like it was
/// pending before. No handler runs during the write that would not have run before or after it.
pub(crate) fn without_signals(write: impl FnOnce() -> io::Result<()>) -> io::Result<()> {
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
        // It was sent to this thread, and so is consumed before one that was sent to the process.
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

/// The pending signals of this thread.
fn pending() -> libc::sigset_t {
    let mut pending = set(&[]);
    // SAFETY: memory of a set, to write to.
    unsafe { libc::sigpending(&raw mut pending) };
    pending
}

/// The previous signal mask of this thread, restored on drop.
struct Mask(libc::sigset_t);

impl Mask {
    /// Blocks these signals, too; `None` if that fails.
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

/// Calls `then` with the value of an environment variable; `None` if it is not set, or not to be trusted because the
/// program has more rights than its caller.
///
/// The C library reads it, as for the rest of the program: a thread that writes to the environment at the same time is
/// the same hazard as anywhere in C.
pub(crate) fn with_variable<R>(name: &CStr, then: impl FnOnce(Option<&CStr>) -> R) -> R {
    // SAFETY: takes a number.
    if unsafe { libc::getauxval(libc::AT_SECURE) } != 0 {
        return then(None);
    }
    // SAFETY: a name that ends with a NUL, which is not retained.
    let value = unsafe { libc::getenv(name.as_ptr()) };
    // SAFETY: not null, so a value that ends with a NUL and is valid until the environment is changed.
    then((!value.is_null()).then(|| unsafe { CStr::from_ptr(value) }))
}
