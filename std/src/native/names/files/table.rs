//! [`Table`]: a file of lines, and where each of its words is.
//!
//! The file is kept as it was read. Beside it are 4 bytes for each word, and about 2 for each place where a search
//! begins.

use std::ops::Range;

/// How many words share a bucket, on average.
const WORDS_PER_BUCKET: usize = 2;

/// The text of a file and an index of words in it.
#[derive(Debug)]
pub(super) struct Table {
    text: Vec<u8>,
    /// Where the words of each bucket begin in `words`, and where the last one ends.
    buckets: Vec<u32>,
    /// Where words begin in `text`: those of a bucket together, in the order of the file.
    words: Vec<u32>,
}

/// Which words of a line, without its comment, are indexed: the [`words`] but some.
pub(super) type Skip = fn(usize) -> bool;

impl Table {
    /// Indexes the words of each line, those that `skip` says by their number in the line left out. `None` if memory runs
    /// out, the text has 4 GiB, a line [is not read as it is written](is_odd), or `goes_on`, which is asked now and
    /// then, says no.
    pub(super) fn new(text: Vec<u8>, skip: Skip, goes_on: impl Fn() -> bool) -> Option<Self> {
        u32::try_from(text.len()).ok()?;
        let mut found: Vec<(u32, u32)> = Vec::new();
        let mut start = 0;
        for (number, raw) in text.split(|byte| *byte == b'\n').enumerate() {
            if number % 1024 == 0 && !goes_on() {
                return None;
            }
            let line = content(raw);
            let is_last = start + raw.len() == text.len();
            if is_odd(raw, line, is_last) {
                return None;
            }
            for (number, word) in words(line).enumerate() {
                if !skip(number) {
                    found.try_reserve(1).ok()?;
                    let at = start + word.start;
                    found.push((hash(text.get(at..start + word.end)?), u32::try_from(at).ok()?));
                }
            }
            start += raw.len() + 1;
        }
        let (buckets, words) = by_bucket(&found)?;
        Some(Self { text, buckets, words })
    }

    /// The lines that have an indexed word for which `is` says yes, in the order of the file, each once and without its
    /// comment. `is` must say yes to words alone that equal `name` but for the case of ASCII letters.
    pub(super) fn lines(&self, name: &[u8], is: fn(&[u8], &[u8]) -> bool) -> impl Iterator<Item = &[u8]> {
        let mut last = None;
        self.candidates(name).iter().filter_map(move |at| {
            let at = usize::try_from(*at).ok()?;
            let (before, from) = self.text.split_at_checked(at)?;
            if !is(from.get(..name.len())?, name)
                || from.get(name.len()).is_some_and(|byte| !ends_word(*byte))
            {
                return None;
            }
            let start = before.iter().rposition(|byte| *byte == b'\n').map_or(0, |newline| newline + 1);
            if last.replace(start) == Some(start) {
                return None;
            }
            let line = self.text.get(start..)?;
            Some(content(line.split(|byte| *byte == b'\n').next()?))
        })
    }

    /// Where words begin that may be this one.
    fn candidates(&self, name: &[u8]) -> &[u32] {
        let bucket = bucket(hash(name), self.buckets.len().saturating_sub(1));
        let bound = |at| self.buckets.get(at).and_then(|at| usize::try_from(*at).ok());
        let range = bound(bucket).zip(bound(bucket + 1));
        range.and_then(|(start, end)| self.words.get(start..end)).unwrap_or_default()
    }

    /// How many bytes it takes.
    #[allow(dead_code)] // But for tests.
    pub(super) fn memory(&self) -> usize {
        self.text.capacity() + 4 * (self.buckets.capacity() + self.words.capacity())
    }
}

/// Sorts words by their buckets and keeps the order within each.
fn by_bucket(found: &[(u32, u32)]) -> Option<(Vec<u32>, Vec<u32>)> {
    let count = (found.len() / WORDS_PER_BUCKET).max(1);
    let mut buckets = zeroes(count + 1)?;
    for (hash, _) in found {
        *buckets.get_mut(bucket(*hash, count))? += 1;
    }
    // From counts to ends; each end sinks to its start as the bucket is filled, from behind.
    let mut end = 0;
    for count in &mut buckets {
        end += *count;
        *count = end;
    }
    let mut words = zeroes(found.len())?;
    for (hash, at) in found.iter().rev() {
        let next = buckets.get_mut(bucket(*hash, count))?;
        *next -= 1;
        *words.get_mut(usize::try_from(*next).ok()?)? = *at;
    }
    Some((buckets, words))
}

fn zeroes(len: usize) -> Option<Vec<u32>> {
    let mut all = Vec::new();
    all.try_reserve_exact(len).ok()?;
    all.resize(len, 0);
    Some(all)
}

/// One of so many buckets, all equally likely.
fn bucket(hash: u32, count: usize) -> usize {
    // Both factors fit into 32 bits.
    usize::try_from((u64::from(hash) * count as u64) >> 32).unwrap_or(0)
}

/// The same for words that differ in the case of ASCII letters alone.
fn hash(word: &[u8]) -> u32 {
    let mixed = word.iter().fold(0xcbf2_9ce4_8422_2325, |hash: u64, byte| {
        (hash ^ u64::from(byte.to_ascii_lowercase())).wrapping_mul(0x0000_0100_0000_01b3)
    });
    // The low bits of the last bytes must reach the high bits, which choose the bucket.
    let mixed = (mixed ^ mixed >> 32).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (mixed >> 32) as u32
}

/// What counts of a line: C ends it at a NUL, and `#` begins a comment anywhere.
fn content(raw: &[u8]) -> &[u8] {
    raw.split(|byte| matches!(byte, 0 | b'#')).next().unwrap_or_default()
}

/// Whether glibc reads more than is written there: it moves a line over the blanks before it, and then sees the last bytes
/// twice where no newline or comment ends it.
fn is_odd(raw: &[u8], line: &[u8], is_last: bool) -> bool {
    let is_ended = match raw.get(line.len()) {
        Some(byte) => *byte == b'#',
        None => !is_last,
    };
    !is_ended && line.first().is_some_and(|byte| is_blank(*byte)) && words(line).next().is_some()
}

/// The words of a line, which blanks part.
pub(super) fn words(line: &[u8]) -> impl Iterator<Item = Range<usize>> {
    let mut at = 0;
    std::iter::from_fn(move || {
        let start = at + line.get(at..)?.iter().position(|byte| !is_blank(*byte))?;
        let rest = line.get(start..)?;
        at = start + rest.iter().position(|byte| is_blank(*byte)).unwrap_or(rest.len());
        Some(start..at)
    })
}

/// What isspace(3) says in the C locale and in those of UTF-8.
const fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t'..=b'\r')
}

/// Whether the byte behind a word ends it.
const fn ends_word(byte: u8) -> bool {
    is_blank(byte) || matches!(byte, 0 | b'#')
}
