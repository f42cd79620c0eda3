//! Requests and answers from bytes, readable so that seeds can be written by hand.

use crate::draw::Draw;
use crate::models::ibacm;
use rdma_addrinfo_core::acm::Reply;
use rdma_addrinfo_core::{
    AddrInfoList, Environment, Error, ErrorKind, Found, Gid, Hints, IbEntryOrder, IbService, NoRoute, Pkey,
    Policy, Protocol, Request, ServiceId, ServiceRecord, Step, Storage, Text, start,
};
use std::ffi::CStr;
use std::net::{Ipv4Addr, Ipv6Addr, SocketAddr, SocketAddrV4, SocketAddrV6};

/// Four lines and what follows them: switches (letters), hints, node, service, and the bytes of the answers. A node
/// or service is given if its line starts with `=`.
#[derive(Clone, Copy, Debug)]
pub struct Script<'a> {
    switches: &'a [u8],
    hints: &'a [u8],
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

    /// The hints, if there are any (with `n` they are a null pointer), with their route in `room`; nothing at all where
    /// they cannot be read.
    pub fn hints<'h>(&self, room: &'h mut [u8]) -> Option<Option<Hints<'h>>> {
        let hints = Hints::parse_with(str::from_utf8(self.hints).ok()?, room).ok()?;
        Some((!self.switch(b'n')).then_some(hints))
    }

    /// The node and the service.
    pub fn texts(&self) -> [Option<&'a [u8]>; 2] {
        [self.node, self.service].map(|line| line.strip_prefix(b"="))
    }

    /// Whether the rules are those of the manual page.
    pub fn is_strict(&self) -> bool {
        !self.switch(b'l')
    }

    /// The request.
    pub fn request<'q>(&self, hints: Option<&'q Hints<'q>>) -> Request<'q>
    where
        'a: 'q,
    {
        let [node, service] = self.texts().map(|text| text.map_or(Text::NONE, Text::from_bytes));
        let mut policy = if self.is_strict() { Policy::MAN_PAGE } else { Policy::LIBRDMACM };
        if self.switch(b's') {
            policy.discover_source = !policy.discover_source;
        }
        if self.switch(b'b') {
            policy.ib_entry = if policy.ib_entry == IbEntryOrder::AfterIp {
                IbEntryOrder::BeforeIp
            } else {
                IbEntryOrder::AfterIp
            };
        }
        let mut environment = Environment::new();
        environment.af_ib = self.switch(b'i');
        environment.ipv6_loopback = !self.switch(b'4');
        Request::new(node, service, hints)
            .with_policy(policy)
            .with_environment(environment)
            .with_routes(!self.switch(b'r'))
            .with_canonical_names(self.switch(b'c'))
    }

    /// The answers, from the first.
    pub fn answers(&self) -> Answers<'a> {
        Answers::new(self.answers)
    }
}

/// A stream of answers; zeros follow its end.
#[derive(Clone, Debug)]
pub struct Answers<'a> {
    draw: Draw<'a>,
    name: &'a CStr,
}

impl<'a> Answers<'a> {
    /// From the first byte on.
    #[must_use]
    pub const fn new(bytes: &'a [u8]) -> Self {
        Self { draw: Draw::new(bytes), name: c"storage-7.example" }
    }

    /// With another canonical name.
    #[must_use]
    pub const fn named(self, name: &'a CStr) -> Self {
        Self { name, ..self }
    }

    fn address(&mut self) -> SocketAddr {
        let port = u16::from_be_bytes(self.draw.bytes());
        match self.draw.byte() % 3 {
            0 => SocketAddrV4::new(Ipv4Addr::from(self.draw.bytes::<4>()), port).into(),
            1 => {
                SocketAddrV6::new(Ipv4Addr::from(self.draw.bytes::<4>()).to_ipv6_mapped(), port, 0, 0).into()
            }
            _ => {
                let scope = u32::from(self.draw.byte());
                SocketAddrV6::new(Ipv6Addr::from(self.draw.bytes::<16>()), port, 0, scope).into()
            }
        }
    }

