//! The interface to send from.

use crate::error::{Cause, SourceInterfaceError};
use crate::native::{self, InterfaceAddress, InterfaceName};
use rdma_addrinfo_core::{Error as CoreError, Hints};
use std::net::{IpAddr, Ipv6Addr, SocketAddr, SocketAddrV6};

/// The interface that was asked for, with its addresses.
#[derive(Debug)]
pub(super) struct SourceInterface {
    index: u32,
    addresses: Vec<InterfaceAddress>,
}

impl SourceInterface {
    /// Looks the interface up.
    ///
    /// # Errors
    /// What [`SourceInterfaceError`] lists, but for [`NoAddress`](SourceInterfaceError::NoAddress); the system cannot
    /// tell.
    pub(super) fn lookup(name: InterfaceName, hints: Option<&Hints<'_>>) -> Result<Self, Cause> {
        if hints.is_some_and(Hints::is_passive) {
            return Err(SourceInterfaceError::Passive.into());
        }
        if hints.is_some_and(|hints| !hints.src_addr().is_none()) {
            return Err(SourceInterfaceError::SourceInHints.into());
        }
        let index = name.index()?.ok_or(SourceInterfaceError::NotFound(name))?;
        let mut addresses = native::interface_addresses().map_err(CoreError::system)?;
        addresses.retain(|address| address.netdev == name.as_str());
        Ok(Self { index, addresses })
    }

    /// The address to send from to `destination`: on its subnet if there is one, else one that is not link-local,
    /// else for IPv4 a link-local one. A link-local IPv6 destination on this link is sent to from a link-local
    /// address, and one that is an IPv4 address mapped into IPv6 from such a one, as the kernel does it.
    pub(super) fn source_for(&self, destination: SocketAddr) -> Option<SocketAddr> {
        if let IpAddr::V6(v6) = destination.ip()
            && let Some(v4) = v6.to_ipv4_mapped()
        {
            let own = self.source_for((v4, 0).into())?.ip();
            return if let IpAddr::V4(own) = own { Some((own.to_ipv6_mapped(), 0).into()) } else { None };
        }
        let rank = |own: &InterfaceAddress| match (own.address, destination) {
            (IpAddr::V4(own_v4), SocketAddr::V4(_)) => match own.shares_subnet(destination.ip()) {
                true => Some(0),
                false if own_v4.is_link_local() => Some(2),
                false => Some(1),
            },
            (IpAddr::V6(own_v6), SocketAddr::V6(v6)) if is_link_local(v6.ip()) => {
                let on_this_link = v6.scope_id() == 0 || v6.scope_id() == self.index;
                (on_this_link && is_link_local(&own_v6)).then_some(0)
            }
            (IpAddr::V6(own_v6), SocketAddr::V6(_)) if !is_link_local(&own_v6) => {
                Some(if own.shares_subnet(destination.ip()) { 0 } else { 1 })
            }
            _ => None,
        };
        let ranked = self.addresses.iter().filter_map(|own| Some((rank(own)?, own)));
        // Of several alike the first, as the kernel has them.
        let (_, own) = ranked.min_by_key(|(rank, _)| *rank)?;
        Some(match own.address {
            IpAddr::V4(_) => SocketAddr::new(own.address, 0),
            IpAddr::V6(v6) => SocketAddrV6::new(v6, 0, 0, own.scope_id).into(),
        })
    }
}

/// fe80::/10, and link-local multicast.
const fn is_link_local(address: &Ipv6Addr) -> bool {
    let [first, ..] = address.segments();
    address.is_unicast_link_local() || first & 0xff0f == 0xff02
}

#[cfg(test)]
mod tests {
    use super::*;

    fn interface(addresses: &[(&str, u8)]) -> SourceInterface {
        let own = |(address, prefix_length): &(&str, u8)| {
            let address: IpAddr = address.parse().unwrap();
            let link_local = matches!(address, IpAddr::V6(v6) if v6.is_unicast_link_local());
            InterfaceAddress {
                netdev: "va".into(),
                address,
                prefix_length: *prefix_length,
                peer: None,
                scope_id: if link_local { 7 } else { 0 },
            }
        };
        SourceInterface { index: 7, addresses: addresses.iter().map(own).collect() }
    }

    #[test]
    fn the_source_is_of_the_destinations_family_and_subnet() {
        let all = interface(&[
            ("169.254.9.9", 16),
            ("198.51.100.9", 24),
            ("192.0.2.9", 24),
            ("192.0.2.10", 24),
            ("fe80::9", 64),
            ("2001:db8:1::9", 64),
            ("2001:db8::9", 64),
        ]);
        for (destination, source) in [
            ("192.0.2.7:1", Some("192.0.2.9:0")),
            ("198.51.100.7:1", Some("198.51.100.9:0")),
            ("203.0.113.7:1", Some("198.51.100.9:0")),
            ("169.254.1.1:1", Some("169.254.9.9:0")),
            ("[2001:db8::7]:1", Some("[2001:db8::9]:0")),
            ("[2001:db8:9::7]:1", Some("[2001:db8:1::9]:0")),
            ("[fe80::7%7]:1", Some("[fe80::9%7]:0")),
            ("[fe80::7]:1", Some("[fe80::9%7]:0")),
            ("[ff02::1%7]:1", Some("[fe80::9%7]:0")),
            ("[::ffff:192.0.2.7]:1", Some("[::ffff:192.0.2.9]:0")),
            // Another link.
            ("[fe80::7%8]:1", None),
        ] {
            let source: Option<SocketAddr> = source.map(|source| source.parse().unwrap());
            assert_eq!(all.source_for(destination.parse().unwrap()), source, "{destination}");
        }
    }

    #[test]
    fn without_an_address_of_the_family_and_scope_there_is_none() {
        for (addresses, destination) in [
            (&[][..], "192.0.2.7:1"),
            (&[("2001:db8::9", 64)], "192.0.2.7:1"),
            (&[("2001:db8::9", 64)], "[::ffff:192.0.2.7]:1"),
            (&[("192.0.2.9", 24)], "[2001:db8::7]:1"),
            (&[("fe80::9", 64)], "[2001:db8::7]:1"),
            (&[("2001:db8::9", 64)], "[fe80::7%7]:1"),
        ] {
            assert_eq!(interface(addresses).source_for(destination.parse().unwrap()), None, "{destination}");
        }
        let link_local = interface(&[("169.254.9.9", 16)]).source_for("192.0.2.7:1".parse().unwrap());
        assert_eq!(link_local, Some("169.254.9.9:0".parse().unwrap()));
    }
}
