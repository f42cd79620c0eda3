//! What can be the name of a host, and what cannot: the strict grammar only.

use super::NAME_MAX;

/// Whether a text that is no literal may be looked up as a host name.
///
/// Everything that no name service could know, or that would mean something else to another reader, is out.
pub(super) fn is_host_name(text: &[u8]) -> bool {
    let text_fits = !matches!(text, [] | b"*") && text.len() <= NAME_MAX;
    text_fits && text.iter().all(|byte| is_host_byte(*byte)) && !is_number(last_label(text))
}

/// Whether the byte can be in the name of a host. Other bytes than ASCII are the name service's affair.
#[inline]
pub(super) fn is_host_byte(byte: u8) -> bool {
    !matches!(byte, 0..=b' ' | 0x7f | b'%' | b':' | b'[' | b']')
}

/// What follows the last dot, but for one dot at the very end.
fn last_label(text: &[u8]) -> &[u8] {
    let name = match text {
        [name @ .., b'.'] => name,
        name => name,
    };
    name.rsplit(|byte| *byte == b'.').next().unwrap_or(name)
}

/// Decimal digits, or hexadecimal ones after `0x`: such a label makes the text an IPv4 address or nothing.
fn is_number(label: &[u8]) -> bool {
    match label {
        [b'0', b'x' | b'X', digits @ ..] => !digits.is_empty() && digits.iter().all(u8::is_ascii_hexdigit),
        digits => !digits.is_empty() && digits.iter().all(u8::is_ascii_digit),
    }
}
