//! Cases that C callers cannot cause.

use super::{catch_panic, return_value};
use ::rdma_addrinfo::{CCode, CoreError, ErrorKind};
use libc::{EINVAL, ENODEV, ENOTRECOVERABLE, EOPNOTSUPP, ETIMEDOUT};
use std::panic;

#[test]
fn a_panic_becomes_an_error() {
    panic::set_hook(Box::new(|_| ()));
    let outcome = catch_panic::<()>(|| panic!("planted"));
    let _ = panic::take_hook();
    assert_eq!(outcome, Err(CCode::Errno(ENOTRECOVERABLE)));
    assert_eq!(catch_panic(|| Ok(7)), Ok(7));
    assert_eq!(catch_panic::<()>(|| Err(CCode::Eai(-2))), Err(CCode::Eai(-2)));
}

/// -1 always comes with an `errno`, and no other value does.
#[test]
fn errno_is_set_with_minus_one_and_with_nothing_else() {
    let kinds = [
        (ErrorKind::NoName, -2, None),
        (ErrorKind::AddrFamily, -9, None),
        (ErrorKind::BadFlags, -1, Some(EINVAL)),
        (ErrorKind::QpType, -7, None),
        (ErrorKind::Service, -8, None),
        (ErrorKind::Again, -3, None),
        (ErrorKind::Fail, -4, None),
        (ErrorKind::NoData, -5, None),
        (ErrorKind::Family, -6, None),
        (ErrorKind::Memory, -10, None),
        (ErrorKind::NoDevice, -1, Some(ENODEV)),
        (ErrorKind::NoLibrary, -1, Some(ENODEV)),
        (ErrorKind::TimedOut, -1, Some(ETIMEDOUT)),
        (ErrorKind::NotSupported, -1, Some(EOPNOTSUPP)),
        (ErrorKind::Invalid, -1, Some(EINVAL)),
        (ErrorKind::System, -1, Some(EINVAL)),
        (ErrorKind::NotLiteral, -2, None),
    ];
    for (kind, ret, errno) in kinds {
        assert_eq!(return_value(CoreError::new(kind).to_c()), (ret, errno), "{kind:?}");
    }
    for number in 1..=4095 {
        assert_eq!(return_value(CoreError::system(number).to_c()), (-1, Some(number)), "{number}");
        let (ret, errno) = return_value(CoreError::from_getaddrinfo(-number, 5).to_c());
        assert_eq!(ret == -1, errno.is_some(), "{number}");
        assert!(errno.is_none_or(|errno| errno > 0), "{number}");
    }
    for none in [0, -1, i32::MIN] {
        assert_eq!(return_value(CCode::Errno(none)), (-1, Some(EINVAL)));
        assert_eq!(return_value(CoreError::from_getaddrinfo(-11, none).to_c()), (-1, Some(EINVAL)));
        assert_eq!(return_value(CoreError::system(none).to_c()), (-1, Some(EINVAL)));
    }
}
