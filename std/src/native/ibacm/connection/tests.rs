//! How long the kernel is let wait for a reply.

use super::*;
use rustix::net::sockopt::socket_timeout;
use std::os::unix::net::UnixStream;

fn connection() -> (Connection, UnixStream) {
    let (ours, daemons) = UnixStream::pair().unwrap();
    (Connection::of(ours.into()), daemons)
}

fn seconds(seconds: f64) -> Instant {
    Instant::now() + Duration::from_secs_f64(seconds)
}

/// The timeout of the kernel, which is the one that is remembered: in seconds, rounded up to tens.
#[track_caller]
fn timeout(connection: &Connection) -> f64 {
    let told = socket_timeout(&connection.socket.fd, Timeout::Recv).unwrap().unwrap();
    // The kernel counts in ticks.
    assert!(told.abs_diff(connection.receive_timeout) <= Duration::from_millis(20), "{told:?}");
    (connection.receive_timeout.as_secs_f64() / 10.0).ceil() * 10.0
}

/// The kernel's own timeout may come an eighth late: it is at most two thirds of what is left.
#[test]
fn the_kernel_waits_for_part_of_what_is_left() {
    let (mut connection, _daemon) = connection();
    // Seconds left, and the timeout then.
    for (left, expected) in [(1000.0, 500.0), (800.0, 500.0), (700.0, 350.0), (9999.0, 350.0), (520.0, 260.0)]
    {
        assert!(connection.set_receive_timeout(seconds(left)));
        assert_eq!(timeout(&connection), expected, "{left} s left");
    }
}

#[test]
fn too_little_for_the_kernel_is_waited_for_by_poll() {
    let (mut connection, _daemon) = connection();
    assert!(!connection.set_receive_timeout(seconds(0.1)));
    assert_eq!(connection.receive_timeout, Duration::MAX);
    assert!(connection.set_receive_timeout(seconds(1000.0)));
    for left in [0.0, 0.05, 0.1] {
        assert!(!connection.set_receive_timeout(seconds(left)), "{left} s left");
    }
    assert_eq!(timeout(&connection), 500.0);
}
