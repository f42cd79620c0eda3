//! [`Answer`]: what was found for a name.

use super::getaddrinfo::List;
use rdma_addrinfo_core::Found;
use std::ffi::CStr;

/// All that was found: what getaddrinfo(3) did in its own memory.
#[derive(Debug)]
pub(crate) struct Answer(Names);

#[derive(Debug)]
enum Names {
    Listed(List),
    /// What was told: addresses, and the canonical name with a NUL at its end.
    Told(Vec<Found>, Option<Vec<u8>>),
}

impl Answer {
    /// The IPv4 and IPv6 addresses in getaddrinfo's order, none left out. Other families are. One for a protocol that
    /// is neither TCP nor UDP has [`Protocol::Any`](rdma_addrinfo_core::Protocol::Any).
    pub(crate) fn addresses(&self) -> impl Iterator<Item = Found> + Clone {
        let (listed, told): (_, &[Found]) = match &self.0 {
            Names::Listed(list) => (Some(list), &[]),
            Names::Told(addresses, _) => (None, addresses),
        };
        listed.into_iter().flat_map(List::addresses).chain(told.iter().copied())
    }

    /// The canonical name of the node, if asked for and known.
    pub(crate) fn canonical_name(&self) -> Option<&CStr> {
        match &self.0 {
            Names::Listed(list) => list.canonical_name(),
            Names::Told(_, name) => CStr::from_bytes_with_nul(name.as_deref()?).ok(),
        }
    }

    /// What the files say; the name with a NUL at its end.
    pub(super) const fn of_files(addresses: Vec<Found>, canonical_name: Option<Vec<u8>>) -> Self {
        Self(Names::Told(addresses, canonical_name))
    }

    /// What another service says.
    pub(crate) fn told(addresses: Vec<Found>, canonical_name: Option<&CStr>) -> Self {
        Self(Names::Told(addresses, canonical_name.map(|name| name.to_bytes_with_nul().to_vec())))
    }
}

impl From<List> for Answer {
    fn from(list: List) -> Self {
        Self(Names::Listed(list))
    }
}

#[cfg(test)]
impl PartialEq for Answer {
    fn eq(&self, other: &Self) -> bool {
        self.addresses().eq(other.addresses()) && self.canonical_name() == other.canonical_name()
    }
}
