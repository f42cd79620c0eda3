//! Tests for a guest with a real RDMA kernel: Soft-RoCE devices, as `guest/network` and `guest/bond` set them up, and
//! the names of `guest/names`.
//!
//! `cargo test` leaves them out; `.ci/checks/guests` runs each in a process of its own, in guests of two releases.
//! A new test is a function here. A new test program is one more line in `guest/plan`, and one more word in the
//! check, which copies programs into the guest. A program of somebody else's is a Debian package more in `guest/build`,
//! which unpacks packages but runs no script of theirs.

mod common;

mod guest {
    mod addresses;
    mod assistant;
    mod connections;
    mod devices;
    #[path = "../librdmacm/ibacm.rs"]
    mod ibacm;
    mod kernel;
    mod names;
    mod others;
    mod pair;
    mod preload;
    mod programs;
    mod random_routes;
    #[allow(dead_code, reason = "not all of it is needed here")]
    #[path = "../librdmacm/rows.rs"]
    mod rows;
    mod service_records;
}
