//! Hints from C.

use super::{Hints, Transport};
use crate::error::{Error, Field, Location};
use crate::foreign::RawAddrInfo;
use crate::sockaddr::SockAddrBuf;

impl<'a> Hints<'a> {
    /// Reads the hints of a C caller. Values are taken as they are; pointers and lengths are checked.
    ///
    /// A pointer with length 0 is no address. Canonical names, connect data and the next structure are not
    /// hints, and are not looked at. The route is borrowed, the addresses are copied.
    ///
    /// # Errors
    /// [`ErrorKind::Invalid`](crate::ErrorKind::Invalid), in C `EINVAL`: a null pointer with a length, or an address whose length is not that of
    /// its family (16, 28, 48).
    #[doc(alias = "rdma_getaddrinfo")]
    pub fn from_raw(c: RawAddrInfo<'a>) -> Result<Self, Error> {
        c.check_lengths()?;
        // Hints with addresses, which are few, are made by a function of their own, so that the others are made in place.
        match (c.as_raw().ai_src_len, c.as_raw().ai_dst_len) {
            (0, 0) => Ok(Self::without_addresses(c)),
            _ => Self::with_addresses(c),
        }
    }

    #[inline]
    fn without_addresses(c: RawAddrInfo<'a>) -> Self {
        Self {
            flags: c.flags(),
            family: c.family(),
            transport: Transport::new(c.qp_type(), c.port_space()),
            src: SockAddrBuf::NONE,
            dst: SockAddrBuf::NONE,
            route: c.route_bytes(),
        }
    }

    #[inline(never)]
    fn with_addresses(c: RawAddrInfo<'a>) -> Result<Self, Error> {
        Ok(Self {
            src: address(c.as_raw().ai_src_len, c.src_bytes(), Field::Source)?,
            dst: address(c.as_raw().ai_dst_len, c.dst_bytes(), Field::Destination)?,
            ..Self::without_addresses(c)
        })
    }
}

/// The address of so many bytes. Where memory cannot have them there are none to look at, which is no address's length.
fn address(len: u32, bytes: Option<&[u8]>, field: Field) -> Result<SockAddrBuf, Error> {
    if len == 0 {
        return Ok(SockAddrBuf::NONE);
    }
    let bytes = bytes.unwrap_or(&[]);
    SockAddrBuf::from_bytes(bytes).map_err(|error| error.at(Location::Hints(field)))
}
