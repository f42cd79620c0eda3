//! The borrowed form.

use super::SockAddrBuf;
use crate::abi::{sockaddr_ib, sockaddr_in, sockaddr_in6};
use crate::error::{Error, ErrorKind, Reason};
use crate::text::Line;
use crate::types::{Family, Gid, Pkey, ServiceId};
use core::fmt::{self, Write};
use core::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, SocketAddrV4, SocketAddrV6};
use zerocopy::{FromBytes, IntoBytes};

/// A view of the bytes of a C socket address.
///
/// Displayed as `192.0.2.9:7471`, `[2001:db8::1]:7471` or `ib:fe80::1/pkey=0xffff/sid=0x…/mask=0x…`; parts
/// that are zero, the port among them, are left out. [`SockAddrBuf`] parses the same forms.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum SockAddrRef<'a> {
    /// AF_INET.
    Inet(&'a sockaddr_in),
    /// AF_INET6.
    Inet6(&'a sockaddr_in6),
    /// AF_IB.
    Ib(&'a sockaddr_ib),
    /// Another family, or bytes too few for their family: as they came.
    Other(&'a [u8]),
}

impl<'a> SockAddrRef<'a> {
    /// Views bytes by the family in their first two. Bytes beyond the structure are not looked at.
    #[must_use]
    #[inline]
    pub fn from_bytes(bytes: &'a [u8]) -> Self {
        let family = family_of(bytes);
        if family == Family::INET
            && let Ok((view, _)) = sockaddr_in::ref_from_prefix(bytes)
        {
            return Self::Inet(view);
        }
        if family == Family::INET6
            && let Ok((view, _)) = sockaddr_in6::ref_from_prefix(bytes)
        {
            return Self::Inet6(view);
        }
        if family == Family::IB
            && let Ok((view, _)) = sockaddr_ib::ref_from_prefix(bytes)
        {
            return Self::Ib(view);
        }
        Self::Other(bytes)
    }

    /// The bytes of the structure.
    #[must_use]
    #[inline]
    pub fn as_bytes(&self) -> &'a [u8] {
        match *self {
            Self::Inet(view) => view.as_bytes(),
            Self::Inet6(view) => view.as_bytes(),
            Self::Ib(view) => view.as_bytes(),
            Self::Other(bytes) => bytes,
        }
    }

    /// The family that the bytes say, [`Family::UNSPEC`] where there are fewer than two.
    #[must_use]
    #[inline]
    pub fn family(&self) -> Family {
        match self {
            Self::Inet(_) => Family::INET,
            Self::Inet6(_) => Family::INET6,
            Self::Ib(_) => Family::IB,
            Self::Other(bytes) => family_of(bytes),
        }
    }

    /// The port in host byte order; for AF_IB the low 16 bits of the service ID. 0 where there is none.
    #[must_use]
    #[inline]
    pub fn port(&self) -> u16 {
        match self {
            Self::Inet(view) => view.sin_port.get(),
            Self::Inet6(view) => view.sin6_port.get(),
            Self::Ib(view) => ServiceId::from_raw(view.sib_sid.get()).port(),
            Self::Other(_) => 0,
        }
    }

    /// The IP address.
    #[must_use]
    #[inline]
    pub fn ip(&self) -> Option<IpAddr> {
        match self {
            Self::Inet(view) => Some(IpAddr::V4(Ipv4Addr::from_bits(view.sin_addr.get()))),
            Self::Inet6(view) => Some(IpAddr::V6(Ipv6Addr::from_bits(view.sin6_addr.get()))),
            Self::Ib(_) | Self::Other(_) => None,
        }
    }

    /// The GID of an AF_IB address.
    #[must_use]
    pub fn gid(&self) -> Option<Gid> {
        self.as_ib().map(|view| Gid::from_bits(view.sib_addr.get()))
    }

    /// The partition key of an AF_IB address.
    #[must_use]
    pub fn pkey(&self) -> Option<Pkey> {
        self.as_ib().map(|view| Pkey::from_raw(view.sib_pkey.get()))
    }

    /// The service ID of an AF_IB address.
    #[must_use]
    pub fn service_id(&self) -> Option<ServiceId> {
        self.as_ib().map(|view| ServiceId::from_raw(view.sib_sid.get()))
    }

    /// The mask of the service ID of an AF_IB address.
    #[must_use]
    pub fn service_id_mask(&self) -> Option<u64> {
        self.as_ib().map(|view| view.sib_sid_mask.get())
    }

    /// The flow information of an AF_INET6 or AF_IB address, else 0.
    #[must_use]
    pub fn flow_info(&self) -> u32 {
        match self {
            Self::Inet6(view) => view.sin6_flowinfo.get(),
            Self::Ib(view) => view.sib_flowinfo.get(),
            Self::Inet(_) | Self::Other(_) => 0,
        }
    }

    /// The index of the zone's interface of an AF_INET6 or AF_IB address, 0 for none.
    #[must_use]
    pub fn scope_id(&self) -> u64 {
        match self {
            Self::Inet6(view) => u64::from(view.sin6_scope_id.get()),
            Self::Ib(view) => view.sib_scope_id.get(),
            Self::Inet(_) | Self::Other(_) => 0,
        }
    }

    /// Whether this is a link-local IPv6 unicast or multicast address without a zone: it can be reached through
    /// any interface, and the kernel picks one.
    #[must_use]
    pub fn needs_scope(&self) -> bool {
        match self {
            Self::Inet6(view) => {
                view.sin6_scope_id.get() == 0 && crate::text::is_link_local(view.sin6_addr.get())
            }
            _ => false,
        }
    }

    fn as_ib(&self) -> Option<&'a sockaddr_ib> {
        match *self {
            Self::Ib(view) => Some(view),
            _ => None,
        }
    }

    /// A copy of the address.
    ///
    /// # Errors
    /// [`ErrorKind::Invalid`] for [`Other`](Self::Other).
    pub fn to_buf(&self) -> Result<SockAddrBuf, Error> {
        self.to_owned_exact(self.as_bytes().len())
            .ok_or(Error::new(ErrorKind::Invalid).because(Reason::SockAddrLength))
    }

    /// A copy, if the address has exactly `len` bytes.
    pub(super) fn to_owned_exact(self, len: usize) -> Option<SockAddrBuf> {
        match self {
            Self::Other(_) => None,
            view if view.as_bytes().len() != len => None,
            view => SockAddrBuf::from_words(view.as_bytes()),
        }
    }
}

/// The family in the first two bytes.
#[inline]
fn family_of(bytes: &[u8]) -> Family {
    match bytes {
        [a, b, ..] => Family::from_raw(i32::from(u16::from_ne_bytes([*a, *b]))),
        _ => Family::UNSPEC,
    }
}

impl TryFrom<SockAddrRef<'_>> for SocketAddr {
    type Error = Error;

    /// # Errors
    /// [`ErrorKind::Family`] unless the address is AF_INET or AF_INET6.
    fn try_from(address: SockAddrRef<'_>) -> Result<Self, Error> {
        match address {
            SockAddrRef::Inet(view) => {
                Ok(Self::V4(SocketAddrV4::new(Ipv4Addr::from_bits(view.sin_addr.get()), view.sin_port.get())))
            }
            SockAddrRef::Inet6(view) => Ok(Self::V6(SocketAddrV6::new(
                Ipv6Addr::from_bits(view.sin6_addr.get()),
                view.sin6_port.get(),
                view.sin6_flowinfo.get(),
                view.sin6_scope_id.get(),
            ))),
            SockAddrRef::Ib(_) | SockAddrRef::Other(_) => Err(Error::new(ErrorKind::Family)),
        }
    }
}

