//! `--sa`, as far as it comes without an InfiniBand subnet. The ports are those of a tree of sysfs in `SYSFS_PATH`.

use crate::common::{PROGRAM, Run, json};
use crate::sysfs::Tree;
use serde_json::json;
use std::process::Command;

fn on(tree: &Tree, arguments: &[&str]) -> Run {
    Run::of(Command::new(PROGRAM).args(["--sa", "-"]).args(arguments).env("SYSFS_PATH", tree.root()))
}

/// No port of these is asked through, so the device of this machine's connection manager is not opened.
fn ports() -> Tree {
    Tree::new(
        "class/infiniband/mlx5_0/ports/1/state\t4: ACTIVE\n\
         class/infiniband/mlx5_0/ports/1/link_layer\tEthernet\n\
         class/infiniband/mlx5_0/ports/1/gids/0\tfe80:0000:0000:0000:0000:00ff:fe00:0001\n\
         class/infiniband/mlx5_0/ports/2/state\t1: DOWN\n\
         class/infiniband/mlx5_0/ports/2/link_layer\tInfiniBand\n\
         class/infiniband/mlx5_1/ports/1/state\t4: ACTIVE\n\
         class/infiniband/mlx5_1/ports/1/link_layer\tInfiniBand\n\
         class/infiniband/mlx5_1/ports/1/gids/0\t0000:0000:0000:0000:0000:0000:0000:0000",
    )
}

const SKIPPED: &str = "mlx5_0 port 1: skipped, not InfiniBand; mlx5_0 port 2: skipped, not active; \
                       mlx5_1 port 1: skipped, no GID; \
                       no RDMA device: there is no active InfiniBand port to ask the subnet administrator through";

#[test]
fn the_explanation_says_of_each_port_what_became_of_it() {
    let run = on(&ports(), &["storage", "--explain"]);
    assert_eq!(run.status, 1);
    let line = run.out.lines().find(|line| line.starts_with("step 1 ")).expect("a step");
    let (_, step) = line.split_once(" us   ").expect("a time");
    assert_eq!(step, format!("records of service 'storage': {SKIPPED}"));
    assert_eq!(
        run.err,
        "rdma-getaddrinfo: cannot resolve service 'storage': no RDMA device: there is no active InfiniBand port to ask \
         the subnet administrator through; see the ports with `rdma-getaddrinfo --devices`\n"
    );

    let run = on(&ports(), &["0x7", "--explain", "--json"]);
    let value = json(&run);
    let question = "records of service 0x0000000000000007";
    assert_eq!(value["steps"][0]["question"], question);
    assert_eq!(value["steps"][0]["answer"], SKIPPED);
    assert_eq!(value["error"]["kind"], json!("NoDevice"));
}

#[test]
fn the_policy_says_what_a_service_is_and_which_errno_c_sees() {
    let error = |arguments: &[&str]| {
        let value = json(&on(&ports(), arguments));
        let error = &value["error"];
        (error["kind"].clone(), error["code"].clone(), error["errno"].clone())
    };
    assert_eq!(error(&["storage", "--json"]), (json!("NoDevice"), json!(-1), json!(19)));
    assert_eq!(
        error(&["storage", "--json", "--policy", "librdmacm"]),
        (json!("NoDevice"), json!(-1), json!(2))
    );
    // What strtoull(3) would read as another number than it looks like.
    assert_eq!(error(&["010", "--json"]).0, json!("Service"));
    assert_eq!(error(&["010", "--json", "--policy", "librdmacm"]).0, json!("NoDevice"));
    let long = "n".repeat(64);
    assert_eq!(error(&[&long, "--json"]).0, json!("Service"));
}
