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
//! let hints = Hints::new().qp_type(QpType::RC).port_space(PortSpace::TCP);
//! let mut results = Results::<4>::new();
//! let list = resolve_literal("192.0.2.7", "7471", &hints, &mut results)?;
//!
//! let info = list.first().unwrap();
//! assert_eq!(info.dst_addr().unwrap().to_string(), "192.0.2.7:7471");
//! assert_eq!(info.user_private_data(), Some(56));
//! # Ok::<(), rdma_addrinfo_core::Error>(())
//! ```
#![no_std]
#![deny(
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
        clippy::unwrap_used
    )
)]

#[cfg(any(feature = "alloc", test))]
extern crate alloc;
#[cfg(test)]
extern crate std;

pub mod abi;
pub mod acm;
mod addrinfo;
mod error;
mod foreign;
mod hints;
mod request;
mod resolve;
mod results;
mod route;
mod sockaddr;
pub mod text;
mod types;

pub use addrinfo::{AddrInfo, AddrInfoIter, AddrInfoList, NoRoute, RouteStatus, Storage};
pub use error::{CCode, Error, ErrorKind, Field, Location, Reason};
pub use foreign::RawAddrInfo;
pub use hints::{Hints, Protocol};
pub use request::{Addresses, Environment, IbEntryOrder, Policy, Request, Rules, Text};
pub use resolve::{FindRoute, FindScope, FindSource, Found, LookUp, Step, resolve_literal, start};
#[cfg(any(feature = "alloc", test))]
pub use results::HeapResults;
pub use results::{CList, CListRef, Results};
pub use route::{
    Mtu, PacketLifeTime, PathData, PathFlags, PathRecord, Rate, RouteHint, Selector, paths_from_bytes,
};
pub use sockaddr::{SockAddrBuf, SockAddrRef};
pub use text::Grammar;
pub use types::{Family, Flags, Gid, Pkey, PortSpace, QpType, ServiceId};

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
