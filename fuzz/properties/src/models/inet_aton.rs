//! A model of glibc's inet_aton(3) as getaddrinfo(3) calls it: nothing may follow the address.

/// The address, first octet most significant.
pub(crate) fn inet_aton(text: &[u8]) -> Option<u32> {
    let parts: Vec<u64> = text.split(|byte| *byte == b'.').map(strtoul).collect::<Option<_>>()?;
    let (last, octets) = parts.split_last()?;
    if octets.len() > 3 || octets.iter().any(|octet| *octet > 0xff) {
        return None;
    }
    let room = 32 - 8 * octets.len();
    if *last >= 1 << room {
        return None;
    }
    let high = octets.iter().enumerate().map(|(place, octet)| octet << (24 - 8 * place)).sum::<u64>();
    u32::try_from(high | last).ok()
}

/// strtoul(3) with base 0 over all of a part that starts with a digit.
fn strtoul(part: &[u8]) -> Option<u64> {
    let part = std::str::from_utf8(part).ok()?;
    if !part.chars().all(|c| c.is_ascii_alphanumeric()) {
        return None;
    }
    let lower = part.to_ascii_lowercase();
    match (lower.strip_prefix("0x"), lower.strip_prefix('0')) {
        (Some(hex), _) => u64::from_str_radix(hex, 16).ok(),
        (None, Some("")) => Some(0),
        (None, Some(octal)) => u64::from_str_radix(octal, 8).ok(),
        (None, None) => lower.parse().ok(),
    }
}
