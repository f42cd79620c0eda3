//! Socket addresses: [`SockAddrRef`] views bytes, [`SockAddrBuf`] owns them.

mod buf;
mod parse;
mod view;

#[cfg(test)]
mod tests;

pub(crate) use parse::cut;
pub use buf::SockAddrBuf;
pub use view::SockAddrRef;
