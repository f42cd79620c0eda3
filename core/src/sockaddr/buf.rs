//! The owned form.

use super::SockAddrRef;
use crate::abi::{AF_IB, AF_INET, AF_INET6};
use crate::error::{Error, ErrorKind, Reason};
use crate::types::{Family, Gid, Pkey, ServiceId};
use core::fmt;
use core::hash::{Hash, Hasher};
use core::net::{IpAddr, SocketAddr, SocketAddrV4, SocketAddrV6};
use zerocopy::{FromBytes, IntoBytes};

/// A socket address of AF_INET, AF_INET6 or AF_IB, or none, by value: 48 bytes, aligned as C wants it.
///
/// Its bytes are those of the C structure, so [`as_bytes`](Self::as_bytes) can be handed to C as it is.
#[derive(Clone, Copy, Default)]
#[doc(alias = "sockaddr_storage")]
#[doc(alias = "sockaddr_ib")]
#[repr(C)]
pub struct SockAddrBuf {
    // Invariant: all zero, or of one of the three families. Words, so that each field of an address is written with one store:
    //           0                       1, 2     3                    4         5
    // inet      family, port, address   zero
    // inet6     family, port, flow      address  scope
    // ib        family, P_Key, flow     GID      service ID           mask      scope
    words: [u64; 6],
}

impl SockAddrBuf {
    /// No address.
    pub const NONE: Self = Self { words: [0; 6] };

    /// An IPv4 address and port, the first octet of the address most significant.
    #[must_use]
    #[inline]
    pub const fn inet(address: u32, port: u16) -> Self {
        Self { words: [head(AF_INET, port, address), 0, 0, 0, 0, 0] }
    }

    /// An IPv6 address and port, the first octet of the address most significant; `scope_id` is the index of
    /// the zone's interface, 0 for none.
    #[must_use]
    #[inline]
    pub const fn inet6(address: u128, port: u16, flow_info: u32, scope_id: u32) -> Self {
        let [first, second] = halves(address);
        let [a, b, c, d] = scope_id.to_ne_bytes();
        let scope = u64::from_ne_bytes([a, b, c, d, 0, 0, 0, 0]);
        Self { words: [head(AF_INET6, port, flow_info), first, second, scope, 0, 0] }
    }

    /// A native InfiniBand address.
    #[must_use]
    #[inline]
    pub const fn ib(gid: Gid, pkey: Pkey, flow_label: u32, sid: ServiceId, mask: u64, scope_id: u64) -> Self {
        let [first, second] = halves(gid.to_bits());
        let head = head(AF_IB, pkey.to_raw(), flow_label);
        Self { words: [head, first, second, sid.to_raw().to_be(), mask.to_be(), scope_id] }
    }

