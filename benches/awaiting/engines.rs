//! Who resolves a name.

use futures::future::BoxFuture;
use hickory_resolver::TokioResolver;
use hickory_resolver::config::LookupIpStrategy;
use rdma_addrinfo::{AddrInfo, AsyncResolver, Hints, Ibacm, Library, Resolver, System};
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

/// Resolves a node to its first address.
pub(crate) type Engine = Box<dyn Fn(&'static str) -> BoxFuture<'static, IpAddr>>;

const PORT: u16 = 7471;

/// What a call may take.
const LIMIT: Duration = Duration::from_secs(600);

/// The resolver for names alone.
pub(crate) fn ours() -> Resolver {
    Resolver::new().with_ibacm(Ibacm::OFF).with_source(false).with_deadline(LIMIT)
}

fn first(found: &rdma_addrinfo::Resolved) -> IpAddr {
    address(found.first().unwrap())
}

fn address(info: AddrInfo<'_>) -> IpAddr {
    SocketAddr::try_from(info.dst_addr().unwrap()).unwrap().ip()
}

fn by_ours<N: rdma_addrinfo::NameService + 'static>(resolver: AsyncResolver<N>) -> Engine {
    let resolver = Arc::new(resolver);
    Box::new(move |node| {
        let resolver = Arc::clone(&resolver);
        Box::pin(async move { first(&resolver.resolve(node, PORT, None).await.unwrap()) })
    })
}

/// The engine of this name, whose futures run under tokio unless it is [that of smol](runs_under_smol).
pub(crate) fn engine(name: &str) -> Engine {
    match name {
        "ours" => by_ours(ours().awaiting()),
        "ours_by_system" => by_ours(ours().with_names(System::new()).awaiting()),
        // Ready at the first poll.
        "ours_blocking" => {
            Box::new(|node| Box::pin(async move { first(&ours().resolve(node, PORT, None).unwrap()) }))
        }
        "tokio_lookup_host" => Box::new(|node| {
            Box::pin(async move { tokio::net::lookup_host((node, PORT)).await.unwrap().next().unwrap().ip() })
        }),
        "smol_resolve" => Box::new(|node| {
            Box::pin(async move { smol::net::resolve((node, PORT)).await.unwrap().first().unwrap().ip() })
        }),
        "hickory" => {
            let mut builder = TokioResolver::builder_tokio().unwrap();
            // Each name is asked for, as by the others.
            builder.options_mut().cache_size = 0;
            builder.options_mut().ip_strategy = LookupIpStrategy::Ipv4AndIpv6;
            builder.options_mut().timeout = LIMIT;
            builder.options_mut().max_active_requests = usize::MAX;
            let resolver = Arc::new(builder.build().unwrap());
            Box::new(move |node| {
                let resolver = Arc::clone(&resolver);
                Box::pin(async move { resolver.lookup_ip(node).await.unwrap().iter().next().unwrap() })
            })
        }
        "librdmacm_spawn_blocking" => {
            let library = Arc::new(Library::load().unwrap());
            Box::new(move |node| {
                let library = Arc::clone(&library);
                let ask = move || {
                    let list = library.getaddrinfo(node, "7471", &Hints::new()).unwrap();
                    address(list.iter().next().unwrap())
                };
                Box::pin(async move { tokio::task::spawn_blocking(ask).await.unwrap() })
            })
        }
        name => panic!("no engine {name}"),
    }
}

pub(crate) fn runs_under_smol(name: &str) -> bool {
    name == "smol_resolve"
}
