//! What a text was made from, and what it is.

use super::*;
use crate::results::Results;
use core::net::SocketAddr;

#[test]
fn texts_are_what_they_were_made_from() {
    let bytes: Option<&[u8]> = Some(b"storage-7");
    for (text, c_string) in [
        (Text::from("storage-7"), None),
        (Text::from(Some("storage-7")), None),
        (Text::from_bytes(b"storage-7"), None),
        (Text::from(c"storage-7"), Some(c"storage-7")),
    ] {
        assert_eq!((text.bytes(), text.as_c_str(), text.is_none()), (bytes, c_string, false));
        // By the bytes alone.
        assert_eq!(text, Text::from("storage-7"));
        assert_ne!(text, Text::from("storage-8"));
    }
    for nothing in [Text::NONE, Text::default(), Text::from(None)] {
        assert_eq!((nothing.bytes(), nothing.as_c_str(), nothing.is_none()), (None, None, true));
        // Empty text is a text.
        assert_ne!(nothing, Text::from(""));
    }
    assert!(!Text::from("").is_none() && !Text::from(c"").is_none());
}

#[test]
fn c_strings_are_resolved_as_other_texts_are() {
    let mut results = Results::<1>::new();
    let list = Request::new(c"192.0.2.7", c"7471", None).resolve_literal(&mut results).unwrap();
    let to = list.first().and_then(|info| info.dst_addr()?.try_into().ok());
    assert_eq!(to, Some(SocketAddr::from(([192, 0, 2, 7], 7471))));
}
