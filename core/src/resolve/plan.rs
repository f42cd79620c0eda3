//! What is asked for: hints checked by the policy.

use crate::error::{Error, ErrorKind, Field, Location, Reason};
use crate::hints::{Hints, Transport};
use crate::request::Request;
use crate::route::{PathRecord, RouteHint};
use crate::types::{Family, Flags};

static NO_HINTS: Hints<'static> = Hints::new();

impl<'q> Request<'q> {
    /// The hints; none are the same as empty ones.
    #[inline]
    pub(super) fn hints(&self) -> &'q Hints<'q> {
        self.hints.unwrap_or(&NO_HINTS)
    }

    /// Whether the answer depends on [`Environment::af_ib`](crate::Environment::af_ib) even where no route is found:
    /// AF_IB entries alone are answered, and what has no room might have been one. Else a route decides, and
    /// [`FindRoute::needs_af_ib`](crate::FindRoute::needs_af_ib) tells.
    #[must_use]
    pub fn needs_af_ib(&self) -> bool {
        self.hints().family() == Family::IB
            && af_ib(self) == AfIb::IbEntriesOnly
            && !self.hints().flags().contains(Flags::SA)
    }
}

/// What the hints of a request with a node or a service ask for.
#[derive(Clone, Copy, Debug)]
pub(super) struct Plan {
    pub(super) transport: Transport,
    /// The family that IP addresses must have, UNSPEC for any.
    pub(super) family: Family,
    /// What becomes of addresses.
    pub(super) af_ib: AfIb,
    /// What the route hint says of the path.
    pub(super) hinted: Option<PathRecord>,
}

/// The part that AF_IB plays.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum AfIb {
    /// None: entries hold IP addresses.
    No,
    /// The node is a GID, in IPv6 notation.
    NodeIsGid,
    /// Entries hold IP addresses, and only AF_IB entries that routes add are answered.
    IbEntriesOnly,
}

/// Where the answer is to come from.
pub(super) enum Asked {
    /// Node and service.
    Text,
    /// The hints, which are all there is.
    Hints,
    /// The service alone, by the subnet administrator.
    Service,
}

/// Checks that hold with or without node and service.
#[inline]
pub(super) fn check(request: &Request<'_>) -> Result<Asked, Error> {
    let hints = request.hints();
    let has_text = !(request.node.is_none() && request.service.is_none());
    if !has_text && request.hints.is_none() {
        let strict = request.policy.is_strict();
        return Err(nothing_asked(if strict { ErrorKind::NoName } else { ErrorKind::Invalid }));
    }
    if request.policy.is_strict() {
        hints.check_flags()?;
    }
    if hints.flags().contains(Flags::SA) {
        return subnet_administrator(request);
    }
    Ok(if has_text { Asked::Text } else { Asked::Hints })
}

impl Plan {
    #[inline]
    pub(super) fn new(request: &Request<'_>) -> Result<Self, Error> {
        let hints = request.hints();
        let strict = request.policy.is_strict();
        hints.check_family()?;
        hints.transport().check(strict)?;
        let hinted = hinted(hints.route_hint(), strict)?;
        let (family, af_ib) = match hints.family() {
            Family::IB => (Family::UNSPEC, af_ib(request)),
            family => (family, AfIb::No),
        };
        Ok(Self { transport: *hints.transport(), family, af_ib, hinted })
    }

    /// The plan of hints that ask for nothing rare, in whatever policy. `None` tells nothing about the others.
    #[inline]
    pub(super) fn of_plain(hints: &Hints<'_>) -> Option<Self> {
        const PLAIN: Flags = Flags::PUBLIC.difference(Flags::SA);
        let family = hints.family();
        let plain = PLAIN.contains(hints.flags())
            && matches!(family, Family::UNSPEC | Family::INET | Family::INET6)
            && hints.transport().is_sound()
            && hints.route().is_empty();
        plain.then(|| Self { transport: *hints.transport(), family, af_ib: AfIb::No, hinted: None })
    }
}

/// What a route hint says of the path: its first record. The C library takes one path only, and an empty one for any other
/// length.
///
/// # Errors
/// That of the hint, by the manual page.
pub(super) fn hinted(
    hint: Result<Option<RouteHint<'_>>, Error>,
    strict: bool,
) -> Result<Option<PathRecord>, Error> {
    let first = match hint {
        Ok(None) => return Ok(None),
        Ok(Some(hint)) if strict || hint.len() == 1 => hint.first(),
        Err(error) if strict => return Err(error),
        Ok(Some(_)) | Err(_) => None,
    };
    Ok(Some(first.unwrap_or(PathRecord::ZERO)))
}

/// How AF_IB is meant. The C library reads a GID only with RAI_FAMILY and RAI_NUMERICHOST, and takes AF_IB for
/// any family otherwise.
fn af_ib(request: &Request<'_>) -> AfIb {
    let flags = request.hints().flags();
    match request.policy.is_strict() {
        true if request.node.is_none() || flags.contains(Flags::FAMILY) => AfIb::NodeIsGid,
        true => AfIb::IbEntriesOnly,
        false if flags.contains(Flags::FAMILY.union(Flags::NUMERIC_HOST)) => AfIb::NodeIsGid,
        false => AfIb::No,
    }
}

#[cold]
pub(super) fn other_family() -> Error {
    Error::new(ErrorKind::AddrFamily).because(Reason::OtherFamily).at(Location::Node(0))
}

/// Nothing is asked for.
#[cold]
pub(super) fn nothing_asked(kind: ErrorKind) -> Error {
    Error::new(kind).because(Reason::NothingAsked)
}

/// What RAI_SA goes with, checked in the order of the C library. It ignores all other hints.
#[cold]
fn subnet_administrator(request: &Request<'_>) -> Result<Asked, Error> {
    let error = |kind, reason| Err(Error::new(kind).because(reason).at(Location::Hints(Field::Flags)));
    if !request.node.is_none() {
        return error(ErrorKind::NotSupported, Reason::SaWithNode);
    }
    request.hints().check_sa_and_dns()?;
    if request.service.is_none() {
        return error(ErrorKind::Invalid, Reason::SaWithoutService);
    }
    Ok(Asked::Service)
}
