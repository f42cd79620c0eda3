//! RDMA devices out of trees of sysfs: what is read of them, and which GID is chosen.

#[path = "common/sysfs.rs"]
mod sysfs;

mod devices {
    mod check;
    mod choice;
    mod hostile;
    mod recorder;
    mod table;
}
