//! Scripts of questions and answers, and the two that follow them: the driver of the resolver, and a driver that
//! answers the steps by hand and shares nothing with it.

use super::super::driver::{Answers, drive};
use super::super::names::NameAnswer;
use super::super::service::ServiceAnswer;
use super::super::trace::{Trace, TracedStep};
use crate::native;
use crate::wait::wait;
use rdma_addrinfo_core::{
    AddrInfo, AddrInfoList, Error, Family, FindRoute, FindScope, FindService, FindSource, Flags, Found, Gid,
    HeapResults, IbService, Lookup, NoRoute, PortSpace, Protocol, QpType, Request, Results, RouteStatus,
    ServiceId, ServiceRecord, SockAddrRef, Step, Storage, acm, start,
};
use std::ffi::{CStr, CString};
use std::future::poll_fn;
use std::mem;
use std::net::SocketAddr;
use std::task::Poll;

/// What a step asks, all of it.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Question {
    Lookup {
        node: Option<String>,
        service: Option<String>,
        family: Family,
        protocol: Protocol,
        passive: bool,
        canonical: bool,
    },
    Scope(String),
    Route {
        source: Option<String>,
        destination: Option<String>,
        hint: usize,
        no_delay: bool,
    },
    /// The ID, or the name.
    Service(Result<ServiceId, String>),
    Source(SocketAddr),
}

/// What a step is answered.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Answer {
    Names(Vec<Found>, Option<&'static CStr>),
    Fails(Error),
    Scope(Option<u32>),
    NoRoute(NoRoute),
    Reply(Box<acm::Reply>),
    Records(Gid, Vec<ServiceRecord>),
    Source(Option<SocketAddr>),
}

pub(super) type Script = Vec<(Question, Answer)>;

/// A name, or a service, or both, looked up for TCP in any family.
pub(super) fn names(node: Option<&str>, service: Option<&str>) -> Question {
    Question::Lookup {
        node: node.map(Into::into),
        service: service.map(Into::into),
        family: Family::UNSPEC,
        protocol: Protocol::Tcp,
        passive: false,
        canonical: false,
    }
}

impl Question {
    pub(super) fn family(mut self, asked: Family) -> Self {
        if let Self::Lookup { family, .. } = &mut self {
            *family = asked;
        }
        self
    }

    pub(super) fn protocol(mut self, asked: Protocol) -> Self {
        if let Self::Lookup { protocol, .. } = &mut self {
            *protocol = asked;
        }
        self
    }

    pub(super) fn passive(mut self) -> Self {
        if let Self::Lookup { passive, .. } = &mut self {
            *passive = true;
        }
        self
    }

    pub(super) fn canonical(mut self) -> Self {
        if let Self::Lookup { canonical, .. } = &mut self {
            *canonical = true;
        }
        self
    }

    pub(super) fn found(self, addresses: &[(&str, Protocol)]) -> (Self, Answer) {
        (self, Answer::Names(found(addresses), None))
    }

    pub(super) fn found_as(self, name: &'static CStr, addresses: &[(&str, Protocol)]) -> (Self, Answer) {
        (self, Answer::Names(found(addresses), Some(name)))
    }

    pub(super) fn fails(self, error: impl Into<Error>) -> (Self, Answer) {
        (self, Answer::Fails(error.into()))
    }
}

fn found(addresses: &[(&str, Protocol)]) -> Vec<Found> {
    addresses.iter().map(|(text, protocol)| Found { address: address(text), protocol: *protocol }).collect()
}

pub(super) fn scope(name: &str, index: Option<u32>) -> (Question, Answer) {
    (Question::Scope(name.into()), Answer::Scope(index))
}

/// The route to a destination is asked for and there is nobody to ask.
pub(super) fn route(destination: &str) -> (Question, Answer) {
    let destination = Some(destination.into());
    let question = Question::Route { source: None, destination, hint: 0, no_delay: false };
    (question, Answer::NoRoute(NoRoute::Unavailable))
}

/// The route to a destination is asked for, and ibacm replies with this status and one path to that GID, if any.
pub(super) fn replied(destination: &str, status: acm::Status, path: Option<u128>) -> (Question, Answer) {
    let mut bytes = vec![1, 1, status.to_raw(), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0];
    if let Some(destination) = path {
        bytes.extend(0x2b_u32.to_ne_bytes());
        bytes.extend(0x10_u32.to_ne_bytes());
        bytes.extend([0; 8]);
        bytes.extend(destination.to_be_bytes());
        bytes.extend([0; 40]);
    }
    let length = u16::try_from(bytes.len()).unwrap().to_ne_bytes();
    bytes[6..8].copy_from_slice(&length);
    let reply = acm::Reply::from_bytes(&bytes, 0).unwrap();
    let (question, _) = route(destination);
    (question, Answer::Reply(Box::new(reply)))
}

