//! Hints: validation, text to hints and back. There is no peer: the C library checks less, and has no text form.

use criterion::Criterion;
use rdma_addrinfo_benches::{Case, Line};
use rdma_addrinfo_core::{Family, Flags, Hints, PortSpace, QpType, SockAddrBuf};
use std::fmt::Write;
use std::hint::black_box;
use std::net::Ipv4Addr;

const TEXT: &str = "passive,family=inet,qp=rc,ps=tcp,src=192.0.2.9:7471";

pub(crate) fn measure(criterion: &mut Criterion) {
    let hints = Hints::new()
        .with_flags(Flags::PASSIVE)
        .with_family(Family::INET)
        .with_qp_type(QpType::RC)
        .with_port_space(PortSpace::TCP)
        .with_src_addr(SockAddrBuf::from_ip(Ipv4Addr::new(192, 0, 2, 9).into(), 7471, 0));

    Case::new(criterion, "hints/validate", &[hints], |_| Ok(())).engine("ours", Hints::validate);

    Case::new(criterion, "hints/parse", &[TEXT], |_| Ok(hints)).engine("ours", |text| Hints::parse(text));

    Case::new(criterion, "hints/write", &[hints], |_| TEXT.to_owned()).engine_with(
        "ours",
        Hints::to_string,
        |hints| {
            let mut line = Line::new();
            write!(line, "{hints}").expect("it fits");
            black_box(&line);
        },
    );
}
