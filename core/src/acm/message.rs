//! What requests and replies have in common.

use super::Entry;
use crate::abi::{ACM_MSG_EP_LENGTH, ACM_MSG_HDR_LENGTH, acm_ep_addr_data, acm_hdr};
use core::fmt;
use zerocopy::{FromBytes, FromZeros, Immutable, IntoBytes, KnownLayout, Unaligned};

/// A header and room for `N` entries. How many there are, the length in the header tells.
#[derive(FromBytes, IntoBytes, KnownLayout, Immutable, Unaligned, Clone, Copy, PartialEq, Eq)]
#[repr(C)]
pub(super) struct Message<const N: usize> {
    pub(super) hdr: acm_hdr,
    pub(super) entries: [acm_ep_addr_data; N],
}

impl<const N: usize> Message<N> {
    /// All zero.
    pub(super) fn zero() -> Self {
        Self::new_zeroed()
    }

    /// The length in bytes that the header tells.
    pub(super) fn len(&self) -> usize {
        usize::from(self.hdr.length.get())
    }

    /// The bytes of the message.
    pub(super) fn bytes(&self) -> &[u8] {
        self.as_bytes().get(..self.len()).unwrap_or(&[])
    }

    /// The entries in order.
    pub(super) fn entries(&self) -> impl Iterator<Item = Entry<'_>> + Clone {
        self.entries.iter().take(entries_in(self.len()).unwrap_or(0)).map(Entry)
    }

    /// Writes the entries, separated by commas.
    pub(super) fn write_entries(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut separator = "";
        for entry in self.entries() {
            f.write_str(separator)?;
            fmt::Display::fmt(&entry, f)?;
            separator = ", ";
        }
        Ok(())
    }
}

/// How many entries a message of so many bytes has; `None` if no message has this length.
pub(super) fn entries_in(len: usize) -> Option<usize> {
    let entries = len.checked_sub(ACM_MSG_HDR_LENGTH)?;
    (entries.checked_rem(ACM_MSG_EP_LENGTH) == Some(0)).then(|| entries.wrapping_div(ACM_MSG_EP_LENGTH))
}
