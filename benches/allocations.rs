//! How often each path allocates on the heap, by an allocator that counts: what C allocates is not ours, and not counted.
//!
//! Each count is that of a later call: what the first of a process keeps is there. A count that is another than it
//! should be ends the run.

use rdma_addrinfo::acm::{Decoder, Query};
use rdma_addrinfo::{
    Family, Flags, Hints, IbEntries, Ibacm, PortSpace, QpType, Resolver, Results, resolve_literal,
};
use rdma_addrinfo_benches::{
    Counting, Daemon, HINTS, Many, Routes, World, fill, left_out, message, path, random_ipv6, walk,
};
use rdma_addrinfo_core::text;
use std::hint::black_box;
use std::net::Ipv4Addr;
use std::path::{Path, PathBuf};
use std::time::Duration;
use std::{env, fs, thread};

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// The paths that were counted, as lines of a name, a tab and a number.
struct Table(String);

impl Table {
    /// Counts what `once` allocates; it tells whether its answer was right.
    fn path(&mut self, name: &str, allocations: u64, mut once: impl FnMut() -> bool) {
        println!("Testing allocations/{name}");
        assert!(once(), "{name}: a wrong answer");
        let (count, right) = Counting::count(&mut once);
        assert!(right, "{name}: a wrong answer");
        assert_eq!(count, allocations, "{name}");
        println!("{count} allocations\nSuccess");
        self.0 += &format!("{name}\t{count}\n");
    }
}

fn main() {
    let world = World::enter().expect("the benchmark starts");
    let mut table = Table(String::new());
    table.path("counter/one_box/std", 1, || *black_box(Box::new(7)) == 7);
    core(&mut table);
    literals(&mut table);
    ibacm(&mut table, &world);
    match world.binding() {
        Ok(library) => {
            let numeric = HINTS.numeric_host();
            table.path("binding/ipv4_port/ours_librdmacm", 0, || {
                let list = library.getaddrinfo(c"192.0.2.7", c"7471", &numeric).expect("an answer");
                let seen = walk(list.list());
                list.len() == 1 && seen != walk(rdma_addrinfo::AddrInfoList::from_raw(None))
            });
        }
        Err(why) => left_out("allocations of the binding", &why),
    }
    match world.own() {
        Ok(()) => names(&mut table),
        Err(why) => left_out("allocations of names", &why),
    }
    fs::write(file(), table.0).expect("a table of allocations");
}

/// Beside criterion's files, for `benches/table`.
fn file() -> PathBuf {
    let this = env::current_exe().expect("this program");
    let target = this.ancestors().nth(3).unwrap_or(Path::new("."));
    let folder = target.join("criterion");
    fs::create_dir_all(&folder).expect("a folder");
    folder.join("allocations.tsv")
}

fn core(table: &mut Table) {
    const ID: u64 = 7;
    let destination = Ipv4Addr::new(192, 0, 2, 7);
    let nodes = random_ipv6(100_000);
    let query = Query { destination: Some(destination.into()), ..Query::default() };
    let reply = message(ID, path(destination));
    let mut many = Many::new();
    table.path("walking/64/fill_and_walk", 0, || fill(&mut many, 64, Routes::Yes).len() == 64);
    table.path("hints/parse/ours", 0, || Hints::parse("passive,qp=rc,src=192.0.2.9:7471").is_ok());
    table.path("ibacm/encode/ours", 0, || query.to_request(ID).as_bytes().len() == 88);
    table.path("ibacm/decode/ours", 0, || {
        let mut decoder = Decoder::new(ID);
        decoder.push(&reply).is_ok_and(|taken| taken == reply.len()) && decoder.reply().is_some()
    });
    table.path("literal_parse/ipv6_100000/ours", 0, || {
        nodes.iter().all(|node| text::ipv6(node.as_bytes()).is_some())
    });
    let mut results = Results::<4>::new();
    table.path("resolve_literal/ipv6_100000/ours", 0, || {
        nodes.iter().all(|node| resolve_literal(&**node, "7471", &HINTS, &mut results).is_ok())
    });
    let gid = Hints::new()
        .with_flags(Flags::FAMILY)
        .with_family(Family::IB)
        .with_qp_type(QpType::RC)
        .with_port_space(PortSpace::TCP);
    for (name, node, hints) in [
        ("ipv4_port", "192.0.2.7", HINTS),
        ("ipv6_zone_port", "fe80::1%1", HINTS),
        ("gid_port", "fe80::7", gid),
    ] {
        table.path(&format!("resolve_literal/{name}/ours"), 0, || {
            resolve_literal(node, "7471", &hints, &mut results).is_ok_and(|list| list.len() == 1)
        });
    }
}

fn literals(table: &mut Table) {
    let bare = Resolver::new().with_source(false).with_routes(false);
    for (case, node) in [("ipv4_loopback", "127.0.0.1"), ("zone_name", "fe80::1%lo")] {
        for (engine, resolver) in
            [("ours_no_source_no_route", bare), ("ours_defaults", Resolver::new().with_ibacm(Ibacm::OFF))]
        {
            let mut results = Results::<4>::new();
            table.path(&format!("resolver/{case}/{engine}"), 0, || {
                resolver.resolve_into(node, "7471", &HINTS, &mut results).is_ok_and(|list| list.len() == 1)
            });
            table.path(&format!("resolver/{case}/{engine}_on_heap"), 1, || {
                resolver.resolve(node, "7471", &HINTS).is_ok_and(|found| found.len() == 1)
            });
        }
    }
}

/// A route: room for one entry, room for one path.
fn ibacm(table: &mut Table, world: &World) {
    let socket = world.socket();
    let _daemon = Daemon::start(&socket).expect("nobody is at the socket");
    let ibacm = Ibacm::socket(&socket).expect("a short path");
    let resolver = Resolver::new().with_ibacm(ibacm).with_ib_entries(IbEntries::Never).with_source(false);
    let mut results = Results::<4>::new();
    table.path("ibacm/round_trip/ours", 0, || {
        let list = resolver.resolve_into("192.0.2.7", "7471", &HINTS, &mut results).expect("an answer");
        list.first().is_some_and(|info| info.route().len() == 1)
    });
    table.path("ibacm/round_trip/ours_on_heap", 2, || {
        let found = resolver.resolve("192.0.2.7", "7471", &HINTS).expect("an answer");
        found.first().is_some_and(|info| info.route().len() == 1)
    });
}

/// What is counted is on the caller's thread.
fn names(table: &mut Table) {
    // A file that changed just now is not kept: it is read again by each call.
    thread::sleep(Duration::from_millis(100));
    let bare = Resolver::new().with_source(false).with_routes(false).without_deadline();
    for (case, addresses, allocations) in [("one", 1, [3, 4]), ("eight", 8, [10, 12])] {
        for ((engine, resolver), allocations) in
            [("ours_no_source_no_route_no_deadline", bare), ("ours_defaults", Resolver::new())]
                .into_iter()
                .zip(allocations)
        {
            table.path(&format!("names/{case}/{engine}_on_heap"), allocations, || {
                resolver.resolve(case, "7471", &HINTS).is_ok_and(|found| found.len() == addresses)
            });
        }
    }
}
