//! A literal is resolved without a heap: under an allocator that ends the process, and by count.
#![allow(unsafe_code)]

use rdma_addrinfo::{
    AddrInfoList, ErrorKind, Family, Flags, Hints, Policy, PortSpace, QpType, Request, Resolver, Results,
    SockAddrBuf, forget_kept, resolve_literal,
};
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::env;
use std::ffi::CString;
use std::future::Future;
use std::os::unix::process::ExitStatusExt;
use std::pin::pin;
use std::process::{self, Command};
use std::task::{Context, Poll, Waker};
use std::thread;

thread_local! {
    // Both without a destructor, so that to reach them allocates nothing.
    static FORBIDDEN: Cell<bool> = const { Cell::new(false) };
    static COUNT: Cell<u64> = const { Cell::new(0) };
}

struct Watched;

impl Watched {
    /// Counts a call of this thread, and ends the process where none may be.
    fn called() {
        COUNT.set(COUNT.get() + 1);
        if FORBIDDEN.get() {
            process::abort();
        }
    }
}

// SAFETY: every call is handed on to the system's allocator, unchanged; `called` neither allocates nor unwinds.
unsafe impl GlobalAlloc for Watched {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        Self::called();
        // SAFETY: the caller keeps the preconditions, which are the same.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        Self::called();
        // SAFETY: as above; the pointer came from `System`, as all that this allocator gives.
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        Self::called();
        // SAFETY: as above.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        Self::called();
        // SAFETY: as above; the pointer came from `System`.
        unsafe { System.realloc(pointer, layout, size) }
    }
}

#[global_allocator]
static ALLOCATOR: Watched = Watched;

/// Runs `body` where any call of the allocator ends the process.
fn without_heap<T>(body: impl FnOnce() -> T) -> T {
    FORBIDDEN.set(true);
    let result = body();
    FORBIDDEN.set(false);
    result
}

/// How many calls of the allocator `body` makes on this thread; what it gives is dropped later.
fn count<T>(body: impl FnOnce() -> T) -> (u64, T) {
    let before = COUNT.get();
    let result = body();
    (COUNT.get() - before, result)
}

/// The lines of a list, or the kind of the error.
type Outcome = Result<&'static [&'static str], ErrorKind>;

