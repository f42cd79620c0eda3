//! The library beside the resolver.

use super::rows::library;
use super::stub::{Stub, counts};
use crate::common::World;
use rdma_addrinfo::{ErrorKind, Family, Flags, Hints, Reason, Resolver};

const WORLD: World<'_> = World {
    hosts: "127.0.0.1 localhost\n::1 localhost\n192.0.2.7 storage-7\n192.0.2.8 storage-7\n2001:db8::7 storage-7\n",
    device: true,
    ..World::EMPTY
};

#[test]
fn the_resolver_answers_every_address_device_or_not() {
    for world in [WORLD, World { device: false, ..WORLD }] {
        world.run(|| assert_eq!(Resolver::new().resolve("storage-7", "7471", None).unwrap().len(), 3));
    }
}

#[test]
fn without_a_device_only_the_library_fails() {
    World::EMPTY.run(|| {
        let Some(library) = library("without_a_device_only_the_library_fails") else { return };
        let error = library.getaddrinfo("192.0.2.7", "7471", None).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::NoDevice);
        assert_eq!(error.io_error().unwrap().raw_os_error(), Some(libc::ENODEV));
        assert_eq!(
            error.to_string(),
            "cannot resolve node '192.0.2.7' service '7471': no RDMA device; the native resolver needs neither library \
             nor device"
        );
        assert_eq!(Resolver::new().resolve("192.0.2.7", "7471", None).unwrap().len(), 1);
    });
}

/// A release that does not know RAI_SA would ignore it.
#[test]
fn the_subnet_administrator_is_asked_by_a_library_that_knows_how() {
    let Some(old) = Stub::build("backend_old", &[]) else { return };
    let Some(new) = Stub::build("backend_new", &["-DWITH_SA"]) else { return };
    let (old, new) = (old.load().unwrap(), new.load().unwrap());
    let hints = Hints::new().with_flags(Flags::SA).with_family(Family::IB);
    let error = old.getaddrinfo(None, "service", &hints).unwrap_err();
    assert_eq!((error.kind(), error.reason()), (ErrorKind::NotSupported, Reason::SaNeedsRelease));
    let found = new.getaddrinfo(None, "service", &hints).unwrap();
    assert_eq!(found.first().unwrap().flags(), Flags::SA);
    drop(found);
    assert_eq!((counts(&old), counts(&new)), ((0, 0), (1, 1)));
}
