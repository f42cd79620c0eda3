//! Text to an address: the inverse of Display.

use super::SockAddrBuf;
use crate::error::{Error, ErrorKind, Location, Reason};
use crate::text;
use crate::types::{Gid, Pkey, ServiceId};
use core::str::FromStr;

impl FromStr for SockAddrBuf {
    type Err = Error;

    /// Reads `192.0.2.9`, `192.0.2.9:7471`, `fe80::1%2`, `[fe80::1%2]:7471`, `ib:fe80::1`, with the parts
    /// `/flow=`, and for AF_IB `/pkey=`, `/sid=`, `/mask=` behind it. A zone is the index of an interface here;
    /// an AF_IB address without `/pkey=` has the P_Key 0.
    ///
    /// # Errors
    /// [`ErrorKind::Invalid`] with the offset of the part that is wrong.
    fn from_str(text: &str) -> Result<Self, Error> {
        parse(text.as_bytes()).map_err(|(offset, reason)| {
            Error::new(ErrorKind::Invalid).because(reason).at(Location::Text(offset))
        })
    }
}

/// The P_Key of the part `pkey=` behind a GID, which starts at this offset of the text.
///
/// # Errors
/// It is another part, or no P_Key: the offset, and what is wrong there.
pub(crate) fn pkey_part(parts: &[u8], at: usize) -> Result<Pkey, (usize, Reason)> {
    let [pkey] = values(Some(parts), at, [(b"pkey", u64::from(u16::MAX))])?;
    Ok(Pkey::from_raw(narrow(pkey)?))
}

/// What was read, or the offset and what is wrong there.
type At<T> = Result<T, (usize, Reason)>;

impl SockAddrBuf {
    /// The same of bytes.
    #[inline]
    pub(crate) fn from_text(text: &[u8]) -> At<Self> {
        parse(text)
    }
}

fn parse(text: &[u8]) -> At<SockAddrBuf> {
    let (address, parts) = cut(text, b'/');
    let parts_at = address.len().saturating_add(1);
    match address {
        [b'i' | b'I', b'b' | b'B', b':', gid @ ..] => {
            let (gid, zone) = cut(gid, b'%');
            let zone_at = gid.len().saturating_add(4);
            let gid = text::gid(gid).ok_or((3, Reason::NotGid))?;
            let scope = number(zone, zone_at, u64::MAX)?;
            let [pkey, flow, sid, mask] = values(
                parts,
                parts_at,
                [
                    (b"pkey", u64::from(u16::MAX)),
                    (b"flow", u64::from(u32::MAX)),
                    (b"sid", u64::MAX),
                    (b"mask", u64::MAX),
                ],
            )?;
            let pkey = Pkey::from_raw(narrow(pkey)?);
            Ok(SockAddrBuf::ib(
                Gid::from_bits(gid),
                pkey,
                narrow(flow)?,
                ServiceId::from_raw(sid),
                mask,
                scope,
            ))
        }
        [b'[', rest @ ..] => {
            let (address, rest) = cut(rest, b']');
            let rest_at = address.len().saturating_add(2);
            let port = match rest {
                None | Some([]) => 0,
                Some([b':', port @ ..]) => {
                    text::port(port).ok_or((rest_at.saturating_add(1), Reason::NotPort))?
                }
                Some(_) => return Err((rest_at, Reason::NotPort)),
            };
            if rest.is_none() {
                return Err((0, Reason::NotAddress));
            }
            inet6(address, 1, port, parts, parts_at)
        }
        _ => {
            let (head, port) = cut(address, b':');
            match text::ipv4(head) {
                Some(v4) => {
                    let port_at = head.len().saturating_add(1);
                    let port = match port {
                        None => 0,
                        Some(port) => text::port(port).ok_or((port_at, Reason::NotPort))?,
                    };
                    let [] = values(parts, parts_at, [])?;
                    Ok(SockAddrBuf::inet(v4, port))
                }
                None => inet6(address, 0, 0, parts, parts_at),
            }
        }
    }
}

fn inet6(address: &[u8], at: usize, port: u16, parts: Option<&[u8]>, parts_at: usize) -> At<SockAddrBuf> {
    let (address, zone) = cut(address, b'%');
    let bits = text::ipv6(address).ok_or((at, Reason::NotAddress))?;
    let zone_at = at.saturating_add(address.len()).saturating_add(1);
    let scope = number(zone, zone_at, u64::from(u32::MAX))?;
    let [flow] = values(parts, parts_at, [(b"flow", u64::from(u32::MAX))])?;
    Ok(SockAddrBuf::inet6(bits, port, narrow(flow)?, narrow(scope)?))
}

/// The text before the first `at`, and the text behind it where there is one.
#[inline]
pub(crate) fn cut(text: &[u8], at: u8) -> (&[u8], Option<&[u8]>) {
    let end = text.iter().position(|byte| *byte == at).unwrap_or(text.len());
    match text.split_at_checked(end) {
        Some((head, [_, tail @ ..])) => (head, Some(tail)),
        _ => (text, None),
    }
}

/// A number of at most `most`, 0 where there is none.
fn number(text: Option<&[u8]>, at: usize, most: u64) -> At<u64> {
    match text {
        None => Ok(0),
        Some(text) => text::number(text).filter(|number| *number <= most).ok_or((at, Reason::NotNumber)),
    }
}

/// A number that [`number`] or [`values`] has bounded.
fn narrow<T: TryFrom<u64>>(number: u64) -> At<T> {
    T::try_from(number).map_err(|_| (0, Reason::NotNumber))
}

/// The values of `name=value` parts with `/` between them, each name at most once, in any order.
fn values<const N: usize>(parts: Option<&[u8]>, mut at: usize, names: [(&[u8], u64); N]) -> At<[u64; N]> {
    let mut values = [None; N];
    let mut rest = parts;
    while let Some(parts) = rest {
        let (part, next) = cut(parts, b'/');
        let (name, value) = cut(part, b'=');
        let slot = names.iter().zip(&mut values).find(|((known, _), _)| *known == name);
        match (slot, value) {
            (Some(((_, most), slot @ None)), Some(value)) => {
                let value_at = at.saturating_add(name.len()).saturating_add(1);
                *slot = Some(number(Some(value), value_at, *most)?);
            }
            _ => return Err((at, Reason::UnknownPart)),
        }
        at = at.saturating_add(part.len()).saturating_add(1);
        rest = next;
    }
    Ok(values.map(Option::unwrap_or_default))
}
