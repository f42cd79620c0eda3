//! One result on one line.

use super::{AddrInfo, RouteStatus};
use core::fmt;

impl fmt::Display for AddrInfo<'_> {
    /// Writes `inet rc/tcp 192.0.2.9 -> 192.0.2.7:7471`; a side that is not known is `*`. Flags and the number
    /// of paths follow where there are any.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}/{} ", self.family(), self.qp_type(), self.port_space())?;
        side(f, self.src_addr())?;
        f.write_str(" -> ")?;
        side(f, self.dst_addr())?;
        if !self.flags().is_empty() {
            write!(f, " {}", self.flags())?;
        }
        match self.route() {
            [] if self.route_status() == RouteStatus::Malformed => f.write_str(" (malformed route)"),
            [] => Ok(()),
            [_] => f.write_str(" (1 path)"),
            paths => write!(f, " ({} paths)", paths.len()),
        }
    }
}

fn side(f: &mut fmt::Formatter<'_>, address: Option<crate::sockaddr::SockAddrRef<'_>>) -> fmt::Result {
    match address {
        Some(address) => fmt::Display::fmt(&address, f),
        None => f.write_str("*"),
    }
}
