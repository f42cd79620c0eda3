//! Tests of the room: tables of forms, and texts made by a generator, compared with `core::net` or with the values
//! they were made from.

mod display;
mod glibc;
mod hostlist;
mod ipv4;
mod ipv6;
mod line;
mod numbers;
mod refusals;
mod strict;

use crate::error::{Error, ErrorKind, Location, Reason};
use std::vec::Vec;

/// So many cases, or a few of them where each takes a thousand times as long.
fn cases(count: usize) -> usize {
    if cfg!(miri) { count / 2000 } else { count }
}

/// Every value of a range, or some of them there.
fn step() -> usize {
    if cfg!(miri) { 257 } else { 1 }
}

/// A small deterministic generator (xorshift64*).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    fn below(&mut self, bound: usize) -> usize {
        (self.next() >> 32) as usize % bound
    }

    fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())]
    }

    fn u128(&mut self) -> u128 {
        u128::from(self.next()) << 64 | u128::from(self.next())
    }

    /// An address with groups of every length and with runs of zeros.
    fn address(&mut self) -> u128 {
        let mut address = 0;
        let zeros = self.next() & self.next();
        for group in 0..8 {
            let value =
                if zeros >> group & 1 == 1 { 0 } else { self.next() as u16 >> self.pick(&[0, 0, 4, 8, 12]) };
            address = address << 16 | u128::from(value);
        }
        address
    }

    /// One of the seeds with up to three changes.
    fn mutation(&mut self, seeds: &[&str], alphabet: &[u8]) -> Vec<u8> {
        let mut text = self.pick(seeds).as_bytes().to_vec();
        for _ in 0..self.below(4) {
            let at = self.below(text.len() + 1);
            match self.below(6) {
                0 => text.insert(at, self.pick(alphabet)),
                1 if at < text.len() => text[at] = self.pick(alphabet),
                2 if at < text.len() => drop(text.remove(at)),
                3 => text.truncate(at),
                4 => drop(text.drain(..at)),
                5 => {
                    let copy = text[at..].to_vec();
                    text.splice(at..at, copy);
                }
                _ => {}
            }
        }
        text
    }
}

fn node_error(reason: Reason, offset: usize) -> Error {
    Error::new(ErrorKind::NoName).because(reason).at(Location::Node(offset))
}

fn service_error(reason: Reason, offset: usize) -> Error {
    Error::new(ErrorKind::Service).because(reason).at(Location::Service(offset))
}
