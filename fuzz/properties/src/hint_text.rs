//! Hints: what is read is written so that it is read again as the same.

use rdma_addrinfo_core::{ErrorKind, Hints, Location};

/// Checks one input.
pub fn check(bytes: &[u8]) {
    let Ok(text) = str::from_utf8(bytes) else { return };
    let mut room = [0; 288];
    let hints = match Hints::parse_with(text, &mut room) {
        Ok(hints) => hints,
        Err(error) => {
            assert_eq!(error.kind(), ErrorKind::Invalid);
            let Location::Text(offset) = error.location() else { panic!("{error:?}") };
            assert!(offset <= text.len(), "{error:?}");
            return;
        }
    };
    let written = hints.to_string();
    let mut room = [0; 288];
    let again = Hints::parse_with(&written, &mut room).expect("what was written can be read");
    assert_eq!(again, hints, "{written}");
    assert_eq!(again.to_string(), written);

    let without_room = Hints::parse(&written);
    match hints.route() {
        [] => assert_eq!(without_room, Ok(hints)),
        _ => assert!(without_room.is_err()),
    }
    if let Err(error) = hints.validate() {
        assert!(matches!(error.location(), Location::Hints(_)), "{error:?}");
    }
}
