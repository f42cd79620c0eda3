//! [`Backend`]: who resolves.

/// Who resolves.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[non_exhaustive]
pub enum Backend {
    /// Whoever can; today the native one.
    #[default]
    Auto,
    /// This crate itself. Needs neither librdmacm nor an RDMA device.
    Native,
    /// librdmacm, the C library, which needs an RDMA device; see [`Library`](crate::Library).
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
