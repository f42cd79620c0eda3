//! What cannot be asked for from outside.

use super::shut_in;
use ::rdma_addrinfo::CCode;
use libc::ENOTRECOVERABLE;
use std::panic;

#[test]
fn a_panic_becomes_an_error() {
    panic::set_hook(Box::new(|_| ()));
    let outcome = shut_in::<()>(|| panic!("planted"));
    let _ = panic::take_hook();
    assert_eq!(outcome, Err(CCode::Errno(ENOTRECOVERABLE)));
    assert_eq!(shut_in(|| Ok(7)), Ok(7));
    assert_eq!(shut_in::<()>(|| Err(CCode::Eai(-2))), Err(CCode::Eai(-2)));
}