/// Node, service, hints, and the outcome.
type Case = (Option<&'static str>, Option<&'static str>, &'static str, Outcome);

const CASES: &[Case] = &[
    (Some("192.0.2.7"), Some("7471"), "", Ok(&["inet rc/tcp * -> 192.0.2.7:7471"])),
    (Some("2001:db8::7"), None, "qp=ud", Ok(&["inet6 ud/udp * -> 2001:db8::7"])),
    (Some("fe80::1%3"), Some("65535"), "", Ok(&["inet6 rc/tcp * -> [fe80::1%3]:65535"])),
    (Some("::ffff:192.0.2.7"), Some("1"), "", Ok(&["inet rc/tcp * -> 192.0.2.7:1"])),
    (
        None,
        Some("7471"),
        "passive",
        Ok(&["inet6 rc/tcp [::]:7471 -> * passive", "inet rc/tcp 0.0.0.0:7471 -> * passive"]),
    ),
    (None, None, "dst=192.0.2.7:9,src=192.0.2.9", Ok(&["inet rc/tcp 192.0.2.9 -> 192.0.2.7:9"])),
    (Some("192.0.2.256"), Some("7471"), "", Err(ErrorKind::NoName)),
    (Some("storage-7"), Some("7471"), "", Err(ErrorKind::NotLiteral)),
    (Some("fe80::1%ib0"), Some("7471"), "", Err(ErrorKind::NotLiteral)),
    (Some("192.0.2.7"), Some("tftp"), "", Err(ErrorKind::NotLiteral)),
    (Some("192.0.2.7"), Some("70000"), "", Err(ErrorKind::Service)),
    (Some("192.0.2.7"), None, "family=inet6", Err(ErrorKind::AddrFamily)),
    (Some("192.0.2.7"), None, "qp=ud,ps=tcp", Err(ErrorKind::QpType)),
    (Some("\0"), None, "", Err(ErrorKind::Invalid)),
    (None, None, "", Err(ErrorKind::NoName)),
];

#[test]
fn a_literal_is_resolved_without_a_heap() {
    for &(node, service, hints, expected) in CASES {
        let hints = Hints::parse(hints).unwrap();
        let mut results = Results::<4>::new();
        let outcome = without_heap(|| resolve_literal(node, service, &hints, &mut results));
        assert_lines(outcome.map_err(|error| error.kind()), expected, node);
    }
}

#[test]
fn the_forms_of_the_c_library_need_no_heap_either() {
    let cases: &[(Option<&str>, Option<&str>, Outcome)] = &[
        (Some("127.1"), Some("70000"), Ok(&["inet rc/tcp * -> 127.0.0.1:4464"])),
        (Some("0x7f.1"), Some(" +1"), Ok(&["inet rc/tcp * -> 127.0.0.1:1"])),
        (Some("*"), Some("1"), Ok(&["inet6 rc/tcp * -> [::1]:1"])),
        (Some("2001:db8::7%4"), None, Ok(&["inet6 rc/tcp * -> 2001:db8::7%4"])),
        (Some("storage-7"), None, Err(ErrorKind::NotLiteral)),
        (Some(""), None, Err(ErrorKind::NoName)),
        (None, None, Err(ErrorKind::Invalid)),
    ];
    for &(node, service, expected) in cases {
        let mut results = Results::<4>::new();
        let request = Request::new(node, service, None).with_policy(Policy::LIBRDMACM);
        let outcome = without_heap(|| request.resolve_literal(&mut results));
        assert_lines(outcome.map_err(|error| error.kind()), expected, node);
    }
}

#[test]
fn a_gid_is_resolved_without_a_heap() {
    const HINTS: Hints<'_> = Hints::new()
        .with_flags(Flags::FAMILY)
        .with_family(Family::IB)
        .with_qp_type(QpType::RC)
        .with_port_space(PortSpace::TCP);
    let mut results = Results::<1>::new();
    let list = without_heap(|| resolve_literal("fe80::7", "7471", &HINTS, &mut results)).unwrap();
    let info = list.first().unwrap();
    assert_eq!(info.family(), Family::IB);
    let mut expected = [0; 48];
    expected[..2].copy_from_slice(&27_u16.to_ne_bytes());
    expected[2..4].copy_from_slice(&[0xff, 0xff]);
    expected[8..10].copy_from_slice(&[0xfe, 0x80]);
    expected[23] = 7;
    expected[24..32].copy_from_slice(&0x0106_1d2f_u64.to_be_bytes());
    expected[32..40].copy_from_slice(&u64::MAX.to_be_bytes());
    assert_eq!(info.dst_addr().unwrap().as_bytes(), expected);
}

#[test]
fn the_hints_are_read_without_a_heap() {
    let hints = without_heap(|| Hints::parse("passive,family=inet6,qp=rc,ps=tcp,src=[2001:db8::9]:7"));
    let src: SockAddrBuf = "[2001:db8::9]:7".parse().unwrap();
    let expected = Hints::new().passive().with_family(Family::INET6).with_qp_type(QpType::RC);
    assert_eq!(hints, Ok(expected.with_port_space(PortSpace::TCP).with_src_addr(src)));
}

#[test]
fn the_resolver_needs_no_heap_for_a_literal_in_memory_of_the_callers() {
    let with_source = [Resolver::new(), Resolver::new().without_deadline()].map(|resolver| (resolver, false));
    for (resolver, sourceless) in [(Resolver::new().with_source(false), true)].into_iter().chain(with_source)
    {
        for &(node, service, hints, expected) in CASES {
            let Ok(lines) = expected else { continue };
            let hints = Hints::parse(hints).unwrap();
            let mut results = Results::<4>::new();
            let list = without_heap(|| resolver.resolve_into(node, service, &hints, &mut results)).unwrap();
            assert_eq!(list.len(), lines.len(), "{node:?}");
            if sourceless {
                assert_lines(Ok(list), expected, node);
            }
        }
    }
}

/// Awaited, it is ready at the first poll, and needs no more.
#[test]
fn nor_does_an_awaited_literal_with_its_source() {
    let resolvers = [Resolver::new(), Resolver::new().without_deadline(), Resolver::new().with_source(false)];
    for resolver in resolvers.map(Resolver::awaiting) {
        for &(node, service, hints, expected) in CASES {
            let Ok(lines) = expected else { continue };
            let hints = Hints::parse(hints).unwrap();
            let mut results = Results::<4>::new();
            let polled = without_heap(|| {
                let future = pin!(resolver.resolve_into(node, service, &hints, &mut results));
                future.poll(&mut Context::from_waker(Waker::noop()))
            });
            let Poll::Ready(list) = polled else { panic!("{node:?} waits") };
            assert_eq!(list.unwrap().len(), lines.len(), "{node:?}");
            // On the heap: the list.
            let (calls, polled) = count(|| {
                let future = pin!(resolver.resolve(node, service, &hints));
                future.poll(&mut Context::from_waker(Waker::noop()))
            });
            let Poll::Ready(found) = polled else { panic!("{node:?} waits") };
            assert_eq!((calls, found.unwrap().len()), (1, lines.len()), "{node:?}");
        }
    }
    // The source is there, and was asked for.
    let (resolver, mut results) = (Resolver::new().awaiting(), Results::<1>::new());
    let polled = without_heap(|| {
        let future = pin!(resolver.resolve_into("127.0.0.7", "7471", None, &mut results));
        future.poll(&mut Context::from_waker(Waker::noop()))
    });
    let Poll::Ready(list) = polled else { panic!("it waits") };
    assert_lines(Ok(list.unwrap()), Ok(&["inet rc/tcp 127.0.0.1 -> 127.0.0.7:7471"]), None);
}

/// Nor does a name of the C library: what getaddrinfo(3) takes is C's, and its answer is read where it lies.
#[test]
fn without_a_deadline_a_name_needs_no_heap_either() {
    let resolver = Resolver::new().without_deadline().with_routes(false).with_source(false);
    let resolver = resolver.with_names(rdma_addrinfo::System::new());
    let mut results = Results::<8>::new();
    let list = without_heap(|| resolver.resolve_into("localhost", "7471", None, &mut results)).unwrap();
    assert!(list.iter().any(|info| info.dst_addr().unwrap().to_string() == "127.0.0.1:7471"));

    // Up to 255 bytes; a C string of any length.
    let long = CString::new("x".repeat(3000)).unwrap();
    let glibc = resolver.with_policy(Policy::LIBRDMACM);
    let error =
        without_heap(|| glibc.resolve_request(glibc.request(&long, None, None), &mut results).unwrap_err());
    assert_eq!(error.kind(), ErrorKind::NoName);
    let error = without_heap(|| {
        resolver.resolve_request(resolver.request(c"127.0.0.1", c"no-such-service", None), &mut results)
    });
    assert_eq!(error.unwrap_err().kind(), ErrorKind::Service);
    let error = without_heap(|| {
        resolver.resolve_request(resolver.request(None, None, None), &mut results).unwrap_err()
    });
    assert_eq!(error.kind(), ErrorKind::NoName);
}

/// Nor does a socket that is kept, on a thread that has asked nothing before, nor what is given up of them.
#[test]
fn sockets_that_are_kept_need_no_heap() {
    let resolver = Resolver::new().without_deadline().with_routes(false);
    let ask = move || {
        let mut results = Results::<8>::new();
        let list = without_heap(|| resolver.resolve_into("fe80::7%lo", "7471", None, &mut results)).unwrap();
        let zone = list.first().unwrap().dst_addr().unwrap().to_string();
        let list = without_heap(|| resolver.resolve_into("127.0.0.7", "7471", None, &mut results)).unwrap();
        let told = (zone, list.first().unwrap().src_addr().unwrap().to_string());
        without_heap(forget_kept);
        told
    };
    let (zone, source) = thread::spawn(ask).join().unwrap();
    assert!(zone.starts_with("[fe80::7%"), "{zone}");
    assert_eq!(source, "127.0.0.1");
}

#[test]
fn the_resolver_allocates_once_for_a_literal_on_the_heap() {
    for resolver in [Resolver::new().with_source(false), Resolver::new()] {
        for &(node, service, hints, expected) in CASES {
            let Ok(lines) = expected else { continue };
            let hints = Hints::parse(hints).unwrap();
            let (calls, found) = count(|| resolver.resolve(node, service, &hints).unwrap());
            assert_eq!((calls, found.len()), (1, lines.len()), "{node:?}");
            // And gives it back.
            assert_eq!(count(|| drop(found)).0, 1);
        }
    }
}

/// That what is asserted above can fail: a process that does allocate is ended.
#[test]
fn the_watch_catches_an_allocation() {
    const NAME: &str = "the_watch_catches_an_allocation";
    const ASKED: &str = "RDMA_ADDRINFO_ALLOCATE";
    if env::var_os(ASKED).is_some() {
        let bytes = without_heap(|| Box::new(7_u8));
        // Not reached; what is printed keeps the allocation from being left out.
        println!("{:p}", &raw const *bytes);
        process::exit(0);
    }
    let mut child = Command::new(env::current_exe().unwrap());
    let status = child.args(["--exact", NAME, "--nocapture"]).env(ASKED, "1").output().unwrap().status;
    assert_eq!(status.signal(), Some(libc::SIGABRT), "{status}");
    let (calls, bytes) = count(|| vec![7_u8; 100]);
    assert_eq!((calls, bytes.len()), (1, 100));
}

/// The lines of a list.
fn lines(list: AddrInfoList<'_>) -> Vec<String> {
    list.iter().map(|info| info.to_string()).collect()
}

#[track_caller]
fn assert_lines(outcome: Result<AddrInfoList<'_>, ErrorKind>, expected: Outcome, node: Option<&str>) {
    let expected = expected.map(|lines| lines.iter().map(|line| String::from(*line)).collect());
    assert_eq!(outcome.map(lines), expected, "{node:?}");
}
