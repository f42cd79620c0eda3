//! The README's example, built and run by the README's lines.

use super::build::{NO_HEADERS, has_headers, library};
use crate::common::{World, in_ci, skipped};
use std::fs;
use std::path::Path;
use std::process::Command;

const README: &str = include_str!("../../../../README.md");

/// The block of the README behind the mark `<!-- name -->`.
fn block(name: &str) -> &'static str {
    let (_, rest) = README.split_once(&format!("<!-- {name} -->\n")).unwrap();
    let (_, rest) = rest.split_once('\n').unwrap();
    rest.split_once("```").unwrap().0
}

#[test]
fn the_example_does_what_it_says() {
    if !has_headers() {
        assert!(!in_ci(), "{NO_HEADERS}");
        return skipped("the_example_does_what_it_says", NO_HEADERS);
    }
    let library = library();
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("readme");
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("example.c"), block("c-example")).unwrap();
    let run = |name: &str, expected: &str| {
        let lines = block(name).replace("target/release", library.parent().unwrap().to_str().unwrap());
        // The library is there already.
        let lines: String =
            lines.lines().filter(|line| !line.starts_with("cargo ")).flat_map(|line| [line, "\n"]).collect();
        let output = Command::new("bash").args(["-euc", &lines]).current_dir(&folder).output().unwrap();
        let (told, failed) =
            (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap());
        assert!(output.status.success(), "{lines}: {told}{failed}");
        assert_eq!(told, expected, "{lines}: {failed}");
    };
    World::EMPTY.run(|| {
        run("c-build", "127.0.0.1 port 7471, 0 bytes of route\n");
        run("c-preload", "127.0.0.1 port 7471, 0 bytes of route\n");
    });
}
