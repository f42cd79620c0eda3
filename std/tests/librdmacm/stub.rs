//! Stub libraries, built here by gcc.
#![allow(unsafe_code)]

use crate::common::{in_ci, skipped};
use rdma_addrinfo::{Library, LibraryList, LoadError};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{self, Command};

const SOURCE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/librdmacm/stub.c");

/// A stub of a test's own, so that its counts are its own; removed when dropped.
#[derive(Debug)]
pub(super) struct Stub(PathBuf);

impl Stub {
    /// Builds one with options of gcc; `None` where there is no gcc and need not be.
    pub(super) fn build(name: &str, options: &[&str]) -> Option<Self> {
        let stub = Self::file(&format!("{name}.so"));
        let mut gcc = Command::new("gcc");
        gcc.args(["-Wall", "-Wextra", "-Werror", "-O1", "-shared", "-fPIC", "-o"])
            .arg(&stub.0)
            .arg(SOURCE)
            .args(options);
        match gcc.output() {
            Err(_) if !in_ci() => {
                skipped(name, "gcc is missing: apt-get install gcc");
                None
            }
            output => {
                let output = output.unwrap();
                assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
                Some(stub)
            }
        }
    }

    /// The place of a file of that name, which does not exist yet.
    pub(super) fn file(name: &str) -> Self {
        Self(Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{}-{name}", process::id())))
    }

    /// A library that is none of ours.
    pub(super) fn named(name: &str) -> Self {
        Self(name.into())
    }

    pub(super) fn path(&self) -> &Path {
        &self.0
    }

    /// A library with the interface of librdmacm, from this file.
    pub(super) fn load(&self) -> Result<Library, LoadError> {
        // SAFETY: what `build` makes has no initializers, and functions of these names that do as librdmacm's do
        // and keep the contract of `RawAddrInfo::from_ptr`: no pointer and length of theirs leads where there are not
        // as many bytes, but null. Other files of these tests have no such function, or cannot be loaded.
        unsafe { Library::load_from(&self.0) }
    }
}

impl Drop for Stub {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.0);
    }
}

/// How many lists a stub has made and freed.
pub(super) fn counts(library: &Library) -> (i32, i32) {
    let list = library.getaddrinfo("counts", None, None).unwrap();
    let info = list.first().unwrap();
    let counts = (info.flags().to_raw(), info.family().to_raw());
    drop(list);
    // Without this one, those before it included.
    counts
}

/// A list given up and taken back.
pub(super) fn through_raw(library: &Library, list: LibraryList) -> LibraryList {
    let raw = list.into_raw();
    // SAFETY: the list was made by this library, and `into_raw` gave it up unfreed.
    unsafe { LibraryList::from_raw(library, raw) }
}
