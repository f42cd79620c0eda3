//! QP type and port space, and the transport protocol that they stand for in the services database.

use crate::error::{Error, ErrorKind, Field, Location, Reason};
use crate::types::{PortSpace, QpType};

/// The protocol under which a service name is looked up.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Protocol {
    /// Either; what the service is known for decides, TCP first.
    Any,
    /// TCP, for connected QPs.
    Tcp,
    /// UDP, for datagram QPs.
    Udp,
}

/// QP type and port space as asked for, and what they come to: worked out where hints are made, for each of the
/// resolutions that they are used in.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Transport {
    qp_type: QpType,
    port_space: PortSpace,
    /// The pair as answered, where no service is known under another protocol.
    settled: (QpType, PortSpace),
    protocol: Protocol,
    fault: Option<Fault>,
}

/// What is wrong with a pair.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Fault {
    /// The value has no address resolution; librdmacm repeats it in its answer.
    UnknownQpType,
    /// The same.
    UnknownPortSpace,
    /// They exclude each other.
    Inconsistent,
}

impl Transport {
    pub(crate) const fn new(qp_type: QpType, port_space: PortSpace) -> Self {
        let (by_qp, mut fault) = match qp_type {
            QpType::RC | QpType::UC | QpType::XRC_SEND | QpType::XRC_RECV => (Protocol::Tcp, None),
            QpType::UD => (Protocol::Udp, None),
            QpType::ANY => (Protocol::Any, None),
            _ => (Protocol::Any, Some(Fault::UnknownQpType)),
        };
        let by_space = match port_space {
            PortSpace::TCP => Protocol::Tcp,
            PortSpace::UDP | PortSpace::IPOIB => Protocol::Udp,
            PortSpace::IB | PortSpace::ANY => Protocol::Any,
            _ => {
                if fault.is_none() {
                    fault = Some(Fault::UnknownPortSpace);
                }
                Protocol::Any
            }
        };
        let protocol = match (by_qp, by_space) {
            (Protocol::Tcp, Protocol::Udp) | (Protocol::Udp, Protocol::Tcp) => {
                fault = Some(Fault::Inconsistent);
                by_qp
            }
            (Protocol::Any, protocol) | (protocol, _) => protocol,
        };
        let settled = fill(qp_type, port_space, protocol);
        Self { qp_type, port_space, settled, protocol, fault }
    }

    #[inline]
    pub(crate) const fn qp_type(&self) -> QpType {
        self.qp_type
    }

    #[inline]
    pub(crate) const fn port_space(&self) -> PortSpace {
        self.port_space
    }

    #[inline]
    pub(crate) const fn protocol(&self) -> Protocol {
        self.protocol
    }

    /// Whether nothing is wrong with the pair, whatever the policy.
    #[inline]
    pub(crate) const fn is_sound(&self) -> bool {
        self.fault.is_none()
    }

    /// `strict` refuses values that have no address resolution, too.
    #[inline]
    pub(crate) fn check(&self, strict: bool) -> Result<(), Error> {
        match self.fault {
            Some(fault) if strict || fault == Fault::Inconsistent => Err(fault.error()),
            _ => Ok(()),
        }
    }

    /// The pair as answered, for a service that is known under `protocol`.
    #[inline]
    pub(crate) fn settle(&self, protocol: Protocol) -> (QpType, PortSpace) {
        if protocol == self.protocol { self.settled } else { fill(self.qp_type, self.port_space, protocol) }
    }
}

/// The pair with what the protocol stands for where nothing is asked for.
const fn fill(qp_type: QpType, port_space: PortSpace, protocol: Protocol) -> (QpType, PortSpace) {
    let (any_qp, any_space) = match protocol {
        Protocol::Udp => (QpType::UD, PortSpace::UDP),
        Protocol::Any | Protocol::Tcp => (QpType::RC, PortSpace::TCP),
    };
    (
        if qp_type.to_raw() == 0 { any_qp } else { qp_type },
        if port_space.to_raw() == 0 { any_space } else { port_space },
    )
}

impl Fault {
    #[cold]
    fn error(self) -> Error {
        let (reason, field) = match self {
            Self::UnknownQpType => (Reason::UnknownQpType, Field::QpType),
            Self::UnknownPortSpace => (Reason::UnknownPortSpace, Field::PortSpace),
            Self::Inconsistent => (Reason::Inconsistent, Field::PortSpace),
        };
        Error::new(ErrorKind::QpType).because(reason).at(Location::Hints(field))
    }
}
