//! [`Status`].

use crate::abi;
use core::fmt;

/// What the daemon says of a request. A number that is not known is kept.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Status(u8);

macro_rules! statuses {
    ($($(#[$doc:meta])+ $name:ident = $value:ident, $text:literal, $message:literal;)+) => {
        impl Status {
            $($(#[$doc])+ pub const $name: Self = Self(abi::$value);)+

            /// The name, `None` for a number that is not known.
            #[must_use]
            pub const fn name(self) -> Option<&'static str> {
                match self {
                    $(Self::$name => Some($text),)+
                    _ => None,
                }
            }

            /// What it means, in words.
            #[must_use]
            pub const fn message(self) -> &'static str {
                match self {
                    $(Self::$name => $message,)+
                    _ => "unknown status",
                }
            }
        }
    };
}

statuses! {
    /// The request succeeded.
    #[doc(alias = "ACM_STATUS_SUCCESS")]
    OK = ACM_STATUS_SUCCESS, "OK", "success";
    /// The daemon is out of memory.
    #[doc(alias = "ACM_STATUS_ENOMEM")]
    ENOMEM = ACM_STATUS_ENOMEM, "ENOMEM", "the daemon is out of memory";
    /// The daemon does not take such a request.
    #[doc(alias = "ACM_STATUS_EINVAL")]
    EINVAL = ACM_STATUS_EINVAL, "EINVAL", "the daemon does not take such a request";
    /// The daemon has no answer: no path, or none yet where none may be waited for.
    #[doc(alias = "ACM_STATUS_ENODATA")]
    ENODATA = ACM_STATUS_ENODATA, "ENODATA", "the daemon knows no path";
    /// The daemon has no connection to the fabric.
    #[doc(alias = "ACM_STATUS_ENOTCONN")]
    ENOTCONN = ACM_STATUS_ENOTCONN, "ENOTCONN", "the daemon has no connection to the fabric";
    /// The fabric did not answer the daemon.
    #[doc(alias = "ACM_STATUS_ETIMEDOUT")]
    ETIMEDOUT = ACM_STATUS_ETIMEDOUT, "ETIMEDOUT", "the fabric did not answer";
    /// The source address is of no port of this host.
    #[doc(alias = "ACM_STATUS_ESRCADDR")]
    ESRCADDR = ACM_STATUS_ESRCADDR, "ESRCADDR", "the source is an address of no InfiniBand port here";
    /// The source is of a type that the daemon does not know.
    #[doc(alias = "ACM_STATUS_ESRCTYPE")]
    ESRCTYPE = ACM_STATUS_ESRCTYPE, "ESRCTYPE", "the source is of an unknown type";
    /// The destination address is not known.
    #[doc(alias = "ACM_STATUS_EDESTADDR")]
    EDESTADDR = ACM_STATUS_EDESTADDR, "EDESTADDR", "the destination is not known on the fabric";
    /// The destination is of a type that the daemon does not know.
    #[doc(alias = "ACM_STATUS_EDESTTYPE")]
    EDESTTYPE = ACM_STATUS_EDESTTYPE, "EDESTTYPE", "the destination is of an unknown type";
}

impl Status {
    /// A status from its number.
    #[must_use]
    pub const fn from_raw(status: u8) -> Self {
        Self(status)
    }

    /// The number.
    #[must_use]
    pub const fn to_raw(self) -> u8 {
        self.0
    }
}

impl fmt::Display for Status {
    /// Writes the name, or the number.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.name() {
            Some(name) => f.write_str(name),
            None => write!(f, "{}", self.0),
        }
    }
}

impl fmt::Debug for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
