//! The loopback interface of a new network namespace, which is down.

use std::io;
use std::net::{Ipv4Addr, UdpSocket};
use std::os::fd::AsRawFd;

/// Brings `lo` up, with 127.0.0.1 and ::1.
pub(crate) fn raise_loopback() -> io::Result<()> {
    let up = i16::try_from(libc::IFF_UP | libc::IFF_RUNNING).expect("two low bits");
    set(libc::SIOCSIFFLAGS, "lo", libc::__c_anonymous_ifr_ifru { ifru_flags: up })
}

/// Takes `lo` down again.
pub(crate) fn lower_loopback() -> io::Result<()> {
    set(libc::SIOCSIFFLAGS, "lo", libc::__c_anonymous_ifr_ifru { ifru_flags: 0 })
}

/// Gives `lo` a further address, under a label such as `lo:1`, with the prefix of its class. Under that of an address there
/// is it takes its place; 0.0.0.0 leaves none.
pub(crate) fn add_address(label: &str, address: Ipv4Addr) -> io::Result<()> {
    let bytes = address.octets().map(|byte| libc::c_char::from_ne_bytes([byte]));
    let mut data = [0; 14];
    // A sockaddr_in: the port, then the address.
    data[2..6].copy_from_slice(&bytes);
    let address = libc::sockaddr { sa_family: 2, sa_data: data };
    set(libc::SIOCSIFADDR, label, libc::__c_anonymous_ifr_ifru { ifru_addr: address })
}

fn set(what: libc::Ioctl, name: &str, to: libc::__c_anonymous_ifr_ifru) -> io::Result<()> {
    let socket = UdpSocket::bind("0.0.0.0:0")?;
    let mut request = libc::ifreq { ifr_name: [0; libc::IFNAMSIZ], ifr_ifru: to };
    for (to, from) in request.ifr_name.iter_mut().zip(name.bytes()) {
        *to = libc::c_char::try_from(from).expect("ASCII");
    }
    // SAFETY: both requests of the callers read an ifreq, of which the name and the field that they look at are set; it
    // is a live local. The socket is open.
    let ret = unsafe { libc::ioctl(socket.as_raw_fd(), what, &raw const request) };
    if ret == 0 { Ok(()) } else { Err(io::Error::last_os_error()) }
}