pub(super) fn service_id(id: u64) -> Question {
    Question::Service(Ok(ServiceId::from_raw(id)))
}

pub(super) fn service_name(name: &str) -> Question {
    Question::Service(Err(name.into()))
}

pub(super) fn source(destination: &str, from: Option<&str>) -> (Question, Answer) {
    (Question::Source(address(destination)), Answer::Source(from.map(address)))
}

fn address(text: &str) -> SocketAddr {
    text.parse().expect("an IP address and a port")
}

/// Where the questions go that the two drivers hear, and where the answers come from.
struct Player<'s> {
    script: &'s [(Question, Answer)],
    asked: Vec<Question>,
    /// Whether an answer that may take long is not there at the first poll.
    is_slow: bool,
}

impl<'s> Player<'s> {
    const fn new(script: &'s [(Question, Answer)]) -> Self {
        Self { script, asked: Vec::new(), is_slow: false }
    }

    fn answer(&mut self, question: Question) -> Answer {
        let Some((_, answer)) = self.script.get(self.asked.len()) else {
            panic!("behind the end of the script: {question:?}");
        };
        self.asked.push(question);
        answer.clone()
    }

    async fn pause(&self) {
        let mut waits = self.is_slow;
        poll_fn(|context| match mem::take(&mut waits) {
            true => {
                context.waker().wake_by_ref();
                Poll::Pending
            }
            false => Poll::Ready(()),
        })
        .await;
    }

    fn ends(self) {
        let expected: Vec<_> = self.script.iter().map(|(question, _)| question.clone()).collect();
        assert_eq!(self.asked, expected);
    }
}

fn ask_names(ask: &Lookup<'_, '_>) -> Question {
    let text = |bytes: Option<&[u8]>| bytes.map(|bytes| String::from_utf8(bytes.to_vec()).unwrap());
    Question::Lookup {
        node: text(ask.node().bytes()),
        service: text(ask.service().bytes()),
        family: ask.family(),
        protocol: ask.protocol(),
        passive: ask.is_passive(),
        canonical: ask.wants_canonical_name(),
    }
}

fn ask_scope(name: &[u8]) -> Question {
    Question::Scope(String::from_utf8(name.to_vec()).unwrap())
}

fn ask_route(ask: &FindRoute<'_, '_>) -> Question {
    let text = |address: Option<SockAddrRef<'_>>| address.map(|address| address.to_string());
    Question::Route {
        source: text(ask.source()),
        destination: text(ask.destination()),
        hint: ask.hint().len(),
        no_delay: ask.no_delay(),
    }
}

fn ask_service(service: IbService<'_>) -> Question {
    match service {
        IbService::Id(id) => Question::Service(Ok(id)),
        IbService::Name(name) => Question::Service(Err(String::from_utf8(name.to_vec()).unwrap())),
    }
}

impl Answers for Player<'_> {
    async fn lookup(&mut self, ask: &Lookup<'_, '_>) -> Result<NameAnswer, Error> {
        self.pause().await;
        match self.answer(ask_names(ask)) {
            Answer::Names(addresses, name) => Ok(NameAnswer(native::Answer::told(addresses, name))),
            Answer::Fails(error) => Err(error),
            other => panic!("a lookup is answered with {other:?}"),
        }
    }

    async fn service(&mut self, service: IbService<'_>) -> ServiceAnswer {
        self.pause().await;
        let answer = match self.answer(ask_service(service)) {
            Answer::Records(port, records) => Ok((port, records)),
            Answer::Fails(error) => Err(error),
            other => panic!("a service is answered with {other:?}"),
        };
        ServiceAnswer { key: service.into(), ports: Vec::new(), answer }
    }

    fn scope(&mut self, name: &[u8]) -> Result<Option<u32>, Error> {
        match self.answer(ask_scope(name)) {
            Answer::Scope(index) => Ok(index),
            Answer::Fails(error) => Err(error),
            other => panic!("a zone is answered with {other:?}"),
        }
    }

    async fn route(&mut self, ask: &FindRoute<'_, '_>) -> Result<acm::Reply, NoRoute> {
        self.pause().await;
        match self.answer(ask_route(ask)) {
            Answer::NoRoute(status) => Err(status),
            Answer::Reply(reply) => Ok(*reply),
            other => panic!("a route is answered with {other:?}"),
        }
    }

    async fn takes_af_ib(&mut self) -> bool {
        false
    }

    fn source(&mut self, destination: SocketAddr) -> Result<Option<SocketAddr>, Error> {
        match self.answer(Question::Source(destination)) {
            Answer::Source(source) => Ok(source),
            Answer::Fails(error) => Err(error),
            other => panic!("a source is answered with {other:?}"),
        }
    }
}

