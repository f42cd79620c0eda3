//! services(5), as glibc reads it.

use super::table::{Table, words};

/// The file by its names: the first word of a line, and those behind the second.
pub(super) fn index(text: Vec<u8>, goes_on: impl Fn() -> bool) -> Option<Table> {
    Table::new(text, |number| number == 1, goes_on)
}

/// What the file says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Port {
    Is(u16),
    /// There is no such service of the protocol.
    None,
    /// A line of the name is written so that the C library should read it: a number that is not decimal, or too large.
    Odd,
}

/// The port of a service, for a protocol by its name.
pub(super) fn find(table: &Table, name: &[u8], protocol: &[u8]) -> Port {
    for line in table.lines(name, |word, name| word == name) {
        match entry(line) {
            Some((port, of)) if of == protocol => return Port::Is(port),
            Some(_) => {}
            None => return Port::Odd,
        }
    }
    Port::None
}

/// Port and protocol of a line.
fn entry(line: &[u8]) -> Option<(u16, &[u8])> {
    let text = line.get(words(line).nth(1)?)?;
    let slash = text.iter().position(|byte| *byte == b'/')?;
    let (digits, protocol) = (text.get(..slash)?, text.get(slash + 1..)?);
    // Another number than this one is octal or has a sign.
    let is_plain = digits.iter().all(u8::is_ascii_digit) && (digits == b"0" || !digits.starts_with(b"0"));
    if !is_plain || protocol.is_empty() || protocol.contains(&b'/') {
        return None;
    }
    Some((str::from_utf8(digits).ok()?.parse().ok()?, protocol))
}
