//! The I/O behind a resolution: names, zone names, interfaces and source addresses, as this host knows them, and
//! routes, as ibacm does.
//!
//! Nothing here knows a rule of `rdma_getaddrinfo(3)`: each function answers one question and keeps everything
//! that the answer holds. The resolution chooses.
//!
//! What is kept between calls (sockets, worker threads) belongs to one process: a child made by fork(2) notices, by its
//! [identity](process::identity), and starts anew. Kept sockets and workers also stay in the network namespace in which
//! they were made; a thread that moves to another one after its first resolution still asks the old one.

mod addresses;
mod af_ib;
mod clock;
mod ibacm;
mod interface_name;
mod interfaces;
mod kept;
mod names;
#[allow(unsafe_code)]
mod process;
mod sockets;
mod source;

pub use addresses::InterfaceAddress;
pub(crate) use addresses::interface_addresses;
pub(crate) use af_ib::kernel_takes_af_ib;
pub use ibacm::Ibacm;
pub(crate) use ibacm::{ask as ask_ibacm, is_absent as ibacm_is_absent};
pub use interface_name::InterfaceName;
pub(crate) use interfaces::interface_index;
pub(crate) use names::{Answer, Query, ipv6_loopback_is_first, look_up, look_up_by};
pub(crate) use sockets::Sockets;
pub(crate) use source::source_for;
