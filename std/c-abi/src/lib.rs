//! `rdma_getaddrinfo(3)` as a shared library for C.
//!
//! `librdma_addrinfo.so` exports `rdma_getaddrinfo` and `rdma_freeaddrinfo`, with the signatures of
//! `<rdma/rdma_cma.h>`, and `void rdma_addrinfo_forget_kept(void)`. Unchanged programs use it: linked before `-lrdmacm`, or
//! by `LD_PRELOAD`.
//!
//! | file | what |
//! |---|---|
//! | `call` | the exported functions: arguments and return values |
//! | `list` | C lists, each pointer a block of malloc(3) |
//! | `settings` | the environment variables, and the resolver that they configure |
//! | `system` | errno, cancellation, signals, the environment, the next library in link order |

#[allow(unsafe_code)]
mod call;
#[allow(unsafe_code)]
mod list;
mod settings;
#[allow(unsafe_code)]
mod system;

// With it the program would be linked with librdmacm, and its calls of rdma_getaddrinfo would come back here.
const _: () =
    assert!(!::rdma_addrinfo::Library::IS_LINKED, "build without the feature rdma-sys of rdma-addrinfo");
