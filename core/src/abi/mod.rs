//! What C says: the structures and constants of librdmacm and the kernel under their C names.
//!
//! Sources: `<rdma/rdma_cma.h>`, `<infiniband/ib.h>`, `<infiniband/sa.h>`, `<netinet/in.h>`, `<netdb.h>` of
//! rdma-core 44 to 65 and glibc 2.36. Wire structures have alignment 1 and derive zerocopy's traits, so that
//! any byte slice can be viewed as one; [`rdma_addrinfo`] holds pointers and can only be zeroed.
#![allow(non_camel_case_types)]

mod constants;
mod structs;

pub use constants::*;
pub use structs::*;
