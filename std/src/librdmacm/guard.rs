//! Requests for which librdmacm would read invalid memory, changed or rejected.

use rdma_addrinfo_core::text::{self, Grammar, Node};
use rdma_addrinfo_core::{Error, ErrorKind, Family, Field, Flags, Hints, Location, Reason, Text};

/// A request that is safe to pass to the library.
#[derive(PartialEq, Eq, Debug)]
pub(super) struct CallGuard<'q> {
    /// The node to pass.
    pub(super) node: Text<'q>,
    /// Whether to set [`Flags::ROUTE_ONLY`], which keeps the library from making an AF_IB entry.
    pub(super) route_only: bool,
}

impl<'q> CallGuard<'q> {
    /// The unchanged request. It is safe without hints: the library then reads no address of theirs, and makes no AF_IB
    /// address of a node.
    pub(super) const fn unchanged(node: Text<'q>) -> Self {
        Self { node, route_only: false }
    }

    pub(super) fn new(
        node: Text<'q>,
        service: Text<'q>,
        hints: &Hints<'_>,
        has_sa: bool,
    ) -> Result<Self, Error> {
        let flags = hints.flags();
        if flags.contains(Flags::SA) {
            // An older library would ignore the flag. A newer one reads nothing else that matters here.
            return if has_sa { Ok(Self::unchanged(node)) } else { Err(sa_not_supported()) };
        }
        let has_name = node != Text::NONE || service != Text::NONE;
        if has_name && makes_ib(hints) {
            // The entry is AF_IB from the start, so there is no second one.
            return gid(node, service, hints.is_passive()).map(Self::unchanged);
        }
        let route_only = !flags.intersects(Flags::PASSIVE.union(Flags::ROUTE_ONLY))
            && if has_name { source_differs(node, hints) } else { hints_differ(hints) };
        Ok(Self { node, route_only })
    }
}

#[cold]
fn sa_not_supported() -> Error {
    Error::new(ErrorKind::NotSupported).because(Reason::SaNeedsRelease).at(Location::Hints(Field::Flags))
}

/// Whether the library makes an AF_IB address of any address that it finds.
fn makes_ib(hints: &Hints<'_>) -> bool {
    hints.family() == Family::IB && hints.flags().contains(Flags::FAMILY.union(Flags::NUMERIC_HOST))
}

/// The node from which the library makes a GID. It reads any address as a `sockaddr_in6`, past the end of a
/// `sockaddr_in`.
fn gid<'q>(node: Text<'q>, service: Text<'_>, passive: bool) -> Result<Text<'q>, Error> {
    // getaddrinfo(3) reads '*' as no node, and then returns IPv4 addresses too: pass the meant address instead.
    let is_absent = matches!(node.bytes(), None | Some(b"*"));
    if is_absent && !matches!(service.bytes(), None | Some(b"*")) {
        return Ok(Text::from(if passive { "::" } else { "::1" }));
    }
    let refuse = |kind, reason| Err(Error::new(kind).because(reason).at(Location::Node(0)));
    match text::node(Grammar::Glibc, node.bytes().unwrap_or_default())? {
        Node::Ipv6 { .. } => Ok(node),
        Node::Ipv4(_) => refuse(ErrorKind::AddrFamily, Reason::OtherFamily),
        // No name is looked up, and other C libraries may parse some as IPv4 that this grammar does not.
        Node::Name(_) => refuse(ErrorKind::NoName, Reason::NotGid),
    }
}

/// Whether the source in the hints may be of another family than the address of the node. From such a pair the
/// library makes the connect data of an AF_IB entry as if both were of the destination's family.
fn source_differs(node: Text<'_>, hints: &Hints<'_>) -> bool {
    let source = hints.src_addr().family();
    if source == Family::UNSPEC {
        return false;
    }
    let destination = match hints.family() {
        family @ (Family::INET | Family::INET6) => family,
        _ => match text::node(Grammar::Glibc, node.bytes().unwrap_or_default()) {
            Ok(Node::Ipv4(_)) => Family::INET,
            Ok(Node::Ipv6 { .. }) => Family::INET6,
            // Known only after the lookup.
            _ => Family::UNSPEC,
        },
    };
    source != destination
}

/// Whether hints alone do not have one family throughout. The library makes the connect data of an AF_IB entry from
/// both addresses as if both were present and of the family in `ai_family`.
fn hints_differ(hints: &Hints<'_>) -> bool {
    let (source, destination) = (hints.src_addr().family(), hints.dst_addr().family());
    match hints.family() {
        // Then it makes no connect data.
        Family::IB => false,
        family => {
            destination == Family::UNSPEC
                || destination != family
                || (source != Family::UNSPEC && source != family)
        }
    }
}
