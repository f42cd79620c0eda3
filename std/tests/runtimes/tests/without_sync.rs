//! monoio without its feature `sync`: nobody can wake its tasks from another thread.
#![cfg(not(feature = "sync"))]

#[path = "../../common/mod.rs"]
mod common;

use common::{World, dns::Dns};
use futures::future::{Either, select};
use monoio::{LegacyDriver, RuntimeBuilder};
use rdma_addrinfo::Resolver;
use std::cell::Cell;
use std::pin::pin;
use std::rc::Rc;
use std::time::{Duration, Instant};

const WORLD: World<'_> = World {
    hosts: "127.0.0.1 localhost\n192.0.2.7 storage-7\n",
    names: "files dns",
    options: "timeout:10 attempts:1",
    ..World::EMPTY
};

/// Many times what the name server takes.
const PAUSE: Duration = Duration::from_secs(2);

/// What does not wait is answered. What does comes only when the task is polled for another reason, here a timer; the
/// threads that could not wake it go on.
#[test]
fn a_task_that_waits_is_polled_when_something_else_wakes_it() {
    WORLD.run(|| {
        let _dns = Dns::start(Duration::from_millis(20));
        let resolver = Resolver::new().with_deadline(Duration::from_secs(60)).awaiting();
        // The file of hosts has been read: that is not waited for on the task's thread either.
        assert_eq!(resolver.blocking().resolve("storage-7", 1, None).unwrap().len(), 1);
        let begun = Instant::now();
        let mut runtime = RuntimeBuilder::<LegacyDriver>::new().enable_timer().build().unwrap();
        let told = Rc::new(Cell::new(false));
        let done = Rc::clone(&told);
        runtime.block_on(async move {
            for (node, address) in [("192.0.2.9", "192.0.2.9:1"), ("storage-7", "192.0.2.7:1")] {
                let found = resolver.resolve(node, 1, None).await.unwrap();
                assert_eq!(found.first().unwrap().dst_addr().unwrap().to_string(), address);
            }
            assert!(begun.elapsed() < PAUSE);
            // A task that is spawned, whose waker panics on another thread.
            drop(monoio::spawn(async move {
                let resolver = Resolver::new().with_deadline(Duration::from_secs(60)).awaiting();
                let _ = resolver.resolve("v4.example", 1, None).await;
                done.set(true);
            }));
            let call = pin!(resolver.resolve("v4.example", 1, None));
            let Either::Left((found, _)) = select(call, pin!(monoio::time::sleep(PAUSE))).await else {
                panic!("no answer after {PAUSE:?}");
            };
            assert_eq!(found.unwrap().first().unwrap().dst_addr().unwrap().to_string(), "127.0.0.53:1");
            assert!(begun.elapsed() >= PAUSE, "woken after {:?}", begun.elapsed());
        });
        assert!(!told.get());
        let found = Resolver::new().resolve("v4.example", 1, None).unwrap();
        assert_eq!(found.first().unwrap().dst_addr().unwrap().to_string(), "127.0.0.53:1");
    });
}
