//! Programs of rdma-core connect with the C interface by `LD_PRELOAD` as without, and call it.

use super::pair::{Ends, Pair, whole};
use super::programs::wait_until_listening;

const PAIR: Pair<'_> = Pair {
    server: &[],
    client: &[],
    preload: &[],
    ready: wait_until_listening,
    ends: Ends::Both,
    keep: whole,
    callers: [1, 1],
};

#[test]
fn rdma_server_and_rdma_client() {
    let told = Pair {
        server: &["rdma_server", "-p", "7471"],
        client: &["rdma_client", "-s", "192.0.2.2", "-p", "7471"],
        ..PAIR
    }
    .same_by_each();
    assert_eq!(told.client, ["rdma_client: start", "rdma_client: end 0"]);
}

/// By a reliable connection: Soft-RoCE has no XRC.
#[test]
fn rdma_xserver_and_rdma_xclient() {
    let told = Pair {
        server: &["rdma_xserver", "-p", "7471"],
        client: &["rdma_xclient", "-s", "192.0.2.2", "-p", "7471"],
        ..PAIR
    }
    .same_by_each();
    assert_eq!(told.client, ["rdma_xclient: start", "rdma_xclient: end 0"]);
}

#[test]
fn ucmatose() {
    for (server, client) in [
        (&["ucmatose"][..], &["ucmatose", "-s", "192.0.2.2", "-C", "3"][..]),
        (&["ucmatose", "-f", "name", "-b", "storage-7"], &["ucmatose", "-f", "name", "-s", "storage-7"]),
    ] {
        let told = Pair { server, client, ..PAIR }.same_by_each();
        assert_eq!(told.client.last().unwrap(), "return status 0");
        assert!(told.server.contains(&"data transfers complete".into()), "{told:#?}");
    }
}

#[test]
fn udaddy() {
    let told = Pair { server: &["udaddy"], client: &["udaddy", "-s", "192.0.2.2"], ..PAIR }.same_by_each();
    assert_eq!(told.client.last().unwrap(), "return status 0");
}

/// It calls rdma_getaddrinfo only inside librdmacm, and only in the client. How the programs end is a race.
#[test]
fn rping() {
    let pings = |line: &str| line.starts_with("ping data: ").then(|| line.to_owned());
    for address in ["192.0.2.2", "2001:db8::2"] {
        let told = Pair {
            server: &["rping", "-s", "-a", address, "-C", "3"],
            client: &["rping", "-c", "-a", address, "-C", "3", "-v"],
            ends: Ends::None,
            keep: pings,
            callers: [0, 1],
            ..PAIR
        }
        .same_by_each();
        assert_eq!(told.client.len(), 3, "{told:#?}");
    }
}

/// Of a line, what does not depend on the clock.
fn without_times(line: &str) -> Option<String> {
    let is_time = |word: &&str| !word.contains('.') && !word.contains("inf");
    let words: Vec<_> = line.split_whitespace().filter(is_time).collect();
    Some(words.join(" "))
}

/// rstream calls it itself where it is told to; inside librdmacm the client of both calls it in any case.
#[test]
fn rstream_and_riostream() {
    let options = ["-S", "1024", "-C", "10", "-I", "10"];
    for (program, callers) in
        [(&["rstream"][..], [0, 1]), (&["rstream", "-T", "r"], [1, 1]), (&["riostream"], [0, 1])]
    {
        let told = Pair {
            server: &[program, &options, &["-b", "192.0.2.2"]].concat(),
            client: &[program, &options, &["-s", "192.0.2.2"]].concat(),
            keep: without_times,
            callers,
            ..PAIR
        }
        .same_by_each();
        assert_eq!(told.client.last().unwrap(), "custom 1k 10 10 200k");
        assert_eq!(told.server, told.client);
    }
}

/// It calls it only inside librdmacm, in the client.
#[test]
fn rcopy() {
    let [from, to] = ["/tmp/rcopy-from", "/tmp/rcopy-to"];
    let bytes: Vec<u8> = (0..100_000_u32).map(|n| n.wrapping_mul(2_654_435_761).to_be_bytes()[0]).collect();
    std::fs::write(from, &bytes).unwrap();
    let _ = std::fs::remove_file(to);
    Pair {
        server: &["rcopy"],
        client: &["rcopy", from, &format!("192.0.2.2:{to}")],
        ends: Ends::Client,
        // Whether the server waits again when the client has ended, and it is ended too, is a race.
        keep: |line| without_times(line).filter(|line| line != "waiting for"),
        callers: [0, 1],
        ..PAIR
    }
    .same_by_each();
    assert!(std::fs::read(to).unwrap() == bytes, "not the same file");
}
