//! The binding to librdmacm: against recorded answers of the C library on a simulated device, against our own
//! resolution of the same requests, and with stub libraries that answer what no real one does.
//!
//! Each test that needs a device runs alone in a process and a world of its own. With the feature `rdma-sys` the
//! same tests use the library that this program is linked with.

mod common;

mod librdmacm {
    mod allocations;
    mod backend;
    mod flag_sets;
    mod generate;
    mod ibacm;
    mod ibacm_parity;
    mod layout;
    #[cfg(feature = "rdma-sys")]
    mod linked;
    mod oracle;
    mod parity;
    mod peer;
    mod rows;
    mod stub;
    mod stub_lists;
    mod stub_loading;
}
