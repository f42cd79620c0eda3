//! The script that records a tree prints the tree.

use crate::sysfs::Tree;
use std::fs;
use std::path::Path;
use std::process::Command;

fn folder() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/sysfs"))
}

fn record(tree: &Tree) -> Vec<String> {
    let script = folder().join("record");
    let output = Command::new("sh").arg(script).arg(tree.root()).output().unwrap();
    // Without ip(8) there are no addresses; they are not the tree's anyhow.
    let lines = String::from_utf8(output.stdout).unwrap();
    sorted(&lines)
}

/// What is of the tree, in order.
fn sorted(text: &str) -> Vec<String> {
    let is_file = |line: &&str| !line.starts_with('#') && !line.starts_with("interfaces/");
    let mut lines: Vec<_> = text.lines().filter(is_file).map(str::to_owned).collect();
    lines.sort();
    lines
}

#[test]
fn a_recording_of_a_tree_is_its_text() {
    for name in ["constructed", "recorded"] {
        for entry in fs::read_dir(folder().join(name)).unwrap() {
            let path = entry.unwrap().path();
            assert_eq!(path.extension().unwrap(), "tree");
            let text = fs::read_to_string(&path).unwrap();
            assert!(text.starts_with(&format!("# {name}")), "{}", path.display());
            // Thousands of files in each that was recorded: one is enough.
            if name == "constructed" || path.ends_with("macvlan-container-6.1.tree") {
                assert_eq!(record(&Tree::new(&text)), sorted(&text), "{}", path.display());
            }
        }
    }
}
