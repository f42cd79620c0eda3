//! Every property for the inputs of its corpus, and for inputs made of them.
//!
//! `RDMA_ADDRINFO_TEST_CASES` says how many are made for each (2000, under Miri 3), `RDMA_ADDRINFO_TEST_SEED` how; a failure shows the
//! input in hex, which belongs into the corpus once it is fixed.

mod mutate;

use mutate::{Random, mutate};
use std::env;
use std::fmt::Write;
use std::fs;
#[cfg(not(miri))]
use std::hash::{BuildHasher, RandomState};
use std::panic::catch_unwind;
use std::path::Path;

type Property = fn(&[u8]);

/// The inputs of a corpus, by name.
fn corpus(name: &str) -> Vec<(String, Vec<u8>)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../corpus").join(name);
    let files = fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut inputs: Vec<_> = files
        .map(|file| {
            let path = file.unwrap().path();
            (path.file_name().unwrap().to_string_lossy().into_owned(), fs::read(path).unwrap())
        })
        .collect();
    inputs.sort();
    assert!(inputs.len() >= 8, "{name}: {} inputs", inputs.len());
    inputs
}

fn hold(property: Property, input: &[u8], which: &str) {
    if catch_unwind(|| property(input)).is_err() {
        let hex = input.iter().fold(String::new(), |mut hex, byte| {
            write!(hex, "{byte:02x}").unwrap();
            hex
        });
        panic!("{which} does not hold; the input in hex: {hex}");
    }
}

fn replayed(property: Property, name: &str) {
    let inputs = corpus(name);
    // Interpreted, a part of them: of each kind, since names sort by kind.
    let step = if cfg!(miri) { inputs.len().div_ceil(cases()) } else { 1 };
    for (file, input) in inputs.iter().step_by(step) {
        hold(property, input, file);
    }
}

/// How many; few where they are interpreted.
fn cases() -> usize {
    let otherwise = if cfg!(miri) { 3 } else { 2000 };
    env::var("RDMA_ADDRINFO_TEST_CASES").map_or(otherwise, |cases| cases.parse().expect("a number"))
}

fn generated(property: Property, name: &str, seed: u64) {
    let inputs: Vec<_> = corpus(name).into_iter().map(|(_, input)| input).collect();
    for index in 0..cases() {
        let mut random =
            Random::new(seed ^ u64::try_from(index).unwrap().wrapping_mul(0xd134_2543_de82_ef95));
        let input = mutate(&mut random, &inputs);
        hold(property, &input, &format!("input {index} of the seed {seed:#x}"));
    }
}

/// One that is new each time, unless it is given.
#[cfg(not(miri))]
fn fresh_seed() -> u64 {
    env::var("RDMA_ADDRINFO_TEST_SEED").map_or_else(
        |_| RandomState::new().hash_one("seed"),
        |seed| u64::from_str_radix(seed.trim_start_matches("0x"), 16).expect("a seed in hex"),
    )
}

macro_rules! properties {
    ($($(#[$meta:meta])* $name:ident)+) => {
        $($(#[$meta])* mod $name {
            use rdma_addrinfo_properties::$name::check;

            #[test]
            fn of_the_corpus() {
                super::replayed(check, stringify!($name));
            }

            #[test]
            fn generated_with_a_fixed_seed() {
                super::generated(check, stringify!($name), 0x7072_6f70);
            }

            #[test]
            #[cfg(not(miri))]
            fn generated_with_a_fresh_seed() {
                super::generated(check, stringify!($name), super::fresh_seed());
            }
        })+
    };
}

properties! {
    acm_reply
    c_hints
    foreign_list
    #[cfg(all(target_env = "gnu", target_pointer_width = "64", not(miri)))]
    glibc
    hint_text
    hostlist
    #[cfg(all(target_env = "gnu", target_pointer_width = "64", not(miri)))]
    hosts_text
    node_text
    resolve
    results
    route_bytes
    service_records
    service_text
    sockaddr_bytes
}
