//! Results: [`AddrInfoList`] and [`AddrInfo`], one view for our own entries and for librdmacm's.

mod display;
mod entry;
mod info;
mod list;
mod status;
mod storage;

#[cfg(test)]
mod tests;

pub(crate) use entry::{CONNECT_DATA, Entry, IbEntry, Listed};
pub use info::AddrInfo;
pub use list::{AddrInfoIter, AddrInfoList};
pub use status::{NoRoute, RouteStatus};
#[cfg(any(feature = "alloc", test))]
pub(crate) use storage::Heap;
pub use storage::Storage;
pub(crate) use storage::{Buffer, Fixed, Lent, Outcome};
