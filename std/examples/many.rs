//! The peers of a job: 16 resolutions at a time, each result as soon as it is there.

use rdma_addrinfo::{Hints, Resolver, Target, hostlist::HostList};

fn main() {
    let list = HostList::parse(b"127.0.0.[1-40],127.0.1").expect("a list of hosts");
    let hints = Hints::new();
    let targets = list.hosts().map(|host| Target::new(host.to_string()).with_port(7471).with_hints(&hints));
    let resolver = Resolver::new();
    let (mut found, mut failed) = (0, 0);
    for peer in resolver.resolve_many(targets, 16).unordered() {
        match peer.result {
            Ok(list) => {
                found += 1;
                println!("{} {}: {}", peer.index, peer.target.node(), list.first().expect("one or more"));
            }
            Err(error) => {
                failed += 1;
                println!("{} {error}", peer.index);
            }
        }
    }
    assert_eq!((found, failed), (40, 1));
}
