//! How the shared library is linked.

fn main() {
    for argument in [
        // Programs that are linked with it look it up by this name, wherever it was at link time.
        "-soname=librdma_addrinfo.so",
        // Connections to ibacm belong to the process: it stays loaded when a plug-in that uses it is closed.
        "-znodelete",
    ] {
        println!("cargo::rustc-cdylib-link-arg=-Wl,{argument}");
    }
    println!("cargo::rerun-if-changed=build.rs");
}
