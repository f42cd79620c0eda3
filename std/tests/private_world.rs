//! The resolver with names, services and name servers of the test's own, each test in namespaces of its own.

mod common;
#[path = "common/sysfs.rs"]
mod sysfs;

mod private_world {
    mod check;
    mod deadline;
    mod devices;
    mod interface;
    mod names;
    mod rights;
    mod routes;
    mod service_records;
    mod services;
    #[allow(unsafe_code)]
    mod signals;
    mod time_outs;
}