impl SockAddrRef<'_> {
    /// Puts what is displayed.
    pub(crate) fn put<W: Write>(&self, line: &mut Line<'_, W>) -> fmt::Result {
        match self {
            Self::Inet(view) => {
                line.ipv4(view.sin_addr.get())?;
                part(line, ":", view.sin_port.get())
            }
            Self::Inet6(view) => {
                let port = view.sin6_port.get();
                line.write_str(if port == 0 { "" } else { "[" })?;
                line.ipv6(view.sin6_addr.get())?;
                part(line, "%", view.sin6_scope_id.get())?;
                part(line, "]:", port)?;
                part_hex(line, "/flow=", view.sin6_flowinfo.get())
            }
            Self::Ib(view) => {
                line.write_str("ib:")?;
                line.ipv6(view.sib_addr.get())?;
                part(line, "%", view.sib_scope_id.get())?;
                let pkey = Pkey::from_raw(view.sib_pkey.get());
                if pkey.to_raw() != 0 {
                    write!(line, "/pkey={pkey}")?;
                }
                part_hex(line, "/flow=", view.sib_flowinfo.get())?;
                part_hex(line, "/sid=", view.sib_sid.get())?;
                part_hex(line, "/mask=", view.sib_sid_mask.get())
            }
            Self::Other(bytes) => {
                line.write_str("?")?;
                bytes.iter().try_for_each(|byte| write!(line, "{byte:02x}"))
            }
        }
    }
}

impl fmt::Display for SockAddrRef<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Line::write(f, |line| self.put(line))
    }
}

/// Puts a part of the text, unless its value is zero.
fn part<W: Write>(line: &mut Line<'_, W>, name: &str, value: impl Into<u64>) -> fmt::Result {
    match value.into() {
        0 => Ok(()),
        value => {
            line.write_str(name)?;
            line.decimal(value)
        }
    }
}

/// The same, in hex.
fn part_hex<W: Write>(line: &mut Line<'_, W>, name: &str, value: impl Into<u64>) -> fmt::Result {
    match value.into() {
        0 => Ok(()),
        value => write!(line, "{name}0x{value:x}"),
    }
}
