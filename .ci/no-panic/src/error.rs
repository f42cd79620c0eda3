//! `rdma_addrinfo_core::error`

use crate::opaque::{any, sink};
use crate::{derived, each, formats};
use rdma_addrinfo_core::{CCode, Error, ErrorKind, Field, Location, Reason};

pub fn calls() {
    let kind = any(ErrorKind::Fail);
    each!(ErrorKind, kind; name(), message());
    formats!(ErrorKind, kind; Display);
    derived!(ErrorKind, kind; Clone PartialEq Hash);

    let reason = any(Reason::Unspecified);
    each!(Reason, reason; message());
    derived!(Reason, reason; Clone PartialEq Hash);

    let field = any(Field::Flags);
    each!(Field, field; c_name());
    derived!(Field, field; Clone PartialEq Hash);

    let location = any(Location::Text(0));
    derived!(Location, location; Clone PartialEq Hash);

    sink(Error::new(kind));
    sink(<Error as From<ErrorKind>>::from(kind));
    sink(Error::system(any(0)));
    sink(Error::from_librdmacm(any(0), any(0)));
    let error = any(Error::from_getaddrinfo(any(0), any(0)));
    each!(Error, error; because(reason), at(location), with_errno(0));
    each!(Error, &error; kind(), reason(), location(), code(), errno());
    formats!(Error, error; Display);
    derived!(Error, error; Clone PartialEq Hash);

    let code = any(Error::to_c(&error));
    derived!(CCode, code; Clone PartialEq Hash);
}
