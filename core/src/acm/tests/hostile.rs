//! Replies that are none: each fault with its offset, told with the byte that settles it.

use super::decoder::invalid;
use super::{ID, entry, message};
use crate::acm::{Decoder, Reply, ReplyError, ReplyErrorKind};
use std::string::ToString;
use std::vec::Vec;

/// The fault of a message and how many of its bytes it takes to tell.
fn fault(bytes: &[u8]) -> (ReplyError, usize) {
    let mut decoder = Decoder::new(ID);
    for (at, byte) in bytes.iter().enumerate() {
        if let Err(error) = decoder.push(&[*byte]) {
            assert!(decoder.reply().is_none());
            assert_eq!((decoder.wanted(), decoder.push(&[1; 600])), (0, Err(error)), "it stays so");
            assert_eq!(Reply::from_bytes(bytes, ID), Err(error));
            return (error, at + 1);
        }
    }
    panic!("no fault in {bytes:02x?}");
}

#[test]
fn every_version_but_1() {
    let step = if cfg!(miri) { 51 } else { 1 };
    for version in (0..=255).step_by(step).filter(|version| *version != 1) {
        let bytes = message(version, 1, 0, 16, ID, &[]);
        assert_eq!(fault(&bytes), (invalid(0, ReplyErrorKind::Version(version)), 1));
    }
}

/// The operation's four low bits count; replies to other queries are of other bytes order, and not looked into.
#[test]
fn every_operation() {
    let step = if cfg!(miri) { 16 } else { 1 };
    for opcode in (0..=255).step_by(step).chain([0x02, 0x03, 0x81]) {
        let bytes = message(1, opcode, 0, 16, ID, &[]);
        if opcode & 0x0f == 1 {
            assert_eq!(Reply::from_bytes(&bytes, ID).unwrap().as_bytes(), bytes);
        } else {
            assert_eq!(fault(&bytes), (invalid(1, ReplyErrorKind::Opcode(opcode)), 2));
        }
    }
    for opcode in [0x82, 0x83] {
        let swapped = message(1, opcode, 0, usize::from(88_u16.swap_bytes()), ID.swap_bytes(), &[0; 72]);
        assert_eq!(fault(&swapped).0, invalid(1, ReplyErrorKind::Opcode(opcode)));
    }
}

#[test]
fn every_length() {
    let body = [0; 576];
    let step = if cfg!(miri) { 4001 } else { 1 };
    for length in (0..=65535_u16).step_by(step).chain((0..=8).map(|count| 16 + 72 * count)) {
        let bytes = message(1, 1, 0, length.into(), ID, &body);
        let valid = (0..=8).any(|count| length == 16 + 72 * count);
        if valid {
            let bytes = &bytes[..length.into()];
            assert_eq!(
                Reply::from_bytes(bytes, ID).unwrap().entries().count(),
                usize::from((length - 16) / 72)
            );
        } else {
            assert_eq!(fault(&bytes), (invalid(6, ReplyErrorKind::Length(length)), 8), "{length}");
        }
    }
    // Nine entries, and all of them there.
    let nine = message(1, 1, 0, 16 + 72 * 9, ID, &[0; 648]);
    assert_eq!(fault(&nine), (invalid(6, ReplyErrorKind::Length(664)), 8));
}

#[test]
fn every_other_transaction_id() {
    let step = if cfg!(miri) { 21 } else { 1 };
    let ids = (0..64).step_by(step).map(|bit| ID ^ (1 << bit)).chain([0, u64::MAX, ID.swap_bytes()]);
    for id in ids {
        let bytes = message(1, 0x81, 0, 16, id, &[]);
        assert_eq!(fault(&bytes), (invalid(8, ReplyErrorKind::TransactionId), 16));
    }
    // The late reply of before, path and all.
    let before = message(1, 0x81, 0, 88, ID - 1, &entry(0x2b, 16, &[1; 64]));
    assert_eq!(fault(&before), (invalid(8, ReplyErrorKind::TransactionId), 16));
}

/// The first of several faults is told.
#[test]
fn faults_in_their_order() {
    for (bytes, offset) in [
        (message(0, 0, 0, 1, 0, &[]), 0),
        (message(1, 0, 0, 1, 0, &[]), 1),
        (message(1, 1, 0, 1, 0, &[]), 6),
        (message(1, 1, 0, 16, 0, &[]), 8),
    ] {
        assert_eq!(fault(&bytes).0.offset(), offset);
    }
}

#[test]
fn messages_say_what_and_where() {
    let errors = [
        (invalid(0, ReplyErrorKind::Version(2)), "version 2, not 1 (byte 0)"),
        (invalid(1, ReplyErrorKind::Opcode(0x82)), "operation 0x82, not 0x01 (byte 1)"),
        (
            invalid(6, ReplyErrorKind::Length(17)),
            "length 17, not 16 and 72 for each of up to 8 entries (byte 6)",
        ),
        (invalid(8, ReplyErrorKind::TransactionId), "reply to another request (byte 8)"),
        (invalid(5, ReplyErrorKind::CutShort), "it is cut short (byte 5)"),
        (invalid(88, ReplyErrorKind::Excess), "bytes behind its end (byte 88)"),
    ];
    for (error, message) in errors {
        assert_eq!(error.to_string(), message);
    }
    let told: Vec<_> = errors.iter().map(|(error, _)| error.kind()).collect();
    assert_eq!((told[2], told[5]), (ReplyErrorKind::Length(17), ReplyErrorKind::Excess));
}
