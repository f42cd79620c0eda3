//! The same program, two libraries: rdma_getaddrinfo(3) of librdmacm, and of this project's library for C.
//!
//! Both are loaded as files and called as C calls them, on the simulated device; the library of the project is built
//! first, since cargo does not build a library for C for a benchmark.

use criterion::Criterion;
use rdma_addrinfo_benches::{
    CLibrary, Case, Literal, Numeric, by_glibc, by_library, c_hints, right, single_literals,
};
use rdma_addrinfo_core::Flags;
use std::env;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Where the library of this project is, for the process that runs in a world: there it cannot be built.
pub(crate) const LIBRARY: &str = "RDMA_ADDRINFO_BENCH_LIBRARY";

pub(crate) fn measure(criterion: &mut Criterion, ours: &CLibrary, theirs: &CLibrary) {
    let mut cases = single_literals();
    cases.push(("zone_name", vec![Literal::new("fe80::1%lo", "7471")]));
    let numeric = c_hints(Flags::NUMERIC_HOST);
    for (case, inputs) in &cases {
        for (form, hints) in [("numeric_host", Some(&numeric)), ("no_hints", None)] {
            let case = &mut Case::new(criterion, &format!("c_interface/{case}_{form}"), inputs, right);
            by_library(case, "ours_c", ours, hints);
            by_library(case, "librdmacm", theirs, hints);
            by_glibc(case, Numeric::Yes);
        }
    }
}

/// The path of the library, built where this program was built.
pub(crate) fn library() -> Result<OsString, String> {
    env::var_os(LIBRARY).map_or_else(build, Ok)
}

fn build() -> Result<OsString, String> {
    let this = env::current_exe().map_err(|error| error.to_string())?;
    // target/release/deps/c_interface-…
    let here = this.ancestors().nth(2).ok_or("no target directory")?;
    let target = here.parent().ok_or("no target directory")?;
    let profile = if cfg!(debug_assertions) { "dev" } else { "release" };
    let cargo = env::var_os("CARGO").unwrap_or("cargo".into());
    let mut command = Command::new(cargo);
    command.args(["build", "--quiet", "--package", "rdma-addrinfo-c", "--profile", profile, "--target-dir"]);
    let root: &Path = Path::new(env!("CARGO_MANIFEST_DIR"));
    let status = command.arg(target).current_dir(root).status().map_err(|error| error.to_string())?;
    let library: PathBuf = here.join("librdma_addrinfo.so");
    if !status.success() || !library.exists() {
        return Err(format!("{} was not built", library.display()));
    }
    Ok(OsStr::new(&library).to_owned())
}
