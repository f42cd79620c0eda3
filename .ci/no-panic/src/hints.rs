//! `rdma_addrinfo_core::hints`

use crate::foreign::any_foreign;
use crate::opaque::{any, bytes, sink, text};
use crate::{derived, each, formats};
use core::str::FromStr;
use rdma_addrinfo_core::{Family, Flags, Hints, PortSpace, Protocol, QpType, SockAddrBuf};

/// Hints of any content.
pub fn any_hints() -> Hints<'static> {
    let hints = any(Hints::new());
    let hints = Hints::with_flags(hints, any(Flags::PASSIVE));
    let hints = Hints::with_family(hints, any(Family::INET));
    let hints = Hints::with_qp_type(hints, any(QpType::RC));
    let hints = Hints::with_port_space(hints, any(PortSpace::TCP));
    let hints = Hints::with_src_addr(hints, any(SockAddrBuf::NONE));
    let hints = Hints::with_dst_addr(hints, any(SockAddrBuf::NONE));
    any(Hints::with_route(hints, bytes()))
}

pub fn calls() {
    let hints = any_hints();
    each!(Hints, hints; passive(), numeric_host());
    each!(Hints, &hints; flags(), family(), qp_type(), port_space(), src_addr(), dst_addr());
    each!(Hints, &hints; route(), is_passive(), validate(), to_c());
    sink(Hints::parse(text()));
    sink(<Hints as FromStr>::from_str(text()));
    let mut route = any([0; 144]);
    sink(Hints::parse_with(text(), any(&mut route[..])));
    if let Some(foreign) = any_foreign() {
        sink(Hints::from_raw(foreign));
    }
    formats!(Hints<'_>, hints; Display);
    derived!(Hints<'_>, hints; Clone PartialEq Hash Default);
    derived!(Protocol, Protocol::Tcp; Clone PartialEq Hash);
}
