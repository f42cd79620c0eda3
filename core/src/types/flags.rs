//! `ai_flags`.

use crate::abi;
use bitflags::bitflags;
use core::ffi::c_int;
use core::fmt;

bitflags! {
    /// The `RAI_` flags of hints and results, the C `ai_flags`.
    ///
    /// Bits without a name are kept; validation refuses them where the policy says so. Displayed as the names
    /// joined by `|`, left-over bits in hex, nothing at all as `-`.
    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
    pub struct Flags: u32 {
        /// The results will be used on the passive side: the address goes into the source.
        #[doc(alias = "RAI_PASSIVE")]
        const PASSIVE = abi::RAI_PASSIVE;
        /// The node is a numeric address; nothing is looked up.
        #[doc(alias = "RAI_NUMERICHOST")]
        const NUMERIC_HOST = abi::RAI_NUMERICHOST;
        /// No lengthy route resolution.
        #[doc(alias = "RAI_NOROUTE")]
        const NO_ROUTE = abi::RAI_NOROUTE;
        /// The family says how to read the node.
        #[doc(alias = "RAI_FAMILY")]
        const FAMILY = abi::RAI_FAMILY;
        /// Ask the InfiniBand subnet administrator.
        #[doc(alias = "RAI_SA")]
        const SA = abi::RAI_SA;
        /// Ask DNS, which is the default.
        #[doc(alias = "RAI_DNS")]
        const DNS = abi::RAI_DNS;
        /// librdmacm's private bit: a route for given addresses, no AF_IB entry.
        #[doc(alias = "RAI_ROUTEONLY")]
        const ROUTE_ONLY = abi::RAI_ROUTEONLY;
        const _ = !0;
    }
}

impl Flags {
    /// The flags that a caller may set.
    pub const PUBLIC: Self = Self::PASSIVE
        .union(Self::NUMERIC_HOST)
        .union(Self::NO_ROUTE)
        .union(Self::FAMILY)
        .union(Self::SA)
        .union(Self::DNS);

    /// Every flag with its name.
    pub const NAMED: &'static [(Self, &'static str)] = &[
        (Self::PASSIVE, "passive"),
        (Self::NUMERIC_HOST, "numeric-host"),
        (Self::NO_ROUTE, "no-route"),
        (Self::FAMILY, "family"),
        (Self::SA, "sa"),
        (Self::DNS, "dns"),
        (Self::ROUTE_ONLY, "route-only"),
    ];

    /// The flags of a C `ai_flags`, every bit kept.
    #[must_use]
    #[inline]
    pub const fn from_raw(flags: c_int) -> Self {
        Self::from_bits_retain(flags.cast_unsigned())
    }

    /// The C `ai_flags`.
    #[must_use]
    #[inline]
    pub const fn to_raw(self) -> c_int {
        self.bits().cast_signed()
    }

    /// The names of the flags that are set, in bit order; bits without a name are left out.
    pub fn names(self) -> impl Iterator<Item = &'static str> {
        Self::NAMED.iter().filter(move |(flag, _)| self.contains(*flag)).map(|(_, name)| *name)
    }

    /// The bits that are set and have no name.
    #[must_use]
    pub fn unnamed(self) -> u32 {
        Self::NAMED.iter().fold(self, |rest, (flag, _)| rest.difference(*flag)).bits()
    }
}

impl fmt::Display for Flags {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_empty() {
            return f.write_str("-");
        }
        let mut separator = "";
        for name in self.names() {
            f.write_str(separator)?;
            f.write_str(name)?;
            separator = "|";
        }
        match self.unnamed() {
            0 => Ok(()),
            rest => write!(f, "{separator}0x{rest:x}"),
        }
    }
}

impl fmt::Debug for Flags {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
