//! Programs of others do with the C interface what they do without, and call it: by librspreload, which makes
//! connections over RDMA of sockets, by libfabric, and by perftest.

use super::pair::{Ends, LIMIT, Pair, Whose, take_complaints, whole};
use super::programs::{Program, wait_until_listening};
use crate::common::wait_until;
use std::fs;

const RSPRELOAD: &str = "/usr/lib/x86_64-linux-gnu/rsocket/librspreload.so";

/// Both programs of a pair with librspreload call the C interface inside librdmacm, the server does not.
const SOCKETS: Pair<'_> = Pair {
    server: &[],
    client: &[],
    preload: &[RSPRELOAD],
    ready: wait_until_listening,
    ends: Ends::Both,
    keep: whole,
    callers: [0, 1],
};

/// Waits until the server of fi_pingpong listens on its TCP port.
fn wait_for_pingpong(_: &mut Program) {
    let listens = |table: &str| {
        let table = fs::read_to_string(table).unwrap();
        table.lines().any(|line| {
            let words: Vec<&str> = line.split_whitespace().take(4).collect();
            words.len() == 4 && words[1].ends_with(":B9E8") && words[3] == "0A"
        })
    };
    wait_until(|| listens("/proc/net/tcp") || listens("/proc/net/tcp6"));
}

/// Older ones do not take a socket with flags, which Python's have: those stay TCP's.
fn takes_sockets_with_flags() -> bool {
    fs::read(RSPRELOAD).unwrap().windows(9).any(|bytes| bytes == b"\0accept4\0")
}

#[test]
fn rspreload_with_python() {
    let server = "import socket\n\
        server = socket.socket()\n\
        server.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)\n\
        server.bind(('192.0.2.2', 7471))\n\
        server.listen(1)\n\
        print('listening', flush=True)\n\
        client, where = server.accept()\n\
        print(where[0], client.recv(100))\n\
        client.sendall(b'answer')\n\
        client.close()";
    let client = "import socket\n\
        server = socket.socket()\n\
        server.connect(('192.0.2.2', 7471))\n\
        server.sendall(b'question')\n\
        print(server.recv(100))";
    let is_rdma = takes_sockets_with_flags();
    let (told, sent) = Pair {
        server: &["python3", "-IS", "-c", server],
        client: &["python3", "-IS", "-c", client],
        ready: |server| server.wait_for("listening", LIMIT),
        callers: [0, is_rdma.into()],
        ..SOCKETS
    }
    .told_by_each();
    assert_eq!(sent.map(|sent| sent > 0), [is_rdma; 3]);
    assert_eq!(told.server, ["listening", "192.0.2.1 b'question'"]);
    assert_eq!(told.client, ["b'answer'"]);
}

#[test]
fn rspreload_with_nc() {
    let told = Pair {
        server: &["nc.traditional", "-l", "-p", "7471", "-q", "1"],
        client: &["sh", "-c", "echo question | exec nc.traditional -q 1 192.0.2.2 7471"],
        ..SOCKETS
    }
    .same_by_each();
    assert_eq!(told.server, ["question"]);
}

#[test]
fn fi_pingpong() {
    let told = Pair {
        server: &["fi_pingpong", "-p", "verbs", "-e", "msg", "-I", "10", "-S", "64"],
        client: &["fi_pingpong", "-p", "verbs", "-e", "msg", "-I", "10", "-S", "64", "192.0.2.2"],
        preload: &[],
        ready: wait_for_pingpong,
        // Bytes, sent, acknowledged; times are behind them.
        keep: |line| Some(line.split_whitespace().take(3).collect::<Vec<_>>().join(" ")),
        callers: [1, 1],
        ..SOCKETS
    }
    .same_by_each();
    assert_eq!(told.client, ["bytes #sent #ack", "64 10 =10"]);
    assert_eq!(told.server, told.client);
}

#[test]
fn fi_info() {
    let run = |whose: Whose| {
        let (status, mut told) =
            whose.start(&["fi_info", "-p", "verbs", "-s", "192.0.2.2"], &[]).finish(LIMIT);
        assert!(status.success(), "{whose:?}: {status}: {told:#?}");
        (take_complaints(&mut told), told)
    };
    let (complaints, without) = run(Whose::Librdmacm);
    assert_eq!(complaints, 0);
    assert!(without.iter().any(|line| line.trim() == "domain: rxe1"), "{without:#?}");
    for whose in Whose::OURS {
        assert_eq!(run(whose), (1, without.clone()), "{whose:?}");
    }
}

/// Clients come later: see `later.c`. What was measured is left out.
#[test]
fn perftest() {
    for (program, size, row) in [("ib_write_bw", "1024", "1024 5"), ("ib_send_lat", "64", "64 5")] {
        let start = [program, "-R", "-n", "5", "-s", size];
        let told = Pair {
            server: &start,
            client: &[&start[..], &["192.0.2.2"]].concat(),
            preload: &["later.so"],
            keep: |line| {
                let words: Vec<_> = line.split_whitespace().take(2).collect();
                words
                    .iter()
                    .all(|word| word.bytes().all(|byte| byte.is_ascii_digit()))
                    .then(|| words.join(" "))
            },
            callers: [1, 1],
            ..SOCKETS
        }
        .same_by_each();
        assert_eq!((told.server.last().unwrap(), told.client.last().unwrap()), (&row.into(), &row.into()));
    }
}
