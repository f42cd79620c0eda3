//! Calls that are awaited, and many at once.

mod common;
#[path = "ibacm/daemon.rs"]
#[allow(dead_code)]
mod daemon;
#[path = "ibacm/hostile.rs"]
#[allow(dead_code)]
mod hostile;

mod awaiting {
    mod dropped;
    mod many;
    mod no_thread;
    mod queue;
    mod same;
}
