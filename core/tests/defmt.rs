//! What is sent to a log: a logger that keeps each piece. Texts that are known at build time are numbers there.
#![allow(unsafe_code, reason = "a logger is one, unsafely")]

use defmt::Format;
use rdma_addrinfo_core::{
    Error, ErrorKind, Family, Flags, Hints, Location, PathData, QpType, Reason, Results, RouteStatus,
    SockAddrRef, resolve_literal,
};
use std::cell::RefCell;

std::thread_local! {
    static PIECES: RefCell<Vec<Vec<u8>>> = const { RefCell::new(Vec::new()) };
}

#[defmt::global_logger]
struct Kept;

// SAFETY: each thread keeps its own pieces, so that nothing is shared.
unsafe impl defmt::Logger for Kept {
    fn acquire() {}
    unsafe fn flush() {}
    unsafe fn release() {}
    unsafe fn write(bytes: &[u8]) {
        PIECES.with_borrow_mut(|pieces| pieces.push(bytes.to_vec()));
    }
}

#[defmt::panic_handler]
fn panicked() -> ! {
    std::process::abort()
}

defmt::timestamp!("");

/// The texts among what is sent for a value: those behind their length.
fn texts(value: impl Format) -> Vec<String> {
    PIECES.take();
    defmt::println!("{}", value);
    let pieces = PIECES.take();
    let is_text = |pair: &&[Vec<u8>]| pair[0] == (pair[1].len() as u32).to_le_bytes();
    let texts = pieces.windows(2).filter(is_text).map(|pair| String::from_utf8_lossy(&pair[1]).into());
    texts.collect()
}

/// Whether a piece of what is sent for a value is this.
fn sends(value: impl Format, piece: &[u8]) -> bool {
    PIECES.take();
    defmt::println!("{}", value);
    PIECES.take().iter().any(|it| it == piece)
}

#[test]
fn words_by_name_and_number() {
    assert_eq!(texts(Family::INET6), ["inet6"]);
    assert_eq!(texts(QpType::UD), ["ud"]);
    assert!(sends(Family::from_raw(-2), &(-2_i32).to_le_bytes()) && texts(Family::from_raw(-2)).is_empty());
    assert_eq!(texts(RouteStatus::NotAsked), ["not-asked"]);
}

#[test]
fn flags_by_name_and_number() {
    assert!(texts(Flags::empty()).is_empty());
    let flags = Flags::PASSIVE | Flags::DNS | Flags::from_raw(0x4000_0000);
    assert_eq!(texts(flags), ["", "passive", "|", "dns", "|"]);
    assert!(sends(flags, &0x4000_0000_u32.to_le_bytes()));
}

#[test]
fn addresses_and_paths() {
    let mut results = Results::<4>::new();
    let list = resolve_literal("192.0.2.7", "7471", &Hints::new(), &mut results).unwrap();
    let info = list.first().unwrap();
    assert_eq!(texts(info), ["inet", "rc", "tcp", "->", "not-asked"]);
    assert!(sends(info, &7471_u16.to_le_bytes()));
    assert!(sends(SockAddrRef::from_bytes(&[9, 0, 0xab]), &[9, 0, 0xab]));
    assert!(sends(PathData::ZERO.with_slid(0x1234), &0x1234_u16.to_le_bytes()));
}

#[test]
fn errors() {
    let error = Error::new(ErrorKind::NoName).because(Reason::Octet).at(Location::Node(0x55aa));
    assert!(sends(error, &0x55aa_u32.to_le_bytes()) && sends(error, &(-2_i32).to_le_bytes()));
    assert!(sends(Error::system(24), &24_i32.to_le_bytes()));
}
