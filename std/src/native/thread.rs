//! Threads of our own, by the calls of C.

use libc::{pthread_attr_t, sigset_t};
use std::ffi::{CStr, c_int, c_void};
use std::mem::{self, MaybeUninit};
use std::ptr;

/// The stack of a thread, in bytes. getaddrinfo(3), the modules of nsswitch.conf(5) and the wakers of callers run on it;
/// only what they touch is ever backed by memory.
pub(super) const STACK: usize = 512 * 1024;

/// Starts a detached thread for `body`, with `stack` bytes of stack beside what the C library takes of it.
///
/// Signals are blocked in it, so that those sent to the process are handled on the application's threads; those that
/// a fault of the thread itself raises are not.
///
/// Not a thread of std: these take a lock of std when they start and when they end, so a fork(2) at such a moment
/// leaves a child in which none can start. The C library has its own locks ready in a child.
///
/// # Errors
///
/// The `errno` of pthread_create(3): `EAGAIN` if there are too many threads or too little memory.
pub(super) fn start<F: FnOnce() + Send + 'static>(stack: usize, body: F) -> Result<(), c_int> {
    pin_object();
    let attributes = Attributes::new(stack)?;
    // Inherited by the new thread, which so never runs without it.
    let _restored = SignalMask::block();
    let body = Box::into_raw(Box::new(body));
    let mut thread = MaybeUninit::uninit();
    // SAFETY: `thread` is memory for the thread's ID, `attributes` holds initialised attributes; `run::<F>` takes one
    // pointer, which must be a Box<F> that nobody else uses, and `body` is: it is taken back below only if no thread
    // was made. F is Send and borrows nothing.
    let ret =
        unsafe { libc::pthread_create(thread.as_mut_ptr(), &raw const attributes.0, run::<F>, body.cast()) };
    if ret != 0 {
        // SAFETY: from Box::into_raw above; no thread was made that could have taken it.
        drop(unsafe { Box::from_raw(body) });
        return Err(ret);
    }
    Ok(())
}

/// What a new thread runs. `body` must be a `Box<F>` that nobody else uses.
extern "C" fn run<F: FnOnce()>(body: *mut c_void) -> *mut c_void {
    // SAFETY: only `start` names this function, for pthread_create, which calls it once, with the pointer that
    // Box::into_raw gave for this F.
    let body = unsafe { Box::from_raw(body.cast::<F>()) };
    body();
    ptr::null_mut()
}

/// Names the calling thread, for ps(1) and debuggers. Linux keeps 15 bytes.
pub(super) fn name(name: &CStr) {
    // SAFETY: PR_SET_NAME reads a NUL-terminated string, at most 16 bytes of it, and keeps no pointer.
    unsafe { libc::prctl(libc::PR_SET_NAME, name.as_ptr()) };
}

/// How many bytes of a thread's stack glibc takes for itself: for the thread-local variables of the program and of
/// the libraries that it was linked with, which may be many.
fn taken_of_stack(attributes: &pthread_attr_t) -> usize {
    type MinStack = unsafe extern "C" fn(*const pthread_attr_t) -> usize;
    // SAFETY: a NUL-terminated name, not kept.
    let symbol = unsafe { libc::dlsym(libc::RTLD_DEFAULT, c"__pthread_get_minstack".as_ptr()) };
    // SAFETY: null is `None`; else the symbol is glibc's function of this signature, which std calls by it too. A
    // function pointer has the size of an object pointer here.
    let min_stack = unsafe { mem::transmute::<*mut c_void, Option<MinStack>>(symbol) };
    // SAFETY: initialised attributes, borrowed for the call, which reads them.
    min_stack.map_or(0, |min_stack| unsafe { min_stack(attributes) })
}

