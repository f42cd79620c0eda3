//! Many threads, small stacks, children.

use super::build::{With, is_slow, program};
use super::rows::{Row, cases, feed, text};
use crate::common::World;

fn static_rows() -> String {
    let rows = cases();
    let rows: Vec<&Row> = rows.iter().filter(|row| row.reply == "-").collect();
    assert_eq!(rows.len(), 632);
    text(rows)
}

/// What is recorded of them, and the last line.
fn assert_answers(told: &str, last: &str) {
    let rows = cases();
    let recorded = rows.iter().filter(|row| row.reply == "-").map(|row| row.recorded);
    let lines: Vec<&str> = told.lines().collect();
    let (end, answers) = lines.split_last().unwrap();
    assert!(recorded.eq(answers.iter().copied()));
    assert_eq!(*end, last);
}

#[test]
fn sixty_four_threads_get_the_same_answers() {
    let Some(program) = program("sixty_four_threads", "answers", With::Ours) else { return };
    World::EMPTY.run(|| {
        let rounds = if is_slow() { "1" } else { "20" };
        let told = feed(&program, &["threads", "64", rounds], &static_rows(), &[]);
        assert_answers(&told, &format!("632 rows, 64 threads, {rounds} rounds, 0 wrong"));
    });
}

#[test]
fn children_get_the_same_answers() {
    let Some(program) = program("children_get_the_same_answers", "answers", With::Ours) else { return };
    World::EMPTY.run(|| {
        let many = if is_slow() { "4" } else { "100" };
        let told = feed(&program, &["fork", many], &static_rows(), &[]);
        assert_answers(&told, &format!("632 rows, {many} children, 0 failed, 0 wrong"));
    });
}

#[test]
fn a_stack_of_64_kib_is_enough() {
    let Some(program) = program("a_stack_of_64_kib_is_enough", "answers", With::Ours) else { return };
    // The frames of an unoptimized library are three times as large: 67 of 20 KiB.
    let stack = if cfg!(debug_assertions) { "98304" } else { "65536" };
    World::EMPTY.run(|| {
        for policy in ["librdmacm", "man-page"] {
            let told = feed(&program, &["stack", stack], &static_rows(), &[("RDMA_ADDRINFO_POLICY", policy)]);
            if policy == "librdmacm" {
                let told = format!("{told}end");
                assert_answers(&told, "end");
            }
            assert_eq!(told.lines().count(), 632);
        }
    });
}
