//! Whether the environment can be trusted.
#![allow(unsafe_code)]

/// Whether the program was started with more rights than its caller: by set-user-ID, set-group-ID, file capabilities or a
/// security module. Its user IDs do not show this: file capabilities do not change them, and a program may make them equal
/// later.
#[doc(alias = "AT_SECURE")]
pub(super) fn has_more_rights_than_its_caller() -> bool {
    // SAFETY: takes a number; the kernel's value of it is read from the process's own memory.
    (unsafe { libc::getauxval(libc::AT_SECURE) }) != 0
}
