//! [`Answer`]: what was found for a name.

use super::getaddrinfo::List;
use rdma_addrinfo_core::Found;
use std::ffi::CStr;
use std::mem;
use std::net::SocketAddr;

/// All that was found: what getaddrinfo(3) did in its own memory.
#[derive(Debug)]
pub(crate) struct Answer {
    names: Names,
    sources: Sources,
}

/// Where the kernel sends from to these destinations, as [`source_for`](crate::native::source_for) has it.
pub(crate) type Sources = Vec<(SocketAddr, Option<SocketAddr>)>;

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
        let (listed, told): (_, &[Found]) = match &self.names {
            Names::Listed(list) => (Some(list), &[]),
            Names::Told(addresses, _) => (None, addresses),
        };
        listed.into_iter().flat_map(List::addresses).chain(told.iter().copied())
    }

    /// The canonical name of the node, if asked for and known.
    pub(crate) fn canonical_name(&self) -> Option<&CStr> {
        match &self.names {
            Names::Listed(list) => list.canonical_name(),
            Names::Told(_, name) => CStr::from_bytes_with_nul(name.as_deref()?).ok(),
        }
    }

    /// What the files say; the name with a NUL at its end.
    pub(super) const fn of_files(
        addresses: Vec<Found>,
        canonical_name: Option<Vec<u8>>,
        sources: Sources,
    ) -> Self {
        Self { names: Names::Told(addresses, canonical_name), sources }
    }

    /// The sources that had to be found for the order of the addresses: they need not be asked for again.
    pub(crate) fn take_sources(&mut self) -> Sources {
        mem::take(&mut self.sources)
    }

    /// What another service says.
    pub(crate) fn told(addresses: Vec<Found>, canonical_name: Option<&CStr>) -> Self {
        let name = canonical_name.map(|name| name.to_bytes_with_nul().to_vec());
        Self::of_files(addresses, name, Sources::new())
    }
}

impl From<List> for Answer {
    fn from(list: List) -> Self {
        Self { names: Names::Listed(list), sources: Sources::new() }
    }
}

#[cfg(test)]
impl PartialEq for Answer {
    fn eq(&self, other: &Self) -> bool {
        self.addresses().eq(other.addresses()) && self.canonical_name() == other.canonical_name()
    }
}
