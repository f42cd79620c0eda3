//! Messages of ibacm, the InfiniBand communication manager assistant: it answers an IP address with paths through
//! the fabric.
//!
//! [`Query`] says what is asked, [`Request`] is it in bytes, [`Decoder`] takes the bytes of the answer piece by piece
//! and gives a [`Reply`], whose [`Entry`]s are views. [`Backoff`] says when a daemon that does not answer is asked again.
//! Nothing here does I/O.
//!
//! The rules are those of librdmacm and of ibacm (rdma-core): a message is a header of 16 bytes and up to eight
//! entries of 72, in the byte order of the host but for the addresses and paths in them. A request has three
//! entries at most. A reply is valid when its version is 1, its operation that of the request, its transaction id
//! the request's, and its length 16 + 72·n of at most 592 bytes.
//!
//! ```
//! use rdma_addrinfo_core::acm::{Decoder, Query, Status};
//!
//! let query = Query { destination: Some([192, 0, 2, 1].into()), ..Query::default() };
//! let request = query.to_request(7);
//! assert_eq!((request.as_bytes().len(), request.to_string().as_str()), (88, "destination 192.0.2.1"));
//!
//! // The daemon knows no such address: a header alone.
//! let mut bytes = request.as_bytes()[..16].to_vec();
//! bytes[2] = Status::EDESTADDR.to_raw();
//! bytes[6..8].copy_from_slice(&16_u16.to_ne_bytes());
//!
//! let mut decoder = Decoder::new(request.transaction_id());
//! assert_eq!((decoder.push(&bytes[..5])?, decoder.wanted()), (5, 11));
//! assert_eq!((decoder.push(&bytes[5..])?, decoder.wanted()), (11, 0));
//! assert_eq!(decoder.reply().unwrap().status(), Status::EDESTADDR);
//! # Ok::<(), rdma_addrinfo_core::acm::ReplyError>(())
//! ```

mod backoff;
mod decoder;
mod entry;
mod message;
mod query;
mod reply;
mod status;

#[cfg(test)]
mod tests;

pub use backoff::{Backoff, BackoffConfig};
pub use decoder::{Decoder, ReplyError, ReplyErrorKind};
pub use entry::{Entry, Info};
pub use query::{Query, Request};
pub use reply::Reply;
pub use status::Status;
