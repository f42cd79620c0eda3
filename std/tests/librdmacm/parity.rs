//! The same requests to the C library and to our own resolution by its rules: the answers are equal.
//!
//! A difference is told with the command that repeats it.

use super::generate;
use super::rows::{Row, answer, library};
use crate::common::{World, is_slow, note, say, seed};
use rdma_addrinfo::text::{self, Node};
use rdma_addrinfo::{Grammar, Library, Policy, Resolver};
use std::collections::BTreeMap;
use std::env;

const CASES: &str = include_str!("../../../core/tests/oracle/cases.tsv");

const WORLD: World<'_> = World {
    hosts: "\
127.0.0.1 localhost
::1 localhost
2001:db8::7 storage-7.example storage-7
2001:db8::8 storage-7.example storage-7
192.0.2.7 storage-7.example storage-7
192.0.2.8 storage-7.example storage-7
192.0.2.4 only-v4
192.0.2.5 only-v4
2001:db8::6 only-v6
127.0.0.9 here
::1 here
::ffff:192.0.2.4 mapped
fe80::7 link-local
",
    services: "\
tcp-only 7001/tcp
udp-only 7002/udp
both 7003/tcp both-alias
both 7004/udp both-alias
tftp 69/udp
http 80/tcp
",
    device: true,
    ..World::EMPTY
};

/// How many requests of each seed; fewer where a test runs under something slow.
fn generated_rows() -> u64 {
    if is_slow() { 1_000 } else { 10_000 }
}

/// May be set: the one generated request to compare, as `seed:index`.
const ONE: &str = "RDMA_ADDRINFO_TEST_ROW";

const NUMERIC_HOST: i32 = 2;
const FAMILY: i32 = 8;
const SA: i32 = 0x10;
const AF_IB: i32 = 27;

/// Why the C library is not asked for a request, so that only the refusal counts.
fn refused(row: &Row, has_sa: bool) -> Option<&'static str> {
    // Without hints it looks at the host's interfaces; those of a world leave nothing out.
    let [flags, family, ..] = row.hints?;
    if flags & SA != 0 {
        return (!has_sa).then_some("RAI_SA is not known to it");
    }
    let node = row.node.as_deref().filter(|node| *node != "*")?;
    let makes_gid = family == AF_IB && flags & (FAMILY | NUMERIC_HOST) == FAMILY | NUMERIC_HOST;
    let is_ipv6 = matches!(text::node(Grammar::Glibc, node.as_bytes()), Ok(Node::Ipv6 { .. }));
    (makes_gid && !is_ipv6).then_some("an address other than IPv6 read as a GID: stray heap bytes")
}

/// What came of a number of requests.
#[derive(Debug, Default)]
struct Tally {
    compared: usize,
    refused: BTreeMap<&'static str, usize>,
    /// How often each return value, and entries of each family.
    answers: BTreeMap<String, usize>,
}

