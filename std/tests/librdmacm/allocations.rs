//! How often a call of the binding allocates: never, for texts of usual length.
#![allow(unsafe_code)]

use super::stub::Stub;
use rdma_addrinfo::{Hints, SockAddrBuf};
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

thread_local! {
    /// Allocations of this thread.
    static COUNT: Cell<usize> = const { Cell::new(0) };
}

/// The system's allocator, counting. What C allocates does not pass through it.
struct Counting;

// SAFETY: all is left to the system's allocator, whose contract is the same; a counter of the thread, which needs no
// destructor and no allocation, is all that is added.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // A thread that is ending may have no counter.
        let _ = COUNT.try_with(|count| count.set(count.get() + 1));
        // SAFETY: the caller keeps the contract of this method.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, start: *mut u8, layout: Layout) {
        // SAFETY: the caller keeps the contract of this method, and the memory came from the system's allocator.
        unsafe { System.dealloc(start, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

fn counted<T>(work: impl FnOnce() -> T) -> (usize, T) {
    let before = COUNT.get();
    let done = work();
    (COUNT.get() - before, done)
}

#[test]
fn short_texts_need_no_heap() {
    assert_eq!(counted(|| Box::new(7)).0, 1, "the counter counts");
    let Some(stub) = Stub::build("short_texts_need_no_heap", &[]) else { return };
    let library = stub.load().unwrap();
    let route = [7; 72];
    let hints = Hints::new()
        .with_src_addr(SockAddrBuf::inet(1, 1))
        .with_dst_addr(SockAddrBuf::inet6(1, 1, 1, 1))
        .with_route(&route);
    for (node, service, allocations) in
        [(1, 1, 0), (255, 255, 0), (256, 255, 1), (255, 256, 1), (1000, 1000, 2)]
    {
        let (node, service) = ("n".repeat(node), "s".repeat(service));
        let (count, length) = counted(|| {
            let list = library.getaddrinfo(&*node, &*service, &hints).unwrap();
            list.iter()
                .map(|info| info.dst_addr().unwrap().as_bytes().len() + info.route().len())
                .sum::<usize>()
        });
        assert_eq!((count, length), (allocations, 28 + 1), "{} and {} bytes", node.len(), service.len());
    }
    let (count, entries) = counted(|| library.getaddrinfo("many=1000", None, None).unwrap().len());
    assert_eq!((count, entries), (0, 1000));
}
