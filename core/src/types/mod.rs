//! Small [`Copy`] words: open newtypes over the C values, with their constants and names.
//!
//! Open, because a library or a kernel newer than this crate may use values that it does not know: they are
//! kept and shown as numbers, never lost.

mod flags;
mod identifiers;
mod named_flags;
mod words;

#[cfg(test)]
mod tests;

pub use flags::Flags;
pub use identifiers::{Gid, Pkey, ServiceId};
pub(crate) use named_flags::named_flags;
pub use words::{Family, PortSpace, QpType};
