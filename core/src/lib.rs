//! RDMA address resolution without `std`, heap, I/O or panic: the core of `rdma_getaddrinfo(3)`.
//!
//! What it does:
//! - reads the C structures of librdmacm in place: [`abi`] holds them, [`SockAddrRef`], [`PathData`] and
//!   [`RawAddrInfo`] view them;
//! - parses and validates a node, a service and [`Hints`] without allocating;
//! - resolves literals outright ([`resolve_literal`]), and anything else as a chain of [`Step`]s that a driver
//!   answers;
//! - holds the answer in caller-provided memory ([`Results`]) and hands it on as a borrowed list
//!   ([`AddrInfoList`]) or as a C list ([`CList`]).
//!
//! What it does not do: look names up, open sockets, read files, read the clock, start threads. The crate
//! `rdma-addrinfo` does that.
//!
//! ```
//! use rdma_addrinfo_core::{Hints, PortSpace, QpType, Results, resolve_literal};
//!
//! let hints = Hints::new().with_qp_type(QpType::RC).with_port_space(PortSpace::TCP);
//! let mut results = Results::<4>::new();
//! let list = resolve_literal("192.0.2.7", "7471", &hints, &mut results)?;
//!
//! let info = list.first().unwrap();
//! assert_eq!(info.dst_addr().unwrap().to_string(), "192.0.2.7:7471");
//! assert_eq!(info.user_private_data(), Some(56));
//! # Ok::<(), rdma_addrinfo_core::Error>(())
//! ```
//!
//! # Features
//! None is on by default.
//! - `alloc`: results that grow on the heap (`HeapResults`).
//! - `serde`: `Serialize` for results and what they are made of, and for [`Error`]. The shape is that of the entries,
//!   addresses and errors in the JSON of the command `rdma-getaddrinfo`, which its [JSON Schema](https://docs.rs/crate/rdma-addrinfo/latest/source/schema/rdma-getaddrinfo.schema.json)
//!   describes. Keys and values may be added without a new version of the schema, so a reader ignores what it does not
//!   know. Nothing is allocated.
//! - `defmt`: `defmt::Format` for what a driver logs, in short forms.
//!
//! # Public dependencies
//! A new major version of one is a new major version of this crate.
//! - [`zerocopy`] 0.8: the structures in [`abi`], [`PathData`] and [`PathRecord`] implement its traits, such as
//!   `FromBytes` and `IntoBytes`, so that they are views of bytes.
//! - [`bitflags`] 2: [`Flags`] and [`PathFlags`] implement its trait `Flags`.
//! - `serde_core` 1 and `defmt` 1, with the features `serde` and `defmt`.
#![no_std]
#![deny(
    clippy::allow_attributes_without_reason,
    clippy::arithmetic_side_effects,
    clippy::as_conversions,
    clippy::cast_lossless,
    clippy::cast_possible_truncation,
    clippy::cast_possible_wrap,
    clippy::cast_precision_loss,
    clippy::cast_sign_loss,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::string_slice,
    clippy::todo,
    clippy::unimplemented,
    clippy::unreachable,
    clippy::unwrap_used
)]
#![cfg_attr(
    test,
    allow(
        clippy::arithmetic_side_effects,
        clippy::as_conversions,
        clippy::cast_possible_truncation,
        clippy::expect_used,
        clippy::indexing_slicing,
        clippy::panic,
        clippy::string_slice,
        clippy::unwrap_used,
        reason = "a test may panic"
    )
)]

#[cfg(any(feature = "alloc", test))]
extern crate alloc;
#[cfg(test)]
extern crate std;

pub mod abi;
pub mod acm;
mod addrinfo;
#[cfg(feature = "defmt")]
mod defmt;
mod error;
mod foreign;
mod hints;
mod request;
mod resolve;
mod results;
mod route;
#[cfg(feature = "serde")]
mod serde;
mod sockaddr;
pub mod text;
mod types;

pub use addrinfo::{AddrInfo, AddrInfoIter, AddrInfoList, NoRoute, RouteStatus, Storage};
pub use error::{CCode, Error, ErrorKind, Field, Location, Reason};
pub use foreign::RawAddrInfo;
pub use hints::{Hints, Protocol};
pub use request::{Addresses, Environment, IbEntryOrder, Policy, Request, Rules, ServiceText, Text};
pub use resolve::{
    FindRoute, FindScope, FindService, FindSource, Found, IbService, Lookup, ServiceRecord, SkippedPort,
    Step, resolve_literal, start,
};
#[cfg(any(feature = "alloc", test))]
pub use results::HeapResults;
pub use results::{CList, CListRef, Results};
pub use route::{
    Mtu, PacketLifeTime, PathData, PathFlags, PathRecord, Rate, RouteHint, Selector, paths_from_bytes,
};
pub use sockaddr::{SockAddrBuf, SockAddrRef};
pub use types::{Family, Flags, Gid, Pkey, PortSpace, QpType, ServiceId};

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
