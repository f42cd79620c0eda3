//! Each of the 64 sets of flags, with each family and each absence of node, service, hints and source, to the C library and
//! to our own resolution by its rules. What the C library answers from stray memory is not asked.

use super::peer::{Answers, WORLD};
use super::rows::{Row, library};
use crate::common::{is_slow, note};

const NODES: [Option<&str>; 4] = [None, Some("192.0.2.7"), Some("2001:db8::7"), Some("storage-7")];
const SERVICES: [Option<&str>; 3] = [None, Some("7471"), Some("udp-only")];
/// Unspecified, IPv4, IPv6, InfiniBand, and one that is not known.
const FAMILIES: [i32; 5] = [0, 2, 10, 27, 1];

fn rows() -> Vec<Row> {
    let source = [&2_u16.to_ne_bytes()[..], &[0, 9, 192, 0, 2, 9], &[0; 8]].concat();
    let mut rows = Vec::new();
    for node in NODES {
        for service in SERVICES {
            let [node, service] = [node, service].map(|text| text.map(str::to_owned));
            let row = Row { node, service, ..Row::default() };
            rows.push(row.clone());
            for flags in 0..64 {
                for family in FAMILIES {
                    let hints = Some([flags, family, 0, 0]);
                    rows.push(Row { hints, ..row.clone() });
                    rows.push(Row { hints, src: source.clone(), ..row.clone() });
                }
            }
        }
    }
    rows
}

#[test]
fn each_set_of_flags() {
    WORLD.run(|| {
        let Some(library) = library("each_set_of_flags") else { return };
        let (mut compared, mut answered, mut refused) = (0_usize, 0_usize, 0_usize);
        let mut wrong = Vec::new();
        let step = if is_slow() { 11 } else { 1 };
        for row in rows().iter().step_by(step) {
            note(&row.to_string());
            let answers = Answers::of(&library, row);
            if answers.refused.is_some() {
                refused += 1;
            } else {
                compared += 1;
                answered += usize::from(answers.theirs.starts_with(r#""ret":0"#));
            }
            if let Err(difference) = answers.agree() {
                wrong.push(format!("{row}\n{difference}"));
            }
        }
        let shown = wrong.iter().take(20).map(String::as_str).collect::<Vec<_>>().join("\n");
        assert!(wrong.is_empty(), "{} of {compared} differ:\n{shown}", wrong.len());
        if !is_slow() {
            assert_eq!(compared + refused, 12 * (64 * 5 * 2 + 1));
            assert!(compared > 3_500 && answered > 1_500, "{compared} compared, {answered} answered");
        }
    });
}
