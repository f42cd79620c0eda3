//! A library behind ours in link order is not asked.

use super::build::{With, command, library, object, program};
use super::rows::{Talk, cases};
use crate::common::World;
use std::fs;

#[test]
fn nothing_goes_to_the_next_library() {
    let test = "nothing_goes_to_the_next_library";
    let Some(program) = program(test, "answers", With::Ours) else { return };
    // With a simulated device, which is no InfiniBand.
    World { device: true, ..World::EMPTY }.run(|| {
        // It would end the program.
        let next = object(test, "next");
        let mut command = command(&program);
        command.env("LD_PRELOAD", format!("{}:{}", library().display(), next.display()));
        let mut talk = Talk::start(command);
        let rows = cases();
        let rows: Vec<_> = rows.iter().filter(|row| row.reply == "-").collect();
        assert_eq!(rows.iter().filter(|row| row.asks_sa()).count(), 26);
        for row in rows {
            assert_eq!(talk.ask(row.text), row.recorded);
        }
        talk.end();
        fs::remove_file(next).unwrap();
    });
}
