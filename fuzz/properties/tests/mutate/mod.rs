//! Inputs made of others, the same for the same seed on every machine.

#[path = "../../../../std/tests/common/random.rs"]
mod random;

pub(crate) use random::Random;

/// Part of what there is, perhaps nothing.
fn range(random: &mut Random, length: usize) -> std::ops::Range<usize> {
    let (a, b) = (random.below(length + 1), random.below(length + 1));
    // Short ones are more likely.
    let end = if random.below(2) == 0 { a.max(b) } else { a.min(b) + random.below(5) };
    a.min(b)..end.min(length)
}

/// What the texts are made of.
const WORDS: [&str; 40] = [
    "0",
    "1",
    "255",
    "256",
    "65535",
    "65536",
    "4294967295",
    "18446744073709551616",
    "0x",
    ".",
    ":",
    "::",
    "%",
    "%ib0",
    "%1",
    "fe80::",
    "ff02::1",
    "::ffff:",
    "192.0.2.7",
    "=",
    ",",
    ";",
    "flags=",
    "family=ib",
    "qp=",
    "ps=",
    "src=",
    "dst=",
    "route=",
    "passive",
    "numeric-host",
    "sa",
    "*",
    "-",
    "+",
    " ",
    "\n",
    "\0",
    "x",
    "storage-7",
];
/// Bytes at the edges.
const EDGES: [u8; 10] = [0, 1, 7, 16, 64, 72, 0x7f, 0x80, 0xfe, 0xff];

/// One of the inputs, with a few changes.
pub(crate) fn mutate(random: &mut Random, inputs: &[Vec<u8>]) -> Vec<u8> {
    let mut input = inputs[random.below(inputs.len())].clone();
    for _ in 0..=random.below(4) {
        let at = random.below(input.len() + 1);
        let byte = random.byte();
        match random.below(9) {
            0 if at < input.len() => input[at] ^= 1 << (byte % 8),
            1 if at < input.len() => input[at] = EDGES[usize::from(byte) % EDGES.len()],
            2 if at < input.len() => input[at] = byte,
            3 => drop(input.drain(range(random, input.len()))),
            4 => {
                let copied = input[range(random, input.len())].to_vec();
                drop(input.splice(at..at, copied));
            }
            5 => drop(input.splice(at..at, WORDS[random.below(WORDS.len())].bytes())),
            6 => {
                // The end of another.
                let other = &inputs[random.below(inputs.len())];
                input.truncate(at);
                input.extend_from_slice(&other[random.below(other.len() + 1)..]);
            }
            7 => input.truncate(at),
            _ => input.insert(at, byte),
        }
    }
    input.truncate(4096);
    input
}
