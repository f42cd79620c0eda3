//! Whether standard output was closed when the program was started. The standard library opens `/dev/null` in its place
//! before `main`, so that nothing could be found out later: the output would be lost with success.
#![allow(unsafe_code)]

use rustix::io::{Errno, fcntl_getfd};
use rustix::stdio::stdout;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

static CLOSED: AtomicBool = AtomicBool::new(false);

/// Whether it was.
pub(crate) fn is_stdout_closed() -> bool {
    CLOSED.load(Relaxed)
}

extern "C" fn look() {
    CLOSED.store(fcntl_getfd(stdout()) == Err(Errno::BADF), Relaxed);
}

// This is sound: the C library calls each function of this section once, after its own start and before `main`. It hands
// over three parameters, or none, which a C function without parameters ignores. `look` makes one system call and stores to
// an atomic; it needs nothing that the standard library sets up before `main`, and does not unwind.
#[used]
#[unsafe(link_section = ".init_array")]
static LOOK: extern "C" fn() = look;
