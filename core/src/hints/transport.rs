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

/// QP type and port space as asked for, known to go together.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Transport {
    qp_type: QpType,
    port_space: PortSpace,
    protocol: Protocol,
}

impl Transport {
    /// The pair of the hints, checked; `strict` refuses values that have no address resolution, which
    /// librdmacm repeats in its answer.
    #[inline]
    pub(crate) fn new(qp_type: QpType, port_space: PortSpace, strict: bool) -> Result<Self, Error> {
        let by_qp = match qp_type {
            QpType::RC | QpType::UC | QpType::XRC_SEND | QpType::XRC_RECV => Protocol::Tcp,
            QpType::UD => Protocol::Udp,
            QpType::ANY => Protocol::Any,
            _ if strict => return refuse(Reason::UnknownQpType, Field::QpType),
            _ => Protocol::Any,
        };
        let by_space = match port_space {
            PortSpace::TCP => Protocol::Tcp,
            PortSpace::UDP | PortSpace::IPOIB => Protocol::Udp,
            PortSpace::IB | PortSpace::ANY => Protocol::Any,
            _ if strict => return refuse(Reason::UnknownPortSpace, Field::PortSpace),
            _ => Protocol::Any,
        };
        let protocol = match (by_qp, by_space) {
            (Protocol::Tcp, Protocol::Udp) | (Protocol::Udp, Protocol::Tcp) => {
                return refuse(Reason::Inconsistent, Field::PortSpace);
            }
            (Protocol::Any, protocol) | (protocol, _) => protocol,
        };
        Ok(Self { qp_type, port_space, protocol })
    }

    pub(crate) const fn protocol(self) -> Protocol {
        self.protocol
    }

    /// The pair as answered, for a service that is known under `protocol`.
    #[inline]
    pub(crate) const fn settle(self, protocol: Protocol) -> (QpType, PortSpace) {
        let (qp_type, port_space) = match protocol {
            Protocol::Udp => (QpType::UD, PortSpace::UDP),
            Protocol::Any | Protocol::Tcp => (QpType::RC, PortSpace::TCP),
        };
        (
            if self.qp_type.to_raw() == 0 { qp_type } else { self.qp_type },
            if self.port_space.to_raw() == 0 { port_space } else { self.port_space },
        )
    }
}

#[cold]
fn refuse(reason: Reason, field: Field) -> Result<Transport, Error> {
    Err(Error::new(ErrorKind::QpType).because(reason).at(Location::Hints(field)))
}
