//! The console blocks of the README and of `cmd/` equal the output of the command. `TRYCMD=overwrite` updates them; times
//! must be `[..]`.

use crate::common::{in_namespaces, not_tested};
use crate::sysfs::Tree;
use std::env;
use trycmd::TestCases;

/// Set in the process that has the README's interface.
const CHILD: &str = "RDMA_GETADDRINFO_TEST_README";

/// The README's RDMA device, and its netdev.
const DEVICE: &str = include_str!("../../../tests/sysfs/constructed/roce.tree");
const NETDEV: &str = "ip link set lo up && ip link add ens1 type veth peer name peer && ip link set peer up && \
    ip link set ens1 up && ip address add 192.0.2.1/24 dev ens1 && ip address add 2001:db8::1/64 dev ens1 nodad && \
    ip address add fe80::ff:fe00:1/64 dev ens1 nodad && exec \"$@\"";

#[test]
fn the_command() {
    TestCases::new().case("tests/cmd/*.trycmd");
}

#[test]
fn the_readme() {
    if env::var_os(CHILD).is_some() {
        let tree = Tree::new(DEVICE);
        let cases = TestCases::new();
        cases
            .env("SYSFS_PATH", tree.root().to_str().expect("UTF-8"))
            .case("../../README.md")
            .case("README.md");
        // It runs here, while the tree exists.
        return drop(cases);
    }
    let Some(mut probe) = in_namespaces("-n", NETDEV) else { return };
    let probe = probe.args(["sh", "true"]).output().expect("it runs");
    if !probe.status.success() {
        return not_tested(&format!("no netdev: {}", String::from_utf8_lossy(&probe.stderr)));
    }
    let mut again = in_namespaces("-n", NETDEV).expect("it worked before");
    again.arg("sh").arg(env::current_exe().expect("a path"));
    again.args(["--exact", "console::the_readme", "--nocapture"]).env(CHILD, "1");
    let output = again.output().expect("it runs");
    let text = String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned();
    assert!(output.status.success() && text.contains("test result: ok. 1 passed"), "{text}");
    // The blocks are found.
    assert!(text.matches("README.md:").count() >= 7, "{text}");
}
