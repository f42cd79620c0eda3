//! The examples connect with what was resolved, from one device to the other.

use super::programs::{Program, counter};
use std::time::Duration;

/// The emulated machine takes a few seconds for an exchange.
const LIMIT: Duration = Duration::from_secs(60);

/// What both examples have told, and what went over the cable.
#[derive(Debug)]
struct Told {
    client: Vec<String>,
    server: Vec<String>,
}

impl Told {
    /// The only line of a program's output that begins with this word, without the word.
    #[track_caller]
    fn only<'t>(lines: &'t [String], word: &str) -> &'t str {
        let mut found = lines.iter().filter_map(|line| line.strip_prefix(word)).map(str::trim_start);
        let only = found.next().unwrap_or_else(|| panic!("no line '{word}': {lines:#?}"));
        assert_eq!(found.next(), None, "{lines:#?}");
        only
    }

    #[track_caller]
    fn client(&self, word: &str) -> &str {
        Self::only(&self.client, word)
    }

    #[track_caller]
    fn server(&self, word: &str) -> &str {
        Self::only(&self.server, word)
    }
}

/// A server with these words and a client with those exchange their data.
#[track_caller]
fn exchange(server: &[&str], client: &[&str]) -> Told {
    let before = ["rxe0", "rxe1"].map(counter);
    let mut server = Program::start("server", &[&["--times", "1"], server].concat());
    server.wait_for("listening", LIMIT);
    let (status, client) = Program::start("client", client).finish(LIMIT);
    assert!(status.success(), "{status}: {client:#?}");
    let (status, server) = server.finish(LIMIT);
    let told = Told { client, server };
    assert!(status.success(), "{status}: {told:#?}");

    assert_eq!(told.server("asked"), "'client of rdma-addrinfo'");
    assert_eq!(told.client("answered"), "'server of rdma-addrinfo'");
    assert_eq!(told.client("sent"), told.server("received"));
    assert!(told.client("sent").starts_with("1048576 bytes, hash "));
    assert_eq!(told.client("confirmed"), "by the server");
    assert_eq!(told.server.last().unwrap(), "done");
    // Packets of at most 1024 bytes one way, and what confirms them the other way.
    let after = ["rxe0", "rxe1"].map(counter);
    let sent = [after[0] - before[0], after[1] - before[1]];
    assert!(sent[0] >= 1024 && sent[1] >= 1, "{sent:?}");
    told
}

/// As `exchange`, over a reliable connection, with an RDMA write.
#[track_caller]
fn exchange_reliably(server: &[&str], client: &[&str]) -> Told {
    let told = exchange(server, client);
    assert_eq!(told.client("written"), told.server("written"));
    assert_ne!(told.client("written"), told.client("sent"));
    told
}

/// Asserts that the connection manager has taken the device, and both addresses, that follow from what was resolved.
#[track_caller]
fn assert_between(told: &Told, [from, from_gid]: [&str; 2], [to, to_gid]: [&str; 2]) {
    let location = told.client("connected");
    let port = location.split_once(&format!("{from}:")).and_then(|(_, rest)| rest.split_once(' ')).unwrap().0;
    assert_ne!(port, "0");
    assert_eq!(location, format!("device rxe0 port 1 GID {from_gid}, {from}:{port} -> {to}:7471"));
    let other = format!("device rxe1 port 1 GID {to_gid}, {to}:7471 -> {from}:{port}");
    assert_eq!((told.server("request"), told.server("accepted")), (&*other, &*other));
    // The same as was told before there was a connection, if the resolution told an address.
    let told_before = told.client("from");
    let of_librdmacm = told_before == "any: no local address is known";
    let gid = told_before
        .strip_prefix("rxe0 port 1 gid ")
        .is_some_and(|rest| rest.contains(&format!(", {from_gid}, ")));
    assert!(of_librdmacm || gid, "{told_before}");
}

const V4: [[&str; 2]; 2] = [["192.0.2.1", "::ffff:192.0.2.1"], ["192.0.2.2", "::ffff:192.0.2.2"]];
const V6: [[&str; 2]; 2] = [["[2001:db8::1]", "2001:db8::1"], ["[2001:db8::2]", "2001:db8::2"]];

#[test]
fn ipv4() {
    let told = exchange_reliably(&["192.0.2.2", "7471"], &["192.0.2.2", "7471"]);
    assert_eq!(told.server("listening"), "inet rc/tcp 192.0.2.2:7471 -> * passive");
    assert_eq!(told.client("resolved"), "inet rc/tcp 192.0.2.1 -> 192.0.2.2:7471");
    assert_eq!(told.client("from"), "rxe0 port 1 gid 1 (roce-v2, ::ffff:192.0.2.1, netdev va)");
    assert_eq!(told.server("at"), "rxe1 port 1 gid 1 (roce-v2, ::ffff:192.0.2.2, netdev vb)");
    assert_between(&told, V4[0], V4[1]);
}

