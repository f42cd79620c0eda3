//! Entries from hints alone, without node and service.

use super::cursor::known_no_route;
use super::ends;
use super::plan::{hinted, other_family};
use super::summary::{LeftOut, Summary, contrary_zones};
use crate::addrinfo::{Entry, Storage};
use crate::error::{Error, ErrorKind, Field, Location, Reason};
use crate::hints::Hints;
use crate::request::Request;
use crate::route::{PathRecord, RouteHint};
use crate::sockaddr::SockAddrBuf;
use crate::types::{Family, Flags, Gid, PortSpace, ServiceId};

/// Makes the one entry that the hints describe, and what the route hint says of its path.
pub(super) fn entries_from_hints(
    request: &Request<'_>,
    results: &mut Storage<'_>,
) -> Result<(Summary, Option<PathRecord>), Error> {
    let hints = request.hints();
    let mut summary = Summary::EMPTY;
    let is_strict = request.policy.is_strict();
    let hint = if is_strict {
        let (entry, hint, only_route) = strict(hints)?;
        summary = summary.push(entry, results);
        if let Some(route) = hint.filter(|_| only_route) {
            add_route(route, &mut summary, results);
        }
        Ok(hint)
    } else {
        summary = summary.push(repeated(hints), results);
        hints.route_hint()
    };
    if let Some(entry) = results.entries.as_mut_slice().first_mut() {
        entry.no_route = known_no_route(entry, request);
    }
    Ok((summary, hinted(hint, is_strict)?))
}

/// The entry of librdmacm: the fields of the hints, unchecked.
fn repeated(hints: &Hints<'_>) -> Entry {
    Entry {
        flags: hints.flags(),
        family: hints.family(),
        qp_type: hints.qp_type(),
        port_space: hints.port_space(),
        src: *hints.src_addr(),
        dst: *hints.dst_addr(),
        ..Entry::empty()
    }
}

/// The entry of the manual page: addresses of one family, which is the entry's. Where there is no address the
/// route hint gives both, and is the entry's route if it leads to a destination: the last says whether.
fn strict<'a>(hints: &Hints<'a>) -> Result<(Entry, Option<RouteHint<'a>>, bool), Error> {
    hints.check_family()?;
    let transport = hints.transport();
    transport.check(true)?;
    let (qp_type, port_space) = transport.settle(transport.protocol());
    let route = hints.route_hint()?;
    let passive = hints.is_passive();

    let (mut src, mut dst) = (*hints.src_addr(), *hints.dst_addr());
    let mut only_route = false;
    if src.is_none() && dst.is_none() {
        let path = route.and_then(|route| route.first());
        if let Some(path) = path {
            (src, dst) = ends(&path, port_space);
            only_route = !passive && !dst.is_none();
        }
    }
    if passive {
        dst = SockAddrBuf::NONE;
    }
    if hints.family() != Family::INET6 {
        (src, dst) = (src.unmapped(), dst.unmapped());
    }
    if !src.is_none() && !dst.is_none() {
        (src, dst) = match ends::fit(src, dst) {
            Err(LeftOut::ContraryZones) => return Err(contrary_zones()),
            fitting => fitting.unwrap_or((src, dst)),
        };
    }
    let family = match (src.family(), dst.family()) {
        (Family::UNSPEC, Family::UNSPEC) => {
            return Err(Error::new(ErrorKind::NoName).because(Reason::NothingAsked));
        }
        (Family::UNSPEC, family) | (family, Family::UNSPEC) => family,
        (src, dst) if src != dst => {
            return Err(Error::new(ErrorKind::AddrFamily)
                .because(Reason::SourceOfOtherFamily)
                .at(Location::Hints(Field::Destination)));
        }
        (family, _) => family,
    };
    if hints.family() != Family::UNSPEC && hints.family() != family {
        return Err(other_family().at(Location::Hints(Field::Family)));
    }
    let flags = if passive { Flags::PASSIVE } else { Flags::empty() };
    Ok((Entry { flags, family, qp_type, port_space, src, dst, ..Entry::empty() }, route, only_route))
}

/// The two ends of a path as AF_IB addresses; a GID of zero is none.
fn ends(path: &PathRecord, port_space: PortSpace) -> (SockAddrBuf, SockAddrBuf) {
    let address = |gid: Gid| {
        if gid == Gid::UNSPECIFIED {
            return SockAddrBuf::NONE;
        }
        let sid = ServiceId::from_port(port_space, 0);
        let mask = ServiceId::mask_for(port_space, 0);
        SockAddrBuf::ib(gid, path.pkey(), path.flow_label(), sid, mask, 0)
    };
    (address(path.sgid()), address(path.dgid()))
}

/// Keeps the route as the entry's.
fn add_route(route: RouteHint<'_>, summary: &mut Summary, results: &mut Storage<'_>) {
    let Some(kept) = results.push_paths(&mut route.paths()) else {
        summary.truncated = true;
        return;
    };
    if let Some(entry) = results.entries.as_mut_slice().first_mut() {
        entry.route = kept;
    }
}
