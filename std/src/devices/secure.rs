//! The environment: whether it can be trusted, and a variable of it.
#![allow(unsafe_code)]

use std::ffi::CStr;

/// Whether the program was started with more rights than its caller: by set-user-ID, set-group-ID, file capabilities or a
/// security module. Its user IDs do not show this: file capabilities do not change them, and a program may make them equal
/// later.
#[doc(alias = "AT_SECURE")]
pub(super) fn has_more_rights_than_its_caller() -> bool {
    // SAFETY: takes a number; the kernel's value of it is read from the process's own memory.
    (unsafe { libc::getauxval(libc::AT_SECURE) }) != 0
}

/// Reads a variable of the environment without memory.
pub(super) fn with_variable<R>(name: &CStr, read: impl FnOnce(Option<&CStr>) -> R) -> R {
    // SAFETY: a NUL-terminated name, not kept. The program must not change its environment meanwhile, which getaddrinfo(3)
    // asks of it, too.
    let text = unsafe { libc::getenv(name.as_ptr()) };
    // SAFETY: not null, so a NUL-terminated string, which is read before anything can change it, as above.
    read((!text.is_null()).then(|| unsafe { CStr::from_ptr(text) }))
}
