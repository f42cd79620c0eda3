//! All areas but ibacm, which needs a daemon and so a process of its own.

mod binding;
mod c_interface;
mod findings;
mod growth;
mod hints;
mod literal;
mod names;
mod resolve_literal;
mod resolver;
mod tails;
mod walking;

use rdma_addrinfo_benches::{CLibrary, OUR_C_LIBRARY, World, criterion, left_out, our_c_library};

fn main() {
    let built = our_c_library();
    let known = built.as_deref().map(|path| (OUR_C_LIBRARY, path)).ok();
    let world = World::enter_knowing(known).expect("the benchmark starts");
    if tails::is_first_call() {
        return;
    }
    let librdmacm = or_left_out("librdmacm", world.librdmacm());
    let binding = or_left_out("librdmacm through the binding", world.binding());
    let ours = or_left_out("the library for C", built.and_then(|path| CLibrary::open(&path)));
    let names = or_left_out("names, which are in a /etc/hosts of their own", world.own());

    let mut criterion = criterion();
    literal::measure(&mut criterion);
    hints::measure(&mut criterion);
    resolve_literal::measure(&mut criterion, librdmacm.as_ref());
    resolver::measure(&mut criterion, librdmacm.as_ref());
    if let (Some(ours), Some(theirs)) = (&ours, &librdmacm) {
        c_interface::measure(&mut criterion, ours, theirs);
    }
    if names.is_some() {
        names::measure(&mut criterion, librdmacm.as_ref());
    }
    if let (Some(ours), Some(theirs)) = (&binding, &librdmacm) {
        binding::measure(&mut criterion, ours, theirs);
    }
    walking::measure(&mut criterion);
    growth::measure(&mut criterion);
    findings::measure(&mut criterion);
    tails::measure(&mut criterion, librdmacm.as_ref());
    criterion.final_summary();
}

fn or_left_out<T>(what: &str, found: Result<T, String>) -> Option<T> {
    found.map_err(|why| left_out(what, &why)).ok()
}
