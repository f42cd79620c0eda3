//! The only printer. Arguments, interface, device and DNS names, and sysfs texts may contain characters that a terminal
//! acts on, or that reorder or hide text. All output is a [`Page`], which escapes them.

use serde::Serialize;
use std::fmt::{Display, Write};

/// Printable text: it has no control character except newlines, and no format character.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Page(String);

impl Page {
    /// A value as JSON on one line. What a terminal would act on is escaped as `\uXXXX`, so the value stays the same.
    pub(crate) fn json(value: &impl Serialize) -> Self {
        // Serialization cannot fail: keys are text, and floats finite.
        let json = serde_json::to_string(value).unwrap_or_default();
        let mut text = String::with_capacity(json.len() + 1);
        // Such characters occur only in strings: the rest of JSON is visible ASCII.
        for c in json.chars() {
            if is_visible(c) {
                text.push(c);
                continue;
            }
            for unit in c.encode_utf16(&mut [0; 2]) {
                // Writing to a String does not fail.
                let _ = write!(text, "\\u{unit:04x}");
            }
        }
        text.push('\n');
        Self(text)
    }

    /// Adds a line; a newline in it is escaped too.
    pub(crate) fn line(&mut self, line: impl Display) {
        self.0.push_str(&printable(line.to_string().as_bytes()));
        self.0.push('\n');
    }

    /// Adds a text of several lines.
    pub(crate) fn lines(&mut self, text: &str) {
        text.lines().for_each(|line| self.line(line));
    }

    /// Adds a text that was made of this program's own alone: it is not escaped.
    pub(crate) fn generated(&mut self, text: &str) {
        self.0.push_str(text);
    }

    /// Adds a page.
    pub(crate) fn append(&mut self, page: &Self) {
        self.0.push_str(&page.0);
    }

    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }
}

/// The text on one line, with invisible characters escaped as `\u{…}`, and invalid UTF-8 replaced. Printable text is not
/// changed.
pub(crate) fn printable(text: &[u8]) -> String {
    let mut printable = String::with_capacity(text.len());
    for c in String::from_utf8_lossy(text).chars() {
        if is_visible(c) {
            printable.push(c);
        } else {
            printable.extend(c.escape_debug());
        }
    }
    printable
}

/// Whether a character is shown unchanged. The standard library's `escape_debug` escapes control, format, separator,
/// combining, private and unassigned characters; it also escapes quotes, which only Rust needs.
fn is_visible(c: char) -> bool {
    matches!(c, '\'' | '"' | '\\') || c.escape_debug().len() == 1
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One or more of each kind: C0, DEL, C1, bidi, separators, other format characters, beyond 16 bits.
    const INVISIBLE: [char; 20] = [
        '\0',
        '\x07',
        '\t',
        '\n',
        '\x1b',
        '\x7f',
        '\u{80}',
        '\u{9b}',
        '\u{ad}',
        '\u{61c}',
        '\u{200b}',
        '\u{200f}',
        '\u{2028}',
        '\u{2029}',
        '\u{202e}',
        '\u{2066}',
        '\u{feff}',
        '\u{fff9}',
        '\u{e0001}',
        '\u{e0041}',
    ];

    #[test]
    fn only_what_is_not_visible_is_escaped() {
        assert_eq!(printable("it's \"ä\\\" …".as_bytes()), "it's \"ä\\\" …");
        assert_eq!(printable("a\u{202e}b\t\u{9b}\n".as_bytes()), "a\\u{202e}b\\t\\u{9b}\\n");
        assert_eq!(printable(b"a\xffb"), "a\u{fffd}b");
        for c in INVISIBLE {
            let text = printable(c.to_string().as_bytes());
            assert!(text.starts_with('\\') && text.is_ascii(), "{c:?}: {text}");
            assert_eq!(printable(text.as_bytes()), text, "escaped once");
        }
    }

    #[test]
    fn json_stays_the_same_value() {
        let text: String = INVISIBLE.iter().chain(&['ä', '"', '\\', '€', '\'']).collect();
        let page = Page::json(&[&text]);
        let shown: Vec<char> = page.as_str().chars().filter(|c| !c.is_ascii()).collect();
        assert_eq!(shown, ['ä', '€']);
        assert!(page.as_str().contains("\\u007f") && page.as_str().contains("\\udb40\\udc01"), "{page:?}");
        let value: Vec<String> = serde_json::from_str(page.as_str()).unwrap();
        assert_eq!(value, [text]);
    }

    #[test]
    fn a_line_is_one_line() {
        let mut page = Page::default();
        page.line("a\nb");
        page.lines("c\nd\n");
        assert_eq!(page.as_str(), "a\\nb\nc\nd\n");
    }
}
