//! Which network namespace the calling thread is in. To find out takes some microseconds: for what is done seldom.

use rustix::fs::stat;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// Whether the calling thread is in another network namespace than the thread that asked this before it. False where
/// that cannot be found out, as without /proc.
pub(super) fn has_changed() -> bool {
    /// The one that was seen last; 0 before the first.
    static LAST: AtomicU64 = AtomicU64::new(0);

    let Some(now) = current() else { return false };
    let last = LAST.swap(now, Relaxed);
    last != 0 && last != now
}

/// The number of the namespace's file, which no other has as long as the namespace is there.
fn current() -> Option<u64> {
    stat(c"/proc/thread-self/ns/net").ok().map(|stat| stat.st_ino).filter(|number| *number != 0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::MetadataExt;

    #[test]
    fn it_is_the_number_that_proc_has() {
        let number = std::fs::metadata("/proc/self/ns/net").unwrap().ino();
        assert_eq!(current(), Some(number));
    }
}
