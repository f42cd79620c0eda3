//! librdma_addrinfo.so as C programs use it, beside the C library.
//!
//! The programs are in `c`, built by gcc with the headers of librdmacm. What needs a world of its own, with or without
//! a simulated device, runs in one.

#[path = "../../tests/common/mod.rs"]
mod common;
#[path = "../../tests/librdmacm/ibacm.rs"]
mod ibacm;

mod c_abi {
    mod arguments;
    mod build;
    mod calls;
    mod loopback;
    mod memory;
    mod next;
    mod oracle;
    mod parallel;
    mod preload;
    mod readme;
    mod rows;
    mod settings;
}