    /// Copies the bytes of a C socket address: exactly 16 for AF_INET, 28 for AF_INET6, 48 for AF_IB.
    ///
    /// # Errors
    /// [`ErrorKind::Invalid`] for another family, another length, or fewer than two bytes.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, Error> {
        SockAddrRef::from_bytes(bytes)
            .to_owned_exact(bytes.len())
            .ok_or(Error::new(ErrorKind::Invalid).because(Reason::SockAddrLength))
    }

    /// An IP address, a port and a scope.
    #[must_use]
    pub const fn from_ip(address: IpAddr, port: u16, scope_id: u32) -> Self {
        match address {
            IpAddr::V4(address) => Self::inet(address.to_bits(), port),
            IpAddr::V6(address) => Self::inet6(address.to_bits(), port, 0, scope_id),
        }
    }

    /// The family; [`Family::UNSPEC`] when there is no address.
    #[must_use]
    #[inline]
    pub const fn family(&self) -> Family {
        let [head, ..] = self.words;
        let [a, b, ..] = head.to_ne_bytes();
        #[expect(clippy::as_conversions, reason = "lossless; `From` is not const")]
        Family::from_raw(u16::from_ne_bytes([a, b]) as i32)
    }

    /// Whether there is no address.
    #[must_use]
    #[inline]
    pub const fn is_none(&self) -> bool {
        self.family().to_raw() == 0
    }

    /// The length of the C structure in bytes: 16, 28, 48, or 0 for no address.
    #[must_use]
    #[inline]
    pub const fn len(&self) -> usize {
        match self.family() {
            Family::INET => 16,
            Family::INET6 => 28,
            Family::IB => 48,
            _ => 0,
        }
    }

    /// Whether there is no address; the same as [`is_none`](Self::is_none).
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.is_none()
    }

    /// The bytes of the C structure; empty for no address.
    #[must_use]
    #[inline]
    pub fn as_bytes(&self) -> &[u8] {
        IntoBytes::as_bytes(&self.words).get(..self.len()).unwrap_or(&[])
    }

    /// All 48 bytes, of which those of the C structure are the first.
    #[inline]
    pub(crate) fn room(&self) -> &[u8] {
        IntoBytes::as_bytes(&self.words)
    }

    /// The address as a view, if there is one.
    #[must_use]
    #[inline]
    pub fn get(&self) -> Option<SockAddrRef<'_>> {
        match SockAddrRef::from_bytes(self.room()) {
            // No address is of no known family.
            SockAddrRef::Other(_) => None,
            address => Some(address),
        }
    }

    /// The same address with another port. For AF_IB the service ID and its mask are made of the port and
    /// `port_space`, as for an address that a literal gives.
    #[must_use]
    pub fn with_port(self, port: u16, port_space: crate::types::PortSpace) -> Self {
        let [w0, w1, w2, w3, w4, w5] = self.words;
        match self.family() {
            Family::INET | Family::INET6 => {
                let [f0, f1, _, _, a, b, c, d] = w0.to_ne_bytes();
                let [p0, p1] = port.to_be_bytes();
                let w0 = u64::from_ne_bytes([f0, f1, p0, p1, a, b, c, d]);
                Self { words: [w0, w1, w2, w3, w4, w5] }
            }
            Family::IB => {
                let sid = ServiceId::from_port(port_space, port).to_raw().to_be();
                let mask = ServiceId::mask_for(port_space, port).to_be();
                Self { words: [w0, w1, w2, sid, mask, w5] }
            }
            _ => self,
        }
    }

    /// The IPv4 address that is mapped into this IPv6 one; else the address itself.
    pub(crate) fn unmapped(self) -> Self {
        match self.get().and_then(|address| Some((address.ip()?.to_canonical(), address.port()))) {
            Some((IpAddr::V4(v4), port)) => Self::inet(v4.to_bits(), port),
            _ => self,
        }
    }

    /// The zone of a link-local IPv6 address, 0 if it has none; `None` for other addresses, which have no zones.
    pub(crate) fn zone(&self) -> Option<u32> {
        match self.get()? {
            SockAddrRef::Inet6(view) if crate::text::is_link_local(view.sin6_addr.get()) => {
                Some(view.sin6_scope_id.get())
            }
            _ => None,
        }
    }

    /// An IPv6 address with another zone.
    pub(crate) fn with_zone(self, scope_id: u32) -> Self {
        match self.get() {
            Some(SockAddrRef::Inet6(view)) => {
                let (address, flow_info) = (view.sin6_addr.get(), view.sin6_flowinfo.get());
                Self::inet6(address, view.sin6_port.get(), flow_info, scope_id)
            }
            _ => self,
        }
    }

    /// The bytes of a C structure as words; `None` unless they are 16, 28 or 48. The caller has seen the family.
    pub(super) fn from_words(bytes: &[u8]) -> Option<Self> {
        match bytes.len() {
            16 => {
                let ([a, b], _) = <[u64; 2]>::read_from_prefix(bytes).ok()?;
                Some(Self { words: [a, b, 0, 0, 0, 0] })
            }
            28 => {
                let ([a, b, c], rest) = <[u64; 3]>::read_from_prefix(bytes).ok()?;
                let [d, e, f, g] = <[u8; 4]>::read_from_bytes(rest).ok()?;
                Some(Self { words: [a, b, c, u64::from_ne_bytes([d, e, f, g, 0, 0, 0, 0]), 0, 0] })
            }
            48 => Some(Self { words: <[u64; 6]>::read_from_bytes(bytes).ok()? }),
            _ => None,
        }
    }
}

/// The first eight bytes: family in native order, port (or P_Key) and the next word in network order.
#[inline]
const fn head(family: i32, port: u16, word: u32) -> u64 {
    #[expect(
        clippy::as_conversions,
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "the families are small constants"
    )]
    let [f0, f1] = (family as u16).to_ne_bytes();
    let [p0, p1] = port.to_be_bytes();
    let [a, b, c, d] = word.to_be_bytes();
    u64::from_ne_bytes([f0, f1, p0, p1, a, b, c, d])
}

/// The two halves of a 128-bit address as words whose memory is in network order.
#[inline]
const fn halves(address: u128) -> [u64; 2] {
    #[expect(
        clippy::as_conversions,
        clippy::cast_possible_truncation,
        reason = "the halves of 128 bits are 64 bits each"
    )]
    [((address >> 64) as u64).to_be(), (address as u64).to_be()]
}

impl From<SocketAddr> for SockAddrBuf {
    fn from(address: SocketAddr) -> Self {
        match address {
            SocketAddr::V4(v4) => v4.into(),
            SocketAddr::V6(v6) => v6.into(),
        }
    }
}

impl From<SocketAddrV4> for SockAddrBuf {
    fn from(v4: SocketAddrV4) -> Self {
        Self::inet(v4.ip().to_bits(), v4.port())
    }
}

impl From<SocketAddrV6> for SockAddrBuf {
    fn from(v6: SocketAddrV6) -> Self {
        Self::inet6(v6.ip().to_bits(), v6.port(), v6.flowinfo(), v6.scope_id())
    }
}

impl PartialEq for SockAddrBuf {
    /// Equal when the bytes of the C structures are.
    fn eq(&self, other: &Self) -> bool {
        self.as_bytes() == other.as_bytes()
    }
}

impl Eq for SockAddrBuf {}

impl Hash for SockAddrBuf {
    /// Hashes the bytes of the C structure.
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.as_bytes().hash(state);
    }
}

impl fmt::Display for SockAddrBuf {
    /// Writes the address as [`SockAddrRef`] does; no address is `*`, as in a displayed result.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.get() {
            Some(address) => fmt::Display::fmt(&address, f),
            None => f.write_str("*"),
        }
    }
}

impl fmt::Debug for SockAddrBuf {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
