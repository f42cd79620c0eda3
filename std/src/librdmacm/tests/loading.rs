//! Libraries that cannot be loaded, each for its own reason.
#![allow(unsafe_code)]

use super::super::Library;
use crate::error::{LoadError, LoadErrorKind};
use rdma_addrinfo_core::ErrorKind;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

/// A temporary file, removed on drop.
struct TempFile(PathBuf);

impl TempFile {
    fn new(content: &[u8]) -> Self {
        static COUNT: AtomicUsize = AtomicUsize::new(0);
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!("rdma-addrinfo-{}-{count}.so", std::process::id()));
        fs::write(&path, content).unwrap();
        Self(path)
    }
}

impl Drop for TempFile {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.0);
    }
}

#[track_caller]
fn refused(path: impl AsRef<Path>, kind: LoadErrorKind) -> LoadError {
    let path = path.as_ref();
    // SAFETY: the C library's mathematics can be loaded by anyone; nothing else here can be loaded at all.
    let error = unsafe { Library::load_from(path) }.unwrap_err();
    assert_eq!(error.kind(), kind, "{error}");
    assert_eq!(error.library(), path);
    assert!(!error.detail().is_empty());
    assert_eq!(error.to_core(), ErrorKind::NoLibrary.into());
    error
}

/// The ELF header of this program, changed to that of a shared object.
fn own_header() -> Vec<u8> {
    let mut header = fs::read("/proc/self/exe").unwrap();
    header.truncate(64);
    let kind = if header[5] == 2 { [0, 3] } else { [3, 0] };
    header[16..18].copy_from_slice(&kind);
    header
}

#[test]
fn no_such_library() {
    let directory = std::env::temp_dir();
    for path in [
        directory.join("rdma-addrinfo-none.so.1"),
        directory.join("rdma-addrinfo-none/librdmacm.so.1"),
        "librdmacm-none.so.1".into(),
        "/dev/null/librdmacm.so.1".into(),
        "".into(),
    ] {
        refused(path, LoadErrorKind::NotFound);
    }
    let error = refused("librdmacm-none.so.1", LoadErrorKind::NotFound);
    assert!(error.detail().contains("librdmacm-none.so.1"), "{error}");
    assert_eq!(
        error.to_string(),
        format!("cannot load 'librdmacm-none.so.1': there is no such library ({})", error.detail())
    );
    assert_eq!(io::Error::from(error).kind(), io::ErrorKind::NotFound);
}

#[test]
fn no_shared_object_of_this_machine() {
    let mut other_class = own_header();
    other_class[4] ^= 3;
    let mut other_order = own_header();
    other_order[5] ^= 3;
    let mut other_machine = own_header();
    other_machine[18] ^= 1;
    let mut relocatable = own_header();
    let kind = if relocatable[5] == 2 { [0, 1] } else { [1, 0] };
    relocatable[16..18].copy_from_slice(&kind);
    let contents: [&[u8]; 8] = [
        b"",
        b"\x7fELF",
        b"GROUP ( /usr/lib/librdmacm.so.1 )\n",
        &[0; 4096],
        &other_class,
        &other_order,
        &other_machine,
        &relocatable,
    ];
    for content in contents {
        let file = TempFile::new(content);
        let error = refused(&file.0, LoadErrorKind::NotSharedObject);
        assert_eq!(io::Error::from(error).kind(), io::ErrorKind::Unsupported);
    }
    refused(std::env::temp_dir(), LoadErrorKind::NotSharedObject);
}

/// The header is right, but what it refers to is missing.
#[test]
fn refused_by_the_dynamic_linker() {
    let file = TempFile::new(&own_header());
    refused(&file.0, LoadErrorKind::Refused);
    // dlopen(3) cannot be called.
    refused("librdmacm\0.so.1", LoadErrorKind::Refused);
}

#[test]
fn missing_symbols() {
    let error = refused("libm.so.6", LoadErrorKind::MissingSymbol);
    assert!(error.detail().contains("rdma_getaddrinfo"), "{error}");
    // Once more, now that it is loaded.
    assert_eq!(refused("libm.so.6", LoadErrorKind::MissingSymbol), error);
}

/// Messages contain only printable characters.
#[test]
fn messages_are_one_line() {
    let text = refused("none\n\x1b[2J.so", LoadErrorKind::NotFound).to_string();
    assert!(text.starts_with(r"cannot load 'none\n\u{1b}[2J.so': there is no such library ("), "{text}");
    assert!(!text.contains(char::is_control), "{text:?}");
}

/// With or without librdmacm: no panic, and an error with its reason.
#[test]
fn the_library_of_this_machine() {
    match Library::load() {
        Ok(library) => {
            let again = Library::load().unwrap();
            assert_eq!(library.has_sa(), again.has_sa());
        }
        Err(error) => assert_eq!(error.library(), Path::new("librdmacm.so.1")),
    }
}
