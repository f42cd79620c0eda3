//! Services of the InfiniBand subnet administrator, and the entries of their records.

use super::summary::Summary;
use crate::abi;
use crate::addrinfo::{AddrInfoList, Entry, Storage};
use crate::error::{Error, ErrorKind, Location, Reason};
use crate::request::{Request, ServiceText};
use crate::sockaddr::SockAddrBuf;
use crate::text::{IbServiceText, ib_service};
use crate::types::{Family, Flags, Gid, Pkey, PortSpace, ServiceId};
use core::fmt;

/// A service of the InfiniBand subnet administrator.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum IbService<'q> {
    /// By its ID.
    Id(ServiceId),
    /// By its name: at most 63 bytes, none of them NUL. Only by [`Rules::Librdmacm`](crate::Rules::Librdmacm) it may be
    /// empty.
    Name(&'q [u8]),
}

impl<'q> IbService<'q> {
    /// Reads the service of a request.
    pub(super) fn read(request: &Request<'q>, service: ServiceText<'q>) -> Result<Self, Error> {
        if let Some(port) = service.port() {
            return Ok(Self::Id(ServiceId::from_raw(port.into())));
        }
        let text = service.text().bytes().unwrap_or_default();
        Ok(match ib_service(request.policy.grammar, text)? {
            IbServiceText::Id(id) => Self::Id(ServiceId::from_raw(id)),
            IbServiceText::Name(name) => Self::Name(name),
        })
    }
}

/// What a service record says of where the service is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[doc(alias = "ib_user_service_rec")]
pub struct ServiceRecord {
    /// The GID of the port that the service is at.
    pub gid: Gid,
    /// The partition.
    pub pkey: Pkey,
    /// The ID of the service.
    pub id: ServiceId,
}

/// Why the subnet administrator is not asked through a port.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum SkippedPort {
    /// It is no InfiniBand port.
    NotInfiniband,
    /// It is not active.
    NotActive,
    /// It has no GID.
    NoGid,
}

impl SkippedPort {
    /// The reason in words.
    #[must_use]
    pub const fn message(self) -> &'static str {
        match self {
            Self::NotInfiniband => "not InfiniBand",
            Self::NotActive => "not active",
            Self::NoGid => "no GID",
        }
    }
}

impl fmt::Display for SkippedPort {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.message())
    }
}

/// The list of the records that were found through the port with this GID.
pub(super) fn list<'r>(
    port: Gid,
    records: impl IntoIterator<Item = ServiceRecord>,
    mut results: Storage<'r>,
) -> Result<AddrInfoList<'r>, Error> {
    let mut summary = Summary::EMPTY;
    for record in records {
        summary = summary.push(entry(port, record), &mut results);
        if summary.truncated {
            break;
        }
    }
    if !summary.truncated && results.entries.as_slice().is_empty() {
        let error = Error::new(ErrorKind::Service).because(Reason::NoServiceRecord);
        return Err(error.at(Location::Service(0)));
    }
    summary.finish(results, false)
}

/// The error as the policy has it: librdmacm has one `errno` for all, but where memory runs out.
pub(super) fn failure(request: &Request<'_>, error: Error) -> Error {
    match error.kind() {
        ErrorKind::Memory => error,
        _ if request.policy.is_strict() => error,
        _ => error.with_errno(abi::ENOENT),
    }
}

/// The entry of a record, as librdmacm makes it.
fn entry(port: Gid, record: ServiceRecord) -> Entry {
    let ServiceRecord { gid, pkey, id } = record;
    let space = PortSpace::IB;
    let own_id = ServiceId::from_port(space, 0);
    Entry {
        flags: Flags::SA,
        family: Family::IB,
        port_space: space,
        src: SockAddrBuf::ib(port, pkey, 0, own_id, ServiceId::mask_for(space, 0), 0),
        dst: SockAddrBuf::ib(gid, pkey, 0, id, u64::MAX, 0),
        ..Entry::empty()
    }
}
