//! Flags of a path.

use crate::abi;
use crate::types::named_flags;
use bitflags::bitflags;

bitflags! {
    /// What a path is for, the C `flags` of `ibv_path_data`.
    ///
    /// Bits without a name are kept. Displayed as the names joined by `|`, left-over bits in hex, nothing at
    /// all as `-`.
    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
    pub struct PathFlags: u32 {
        /// For general management packets, those of the connection manager.
        #[doc(alias = "IBV_PATH_FLAG_GMP")]
        const GMP = abi::IBV_PATH_FLAG_GMP;
        /// The primary path.
        #[doc(alias = "IBV_PATH_FLAG_PRIMARY")]
        const PRIMARY = abi::IBV_PATH_FLAG_PRIMARY;
        /// The alternate path, for migration.
        #[doc(alias = "IBV_PATH_FLAG_ALTERNATE")]
        const ALTERNATE = abi::IBV_PATH_FLAG_ALTERNATE;
        /// From here to there.
        #[doc(alias = "IBV_PATH_FLAG_OUTBOUND")]
        const OUTBOUND = abi::IBV_PATH_FLAG_OUTBOUND;
        /// From there to here.
        #[doc(alias = "IBV_PATH_FLAG_INBOUND")]
        const INBOUND = abi::IBV_PATH_FLAG_INBOUND;
        /// Reversed, it leads from there to here.
        #[doc(alias = "IBV_PATH_FLAG_INBOUND_REVERSE")]
        const INBOUND_REVERSE = abi::IBV_PATH_FLAG_INBOUND_REVERSE;
        const _ = !0;
    }
}

impl PathFlags {
    /// One path for everything, both ways: GMP, PRIMARY, OUTBOUND and INBOUND_REVERSE (0x2b).
    ///
    /// Linux takes only a path with exactly these flags as the route of a connection (`ucma_set_ib_path`).
    pub const BIDIRECTIONAL_PRIMARY: Self =
        Self::GMP.union(Self::PRIMARY).union(Self::OUTBOUND).union(Self::INBOUND_REVERSE);
}

named_flags! {
    PathFlags {
        GMP = "gmp";
        PRIMARY = "primary";
        ALTERNATE = "alternate";
        OUTBOUND = "outbound";
        INBOUND = "inbound";
        INBOUND_REVERSE = "inbound-reverse";
    }
}
