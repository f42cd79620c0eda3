//! `rdma_addrinfo_core::route`

use crate::opaque::{any, bytes, sink};
use crate::{derived, each, formats};
use rdma_addrinfo_core::{
    Gid, Mtu, PacketLifeTime, PathData, PathFlags, PathRecord, Pkey, Rate, RouteHint, Selector, ServiceId,
    paths_from_bytes,
};

macro_rules! coded {
    ($ty:ident) => {{
        let coded = any($ty::from_raw(any(0)));
        sink($ty::new(any(Selector::Best), any(0)));
        each!($ty, coded; to_raw(), selector(), code());
        formats!($ty, coded; Display);
        derived!($ty, coded; Clone PartialEq Hash Default);
        coded
    }};
}

macro_rules! fields {
    ($ty:ident, $path:ident) => {
        each!($ty, &$path; service_id(), dgid(), sgid(), dlid(), slid(), flow_label(), hop_limit(), traffic_class());
        each!($ty, &$path; is_reversible(), num_paths(), pkey(), qos_class(), service_level(), mtu(), rate());
        each!($ty, &$path; packet_life_time(), preference(), as_bytes(), as_abi());
        each!($ty, $path; with_service_id(ServiceId::from_raw(0)), with_dgid(Gid::LOOPBACK), with_sgid(Gid::LOOPBACK));
        each!($ty, $path; with_dlid(0), with_slid(0), with_flow_label(0), with_hop_limit(0), with_traffic_class(0));
        each!($ty, $path; with_reversible(true), with_num_paths(0), with_pkey(Pkey::DEFAULT), with_qos_class(0));
        each!($ty, $path; with_service_level(0), with_mtu(Mtu::from_raw(0)), with_rate(Rate::from_raw(0)));
        each!($ty, $path; with_packet_life_time(PacketLifeTime::from_raw(0)), with_preference(0));
        formats!($ty, $path; Display);
        derived!($ty, $path; Clone PartialEq Hash Default);
    };
}

pub fn calls() {
    derived!(Selector, Selector::Best; Clone PartialEq Hash);
    let mtu = coded!(Mtu);
    each!(Mtu, mtu; bytes());
    sink(Mtu::from_bytes(any(0)));
    let rate = coded!(Rate);
    each!(Rate, rate; megabits_per_second());
    sink(Rate::from_megabits_per_second(any(0)));
    let time = coded!(PacketLifeTime);
    each!(PacketLifeTime, time; duration());

    sink(PathRecord::from_bytes(any([0; 64])));
    let record = any(PathRecord::from_abi(any(Default::default())));
    fields!(PathRecord, record);

    sink(PathData::from_bytes(any([0; 72])));
    sink(PathData::from_abi(any(Default::default())));
    let path = any(PathData::from_record(record, any(PathFlags::GMP)));
    each!(PathData, &path; path_record(), flags());
    each!(PathData, path; with_flags(PathFlags::GMP));
    fields!(PathData, path);
    sink(paths_from_bytes(bytes()));

    if let Ok(hint) = RouteHint::from_bytes(bytes()) {
        let hint = any(hint);
        each!(RouteHint, &hint; as_bytes(), len(), is_empty(), first());
        for path in RouteHint::paths(&hint) {
            sink(path);
        }
        derived!(RouteHint<'_>, hint; Clone PartialEq Hash);
    }
}
