//! Where text that could only be an IPv6 address goes wrong.

use super::{Fault, byte_fault, ipv4};
use crate::error::Reason;

/// The first byte after which no IPv6 address is left that starts so, or the end of the text where bytes are missing.
/// Of a dotted tail, the part.
pub(super) fn fault(text: &[u8]) -> Fault {
    let mut groups = 0_u32;
    let mut gap = false;
    // Digits in this group, and colons before it.
    let mut digits = 0_u32;
    let mut colons = 0_u32;
    let mut rest = text;
    // Where this group starts.
    let mut group = text;
    let at = |rest: &[u8]| text.len().wrapping_sub(rest.len());
    loop {
        let limit = if gap { 7 } else { 8 };
        match rest {
            [b':', ..] => {
                match colons {
                    _ if groups == limit && digits > 0 => return (Reason::TooManyGroups, at(rest)),
                    _ if digits > 0 => colons = 1,
                    // A third colon, or a second gap.
                    _ if gap => return (Reason::SecondGap, at(rest)),
                    1 => {
                        gap = true;
                        colons = 2;
                    }
                    _ => colons = 1,
                }
                digits = 0;
            }
            [byte, ..] if byte.is_ascii_hexdigit() => {
                if groups == 0 && colons == 1 {
                    return (Reason::LoneColon, 0);
                }
                if digits == 0 {
                    group = rest;
                    groups = groups.wrapping_add(1);
                }
                digits = digits.wrapping_add(1);
                if digits > 4 {
                    return (Reason::LongGroup, at(rest));
                }
                if groups > limit {
                    return (Reason::TooManyGroups, at(rest));
                }
            }
            [b'.', ..] if digits > 0 => {
                // A dotted tail stands for two groups, of which one is counted.
                return match groups {
                    1 if !gap => (Reason::NotIpv6, at(rest)),
                    7.. if gap || groups > 7 => (Reason::TooManyGroups, at(rest)),
                    ..7 if !gap => (Reason::TooFewGroups, at(rest)),
                    _ => {
                        let tail = group.split(|byte| *byte == b'%').next().unwrap_or(group);
                        let (reason, offset) = ipv4::fault(tail);
                        (reason, at(group).wrapping_add(offset))
                    }
                };
            }
            [] | [b'%', ..] if digits == 0 && colons == 1 => {
                return (Reason::LoneColon, at(rest).wrapping_sub(1));
            }
            [] | [b'%', ..] => return (Reason::TooFewGroups, at(rest)),
            [byte, ..] => return (byte_fault(*byte, Reason::NotIpv6), at(rest)),
        }
        (_, rest) = rest.split_at_checked(1).unwrap_or_default();
    }
}
