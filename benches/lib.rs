//! What all benchmarks share: inputs, engines, and a comparison that checks each answer before it is timed.
//!
//! A benchmark is named `area/case/engine`. A case is a list of inputs, often of one; an iteration goes through all
//! of them, and criterion is told how many they are.

mod c_library;
mod c_walk;
mod case;
mod counting;
mod daemon;
mod engines;
mod glibc;
mod inputs;
mod line;
mod literals;
mod many;
mod our_c_library;
mod walk;
mod world;

pub use c_library::{CHints, CInfos, CLibrary};
pub use c_walk::{walk_checked, walk_unchecked};
pub use case::Case;
pub use counting::Counting;
pub use daemon::{Daemon, dgid, message, path};
pub use engines::{by_dns_lookup, by_glibc, by_library, by_std, into_results, owned, read};
pub use glibc::{AddrInfos, Numeric, getaddrinfo, inet_pton};
pub use inputs::{Literal, RANDOM, random_ipv4, random_ipv6, random_ports};
pub use line::Line;
pub use literals::{HINTS, c_hints, mixed, right, single_literals};
pub use many::{Many, Routes, fill};
pub use our_c_library::{OUR_C_LIBRARY, OUR_COMMAND, our_c_library, our_command};
pub use walk::{Seen, walk};
pub use world::World;

use criterion::Criterion;
use std::env;
use std::time::Duration;

/// criterion as the command line says, else two seconds for each engine: there are hundreds.
#[must_use]
pub fn criterion() -> Criterion {
    let criterion = Criterion::default().warm_up_time(Duration::from_millis(400));
    criterion.measurement_time(Duration::from_millis(1600)).configure_from_args()
}

/// Says loudly what could not be measured.
///
/// # Panics
/// In CI, where everything can be.
pub fn left_out(what: &str, why: &str) {
    eprintln!("\n!!!!! LEFT OUT: {what}: {why} !!!!!\n");
    let in_ci = env::var_os("CI").is_some_and(|ci| ci == "true");
    assert!(!in_ci, "nothing may be left out in CI");
}