    fn found(&mut self) -> Result<Vec<Found>, Error> {
        let count = self.draw.byte() % 8;
        if count == 7 {
            let kinds = ErrorKind::ALL;
            return Err(Error::new(kinds[usize::from(self.draw.byte()) % kinds.len()]));
        }
        let protocols = [Protocol::Tcp, Protocol::Udp, Protocol::Any];
        Ok((0..count)
            .map(|_| {
                let protocol = protocols[usize::from(self.draw.byte()) % protocols.len()];
                Found { address: self.address(), protocol }
            })
            .collect())
    }

    /// A valid reply: mostly a success, with up to eight entries that are mostly of known types.
    fn reply(&mut self, id: u64) -> Reply {
        let status = self.draw.byte().saturating_sub(200);
        let entries: Vec<_> = (0..self.draw.byte() % 9)
            .map(|_| {
                let kind = [16, 2, 3, 1, 16, 2, 3, 0x20][usize::from(self.draw.byte() % 8)];
                let flags = u32::from(self.draw.byte());
                let info: [u8; 16] = self.draw.bytes();
                ibacm::entry(flags, kind, std::array::from_fn(|at| info[at % 16]))
            })
            .collect();
        Reply::from_bytes(&ibacm::reply(status, id, &entries), id).expect("a valid reply")
    }

    fn record(&mut self) -> ServiceRecord {
        let gid = Gid::from_octets(self.draw.bytes());
        let pkey = Pkey::from_raw(u16::from_be_bytes(self.draw.bytes()));
        ServiceRecord { gid, pkey, id: ServiceId::from_raw(u64::from_be_bytes(self.draw.bytes())) }
    }

    /// Answers all steps of a request. The chain must end: no request has more than two lookups and a scope before
    /// its entries, and two questions for each of them.
    pub fn drive<'r>(
        &mut self,
        request: Request<'_>,
        results: impl Into<Storage<'r>>,
    ) -> Result<AddrInfoList<'r>, Error> {
        let mut step = start(request, results);
        for _ in 0..64 {
            step = match step {
                Step::Lookup(ask) => {
                    let (node, service) = (ask.node().bytes(), ask.service().bytes());
                    assert!(node.is_some() || service.is_some());
                    let no_nul = |text: Option<&[u8]>| text.is_none_or(|text| !text.contains(&0));
                    assert!(no_nul(node) && no_nul(service));
                    let found = self.found();
                    if ask.wants_canonical_name() && self.draw.byte().is_multiple_of(2) {
                        ask.with_canonical_name(self.name).answer(found)
                    } else {
                        ask.answer(found)
                    }
                }
                Step::FindScope(ask) => {
                    // Another name of an interface is longer than IFNAMSIZ.
                    assert!((1..=127).contains(&ask.name().len()) && !ask.name().contains(&0));
                    ask.answer(match self.draw.byte() {
                        0 => None,
                        index => Some(u32::from(index)),
                    })
                }
                Step::FindService(ask) => {
                    if let IbService::Name(name) = ask.service() {
                        assert!(name.len() <= 63 && !name.contains(&0));
                    }
                    match self.draw.byte() % 8 {
                        7 => ask.fail(ErrorKind::NoDevice),
                        count => {
                            let port = Gid::from_octets(self.draw.bytes());
                            let records: Vec<_> = (0..count).map(|_| self.record()).collect();
                            ask.answer(port, records)
                        }
                    }
                }
                Step::FindRoute(ask) => {
                    let id = 7;
                    let request = ask.request(id);
                    assert!((16..=16 + 3 * 72).contains(&request.as_bytes().len()));
                    match self.draw.byte() % 4 {
                        0 => ask.no_route(NoRoute::Unavailable),
                        1 => ask.no_route(NoRoute::TimedOut),
                        _ => ask.answer(&self.reply(id)),
                    }
                }
                Step::FindSource(ask) => {
                    let source = (self.draw.byte() % 2 == 1).then(|| self.address());
                    ask.answer(source)
                }
                Step::Done(outcome) => return outcome,
            };
        }
        panic!("the steps do not end");
    }
}
