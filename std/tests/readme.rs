//! The README's client is that of the example, which is built and run.

/// The block of the README behind the mark `<!-- client -->`.
fn block() -> &'static str {
    let (_, rest) =
        include_str!("../../README.md").split_once("<!-- client -->\n```rs\n").expect("a marked block");
    rest.split_once("```").expect("its end").0
}

#[test]
fn the_client_is_a_part_of_the_example() {
    let indented: String = block().lines().flat_map(|line| ["    ", line, "\n"]).collect();
    assert!(indented.lines().count() >= 12);
    assert!(include_str!("../examples/client.rs").contains(&indented), "{indented}");
}
