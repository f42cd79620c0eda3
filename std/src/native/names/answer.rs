//! [`Answer`]: what getaddrinfo(3) found.

use super::getaddrinfo::List;
use rdma_addrinfo_core::Found;
use std::ffi::CStr;

/// All that getaddrinfo(3) found, in its own memory.
#[derive(Debug)]
pub(crate) struct Answer(Names);

#[derive(Debug)]
enum Names {
    Listed(List),
    /// What a test has its stand-in for getaddrinfo say.
    #[cfg(test)]
    Told(Vec<Found>, Option<std::ffi::CString>),
}

impl Answer {
    /// The IPv4 and IPv6 addresses in getaddrinfo's order, none left out. Other families are. One for a protocol that
    /// is neither TCP nor UDP has [`Protocol::Any`](rdma_addrinfo_core::Protocol::Any).
    pub(crate) fn addresses(&self) -> impl Iterator<Item = Found> + Clone {
        let (listed, told): (_, &[Found]) = match &self.0 {
            Names::Listed(list) => (Some(list), &[]),
            #[cfg(test)]
            Names::Told(addresses, _) => (None, addresses),
        };
        listed.into_iter().flat_map(List::addresses).chain(told.iter().copied())
    }

    /// The canonical name of the node, if asked for and known.
    pub(crate) fn canonical_name(&self) -> Option<&CStr> {
        match &self.0 {
            Names::Listed(list) => list.canonical_name(),
            #[cfg(test)]
            Names::Told(_, name) => name.as_deref(),
        }
    }

    /// An answer that getaddrinfo did not give.
    #[cfg(test)]
    pub(crate) fn told(addresses: Vec<Found>, canonical_name: Option<&CStr>) -> Self {
        Self(Names::Told(addresses, canonical_name.map(Into::into)))
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
