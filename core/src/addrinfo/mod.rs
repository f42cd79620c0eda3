//! Results: [`AddrInfoList`] and [`AddrInfo`], one view for our own entries and for librdmacm's.

mod display;
mod entry;
mod info;
mod list;
mod nothing;
mod status;
mod storage;

#[cfg(test)]
mod tests;

pub use entry::Entry;
pub(crate) use entry::{CONNECT_DATA, NO_ENTRY};
pub use info::AddrInfo;
pub use list::{AddrInfoIter, AddrInfoList, ListStart};
pub use status::{NoRoute, RouteStatus};
pub use storage::Storage;
