//! The interface to send from.

use crate::error::{Cause, SourceInterfaceError};
use crate::native::{self, InterfaceName};
use rdma_addrinfo_core::{Error as CoreError, Hints};
use std::net::{IpAddr, SocketAddr, SocketAddrV6};
use std::time::Instant;

/// The interface that was asked for, with its addresses.
#[derive(Debug)]
pub(super) struct SourceInterface {
    index: u32,
    name: String,
    /// None where a sandbox refuses netlink(7).
    addresses: Option<Vec<IpAddr>>,
}

impl SourceInterface {
    /// Looks the interface up.
    ///
    /// # Errors
    /// What [`SourceInterfaceError`] lists, but for [`NoAddress`](SourceInterfaceError::NoAddress); the system cannot
    /// tell.
    pub(super) fn lookup(wanted: InterfaceName, hints: Option<&Hints<'_>>) -> Result<Self, Cause> {
        if hints.is_some_and(Hints::is_passive) {
            return Err(SourceInterfaceError::Passive.into());
        }
        if hints.is_some_and(|hints| !hints.src_addr().is_none()) {
            return Err(SourceInterfaceError::SourceInHints.into());
        }
        let not_found = || SourceInterfaceError::NotFound(wanted.as_str().into());
        let index = wanted.index()?.ok_or_else(not_found)?;
        // Addresses are listed by the first name of an interface, which may have others.
        let name = native::interface_name(index)?.ok_or_else(not_found)?;
        let addresses = native::interface_addresses().ok().map(|all| {
            let own = all.iter().filter(|address| address.netdev == name);
            own.map(|address| address.address).collect()
        });
        Ok(Self { index, name, addresses })
    }

    /// The address that the kernel would send from to `destination` by this interface; none if that is not an address of
    /// the interface, or if the destination is on another link. To an IPv4 address that is mapped into IPv6 it sends from
    /// such a one.
    ///
    /// # Errors
    /// The kernel could not be asked, or not by the deadline.
    pub(super) fn source_for(
        &self,
        destination: SocketAddr,
        deadline: Option<Instant>,
    ) -> Result<Option<SocketAddr>, CoreError> {
        if let IpAddr::V6(v6) = destination.ip()
            && let Some(v4) = v6.to_ipv4_mapped()
        {
            let source = self.source_for((v4, destination.port()).into(), deadline)?;
            return Ok(source.and_then(|source| match source.ip() {
                IpAddr::V4(v4) => Some((v4.to_ipv6_mapped(), 0).into()),
                IpAddr::V6(_) => None,
            }));
        }
        let mut destination = destination;
        if let SocketAddr::V6(v6) = &mut destination {
            if v6.scope_id() != 0 && v6.scope_id() != self.index {
                return Ok(None);
            }
            v6.set_scope_id(self.index);
        }
        let source = native::source_by(destination, self.index, &self.name, deadline)?;
        let is_own = |source: &IpAddr| self.addresses.as_ref().is_none_or(|own| own.contains(source));
        Ok(source.filter(is_own).map(|source| match source {
            IpAddr::V6(v6) if v6.is_unicast_link_local() => SocketAddrV6::new(v6, 0, 0, self.index).into(),
            source => SocketAddr::new(source, 0),
        }))
    }
}
