//! Flags of a path.

use crate::abi;
use bitflags::bitflags;
use core::fmt;

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

    /// Every flag with its name.
    pub const NAMED: &'static [(Self, &'static str)] = &[
        (Self::GMP, "gmp"),
        (Self::PRIMARY, "primary"),
        (Self::ALTERNATE, "alternate"),
        (Self::OUTBOUND, "outbound"),
        (Self::INBOUND, "inbound"),
        (Self::INBOUND_REVERSE, "inbound-reverse"),
    ];

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

impl fmt::Display for PathFlags {
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

impl fmt::Debug for PathFlags {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
