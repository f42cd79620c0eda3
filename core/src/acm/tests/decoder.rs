//! Replies in pieces.

use super::{ID, entry, message, reply};
use crate::acm::{Decoder, Reply, ReplyError, ReplyErrorKind};
use std::format;
use std::vec::Vec;

/// Pushes the pieces one after the other; what they give, or the fault and how many bytes had come with it.
fn pushed<'a>(pieces: impl IntoIterator<Item = &'a [u8]>) -> Result<Option<Reply>, ReplyError> {
    let mut decoder = Decoder::new(ID);
    for piece in pieces {
        let wanted = decoder.wanted();
        let taken = decoder.push(piece)?;
        assert!(taken <= piece.len());
        assert!(taken >= piece.len().min(wanted));
        // Taken whole, or complete.
        assert!(taken == piece.len() || decoder.wanted() == 0);
        assert_eq!(decoder.reply().is_some(), decoder.wanted() == 0);
    }
    Ok(decoder.reply().cloned())
}

#[test]
fn any_cut_gives_the_same() {
    let entries = [entry(0x2b, 16, &[3; 64]), entry(1, 2, &[192, 0, 2, 9]), entry(9, 9, &[9; 64])];
    let valid = (0..=3).map(|count| reply(0, &entries[..count]));
    let body = [0x55; 144];
    let invalid = [
        message(2, 1, 0, 160, ID, &body),
        message(1, 2, 0, 160, ID, &body),
        message(1, 1, 0, 161, ID, &body),
        message(1, 1, 0, 160, ID + 1, &body),
        message(0, 0, 0, 0, 0, &body),
        message(1, 1, 0, 232, ID, &body),
    ];
    let step = if cfg!(miri) { 61 } else { 1 };
    for bytes in valid.chain(invalid) {
        let whole = pushed([&bytes[..]]);
        for at in (0..=bytes.len()).step_by(step) {
            assert_eq!(pushed([&bytes[..at], &bytes[at..]]), whole, "cut at {at}");
            assert_eq!(pushed(bytes.chunks(at.max(1))), whole, "in pieces of {at}");
        }
    }
}

#[test]
fn it_wants_the_header_and_then_the_entries() {
    let bytes = reply(0, &[entry(1, 2, &[192, 0, 2, 9]), entry(0, 0, &[])]);
    let mut decoder = Decoder::new(ID);
    for (at, byte) in bytes.iter().enumerate() {
        assert_eq!(decoder.wanted(), if at < 16 { 16 - at } else { 160 - at });
        assert!(decoder.reply().is_none());
        assert_eq!(decoder.cut_short(), invalid(at, ReplyErrorKind::CutShort));
        assert_eq!(decoder.push(&[*byte]), Ok(1));
    }
    assert_eq!(decoder.wanted(), 0);
    assert_eq!(decoder.reply().unwrap().as_bytes(), bytes);
    assert_eq!(decoder.push(b"more"), Ok(0));
    assert_eq!(decoder.reply().unwrap().as_bytes(), bytes);
}

/// Two replies at once: the second is no part of the first.
#[test]
fn what_is_behind_the_reply_is_left() {
    let one = reply(0, &[entry(1, 2, &[192, 0, 2, 9])]);
    let two = [one.clone(), reply(3, &[])].concat();
    let mut decoder = Decoder::new(ID);
    assert_eq!(decoder.push(&two), Ok(one.len()));
    assert_eq!(decoder.reply().unwrap().as_bytes(), one);
    assert_eq!(Reply::from_bytes(&two, ID), Err(invalid(one.len(), ReplyErrorKind::Excess)));
}

#[test]
fn from_bytes_takes_all_of_a_reply() {
    let bytes = reply(6, &[entry(1, 2, &[192, 0, 2, 9])]);
    assert_eq!(Reply::from_bytes(&bytes, ID).unwrap().as_bytes(), bytes);
    for len in 0..bytes.len() {
        assert_eq!(Reply::from_bytes(&bytes[..len], ID), Err(invalid(len, ReplyErrorKind::CutShort)));
    }
}

pub(super) fn invalid(offset: usize, invalidity: ReplyErrorKind) -> ReplyError {
    ReplyError::new(offset, invalidity)
}

#[test]
fn debug_tells_the_state() {
    let mut decoder = Decoder::new(ID);
    assert_eq!(decoder.push(&[1, 1]), Ok(2));
    assert_eq!(format!("{decoder:?}"), "Decoder { filled: 2, wanted: 14 }");
    let states: Vec<_> = [decoder.clone(), decoder].map(|decoder| decoder.wanted()).into();
    assert_eq!(states, [14, 14]);
}
