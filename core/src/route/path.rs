//! [`PathRecord`] and [`PathData`]: what they are, and bytes to and from them.

use super::PathFlags;
use crate::abi::{ibv_path_data, ibv_path_record};
use crate::error::{Error, ErrorKind, Location, Reason};
use zerocopy::{
    FromBytes, Immutable, IntoBytes, KnownLayout, Unaligned, native_endian, transmute, transmute_ref,
};

/// A path through the fabric as the subnet administrator describes it: 64 bytes, big-endian.
///
/// Getters give host byte order; `with_` setters change one field and leave every other bit as it is, the
/// reserved ones included. Where a field has fewer bits than the argument, a value that does not fit is
/// refused with `None`, never cut.
///
/// ```
/// use rdma_addrinfo_core::{Mtu, PathRecord, Pkey, Rate};
///
/// let record = PathRecord::ZERO
///     .with_dgid("fe80::12".parse()?)
///     .with_sgid("fe80::11".parse()?)
///     .with_pkey(Pkey::DEFAULT)
///     .with_mtu(Mtu::from_bytes(2048).unwrap())
///     .with_rate(Rate::from_megabits_per_second(100_000).unwrap())
///     .with_service_level(3).unwrap();
///
/// assert_eq!(record.to_string(), "fe80::11 -> fe80::12 pkey 0xffff mtu 2048 rate 100 Gb/s sl 3");
/// assert_eq!(record.as_bytes()[54..56], [0x84, 0x90]);
/// assert_eq!(record.with_service_level(16), None);
/// # Ok::<(), rdma_addrinfo_core::Error>(())
/// ```
#[derive(
    FromBytes, IntoBytes, KnownLayout, Immutable, Unaligned, Clone, Copy, PartialEq, Eq, Hash, Default,
)]
#[repr(transparent)]
#[doc(alias = "ibv_path_record")]
pub struct PathRecord(pub(super) ibv_path_record);

/// One path of a route: a [`PathRecord`] with its [`PathFlags`], 72 bytes.
///
/// The flags are in native byte order, all else is big-endian. The fields of the record have the same getters
/// and `with_` setters here. Alignment is 1, so that [`paths_from_bytes`] views any bytes in place.
///
/// ```
/// use rdma_addrinfo_core::{PathData, PathFlags, paths_from_bytes};
///
/// let path = PathData::ZERO.with_flags(PathFlags::BIDIRECTIONAL_PRIMARY).with_dgid("fe80::12".parse()?);
///
/// let [same] = paths_from_bytes(path.as_bytes())? else { panic!("72 bytes are one path") };
/// assert_eq!(same.dgid().to_string(), "fe80::12");
/// assert_eq!(same.flags().to_string(), "gmp|primary|outbound|inbound-reverse");
/// # Ok::<(), rdma_addrinfo_core::Error>(())
/// ```
#[derive(
    FromBytes, IntoBytes, KnownLayout, Immutable, Unaligned, Clone, Copy, PartialEq, Eq, Hash, Default,
)]
#[repr(transparent)]
#[doc(alias = "ibv_path_data")]
pub struct PathData(pub(super) ibv_path_data);

macro_rules! bytes {
    ($ty:ident, $abi:ident, $len:literal) => {
        impl $ty {
            /// The length in bytes.
            pub const LEN: usize = $len;

            /// All bits zero.
            pub const ZERO: Self = Self::from_bytes([0; $len]);

            /// A copy of these bytes; every value of them is valid.
            #[must_use]
            #[inline]
            pub const fn from_bytes(bytes: [u8; $len]) -> Self {
                transmute!(bytes)
            }

            /// The bytes as they lie in memory, reserved ones included.
            #[must_use]
            #[inline]
            pub const fn as_bytes(&self) -> &[u8; $len] {
                transmute_ref!(self)
            }

            /// The same as a C structure.
            #[must_use]
            #[inline]
            pub const fn from_abi(abi: $abi) -> Self {
                Self(abi)
            }

            /// The C structure.
            #[must_use]
            #[inline]
            pub const fn as_abi(&self) -> &$abi {
                &self.0
            }
        }
    };
}

bytes!(PathRecord, ibv_path_record, 64);
bytes!(PathData, ibv_path_data, 72);

impl PathData {
    /// A path from its record and flags; the 4 reserved bytes between them are zero.
    #[must_use]
    #[inline]
    pub const fn from_record(record: PathRecord, flags: PathFlags) -> Self {
        let (flags, reserved) = (native_endian::U32::new(flags.bits()), native_endian::U32::ZERO);
        Self(ibv_path_data { flags, reserved, path: record.0 })
    }

    /// The record without the flags.
    #[must_use]
    #[inline]
    pub const fn path_record(&self) -> PathRecord {
        PathRecord(self.0.path)
    }

    /// What the path is for.
    #[must_use]
    #[inline]
    pub const fn flags(&self) -> PathFlags {
        PathFlags::from_bits_retain(self.0.flags.get())
    }

    /// The same path with these flags.
    #[must_use]
    #[inline]
    pub const fn with_flags(mut self, flags: PathFlags) -> Self {
        self.0.flags = native_endian::U32::new(flags.bits());
        self
    }
}

/// Views a route, the C `ai_route`, in place: `bytes` at any alignment, 72 for each path, none for an empty one.
///
/// # Errors
/// [`ErrorKind::Invalid`] with [`Reason::RouteLength`] at the offset of the path that is cut short.
///
/// ```
/// use rdma_addrinfo_core::{ErrorKind, Location, paths_from_bytes};
///
/// assert_eq!(paths_from_bytes(&[0; 144])?.len(), 2);
/// let error = paths_from_bytes(&[0; 100]).unwrap_err();
/// assert_eq!((error.kind(), error.location()), (ErrorKind::Invalid, Location::Text(72)));
/// # Ok::<(), rdma_addrinfo_core::Error>(())
/// ```
#[doc(alias = "ai_route")]
#[inline]
pub fn paths_from_bytes(bytes: &[u8]) -> Result<&[PathData], Error> {
    <[PathData]>::ref_from_bytes(bytes).map_err(|_| {
        let rest = bytes.len().wrapping_rem(PathData::LEN);
        let offset = bytes.len().saturating_sub(rest);
        Error::new(ErrorKind::Invalid).because(Reason::RouteLength).at(Location::Text(offset))
    })
}
