//! What the C library of this process has made of its environment and its locale.

use std::ffi::CStr;

/// Whether the C library is one whose rules are known, and its locale one in which they hold.
pub(super) fn is_known() -> bool {
    let known = matches!(version(), Some((2, 33..=41)));
    known && folds_ascii()
}

/// Whether it is also one whose order of addresses is known.
pub(super) fn order_is_known() -> bool {
    version() == Some((2, 36))
}

/// The version of glibc.
#[cfg(target_env = "gnu")]
fn version() -> Option<(u32, u32)> {
    // SAFETY: no arguments; MT-safe.
    let version = unsafe { libc::gnu_get_libc_version() };
    // SAFETY: glibc's version is a NUL-terminated string that is never freed.
    let version = unsafe { CStr::from_ptr(version) };
    let (major, minor) = version.to_str().ok()?.split_once('.')?;
    let minor = minor.split(|next: char| !next.is_ascii_digit()).next()?;
    Some((major.parse().ok()?, minor.parse().ok()?))
}

#[cfg(not(target_env = "gnu"))]
fn version() -> Option<(u32, u32)> {
    None
}

/// Whether the locale has the case and the blanks of ASCII: a Turkish one has another small I.
fn folds_ascii() -> bool {
    // SAFETY: any value of an unsigned char may be given; MT-safe.
    let small = unsafe { libc::tolower(i32::from(b'I')) };
    // SAFETY: as above.
    let no_break = unsafe { libc::isspace(0xA0) };
    // SAFETY: as above.
    let next_line = unsafe { libc::isspace(0x85) };
    small == i32::from(b'i') && no_break == 0 && next_line == 0
}

/// What the environment makes of host.conf's `multi`; `None` if it has what is not understood. The C library reads it
/// with its first name.
pub(super) fn multi_of_environment(multi: Option<bool>) -> Option<bool> {
    const OTHERS: [&CStr; 6] = [
        c"RESOLV_HOST_CONF",
        c"RESOLV_SERV_ORDER",
        c"RESOLV_SPOOF_CHECK",
        c"RESOLV_REORDER",
        c"RESOLV_ADD_TRIM_DOMAINS",
        c"RESOLV_OVERRIDE_TRIM_DOMAINS",
    ];
    if OTHERS.into_iter().any(|name| variable(name, |_| ()).is_some()) {
        return None;
    }
    match variable(c"RESOLV_MULTI", |text| match text {
        b"on" => Some(true),
        b"off" => Some(false),
        _ => None,
    }) {
        Some(set) => multi.and(set),
        None => multi,
    }
}

/// Reads a variable of the environment, as the C library does, without memory.
fn variable<R>(name: &CStr, read: impl FnOnce(&[u8]) -> R) -> Option<R> {
    // SAFETY: a NUL-terminated name, not kept. The program must not change its environment meanwhile, which getaddrinfo(3)
    // asks of it, too.
    let text = unsafe { libc::getenv(name.as_ptr()) };
    // SAFETY: not null, so a NUL-terminated string, which is read before anything can change it, as above.
    (!text.is_null()).then(|| read(unsafe { CStr::from_ptr(text) }.to_bytes()))
}