/// Answers one step by hand; the outcome, where it is the last.
fn by_hand<'q, 'r>(
    step: Step<'q, 'r>,
    player: &mut Player<'_>,
) -> Result<Step<'q, 'r>, Result<AddrInfoList<'r>, Error>> {
    Ok(match step {
        Step::Lookup(ask) => match player.answer(ask_names(&ask)) {
            Answer::Names(found, None) => ask.answer(Ok(found)),
            Answer::Names(found, Some(name)) => ask.with_canonical_name(name).answer(Ok(found)),
            Answer::Fails(error) => ask.answer(Err::<[Found; 0], _>(error)),
            other => panic!("a lookup is answered with {other:?}"),
        },
        Step::FindScope(ask) => match player.answer(ask_scope(FindScope::name(&ask))) {
            Answer::Scope(index) => ask.answer(index),
            Answer::Fails(error) => ask.fail(error),
            other => panic!("a zone is answered with {other:?}"),
        },
        Step::FindRoute(ask) => match player.answer(ask_route(&ask)) {
            Answer::NoRoute(status) => ask.no_route(status),
            Answer::Reply(reply) => ask.answer(&reply),
            other => panic!("a route is answered with {other:?}"),
        },
        Step::FindSource(ask) => match player.answer(Question::Source(FindSource::destination(&ask))) {
            Answer::Source(source) => ask.answer(source),
            other => panic!("a source is answered with {other:?}"),
        },
        Step::FindService(ask) => match player.answer(ask_service(FindService::service(&ask))) {
            Answer::Records(port, records) => ask.answer(port, records),
            Answer::Fails(error) => ask.fail(error),
            other => panic!("a service is answered with {other:?}"),
        },
        Step::Done(outcome) => return Err(outcome),
    })
}

/// All that one entry holds.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Whole {
    pub(super) line: String,
    flags: Flags,
    family: Family,
    qp_type: QpType,
    port_space: PortSpace,
    src: Option<Vec<u8>>,
    dst: Option<Vec<u8>>,
    pub(super) names: (Option<CString>, Option<CString>),
    route: Vec<u8>,
    pub(super) route_status: RouteStatus,
    connect_data: Vec<u8>,
    user_private_data: Option<usize>,
    needs_scope: bool,
}

impl Whole {
    fn of(info: AddrInfo<'_>) -> Self {
        let bytes = |address: Option<SockAddrRef<'_>>| address.map(|address| address.as_bytes().to_vec());
        Self {
            line: info.to_string(),
            flags: info.flags(),
            family: info.family(),
            qp_type: info.qp_type(),
            port_space: info.port_space(),
            src: bytes(info.src_addr()),
            dst: bytes(info.dst_addr()),
            names: (info.src_canonname().map(Into::into), info.dst_canonname().map(Into::into)),
            route: info.route_bytes().to_vec(),
            route_status: info.route_status(),
            connect_data: info.connect_data().to_vec(),
            user_private_data: info.user_private_data(),
            needs_scope: info.needs_scope(),
        }
    }
}

/// Every entry of a list, and whether it says that some are missing.
pub(super) type Outcome = Result<(Vec<Whole>, bool), Error>;

fn whole(outcome: Result<AddrInfoList<'_>, Error>) -> Outcome {
    outcome.map(|list| (list.iter().map(Whole::of).collect(), list.is_truncated()))
}

/// Follows the script with both drivers, on the heap and off it, told and untold, and gives what all agree on.
pub(super) fn play(request: Request<'_>, script: &[(Question, Answer)]) -> Outcome {
    let mut results = Results::<8>::new();
    let mut player = Player::new(script);
    let mut step = start(request, &mut results);
    let outcome = loop {
        match by_hand(step, &mut player) {
            Ok(next) => step = next,
            Err(outcome) => break whole(outcome),
        }
    };
    player.ends();
    assert_eq!(driven::<Results<8>>(request, script, &mut ()), outcome);
    assert_eq!(driven::<HeapResults>(request, script, &mut ()), outcome);
    let mut told: Vec<TracedStep> = Vec::new();
    assert_eq!(driven::<HeapResults>(request, script, &mut told), outcome);
    assert_eq!(told.len(), script.len());
    outcome
}

/// What the resolver's driver makes of the script.
pub(super) fn driven<S: Default>(
    request: Request<'_>,
    script: &[(Question, Answer)],
    trace: &mut impl Trace,
) -> Outcome
where
    for<'r> &'r mut S: Into<Storage<'r>>,
{
    let mut results = S::default();
    let mut player = Player::new(script);
    let outcome = whole(wait(drive(|| start(request, &mut results), &mut player, trace)));
    player.ends();
    let mut slow = Player { is_slow: true, ..Player::new(script) };
    assert_eq!(whole(wait(drive(|| start(request, &mut results), &mut slow, &mut ()))), outcome, "awaited");
    slow.ends();
    outcome
}
