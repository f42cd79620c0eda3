//! The same requests to the C library and to our own resolution by its rules: the answers are equal.
//!
//! A difference is told with the command that repeats it.

use super::generate;
use super::peer::{Answers, WORLD};
use super::rows::{Row, library};
use crate::common::{is_slow, note, say, seed};
use rdma_addrinfo::Library;
use std::collections::BTreeMap;
use std::env;

const CASES: &str = include_str!("../../../core/tests/oracle/cases.tsv");

/// How many requests of each seed; fewer where a test runs under something slow.
fn generated_rows() -> u64 {
    if is_slow() { 1_000 } else { 10_000 }
}

/// May be set: the one generated request to compare, as `seed:index`.
const ONE: &str = "RDMA_ADDRINFO_TEST_ROW";

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
    let answers = Answers::of(library, row);
    match answers.refused {
        Some(why) => *tally.refused.entry(why).or_default() += 1,
        None => {
            tally.compared += 1;
            let kind = match answers.theirs.split_once(r#""family":"#) {
                None => answers.theirs.clone(),
                Some((_, rest)) => format!("family {}", rest.split(',').next().unwrap()),
            };
            *tally.answers.entry(kind).or_default() += 1;
        }
    }
    answers.agree().map_err(|difference| format!("{row}\n{difference}"))
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
