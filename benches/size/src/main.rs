//! A program on bare metal: nothing, an IPv4 literal to a number, a numeric node and port to a result whose fields are
//! read, and that result as text. The command `benches/costs` builds and weighs it; nobody runs it.
#![no_std]
#![no_main]

#[cfg(feature = "parse")]
use core::hint::black_box;

#[panic_handler]
fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
    loop {
        core::hint::spin_loop();
    }
}

#[unsafe(no_mangle)]
extern "C" fn _start() -> ! {
    #[cfg(feature = "parse")]
    black_box(rdma_addrinfo_core::text::ipv4(black_box(b"192.0.2.7")));
    #[cfg(feature = "resolve")]
    resolve();
    loop {
        core::hint::spin_loop();
    }
}

#[cfg(feature = "resolve")]
fn resolve() {
    use rdma_addrinfo_core::{Hints, PortSpace, QpType, Results, resolve_literal};

    let hints = black_box(Hints::new().with_qp_type(QpType::RC).with_port_space(PortSpace::TCP));
    let mut results = Results::<4>::new();
    match resolve_literal(black_box("192.0.2.7"), black_box("7471"), &hints, &mut results) {
        Ok(list) => {
            for info in &list {
                black_box((info.family(), info.qp_type(), info.port_space(), info.connect_data()));
                black_box((info.src_addr(), info.dst_addr(), info.route(), info.user_private_data()));
                #[cfg(feature = "display")]
                write(info);
            }
        }
        Err(error) => {
            black_box(error.kind());
            #[cfg(feature = "display")]
            write(error);
        }
    }
}

#[cfg(feature = "display")]
fn write(value: impl core::fmt::Display) {
    use core::fmt::Write;

    struct Sink;
    impl Write for Sink {
        fn write_str(&mut self, text: &str) -> core::fmt::Result {
            black_box(text);
            Ok(())
        }
    }
    black_box(write!(Sink, "{value}")).ok();
}
