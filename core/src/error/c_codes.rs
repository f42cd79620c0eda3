//! The one owner of the `(ret, errno)` pairs of C.
//!
//! `-1` means "see errno" from librdmacm and `EAI_BADFLAGS` from getaddrinfo, and an EAI code from either may
//! come with a stale errno.

use super::{Error, ErrorKind};
use crate::abi;
use core::ffi::c_int;

/// What a C caller of `rdma_getaddrinfo(3)` sees of an error.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum CCode {
    /// The function returns this `EAI_` code and leaves `errno` alone.
    Eai(c_int),
    /// The function returns -1 and sets `errno` to this.
    Errno(c_int),
}

impl Error {
    /// Decodes a non-zero return value of librdmacm: -1 and `EAI_SYSTEM` mean `errno`, all else is an EAI code.
    #[must_use]
    #[doc(alias = "rdma_getaddrinfo")]
    pub const fn from_librdmacm(ret: c_int, errno: c_int) -> Self {
        match ret {
            -1 | abi::EAI_SYSTEM => Self::from_errno(errno),
            code => Self::from_eai(code),
        }
    }

    /// Decodes a non-zero return value of getaddrinfo(3): only `EAI_SYSTEM` means `errno`.
    #[must_use]
    #[doc(alias = "getaddrinfo")]
    pub const fn from_getaddrinfo(ret: c_int, errno: c_int) -> Self {
        match ret {
            abi::EAI_SYSTEM => Self::from_errno(errno),
            code => Self::from_eai(code),
        }
    }

    const fn from_errno(errno: c_int) -> Self {
        let kind = match errno {
            abi::ENOMEM => return Self::new(ErrorKind::Memory).with_errno(errno),
            abi::ENODEV => ErrorKind::NoDevice,
            abi::EINVAL => ErrorKind::Invalid,
            abi::EOPNOTSUPP => ErrorKind::NotSupported,
            abi::ETIMEDOUT => ErrorKind::TimedOut,
            _ => return Self::system(errno),
        };
        Self::new(kind)
    }

    const fn from_eai(code: c_int) -> Self {
        let kind = match code {
            abi::EAI_BADFLAGS => ErrorKind::BadFlags,
            abi::EAI_NONAME => ErrorKind::NoName,
            abi::EAI_AGAIN => ErrorKind::Again,
            abi::EAI_FAIL => ErrorKind::Fail,
            abi::EAI_NODATA => ErrorKind::NoData,
            abi::EAI_FAMILY => ErrorKind::Family,
            abi::EAI_SOCKTYPE => ErrorKind::QpType,
            abi::EAI_SERVICE => ErrorKind::Service,
            abi::EAI_ADDRFAMILY => ErrorKind::AddrFamily,
            abi::EAI_MEMORY => ErrorKind::Memory,
            // Not a code of an error: a C caller must not take it for one, nor for success.
            0.. => ErrorKind::Fail,
            // EAI_OVERFLOW, and codes that no header defines: the number is kept.
            _ => return Self { code: Some(CCode::Eai(code)), ..Self::new(ErrorKind::Fail) },
        };
        Self::new(kind)
    }

    /// What a C caller should see.
    #[must_use]
    pub const fn to_c(&self) -> CCode {
        if let Some(code) = self.code {
            return code;
        }
        let errno = match self.kind {
            ErrorKind::NoName | ErrorKind::NotLiteral => return CCode::Eai(abi::EAI_NONAME),
            ErrorKind::AddrFamily => return CCode::Eai(abi::EAI_ADDRFAMILY),
            ErrorKind::BadFlags => return CCode::Eai(abi::EAI_BADFLAGS),
            ErrorKind::QpType => return CCode::Eai(abi::EAI_SOCKTYPE),
            ErrorKind::Service => return CCode::Eai(abi::EAI_SERVICE),
            ErrorKind::Again => return CCode::Eai(abi::EAI_AGAIN),
            ErrorKind::Fail => return CCode::Eai(abi::EAI_FAIL),
            ErrorKind::NoData => return CCode::Eai(abi::EAI_NODATA),
            ErrorKind::Family => return CCode::Eai(abi::EAI_FAMILY),
            ErrorKind::Memory => return CCode::Eai(abi::EAI_MEMORY),
            ErrorKind::NoDevice | ErrorKind::NoLibrary => abi::ENODEV,
            ErrorKind::TimedOut => abi::ETIMEDOUT,
            ErrorKind::NotSupported => abi::EOPNOTSUPP,
            ErrorKind::Invalid | ErrorKind::System => abi::EINVAL,
        };
        CCode::Errno(errno)
    }

    /// The code as one number: an EAI code, or -1 where [`errno`](Self::errno) says more.
    ///
    /// -1 is also the number of `EAI_BADFLAGS`; [`to_c`](Self::to_c) keeps them apart.
    #[must_use]
    pub const fn code(&self) -> c_int {
        match self.to_c() {
            CCode::Eai(code) => code,
            CCode::Errno(_) => -1,
        }
    }

    /// The `errno` that a C caller should see, where the error is no EAI code.
    #[must_use]
    pub const fn errno(&self) -> Option<c_int> {
        match self.to_c() {
            CCode::Eai(_) => None,
            CCode::Errno(errno) => Some(errno),
        }
    }
}
