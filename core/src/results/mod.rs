//! Memory for results, and results as a C list.

mod c_list;
mod fixed;
#[cfg(any(feature = "alloc", test))]
mod heap;

#[cfg(test)]
mod tests;

pub use c_list::{CList, CListRef};
pub use fixed::Results;
#[cfg(any(feature = "alloc", test))]
pub use heap::HeapResults;
