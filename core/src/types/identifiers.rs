//! InfiniBand identifiers: GID, P_Key, service ID.

use super::PortSpace;
use crate::abi;
use crate::error::{Error, ErrorKind, Location, Reason};
use crate::text::{self, Ipv6Text};
use core::fmt;
use core::net::Ipv6Addr;
use core::str::FromStr;

/// A global identifier: the 128-bit address of an RDMA port, written like an IPv6 address.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
#[doc(alias = "ibv_gid")]
pub struct Gid(u128);

impl Gid {
    /// The GID `::`, no port at all.
    pub const UNSPECIFIED: Self = Self(0);
    /// The GID `::1`.
    pub const LOOPBACK: Self = Self(1);

    /// A GID from its bits, first octet most significant.
    #[must_use]
    pub const fn from_bits(bits: u128) -> Self {
        Self(bits)
    }

    /// The bits, first octet most significant.
    #[must_use]
    pub const fn to_bits(self) -> u128 {
        self.0
    }

    /// A GID from its 16 octets in network order.
    #[must_use]
    pub const fn from_octets(octets: [u8; 16]) -> Self {
        Self(u128::from_be_bytes(octets))
    }

    /// The 16 octets in network order.
    #[must_use]
    pub const fn octets(self) -> [u8; 16] {
        self.0.to_be_bytes()
    }
}

impl From<Ipv6Addr> for Gid {
    fn from(address: Ipv6Addr) -> Self {
        Self(address.to_bits())
    }
}

impl From<Gid> for Ipv6Addr {
    fn from(gid: Gid) -> Self {
        Self::from_bits(gid.0)
    }
}

impl fmt::Display for Gid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&Ipv6Text(self.0), f)
    }
}

impl fmt::Debug for Gid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for Gid {
    type Err = Error;

    /// Reads IPv6 notation, without a zone.
    fn from_str(text: &str) -> Result<Self, Error> {
        text::gid(text.as_bytes()).map(Self).ok_or(not_a(Reason::NotGid))
    }
}

/// A partition key, 16 bits.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Pkey(u16);

impl Pkey {
    /// The default partition with full membership.
    pub const DEFAULT: Self = Self(0xffff);

    /// A partition key from its number.
    #[must_use]
    pub const fn from_raw(key: u16) -> Self {
        Self(key)
    }

    /// The number.
    #[must_use]
    pub const fn to_raw(self) -> u16 {
        self.0
    }

    /// Whether the key stands for full membership of its partition (the top bit).
    #[must_use]
    pub const fn is_full_member(self) -> bool {
        self.0 & 0x8000 != 0
    }

    /// Whether two keys are of the same partition: their low 15 bits are equal, whatever the membership.
    ///
    /// ```
    /// use rdma_addrinfo_core::Pkey;
    ///
    /// assert!(Pkey::DEFAULT.same_partition(Pkey::from_raw(0x7fff)));
    /// assert!(!Pkey::DEFAULT.same_partition(Pkey::from_raw(0x8001)));
    /// ```
    #[must_use]
    pub const fn same_partition(self, other: Self) -> bool {
        (self.0 ^ other.0) & 0x7fff == 0
    }
}

impl fmt::Display for Pkey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "0x{:04x}", self.0)
    }
}

impl fmt::Debug for Pkey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// A service ID of the InfiniBand communication manager, 64 bits.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct ServiceId(u64);

impl ServiceId {
    /// A service ID from its number.
    #[must_use]
    pub const fn from_raw(id: u64) -> Self {
        Self(id)
    }

    /// The number.
    #[must_use]
    pub const fn to_raw(self) -> u64 {
        self.0
    }

    /// The service ID of a port in a port space: `port_space << 16 | port`, as `ucma_set_sid` of librdmacm
    /// makes it: the port space is an unsigned 32-bit enum there.
    #[must_use]
    #[inline]
    pub const fn from_port(port_space: PortSpace, port: u16) -> Self {
        #[allow(clippy::as_conversions, reason = "lossless; `From` is not const")]
        let (space, port) = (port_space.to_raw().cast_unsigned() as u64, port as u64);
        Self((space << 16) | port)
    }

    /// The mask that goes with [`from_port`](Self::from_port): the port space counts if there is one, the port
    /// if it is not 0.
    #[must_use]
    #[inline]
    pub const fn mask_for(port_space: PortSpace, port: u16) -> u64 {
        let space = if port_space.to_raw() == 0 { 0 } else { abi::RDMA_IB_IP_PS_MASK };
        let port = if port == 0 { 0 } else { abi::RDMA_IB_IP_PORT_MASK };
        space | port
    }

    /// The port, the low 16 bits.
    #[must_use]
    pub const fn port(self) -> u16 {
        let [.., high, low] = self.0.to_be_bytes();
        u16::from_be_bytes([high, low])
    }
}

impl fmt::Display for ServiceId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "0x{:016x}", self.0)
    }
}

impl fmt::Debug for ServiceId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for ServiceId {
    type Err = Error;

    /// Reads a decimal or `0x` hex number.
    fn from_str(text: &str) -> Result<Self, Error> {
        text::service_id(text.as_bytes()).map(Self).ok_or(not_a(Reason::NotNumber))
    }
}

impl FromStr for Pkey {
    type Err = Error;

    /// Reads a decimal or `0x` hex number of 16 bits.
    fn from_str(text: &str) -> Result<Self, Error> {
        text::number(text.as_bytes())
            .and_then(|number| u16::try_from(number).ok())
            .map(Self)
            .ok_or(not_a(Reason::NotNumber))
    }
}

const fn not_a(reason: Reason) -> Error {
    Error::new(ErrorKind::Invalid).because(reason).at(Location::Text(0))
}
