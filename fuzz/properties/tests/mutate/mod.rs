//! Inputs made of others, the same for the same seed on every machine.

/// SplitMix64.
#[derive(Debug)]
pub(crate) struct Random(u64);

impl Random {
    pub(crate) const fn new(seed: u64) -> Self {
        Self(seed)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// Below `end`.
    fn below(&mut self, end: usize) -> usize {
        usize::try_from(self.next() % u64::try_from(end).unwrap()).unwrap()
    }

    fn byte(&mut self) -> u8 {
        self.next().to_be_bytes()[0]
    }

    /// Part of what there is, perhaps nothing.
    fn range(&mut self, length: usize) -> std::ops::Range<usize> {
        let (a, b) = (self.below(length + 1), self.below(length + 1));
        // Short ones are more likely.
        let end = if self.below(2) == 0 { a.max(b) } else { a.min(b) + self.below(5) };
        a.min(b)..end.min(length)
    }
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
            3 => drop(input.drain(random.range(input.len()))),
            4 => {
                let copied = input[random.range(input.len())].to_vec();
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
