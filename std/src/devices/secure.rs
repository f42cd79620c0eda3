//! Whether the environment may be trusted.
#![allow(unsafe_code)]

/// Whether the program got more rights than its caller when it was started: by set-user-ID, set-group-ID, file
/// capabilities or a security module. Its user IDs do not say so: file capabilities leave them alone, and a program may
/// make them equal later.
#[doc(alias = "AT_SECURE")]
pub(super) fn has_more_rights_than_its_caller() -> bool {
    // SAFETY: takes a number; the kernel's value of it is read from the process's own memory.
    (unsafe { libc::getauxval(libc::AT_SECURE) }) != 0
}
