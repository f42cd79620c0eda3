//! The loopback interface of a new network namespace, which is down.

use std::io;
use std::net::UdpSocket;
use std::os::fd::AsRawFd;

/// Brings `lo` up, with 127.0.0.1 and ::1.
pub(crate) fn raise_loopback() -> io::Result<()> {
    let socket = UdpSocket::bind("0.0.0.0:0")?;
    let mut request = libc::ifreq {
        ifr_name: [0; libc::IFNAMSIZ],
        ifr_ifru: libc::__c_anonymous_ifr_ifru { ifru_flags: 0 },
    };
    for (to, from) in request.ifr_name.iter_mut().zip(*b"lo") {
        *to = libc::c_char::try_from(from).expect("ASCII");
    }
    let up = libc::IFF_UP | libc::IFF_RUNNING;
    request.ifr_ifru.ifru_flags = i16::try_from(up).expect("two low bits");
    // SAFETY: SIOCSIFFLAGS reads an ifreq, of which name and flags are set; it is a live local. The socket is open.
    let ret = unsafe { libc::ioctl(socket.as_raw_fd(), libc::SIOCSIFFLAGS, &raw const request) };
    if ret == 0 { Ok(()) } else { Err(io::Error::last_os_error()) }
}
