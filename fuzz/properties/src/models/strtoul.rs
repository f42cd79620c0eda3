//! A model of how glibc's getaddrinfo(3) reads a service.

/// What a service is to glibc.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Read {
    /// A port.
    Port(u16),
    /// A name, or a negative number, which is looked up as one.
    Name {
        /// Whether all of it is a number to strtoul(3).
        is_number: bool,
    },
}

/// Reads a service as strtoul(3) with base 10 does, where `long` has 64 bits, and stores it in an `int`.
pub(crate) fn service(text: &[u8]) -> Read {
    if text.is_empty() {
        return Read::Port(0);
    }
    let start = text.iter().position(|byte| !b" \t\n\x0b\x0c\r".contains(byte)).unwrap_or(text.len());
    let signed = &text[start..];
    let (is_negative, digits) = match signed.first() {
        Some(sign @ (b'-' | b'+')) => (*sign == b'-', &signed[1..]),
        _ => (false, signed),
    };
    if digits.is_empty() || !digits.iter().all(u8::is_ascii_digit) {
        return Read::Name { is_number: false };
    }
    // A number too large for 128 bits is too large for 64.
    let digits = str::from_utf8(digits).expect("digits");
    let value = digits.parse::<u128>().ok().and_then(|value| u64::try_from(value).ok());
    let value = match value {
        Some(value) if is_negative => value.wrapping_neg(),
        Some(value) => value,
        None => u64::MAX,
    };
    let [.., a, b, c, d] = value.to_be_bytes();
    match i32::from_be_bytes([a, b, c, d]) {
        0.. => Read::Port(u16::from_be_bytes([c, d])),
        _ => Read::Name { is_number: true },
    }
}
