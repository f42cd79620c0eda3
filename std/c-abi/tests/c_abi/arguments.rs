//! Null pointers, lengths, and what librdmacm itself asks.

use super::build::{With, command, program};
use crate::common::World;
use crate::ibacm::Ibacm;
use std::process::Command;

fn run(mut command: Command) -> String {
    let output = command.output().unwrap();
    let told = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success(), "{}: {told}", output.status);
    told
}

#[test]
fn wrong_arguments_are_errors_and_right_ones_are_not() {
    let Some(program) = program("wrong_arguments_are_errors", "arguments", With::Ours) else { return };
    World::EMPTY.run(|| {
        for policy in ["librdmacm", "man-page"] {
            let mut command = command(&program);
            command.env("RDMA_ADDRINFO_POLICY", policy);
            assert_eq!(run(command), "the route alone has 0 bytes\n1821 looked at, 0 wrong\n", "{policy}");
        }
    });
}

/// The route, and no AF_IB entry, although the kernel is said to take such addresses.
#[test]
fn the_route_alone_is_one_entry() {
    let Some(program) = program("the_route_alone_is_one_entry", "arguments", With::Ours) else { return };
    World::EMPTY.run(|| {
        let daemon = Ibacm::start();
        daemon.reply_a_path_to_all();
        for policy in ["librdmacm", "man-page"] {
            let mut command = command(&program);
            command.env("RDMA_ADDRINFO_POLICY", policy).env("RDMA_ADDRINFO_IB", "always");
            assert_eq!(run(command), "the route alone has 72 bytes\n1821 looked at, 0 wrong\n", "{policy}");
        }
    });
}
