use crate::text::{number, port, service_id};
use std::format;

use super::step;
#[test]
fn every_port() {
    for value in (0..=u16::MAX).step_by(step()) {
        assert_eq!(port(format!("{value}").as_bytes()), Some(value));
        for refused in [
            format!("0{value}"),
            format!("+{value}"),
            format!("-{value}"),
            format!(" {value}"),
            format!("{value} "),
            format!("{value}\0"),
            format!("{value}a"),
            format!("{}", 65_536 + u32::from(value)),
            format!("{}", 4_294_967_296 + u64::from(value)),
        ] {
            assert_eq!(port(refused.as_bytes()), None, "{}", refused.escape_default());
        }
    }
    for refused in ["", "0x50", "00", "99999", "100000", "18446744073709551617", "\u{661}"] {
        assert_eq!(port(refused.as_bytes()), None, "{refused}");
    }
}

#[test]
fn numbers_in_both_radices() {
    let mut value = 1_u64;
    for step in (0..2_000_u64).step_by(step()) {
        value = value.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(step);
        let value = value >> (step % 64);
        for text in
            [format!("{value}"), format!("{value:#x}"), format!("0X{value:016X}"), format!("0x{value:040x}")]
        {
            assert_eq!(number(text.as_bytes()), Some(value), "{text}");
            assert_eq!(service_id(text.as_bytes()), Some(value), "{text}");
        }
    }
}

#[test]
fn refused_numbers() {
    for text in [
        "",
        "x",
        "0x",
        "0X",
        "00",
        "01",
        "0777",
        "-1",
        "+1",
        " 1",
        "1 ",
        "1_000",
        "0xg",
        "0x1g",
        "a",
        "ff",
        "1.0",
        "0b1",
        "18446744073709551616",
        "99999999999999999999",
        "0x10000000000000000",
        "1\0",
        "x1",
    ] {
        assert_eq!(number(text.as_bytes()), None, "{}", text.escape_default());
    }
    assert_eq!(number(b"18446744073709551615"), Some(u64::MAX));
    assert_eq!(number(b"0xffffffffffffffff"), Some(u64::MAX));
    assert_eq!(number(b"0"), Some(0));
}
