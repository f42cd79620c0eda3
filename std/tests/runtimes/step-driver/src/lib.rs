//! Resolves on a machine without std and heap, as a task of any executor: [`resolve`] asks a [`Network`] what the steps of
//! the core ask.
#![no_std]

use core::net::SocketAddr;
use rdma_addrinfo_core::acm::{Reply, Request as RouteRequest};
use rdma_addrinfo_core::{
    AddrInfoList, Error, ErrorKind, Found, NoRoute, Request, Step, Storage, Text, start,
};

/// How many addresses of a name are taken.
pub const ADDRESSES: usize = 4;

/// Who knows names, zones, routes and sources: a name server, the stack's table of interfaces, a subnet agent.
#[expect(async_fn_in_trait, reason = "the executors of such machines run tasks on one thread")]
pub trait Network {
    /// The addresses of a name or a service; `None` in the places that are left.
    async fn look_up(
        &mut self,
        node: Text<'_>,
        service: Text<'_>,
    ) -> Result<[Option<Found>; ADDRESSES], Error>;

    /// The index of an interface.
    async fn scope(&mut self, name: &[u8]) -> Option<u32>;

    /// The reply to a request with this transaction ID, which is new.
    async fn route(&mut self, request: &RouteRequest) -> Result<Reply, NoRoute>;

    /// From where a destination is reached.
    async fn source(&mut self, destination: SocketAddr) -> Option<SocketAddr>;
}

/// Resolves a request.
///
/// # Errors
/// As [`start`].
pub async fn resolve<'r>(
    request: Request<'_>,
    results: impl Into<Storage<'r>>,
    network: &mut impl Network,
) -> Result<AddrInfoList<'r>, Error> {
    let mut transaction_id = 0;
    let mut step = start(request, results);
    loop {
        step = match step {
            Step::Lookup(ask) => match network.look_up(ask.node(), ask.service()).await {
                Ok(found) => ask.answer(Ok(found.into_iter().flatten())),
                Err(error) => ask.fail(error),
            },
            Step::FindScope(ask) => {
                let index = network.scope(ask.name()).await;
                ask.answer(index)
            }
            Step::FindRoute(ask) => {
                transaction_id += 1;
                match network.route(&ask.request(transaction_id)).await {
                    Ok(reply) => ask.answer(&reply),
                    Err(no_route) => ask.no_route(no_route),
                }
            }
            Step::FindSource(ask) => {
                let source = network.source(ask.destination()).await;
                ask.answer(source)
            }
            // There is no subnet administrator to ask.
            Step::FindService(ask) => ask.fail(ErrorKind::NotSupported),
            Step::Done(outcome) => return outcome,
        }
    }
}
