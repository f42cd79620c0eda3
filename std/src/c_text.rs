//! Text for C: the same bytes with a NUL behind them.

use rdma_addrinfo_core::{Error, ErrorKind, Location, Reason, Text};
use std::ffi::CStr;

/// Text up to this many bytes needs no memory from the heap. Names of DNS have 255 at most.
const SHORT: usize = 255;

/// Calls `then` with the text as a C string, which it may be already; `None` for none.
///
/// # Errors
/// - [`ErrorKind::Invalid`]: a NUL inside the text, placed by `location`;
/// - [`ErrorKind::Memory`]: there is none for a long text;
/// - those of `then`.
pub(crate) fn with_c_text<R>(
    text: Text<'_>,
    location: fn(usize) -> Location,
    then: impl FnOnce(Option<&CStr>) -> Result<R, Error>,
) -> Result<R, Error> {
    if let Some(text) = text.as_c_str() {
        return then(Some(text));
    }
    let Some(bytes) = text.bytes() else { return then(None) };
    if let Some(offset) = bytes.iter().position(|byte| *byte == 0) {
        return Err(Error::new(ErrorKind::Invalid).because(Reason::Nul).at(location(offset)));
    }
    let mut short = [0; SHORT + 1];
    let mut long = Vec::new();
    let room = match short.get_mut(..=bytes.len()) {
        Some(room) => room,
        None => {
            let length = bytes.len() + 1;
            long.try_reserve_exact(length).map_err(|_| ErrorKind::Memory)?;
            long.resize(length, 0);
            &mut long[..]
        }
    };
    // One byte longer than the text, and zero there.
    room[..bytes.len()].copy_from_slice(bytes);
    then(CStr::from_bytes_until_nul(room).ok())
}
