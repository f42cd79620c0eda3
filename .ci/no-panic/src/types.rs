//! `rdma_addrinfo_core::types`, but flags

use crate::opaque::{any, sink, text};
use crate::{derived, each, formats};
use core::net::Ipv6Addr;
use core::str::FromStr;
use rdma_addrinfo_core::{Family, Gid, Pkey, PortSpace, QpType, ServiceId};

macro_rules! word {
    ($ty:ident) => {{
        let word = any($ty::from_raw(any(0)));
        each!($ty, word; to_raw(), name());
        sink(<$ty as FromStr>::from_str(text()));
        formats!($ty, word; Display);
        derived!($ty, word; Clone PartialEq PartialOrd Ord Hash Default);
    }};
}

pub fn calls() {
    word!(Family);
    word!(QpType);
    word!(PortSpace);

    sink(Gid::from_bits(any(0)));
    let gid = any(Gid::from_octets(any([0; 16])));
    each!(Gid, gid; to_bits(), octets());
    sink(<Gid as FromStr>::from_str(text()));
    sink(<Gid as From<Ipv6Addr>>::from(any(Ipv6Addr::LOCALHOST)));
    sink(<Ipv6Addr as From<Gid>>::from(gid));
    formats!(Gid, gid; Display);
    derived!(Gid, gid; Clone PartialEq PartialOrd Ord Hash Default);

    let pkey = any(Pkey::from_raw(any(0)));
    each!(Pkey, pkey; to_raw(), is_full_member(), same_partition(pkey));
    sink(<Pkey as FromStr>::from_str(text()));
    formats!(Pkey, pkey; Display);
    derived!(Pkey, pkey; Clone PartialEq PartialOrd Ord Hash Default);

    let id = any(ServiceId::from_raw(any(0)));
    sink(ServiceId::from_port(any(PortSpace::TCP), any(0)));
    sink(ServiceId::mask_for(any(PortSpace::TCP), any(0)));
    each!(ServiceId, id; to_raw(), port());
    sink(<ServiceId as FromStr>::from_str(text()));
    formats!(ServiceId, id; Display);
    derived!(ServiceId, id; Clone PartialEq PartialOrd Ord Hash Default);
}
