//! The position of an error in a text.

use crate::print::printable;

/// The number of characters shown before and after the error.
const BEFORE: usize = 60;
const BEHIND: usize = 20;

/// Two printable lines: the text around the byte at `offset`, and a caret below that byte. An offset at the end of the
/// text points after it. An empty text yields nothing.
pub(crate) fn excerpt(text: &[u8], offset: usize) -> String {
    if text.is_empty() {
        return String::new();
    }
    let (head, tail) = text.split_at(offset.min(text.len()));
    let (head, tail) = (printable(head), printable(tail));

    let cut = head.chars().count().saturating_sub(BEFORE);
    let shown_head: String = head.chars().skip(cut).collect();
    let shown_tail: String = tail.chars().take(BEHIND).collect();
    let before = if cut > 0 { "…" } else { "" };
    let behind = if tail.chars().count() > BEHIND { "…" } else { "" };
    let column = before.chars().count() + shown_head.chars().count();
    format!("  {before}{shown_head}{shown_tail}{behind}\n  {:column$}^\n", "")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_caret_is_below_the_byte() {
        assert_eq!(excerpt(b"192.0.2.256", 8), "  192.0.2.256\n          ^\n");
        assert_eq!(excerpt(b"x", 0), "  x\n  ^\n");
        assert_eq!(excerpt(b"", 0), "");
    }

    #[test]
    fn an_offset_at_or_beyond_the_end_points_behind_the_text() {
        assert_eq!(excerpt(b"fe80::1%", 8), "  fe80::1%\n          ^\n");
        assert_eq!(excerpt(b"ab", 99), "  ab\n    ^\n");
    }

    #[test]
    fn what_a_terminal_would_act_on_is_escaped_and_counted() {
        assert_eq!(excerpt(b"a\x1b[2Jb", 5), "  a\\u{1b}[2Jb\n            ^\n");
        assert_eq!(excerpt(b"a\xffb", 2), "  a\u{fffd}b\n    ^\n");
        assert_eq!(excerpt("ä:b".as_bytes(), 3), "  ä:b\n    ^\n");
    }

    #[test]
    fn a_long_text_is_cut_around_the_error() {
        let text = [b'a'; 300];
        let line = "a".repeat(80);
        assert_eq!(excerpt(&text, 255), format!("  …{line}…\n   {}^\n", " ".repeat(60)));
        assert_eq!(excerpt(&text, 0), format!("  {}…\n  ^\n", "a".repeat(20)));
        assert_eq!(excerpt(&text, 300), format!("  …{}\n   {}^\n", "a".repeat(60), " ".repeat(60)));
    }
}
