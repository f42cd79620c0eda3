//! MTU, rate and packet life time: every byte, and the tables of the specification.

use super::super::{Mtu, PacketLifeTime, Rate, Selector};
use std::vec::Vec;

const SELECTORS: [Selector; 4] =
    [Selector::GreaterThan, Selector::LessThan, Selector::Exactly, Selector::Best];

#[test]
fn every_byte_is_a_selector_and_a_code() {
    for byte in 0..=u8::MAX {
        let (selector, code) = (SELECTORS[usize::from(byte >> 6)], byte & 0x3f);
        macro_rules! check {
            ($($ty:ident)+) => {$(
                let value = $ty::from_raw(byte);
                assert_eq!((value.selector(), value.code(), value.to_raw()), (selector, code, byte));
                assert_eq!($ty::new(selector, code), Some(value));
            )+};
        }
        check!(Mtu Rate PacketLifeTime);
    }
}

#[test]
fn codes_above_six_bits_are_refused() {
    for code in 64..=u8::MAX {
        for selector in SELECTORS {
            assert_eq!(Mtu::new(selector, code), None);
            assert_eq!(Rate::new(selector, code), None);
            assert_eq!(PacketLifeTime::new(selector, code), None);
        }
    }
}

#[test]
fn mtu_codes() {
    let bytes: Vec<_> = (0..64).map(|code| Mtu::from_raw(code | 0x80).bytes()).collect();
    assert_eq!(bytes[..6], [None, Some(256), Some(512), Some(1024), Some(2048), Some(4096)]);
    assert_eq!(bytes[6..], [None; 58]);
    for value in (0..=10_000).step_by(if cfg!(miri) { 128 } else { 1 }) {
        let expected = bytes.iter().position(|known| *known == Some(value));
        assert_eq!(Mtu::from_bytes(value).map(|mtu| usize::from(mtu.code())), expected);
    }
    assert_eq!(Mtu::from_bytes(2048).unwrap().to_raw(), 0x84);
    assert_eq!(Mtu::from_bytes(u32::MAX), None);
}

#[test]
fn rate_codes() {
    // By code from 2 on, in units of 0.1 Gb/s.
    let known = [
        25, 100, 300, 50, 200, 400, 600, 800, 1200, 140, 560, 1120, 1680, 250, 1000, 2000, 3000, 280, 500,
        4000, 6000, 8000, 12000,
    ];
    for code in 0..64 {
        let tenths = usize::from(code).checked_sub(2).and_then(|index| known.get(index));
        let expected = tenths.map(|tenths| tenths * 100);
        for selector in SELECTORS {
            assert_eq!(Rate::new(selector, code).unwrap().megabits_per_second(), expected);
        }
    }
    for (code, tenths) in (2..).zip(known) {
        assert_eq!(Rate::from_megabits_per_second(tenths * 100), Rate::new(Selector::Exactly, code));
        assert_eq!(Rate::from_megabits_per_second(tenths * 100 + 1), None);
    }
    assert_eq!(Rate::from_megabits_per_second(0), None);
    assert_eq!(Rate::from_megabits_per_second(u32::MAX), None);
}

#[test]
fn packet_life_times_are_exact() {
    for code in 0..64 {
        for selector in SELECTORS {
            let time = PacketLifeTime::new(selector, code).unwrap().duration();
            assert_eq!(time.as_nanos(), 4096_u128 << code, "2^{code}");
        }
    }
}
