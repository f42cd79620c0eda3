//! [`Reply`]: a valid answer.

use super::message::Message;
use super::{Decoder, Entry, ReplyError, ReplyErrorKind, Status};
use crate::abi::ACM_MAX_ENTRIES;
use crate::route::PathData;
use core::fmt;
use core::net::IpAddr;

/// A valid reply to a request, whole. Made by a [`Decoder`], or by [`from_bytes`](Self::from_bytes).
#[derive(Clone, PartialEq, Eq)]
#[doc(alias = "acm_msg")]
// Invariant: what a decoder has checked.
pub struct Reply(pub(super) Message<ACM_MAX_ENTRIES>);

impl Reply {
    /// The reply that the bytes are, all of them, to the request with this transaction id.
    ///
    /// # Errors
    /// [`ReplyError`]: what is wrong first, and where; also bytes behind the reply.
    pub fn from_bytes(bytes: &[u8], transaction_id: u64) -> Result<Self, ReplyError> {
        let mut decoder = Decoder::new(transaction_id);
        let taken = decoder.push(bytes)?;
        match decoder.reply() {
            None => Err(decoder.cut_short()),
            Some(_) if taken != bytes.len() => Err(ReplyError::new(taken, ReplyErrorKind::Excess)),
            Some(reply) => Ok(reply.clone()),
        }
    }

    /// The bytes, 16 to 592.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        self.0.bytes()
    }

    /// The transaction id.
    #[must_use]
    pub const fn transaction_id(&self) -> u64 {
        self.0.hdr.tid.get()
    }

    /// Whether the request succeeded, and if not, why.
    #[must_use]
    pub const fn status(&self) -> Status {
        Status::from_raw(self.0.hdr.status)
    }

    /// The entries in order, whatever the status.
    pub fn entries(&self) -> impl Iterator<Item = Entry<'_>> + Clone {
        self.0.entries()
    }

    /// The paths in order, wherever they stand among the entries: the route.
    pub fn paths(&self) -> impl Iterator<Item = PathData> + Clone + '_ {
        self.entries().filter_map(|entry| entry.path())
    }

    /// The addresses said to be the source, in order.
    pub fn sources(&self) -> impl Iterator<Item = IpAddr> + Clone + '_ {
        self.entries().filter_map(|entry| entry.source())
    }
}

impl fmt::Display for Reply {
    /// Writes the status and the entries: `OK: path fe80::11 -> fe80::12 …, source 192.0.2.9`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.status(), f)?;
        if self.entries().next().is_some() {
            f.write_str(": ")?;
        }
        self.0.write_entries(f)
    }
}

impl fmt::Debug for Reply {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
