//! Memory for results without a heap, and results as a C list.

mod c_list;
mod fixed;

#[cfg(test)]
mod tests;

pub use c_list::{CList, CListRef};
pub use fixed::Results;
