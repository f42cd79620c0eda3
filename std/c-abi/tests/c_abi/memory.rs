//! Allocations of calls: no more than the C library makes, and each may fail.

use super::build::{With, command, is_slow, program};
use super::rows::{Row, Talk, cases, feed, real_has_sa, text, unhex};
use crate::common::World;
use crate::ibacm::Ibacm;
use std::path::Path;

/// Runs the body of a test where there are names and services, and a simulated device.
fn run<F: FnOnce()>(body: F) {
    let hosts = format!(
        "127.0.0.1 localhost\n::1 localhost\n192.0.2.7 storage-7\n192.0.2.8 storage-7\n2001:db8::7 storage-7\n\
        192.0.2.9 {}\n",
        long_name()
    );
    let services = "both 7003/tcp\nboth 7003/udp\ntftp 69/udp\n";
    World { hosts: &hosts, services, device: true, ..World::EMPTY }.run(body);
}

/// A name that is there, and longer than any of DNS.
fn long_name() -> String {
    "long.".repeat(80) + "name"
}

/// Rows with names, which are there, and with text that is longer than any buffer.
fn names() -> String {
    let (long, known) = ("x".repeat(3000), long_name());
    [
        ("names", "storage-7", "7471", "0,0,2,262"),
        ("names-v4", "storage-7", "7471", "0,2,2,262"),
        ("names-v6", "storage-7", "80", "0,10,0,0"),
        ("names-passive", "storage-7", "7471", "1,0,0,0"),
        ("services-node", "storage-7", "both", "0,10,0,0"),
        ("services-passive", "storage-7", "tftp", "1,0,0,0"),
        ("localhost", "localhost", "NULL", "0,0,0,0"),
        ("services-literal", "192.0.2.7", "tftp", "0,0,0,0"),
        ("services-alone", "NULL", "both", "0,0,2,262"),
        ("zone", "fe80::1%lo", "7471", "0,0,2,262"),
        ("long-known", &known, "7471", "0,0,2,262"),
        ("long-node", &long, "7471", "0,0,2,262"),
        ("services-long", "192.0.2.7", &long, "0,0,2,262"),
    ]
    .map(|(id, node, service, hints)| format!("{id}\t{node}\t{service}\t{hints}\t-\t-\t-\n"))
    .concat()
}

/// Allocations by row.
fn count(program: &Path, rows: &str) -> Vec<(String, u64)> {
    feed(program, &["count"], rows, &[])
        .lines()
        .map(|line| line.split_once('\t').unwrap())
        .map(|(id, count)| (id.to_owned(), count.parse().unwrap()))
        .collect()
}

