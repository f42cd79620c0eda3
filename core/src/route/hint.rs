//! [`RouteHint`]: a route given in hints.

use super::{PathData, PathFlags, PathRecord};
use crate::error::{Error, ErrorKind, Field, Location, Reason};
use zerocopy::{FromBytes, IntoBytes};

/// A route given in hints, in one of the two forms that `ai_route` of hints may have.
///
/// ```
/// use rdma_addrinfo_core::{PathFlags, PathRecord, RouteHint};
///
/// let record = PathRecord::ZERO.with_dlid(0x26);
/// let hint = RouteHint::from_bytes(record.as_bytes())?;
///
/// assert!(matches!(hint, RouteHint::Records([_])));
/// let path = hint.paths().next().unwrap();
/// assert_eq!((path.path_record(), path.flags()), (record, PathFlags::BIDIRECTIONAL_PRIMARY));
/// # Ok::<(), rdma_addrinfo_core::Error>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum RouteHint<'a> {
    /// C `ibv_path_data`, 72 bytes each.
    Data(&'a [PathData]),
    /// C `ibv_path_record`, 64 bytes each.
    Records(&'a [PathRecord]),
}

impl<'a> RouteHint<'a> {
    /// Tells the form by the length in bytes: a multiple of 72 is [`Data`](Self::Data), else a multiple of 64
    /// is [`Records`](Self::Records). So 576 bytes, a multiple of both, are eight paths with flags; no bytes
    /// are no paths.
    ///
    /// # Errors
    /// [`ErrorKind::Invalid`] with [`Reason::RouteHintLength`] at [`Field::Route`] for any other length.
    #[inline]
    pub fn from_bytes(bytes: &'a [u8]) -> Result<Self, Error> {
        let data = <[PathData]>::ref_from_bytes(bytes).map(Self::Data);
        data.or_else(|_| <[PathRecord]>::ref_from_bytes(bytes).map(Self::Records)).map_err(|_| {
            Error::new(ErrorKind::Invalid).because(Reason::RouteHintLength).at(Location::Hints(Field::Route))
        })
    }

    /// The bytes of all paths.
    #[must_use]
    #[inline]
    pub fn as_bytes(&self) -> &'a [u8] {
        match self {
            Self::Data(paths) => paths.as_bytes(),
            Self::Records(records) => records.as_bytes(),
        }
    }

    /// The number of paths.
    #[must_use]
    #[inline]
    pub const fn len(&self) -> usize {
        match self {
            Self::Data(paths) => paths.len(),
            Self::Records(records) => records.len(),
        }
    }

    /// Whether there is no path.
    #[must_use]
    #[inline]
    pub const fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The record of the first path, the one that a path query sends.
    #[must_use]
    #[inline]
    pub fn first(&self) -> Option<PathRecord> {
        self.paths().next().map(|path| path.path_record())
    }

    /// The paths in order. Records, which have no flags, get [`PathFlags::BIDIRECTIONAL_PRIMARY`].
    #[inline]
    pub fn paths(&self) -> impl Iterator<Item = PathData> + Clone + use<'a> {
        let (paths, records): (&[_], &[_]) = match self {
            Self::Data(paths) => (paths, &[]),
            Self::Records(records) => (&[], records),
        };
        let with_flags =
            |record: &PathRecord| PathData::from_record(*record, PathFlags::BIDIRECTIONAL_PRIMARY);
        paths.iter().copied().chain(records.iter().map(with_flags))
    }
}