#[test]
fn ipv6() {
    let told = exchange_reliably(&["2001:db8::2", "storage"], &["2001:db8::2", "storage"]);
    assert_eq!(told.server("listening"), "inet6 rc/tcp [2001:db8::2]:7471 -> * passive");
    assert_eq!(told.client("resolved"), "inet6 rc/tcp 2001:db8::1 -> [2001:db8::2]:7471");
    assert_between(&told, V6[0], V6[1]);
}

#[test]
fn what_librdmacm_resolves() {
    let told =
        exchange_reliably(&["--librdmacm", "192.0.2.2", "7471"], &["--librdmacm", "192.0.2.2", "7471"]);
    assert_eq!(told.client("resolved"), "inet rc/tcp * -> 192.0.2.2:7471");
    assert_between(&told, V4[0], V4[1]);
    let told =
        exchange_reliably(&["--librdmacm", "7471"], &["--librdmacm", "192.0.2.2", "7471", "src=192.0.2.1"]);
    assert_eq!(told.server("listening"), "inet rc/tcp 0.0.0.0:7471 -> * passive");
    assert_between(&told, V4[0], V4[1]);
    let told = exchange_reliably(&["--librdmacm", "::", "7471"], &["--librdmacm", "2001:db8::2", "7471"]);
    assert_eq!(told.server("listening"), "inet6 rc/tcp [::]:7471 -> * passive");
    assert_between(&told, V6[0], V6[1]);
}

#[test]
fn a_wildcard_takes_both_families() {
    for (node, [from, to]) in [("192.0.2.2", V4), ("2001:db8::2", V6)] {
        let told = exchange_reliably(&["7471"], &[node, "7471"]);
        assert_eq!(told.server("listening"), "inet6 rc/tcp [::]:7471 -> * passive");
        assert_between(&told, from, to);
    }
}

#[test]
fn each_address_of_a_subnet() {
    let told = exchange_reliably(&["192.0.2.12", "7471"], &["192.0.2.12", "7471", "src=192.0.2.11"]);
    assert_eq!(told.client("resolved"), "inet rc/tcp 192.0.2.11 -> 192.0.2.12:7471");
    assert_between(&told, ["192.0.2.11", "::ffff:192.0.2.11"], ["192.0.2.12", "::ffff:192.0.2.12"]);
}

#[test]
fn a_vlan() {
    let told = exchange_reliably(&["198.51.100.2", "7471"], &["198.51.100.2", "7471"]);
    assert_eq!(told.client("resolved"), "inet rc/tcp 198.51.100.1 -> 198.51.100.2:7471");
    assert_between(&told, ["198.51.100.1", "::ffff:198.51.100.1"], ["198.51.100.2", "::ffff:198.51.100.2"]);
}

#[test]
fn link_local() {
    let told = exchange_reliably(&["fe80::ff:fe00:b%vb", "7471"], &["fe80::ff:fe00:b%va", "7471"]);
    let location = told.client("connected");
    assert!(location.starts_with("device rxe0 port 1 GID fe80::ff:fe00:a, [fe80::ff:fe00:a%"), "{location}");
    // The kernel tells no zone to the side that is asked.
    let location = told.server("accepted");
    assert!(
        location.starts_with("device rxe1 port 1 GID fe80::ff:fe00:b, [fe80::ff:fe00:b]:7471 -> "),
        "{location}"
    );
}

/// The server listens on the second address of the name only.
#[test]
fn the_next_address_when_the_first_refuses() {
    let told = exchange_reliably(&["192.0.2.2", "7471"], &["storage-7", "7471"]);
    assert_eq!(told.client[0], "resolved   inet6 rc/tcp 2001:db8::1 -> [2001:db8::2]:7471");
    assert!(told.client[2].starts_with("failed     RDMA_CM_EVENT_REJECTED, "), "{told:#?}");
    assert_eq!(told.client[3], "resolved   inet rc/tcp 192.0.2.1 -> 192.0.2.2:7471");
}

/// Nobody has the first address of the name.
#[test]
fn the_next_address_when_the_first_is_not_there() {
    let told = exchange_reliably(&["7471"], &["half-there", "7471"]);
    assert_eq!(told.client[0], "resolved   inet6 rc/tcp 2001:db8::1 -> [2001:db8::9]:7471");
    assert!(told.client[2].starts_with("failed     "), "{told:#?}");
    assert_eq!(told.client[3], "resolved   inet rc/tcp 192.0.2.1 -> 192.0.2.2:7471");
}

#[test]
fn datagrams() {
    for (node, [from, to]) in [("192.0.2.2", V4), ("2001:db8::2", V6)] {
        for at in ["*", node] {
            let told = exchange(&[at, "7471", "qp=ud"], &[node, "7471", "qp=ud"]);
            assert_between(&told, from, to);
        }
    }
    let told = exchange(
        &["--librdmacm", "192.0.2.2", "7471", "qp=ud"],
        &["--librdmacm", "192.0.2.2", "7471", "qp=ud"],
    );
    assert_between(&told, V4[0], V4[1]);
}
