//! [`Entry`]: a part of a message.

use crate::abi::{
    ACM_EP_FLAG_DEST, ACM_EP_FLAG_SOURCE, ACM_EP_INFO_ADDRESS_IP, ACM_EP_INFO_ADDRESS_IP6, ACM_EP_INFO_NAME,
    ACM_EP_INFO_PATH, ACM_FLAGS_NODELAY, ACM_FLAGS_QUERY_SA, acm_ep_addr_data,
};
use crate::route::{PathData, PathFlags, PathRecord};
use crate::text::{Ipv4Text, Ipv6Text};
use core::fmt;
use core::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// A view of an entry of a message.
#[derive(Clone, Copy, PartialEq, Eq)]
#[doc(alias = "acm_ep_addr_data")]
pub struct Entry<'a>(pub(super) &'a acm_ep_addr_data);

/// What an entry holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Info<'a> {
    /// A name, up to its NUL, or all 64 bytes where there is none.
    Name(&'a [u8]),
    /// An IP address.
    Address(IpAddr),
    /// A path. Its flags are those of the entry; its reserved field is zero, whatever the message has there.
    Path(PathData),
    /// An entry of a type that is not known: its 64 bytes as they are.
    Unknown(&'a [u8; 64]),
}

impl<'a> Entry<'a> {
    /// The flags: of a path those of [`PathFlags`], of an address `ACM_EP_FLAG_` and `ACM_FLAGS_` bits.
    #[must_use]
    pub const fn flags(&self) -> u32 {
        self.0.flags.get()
    }

    /// The type, an `ACM_EP_INFO_` value or one that is not known.
    #[must_use]
    pub const fn kind(&self) -> u16 {
        self.0.r#type.get()
    }

    /// What the entry holds.
    #[must_use]
    pub fn info(&self) -> Info<'a> {
        let info = &self.0.info;
        match self.kind() {
            ACM_EP_INFO_NAME => Info::Name(info.split(|byte| *byte == 0).next().unwrap_or(&[])),
            ACM_EP_INFO_ADDRESS_IP => {
                let [a, b, c, d, ..] = *info;
                Info::Address(Ipv4Addr::new(a, b, c, d).into())
            }
            ACM_EP_INFO_ADDRESS_IP6 => {
                let [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, ..] = *info;
                let octets = [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p];
                Info::Address(Ipv6Addr::from_bits(u128::from_be_bytes(octets)).into())
            }
            ACM_EP_INFO_PATH => {
                let flags = PathFlags::from_bits_retain(self.flags());
                Info::Path(PathData::from_record(PathRecord::from_bytes(*info), flags))
            }
            _ => Info::Unknown(info),
        }
    }

    /// The address, if this is one and said to be the source.
    #[must_use]
    pub fn source(&self) -> Option<IpAddr> {
        self.address_with(ACM_EP_FLAG_SOURCE)
    }

    /// The address, if this is one and said to be the destination.
    #[must_use]
    pub fn destination(&self) -> Option<IpAddr> {
        self.address_with(ACM_EP_FLAG_DEST)
    }

    /// The path, if this is one.
    #[must_use]
    pub fn path(&self) -> Option<PathData> {
        match self.info() {
            Info::Path(path) => Some(path),
            _ => None,
        }
    }

    fn address_with(&self, flag: u32) -> Option<IpAddr> {
        match self.info() {
            Info::Address(address) if self.flags() & flag != 0 => Some(address),
            _ => None,
        }
    }
}

/// The flags of addresses by name.
const ADDRESS_FLAGS: [(u32, &str); 4] = [
    (ACM_EP_FLAG_SOURCE, "source "),
    (ACM_EP_FLAG_DEST, "destination "),
    (ACM_FLAGS_NODELAY, "no-delay "),
    (ACM_FLAGS_QUERY_SA, "query-sa "),
];

impl fmt::Display for Entry<'_> {
    /// Writes `source 192.0.2.9`, `destination no-delay 2001:db8::1`, `path fe80::11 -> fe80::12 …`,
    /// `source name host-a`; of an entry that is not known `type 0x0020`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let info = self.info();
        if matches!(info, Info::Name(_) | Info::Address(_)) {
            for (_, name) in ADDRESS_FLAGS.iter().filter(|(flag, _)| self.flags() & flag != 0) {
                f.write_str(name)?;
            }
        }
        match info {
            Info::Name(name) => {
                f.write_str("name ")?;
                name.iter().try_for_each(|byte| match byte {
                    b'!'..=b'~' => write!(f, "{}", char::from(*byte)),
                    byte => write!(f, "\\x{byte:02x}"),
                })
            }
            Info::Address(IpAddr::V4(address)) => fmt::Display::fmt(&Ipv4Text(address.to_bits()), f),
            Info::Address(IpAddr::V6(address)) => fmt::Display::fmt(&Ipv6Text(address.to_bits()), f),
            Info::Path(path) => {
                f.write_str("path ")?;
                fmt::Display::fmt(&path, f)
            }
            Info::Unknown(_) => write!(f, "type 0x{:04x}", self.kind()),
        }
    }
}

impl fmt::Debug for Entry<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
