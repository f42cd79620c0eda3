//! A server on one thread that goes on accepting and answering while it resolves thousands of names.

use rdma_addrinfo::Resolver;
use rdma_addrinfo_runtimes::{ADDRESS, After};
use std::time::{Duration, Instant};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

const NAMES: usize = 4000;
const AT_ONCE: usize = 256;

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move {
        loop {
            let (mut client, _) = listener.accept().await.unwrap();
            tokio::spawn(async move {
                let mut byte = [0];
                client.read_exact(&mut byte).await.unwrap();
                client.write_all(&[byte[0] + 1]).await.unwrap();
            });
        }
    });

    // A registry that takes 20 ms for a name; by default it would be the names of this machine.
    let registry = After(|| tokio::time::sleep(Duration::from_millis(20)));
    let resolver = Resolver::new().with_names(registry).with_source(false).with_routes(false).awaiting();
    let resolving = tokio::spawn(async move {
        let targets = (0..NAMES).map(|number| (format!("storage-{number}"), 7471));
        let mut all = resolver.resolve_many(targets, AT_ONCE);
        let mut resolved = 0;
        while let Some(one) = all.next().await {
            let found = one.result.unwrap();
            let info = found.first().unwrap();
            assert_eq!(info.dst_addr().unwrap().to_string(), format!("{ADDRESS}:7471"), "{}", one.target);
            resolved += 1;
        }
        resolved
    });

    // Meanwhile clients are served.
    let (mut served, mut slowest) = (0, Duration::ZERO);
    while !resolving.is_finished() {
        let begun = Instant::now();
        let mut client = TcpStream::connect(address).await.unwrap();
        client.write_all(&[41]).await.unwrap();
        let mut byte = [0];
        client.read_exact(&mut byte).await.unwrap();
        assert_eq!(byte, [42]);
        (served, slowest) = (served + 1, slowest.max(begun.elapsed()));
    }
    assert_eq!(resolving.await.unwrap(), NAMES);
    println!("{served} clients served while {NAMES} names were resolved, the slowest in {slowest:?}");
    assert!(served > 10 && slowest < Duration::from_secs(1));
}
