//! The addresses of this machine's interfaces.

use nix::ifaddrs::getifaddrs;
use nix::sys::socket::SockaddrStorage;
use std::net::IpAddr;

/// An address of an interface.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub struct InterfaceAddress {
    /// The name of the interface, such as `eth0`.
    pub netdev: String,
    /// The address.
    pub address: IpAddr,
    /// How many bits of it are the subnet's; of the peer, if there is one.
    pub prefix_length: u8,
    /// The other end, where the address is point-to-point and that is on another subnet than the address.
    pub peer: Option<IpAddr>,
    /// The index of the interface where the address is an IPv6 link-local one, else 0.
    pub scope_id: u32,
}

impl InterfaceAddress {
    /// An address with the length of its subnet's prefix in bits, without peer and zone.
    #[must_use]
    pub fn new(netdev: impl Into<String>, address: impl Into<IpAddr>, prefix_length: u8) -> Self {
        Self { netdev: netdev.into(), address: address.into(), prefix_length, peer: None, scope_id: 0 }
    }

    /// The other end, if that is what it is: a broadcast address is of the subnet, or of none.
    fn peer_of(&self, other: IpAddr) -> Option<IpAddr> {
        Some(other).filter(|other| !self.shares_subnet(*other) && *other != IpAddr::from([255; 4]))
    }

    /// Whether an address is of the same subnet. An IPv6 link-local one is on every link: see
    /// [`scope_id`](Self::scope_id).
    #[must_use]
    pub fn shares_subnet(&self, other: IpAddr) -> bool {
        let differ = match (self.peer.unwrap_or(self.address), other) {
            (IpAddr::V4(one), IpAddr::V4(other)) => u128::from(one.to_bits() ^ other.to_bits()) << 96,
            (IpAddr::V6(one), IpAddr::V6(other)) => one.to_bits() ^ other.to_bits(),
            _ => return false,
        };
        // A shift by all bits is none: a prefix of none holds everything.
        self.prefix_length == 0 || differ.leading_zeros() >= u32::from(self.prefix_length)
    }
}

/// The addresses of all interfaces in this network namespace, in the kernel's order.
///
/// # Errors
/// The `errno` of the kernel's refusal, such as that no descriptor is left.
#[doc(alias = "getifaddrs")]
pub(crate) fn interface_addresses() -> Result<Vec<InterfaceAddress>, i32> {
    let all = getifaddrs().map_err(|errno| errno as i32)?;
    let ip = |address: &SockaddrStorage| {
        let v4 = address.as_sockaddr_in().map(|v4| (IpAddr::from(v4.ip()), 0));
        v4.or_else(|| address.as_sockaddr_in6().map(|v6| (IpAddr::from(v6.ip()), v6.scope_id())))
    };
    let read = |found: nix::ifaddrs::InterfaceAddress| {
        let (address, scope_id) = ip(&found.address?)?;
        let prefix_length = match found.netmask.as_ref().and_then(ip) {
            Some((IpAddr::V4(mask), _)) => mask.to_bits().leading_ones(),
            Some((IpAddr::V6(mask), _)) => mask.to_bits().leading_ones(),
            None if address.is_ipv4() => 32,
            None => 128,
        };
        // The C library has one field for both, whatever the interface can.
        let other = found.destination.as_ref().or(found.broadcast.as_ref()).and_then(ip);
        let own = InterfaceAddress {
            // An IPv4 address has a label for a name, which may go on behind the interface's: `eth0:1`.
            netdev: found.interface_name.split(':').next().unwrap_or_default().to_owned(),
            address,
            prefix_length: u8::try_from(prefix_length).unwrap_or(128),
            peer: None,
            scope_id,
        };
        Some(InterfaceAddress { peer: other.and_then(|(other, _)| own.peer_of(other)), ..own })
    };
    Ok(all.filter_map(read).collect())
}

#[cfg(test)]
mod tests;
