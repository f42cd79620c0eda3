//! The linked library beside the crate `rdma-sys`: lists and paths go over in both directions.
#![allow(unsafe_code)]

use super::ibacm::Ibacm;
use super::rows::{entries, unhex};
use crate::common::World;
use rdma_addrinfo::{AddrInfo, AddrInfoList, Hints, Library, LibraryList, SockAddrBuf, sys};
use std::ptr;

const WORLD: World<'_> = World { device: true, ..World::EMPTY };

/// One path from fe80::12 to fe80::21, with a source.
const REPLY: &str = "010100000000a00000000000000000002b000000100000000000000000000000fe800000000000000000000000000021fe80000000000000000000000000012100260003012345400781ffff0012848392010000000000000100000002000000c0000209000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000";

#[test]
fn lists_are_those_of_rdma_sys() {
    WORLD.run(|| {
        let library = Library::linked();
        let hints = Hints::new().with_src_addr(SockAddrBuf::inet(0xc000_0209, 0));
        let list = library.getaddrinfo("192.0.2.1", "7471", &hints).unwrap();
        let before = entries(list.list());
        let first = list.as_raw().cast_const();
        assert!(ptr::addr_eq(list.as_rdma_sys(), first));

        let raw = list.into_rdma_sys();
        assert!(ptr::addr_eq(raw, first));
        // SAFETY: the list is the library's own, given up a line before, and nobody has freed or changes it.
        let foreign = unsafe { sys::foreign(raw) }.unwrap();
        assert_eq!(entries(AddrInfoList::from_raw(Some(foreign))), before);
        let c = sys::addrinfo(foreign);
        assert!(ptr::eq(c, raw));
        assert_eq!((c.ai_family, c.ai_src_len, c.ai_dst_len, c.ai_port_space), (2, 16, 16, 0x106));
        assert_eq!(
            c.ai_dst_addr.cast::<u8>().cast_const(),
            AddrInfo::from_raw(foreign).dst_addr().unwrap().as_bytes().as_ptr()
        );

        // SAFETY: the linked library made the list, and nobody frees it but this.
        let list = unsafe { LibraryList::from_rdma_sys(raw) };
        assert_eq!(entries(list.list()), before);
        // SAFETY: null is no structure.
        assert!(unsafe { sys::foreign(ptr::null()) }.is_none());
    });
}

#[test]
fn paths_are_those_of_rdma_sys() {
    WORLD.run(|| {
        Ibacm::start().reply(unhex(REPLY));
        let list = Library::linked().getaddrinfo("192.0.2.1", "7471", &Hints::new().numeric_host()).unwrap();
        let [path] = list.first().unwrap().route() else { panic!("{list:?}") };
        let c = sys::path_to(path);
        assert_eq!((c.flags, c.path.mtu, c.path.rate), (0x2b, 0x84, 0x83));
        assert_eq!((u16::from_be(c.path.dlid), u16::from_be(c.path.slid)), (0x26, 3));
        assert_eq!(sys::path_from(&c), path);
    });
}
