//! The command as its user sees it: runs the built program and compares its whole output.
//!
//! No test needs a network, and none changes the machine.

mod command;
mod common;
mod console;
mod devices;
#[path = "../../../tests/common/dns.rs"]
#[allow(dead_code, reason = "a part of it is used")]
mod dns;
mod human;
mod json;
mod many;
mod names;
mod printed;
#[path = "../../../tests/common/random.rs"]
mod random;
mod routes;
mod schema;
mod subnet_administrator;
#[path = "../../../tests/common/sysfs.rs"]
mod sysfs;
