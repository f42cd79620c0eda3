//! Transport-independent address resolution for RDMA: `rdma_getaddrinfo(3)` in Rust.
//!
//! It turns a node, a service and hints into what a connection needs: the addresses of both sides, path records, connect
//! data. It works with or without librdmacm and an RDMA device, returns every address of a name, keeps a deadline, and
//! reports what failed.
//!
//! ```
//! use rdma_addrinfo::{Hints, PortSpace, QpType, Resolver};
//!
//! let hints = Hints::new().with_qp_type(QpType::RC).with_port_space(PortSpace::TCP);
//! let found = Resolver::new().resolve("127.0.0.1", "7471", &hints)?;
//! for info in &found {
//!     assert_eq!(info.dst_addr().unwrap().to_string(), "127.0.0.1:7471");
//!     assert_eq!(info.src_addr().unwrap().to_string(), "127.0.0.1");
//! }
//! # Ok::<(), rdma_addrinfo::Error>(())
//! ```
//!
//! # Start here
//!
//! | to | use |
//! |---|---|
//! | resolve a node and a service | [`Resolver::resolve`], with [`Hints`] or `None` |
//! | read the results | [`Resolved`], a list of [`AddrInfo`]: addresses, route, connect data |
//! | resolve thousands at a time | [`Resolver::resolve_many`] |
//! | await it in an async runtime | [`AsyncResolver`], by [`Resolver::awaiting`] |
//! | know which device, port and GID a result needs | [`devices`] |
//!
//! A call takes at most 5 seconds ([`Resolver::DEFAULT_DEADLINE`]): names and routes that take longer are
//! [`TimedOut`](ErrorKind::TimedOut). [`with_deadline`](Resolver::with_deadline) sets another time limit.
//!
//! The package has an example of each: `blocking`, `many`, `devices`, `json`, `c_list`, and `client` and `server`, which
//! connect. `cargo run --example blocking` runs one.
//!
//! The parsing, the rules and the views are those of [`rdma_addrinfo_core`]; the items that are used here are re-exported.
//! The steps, for a driver of your own, are in that crate. This crate adds the I/O: lookups by an index of hosts(5)
//! and by getaddrinfo(3), zones, sources, RDMA [`devices`], time limits.
//!
//! # Features
//! None is on by default.
//! - `serde`: `Serialize` for [`Resolved`], [`LibraryList`], [`Error`], [`TracedStep`], and the types of [`devices`]. They
//!   have the shape of parts of the command's JSON, without its version; `schema/rdma-getaddrinfo.schema.json` in this
//!   package describes it. Keys and values may be added without a new version of the schema, so a reader ignores what it does not know.
//! - `tracing`: `ToTracing`, a [`Trace`] that emits events of the crate `tracing`.
//! - `rdma-sys`: links librdmacm, and converts to and from the types of the crate `rdma-sys`.
//!
//! Public dependencies are [`rdma_addrinfo_core`] with its own, and those that the features name: a new major version of
//! one is a new major version of this crate.

mod c_text;
#[cfg(test)]
#[path = "../tests/common/mod.rs"]
mod common;
pub mod devices;
mod errno;
mod error;
mod librdmacm;
mod native;
mod resolver;
#[cfg(feature = "serde")]
mod serde;
mod wait;

pub use error::{Cause, Error, LoadError, LoadErrorKind, SourceInterfaceError};
#[cfg(feature = "rdma-sys")]
pub use librdmacm::sys;
pub use librdmacm::{Library, LibraryList};
pub use native::{Ibacm, InterfaceName, KernelRoute, NoKernelRoute, RouteKind, RouteQuery, forget_kept};
/// The error of the core, without what was asked.
pub use rdma_addrinfo_core::Error as CoreError;
#[doc(inline)]
pub use rdma_addrinfo_core::text::{Grammar, hostlist};
#[doc(inline)]
pub use rdma_addrinfo_core::{
    AddrInfo, AddrInfoIter, AddrInfoList, Addresses, CCode, CList, CListRef, Environment, ErrorKind, Family,
    Field, Flags, Found, Gid, HeapResults, Hints, IbEntryOrder, Location, Mtu, NoRoute, PacketLifeTime,
    PathData, PathFlags, PathRecord, Pkey, Policy, PortSpace, Protocol, QpType, Rate, RawAddrInfo, Reason,
    Request, Results, RouteStatus, Rules, Selector, ServiceId, ServiceRecord, ServiceText, SkippedPort,
    SockAddrBuf, SockAddrRef, Storage, Text, abi, acm, resolve_literal,
};
#[cfg(feature = "tracing")]
pub use resolver::ToTracing;
pub use resolver::{
    AsyncResolveMany, AsyncResolver, Hosts, IbEntries, NameAnswer, NameQuery, NameService, PortOutcome,
    Resolution, ResolveMany, Resolved, Resolver, ServicePort, System, Target, Trace, TraceEvent, TracedStep,
};

#[cfg(doctest)]
#[doc = include_str!("../../README.md")]
struct Readme;
