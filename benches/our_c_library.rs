//! The library for C and the command of this project, built first: cargo does not build them for a benchmark.

use std::env;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Where it is, for the process that runs in a world: there it cannot be built.
pub const OUR_C_LIBRARY: &str = "RDMA_ADDRINFO_BENCH_LIBRARY";

/// The same of the command.
pub const OUR_COMMAND: &str = "RDMA_ADDRINFO_BENCH_COMMAND";

/// The path of the library, built where this program was built.
///
/// # Errors
/// Why it was not built.
pub fn our_c_library() -> Result<OsString, String> {
    env::var_os(OUR_C_LIBRARY).map_or_else(|| build("rdma-addrinfo-c", "librdma_addrinfo.so"), Ok)
}

/// The path of the command, built where this program was built.
///
/// # Errors
/// Why it was not built.
pub fn our_command() -> Result<OsString, String> {
    env::var_os(OUR_COMMAND).map_or_else(|| build("rdma-getaddrinfo", "rdma-getaddrinfo"), Ok)
}

fn build(package: &str, file: &str) -> Result<OsString, String> {
    let this = env::current_exe().map_err(|error| error.to_string())?;
    // target/release/deps/areas-…
    let here = this.ancestors().nth(2).ok_or("no target directory")?;
    let target = here.parent().ok_or("no target directory")?;
    let profile = if cfg!(debug_assertions) { "dev" } else { "release" };
    let cargo = env::var_os("CARGO").unwrap_or("cargo".into());
    let mut command = Command::new(cargo);
    command.args(["build", "--quiet", "--package", package, "--profile", profile, "--target-dir"]);
    let root: &Path = Path::new(env!("CARGO_MANIFEST_DIR"));
    let status = command.arg(target).current_dir(root).status().map_err(|error| error.to_string())?;
    let built: PathBuf = here.join(file);
    if !status.success() || !built.exists() {
        return Err(format!("{} was not built", built.display()));
    }
    Ok(OsStr::new(&built).to_owned())
}
