//! [`Trace`]: who is told of the steps of a resolution.

use super::service::{ServiceAnswer, ServicePort, records_in_words};
use rdma_addrinfo_core::{
    Error as CoreError, Family, NoRoute, Protocol, ServiceId, ServiceRecord, SockAddrBuf, acm,
};
use std::fmt::{self, Write};
use std::net::SocketAddr;
use std::time::{Duration, Instant};

/// Is told each step of a resolution, by [`resolve_traced`](super::Resolver::resolve_traced).
///
/// A function of a step is one, and so is a vector, which keeps the steps. `()` is one that is told nothing and costs
/// nothing.
pub trait Trace {
    /// Whether there is somebody to tell. If not, nothing is timed and no event is made.
    fn is_enabled(&self) -> bool {
        true
    }

    /// A step is over.
    fn step(&mut self, step: TracedStep);
}

impl Trace for () {
    #[inline]
    fn is_enabled(&self) -> bool {
        false
    }

    #[inline]
    fn step(&mut self, _: TracedStep) {}
}

impl Trace for Vec<TracedStep> {
    fn step(&mut self, step: TracedStep) {
        self.push(step);
    }
}

impl<F: FnMut(TracedStep)> Trace for F {
    fn step(&mut self, step: TracedStep) {
        self(step);
    }
}

/// A step of a resolution: the question, its answer, and how long the answer took.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct TracedStep {
    /// The question and its answer.
    pub event: TraceEvent,
    /// How long the answer took.
    pub elapsed: Duration,
}

/// A question and its answer.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum TraceEvent {
    /// A lookup of a node, a service or both.
    #[non_exhaustive]
    Lookup {
        /// The node, which need not be UTF-8.
        node: Option<Vec<u8>>,
        /// The service.
        service: Option<Vec<u8>>,
        /// The family of the addresses; UNSPEC for any.
        family: Family,
        /// The protocol of the service.
        protocol: Protocol,
        /// What was found, in the order of the name service.
        answer: Result<Vec<SocketAddr>, CoreError>,
    },
    /// The interface that a zone names.
    #[non_exhaustive]
    FindScope {
        /// The zone.
        name: Vec<u8>,
        /// The index of the interface; `None` if there is none of this name.
        answer: Result<Option<u32>, CoreError>,
    },
    /// The route to a destination.
    #[non_exhaustive]
    FindRoute {
        /// The destination, with its port; absent where only a path is known.
        destination: Option<SockAddrBuf>,
        /// What ibacm is asked.
        query: acm::Query,
        /// What ibacm replied, or why it did not.
        answer: Result<Box<acm::Reply>, NoRoute>,
    },
    /// The records of a service of the InfiniBand subnet administrator.
    #[non_exhaustive]
    FindService {
        /// The ID of the service, if it is asked for by ID.
        id: Option<ServiceId>,
        /// Its name, if it is asked for by name; it need not be UTF-8.
        name: Option<Vec<u8>>,
        /// The ports of this machine that were looked at, in their order, each with what came of it.
        ports: Vec<ServicePort>,
        /// The records that were found.
        answer: Result<Vec<ServiceRecord>, CoreError>,
    },
    /// The address to send from.
    #[non_exhaustive]
    FindSource {
        /// The destination.
        destination: SocketAddr,
        /// The source, if there is one; its port means nothing.
        answer: Result<Option<SocketAddr>, CoreError>,
    },
}

impl ServiceAnswer {
    /// The event of it.
    pub(super) fn event(&self) -> TraceEvent {
        let answer = self.answer.as_ref().map(|(_, records)| records.clone()).map_err(|error| *error);
        let (id, name) = (self.key.id(), self.key.name().map(<[u8]>::to_vec));
        TraceEvent::FindService { id, name, ports: self.ports.clone(), answer }
    }
}

