//! [`Backend`]: who resolves.

/// Who resolves.
///
/// | | [`Native`](Self::Native), [`Auto`](Self::Auto) | [`Librdmacm`](Self::Librdmacm) |
/// |---|---|---|
/// | no device, no library | resolves | `NoDevice`, `NoLibrary` |
/// | addresses of a name | all | the first, and its AF_IB entry |
/// | grammar | of the policy | of glibc |
/// | deadline | kept, 5 s unless set | none; setting one is refused, since the call cannot be bounded |
/// | callers wait on each other | no | yes, where there is an ibacm |
/// | results | our memory, or the caller's | librdmacm's memory, in place |
///
/// An option that a backend cannot keep is an error, never ignored.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[non_exhaustive]
pub enum Backend {
    /// The native one, but librdmacm for what only it can do:
    /// [`Flags::SA`](rdma_addrinfo_core::Flags::SA).
    #[default]
    Auto,
    /// This crate itself. Needs neither librdmacm nor an RDMA device.
    Native,
    /// librdmacm, the C library, which needs an RDMA device: as [`Library`](crate::Library) calls it.
    Librdmacm,
}

impl Backend {
    /// The name, as the output shows it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Native => "native",
            Self::Librdmacm => "librdmacm",
        }
    }
}
