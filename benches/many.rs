//! Lists of many entries, with all that an entry can have.

use crate::{HINTS, message, path};
use rdma_addrinfo_core::acm::Reply;
use rdma_addrinfo_core::{AddrInfoList, Error, Found, Protocol, Request, Results, Step, start};
use std::net::{Ipv4Addr, Ipv6Addr, SocketAddr};

const ID: u64 = 7;

/// Room for 64 entries and as many paths.
pub type Many = Results<64, 64>;

/// Whether the entries of a list have a path each.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Routes {
    /// As where there is no ibacm.
    No,
    /// As where there is one.
    Yes,
}

/// The answer to a name with so many addresses, at most 64, IPv4 and IPv6 in turn, each with its source.
///
/// # Panics
/// When they are more.
#[must_use]
pub fn fill(results: &mut Many, entries: u16, routes: Routes) -> AddrInfoList<'_> {
    let request = Request::new("many.example", "7471", &HINTS).with_routes(routes == Routes::Yes);
    let mut step = start(request, results);
    loop {
        step = match step {
            Step::Lookup(ask) => ask.answer(Ok::<_, Error>(
                (0..entries).map(|at| Found { address: address(at), protocol: Protocol::Tcp }),
            )),
            Step::FindRoute(ask) => {
                let reply = message(ID, path(Ipv4Addr::LOCALHOST));
                ask.answer(&Reply::from_bytes(&reply, ID).expect("a reply"))
            }
            Step::FindSource(ask) => {
                let source = if ask.destination().is_ipv4() { address(500) } else { address(501) };
                ask.answer(Some(source))
            }
            Step::FindScope(ask) => ask.answer(None),
            Step::FindService(_) => unreachable!("no request has RAI_SA"),
            Step::Done(list) => {
                let list = list.expect("an answer");
                assert_eq!(list.len(), usize::from(entries));
                assert!(!list.is_truncated());
                return list;
            }
        }
    }
}

fn address(at: u16) -> SocketAddr {
    let [high, low] = at.to_be_bytes();
    if at.is_multiple_of(2) {
        SocketAddr::from((Ipv4Addr::new(10, 0, high, low), 7471))
    } else {
        SocketAddr::from((Ipv6Addr::new(0x2001, 0xdb8, 0, 0, 0, 0, 0, at), 7471))
    }
}
