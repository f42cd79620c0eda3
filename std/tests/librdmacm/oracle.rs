//! The recorded answers of the C library, through the binding, and those with ibacm by our own rules too.
//!
//! They were recorded where the kernel knows AF_IB. With the simulated device it does not, and the AF_IB entry, which
//! comes first, is missing; with a real one the answers are whole. Releases differ only where RAI_SA is set: before 60 the library would ignore it, and the
//! binding refuses it.

use super::ibacm::Ibacm;
use super::rows::{Row, answer, hex, library, unhex};
use crate::common::{World, has_real_device, note};
use futures::executor::block_on;
use rdma_addrinfo::{Policy, Resolver};

const CASES: &str = include_str!("../../../core/tests/oracle/cases.tsv");
const ANSWERS: &str = include_str!("../../../core/tests/oracle/librdmacm-65.jsonl");
const UNSAFE: &str = include_str!("../../../core/tests/oracle/unsafe.tsv");

const SA: i32 = 0x10;

const WORLD: World<'_> = World { device: true, ..World::EMPTY };

/// A recorded answer.
#[derive(PartialEq, Eq, Debug)]
struct Recorded {
    /// What ibacm was asked, in hex.
    request: Option<String>,
    /// From `"ret"` to the end, without the request.
    answer: String,
}

impl Recorded {
    fn read(line: &str, id: &str) -> Self {
        let start = format!(r#"{{"id":"{id}","#);
        let line = line.strip_prefix(&start).and_then(|line| line.strip_suffix('}'));
        let line = line.unwrap_or_else(|| panic!("the answer to {id}"));
        let (request, answer) = match line.split_once(r#""acm_request":""#) {
            None => (None, line.to_owned()),
            Some((before, rest)) => {
                let (request, rest) = rest.split_once(r#"","#).unwrap();
                (Some(request.to_owned()), format!("{before}{rest}"))
            }
        };
        Self { request, answer: if has_real_device() { answer } else { without_ib_entry(&answer) } }
    }
}

/// An answer without the first of two entries.
fn without_ib_entry(answer: &str) -> String {
    match answer.split_once("[{").and_then(|(start, entries)| Some((start, entries.split_once("},{")?))) {
        None => answer.to_owned(),
        Some((start, (ib_entry, entry))) => {
            assert!(ib_entry.contains(r#""family":27,"#) && !entry.contains("},{"), "{answer}");
            format!("{start}[{{{entry}")
        }
    }
}

/// Asks all rows with a reply of ibacm, or all without one. How many there were, and in how many an AF_IB entry is missing.
fn compare(
    ask: &dyn Fn(&Row) -> String,
    has_sa: bool,
    with_reply: bool,
    daemon: Option<&Ibacm>,
) -> (usize, usize) {
    let cases: Vec<_> = CASES.lines().filter(|line| !line.starts_with('#')).collect();
    assert_eq!((cases.len(), ANSWERS.lines().count()), (751, 751));
    let (mut wrong, mut compared, mut ib_entries) = (Vec::new(), 0, 0);
    for (case, recorded_line) in cases.iter().zip(ANSWERS.lines()) {
        let columns: Vec<_> = case.split('\t').collect();
        let [id, request @ .., reply] = &columns[..] else { panic!("columns of {case}") };
        let row = Row::read(request);
        let mut recorded = Recorded::read(recorded_line, id);
        if !has_sa && row.hints.is_some_and(|[flags, ..]| flags & SA != 0) {
            recorded.answer = r#""ret":-1,"errno":95"#.into();
        }
        if (*reply != "-") != with_reply {
            continue;
        }
        note(case);
        if let Some(daemon) = daemon {
            daemon.reply(unhex(reply));
        }
        let answer = ask(&row);
        let request = daemon.and_then(Ibacm::take_request).as_deref().map(hex);
        let answered = Recorded { request, answer };
        if answered != recorded {
            wrong.push(format!("{case}\n  answered {answered:?}\n  recorded {recorded:?}"));
        }
        compared += 1;
        ib_entries += usize::from(recorded_line.contains("},{"));
    }
    assert!(wrong.is_empty(), "{} of {compared} rows are wrong:\n{}", wrong.len(), wrong.join("\n"));
    (compared, ib_entries)
}

#[test]
fn rows_without_ibacm() {
    WORLD.run(|| {
        let Some(library) = library("rows_without_ibacm") else { return };
        assert_eq!(compare(&|row| row.ask(&library), library.has_sa(), false, None), (632, 0));
    });
}

#[test]
fn rows_with_ibacm() {
    WORLD.run(|| {
        let Some(library) = library("rows_with_ibacm") else { return };
        let daemon = Ibacm::start();
        assert_eq!(compare(&|row| row.ask(&library), library.has_sa(), true, Some(&daemon)), (119, 66));
    });
}

#[test]
fn rows_with_ibacm_by_our_own_rules() {
    WORLD.run(|| {
        let daemon = Ibacm::start();
        let resolver = Resolver::new().with_policy(Policy::LIBRDMACM).without_deadline();
        let ask = |row: &Row| {
            let hints = row.hints();
            let found = resolver.resolve(row.node.as_deref(), row.service.as_deref(), hints.as_ref());
            answer(found.as_ref().map(|found| found.list()))
        };
        assert_eq!(compare(&ask, true, true, Some(&daemon)), (119, 66));
        let resolver = resolver.awaiting();
        let ask = |row: &Row| {
            let hints = row.hints();
            let found = resolver.resolve(row.node.as_deref(), row.service.as_deref(), hints.as_ref());
            answer(block_on(found).as_ref().map(|found| found.list()))
        };
        assert_eq!(compare(&ask, true, true, Some(&daemon)), (119, 66));
    });
}

#[test]
fn what_would_read_stray_memory_is_not_asked() {
    WORLD.run(|| {
        let Some(library) = library("what_would_read_stray_memory_is_not_asked") else { return };
        let rows = UNSAFE.lines().filter(|line| !line.starts_with('#'));
        // Of the others, a reply of ibacm is to blame.
        let rows: Vec<Vec<_>> =
            rows.map(|row| row.split('\t').collect()).filter(|row: &Vec<_>| row[8] == "-").collect();
        assert_eq!(rows.len(), 17);
        for row in rows {
            note(row[0]);
            assert_eq!(Row::read(&row[2..8]).ask(&library), r#""ret":-9"#, "{row:?}");
        }
    });
}

#[test]
fn without_a_device_the_library_refuses_all_but_nothing() {
    World::EMPTY.run(|| {
        let Some(library) = library("without_a_device") else { return };
        for row in [
            ["192.0.2.1", "7471", "2,0,2,262", "-", "-", "-"],
            ["::1", "7471", "10,27,2,262", "-", "-", "-"],
            ["no-such-host.invalid", "7471", "none", "-", "-", "-"],
            ["NULL", "NULL", "0,0,0,0", "-", "-", "-"],
            ["NULL", "nosuchservice", "1,99,0,0", "-", "-", "-"],
        ] {
            assert_eq!(Row::read(&row).ask(&library), r#""ret":-1,"errno":19"#, "{row:?}");
        }
        // It looks at this before it looks for devices.
        let nothing = ["NULL", "NULL", "none", "-", "-", "-"];
        assert_eq!(Row::read(&nothing).ask(&library), r#""ret":-1,"errno":22"#);
    });
}
