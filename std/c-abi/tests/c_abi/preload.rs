//! A program of Debian's with ours by LD_PRELOAD.

use super::build::{command, library};
use crate::common::{World, in_ci, skipped};
use std::path::Path;

const PROGRAM: &str = "/usr/bin/rdma_client";

/// What the program prints, and how it ends.
fn run(variables: &[(&str, &str)]) -> (String, Option<i32>) {
    let mut command = command(Path::new(PROGRAM));
    command.args(["-s", "127.0.0.1", "-p", "7471"]).envs(variables.iter().copied());
    let output = command.output().unwrap();
    let told = String::from_utf8(output.stdout).unwrap() + &String::from_utf8(output.stderr).unwrap();
    (told, output.status.code())
}

fn is_there(test: &str) -> bool {
    let there = Path::new(PROGRAM).exists();
    if !there {
        assert!(!in_ci(), "{PROGRAM} is missing: the package rdmacm-utils");
        skipped(test, "rdma_client is missing: apt-get install rdmacm-utils");
    }
    there
}

#[test]
fn it_gets_as_far_as_without() {
    if !is_there("it_gets_as_far_as_without") {
        return;
    }
    let library = library().to_str().unwrap();
    World { device: true, ..World::EMPTY }.run(|| {
        let without = run(&[]);
        // It has resolved, and finds no device to make an endpoint on.
        assert!(without.0.contains("rdma_create_ep"), "{without:?}");
        let with = run(&[("LD_PRELOAD", library)]);
        assert_eq!(with, without);
        // And it is ours that it calls.
        let (told, code) = run(&[("LD_PRELOAD", library), ("RDMA_ADDRINFO_POLICY", "none")]);
        let complaint = told.lines().find(|line| line.starts_with("librdma_addrinfo: ")).unwrap();
        assert!(complaint.contains("RDMA_ADDRINFO_POLICY='none'"), "{told}");
        assert_eq!((told.replace(&format!("{complaint}\n"), ""), code), without);
    });
}

#[test]
fn without_a_device_it_gets_further() {
    if !is_there("without_a_device_it_gets_further") {
        return;
    }
    let library = library().to_str().unwrap();
    World::EMPTY.run(|| {
        let (without, _) = run(&[]);
        assert!(without.contains("rdma_getaddrinfo"), "{without}");
        let (with, _) = run(&[("LD_PRELOAD", library)]);
        assert!(with.contains("rdma_create_ep") && !with.contains("rdma_getaddrinfo"), "{with}");
    });
}
