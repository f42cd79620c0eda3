//! Sources against those of std, which connects a socket of its own each time.

use super::*;
use std::net::{IpAddr, Ipv6Addr, SocketAddrV6, UdpSocket};
use std::thread;

/// What a socket that is used once says.
fn once(dst: SocketAddr) -> Option<SocketAddr> {
    let connected = || -> std::io::Result<SocketAddr> {
        let any: SocketAddr = if dst.is_ipv4() { ([0; 4], 0).into() } else { ([0; 16], 0).into() };
        let socket = UdpSocket::bind(any)?;
        socket.connect(dst)?;
        socket.local_addr()
    };
    let mut source = connected().ok()?;
    source.set_port(0);
    Some(source)
}

fn source(dst: SocketAddr) -> Option<SocketAddr> {
    source_for(dst).unwrap()
}

/// Destinations near and far, of which a host may reach some.
fn destinations() -> Vec<SocketAddr> {
    let ips: [&str; 13] = [
        "127.0.0.1",
        "127.9.8.7",
        "192.0.2.7",
        "198.51.100.1",
        "203.0.113.255",
        "255.255.255.255",
        "224.0.0.1",
        "0.0.0.0",
        "::1",
        "2001:db8::7",
        "fd00::7",
        "::ffff:127.0.0.1",
        "fe80::7",
    ];
    let mut all: Vec<SocketAddr> = ips.map(|ip| (ip.parse::<IpAddr>().unwrap(), 7471).into()).into();
    // Link-local destinations through the first interfaces, whatever they are, and through one that is not there.
    for scope_id in [1, 2, 3, 4, 0x7fff_ffff] {
        let ip = Ipv6Addr::new(0xfe80, 0, 0, 0, 0, 0, 0, 7);
        all.push(SocketAddrV6::new(ip, 7471, 0, scope_id).into());
    }
    all
}

#[test]
fn loopback_is_its_own_source() {
    assert_eq!(source(([127, 0, 0, 1], 7471).into()), Some(([127, 0, 0, 1], 0).into()));
}

#[test]
fn the_source_is_that_of_a_new_socket() {
    for dst in destinations() {
        assert_eq!(source(dst), once(dst), "{dst}");
    }
}

#[test]
fn no_destination_colours_the_next() {
    let expected: Vec<_> = destinations().into_iter().map(|dst| (dst, once(dst))).collect();
    for (before, _) in &expected {
        for (dst, expected) in &expected {
            let _ = source(*before);
            assert_eq!(source(*dst), *expected, "{dst} after {before}");
        }
    }
}

#[test]
fn the_port_does_not_matter() {
    for dst in destinations() {
        let expected = once(dst);
        for port in [0, 1, 9, 65535] {
            assert_eq!(
                source(SocketAddr::new(dst.ip(), port)),
                once(SocketAddr::new(dst.ip(), 7471)),
                "{dst}"
            );
            let mut peer = dst;
            peer.set_port(port);
            assert_eq!(source(peer), expected, "{peer}");
        }
    }
}

#[test]
fn a_link_local_source_keeps_its_scope() {
    for dst in destinations() {
        let (SocketAddr::V6(dst), Some(SocketAddr::V6(source))) = (dst, source(dst)) else { continue };
        let link_local = source.ip().is_unicast_link_local();
        assert_eq!(source.scope_id(), if link_local { dst.scope_id() } else { 0 }, "{dst}");
    }
}

#[test]
fn threads_do_not_mix_their_answers() {
    let expected: Vec<_> = destinations().into_iter().map(|dst| (dst, once(dst))).collect();
    thread::scope(|scope| {
        for start in 0..4 {
            let expected = &expected;
            scope.spawn(move || {
                for (dst, expected) in expected.iter().cycle().skip(start).take(200) {
                    assert_eq!(source(*dst), *expected, "{dst}");
                }
            });
        }
    });
}

#[test]
fn none_is_an_answer_and_running_out_is_not() {
    for answer in [Errno::NETUNREACH, Errno::HOSTUNREACH, Errno::ACCESS, Errno::INVAL, Errno::ADDRNOTAVAIL] {
        assert!(says_none(answer), "{answer:?}");
    }
    for failure in
        [Errno::MFILE, Errno::NFILE, Errno::NOMEM, Errno::NOBUFS, Errno::AGAIN, Errno::INTR, Errno::NOSYS]
    {
        assert!(!says_none(failure), "{failure:?}");
    }
}
