//! Socket addresses: [`SockAddrRef`] views bytes, [`SockAddrBuf`] owns them.

mod buf;
mod parse;
mod view;

#[cfg(test)]
pub(crate) mod tests;

pub use buf::SockAddrBuf;
pub(crate) use parse::{cut, pkey_part};
pub use view::SockAddrRef;
