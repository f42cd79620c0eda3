//! RAI_SA goes on to the next library in link order, and nothing else does.

use super::build::{With, command, library, object, program};
use super::rows::{Row, Talk, cases, feed, text};
use crate::common::World;
use std::fs;
use std::path::{Path, PathBuf};

/// A library behind ours, which answers whatever it is asked.
fn next(test: &str) -> PathBuf {
    object(test, "next")
}

fn preload(program: &Path, libraries: &[&Path]) -> Talk {
    let mut command = command(program);
    let libraries: Vec<&str> = libraries.iter().map(|path| path.to_str().unwrap()).collect();
    command.env("LD_PRELOAD", libraries.join(":"));
    Talk::start(command)
}

const SA: &str = "sa\tNULL\t42\t16,0,0,0\t-\t-\t-";

#[test]
fn it_is_asked_for_what_only_it_can_do() {
    let Some(program) = program("it_is_asked_for_what_only_it_can_do", "answers", With::Ours) else { return };
    let next = next("asked");
    let mut talk = preload(&program, &[library(), &next]);
    let answer = |flags: u32, qp: i32, ps: i32| {
        format!(
            r#"{{"id":"sa","ret":0,"entries":[{{"flags":{flags},"family":4242,"qp_type":{qp},"port_space":{ps},"src":"","dst":"","route":"","connect":"","canonnames":0}}]}}"#
        )
    };
    // As it was asked, what it says as it says it, its list freed by ours: its own would end the program.
    assert_eq!(talk.ask(SA), answer(16, -1, 2));
    assert_eq!(talk.ask("sa\tstorage\tNULL\t48,99,0,0\t-\t-\t-"), answer(48, 7, -1));
    assert_eq!(talk.ask("sa\tNULL\tfails\t16,0,0,0\t-\t-\t-"), r#"{"id":"sa","ret":-1,"errno":42}"#);
    // Nothing else comes to it.
    let rows = cases();
    for row in rows.iter().filter(|row| row.reply == "-" && !row.asks_sa()) {
        assert_eq!(talk.ask(row.text), row.recorded);
    }
    talk.end();
    fs::remove_file(next).unwrap();
}

/// Who is cancelled while it answers has the answer, and then ends.
#[test]
fn a_thread_may_be_cancelled_meanwhile() {
    let Some(program) = program("a_thread_may_be_cancelled_meanwhile", "answers", With::Ours) else { return };
    let next = next("cancelled");
    let libraries = format!("{}:{}", library().display(), next.display());
    let told =
        feed(&program, &["cancel"], "sa\tNULL\twaits\t16,0,0,0\t-\t-\t-\n", &[("LD_PRELOAD", &libraries)]);
    assert!(told.starts_with(r#"cancelled {"id":"sa","ret":0"#), "{told}");
    fs::remove_file(next).unwrap();
}

#[test]
fn where_there_is_none_there_is_no_entry() {
    let Some(program) = program("where_there_is_none", "answers", With::Ours) else { return };
    let none = r#"{"id":"sa","ret":-1,"errno":2}"#;
    // A copy of ours is another library, and neither asks itself.
    let copy = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("copy-{}.so", std::process::id()));
    fs::copy(library(), &copy).unwrap();
    for libraries in [&[][..], &[library()], &[library(), &copy], &[&copy, library()], &[&copy]] {
        let mut talk = preload(&program, libraries);
        assert_eq!(talk.ask(SA), none, "{libraries:?}");
        talk.end();
    }
    fs::remove_file(copy).unwrap();
}

/// With librdmacm behind ours it is as if ours was not there.
#[test]
fn librdmacm_answers_as_without_ours() {
    let test = "librdmacm_answers_as_without_ours";
    let Some(both) = program(test, "answers", With::Both) else { return };
    let Some(real) = program(test, "answers", With::Real) else { return };
    for device in [true, false] {
        World { device, ..World::EMPTY }.run(|| {
            let rows = cases();
            let rows: Vec<&Row> = rows.iter().filter(|row| row.asks_sa()).collect();
            assert_eq!(rows.len(), 26);
            let text = text(rows);
            assert_eq!(feed(&both, &[], &text, &[]), feed(&real, &[], &text, &[]));
        });
    }
}
