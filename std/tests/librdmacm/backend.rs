//! The library as the backend of a resolver.

use super::rows::{entries, library};
use super::stub::{Stub, counts};
use crate::common::World;
use rdma_addrinfo::{Backend, ErrorKind, Family, Flags, Hints, Reason, Resolver};
use std::ptr;

const WORLD: World<'_> = World {
    hosts: "127.0.0.1 localhost\n::1 localhost\n192.0.2.7 storage-7\n192.0.2.8 storage-7\n2001:db8::7 storage-7\n",
    device: true,
    ..World::EMPTY
};

#[test]
fn its_results_are_the_library_s_own() {
    WORLD.run(|| {
        let Some(library) = library("its_results_are_the_library_s_own") else { return };
        let resolver = Resolver::new().backend(Backend::Librdmacm).library(library);
        for (node, hints) in
            [("192.0.2.9", Hints::new()), ("::1", Hints::new().passive()), ("storage-7", Hints::new())]
        {
            let found = resolver.resolve(node, "7471", &hints).unwrap();
            let list = library.getaddrinfo(node, "7471", &hints).unwrap();
            assert_eq!((found.backend(), found.len()), (Backend::Librdmacm, 1));
            assert_eq!(entries(found.list()), entries(list.list()));
            let raw = found.as_library_list().unwrap().as_raw();
            assert!(ptr::eq(found.first().unwrap().as_raw().unwrap().as_raw(), raw));
        }
        let mut told = Vec::new();
        resolver
            .resolve_traced("127.1", "7", None, &mut |step| told.push((step.question, step.answer)))
            .unwrap();
        assert_eq!(told, [("rdma_getaddrinfo of librdmacm".into(), "inet rc/tcp * -> 127.0.0.1:7".into())]);
    });
}

#[test]
fn the_others_answer_every_address_device_or_not() {
    WORLD.run(|| {
        for backend in [Backend::Auto, Backend::Native] {
            let found = Resolver::new().backend(backend).resolve("storage-7", "7471", None).unwrap();
            assert_eq!((found.backend(), found.len()), (Backend::Native, 3));
            assert!(found.as_library_list().is_none());
        }
    });
}

#[test]
fn without_a_device_only_the_library_fails() {
    World::EMPTY.run(|| {
        let Some(library) = library("without_a_device_only_the_library_fails") else { return };
        let resolver = Resolver::new().library(library);
        let error = resolver.backend(Backend::Librdmacm).resolve("192.0.2.7", "7471", None).unwrap_err();
        assert_eq!((error.kind(), error.backend()), (ErrorKind::NoDevice, Some(Backend::Librdmacm)));
        assert_eq!(error.io_error().unwrap().raw_os_error(), Some(libc::ENODEV));
        assert_eq!(resolver.resolve("192.0.2.7", "7471", None).unwrap().backend(), Backend::Native);
    });
}

/// RAI_SA is what only a library can do, and only one of a release that knows it.
#[test]
fn the_subnet_administrator_is_asked_through_the_library() {
    let Some(old) = Stub::build("backend_old", &[]) else { return };
    let Some(new) = Stub::build("backend_new", &["-DWITH_SA"]) else { return };
    let (old, new) = (old.load().unwrap(), new.load().unwrap());
    let hints = Hints::new().flags(Flags::SA).family(Family::IB);
    let error = Resolver::new().library(old).resolve(None, "service", &hints).unwrap_err();
    assert_eq!((error.kind(), error.reason()), (ErrorKind::NotSupported, Reason::SaNeedsRelease));
    let found = Resolver::new().library(new).resolve(None, "service", &hints).unwrap();
    assert_eq!((found.backend(), found.first().unwrap().flags()), (Backend::Librdmacm, Flags::SA));
    drop(found);
    // What the native backend can do, or refuses, never reaches it.
    Resolver::new().library(new).resolve("127.0.0.1", "7471", None).unwrap();
    Resolver::new().library(new).resolve("127.0.0.1", "7471", &hints).unwrap_err();
    assert_eq!((counts(&old), counts(&new)), ((0, 0), (1, 1)));
}