/// Keeps the object that this code is in from being unmapped: a plug-in with a worker that waits for its next
/// lookup must not go away under it.
fn pin_object() {
    let mut info = MaybeUninit::<libc::Dl_info>::uninit();
    // SAFETY: an address in this object, and memory for the answer.
    let found = unsafe { libc::dladdr(pin_object as *const c_void, info.as_mut_ptr()) };
    if found == 0 {
        return;
    }
    // SAFETY: dladdr returned non-zero: it filled the answer in.
    let info = unsafe { info.assume_init() };
    if !info.dli_fname.is_null() {
        // SAFETY: a NUL-terminated path that lives as long as the object. Nothing is loaded: an object that is not
        // there by this name, as the program itself, is left alone.
        unsafe { libc::dlopen(info.dli_fname, libc::RTLD_LAZY | libc::RTLD_NOLOAD | libc::RTLD_NODELETE) };
    }
}

/// Attributes of a detached thread. Invariant: initialised, and destroyed by drop alone.
struct Attributes(pthread_attr_t);

impl Attributes {
    fn new(stack: usize) -> Result<Self, c_int> {
        let mut attributes = MaybeUninit::uninit();
        // SAFETY: memory of a pthread_attr_t, which the call initialises; it reads none of it.
        check(unsafe { libc::pthread_attr_init(attributes.as_mut_ptr()) })?;
        // SAFETY: pthread_attr_init returned 0: initialised.
        let mut attributes = Self(unsafe { attributes.assume_init() });
        let stack = stack.saturating_add(taken_of_stack(&attributes.0));
        // SAFETY: initialised attributes, borrowed for the call.
        check(unsafe { libc::pthread_attr_setstacksize(&raw mut attributes.0, stack) })?;
        // SAFETY: initialised attributes, borrowed for the call.
        check(unsafe {
            libc::pthread_attr_setdetachstate(&raw mut attributes.0, libc::PTHREAD_CREATE_DETACHED)
        })?;
        Ok(attributes)
    }
}

impl Drop for Attributes {
    fn drop(&mut self) {
        // SAFETY: initialised by the invariant, and not used again.
        unsafe { libc::pthread_attr_destroy(&raw mut self.0) };
    }
}

fn check(ret: c_int) -> Result<(), c_int> {
    if ret == 0 { Ok(()) } else { Err(ret) }
}

/// The signal mask that drop restores; none if it was not changed.
struct SignalMask(Option<sigset_t>);

/// Signals that a thread's own fault raises. To block them would be to kill the process without its handlers.
const FAULTS: [c_int; 7] =
    [libc::SIGSEGV, libc::SIGBUS, libc::SIGFPE, libc::SIGILL, libc::SIGTRAP, libc::SIGABRT, libc::SIGSYS];

impl SignalMask {
    /// Blocks all signals but [`FAULTS`] on this thread.
    fn block() -> Self {
        let mut blocked = MaybeUninit::uninit();
        // SAFETY: memory of a sigset_t, which the call initialises; it reads none of it.
        let ret = unsafe { libc::sigfillset(blocked.as_mut_ptr()) };
        if ret != 0 {
            return Self(None);
        }
        // SAFETY: sigfillset returned 0: initialised.
        let mut blocked: sigset_t = unsafe { blocked.assume_init() };
        for fault in FAULTS {
            // SAFETY: an initialised set, borrowed for the call, and the number of a signal.
            unsafe { libc::sigdelset(&raw mut blocked, fault) };
        }
        let mut before = MaybeUninit::uninit();
        // SAFETY: `blocked` is initialised, `before` is memory of a sigset_t to be written; both outlive the call.
        let ret =
            unsafe { libc::pthread_sigmask(libc::SIG_SETMASK, &raw const blocked, before.as_mut_ptr()) };
        if ret != 0 {
            return Self(None);
        }
        // SAFETY: pthread_sigmask returned 0: it wrote the old mask.
        Self(Some(unsafe { before.assume_init() }))
    }
}

impl Drop for SignalMask {
    fn drop(&mut self) {
        if let Some(before) = &self.0 {
            // SAFETY: an initialised set, borrowed for the call; null asks for no old mask.
            unsafe { libc::pthread_sigmask(libc::SIG_SETMASK, before, ptr::null_mut()) };
        }
    }
}
