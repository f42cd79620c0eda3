//! What the guest's kernel is asked.

use super::ibacm::Ibacm;
use super::rows::unhex;
use crate::common::World;
use rdma_addrinfo::{Family, IbEntries, Resolver};

const WORLD: World<'_> = World { device: true, ..World::EMPTY };

/// One path from fe80::12 to fe80::21, with a source.
const REPLY: &str = "010100000000a00000000000000000002b000000100000000000000000000000fe800000000000000000000000000021fe80000000000000000000000000012100260003012345400781ffff0012848392010000000000000100000002000000c0000209000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000";

/// The kernel's connection manager is there and takes AF_IB addresses, so a route brings an AF_IB entry.
#[test]
fn the_connection_manager_takes_af_ib() {
    WORLD.run(|| {
        let daemon = Ibacm::start();
        let families = |resolver: Resolver| {
            daemon.reply(unhex(REPLY));
            let found = resolver.resolve("192.0.2.1", "7471", None).unwrap();
            daemon.take_request().expect("asked");
            found.iter().map(|info| info.family()).collect::<Vec<_>>()
        };
        assert_eq!(families(Resolver::new()), [Family::INET, Family::IB]);
        assert_eq!(families(Resolver::new().with_ib_entries(IbEntries::Auto)), [Family::INET, Family::IB]);
        assert_eq!(families(Resolver::new().with_ib_entries(IbEntries::Never)), [Family::INET]);
    });
}
