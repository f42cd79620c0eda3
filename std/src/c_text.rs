//! Text for C: the same bytes followed by a NUL.

use rdma_addrinfo_core::{Error, ErrorKind, Location, Reason, Text};
use std::ffi::CStr;

/// Text up to this many bytes is not allocated on the heap. DNS names have at most 255.
const SHORT: usize = 255;

/// Calls `then` with the text as a C string, copied unless it is one; `None` for none.
///
/// # Errors
/// - [`ErrorKind::Invalid`]: a NUL inside the text, at `location`;
/// - [`ErrorKind::Memory`]: no memory for a long text;
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
    // One byte longer than the text, which stays zero.
    room[..bytes.len()].copy_from_slice(bytes);
    then(CStr::from_bytes_until_nul(room).ok())
}
