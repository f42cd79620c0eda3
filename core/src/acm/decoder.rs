//! [`Decoder`]: bytes to a reply, however they are cut.

use super::Reply;
use super::message::{Message, entries_in};
use crate::abi::{ACM_MAX_ENTRIES, ACM_MSG_HDR_LENGTH, ACM_OP_RESOLVE, ACM_VERSION};
use core::fmt;
use zerocopy::IntoBytes;

/// Takes the bytes of a reply as they come, and says how many more it wants.
///
/// What it answers does not depend on how the bytes are cut. A fault is told with the first byte that settles it, so
/// that nobody waits for the rest.
#[derive(Clone)]
pub struct Decoder {
    reply: Reply,
    /// How many bytes of the reply have come.
    filled: usize,
    transaction_id: u64,
}

impl Decoder {
    /// A decoder of the reply to the request with this transaction id.
    #[must_use]
    pub fn new(transaction_id: u64) -> Self {
        Self { reply: Reply(Message::zero()), filled: 0, transaction_id }
    }

    /// Takes bytes, and tells how many of them: all, or fewer if the reply ends among them. What is behind it is
    /// no part of the reply, and nobody asked for it.
    ///
    /// # Errors
    /// [`ReplyError`] for a reply to something else, or one that cannot be; the same again ever after.
    pub fn push(&mut self, bytes: &[u8]) -> Result<usize, ReplyError> {
        let mut taken = 0_usize;
        // The header first, then the entries, whose number it tells.
        for _ in 0..2 {
            let (filled, wanted) = (self.filled, self.wanted());
            let room = self.reply.0.as_mut_bytes().iter_mut().skip(filled).take(wanted);
            for (room, byte) in room.zip(bytes.iter().skip(taken)) {
                *room = *byte;
                taken = taken.saturating_add(1);
                self.filled = self.filled.saturating_add(1);
            }
            self.check()?;
        }
        Ok(taken)
    }

    /// How many bytes are to come, as far as is known: before the header is complete, those of the header. 0 when
    /// the reply is complete, or invalid.
    #[must_use]
    pub fn wanted(&self) -> usize {
        let len = match self.check() {
            Err(_) => 0,
            Ok(()) if self.filled < ACM_MSG_HDR_LENGTH => ACM_MSG_HDR_LENGTH,
            Ok(()) => self.reply.0.len(),
        };
        len.saturating_sub(self.filled)
    }

    /// The reply, once it is complete.
    #[must_use]
    pub fn reply(&self) -> Option<&Reply> {
        let complete = self.filled >= ACM_MSG_HDR_LENGTH && self.wanted() == 0 && self.check().is_ok();
        complete.then_some(&self.reply)
    }

    /// What is wrong with a reply that ends here, before it is complete.
    #[must_use]
    pub const fn cut_short(&self) -> ReplyError {
        ReplyError::new(self.filled, ReplyErrorKind::CutShort)
    }

    /// Checks what has come, in the order in which it came.
    fn check(&self) -> Result<(), ReplyError> {
        let hdr = &self.reply.0.hdr;
        let (opcode, length) = (hdr.opcode, hdr.length.get());
        let length_is_valid = entries_in(length.into()).is_some_and(|entries| entries <= ACM_MAX_ENTRIES);
        // Known when so many bytes have come; right or not; where it lies, what is wrong.
        let fields = [
            (1, hdr.version == ACM_VERSION, 0, ReplyErrorKind::Version(hdr.version)),
            (2, opcode & 0x0f == ACM_OP_RESOLVE, 1, ReplyErrorKind::Opcode(opcode)),
            (8, length_is_valid, 6, ReplyErrorKind::Length(length)),
            (16, hdr.tid.get() == self.transaction_id, 8, ReplyErrorKind::TransactionId),
        ];
        match fields.into_iter().find(|(known, right, ..)| self.filled >= *known && !right) {
            None => Ok(()),
            Some((_, _, offset, kind)) => Err(ReplyError::new(offset, kind)),
        }
    }
}

impl fmt::Debug for Decoder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Decoder").field("filled", &self.filled).field("wanted", &self.wanted()).finish()
    }
}

/// Why bytes are no reply to a request, and where.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct ReplyError {
    offset: usize,
    kind: ReplyErrorKind,
}

/// Why bytes are no reply to a request.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum ReplyErrorKind {
    /// The version is not 1.
    Version(u8),
    /// The operation is not the one that was asked for.
    Opcode(u8),
    /// The length is not 16 + 72·n, or above 592.
    Length(u16),
    /// It is the reply to another request.
    TransactionId,
    /// It ends before its length.
    CutShort,
    /// There are bytes behind its end.
    Excess,
}

impl ReplyError {
    pub(super) const fn new(offset: usize, kind: ReplyErrorKind) -> Self {
        Self { offset, kind }
    }

    /// The offset in bytes of what is wrong.
    #[must_use]
    pub const fn offset(&self) -> usize {
        self.offset
    }

    /// What is wrong.
    #[must_use]
    pub const fn kind(&self) -> ReplyErrorKind {
        self.kind
    }
}

impl fmt::Display for ReplyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.kind {
            ReplyErrorKind::Version(version) => write!(f, "version {version}, not {ACM_VERSION}")?,
            ReplyErrorKind::Opcode(opcode) => {
                write!(f, "operation 0x{opcode:02x}, not 0x{ACM_OP_RESOLVE:02x}")?
            }
            ReplyErrorKind::Length(length) => {
                write!(f, "length {length}, not 16 and 72 for each of up to 8 entries")?;
            }
            ReplyErrorKind::TransactionId => f.write_str("reply to another request")?,
            ReplyErrorKind::CutShort => f.write_str("it is cut short")?,
            ReplyErrorKind::Excess => f.write_str("bytes behind its end")?,
        }
        write!(f, " (byte {})", self.offset)
    }
}

impl core::error::Error for ReplyError {}
