//! Drivers that answer what they were not asked, and what is asked of them. What the manual page and
//! the C library say is tested from outside.

mod answers;
mod literals;
mod loopback;
mod needed_source;
mod routes;

use super::{Found, Step};
use crate::acm;
use crate::addrinfo::{AddrInfoList, NoRoute};
use crate::error::{Error, ErrorKind};
use crate::hints::Protocol;
use core::net::SocketAddr;
use std::format;
use std::string::String;
use std::vec::Vec;

/// Answers every question alike, and keeps what it was asked.
struct Driver {
    names: Result<Vec<Found>, Error>,
    scope: Option<u32>,
    source: Option<SocketAddr>,
    /// The entries of every reply; without any, there is no route.
    route: Vec<[u8; 72]>,
    asked: Vec<String>,
}

impl Driver {
    fn new(names: Result<Vec<Found>, Error>) -> Self {
        Self { names, scope: None, source: None, route: Vec::new(), asked: Vec::new() }
    }

    fn drive<'r>(&mut self, mut step: Step<'_, 'r>) -> Result<AddrInfoList<'r>, Error> {
        let text =
            |text: Option<&[u8]>| text.map_or("-".into(), |text| String::from_utf8_lossy(text).into_owned());
        loop {
            let asked;
            (asked, step) = match step {
                Step::Lookup(ask) => {
                    let (node, service) = (text(ask.node().bytes()), text(ask.service().bytes()));
                    let asked = format!("{node} {service} {} {:?}", ask.family(), ask.protocol());
                    (asked, ask.answer(self.names.clone()))
                }
                Step::FindScope(ask) => (format!("scope {}", text(Some(ask.name()))), ask.answer(self.scope)),
                Step::FindRoute(ask) => {
                    let end = |end: Option<_>| end.map_or("-".into(), |end| format!("{end}"));
                    let asked = format!("route {} {}", end(ask.source()), end(ask.destination()));
                    let next = match &self.route[..] {
                        [] => ask.no_route(NoRoute::Unavailable),
                        entries => {
                            let request = ask.request(ID);
                            assert_eq!(request.as_bytes(), ask.query().to_request(ID).as_bytes());
                            ask.answer(&reply(entries))
                        }
                    };
                    (asked, next)
                }
                Step::FindSource(ask) => (format!("source {}", ask.destination()), ask.answer(self.source)),
                Step::FindService(ask) => (format!("{:?}", ask.service()), ask.fail(ErrorKind::NoDevice)),
                Step::Done(outcome) => return outcome,
            };
            self.asked.push(asked);
        }
    }
}

/// The transaction id of all requests.
const ID: u64 = 7;

/// The valid reply with these entries.
fn reply(entries: &[[u8; 72]]) -> acm::Reply {
    let mut bytes = Vec::from([1, 1, 0, 0, 0, 0]);
    bytes.extend(u16::try_from(16 + 72 * entries.len()).unwrap().to_ne_bytes());
    bytes.extend(ID.to_ne_bytes());
    bytes.extend(entries.concat());
    acm::Reply::from_bytes(&bytes, ID).unwrap()
}

/// An entry of a reply.
fn entry(flags: u32, kind: u16, info: [u8; 64]) -> [u8; 72] {
    let mut entry = [0; 72];
    entry[..4].copy_from_slice(&flags.to_ne_bytes());
    entry[4..6].copy_from_slice(&kind.to_ne_bytes());
    entry[8..].copy_from_slice(&info);
    entry
}

/// An address that a name was found to have.
fn found(address: &str, protocol: Protocol) -> Found {
    Found { address: address.parse().unwrap(), protocol }
}

/// The same, as a lookup without a service finds it.
fn tcp(addresses: &[&str]) -> Result<Vec<Found>, Error> {
    Ok(addresses.iter().map(|address| found(address, Protocol::Tcp)).collect())
}

/// The results on a line each, and whether some are missing.
fn lines(list: AddrInfoList<'_>) -> (Vec<String>, bool) {
    (list.iter().map(|info| format!("{info}")).collect(), list.is_truncated())
}