#[test]
fn not_one_allocation_more_than_the_c_library_makes() {
    let test = "not_one_allocation_more_than_the_c_library_makes";
    let Some(ours) = program(test, "memory", With::Ours) else { return };
    let Some(real) = program(test, "memory", With::Real) else { return };
    if is_slow() {
        return;
    }
    run(|| {
        let has_sa = real_has_sa().unwrap();
        let rows = cases();
        let known = |row: &&Row| has_sa || !row.asks_sa();
        let static_rows = rows.iter().filter(|row| row.reply == "-").filter(known);
        let static_rows = text(static_rows) + &names();
        let (our_counts, real_counts) = (count(&ours, &static_rows), count(&real, &static_rows));
        assert!(our_counts.len() > 600);
        let more: Vec<_> =
            our_counts.iter().zip(&real_counts).filter(|(ours, real)| ours.1 > real.1).collect();
        assert!(more.is_empty(), "ours, and the C library's: {more:?}");
        // A literal is its structure and its address.
        assert!(our_counts.contains(&("node-02-num".into(), 2)));
        assert!(real_counts.contains(&("node-02-num".into(), 3)));
        // A name takes no more than getaddrinfo(3) does; one of the index takes less.
        let added: Vec<_> =
            our_counts.iter().zip(&real_counts).filter(|(ours, _)| ours.0 == "long-known").collect();
        assert!(matches!(added[..], [((_, ours), (_, real))] if ours <= real), "{added:?}");

        // With a route, too; where the reply is good.
        let daemon = Ibacm::start();
        let routes = rows.iter().filter(|row| row.expected_without_ib_entry().0.contains(r#""route":"0"#));
        let routes: Vec<&Row> = routes
            .chain(rows.iter().filter(|row| row.expected_without_ib_entry().0.contains(r#""route":"2"#)))
            .collect();
        assert!(routes.len() > 50, "{}", routes.len());
        let counts = [&ours, &real].map(|program| {
            let mut command = command(program);
            command.arg("count");
            let mut talk = Talk::start(command);
            let count = |row: &&Row| {
                daemon.reply_to_all(unhex(row.reply));
                let line = talk.ask(row.text);
                line.split_once('\t').unwrap().1.parse::<u64>().unwrap()
            };
            let counts: Vec<u64> = routes.iter().map(count).collect();
            talk.end();
            counts
        });
        let [our_counts, real_counts] = counts;
        for ((row, ours), real) in routes.iter().zip(our_counts).zip(real_counts) {
            assert!(ours <= real, "{}: {ours} and {real}", row.text);
        }
    });
}

#[test]
fn every_allocation_may_fail() {
    let Some(program) = program("every_allocation_may_fail", "memory", With::Ours) else { return };
    if is_slow() {
        return;
    }
    run(|| {
        let rows = cases();
        let static_rows = text(rows.iter().filter(|row| row.reply == "-")) + &names();
        for policy in ["librdmacm", "man-page"] {
            let told = feed(&program, &["fail"], &static_rows, &[("RDMA_ADDRINFO_POLICY", policy)]);
            let (mut failed, mut told_so) = (0, 0);
            for line in told.lines() {
                let columns: Vec<&str> = line.split('\t').collect();
                let [id, all, memory, outcome] = &columns[..] else { panic!("{line}") };
                let (all, memory) = (all.parse::<u64>().unwrap(), memory.parse::<u64>().unwrap());
                assert_eq!(*outcome, "right", "{id}");
                failed += all;
                told_so += memory;
                // All but what the C library can do without.
                if id.ends_with("-num") {
                    assert_eq!(all, memory, "{id}");
                }
            }
            assert_eq!(told.lines().count(), 632 + 13);
            assert!(failed > 900 && told_so > failed * 4 / 5, "{policy}: {told_so} of {failed}");
        }

        let daemon = Ibacm::start();
        for (policy, expected) in [("librdmacm", 9), ("man-page", 12)] {
            let mut command = command(&program);
            command.arg("fail").env("RDMA_ADDRINFO_IB", "always").env("RDMA_ADDRINFO_POLICY", policy);
            let mut talk = Talk::start(command);
            let mut most = 0;
            for row in rows.iter().filter(|row| row.reply != "-") {
                daemon.reply_to_all(unhex(row.reply));
                let line = talk.ask(row.text);
                let columns: Vec<&str> = line.split('\t').collect();
                let [id, all, memory, "right"] = &columns[..] else { panic!("{line}") };
                assert_eq!(all, memory, "{id}");
                most = most.max(all.parse::<u64>().unwrap());
            }
            talk.end();
            // Two entries: structure, both addresses, route; connect data in one. Room for both, and for their paths.
            assert_eq!(most, expected, "{policy}");
        }
    });
}

/// Nor does what a process does once need memory that cannot fail.
#[test]
fn the_first_call_of_a_process_may_fail() {
    let Some(program) = program("the_first_call_of_a_process_may_fail", "memory", With::Ours) else { return };
    if is_slow() {
        return;
    }
    run(|| {
        let _daemon = Ibacm::start();
        for row in ["literal\t192.0.2.7\t7471\t0,0,0,0\t-\t-\t-", "zone\tfe80::1%lo\t0\t1,0,0,0\t-\t-\t-"] {
            for ibacm in ["off", "/run/nobody.sock", "/run/nowhere/", "1"] {
                for policy in ["librdmacm", "man-page"] {
                    // Structure and address; and room for entries, which may be many.
                    let needs = if policy == "man-page" { 3 } else { 2 };
                    let variables = [
                        ("RDMA_ADDRINFO_POLICY", policy),
                        ("RDMA_ADDRINFO_IBACM", ibacm),
                        ("RDMA_ADDRINFO_IB", "auto"),
                        ("RDMA_ADDRINFO_TIMEOUT_MS", "100"),
                    ];
                    let whole = feed(&program, &["first", "0"], row, &variables);
                    let (made, answer) = whole.trim_end().split_once('\t').unwrap();
                    assert!(answer.contains(r#""ret":0"#), "{answer}");
                    assert_eq!(made.parse::<u64>().unwrap(), needs, "{row} {policy} {ibacm}");
                    for at in 1..=needs {
                        let told = feed(&program, &["first", &at.to_string()], row, &variables);
                        assert!(told.contains(r#""ret":-10}"#), "{row} {policy} {ibacm} {at}: {told}");
                    }
                }
            }
        }
    });
}
