//! Requests and answers from bytes, readable so that seeds can be written by hand.

use crate::ibacm;
use rdma_addrinfo_core::acm::Reply;
use rdma_addrinfo_core::{
    AddrInfoList, Environment, Error, ErrorKind, Found, NoRoute, Policy, Protocol, Request, Step, Storage,
    Text, Twin, start,
};
use std::net::{Ipv4Addr, Ipv6Addr, SocketAddr, SocketAddrV4, SocketAddrV6};

/// Four lines and what follows them: switches (letters), hints, node, service, and the bytes of the answers. A node
/// or service is given if its line starts with `=`.
pub struct Script<'a> {
    switches: &'a [u8],
    /// The text of the hints.
    pub hints: &'a [u8],
    node: &'a [u8],
    service: &'a [u8],
    answers: &'a [u8],
}

impl<'a> Script<'a> {
    /// The parts of an input.
    pub fn new(bytes: &'a [u8]) -> Self {
        let mut lines = bytes.splitn(5, |byte| *byte == b'\n');
        let mut line = || lines.next().unwrap_or_default();
        Self { switches: line(), hints: line(), node: line(), service: line(), answers: line() }
    }

    fn switch(&self, letter: u8) -> bool {
        self.switches.contains(&letter)
    }

    /// Whether hints are given at all; with `n` they are a null pointer.
    pub fn has_hints(&self) -> bool {
        !self.switch(b'n')
    }

    /// Whether the rules are those of the manual page.
    pub fn is_strict(&self) -> bool {
        !self.switch(b'l')
    }

    /// The request.
    pub fn request<'q>(&self, hints: Option<&'q rdma_addrinfo_core::Hints<'q>>) -> Request<'q>
    where
        'a: 'q,
    {
        let text = |line: &'a [u8]| line.strip_prefix(b"=").map_or(Text::NONE, Text::from_bytes);
        let mut policy = if self.is_strict() { Policy::MAN_PAGE } else { Policy::LIBRDMACM };
        if self.switch(b's') {
            policy.discover_source = !policy.discover_source;
        }
        if self.switch(b'b') {
            policy.twin = if policy.twin == Twin::AfterIp { Twin::BeforeIp } else { Twin::AfterIp };
        }
        let mut environment = Environment::new();
        environment.af_ib = self.switch(b'i');
        environment.infiniband_port = self.switch(b'p');
        environment.ipv6_loopback = !self.switch(b'4');
        Request::new(text(self.node), text(self.service), hints)
            .policy(policy)
            .environment(environment)
            .routes(!self.switch(b'r'))
            .canonical_names(self.switch(b'c'))
    }

    /// The answers, from the first.
    pub fn answers(&self) -> Answers<'a> {
        Answers(self.answers)
    }
}

/// A stream of answers; zeros follow its end.
pub struct Answers<'a>(&'a [u8]);

impl Answers<'_> {
    fn bytes<const N: usize>(&mut self) -> [u8; N] {
        std::array::from_fn(|_| {
            let (first, rest) = self.0.split_first().unwrap_or((&0, &[]));
            self.0 = rest;
            *first
        })
    }

    fn byte(&mut self) -> u8 {
        u8::from_be_bytes(self.bytes())
    }

    fn address(&mut self) -> SocketAddr {
        let port = u16::from_be_bytes(self.bytes());
        match self.byte() % 3 {
            0 => SocketAddrV4::new(Ipv4Addr::from(self.bytes::<4>()), port).into(),
            1 => SocketAddrV6::new(Ipv4Addr::from(self.bytes::<4>()).to_ipv6_mapped(), port, 0, 0).into(),
            _ => {
                let scope = u32::from(self.byte());
                SocketAddrV6::new(Ipv6Addr::from(self.bytes::<16>()), port, 0, scope).into()
            }
        }
    }

    fn found(&mut self) -> Result<Vec<Found>, Error> {
        let count = self.byte() % 8;
        if count == 7 {
            let kinds = ErrorKind::ALL;
            return Err(Error::new(kinds[usize::from(self.byte()) % kinds.len()]));
        }
        let protocols = [Protocol::Tcp, Protocol::Udp, Protocol::Any];
        Ok((0..count)
            .map(|_| {
                let protocol = protocols[usize::from(self.byte()) % protocols.len()];
                Found { address: self.address(), protocol }
            })
            .collect())
    }

    /// A valid reply: mostly a success, with up to eight entries that are mostly of known types.
    fn reply(&mut self, id: u64) -> Reply {
        let status = self.byte().saturating_sub(200);
        let entries: Vec<_> = (0..self.byte() % 9)
            .map(|_| {
                let kind = [16, 2, 3, 1, 16, 2, 3, 0x20][usize::from(self.byte() % 8)];
                let flags = u32::from(self.byte());
                let info: [u8; 16] = self.bytes();
                ibacm::entry(flags, kind, std::array::from_fn(|at| info[at % 16]))
            })
            .collect();
        Reply::from_bytes(&ibacm::reply(status, id, &entries), id).expect("a valid reply")
    }

    /// Answers all steps of a request. The chain must end: no request has more than two look-ups and a scope before
    /// its entries, and two questions for each of them.
    pub fn drive<'r>(
        &mut self,
        request: Request<'_>,
        results: &'r mut dyn Storage,
    ) -> Result<AddrInfoList<'r>, Error> {
        let mut step = start(request, results);
        for _ in 0..64 {
            step = match step {
                Step::LookUp(ask) => {
                    assert!(ask.node().is_some() || ask.service().is_some());
                    let no_nul = |text: Option<&[u8]>| text.is_none_or(|text| !text.contains(&0));
                    assert!(no_nul(ask.node()) && no_nul(ask.service()));
                    let found = self.found();
                    if ask.wants_canonical_name() && self.byte().is_multiple_of(2) {
                        ask.with_canonical_name(c"storage-7.example").answer(found)
                    } else {
                        ask.answer(found)
                    }
                }
                Step::FindScope(ask) => {
                    assert!((1..=15).contains(&ask.name().len()) && !ask.name().contains(&0));
                    ask.answer(match self.byte() {
                        0 => None,
                        index => Some(u32::from(index)),
                    })
                }
                Step::FindRoute(ask) => {
                    let id = 7;
                    let request = ask.request(id);
                    assert!((16..=16 + 3 * 72).contains(&request.as_bytes().len()));
                    match self.byte() % 4 {
                        0 => ask.no_route(NoRoute::Unavailable),
                        1 => ask.no_route(NoRoute::TimedOut),
                        _ => ask.answer(&self.reply(id)),
                    }
                }
                Step::FindSource(ask) => {
                    let source = (self.byte() % 2 == 1).then(|| self.address());
                    ask.answer(source)
                }
                Step::Done(outcome) => return outcome,
            };
        }
        panic!("the steps do not end");
    }
}
