//! What holds for any input, whoever sends it: each property compares the library with a model of its own, or with a peer.
//!
//! A fuzz target, a test and a folder of `fuzz/corpus` have the name of their property.

pub mod acm_reply;
pub mod c_hints;
mod c_struct;
mod draw;
pub mod foreign_list;
#[cfg(all(target_env = "gnu", target_pointer_width = "64", not(miri)))]
pub mod glibc;
pub mod hint_text;
pub mod hostlist;
#[cfg(all(target_env = "gnu", target_pointer_width = "64", not(miri)))]
pub mod hosts_text;
mod models;
pub mod node_text;
pub mod resolve;
pub mod results;
pub mod route_bytes;
pub mod script;
pub mod service_records;
pub mod service_text;
pub mod sockaddr_bytes;
