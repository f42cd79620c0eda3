//! Names folded into a list of hosts: `node[01-03],login1`.

use rdma_addrinfo::hostlist::HostList;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

/// Stands for the number that is folded; no name has it.
const HOLE: u8 = 0;

/// A number as it is written: its value, and how many digits it has.
type Number = (u64, usize);

/// The names, each once, as a list of hosts that stands for them. Names whose numbers alone differ are one item.
pub(super) fn fold(names: impl IntoIterator<Item = String>) -> String {
    let mut rows: BTreeSet<Vec<u8>> = names.into_iter().map(String::into_bytes).collect();
    let most = rows.iter().map(|row| numbers(row).count()).max().unwrap_or_default();
    // From the last number to the first, so that those before it are as they were.
    for place in (0..most).rev() {
        let mut folded = BTreeSet::new();
        let mut groups: BTreeMap<Vec<u8>, BTreeSet<Number>> = BTreeMap::new();
        for row in rows {
            match cut(&row, place) {
                Some((around, number)) => drop(groups.entry(around).or_default().insert(number)),
                None => drop(folded.insert(row)),
            }
        }
        folded.extend(groups.into_iter().map(|(around, numbers)| filled(&around, &numbers)));
        rows = folded;
    }
    let rows: Vec<_> = rows.iter().map(|row| String::from_utf8_lossy(row)).collect();
    rows.join(",")
}

/// Where the numbers are that have not been folded.
fn numbers(row: &[u8]) -> impl Iterator<Item = (usize, usize)> {
    // The digits of an IPv6 address are no numbers.
    let plain = if row.contains(&b':') { &[] } else { row.split(|byte| *byte == b'[').next().unwrap_or(row) };
    let mut at = 0;
    std::iter::from_fn(move || {
        let start = at + plain[at..].iter().position(u8::is_ascii_digit)?;
        let rest = &plain[start..];
        at = start + rest.iter().position(|byte| !byte.is_ascii_digit()).unwrap_or(rest.len());
        Some((start, at))
    })
}

/// The row with a hole for the number at that place, and the number.
fn cut(row: &[u8], place: usize) -> Option<(Vec<u8>, Number)> {
    let (start, end) = numbers(row).nth(place)?;
    let value = str::from_utf8(&row[start..end]).ok()?.parse().ok()?;
    let brackets = row.iter().filter(|byte| **byte == b'[').count();
    let around = [&row[..start], &[HOLE], &row[end..]].concat();
    (brackets < HostList::MAX_BRACKETS).then_some((around, (value, end - start)))
}

fn filled(around: &[u8], numbers: &BTreeSet<Number>) -> Vec<u8> {
    let mut parts = around.splitn(2, |byte| *byte == HOLE);
    let (before, behind) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
    let ranges = ranges(numbers);
    let is_one = numbers.len() == 1;
    let ranges = if is_one { ranges } else { format!("[{ranges}]") };
    [before, ranges.as_bytes(), behind].concat()
}

/// Numbers as ranges of those that follow each other and are padded alike.
fn ranges(numbers: &BTreeSet<Number>) -> String {
    let mut text = String::new();
    let mut numbers = numbers.iter().copied().peekable();
    while let Some((first, len)) = numbers.next() {
        let width = if len > digits(first) { len } else { 0 };
        let mut last = first;
        while let Some((next, len)) = numbers.peek().copied()
            && last.checked_add(1) == Some(next)
            && len == digits(next).max(width)
        {
            last = next;
            numbers.next();
        }
        let comma = if text.is_empty() { "" } else { "," };
        // Writing to a String does not fail.
        let _ = match last {
            last if last == first => write!(text, "{comma}{first:0width$}"),
            last => write!(text, "{comma}{first:0width$}-{last:0width$}"),
        };
    }
    text
}

/// How many digits a number has.
fn digits(number: u64) -> usize {
    number.checked_ilog10().map_or(1, |log| log as usize + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(names: &str) -> String {
        fold(names.split_whitespace().map(String::from))
    }

    #[test]
    fn names_that_differ_in_numbers_are_one_item() {
        for (names, folded) in [
            ("", ""),
            ("a", "a"),
            ("b a b", "a,b"),
            ("n1 n2 n3", "n[1-3]"),
            ("n3 n1 n2 n7 n7", "n[1-3,7]"),
            ("n9", "n9"),
            ("node03 node17 node18 node19", "node[03,17-19]"),
            ("n08 n09 n10 n11", "n[08-11]"),
            ("n98 n99 n100", "n[98-100]"),
            ("n098 n099 n100", "n[098-100]"),
            ("n1 n01 n2 n02", "n[1,01,2,02]"),
            ("n0 n1 n00", "n[0,00,1]"),
            ("r1-n1 r1-n2 r2-n1 r2-n2", "r[1-2]-n[1-2]"),
            ("r1-n1 r1-n2 r2-n1", "r1-n[1-2],r2-n1"),
            ("r1-n1 r2-n1 r3-n1 x", "r[1-3]-n1,x"),
            ("10.0.0.1 10.0.0.2", "10.0.0.[1-2]"),
            ("2001:db8::1 2001:db8::2", "2001:db8::1,2001:db8::2"),
            ("n18446744073709551614 n18446744073709551615", "n[18446744073709551614-18446744073709551615]"),
            ("n18446744073709551616 n18446744073709551617", "n18446744073709551616,n18446744073709551617"),
        ] {
            assert_eq!(of(names), folded, "{names}");
        }
    }

    /// What is folded is a list of the same names.
    #[test]
    fn folding_and_expanding_give_the_same_names() {
        let mut state = 7_u64;
        let mut below = |end: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) % end
        };
        for _ in 0..3000 {
            let mut names = BTreeSet::new();
            for _ in 0..below(40) {
                let mut name = String::from(["n", "r", "0", "7x"][below(4) as usize]);
                let most = if below(9) == 0 { 12 } else { 4 };
                for _ in 0..below(most) {
                    let width = [0, 2, 3][below(3) as usize];
                    let _ = write!(name, "{:0width$}{}", below(12), ["-", "x", "."][below(3) as usize]);
                }
                names.insert(name);
            }
            let folded = fold(names.clone());
            let Ok(list) = HostList::parse(folded.as_bytes()) else {
                assert!(names.is_empty(), "{folded}");
                continue;
            };
            let all: Vec<_> = list.hosts().map(|host| host.to_string()).collect();
            assert_eq!(all.len(), names.len(), "{folded}");
            assert_eq!(all.into_iter().collect::<BTreeSet<_>>(), names, "{folded}");
        }
    }
}
