//! Hints: validation, text to hints and back. There is no peer: the C library checks less, and has no text form.

use criterion::Criterion;
use rdma_addrinfo_benches::Case;
use rdma_addrinfo_core::{Family, Flags, Hints, PortSpace, QpType, SockAddrBuf};
use std::fmt::{self, Write};
use std::hint::black_box;
use std::net::Ipv4Addr;

const TEXT: &str = "passive,family=inet,qp=rc,ps=tcp,src=192.0.2.9:7471";

pub(crate) fn measure(criterion: &mut Criterion) {
    let hints = Hints::new()
        .flags(Flags::PASSIVE)
        .family(Family::INET)
        .qp_type(QpType::RC)
        .port_space(PortSpace::TCP)
        .src_addr(SockAddrBuf::from_ip(Ipv4Addr::new(192, 0, 2, 9).into(), 7471, 0));

    Case::new(criterion, "hints/validate", &[hints], |_| Ok(())).engine("ours", Hints::validate);

    Case::new(criterion, "hints/parse", &[TEXT], |_| Ok(hints)).engine("ours", |text| Hints::parse(text));

    Case::new(criterion, "hints/write", &[hints], |_| TEXT.to_owned()).engine_with(
        "ours",
        Hints::to_string,
        |hints| {
            let mut line = Line { bytes: [0; 128], len: 0 };
            write!(line, "{hints}").expect("it fits");
            black_box(&line);
        },
    );
}

/// Text without a heap, so that the writer is timed and not the allocator.
struct Line {
    bytes: [u8; 128],
    len: usize,
}

impl Write for Line {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        let end = self.len + text.len();
        self.bytes.get_mut(self.len..end).ok_or(fmt::Error)?.copy_from_slice(text.as_bytes());
        self.len = end;
        Ok(())
    }
}
