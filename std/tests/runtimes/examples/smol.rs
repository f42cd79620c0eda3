//! Many targets under smol, 16 at a time, as they are ready; and one that is given up after a while.

use rdma_addrinfo::{Resolver, Target};
use rdma_addrinfo_runtimes::{ADDRESS, After, Stuck};
use smol::Timer;
use smol::future::or;
use smol::stream::{StreamExt, poll_fn};
use std::time::Duration;

fn main() {
    smol::block_on(async {
        let registry = After(|| async {
            Timer::after(Duration::from_millis(5)).await;
        });
        let resolver = Resolver::new().with_names(registry).with_source(false).with_routes(false).awaiting();
        let targets = (0..100).map(|number| match number % 2 {
            0 => Target::from(("192.0.2.9", 7471)),
            _ => Target::from((format!("storage-{number}"), 7471)),
        });
        let mut many = resolver.resolve_many(targets, 16).unordered();
        let mut counts = [0; 2];
        // A stream, for those who like its methods.
        let mut stream = poll_fn(|context| many.poll_next(context));
        while let Some(one) = stream.next().await {
            let expected =
                if one.index % 2 == 0 { "192.0.2.9:7471".into() } else { format!("{ADDRESS}:7471") };
            let found = one.result.unwrap();
            assert_eq!(found.first().unwrap().dst_addr().unwrap().to_string(), expected);
            counts[one.index % 2] += 1;
        }
        assert_eq!(counts, [50, 50]);
        println!("{counts:?} literals and names");

        // Dropped, a call ends.
        let stuck = Resolver::new().with_names(Stuck::default()).awaiting();
        let given_up = or(async { Some(stuck.resolve("storage-7", 7471, None).await) }, async {
            Timer::after(Duration::from_millis(50)).await;
            None
        });
        assert!(given_up.await.is_none());
    });
}
