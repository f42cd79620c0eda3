//! `defmt::Format` (feature `defmt`) of what a driver logs, in short forms; nothing is formatted on the device.

use crate::acm::{ReplyError, ReplyErrorKind, Status};
use crate::addrinfo::{AddrInfo, NoRoute, RouteStatus};
use crate::error::{CCode, Error, Location, Reason};
use crate::route::{PathData, PathFlags};
use crate::sockaddr::{SockAddrBuf, SockAddrRef};
use crate::types::{Family, Flags, Gid, Pkey, PortSpace, QpType, ServiceId};
use core::net::Ipv6Addr;
use defmt::{Format, Formatter, write};

/// By the name; without one by the number.
macro_rules! by_name {
    ($($ty:ty: $raw:literal),+) => {
        $(impl Format for $ty {
            fn format(&self, f: Formatter<'_>) {
                match self.name() {
                    Some(name) => write!(f, "{=str}", name),
                    None => write!(f, $raw, self.to_raw()),
                }
            }
        })+
    };
}

by_name!(Family: "{=i32}", QpType: "{=i32}", PortSpace: "{=i32}", Status: "{=u8}");

/// As displayed: the names, `|` between them, and the bits without a name in hex; `-` for nothing.
macro_rules! flags {
    ($($ty:ty),+) => {
        $(impl Format for $ty {
            fn format(&self, f: Formatter<'_>) {
                if self.is_empty() {
                    write!(f, "-");
                }
                let mut separator = "";
                for name in self.names() {
                    write!(f, "{=str}{=str}", separator, name);
                    separator = "|";
                }
                match self.unnamed() {
                    0 => {}
                    rest => write!(f, "{=str}{=u32:#x}", separator, rest),
                }
            }
        })+
    };
}

flags!(Flags, PathFlags);

impl Format for Gid {
    fn format(&self, f: Formatter<'_>) {
        Ipv6Addr::from(*self).format(f);
    }
}

impl Format for Pkey {
    fn format(&self, f: Formatter<'_>) {
        write!(f, "{=u16:#06x}", self.to_raw());
    }
}

impl Format for ServiceId {
    fn format(&self, f: Formatter<'_>) {
        write!(f, "{=u64:#018x}", self.to_raw());
    }
}

/// Without zone and mask; bytes of another family in hex.
impl Format for SockAddrRef<'_> {
    fn format(&self, f: Formatter<'_>) {
        match (core::net::SocketAddr::try_from(*self), self) {
            (Ok(address), _) => address.format(f),
            (Err(_), Self::Ib(view)) => {
                let gid = Gid::from_bits(view.sib_addr.get());
                let service_id = ServiceId::from_raw(view.sib_sid.get());
                write!(f, "ib:{}/pkey={}/sid={}", gid, Pkey::from_raw(view.sib_pkey.get()), service_id);
            }
            (Err(_), other) => write!(f, "?{=[u8]:02x}", other.as_bytes()),
        }
    }
}

/// As the view; `*` for no address.
impl Format for SockAddrBuf {
    fn format(&self, f: Formatter<'_>) {
        Address(self.get()).format(f);
    }
}

/// An address, `*` for none.
struct Address<'a>(Option<SockAddrRef<'a>>);

impl Format for Address<'_> {
    fn format(&self, f: Formatter<'_>) {
        match self.0 {
            Some(address) => address.format(f),
            None => write!(f, "*"),
        }
    }
}

/// Ends, P_Key and LIDs.
impl Format for PathData {
    fn format(&self, f: Formatter<'_>) {
        write!(f, "{} -> {} pkey {}", self.sgid(), self.dgid(), self.pkey());
        write!(f, " lid {=u16} -> {=u16}", self.slid(), self.dlid());
    }
}

/// On one line: family, QP type and port space, source and destination, flags, and what became of the route.
impl Format for AddrInfo<'_> {
    fn format(&self, f: Formatter<'_>) {
        write!(f, "{} {}/{} ", self.family(), self.qp_type(), self.port_space());
        let arrow = if self.is_passive() { "<-" } else { "->" };
        write!(f, "{} {=str} {} ", Address(self.src_addr()), arrow, Address(self.dst_addr()));
        write!(f, "{} route {}", self.flags(), self.route_status());
    }
}

impl Format for RouteStatus {
    fn format(&self, f: Formatter<'_>) {
        match self {
            Self::Missing(why) => why.format(f),
            status => write!(f, "{=str}", status.name()),
        }
    }
}

impl Format for NoRoute {
    fn format(&self, f: Formatter<'_>) {
        match self {
            Self::Refused(status) => write!(f, "refused: {}", status),
            Self::InvalidReply(invalid) => write!(f, "invalid-reply: {}", invalid),
            other => write!(f, "{=str}", other.name()),
        }
    }
}

impl Format for ReplyError {
    fn format(&self, f: Formatter<'_>) {
        match self.kind() {
            ReplyErrorKind::Version(version) => write!(f, "version {=u8}", version),
            ReplyErrorKind::Opcode(opcode) => write!(f, "operation {=u8:#04x}", opcode),
            ReplyErrorKind::Length(length) => write!(f, "length {=u16}", length),
            ReplyErrorKind::TransactionId => write!(f, "reply to another request"),
            ReplyErrorKind::CutShort => write!(f, "cut short"),
            ReplyErrorKind::Excess => write!(f, "bytes behind its end"),
        }
        write!(f, " (byte {=usize})", self.offset());
    }
}

/// Kind and reason by their names in this crate, then where and the C code that are its own.
impl Format for Error {
    fn format(&self, f: Formatter<'_>) {
        write!(f, "{}", self.kind());
        if self.reason() != Reason::Unspecified {
            write!(f, ": {}", self.reason());
        }
        if self.location() != Location::Nowhere {
            write!(f, " ({})", self.location());
        }
        match self.to_c() {
            CCode::Eai(code) => write!(f, " EAI {=i32}", code),
            CCode::Errno(errno) => write!(f, " errno {=i32}", errno),
        }
    }
}
