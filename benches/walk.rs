//! All fields of a list, read through our view.

use rdma_addrinfo_core::{AddrInfoList, PathData, SockAddrRef};
use std::ffi::CStr;
use std::net::IpAddr;

/// What was read: sums, so that every field counts, and that they cost next to nothing.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Seen {
    pub(crate) words: u64,
    pub(crate) addresses: u128,
}

impl Seen {
    #[inline]
    pub(crate) fn word(&mut self, word: u64) {
        self.words = self.words.wrapping_add(word);
    }

    #[inline]
    pub(crate) fn address(&mut self, address: u128) {
        self.addresses = self.addresses.wrapping_add(address);
    }

    /// The four numbers that every entry has.
    #[inline]
    pub(crate) fn numbers(&mut self, numbers: [i32; 4]) {
        for number in numbers {
            self.word(u64::from(number.cast_unsigned()));
        }
    }
}

/// Reads all fields of all entries.
#[must_use]
#[inline]
pub fn walk(list: AddrInfoList<'_>) -> Seen {
    let mut seen = Seen::default();
    for info in list {
        seen.numbers([
            info.flags().to_raw(),
            info.family().to_raw(),
            info.qp_type().to_raw(),
            info.port_space().to_raw(),
        ]);
        address(&mut seen, info.src_addr());
        address(&mut seen, info.dst_addr());
        name(&mut seen, info.src_canonname());
        name(&mut seen, info.dst_canonname());
        for path in info.route() {
            record(&mut seen, path);
        }
        let connect = info.connect_data();
        seen.word(connect.len() as u64);
        seen.word(connect.last().copied().unwrap_or(0).into());
    }
    seen
}

#[inline]
fn address(seen: &mut Seen, address: Option<SockAddrRef<'_>>) {
    let Some(address) = address else { return };
    seen.word(address.port().into());
    match address.ip() {
        Some(IpAddr::V4(ip)) => seen.address(ip.to_bits().into()),
        Some(IpAddr::V6(ip)) => {
            seen.address(ip.to_bits());
            seen.word(address.scope_id());
        }
        None => {}
    }
}

#[inline]
fn name(seen: &mut Seen, name: Option<&CStr>) {
    if let Some(name) = name {
        seen.word(name.count_bytes() as u64);
    }
}

#[inline]
fn record(seen: &mut Seen, path: &PathData) {
    seen.address(path.dgid().to_bits());
    seen.address(path.sgid().to_bits());
    seen.word(path.pkey().to_raw().into());
}
