//! Socket addresses.

use super::{Displayed, Hex, object};
use crate::sockaddr::{SockAddrBuf, SockAddrRef};
use serde_core::{Serialize, Serializer};

/// Of another family than IP and AF_IB only the family and the bytes say something.
impl Serialize for SockAddrRef<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let is_ib = matches!(self, Self::Ib(_));
        let mask = self.service_id_mask().unwrap_or_default();
        object!(serializer, "SockAddr", {
            "family" => self.family(),
            "address" => Host(*self),
            "port" => self.port(),
            "scope_id" => self.scope_id(),
            "pkey" if is_ib => self.pkey(),
            "flow_info" if is_ib => self.flow_info(),
            "service_id" if is_ib => self.service_id(),
            "service_id_mask" if is_ib => Displayed(format_args!("0x{mask:016x}")),
            "bytes" => Hex(self.as_bytes()),
        })
    }
}

/// As the view, null for no address.
impl Serialize for SockAddrBuf {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.get().serialize(serializer)
    }
}

/// An IP address or a GID; null in another family.
struct Host<'a>(SockAddrRef<'a>);

impl Serialize for Host<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match (self.0.ip(), self.0.gid()) {
            (Some(ip), _) => serializer.serialize_some(&Displayed(ip)),
            (None, gid) => gid.serialize(serializer),
        }
    }
}