impl TraceEvent {
    /// The question in words, such as `look up node 'storage-7' (any family, tcp)`.
    #[must_use]
    pub fn question(&self) -> String {
        match self {
            Self::Lookup { node, service, family, protocol, .. } => {
                let mut text = String::from("look up");
                for (what, bytes) in [("node", node), ("service", service)] {
                    if let Some(bytes) = bytes {
                        // Writing to a String does not fail.
                        let _ = write!(text, " {what} '{}'", printable(bytes));
                    }
                }
                let family = match *family {
                    Family::UNSPEC => "any family".into(),
                    family => family.to_string(),
                };
                let protocol = match protocol {
                    Protocol::Any => "any protocol",
                    Protocol::Tcp => "tcp",
                    Protocol::Udp => "udp",
                };
                text + &format!(" ({family}, {protocol})")
            }
            Self::FindScope { name, .. } => format!("interface of zone '{}'", printable(name)),
            Self::FindRoute { destination, query, .. } => {
                let to = destination.map_or("the end of the path".into(), |address| address.to_string());
                format!("route to {to} (request: {})", query.to_request(0))
            }
            Self::FindService { id, name, .. } => match (id, name) {
                (Some(id), _) => format!("records of service {id}"),
                (None, name) => {
                    format!("records of service '{}'", printable(name.as_deref().unwrap_or_default()))
                }
            },
            Self::FindSource { destination, .. } => format!("source for {}", SockAddrBuf::from(*destination)),
        }
    }

    /// The answer in words, such as `192.0.2.7, 2001:db8::7`.
    #[must_use]
    pub fn answer(&self) -> String {
        let none = || "none".into();
        match self {
            Self::Lookup { answer: Ok(found), .. } if found.is_empty() => "nothing".into(),
            Self::Lookup { answer: Ok(found), .. } => {
                let found: Vec<_> = found.iter().map(|it| SockAddrBuf::from(*it).to_string()).collect();
                found.join(", ")
            }
            Self::FindScope { answer: Ok(index), .. } => index.map_or_else(none, |index| index.to_string()),
            Self::Lookup { answer: Err(error), .. }
            | Self::FindScope { answer: Err(error), .. }
            | Self::FindSource { answer: Err(error), .. } => error.to_string(),
            Self::FindService { ports, answer, .. } => {
                let port = |it: &ServicePort| format!("{} port {}: {}", it.device, it.port, it.outcome);
                let mut words: Vec<_> = ports.iter().map(port).collect();
                match answer {
                    Ok(records) if words.is_empty() => {
                        words.push(records_in_words(records.len().try_into().unwrap_or(u32::MAX)))
                    }
                    Err(error) if !ports.iter().any(|it| it.outcome.tells(error)) => {
                        words.push(error.to_string());
                    }
                    _ => {}
                }
                words.join("; ")
            }
            Self::FindRoute { answer: Ok(reply), .. } => reply.to_string(),
            Self::FindRoute { answer: Err(no_route), .. } => no_route.to_string(),
            Self::FindSource { answer: Ok(source), .. } => {
                source.map_or_else(none, |source| SockAddrBuf::from(source).to_string())
            }
        }
    }
}

impl fmt::Display for TracedStep {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {} ({:?})", self.event.question(), self.event.answer(), self.elapsed)
    }
}

/// Text for a message: what cannot be shown is escaped or replaced.
fn printable(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).escape_debug().to_string()
}

/// When a question is asked, if the trace wants to know.
pub(super) fn asked(trace: &impl Trace) -> Option<Instant> {
    trace.is_enabled().then(Instant::now)
}

/// Tells the trace what became of a question that was [`asked`] at that time.
pub(super) fn answered(trace: &mut impl Trace, asked: Option<Instant>, event: impl FnOnce() -> TraceEvent) {
    if let Some(asked) = asked {
        let elapsed = asked.elapsed();
        trace.step(TracedStep { event: event(), elapsed });
    }
}
