//! The README's examples of the command print what it says.

use std::process::Command;

/// The console block behind `<!-- output -->`, as commands with the output that follows each.
fn examples() -> Vec<(String, String)> {
    let readme = include_str!("../../../README.md");
    let (_, behind) = readme.split_once("<!-- output -->\n```console\n").expect("a marked block");
    let (block, _) = behind.split_once("```").expect("its end");
    let mut examples: Vec<(String, String)> = Vec::new();
    for line in block.lines() {
        match line.strip_prefix("$ ") {
            Some(command) => examples.push((command.into(), String::new())),
            None => {
                let (_, output) = examples.last_mut().expect("a command first");
                output.push_str(line);
                output.push('\n');
            }
        }
    }
    examples
}

/// Times are of the moment: digits and the spaces before them become `#`, where a time stands.
fn without_times(text: &str) -> String {
    let mut lines = Vec::new();
    for line in text.lines() {
        let mut line = line.to_owned();
        if let Some((head, tail)) = line.split_once(" us") {
            let head = head.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.').trim_end();
            line = format!("{head} # us{tail}");
        }
        if let Some((head, tail)) = line.split_once("\"elapsed_us\":") {
            let tail = tail.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.');
            line = format!("{head}\"elapsed_us\":#{tail}");
        }
        lines.push(line);
    }
    lines.join("\n")
}

#[test]
fn the_readme_shows_what_the_command_prints() {
    let examples = examples();
    assert_eq!(examples.len(), 5);
    for (command, expected) in examples {
        let mut words = command.split_whitespace();
        assert_eq!(words.next(), Some("rdma-getaddrinfo"));
        let output =
            Command::new(env!("CARGO_BIN_EXE_rdma-getaddrinfo")).args(words).output().expect("it runs");
        let printed = [output.stdout, output.stderr].concat();
        let printed = String::from_utf8(printed).expect("UTF-8");
        assert!(!printed.is_empty(), "{command}");
        assert_eq!(without_times(&printed), without_times(&expected), "{command}");
    }
}
