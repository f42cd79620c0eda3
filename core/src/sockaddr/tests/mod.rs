//! Tests of the room: bytes, and text.

mod bytes;
mod text;

use super::SockAddrBuf;
use crate::types::{Gid, Pkey, ServiceId};
use std::vec::Vec;

/// A small deterministic generator (xorshift64*).
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    pub(crate) fn below(&mut self, bound: u64) -> u64 {
        (self.next() >> 32) % bound
    }

    /// A number of any length in bits, often zero.
    pub(crate) fn number(&mut self) -> u64 {
        let shift = self.below(65);
        self.next().checked_shr(u32::try_from(shift).unwrap()).unwrap_or(0)
    }

    /// An address of any family, or none.
    pub(crate) fn address(&mut self) -> SockAddrBuf {
        let wide = u128::from(self.number()) << 64 | u128::from(self.number());
        let [a, b, c, d] = [(); 4].map(|()| self.number());
        match self.below(4) {
            0 => SockAddrBuf::NONE,
            1 => SockAddrBuf::inet(a as u32, b as u16),
            2 => SockAddrBuf::inet6(wide, a as u16, b as u32, c as u32),
            _ => {
                let (pkey, sid) = (Pkey::from_raw(a as u16), ServiceId::from_raw(b));
                SockAddrBuf::ib(Gid::from_bits(wide), pkey, self.number() as u32, sid, c, d)
            }
        }
    }
}

/// How many rounds a generated test makes; fewer where an interpreter runs it.
pub(crate) const ROUNDS: usize = if cfg!(miri) { 16 } else { 20_000 };

/// Whether a length is worth a test: every one is, but where an interpreter runs it only those at the edges.
pub(crate) fn counts(len: usize, edges: &[usize]) -> bool {
    !cfg!(miri) || edges.iter().any(|edge| edge.abs_diff(len) <= 1)
}

/// The bytes of a hex text, spaces apart.
fn unhex(text: &str) -> Vec<u8> {
    let digits: Vec<u8> = text.bytes().filter(|byte| *byte != b' ').collect();
    assert_eq!(digits.len() % 2, 0);
    let digit = |byte: u8| char::from(byte).to_digit(16).unwrap() as u8;
    digits.chunks(2).map(|pair| digit(pair[0]) << 4 | digit(pair[1])).collect()
}

/// The bytes of a C address: a family in native order, then these bytes.
fn c_address(family: u16, rest: &str) -> Vec<u8> {
    let mut bytes = family.to_ne_bytes().to_vec();
    bytes.extend(unhex(rest));
    bytes
}
