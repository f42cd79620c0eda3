//! Names in `/etc/hosts`, with one address and with eight, and in files of up to 100,000 lines, against bare getaddrinfo(3)
//! and the C library.

use criterion::Criterion;
use rdma_addrinfo::{Flags, Resolver};
use rdma_addrinfo_benches::{
    CLibrary, Case, HINTS, Literal, Numeric, by_dns_lookup, by_glibc, by_library, by_std, c_hints,
    getaddrinfo, owned, read,
};
use std::cell::Cell;
use std::fmt::Write;
use std::fs;
use std::net::SocketAddr;
use std::os::unix::fs::symlink;
use std::thread;
use std::time::Duration;

/// In a world, whose `/etc/hosts` has the names.
pub(crate) fn measure(criterion: &mut Criterion, librdmacm: Option<&CLibrary>) {
    // What each row of the resolver adds.
    let bare = Resolver::new().with_source(false).with_routes(false).without_deadline();
    let deadline = Resolver::new().with_source(false).with_routes(false);
    for (name, addresses) in [("one", 1), ("eight", 8)] {
        let inputs = [Literal::new(name, "7471")];
        let all = |input: &Literal| {
            let found = getaddrinfo(&input.c_node, &input.c_service, Numeric::No).expect("a name");
            let found = found.addresses();
            assert_eq!(found.len(), addresses);
            assert!(found.iter().all(|address| address.ip().is_loopback() && address.port() == 7471));
            found
        };
        let mut group = Case::new(criterion, &format!("names/{name}"), &inputs, all);
        let case = &mut group;
        by_glibc(case, Numeric::No);
        resolver(case, "ours_native_man_page_no_source_no_route_no_deadline", bare);
        resolver(case, "ours_native_man_page_no_source_no_route_deadline", deadline);
        resolver(case, "ours_defaults", Resolver::new());
        by_std(case);
        by_dns_lookup(case, Numeric::No);
        drop(group);
        if let Some(library) = librdmacm {
            // It answers the first address only.
            let first = |input: &Literal| all(input).into_iter().take(1).collect();
            let case = format!("names/{name}_answering_the_first");
            let mut case = Case::new(criterion, &case, &inputs, first);
            by_library(&mut case, "librdmacm_hints", library, Some(&c_hints(Flags::empty())));
        }
    }
    let before = fs::read(HOSTS).expect("hosts of the world");
    for lines in [10, 100, 1000, 10_000, 100_000] {
        of_file(criterion, librdmacm, lines);
    }
    first_call(criterion);
    fs::write(HOSTS, before).expect("hosts of the world");
}

const HOSTS: &str = "/etc/hosts";

/// Longer than a change of a file counts as recent.
const SETTLED: Duration = Duration::from_millis(100);

/// A file of so many lines.
fn text(lines: usize) -> String {
    let mut text = String::new();
    for line in 0..lines {
        // Formatting into a string does not fail.
        let _ = writeln!(
            text,
            "127.{}.{}.{} node-{line:06}.cluster.example node-{line:06}",
            1 + (line >> 16),
            line >> 8 & 255,
            line & 255
        );
    }
    text
}

/// A name in the middle of a file.
fn of_file(criterion: &mut Criterion, librdmacm: Option<&CLibrary>, lines: usize) {
    fs::write(HOSTS, text(lines)).expect("hosts of the world");
    thread::sleep(SETTLED);
    let node = format!("node-{:06}", lines / 2);
    let inputs = [Literal::new(&node, "7471")];
    let right = |input: &Literal| {
        getaddrinfo(&input.c_node, &input.c_service, Numeric::No).expect("a name").addresses()
    };
    let mut case = Case::new(criterion, &format!("names/lines_{lines}"), &inputs, right);
    by_glibc(&mut case, Numeric::No);
    resolver(&mut case, "ours_no_source_no_route", Resolver::new().with_source(false).with_routes(false));
    resolver(&mut case, "ours_defaults", Resolver::new());
    by_std(&mut case);
    by_dns_lookup(&mut case, Numeric::No);
    if let Some(library) = librdmacm {
        by_library(&mut case, "librdmacm_hints", library, Some(&c_hints(Flags::empty())));
    }
    drop(case);
    if lines == 10_000 {
        at_once(criterion, &inputs);
    }
}

/// So many names for each of 64 threads that starting them counts little.
fn at_once(criterion: &mut Criterion, inputs: &[Literal]) {
    let mut case = Case::new(criterion, "names/threads_64", inputs, |_| ());
    let at_once = |one: &(dyn Fn() + Sync)| {
        thread::scope(|scope| {
            for _ in 0..64 {
                scope.spawn(|| (0..10).for_each(|_| one()));
            }
        });
    };
    case.engine("glibc_getaddrinfo", |input| {
        at_once(&|| drop(getaddrinfo(&input.c_node, &input.c_service, Numeric::No).expect("a name")));
    });
    case.engine("ours_defaults", |input| {
        at_once(&|| drop(Resolver::new().resolve(&*input.node, &*input.service, &HINTS).expect("a name")));
    });
}

/// The first call, which reads the file: each call finds another than the last.
fn first_call(criterion: &mut Criterion) {
    for lines in [10, 1000, 100_000] {
        let files = ["/etc/hosts.0", "/etc/hosts.1"];
        for file in files {
            fs::write(file, text(lines)).expect("a file of the world");
        }
        thread::sleep(SETTLED);
        let turn = Cell::new(0);
        let exchange = || {
            turn.set(1 - turn.get());
            symlink(files[turn.get()], "/etc/hosts.new").expect("a link");
            fs::rename("/etc/hosts.new", HOSTS).expect("a rename");
        };
        let node = format!("node-{:06}", lines / 2);
        let inputs = [Literal::new(&node, "7471")];
        let mut case = Case::new(criterion, &format!("names/first_{lines}"), &inputs, |_| ());
        case.engine("glibc_getaddrinfo", |input| {
            exchange();
            drop(getaddrinfo(&input.c_node, &input.c_service, Numeric::No).expect("a name"));
        });
        case.engine("ours_no_source_no_route", |input| {
            exchange();
            let resolver = Resolver::new().with_source(false).with_routes(false);
            drop(resolver.resolve(&*input.node, &*input.service, &HINTS).expect("a name"));
        });
        fs::remove_file(HOSTS).expect("the link");
    }
}

fn resolver(case: &mut Case<'_, Literal, Vec<SocketAddr>>, name: &str, resolver: Resolver) {
    let resolve = |input: &Literal| resolver.resolve(&*input.node, &*input.service, &HINTS);
    owned(case, name, resolve, |found| read(found.list()));
}
