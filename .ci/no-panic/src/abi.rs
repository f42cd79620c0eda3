//! `rdma_addrinfo_core::abi`

use crate::derived;
use rdma_addrinfo_core::abi::{
    ibv_path_data, ibv_path_record, rdma_addrinfo, sockaddr_ib, sockaddr_in, sockaddr_in6,
};

pub fn calls() {
    derived!(sockaddr_in, sockaddr_in::default(); Clone PartialEq Default);
    derived!(sockaddr_in6, sockaddr_in6::default(); Clone PartialEq Default);
    derived!(sockaddr_ib, sockaddr_ib::default(); Clone PartialEq Default);
    derived!(ibv_path_record, ibv_path_record::default(); Clone PartialEq Default);
    derived!(ibv_path_data, ibv_path_data::default(); Clone PartialEq Default);
    derived!(rdma_addrinfo, rdma_addrinfo::ZERO; Clone Default);
}
