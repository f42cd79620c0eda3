//! Entries from hints alone, without node and service.

use super::place::other_family;
use super::placed::Placed;
use super::route::known_no_route;
use crate::addrinfo::{Entry, Storage};
use crate::error::{Error, ErrorKind, Field, Location, Reason};
use crate::hints::Hints;
use crate::request::Request;
use crate::route::{PathRecord, RouteHint};
use crate::sockaddr::SockAddrBuf;
use crate::types::{Family, Flags, Gid, PortSpace, ServiceId};

/// Places the one entry that the hints tell.
pub(super) fn place(request: &Request<'_>, results: &mut Storage<'_>) -> Result<Placed, Error> {
    let hints = request.hints();
    let mut placed = Placed::EMPTY;
    if request.policy.is_strict() {
        let (entry, route) = strict(hints)?;
        placed = placed.push(entry, results);
        if let Some(route) = route {
            add_route(route, &mut placed, results);
        }
    } else {
        placed = placed.push(repeated(hints), results);
    }
    if let Some(entry) = results.entries.as_mut_slice().first_mut() {
        entry.no_route = known_no_route(entry, request);
    }
    Ok(placed)
}

/// The entry of librdmacm: the fields of the hints, unchecked.
fn repeated(hints: &Hints<'_>) -> Entry {
    Entry {
        flags: hints.get_flags(),
        family: hints.get_family(),
        qp_type: hints.get_qp_type(),
        port_space: hints.get_port_space(),
        src: *hints.get_src_addr(),
        dst: *hints.get_dst_addr(),
        ..Entry::empty()
    }
}

/// The entry of the manual page: addresses of one family, which is the entry's. Where there is no address the
/// route tells both, and is the entry's route if it leads to a destination.
fn strict<'a>(hints: &Hints<'a>) -> Result<(Entry, Option<RouteHint<'a>>), Error> {
    hints.check_family()?;
    let transport = hints.transport();
    transport.check(true)?;
    let (qp_type, port_space) = transport.settle(transport.protocol());
    let route = hints.route_hint()?;
    let passive = hints.is_passive();

    let (mut src, mut dst) = (*hints.get_src_addr(), *hints.get_dst_addr());
    let mut only_route = None;
    if src.is_none() && dst.is_none() {
        let path = route.and_then(|route| route.first());
        if let Some(path) = path {
            (src, dst) = ends(&path, port_space);
            only_route = route.filter(|_| !passive && !dst.is_none());
        }
    }
    if passive {
        dst = SockAddrBuf::NONE;
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
    if hints.get_family() != Family::UNSPEC && hints.get_family() != family {
        return Err(other_family().at(Location::Hints(Field::Family)));
    }
    let flags = if passive { Flags::PASSIVE } else { Flags::empty() };
    Ok((Entry { flags, family, qp_type, port_space, src, dst, ..Entry::empty() }, only_route))
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

/// Keeps the route in the storage as the entry's.
fn add_route(route: RouteHint<'_>, placed: &mut Placed, results: &mut Storage<'_>) {
    let Some(kept) = results.push_paths(&mut route.paths()) else {
        placed.truncated = true;
        return;
    };
    if let Some(entry) = results.entries.as_mut_slice().first_mut() {
        entry.route = kept;
    }
}
