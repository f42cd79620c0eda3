//! A simulated RDMA device, and the daemons' sockets: what libibverbs and librdmacm look for.
//!
//! libibverbs lists devices from sysfs, whose root it takes from the environment, and only asks whether the
//! device file is there. The device is of Soft-RoCE by its name. There is no rdma_cm device, so that the library
//! takes the kernel for one that does not know AF_IB.

use std::fs;
use std::path::Path;

/// The variable that libibverbs takes the root of sysfs from, before its first look.
pub(crate) const SYSFS: &str = "SYSFS_PATH";

/// What a process needs of the machine's own devices.
pub(super) const DEVICES: [&str; 5] = ["null", "zero", "full", "random", "urandom"];

/// Puts the name of the device's driver into `etc`.
pub(super) fn name_driver(etc: &Path) {
    write(etc, "libibverbs.d/rxe.driver", "driver rxe\n");
}

/// Puts the device into `sys` and `dev`.
pub(super) fn furnish(dev: &Path, sys: &Path) {
    for (root, file, text) in [
        (sys, "class/infiniband_verbs/abi_version", "6\n"),
        (sys, "class/infiniband_verbs/uverbs0/ibdev", "rxe_sim0\n"),
        (sys, "class/infiniband_verbs/uverbs0/dev", "231:192\n"),
        (sys, "class/infiniband_verbs/uverbs0/abi_version", "2\n"),
        (sys, "class/infiniband/rxe_sim0/node_type", "1: CA\n"),
        (sys, "class/infiniband/rxe_sim0/node_guid", "0200:00ff:fe00:0001\n"),
        (dev, "infiniband/uverbs0", ""),
    ] {
        write(root, file, text);
    }
    for device in DEVICES {
        // The machine's own is mounted here.
        fs::write(dev.join(device), "").unwrap();
    }
}

fn write(root: &Path, file: &str, text: &str) {
    let path = root.join(file);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}
