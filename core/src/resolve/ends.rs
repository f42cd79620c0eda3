//! Source and destination of one entry, which must fit each other.

use super::summary::LeftOut;
use crate::addrinfo::Storage;
use crate::sockaddr::SockAddrBuf;
use crate::types::Family;

/// Source and destination as they belong together by the manual page: a mapped source of an IPv4 destination is an IPv4
/// address, and of two link-local addresses one without a zone is in the other's.
///
/// # Errors
/// They do not fit: the families or the zones differ.
#[cold]
pub(super) fn fit(src: SockAddrBuf, dst: SockAddrBuf) -> Result<(SockAddrBuf, SockAddrBuf), LeftOut> {
    let src = if dst.family() == Family::INET { src.unmapped() } else { src };
    if src.family() != dst.family() {
        return Err(LeftOut::OtherFamily);
    }
    match (src.zone(), dst.zone()) {
        (Some(0), Some(zone)) => Ok((src.with_zone(zone), dst)),
        (Some(zone), Some(0)) => Ok((src, dst.with_zone(zone))),
        (Some(one), Some(other)) if one != other => Err(LeftOut::ContraryZones),
        _ => Ok((src, dst)),
    }
}

/// Makes the ends of the last entry fit, whose addresses do.
#[cold]
pub(super) fn fit_last(results: &mut Storage<'_>) {
    if let Some(last) = results.entries.as_mut_slice().last_mut()
        && let Ok((src, dst)) = fit(last.src, last.dst)
    {
        (last.src, last.dst) = (src, dst);
    }
}
