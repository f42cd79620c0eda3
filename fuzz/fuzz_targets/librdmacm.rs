//! Whole requests to the C library on a simulated device, and to our own resolution by its rules: the answers are equal.
//!
//! libibverbs reads its environment at the library's first call, so the program starts itself again in a world made
//! before. An input is that of `resolve`, whose switches but `n` count for nothing.
#![no_main]

#[path = "../../std/tests/common/mod.rs"]
mod common;
#[path = "../../std/tests/librdmacm/peer.rs"]
mod peer;
#[path = "../../std/tests/librdmacm/rows.rs"]
#[allow(dead_code)]
mod rows;

use libfuzzer_sys::fuzz_target;
use rdma_addrinfo::Library;
use rdma_addrinfo_properties::script::Script;
use rows::Row;
use std::sync::OnceLock;

static LIBRARY: OnceLock<Library> = OnceLock::new();

fuzz_target!(
    init: peer::WORLD.move_in("fuzz-librdmacm"),
    |bytes: &[u8]| {
        let library = LIBRARY.get_or_init(|| Library::load().expect("librdmacm.so.1"));
        let Some(row) = row(bytes) else { return };
        if let Err(difference) = peer::Answers::of(library, &row).agree() {
            panic!("{row}\n{difference}");
        }
    }
);

/// The request, where C can be asked: without a NUL in its texts.
fn row(bytes: &[u8]) -> Option<Row> {
    let script = Script::new(bytes);
    let mut room = [0; 288];
    let hints = script.hints(&mut room)?;
    let [node, service] = script.texts().map(|text| match text {
        None => Some(None),
        Some(text) if text.contains(&0) => None,
        Some(text) => Some(Some(str::from_utf8(text).ok()?.to_owned())),
    });
    let words = hints.map(|hints| {
        [
            hints.flags().to_raw(),
            hints.family().to_raw(),
            hints.qp_type().to_raw(),
            hints.port_space().to_raw(),
        ]
    });
    let hints = hints.unwrap_or_default();
    Some(Row {
        node: node?,
        service: service?,
        hints: words,
        src: hints.src_addr().as_bytes().to_vec(),
        dst: hints.dst_addr().as_bytes().to_vec(),
        route: hints.route().to_vec(),
    })
}
