//! `ai_flags`.

use super::named_flags;
use crate::abi;
use bitflags::bitflags;
use core::ffi::c_int;

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
}

named_flags! {
    Flags {
        PASSIVE = "passive";
        NUMERIC_HOST = "numeric-host";
        NO_ROUTE = "no-route";
        FAMILY = "family";
        SA = "sa";
        DNS = "dns";
        ROUTE_ONLY = "route-only";
    }
}
