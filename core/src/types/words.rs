//! Address family, QP type and port space.

use crate::abi;
use crate::error::{Error, ErrorKind, Location, Reason};
use crate::text;
use core::ffi::c_int;
use core::fmt;
use core::str::FromStr;

macro_rules! word {
    (
        $(#[$meta:meta])*
        $ty:ident { $($(#[$doc:meta])+ $name:ident = $value:expr, $text:literal;)+ }
    ) => {
        $(#[$meta])*
        ///
        /// Displayed and parsed by its name; a value without a name by its number, decimal or `0x` hex.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
        #[repr(transparent)]
        pub struct $ty(c_int);

        impl $ty {
            $($(#[$doc])+ pub const $name: Self = Self($value);)+

            /// Every value with a name.
            pub const NAMED: &'static [Self] = &[$(Self::$name),+];

            /// The word with this C value.
            #[must_use]
            #[inline]
            pub const fn from_raw(value: c_int) -> Self {
                Self(value)
            }

            /// The C value.
            #[must_use]
            #[inline]
            pub const fn to_raw(self) -> c_int {
                self.0
            }

            /// The name, where the value has one.
            #[must_use]
            pub const fn name(self) -> Option<&'static str> {
                match self {
                    $(Self::$name => Some($text),)+
                    _ => None,
                }
            }
        }

        impl fmt::Display for $ty {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                match self.name() {
                    Some(name) => f.write_str(name),
                    None => write!(f, "{}", self.0),
                }
            }
        }

        impl fmt::Debug for $ty {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Display::fmt(self, f)
            }
        }

        impl FromStr for $ty {
            type Err = Error;

            /// Reads a name, in any case, or a number.
            ///
            /// # Errors
            /// [`ErrorKind::Invalid`] for anything else, and for numbers that a C `int` cannot hold.
            fn from_str(text: &str) -> Result<Self, Error> {
                Self::from_text(text.as_bytes()).ok_or(
                    Error::new(ErrorKind::Invalid).because(Reason::UnknownWord).at(Location::Text(0)),
                )
            }
        }

        impl $ty {
            /// The same of bytes. Names are mostly written as they are displayed.
            pub(crate) fn from_text(text: &[u8]) -> Option<Self> {
                $(if text == $text.as_bytes() {
                    return Some(Self::$name);
                })+
                let named = Self::NAMED.iter().find(|word| {
                    word.name().is_some_and(|name| name.as_bytes().eq_ignore_ascii_case(text))
                });
                named.copied().or_else(|| int(text).map(Self))
            }
        }
    };
}

/// A number as a C `int`: decimal, perhaps negative, or `0x` hex.
fn int(text: &[u8]) -> Option<c_int> {
    let (negative, digits) = match text {
        [b'-', digits @ ..] => (true, digits),
        digits => (false, digits),
    };
    let number = i64::try_from(text::number(digits)?).ok()?;
    c_int::try_from(if negative { number.wrapping_neg() } else { number }).ok()
}

word! {
    /// An address family, the C `ai_family` and `sa_family`.
    Family {
        /// Any family.
        #[doc(alias = "AF_UNSPEC")]
        UNSPEC = abi::AF_UNSPEC, "unspec";
        /// IPv4.
        #[doc(alias = "AF_INET")]
        INET = abi::AF_INET, "inet";
        /// IPv6.
        #[doc(alias = "AF_INET6")]
        INET6 = abi::AF_INET6, "inet6";
        /// Native InfiniBand addresses: a GID, a P_Key and a service ID.
        #[doc(alias = "AF_IB")]
        IB = abi::AF_IB, "ib";
    }
}

word! {
    /// A type of RDMA queue pair, the C `ai_qp_type`.
    QpType {
        /// Not given.
        ANY = 0, "any";
        /// Reliable connected.
        #[doc(alias = "IBV_QPT_RC")]
        RC = abi::IBV_QPT_RC, "rc";
        /// Unreliable connected.
        #[doc(alias = "IBV_QPT_UC")]
        UC = abi::IBV_QPT_UC, "uc";
        /// Unreliable datagram.
        #[doc(alias = "IBV_QPT_UD")]
        UD = abi::IBV_QPT_UD, "ud";
        /// Raw packets; no address resolution for them.
        #[doc(alias = "IBV_QPT_RAW_PACKET")]
        RAW_PACKET = abi::IBV_QPT_RAW_PACKET, "raw-packet";
        /// Extended reliable connected, the side that sends.
        #[doc(alias = "IBV_QPT_XRC_SEND")]
        XRC_SEND = abi::IBV_QPT_XRC_SEND, "xrc-send";
        /// Extended reliable connected, the side that receives.
        #[doc(alias = "IBV_QPT_XRC_RECV")]
        XRC_RECV = abi::IBV_QPT_XRC_RECV, "xrc-recv";
        /// Defined by a device's driver; no address resolution for it.
        #[doc(alias = "IBV_QPT_DRIVER")]
        DRIVER = abi::IBV_QPT_DRIVER, "driver";
    }
}

word! {
    /// An RDMA port space, the C `ai_port_space`.
    PortSpace {
        /// Not given.
        ANY = 0, "any";
        /// IP over InfiniBand multicast.
        #[doc(alias = "RDMA_PS_IPOIB")]
        IPOIB = abi::RDMA_PS_IPOIB, "ipoib";
        /// Reliable, connection-oriented.
        #[doc(alias = "RDMA_PS_TCP")]
        TCP = abi::RDMA_PS_TCP, "tcp";
        /// Unreliable datagrams.
        #[doc(alias = "RDMA_PS_UDP")]
        UDP = abi::RDMA_PS_UDP, "udp";
        /// Any InfiniBand service.
        #[doc(alias = "RDMA_PS_IB")]
        IB = abi::RDMA_PS_IB, "ib";
    }
}
