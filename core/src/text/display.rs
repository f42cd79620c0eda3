//! Addresses to text, without a path that can panic.

use super::line::Line;
use core::fmt::{self, Write};

/// An IPv4 address, the first octet most significant, that is displayed in dotted-decimal form.
///
/// Width and other format parameters are ignored.
///
/// ```
/// use rdma_addrinfo_core::text::Ipv4Text;
///
/// assert_eq!(Ipv4Text(0xc000_0207).to_string(), "192.0.2.7");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[doc(alias = "inet_ntop")]
pub struct Ipv4Text(pub u32);

/// An IPv6 address or a GID, the first octet most significant, that is displayed as RFC 5952 recommends.
///
/// IPv4-mapped addresses end in dotted-decimal form. Width and other format parameters are ignored.
///
/// ```
/// use rdma_addrinfo_core::text::Ipv6Text;
///
/// assert_eq!(Ipv6Text(0x2001_0db8 << 96 | 7).to_string(), "2001:db8::7");
/// assert_eq!(Ipv6Text(0xffff_c000_0207).to_string(), "::ffff:192.0.2.7");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[doc(alias = "inet_ntop")]
pub struct Ipv6Text(pub u128);

impl fmt::Display for Ipv4Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Line::write(f, |line| line.ipv4(self.0))
    }
}

impl fmt::Display for Ipv6Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Line::write(f, |line| line.ipv6(self.0))
    }
}

impl<W: Write> Line<'_, W> {
    /// Puts what [`Ipv4Text`] displays.
    pub(crate) fn ipv4(&mut self, address: u32) -> fmt::Result {
        let [a, b, c, d] = address.to_be_bytes();
        self.octet(a)?;
        for octet in [b, c, d] {
            self.ascii(b'.')?;
            self.octet(octet)?;
        }
        Ok(())
    }

    /// Puts what [`Ipv6Text`] displays.
    pub(crate) fn ipv6(&mut self, address: u128) -> fmt::Result {
        match u32::try_from(address ^ 0xffff_0000_0000) {
            Ok(ipv4) => {
                self.write_str("::ffff:")?;
                self.ipv4(ipv4)
            }
            Err(_) => self.groups(address),
        }
    }

    fn octet(&mut self, octet: u8) -> fmt::Result {
        let decimal = |value: u8| b'0'.wrapping_add(value % 10);
        if octet >= 100 {
            self.ascii(decimal(octet / 100))?;
        }
        if octet >= 10 {
            self.ascii(decimal(octet / 10))?;
        }
        self.ascii(decimal(octet))
    }

    fn groups(&mut self, address: u128) -> fmt::Result {
        let gap = Gap::of(address);
        let mut colon = false;
        for (place, shift) in (0..8_u32).zip([112, 96, 80, 64, 48, 32, 16, 0_u32]) {
            if place == gap.start {
                self.write_str("::")?;
                colon = false;
            }
            if gap.holds(place) {
                continue;
            }
            if colon {
                self.ascii(b':')?;
            }
            self.group(address.wrapping_shr(shift))?;
            colon = true;
        }
        Ok(())
    }

    /// The low 16 bits, in lower-case hexadecimal without leading zeros.
    fn group(&mut self, value: u128) -> fmt::Result {
        let mut started = false;
        for shift in [12, 8, 4, 0_u32] {
            let [nibble, ..] = (value.wrapping_shr(shift) & 0xf).to_le_bytes();
            started |= nibble != 0 || shift == 0;
            if started {
                self.ascii(nibble.wrapping_add(if nibble < 10 { b'0' } else { b'a'.wrapping_sub(10) }))?;
            }
        }
        Ok(())
    }
}

/// The groups that `::` stands for: the first of the longest runs of two or more groups of zeros.
struct Gap {
    start: u32,
    len: u32,
}

impl Gap {
    fn of(address: u128) -> Self {
        let mut longest = Self { start: u32::MAX, len: 1 };
        let mut start = 0_u32;
        while start < 8 {
            // Zero groups from here on, as many as there are.
            let rest = address.checked_shl(start.wrapping_mul(16)).unwrap_or(0);
            let len = (rest.leading_zeros() / 16).min(8_u32.wrapping_sub(start));
            if len > longest.len {
                longest = Self { start, len };
            }
            start = start.wrapping_add(len).wrapping_add(1);
        }
        longest
    }

    fn holds(&self, place: u32) -> bool {
        place.checked_sub(self.start).is_some_and(|place| place < self.len)
    }
}
