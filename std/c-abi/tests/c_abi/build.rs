//! Builds the library by cargo, and programs by gcc.

use crate::common::{in_ci, skipped};
use std::collections::HashMap;
use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{self, Command};
use std::sync::{Mutex, OnceLock};

/// May be set: the library to test, in place of the one that is built here.
const LIBRARY: &str = "RDMA_ADDRINFO_TEST_LIBRARY";

/// May be set: a command under which C programs run, such as valgrind(1).
const UNDER: &str = "RDMA_ADDRINFO_TEST_C_UNDER";

/// librdma_addrinfo.so
pub(super) fn library() -> &'static Path {
    static BUILT: OnceLock<PathBuf> = OnceLock::new();
    BUILT.get_or_init(|| {
        if let Some(library) = env::var_os(LIBRARY) {
            return fs::canonicalize(library).unwrap();
        }
        let target = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().unwrap();
        let (profile, folder) =
            if cfg!(debug_assertions) { ("dev", "debug") } else { ("release", "release") };
        let library = target.join(folder).join("librdma_addrinfo.so");
        // Tests of a cdylib do not build it. In a world it has been built.
        if env::var_os(crate::common::WORLD).is_none() {
            let mut cargo = Command::new(env!("CARGO"));
            cargo.args(["build", "--frozen", "--quiet", "-p", "rdma-addrinfo-c", "--profile", profile]);
            cargo.arg("--target-dir").arg(target).current_dir(env!("CARGO_MANIFEST_DIR"));
            let output = cargo.output().unwrap();
            assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        }
        fs::canonicalize(library).unwrap()
    })
}

/// What a program is linked with.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum With {
    /// librdma_addrinfo.so alone.
    Ours,
    /// librdmacm.so alone.
    Real,
}

/// A program of `tests/c`, built; `None` where gcc, the headers or librdmacm are missing and need not be there.
pub(super) fn program(test: &str, name: &str, with: With) -> Option<PathBuf> {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/c").join(format!("{name}.c"));
    compile(test, &source, name, with)
}

/// Why a program of C cannot be built.
pub(super) const NO_HEADERS: &str = "gcc or <rdma/rdma_cma.h> is missing: apt-get install gcc librdmacm-dev";

/// The same from any source.
pub(super) fn compile(test: &str, source: &Path, name: &str, with: With) -> Option<PathBuf> {
    static BUILT: Mutex<Option<HashMap<(String, With), PathBuf>>> = Mutex::new(None);
    if !has_headers() {
        assert!(!in_ci(), "{NO_HEADERS}");
        skipped(test, NO_HEADERS);
        return None;
    }
    let mut built = BUILT.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    let key = (name.to_owned(), with);
    let built = built.get_or_insert_default();
    if let Some(program) = built.get(&key) {
        return Some(program.clone());
    }
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}-{with:?}"));
    // In a world it has been built.
    if env::var_os(crate::common::WORLD).is_none() {
        let ours = library();
        let folder = ours.parent().unwrap();
        let new = path.with_extension(process::id().to_string());
        let mut gcc = Command::new("gcc");
        gcc.args(["-std=gnu11", "-Wall", "-Wextra", "-Werror", "-O1", "-g", "-o"]).arg(&new).arg(source);
        if with != With::Real {
            gcc.arg("-L").arg(folder).arg("-lrdma_addrinfo").arg(format!("-Wl,-rpath,{}", folder.display()));
        }
        if with != With::Ours {
            // Though nothing of it is used that ours has not.
            gcc.args(["-Wl,--no-as-needed", "-lrdmacm", "-libverbs"]);
        }
        let output = gcc.args(["-lpthread", "-ldl"]).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        fs::rename(&new, &path).unwrap();
    }
    built.insert(key, path.clone());
    Some(path)
}

/// A shared library of `tests/c`, built for this test, which removes it.
pub(super) fn object(test: &str, name: &str) -> PathBuf {
    let library = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}-{test}-{}.so", process::id()));
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/c").join(format!("{name}.c"));
    let mut gcc = Command::new("gcc");
    gcc.args(["-Wall", "-Wextra", "-Werror", "-shared", "-fPIC", "-o"]).arg(&library).arg(source).arg("-ldl");
    let output = gcc.output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    library
}

pub(super) fn has_headers() -> bool {
    static HAS: OnceLock<bool> = OnceLock::new();
    *HAS.get_or_init(|| {
        let mut gcc = Command::new("gcc");
        gcc.args(["-E", "-include", "rdma/rdma_cma.h", "-x", "c", "/dev/null"]);
        gcc.output().is_ok_and(|output| output.status.success())
    })
}

/// A command that runs a program, under another if that is asked for.
pub(super) fn command(program: &Path) -> Command {
    let under = env::var(UNDER).unwrap_or_default();
    let mut words = under.split_whitespace();
    match words.next() {
        None => Command::new(program),
        Some(first) => {
            let mut command = Command::new(first);
            command.args(words).arg(program);
            command
        }
    }
}

/// Whether C programs run under another, and many times slower.
pub(super) fn is_slow() -> bool {
    env::var_os(UNDER).is_some()
}
