//! Models of the state that threads share in `std/src/native`: the same files, with loom's locks instead of std's. loom runs
//! each model once for every order of steps that can make a difference, and finds a lost wake-up as a deadlock.
//!
//! `fork_id.rs` is not modelled: it rests on memory that the kernel empties in a child, which loom does not know and which
//! comes from mmap(2), not from loom. It has tests with children and with threads that come first.
//!
//! fork(2) is simulated: the child has its parent's memory, and a lock that a thread of the parent held stays locked.
//! `.ci/checks/loom` runs the models, and then again with faults planted in the files, each of which a model must
//! find.

mod native {
    // Formatted with the library, whose tests are not here.
    #[rustfmt::skip]
    #[path = "../../../../std/src/native/fork_local.rs"]
    mod fork_local;
    #[rustfmt::skip]
    #[path = "../../../../std/src/native/socket_pool.rs"]
    mod socket_pool;

    /// loom's locks.
    mod sync {
        pub(super) use loom::sync::atomic::AtomicU64;
        pub(super) use loom::sync::{Condvar, Mutex, MutexGuard};
        pub(super) use loom::thread::yield_now;
    }

    /// The process in the model.
    mod fork_id {
        use std::cell::Cell;

        std::thread_local!(static IDENTITY: Cell<u64> = const { Cell::new(1) });

        pub(super) fn identity() -> u64 {
            IDENTITY.get()
        }

        /// From here on, act as another process.
        #[cfg(test)]
        pub(super) fn become_process(identity: u64) {
            IDENTITY.set(identity);
        }
    }

    mod ibacm {
        #[rustfmt::skip]
        #[path = "../../../../../std/src/native/ibacm/health.rs"]
        mod health;

        #[cfg(test)]
        mod models;
    }

    #[rustfmt::skip]
    #[path = "../../../../std/src/native/slot.rs"]
    mod slot;

    mod lane {
        #[rustfmt::skip]
        #[path = "../../../../../std/src/native/lane/crews.rs"]
        mod crews;

        #[cfg(test)]
        mod models;
    }

    #[cfg(test)]
    mod fork_models;
    #[cfg(test)]
    mod pool_models;
}
