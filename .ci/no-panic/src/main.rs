//! Calls every public function of `rdma-addrinfo-core` with arguments that the optimizer cannot see.
//!
//! The panic handler calls a symbol that nothing defines. The program links only if link-time optimization
//! removes the handler, and it does so only if no panic is reachable. Nobody runs the program.
//!
//! Each module of core has a file here. A function is called by its path, `Type::method(value)` or
//! `<Type as Trait>::method(value)`, so that the list of what is called can be read from the source and
//! compared with the list of what is public. `Debug` is not part of the claim.
#![no_std]
#![no_main]

#[allow(dead_code, reason = "a tool box")]
mod opaque;

mod abi;
mod acm;
mod addrinfo;
mod error;
mod flags;
mod foreign;
mod hints;
mod request;
mod resolve;
mod results;
mod route;
mod sockaddr;
mod text;
mod types;

#[cfg(not(feature = "explain"))]
#[panic_handler]
fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
    unsafe extern "C" {
        safe fn a_panic_is_reachable() -> !;
    }
    a_panic_is_reachable()
}

#[cfg(feature = "explain")]
#[panic_handler]
fn panic(info: &core::panic::PanicInfo<'_>) -> ! {
    opaque::sink(info);
    loop {
        core::hint::spin_loop();
    }
}

#[unsafe(no_mangle)]
extern "C" fn _start() -> ! {
    abi::calls();
    acm::calls();
    types::calls();
    flags::calls();
    error::calls();
    text::calls();
    sockaddr::calls();
    route::calls();
    foreign::calls();
    hints::calls();
    request::calls();
    addrinfo::calls();
    results::calls();
    resolve::calls();
    planted();
    loop {
        core::hint::spin_loop();
    }
}

/// One panic of each kind, which must be found.
fn planted() {
    #[cfg(feature = "planted-index")]
    opaque::sink(opaque::bytes()[opaque::any(3_usize)]);
    #[cfg(feature = "planted-overflow")]
    opaque::sink(core::time::Duration::from_secs(opaque::any(1)) + core::time::Duration::MAX);
    #[cfg(feature = "planted-unwrap")]
    opaque::sink(opaque::any(Some(1_u8)).unwrap());
    #[cfg(feature = "planted-width")]
    opaque::format_with(|f| core::fmt::Display::fmt(&core::net::Ipv6Addr::from_bits(opaque::any(1)), f));
}
