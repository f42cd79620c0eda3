//! Resolves a name with its route as a task of embassy, by a driver without std and heap: `rdma-addrinfo-step-driver`.
//!
//! On a board the driver is the same; the executor is that of its processor, and the tables here are its network stack.

use embassy_executor::Spawner;
use rdma_addrinfo_core::acm::{Reply, Request as RouteRequest};
use rdma_addrinfo_core::{
    Error, ErrorKind, Found, Hints, NoRoute, Protocol, Request, Results, RouteStatus, Text,
};
use rdma_addrinfo_step_driver::{ADDRESSES, Network, resolve};
use std::future::poll_fn;
use std::net::{Ipv4Addr, SocketAddr};
use std::process;
use std::task::Poll;

/// A network of one name and one subnet agent. Each answer takes one turn of the executor.
struct Tables {
    turns: u32,
}

impl Tables {
    async fn turn(&mut self) {
        let mut waits = true;
        poll_fn(|context| {
            context.waker().wake_by_ref();
            if std::mem::take(&mut waits) { Poll::Pending } else { Poll::Ready(()) }
        })
        .await;
        self.turns += 1;
    }
}

const NODE: Ipv4Addr = Ipv4Addr::new(192, 0, 2, 7);
const HOST: Ipv4Addr = Ipv4Addr::new(192, 0, 2, 1);

/// The last 16 bytes of `fe80::` and an IPv4 address.
fn gid(address: Ipv4Addr) -> [u8; 16] {
    ((0xfe80 << 112) | u128::from(address.to_bits())).to_be_bytes()
}

impl Network for Tables {
    async fn look_up(&mut self, node: Text<'_>, _: Text<'_>) -> Result<[Option<Found>; ADDRESSES], Error> {
        self.turn().await;
        match node.as_str() {
            Some("storage-7") => {
                Ok([Some(Found { address: (NODE, 0).into(), protocol: Protocol::Tcp }), None, None, None])
            }
            _ => Err(ErrorKind::NoName.into()),
        }
    }

    async fn scope(&mut self, name: &[u8]) -> Option<u32> {
        self.turn().await;
        (name == b"ib0").then_some(2)
    }

    async fn route(&mut self, request: &RouteRequest) -> Result<Reply, NoRoute> {
        self.turn().await;
        // Version 1, operation resolve; of 88 bytes; one entry: a path, which is the primary one in both directions.
        let mut reply = [0; 88];
        reply[..2].copy_from_slice(&[1, 1]);
        reply[6..8].copy_from_slice(&88_u16.to_ne_bytes());
        reply[8..16].copy_from_slice(&request.transaction_id().to_ne_bytes());
        reply[16..20].copy_from_slice(&0x2b_u32.to_ne_bytes());
        reply[20..22].copy_from_slice(&0x10_u16.to_ne_bytes());
        reply[32..48].copy_from_slice(&gid(NODE));
        reply[48..64].copy_from_slice(&gid(HOST));
        Reply::from_bytes(&reply, request.transaction_id()).map_err(NoRoute::InvalidReply)
    }

    async fn source(&mut self, destination: SocketAddr) -> Option<SocketAddr> {
        self.turn().await;
        Some((HOST, 0).into()).filter(|_| destination.is_ipv4())
    }
}

#[embassy_executor::task]
async fn resolves() {
    let (mut tables, mut results) = (Tables { turns: 0 }, Results::<2, 1>::new());
    let hints = Hints::new();
    let list = resolve(Request::new("storage-7", 7471, &hints), &mut results, &mut tables).await.unwrap();
    let info = list.first().unwrap();
    assert_eq!(
        info.to_string().split(' ').take(5).collect::<Vec<_>>().join(" "),
        "inet rc/tcp 192.0.2.1 -> 192.0.2.7:7471"
    );
    assert_eq!(info.route_status(), RouteStatus::Found);
    assert_eq!(info.route().first().unwrap().dgid().to_bits(), u128::from_be_bytes(gid(NODE)));
    println!("{info}");
    // A zone that is there, and a name that is not.
    let zone = resolve(Request::new("fe80::1%ib0", 7471, &hints), &mut results, &mut tables).await.unwrap();
    assert_eq!(zone.first().unwrap().dst_addr().unwrap().to_string(), "[fe80::1%2]:7471");
    let error =
        resolve(Request::new("storage-8", 7471, &hints), &mut results, &mut tables).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::NoName);
    println!("{} turns of the executor", tables.turns);
    assert!(tables.turns >= 6, "{}", tables.turns);
    // The executor never ends by itself.
    process::exit(0);
}

#[embassy_executor::main]
async fn main(spawner: Spawner) {
    spawner.spawn(resolves().unwrap());
}
