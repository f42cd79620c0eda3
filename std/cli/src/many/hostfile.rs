//! Files of hosts, read in pieces: a file may be a pipe, and of any length.

use std::io::{self, BufRead, ErrorKind};

/// The longest list on a line, in bytes.
pub(super) const LONGEST: usize = 1 << 20;

/// Why reading ended early.
#[derive(Debug)]
pub(super) enum Ended<E> {
    /// The file cannot be read.
    Io(io::Error),
    /// The first word of the line with this number is longer than [`LONGEST`].
    TooLong(u64),
    /// Whoever takes the words.
    Refused(u64, E),
}

/// Gives the first word of each line that has one, and the number of the line, from 1. A `#` begins a comment.
pub(super) fn words<E>(
    mut file: impl BufRead,
    mut take: impl FnMut(&[u8]) -> Result<(), E>,
) -> Result<(), Ended<E>> {
    let mut line = 1_u64;
    let mut word = Vec::new();
    let mut is_over = false;
    loop {
        let bytes = match file.fill_buf() {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == ErrorKind::Interrupted => continue,
            Err(error) => return Err(Ended::Io(error)),
        };
        if bytes.is_empty() {
            break;
        }
        // Up to the end of the line, or of what has been read.
        let end = bytes.iter().position(|byte| *byte == b'\n');
        let part = &bytes[..end.unwrap_or(bytes.len())];
        if !is_over {
            let part = if word.is_empty() { part.trim_ascii_start() } else { part };
            let stop = part.iter().position(|byte| byte.is_ascii_whitespace() || *byte == b'#');
            let part = &part[..stop.unwrap_or(part.len())];
            is_over = stop.is_some();
            if word.len() + part.len() > LONGEST {
                return Err(Ended::TooLong(line));
            }
            word.extend_from_slice(part);
        }
        let read = end.map_or(bytes.len(), |end| end + 1);
        file.consume(read);
        if end.is_some() {
            give(&word, line, &mut take)?;
            word.clear();
            is_over = false;
            line += 1;
        }
    }
    give(&word, line, &mut take)
}

fn give<E>(word: &[u8], line: u64, take: &mut impl FnMut(&[u8]) -> Result<(), E>) -> Result<(), Ended<E>> {
    if word.is_empty() { Ok(()) } else { take(word).map_err(|error| Ended::Refused(line, error)) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{BufReader, Read};

    fn of(text: &[u8], capacity: usize) -> Vec<String> {
        let mut all = Vec::new();
        let file = BufReader::with_capacity(capacity, text);
        let ended = words(file, |word| {
            all.push(String::from_utf8_lossy(word).into_owned());
            Ok::<_, ()>(())
        });
        assert!(ended.is_ok());
        all
    }

    /// However the file comes in pieces.
    #[test]
    fn the_first_word_of_each_line() {
        let text = b"node1\n  node2 slots=4 max\r\n# no\n\n \t\nnode3#x\n   # no\nnode4\tslots=1\r\n\r\nn[5-6] #\nlast";
        for capacity in 1..80 {
            assert_eq!(
                of(text, capacity),
                ["node1", "node2", "node3", "node4", "n[5-6]", "last"],
                "{capacity}"
            );
        }
        assert!(of(b"", 8).is_empty());
        assert!(of(b"\n\n#", 8).is_empty());
        assert_eq!(of(b"a\0b\xff", 8), ["a\0b\u{fffd}"]);
    }

    #[test]
    fn what_is_wrong_has_its_line() {
        let refused = words(&b"a\n\n# c\nb\nc\n"[..], |word| if word == b"b" { Err("b") } else { Ok(()) });
        assert!(matches!(refused, Err(Ended::Refused(4, "b"))), "{refused:?}");
    }

    /// One that ends at once, where the line is too long; and comments of any length take no memory.
    #[test]
    fn a_line_without_end() {
        let zeros = BufReader::new(io::repeat(b'0'));
        assert!(matches!(words(zeros, |_| Ok::<_, ()>(())), Err(Ended::TooLong(1))));
        let longest = vec![b'a'; LONGEST];
        assert_eq!(of(&longest, 4096).concat().len(), LONGEST);
        let comment =
            BufReader::new((&b"a\nb #"[..]).chain(io::repeat(b'#').take(1 << 24)).chain(&b"\nc"[..]));
        let mut count = 0;
        let ended = words(comment, |_| {
            count += 1;
            Ok::<_, ()>(())
        });
        assert!(ended.is_ok() && count == 3);
    }
}
