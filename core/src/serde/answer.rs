//! Results.

use super::{Hex, Lossy, object};
use crate::acm::{ReplyError, Status};
use crate::addrinfo::{AddrInfo, AddrInfoList, NoRoute, RouteStatus};
use serde_core::ser::SerializeSeq;
use serde_core::{Serialize, Serializer};

/// Whether results are missing, and the results in their order.
impl Serialize for AddrInfoList<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        object!(serializer, "AddrInfoList", {
            "truncated" => self.is_truncated(),
            "entries" => Entries(*self),
        })
    }
}

struct Entries<'a>(AddrInfoList<'a>);

impl Serialize for Entries<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut list = serializer.serialize_seq(Some(self.0.len()))?;
        self.0.iter().try_for_each(|entry| list.serialize_element(&entry))?;
        list.end()
    }
}

/// All that the getters return; `route_detail` only where more than the status is known.
impl Serialize for AddrInfo<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let status = self.route_status();
        let detail = RouteDetail::of(status);
        object!(serializer, "AddrInfo", {
            "flags" => self.flags(),
            "family" => self.family(),
            "qp_type" => self.qp_type(),
            "port_space" => self.port_space(),
            "src" => self.src_addr(),
            "dst" => self.dst_addr(),
            "src_canonname" => self.src_canonname().map(Lossy),
            "dst_canonname" => self.dst_canonname().map(Lossy),
            "route" => self.route(),
            "route_status" => status,
            "route_detail" if detail.is_some() => detail,
            "connect_data" => Hex(self.connect_data()),
            "user_private_data" => self.user_private_data(),
            "needs_scope" => self.needs_scope(),
        })
    }
}

/// The name; what is known beyond it is a key of its own of the entry.
impl Serialize for RouteStatus {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

/// The name.
impl Serialize for NoRoute {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

/// What is known beyond the status: the daemon's own, or what is wrong with its reply.
enum RouteDetail {
    Status(Status),
    Invalid(ReplyError),
}

impl RouteDetail {
    const fn of(status: RouteStatus) -> Option<Self> {
        match status {
            RouteStatus::Missing(NoRoute::Refused(status)) => Some(Self::Status(status)),
            RouteStatus::Missing(NoRoute::InvalidReply(invalid)) => Some(Self::Invalid(invalid)),
            _ => None,
        }
    }
}

impl Serialize for RouteDetail {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Status(status) => serializer.collect_str(status),
            Self::Invalid(invalid) => serializer.collect_str(invalid),
        }
    }
}
