//! `rdma_addrinfo_core::abi`

use crate::derived;
use rdma_addrinfo_core::abi::{
    acm_ep_addr_data, acm_hdr, ibv_path_data, ibv_path_record, rdma_addrinfo, sockaddr_ib, sockaddr_in,
    sockaddr_in6,
};

pub fn calls() {
    derived!(sockaddr_in, sockaddr_in::default(); Clone PartialEq Hash Default);
    derived!(sockaddr_in6, sockaddr_in6::default(); Clone PartialEq Hash Default);
    derived!(sockaddr_ib, sockaddr_ib::default(); Clone PartialEq Hash Default);
    derived!(ibv_path_record, ibv_path_record::default(); Clone PartialEq Hash Default);
    derived!(ibv_path_data, ibv_path_data::default(); Clone PartialEq Hash Default);
    derived!(acm_hdr, acm_hdr::default(); Clone PartialEq Hash Default);
    let entry = acm_ep_addr_data { flags: 0.into(), r#type: 0.into(), reserved: 0.into(), info: [0; 64] };
    derived!(acm_ep_addr_data, entry; Clone PartialEq Hash);
    derived!(rdma_addrinfo, rdma_addrinfo::ZERO; Clone Default);
}
