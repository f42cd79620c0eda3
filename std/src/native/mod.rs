//! The I/O behind a resolution: names, zone names, interfaces and source addresses, as this host knows them, and
//! routes, as ibacm does.
//!
//! Nothing here knows a rule of `rdma_getaddrinfo(3)`: each function answers one question and keeps everything
//! that the answer holds. The resolution chooses.
//!
//! ```text
//!   name           zone, source              route              AF_IB
//!     │                 │                      │                  │
//!   names         interfaces, source         ibacm ──▶ health   af_ib      health: absent? silent? (core's Backoff)
//!     │                 │                      │
//!   lane, timer      sockets               connection                      lane: threads and a queue; timer: deadlines
//!     │                 └──────────┬───────────┘
//!     │                       socket_pool                                  idle sockets, recognized by their cookies
//!     └──────────────┬─────────────┘
//!                fork_local ──▶ fork_id                                    one state a process
//! ```
//!
//! What is kept between calls (sockets, worker threads) belongs to one process: a child made by fork(2) notices, by its
//! [identity](fork_id::identity), and starts anew. Kept sockets and workers also stay in the network namespace in which
//! they were made; a thread that moves to another one after its first resolution still asks the old one, until
//! [`forget_kept`] is called.

mod addresses;
mod af_ib;
mod clock;
#[allow(unsafe_code)]
mod fork_id;
mod fork_local;
mod ibacm;
mod idle_socket;
mod interface_name;
mod interfaces;
mod kernel_route;
mod lane;
mod names;
mod namespace;
mod netlink;
mod random;
#[allow(unsafe_code)]
mod rdma_cm;
mod service_records;
mod slot;
mod socket_pool;
mod sockets;
mod source;
mod sync;
#[allow(unsafe_code)]
mod thread;
mod timer;

pub use addresses::InterfaceAddress;
pub(crate) use addresses::interface_addresses;
pub(crate) use af_ib::{begin as begin_kernel_takes_af_ib, kernel_takes_af_ib, known as known_to_take_af_ib};
pub(crate) use fork_id::identity as process_identity;
pub(crate) use fork_local::lock;
pub use ibacm::Ibacm;
pub(crate) use ibacm::{ask as ask_ibacm, begin as begin_ibacm, is_absent as ibacm_is_absent};
pub use interface_name::InterfaceName;
pub(crate) use interfaces::{interface_index, interface_name};
pub use kernel_route::{KernelRoute, NoKernelRoute, RouteKind, RouteQuery};
pub(crate) use lane::Running;
pub(crate) use names::{
    Answer, Begun, Query, Source, Sources, begin_lookup, ipv6_loopback_is_first, lookup, lookup_by,
};
pub(crate) use service_records::{
    Failure as ServiceFailure, ServiceKey, begin as begin_service_records, service_records,
};
pub(crate) use source::{source_by, source_for};
pub(crate) use timer::by_deadline;

/// Forgets all that this process keeps between calls: closes the idle sockets on which the kernel and ibacm are asked,
/// has idle lookup threads end, and no longer remembers what ibacm and the kernel's connection manager were found to be.
/// The next call starts anew.
///
/// For a thread that enters another network or mount namespace (setns(2), unshare(2)) and resolves there, and before
/// privileges are given up. What is kept stays in the namespaces in which it was made, and the kernel offers no cheap
/// way to tell from a socket that the calling thread has left them, so without this call
/// - sources, zones and routes are asked in the old network namespace while a socket made there is kept;
/// - names are looked up in the namespaces of the thread that started the lookup thread, for 10 s after the last lookup;
/// - the absence of ibacm is remembered for [a second](Ibacm::with_negative_cache), its silence for
///   [longer](Ibacm::with_back_off).
///
/// Calls that are running at the moment go on with what they have. A new connection to ibacm that is made in another
/// network namespace than the last one forgets sockets, connections and what was found of ibacm by itself.
///
/// A thread that has a table of descriptors of its own (`CLONE_FILES` of unshare(2)) closes its copies alone: of sockets
/// that were opened before it left the other table, those there stay open. Call this before leaving it.
///
/// It takes no memory, waits for nobody, and makes a few system calls for each socket that is closed.
pub fn forget_kept() {
    forget_network();
    names::forget();
    af_ib::forget();
    service_records::forget();
}

/// Forgets what was asked of or in a network namespace.
fn forget_network() {
    sockets::forget();
    ibacm::forget();
}
