//! Kinds of failure.

use core::fmt;

macro_rules! kinds {
    ($($(#[$doc:meta])+ $name:ident = $message:literal,)+) => {
        /// What kind of failure an [`Error`](super::Error) is.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        #[cfg_attr(feature = "defmt", derive(defmt::Format))]
        #[non_exhaustive]
        pub enum ErrorKind {
            $($(#[$doc])+ $name,)+
        }

        impl ErrorKind {
            /// Every kind, in the order of declaration.
            pub const ALL: &'static [Self] = &[$(Self::$name),+];

            /// The name of the variant, as the JSON output spells it.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self { $(Self::$name => stringify!($name),)+ }
            }

            /// What the kind means, in words.
            #[must_use]
            pub const fn message(self) -> &'static str {
                match self { $(Self::$name => $message,)+ }
            }
        }
    };
}

kinds! {
    /// The node or service is not known, or nothing was given. `EAI_NONAME`.
    #[doc(alias = "EAI_NONAME")]
    NoName = "node or service not known",
    /// The node has no address of the requested family. `EAI_ADDRFAMILY`.
    #[doc(alias = "EAI_ADDRFAMILY")]
    AddrFamily = "no address of the requested family",
    /// Flags that are not known or exclude each other. `EAI_BADFLAGS`.
    #[doc(alias = "EAI_BADFLAGS")]
    BadFlags = "invalid flags",
    /// QP type and port space unknown or inconsistent. `EAI_QPTYPE`, in C `EAI_SOCKTYPE`.
    #[doc(alias = "EAI_QPTYPE")]
    #[doc(alias = "EAI_SOCKTYPE")]
    QpType = "QP type and port space are not supported together",
    /// The service is not known for this QP type. `EAI_SERVICE`.
    #[doc(alias = "EAI_SERVICE")]
    Service = "no such service",
    /// A temporary failure: try again. `EAI_AGAIN`.
    #[doc(alias = "EAI_AGAIN")]
    Again = "temporary failure, try again",
    /// A permanent failure of the name service. `EAI_FAIL`.
    #[doc(alias = "EAI_FAIL")]
    Fail = "permanent failure of the name service",
    /// The node exists and has no address at all. `EAI_NODATA`.
    #[doc(alias = "EAI_NODATA")]
    NoData = "the node has no address",
    /// The address family is not supported. `EAI_FAMILY`.
    #[doc(alias = "EAI_FAMILY")]
    Family = "address family not supported",
    /// Out of memory. `EAI_MEMORY`.
    #[doc(alias = "EAI_MEMORY")]
    Memory = "out of memory",
    /// The request is no literal, and only literals were to be resolved.
    NotLiteral = "not a literal: a lookup is needed",
    /// There is no RDMA device, or none that can do this. `ENODEV`.
    #[doc(alias = "ENODEV")]
    NoDevice = "no RDMA device",
    /// librdmacm could not be loaded.
    NoLibrary = "librdmacm could not be loaded",
    /// The deadline passed. `ETIMEDOUT`.
    #[doc(alias = "ETIMEDOUT")]
    TimedOut = "timed out",
    /// Not supported by this backend. `EOPNOTSUPP`.
    #[doc(alias = "EOPNOTSUPP")]
    NotSupported = "not supported",
    /// An argument is malformed. `EINVAL`.
    #[doc(alias = "EINVAL")]
    Invalid = "invalid argument",
    /// Another system error; see the `errno`. `EAI_SYSTEM`.
    #[doc(alias = "EAI_SYSTEM")]
    System = "system error",
}

impl fmt::Display for ErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.message())
    }
}
