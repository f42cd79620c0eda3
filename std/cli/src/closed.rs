//! Whether standard output was closed when the program was started. The standard library replaces it by `/dev/null` before
//! `main`, so it cannot be detected later: the output would be lost without an error.
#![allow(unsafe_code)]

use rustix::io::{Errno, fcntl_getfd};
use rustix::stdio::stdout;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

static CLOSED: AtomicBool = AtomicBool::new(false);

/// Whether it was closed.
pub(crate) fn is_stdout_closed() -> bool {
    CLOSED.load(Relaxed)
}

extern "C" fn check_stdout() {
    CLOSED.store(fcntl_getfd(stdout()) == Err(Errno::BADF), Relaxed);
}

// This is sound: the C library calls each function of this section once, after its own start and before `main`. It passes
// three parameters, or none, which a C function without parameters ignores. `check_stdout` makes one system call and stores to
// an atomic; it needs nothing that the standard library sets up before `main`, and does not unwind.
#[used]
#[unsafe(link_section = ".init_array")]
static CHECK_STDOUT: extern "C" fn() = check_stdout;
