//! What may be shared between threads, sent to others, and outlive what it was made with.

use rdma_addrinfo::{
    AddrInfo, AddrInfoList, Error, Hints, IbEntries, Ibacm, InterfaceName, Library, LibraryList, Policy,
    Resolved, Resolver, Results, TracedStep,
};
use rdma_addrinfo_core::Step;
use std::thread;

const fn shared<T: Send + Sync + 'static>() {}

/// A value: copied, compared, and a key of a map.
const fn value<T: Copy + Eq + std::hash::Hash + Send + Sync + 'static>() {}

const _: () = {
    value::<Resolver>();
    value::<Ibacm>();
    value::<IbEntries>();
    value::<InterfaceName>();
    shared::<Resolved>();
    shared::<Error>();
    shared::<TracedStep>();
    shared::<Library>();
    shared::<LibraryList>();
    shared::<Policy>();
    shared::<Hints<'static>>();
    shared::<Results<4>>();
    shared::<AddrInfo<'static>>();
    shared::<AddrInfoList<'static>>();
    shared::<Step<'static, 'static>>();
};

#[test]
fn results_outlive_the_resolver_and_what_was_asked() {
    let found = thread::spawn(|| {
        let (node, service) = (String::from("127.0.0.7"), String::from("7471"));
        let hints = Hints::parse("qp=rc").unwrap();
        Resolver::new().resolve(&*node, &*service, &hints).unwrap()
    });
    let found = found.join().unwrap();
    assert_eq!(found.len(), 1);
    assert_eq!(found.first().unwrap().to_string(), "inet rc/tcp 127.0.0.1 -> 127.0.0.7:7471");
}

#[test]
fn one_resolver_serves_many_threads() {
    let resolver = Resolver::new().with_source(false);
    thread::scope(|scope| {
        for caller in 0..16_u16 {
            let resolver = &resolver;
            scope.spawn(move || {
                for round in 0..200_u16 {
                    let (node, service) = (format!("192.0.{caller}.{}", round % 256), round.to_string());
                    let found = resolver.resolve(&*node, &*service, None).unwrap();
                    let port = if round == 0 { String::new() } else { format!(":{round}") };
                    assert_eq!(found.first().unwrap().to_string(), format!("inet rc/tcp * -> {node}{port}"));
                }
            });
        }
    });
}

#[test]
fn a_process_keeps_no_more_sockets_than_it_has_threads_and_families() {
    let sockets = || {
        let open = std::fs::read_dir("/proc/self/fd").unwrap();
        let is_socket = |to: &std::path::PathBuf| to.to_string_lossy().starts_with("socket:");
        open.filter_map(|fd| std::fs::read_link(fd.ok()?.path()).ok()).filter(is_socket).count()
    };
    let before = sockets();
    for _ in 0..100 {
        thread::spawn(|| {
            let resolver = Resolver::new();
            assert!(resolver.resolve("127.0.0.7", "1", None).unwrap().first().unwrap().src_addr().is_some());
        })
        .join()
        .unwrap();
    }
    // Those of threads that ended are closed; other tests of this file have some.
    assert!(sockets() <= before + 8, "{} after {before}", sockets());
}

/// Thread-local variables of the program are taken out of a lookup thread's stack, which must be large enough
/// for both.
#[test]
fn a_program_with_large_thread_local_variables() {
    const SIZE: usize = 1 << 20;
    thread_local!(static LARGE: std::cell::RefCell<[u8; SIZE]> = const { std::cell::RefCell::new([7; SIZE]) });
    assert_eq!(LARGE.with(|large| large.borrow()[SIZE - 1]), 7);
    for node in ["localhost", "no-such-host.invalid"] {
        let outcome = Resolver::new().resolve(node, "7471", None);
        match outcome {
            Ok(found) => assert_eq!(found.first().unwrap().dst_addr().unwrap().port(), 7471),
            // Whatever the name service says, a thread could be started and came back.
            Err(error) => assert_ne!(error.kind(), rdma_addrinfo::ErrorKind::System, "{error}"),
        }
    }
}