/// Asks both. The difference, if there is one.
fn compare(library: &Library, row: &Row, tally: &mut Tally) -> Result<(), String> {
    let resolver = Resolver::new().policy(Policy::LIBRDMACM).no_deadline();
    let hints = row.hints();
    let found = resolver.resolve(row.node.as_deref(), row.service.as_deref(), hints.as_ref());
    let ours = answer(found.as_ref().map(|found| found.list()));
    let theirs = row.ask(library);
    if let Some(why) = refused(row, library.has_sa()) {
        *tally.refused.entry(why).or_default() += 1;
        // RAI_SA is refused by the binding alone where the rules answer as a library would that knows it.
        let refusals = [r#""ret":-2"#, r#""ret":-9"#, r#""ret":-1,"errno":95"#];
        let both = refusals.contains(&theirs.as_str()) && ours.starts_with(r#""ret":-"#);
        return if both { Ok(()) } else { Err(format!("{row}\n    ours {ours}\n  theirs {theirs}")) };
    }
    tally.compared += 1;
    let kind = match theirs.split_once(r#""family":"#) {
        None => theirs.clone(),
        Some((_, rest)) => format!("family {}", rest.split(',').next().unwrap()),
    };
    *tally.answers.entry(kind).or_default() += 1;
    if ours == theirs { Ok(()) } else { Err(format!("{row}\n    ours {ours}\n  theirs {theirs}")) }
}

/// Compares the generated requests of a seed, or the one that is asked for.
fn generated(library: &Library, test: &str, seed: u64) -> Tally {
    let mut tally = Tally::default();
    let one = env::var(ONE).ok().map(|one| {
        let (seed, index) = one.split_once(':').expect("seed:index");
        let seed = u64::from_str_radix(seed.trim_start_matches("0x"), 16).expect("a seed in hex");
        (seed, index.parse::<u64>().expect("an index"))
    });
    let (seed, rows) = one.map_or((seed, 0..generated_rows()), |(seed, index)| (seed, index..index + 1));
    let mut wrong = Vec::new();
    for index in rows {
        let row = generate::row(seed, index);
        let repeat = format!(
            "{ONE}={seed:#x}:{index} cargo test -p rdma-addrinfo --test librdmacm -- --exact librdmacm::parity::{test} --nocapture"
        );
        note(&format!("{row}\n{repeat}"));
        if let Err(difference) = compare(library, &row, &mut tally) {
            wrong.push(format!("{difference}\n  {repeat}"));
        }
    }
    let shown = wrong.iter().take(20).map(String::as_str).collect::<Vec<_>>().join("\n");
    assert!(wrong.is_empty(), "{} of {} differ:\n{shown}", wrong.len(), tally.compared);
    if one.is_none() && !is_slow() {
        assert_covers(&tally);
    }
    tally
}

/// What a seed gives is not all of one kind.
fn assert_covers(tally: &Tally) {
    assert!(tally.compared > 9000, "{tally:#?}");
    for kind in [
        "family 2",
        "family 10",
        "family 27",
        r#""ret":-2"#,
        r#""ret":-6"#,
        r#""ret":-7"#,
        r#""ret":-8"#,
        r#""ret":-9"#,
    ] {
        assert!(tally.answers.get(kind).is_some_and(|count| *count > 20), "{kind}: {tally:#?}");
    }
}

#[test]
fn generated_with_a_fixed_seed() {
    WORLD.run(|| {
        let Some(library) = library("generated_with_a_fixed_seed") else { return };
        generated(&library, "generated_with_a_fixed_seed", 0x7264_6d61_6169);
    });
}

#[test]
fn generated_with_a_fresh_seed() {
    say(&format!("the fresh seed is {:#x}", seed()));
    WORLD.run(|| {
        let Some(library) = library("generated_with_a_fresh_seed") else { return };
        generated(&library, "generated_with_a_fresh_seed", seed());
    });
}

/// Requests that were found to be answered otherwise once.
const FOUND: [[&str; 6]; 8] = [
    // Nothing is asked, whatever the hints are.
    ["NULL", "*", "0,10,9,2", "-", "-", "-"],
    ["NULL", "*", "7,-259,0,319", "-", "-", "-"],
    ["*", "NULL", "32,1,2,0", "-", "-", "-"],
    ["*", "*", "0,27,4,262", "-", "-", "-"],
    ["*", "NULL", "66,0,10,273", "-", "-", "-"],
    // Nor may a node be put in for what makes a GID.
    ["NULL", "*", "10,27,0,2", "-", "-", "-"],
    ["*", "*", "11,27,0,0", "-", "-", "-"],
    ["*", "NULL", "10,27,0,262", "-", "-", "-"],
];

#[test]
fn rows_that_were_found() {
    WORLD.run(|| {
        let Some(library) = library("rows_that_were_found") else { return };
        let mut tally = Tally::default();
        let wrong: Vec<_> =
            FOUND.iter().filter_map(|row| compare(&library, &Row::read(row), &mut tally).err()).collect();
        assert!(wrong.is_empty(), "{} differ:\n{}", wrong.len(), wrong.join("\n"));
        assert_eq!(
            (tally.compared, tally.answers),
            (FOUND.len(), [(r#""ret":-2"#.to_owned(), FOUND.len())].into())
        );
    });
}

#[test]
fn rows_that_were_recorded() {
    WORLD.run(|| {
        let Some(library) = library("rows_that_were_recorded") else { return };
        let mut tally = Tally::default();
        let rows = CASES.lines().filter(|line| !line.starts_with('#')).map(|line| line.split('\t').collect());
        let wrong: Vec<_> = rows
            .filter(|columns: &Vec<_>| columns[7] == "-")
            .filter_map(|columns| compare(&library, &Row::read(&columns[1..7]), &mut tally).err())
            .collect();
        assert!(wrong.is_empty(), "{} differ:\n{}", wrong.len(), wrong.join("\n"));
        assert!(tally.compared > 500, "{tally:#?}");
    });
}
