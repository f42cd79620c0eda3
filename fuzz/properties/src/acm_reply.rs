//! Replies of ibacm: any cut gives the same, only valid ones are taken, and their entries are those in the bytes.

use crate::models::ibacm::valid_length;
use rdma_addrinfo_core::acm::{Decoder, Info, Reply, ReplyError, ReplyErrorKind};

// Two bytes that say how to cut, and what a daemon may send. The transaction id is that of the inputs in the corpus.
const ID: u64 = u64::from_ne_bytes(*b"transact");

/// Checks one input.
pub fn check(bytes: &[u8]) {
    let [first, more, sent @ ..] = bytes else { return };
    let (first, more) = (usize::from(*first), usize::from(*more).max(1));

    let at_once = pushed([sent]);
    let (head, rest) = sent.split_at(first.min(sent.len()));
    assert_eq!(at_once, pushed([head, rest]));
    assert_eq!(at_once, pushed(sent.chunks(more)));
    assert_eq!(at_once, pushed([head].into_iter().chain(rest.chunks(more))));

    let length = valid_length(sent, ID);
    match (&at_once, length) {
        (Ok(Some((reply, taken))), Some(length)) => {
            assert_eq!((reply.as_bytes(), *taken), (&sent[..length], length));
            read(reply);
        }
        (Ok(None), None) => assert!(sent.len() < 592),
        (Err(error), None) => {
            assert!(error.offset() < sent.len() && !error.to_string().is_empty());
        }
        (told, length) => panic!("{told:?}, but a valid length of {length:?}"),
    }

    match Reply::from_bytes(sent, ID) {
        Ok(reply) => assert_eq!((Some(reply.as_bytes().len()), length), (Some(sent.len()), Some(sent.len()))),
        Err(error) => match error.kind() {
            ReplyErrorKind::Excess => assert_eq!(Some(error.offset()), length),
            ReplyErrorKind::CutShort => assert_eq!((error.offset(), length), (sent.len(), None)),
            _ => assert_eq!(Err(error), at_once),
        },
    }
}

/// The reply and how many bytes were taken, once it is complete; nothing as long as it is not.
fn pushed<'a>(pieces: impl IntoIterator<Item = &'a [u8]>) -> Result<Option<(Reply, usize)>, ReplyError> {
    let mut decoder = Decoder::new(ID);
    let mut all = 0;
    for piece in pieces {
        let taken = decoder.push(piece)?;
        all += taken;
        assert!(taken == piece.len() || decoder.wanted() == 0);
        assert_eq!(decoder.reply().is_some(), decoder.wanted() == 0);
        assert_eq!(decoder.cut_short().offset(), all);
    }
    Ok(decoder.reply().cloned().map(|reply| (reply, all)))
}

/// Each entry as its bytes say.
fn read(reply: &Reply) {
    let entries = reply.as_bytes()[16..].chunks(72);
    assert_eq!(entries.len(), reply.entries().count());
    let mut paths = Vec::new();
    let mut sources = Vec::new();
    for (entry, bytes) in reply.entries().zip(entries) {
        assert_eq!(entry.flags().to_ne_bytes(), bytes[..4]);
        assert_eq!(entry.kind().to_ne_bytes(), bytes[4..6]);
        match (entry.kind(), entry.info()) {
            (1, Info::Name(name)) => {
                assert!(bytes[8..].starts_with(name) && !name.contains(&0));
                assert!(name.len() == 64 || bytes[8 + name.len()] == 0);
            }
            (2, Info::Address(std::net::IpAddr::V4(address))) => assert_eq!(address.octets(), bytes[8..12]),
            (3, Info::Address(std::net::IpAddr::V6(address))) => assert_eq!(address.octets(), bytes[8..24]),
            (16, Info::Path(path)) => {
                assert_eq!(path.as_bytes()[..], [&bytes[..4], &[0; 4], &bytes[8..]].concat());
                paths.push(path);
            }
            (_, Info::Unknown(info)) => assert_eq!(info[..], bytes[8..]),
            (kind, info) => panic!("type {kind} as {info:?}"),
        }
        if let (2 | 3, Info::Address(address), 1) = (entry.kind(), entry.info(), entry.flags() & 1) {
            sources.push(address);
        }
        assert!(!entry.to_string().is_empty());
    }
    assert!(reply.paths().eq(paths) && reply.sources().eq(sources));
    assert!(reply.to_string().starts_with(&reply.status().to_string()));
}
