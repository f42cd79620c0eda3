//! Messages of ibacm from their parts, made without the library.

/// An entry of a message.
pub(crate) fn entry(flags: u32, kind: u16, info: [u8; 64]) -> [u8; 72] {
    let mut entry = [0; 72];
    entry[..4].copy_from_slice(&flags.to_ne_bytes());
    entry[4..6].copy_from_slice(&kind.to_ne_bytes());
    entry[8..].copy_from_slice(&info);
    entry
}

/// A valid reply.
pub(crate) fn reply(status: u8, id: u64, entries: &[[u8; 72]]) -> Vec<u8> {
    let length = u16::try_from(16 + 72 * entries.len()).expect("a few entries");
    let mut bytes = vec![1, 1, status, 0, 0, 0];
    bytes.extend(length.to_ne_bytes());
    bytes.extend(id.to_ne_bytes());
    bytes.extend(entries.concat());
    bytes
}

/// Whether a reply to the request with this id starts the bytes, and how long it is.
pub(crate) fn valid_length(bytes: &[u8], id: u64) -> Option<usize> {
    let (header, rest) = bytes.split_at_checked(16)?;
    let length = usize::from(u16::from_ne_bytes([header[6], header[7]]));
    let valid = header[0] == 1
        && header[1] % 16 == 1
        && header[8..] == id.to_ne_bytes()
        && (0..=8).any(|count| length == 16 + 72 * count);
    (valid && length - 16 <= rest.len()).then_some(length)
}
