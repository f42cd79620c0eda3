//! Files that are no librdmacm: each is told from the others, and nothing is called.

use super::stub::Stub;
use rdma_addrinfo::{LoadError, LoadErrorKind};
use std::fs;
use std::path::Path;

fn refused(stub: &Stub) -> LoadError {
    let error = stub.load().unwrap_err();
    assert_eq!(error.library(), stub.path());
    assert!(error.to_string().contains(error.kind().message()), "{error}");
    assert!(!error.detail().is_empty() && error.to_string().contains(error.detail()), "{error}");
    error
}

fn with_bytes(name: &str, bytes: &[u8]) -> Stub {
    let stub = Stub::file(name);
    fs::write(stub.path(), bytes).unwrap();
    stub
}

#[test]
fn a_symbol_that_is_missing() {
    for (option, symbol) in [("-DWITHOUT_GET", "rdma_getaddrinfo"), ("-DWITHOUT_FREE", "rdma_freeaddrinfo")] {
        let Some(stub) = Stub::build(symbol, &[option]) else { return };
        let error = refused(&stub);
        assert_eq!(error.kind(), LoadErrorKind::MissingSymbol);
        assert!(error.detail().contains(symbol), "{error}");
    }
}

#[test]
fn files_that_are_not_there() {
    for name in ["nowhere.so", "nowhere/librdmacm.so"] {
        assert_eq!(refused(&Stub::file(name)).kind(), LoadErrorKind::NotFound, "{name}");
    }
    // A name that the dynamic linker looks for.
    let error = refused(&Stub::named("librdma-addrinfo-nowhere.so.1"));
    assert_eq!(error.kind(), LoadErrorKind::NotFound);
    assert!(error.detail().contains("librdma-addrinfo-nowhere.so.1"), "{error}");
}

#[test]
fn files_of_another_kind() {
    let Some(good) = Stub::build("of_this_kind", &[]) else { return };
    let good = fs::read(good.path()).unwrap();
    let edited = |at: usize, bytes: &[u8]| {
        let mut file = good.clone();
        file[at..at + bytes.len()].copy_from_slice(bytes);
        file
    };
    for (name, bytes) in [
        ("empty.so", Vec::new()),
        ("text.so", b"/* GNU ld script */ INPUT(librdmacm.so.1)\n".to_vec()),
        ("header.so", good[..10].to_vec()),
        ("magic.so", edited(0, b"\x7fELG")),
        // The class of 32 bits if this has 64, and the other way round; the other byte order; another machine
        // (EM_S390, big-endian only); an object file; an executable; a core file.
        ("class.so", edited(4, &[3 - good[4]])),
        ("order.so", edited(5, &[3 - good[5]])),
        ("machine.so", edited(18, &22_u16.to_ne_bytes())),
        ("object.so", edited(16, &1_u16.to_ne_bytes())),
        ("executable.so", edited(16, &2_u16.to_ne_bytes())),
        ("core.so", edited(16, &4_u16.to_ne_bytes())),
    ] {
        assert_eq!(refused(&with_bytes(name, &bytes)).kind(), LoadErrorKind::NotSharedObject, "{name}");
    }
    // Of the right kind, and broken.
    let cut = with_bytes("cut.so", &good[..100]);
    assert_eq!(refused(&cut).kind(), LoadErrorKind::Refused);
    let version = with_bytes("version.so", &edited(6, &[9]));
    assert_eq!(refused(&version).kind(), LoadErrorKind::Refused);
}

#[test]
fn a_library_that_needs_another_one_which_is_missing() {
    let Some(needed) = Stub::build("needed", &["-Wl,-soname,librdma-addrinfo-nowhere.so.1"]) else { return };
    let needed_path = needed.path().to_str().unwrap();
    let Some(stub) = Stub::build("needy", &["-DWITHOUT_GET", "-Wl,--no-as-needed", needed_path]) else {
        return;
    };
    let error = refused(&stub);
    assert_eq!(error.kind(), LoadErrorKind::Refused);
    assert!(error.detail().contains("librdma-addrinfo-nowhere.so.1"), "{error}");
}

#[test]
fn a_directory() {
    let error = refused_path(Path::new(env!("CARGO_TARGET_TMPDIR")));
    assert_ne!(error.kind(), LoadErrorKind::NotFound);
}

fn refused_path(path: &Path) -> LoadError {
    let link = Stub::file("directory.so");
    std::os::unix::fs::symlink(path, link.path()).unwrap();
    refused(&link)
}
