//! What C says: the structures and constants of librdmacm and the kernel under their C names.
//!
//! Sources: `<rdma/rdma_cma.h>`, `<infiniband/ib.h>`, `<infiniband/sa.h>`,
//! `<infiniband/acm.h>`, `<netinet/in.h>`, `<netdb.h>` of rdma-core 44 to 65 and glibc 2.36. Wire structures have alignment 1 and derive zerocopy's traits, so that
//! any byte slice can be viewed as one; [`rdma_addrinfo`] holds pointers and can only be zeroed.
#![allow(non_camel_case_types, reason = "C's names")]

/// Asserts size, alignment and offsets of a structure.
macro_rules! layout {
    ($ty:ident: $size:literal, $align:expr; $($field:ident $offset:literal),+ $(,)?) => {
        const _: () = {
            assert!(core::mem::size_of::<$ty>() == $size);
            assert!(core::mem::align_of::<$ty>() == $align);
            $(assert!(core::mem::offset_of!($ty, $field) == $offset);)+
        };
    };
}

mod acm;
mod constants;
mod structs;

pub use acm::*;
pub use constants::*;
pub use structs::*;
